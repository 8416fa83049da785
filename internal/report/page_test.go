package report

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"testing"
)

// TestPageEscapes: a call may hold a page of its own; nothing of it may become part of ours.
func TestPageEscapes(t *testing.T) {
	r := record{t: t}
	const evil = `\u003c/script\u003e\u003cimg src=x onerror=alert(1)\u003e \u001b[31m\u202e\u200b\u009b`
	r.line(`"kind":"prompt","text":"%s","person":true`, evil)
	r.line(`"kind":"call","call_id":"%s","tool":"%s","input":{"command":"%s"},"mode":"audit","would":"ask","did":"allow","judge":"local",`+
		`"findings":[{"rule":"%s","class":"state","severity":"high","action":"ask","why":"%s"}],"answers":{"should_flag":0.7},"score":0.7,"ms":{"%s":1},"failure":"%s"`,
		evil, evil, evil, evil, evil, evil, evil)
	var b bytes.Buffer
	if err := r.read(Options{Timeline: true}).HTML(&b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	if strings.Contains(page, "<img") || strings.Count(page, "<script") != 2 || strings.Count(page, "</script>") != 2 {
		t.Errorf("text of a call became markup: %d scripts", strings.Count(page, "<script"))
	}
	if !strings.Contains(page, "&lt;/script&gt;") {
		t.Error("the call is not shown at all")
	}
	if i := strings.IndexAny(page, "\x1b\u202e\u200b\u009b"); i >= 0 {
		t.Errorf("text of a call keeps what acts on its reader: %q", page[max(0, i-40):i+40])
	}
	if !strings.Contains(page, pageJS) {
		t.Error("the page's own script was changed, and no longer fits its hash")
	}
}

// TestPageStandsAlone: no address, no other file, and no script but its own may run.
func TestPageStandsAlone(t *testing.T) {
	var b bytes.Buffer
	if err := read(t, nil).HTML(&b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, bad := range []string{"http://", "https://", "src=", "@import", "url(", " on"} {
		if bad == " on" {
			if m := regexp.MustCompile(`<[^>]+\son[a-z]+=`).FindString(page); m != "" {
				t.Errorf("a handler stands in the markup: %s", m)
			}
			continue
		}
		if strings.Contains(page, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	if !regexp.MustCompile(`default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-[A-Za-z0-9+/]{43}='`).MatchString(html.UnescapeString(page)) {
		t.Error("no policy keeps other scripts from running")
	}
}

// TestPageTellsTheDifference: what other settings would have done stands in the page, too.
func TestPageTellsTheDifference(t *testing.T) {
	var b bytes.Buffer
	if err := read(t, at(.8, .5)).HTML(&b); err != nil {
		t.Fatal(err)
	}
	if page := b.String(); !strings.Contains(page, "2 calls of 7") || strings.Count(page, "→") < 2 {
		t.Error("the page does not tell the calls that are decided otherwise")
	}
}

// TestPageWithoutAJudge: where nothing was judged there are no sliders, and no script that looks for them.
func TestPageWithoutAJudge(t *testing.T) {
	r := record{t: t}
	r.line(`"kind":"call","tool":"Bash","would":"allow","did":"allow"`)
	var b bytes.Buffer
	if err := r.read(Options{Timeline: true}).HTML(&b); err != nil {
		t.Fatal(err)
	}
	if page := b.String(); strings.Contains(page, "<script") || !strings.Contains(page, "Bash") {
		t.Error("the page has a script with nothing to show, or does not show the call")
	}
}
