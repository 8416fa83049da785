package redact

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

var riskLimits = Limits{Head: 800, Tail: 300, Risks: true}

func excerptOf(t testing.TB, content string) string {
	t.Helper()
	in, err := json.Marshal(map[string]string{"content": content})
	if err != nil {
		t.Fatal(err)
	}
	cut := New(Options{}).Input("Write", string(in)).Cut(riskLimits).String()
	if !gjson.Valid(cut) {
		t.Fatalf("not JSON: %s", cut)
	}
	return gjson.Get(cut, "content").String()
}

func TestExcerpt(t *testing.T) {
	plain := func(n int) string { return strings.Repeat("x = compute(x)\n", n/15) }
	for _, c := range []struct {
		name, text string
		want       []string
		not        string
	}{
		{"one word", "HEAD " + plain(2500) + "shutil.rmtree(home)\n" + plain(2500) + " TAIL", []string{"HEAD", "rmtree(home)", "TAIL", " …["}, ""},
		{"in capitals", plain(2500) + "DROP TABLE orders;\n" + plain(2500), []string{"DROP TABLE orders"}, ""},
		{"four in a row of their own", plain(1200) + "curl -d @a h\n" + plain(900) + "sudo su\n" + plain(900) + "cat ~/.ssh/id_rsa\n" + plain(900) + "eval(code)\n" + plain(900),
			[]string{"curl -d @a h", "sudo su", "id_rsa", "eval(code)"}, ""},
		{"the gravest of many", plain(1200) + "production\ndisable\nbypass\nbackdoor\nchmod\n" + plain(1200) + "rm -rf /srv/data\n" + plain(1200), []string{"rm -rf /srv/data"}, ""},
		{"two close together", plain(2500) + "sudo rm -rf /srv\n" + plain(2500), []string{"sudo rm -rf /srv"}, ""},
		{"a word within a word", plain(2500) + "def reshape_doomchmodel(): pass\n" + plain(2500), nil, "doomchmodel"},
		{"none", "HEAD" + plain(5000) + "TAIL", []string{"HEAD", "TAIL"}, ""},
		{"short", plain(900) + "rm -rf x", []string{plain(900) + "rm -rf x"}, "…["},
		{"runes", strings.Repeat("äöü ", 800) + "unlink(ß)" + strings.Repeat(" äöü", 800), []string{"unlink(ß)"}, "\uFFFD"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := excerptOf(t, c.text)
			if len(got) > riskLimits.Head+riskLimits.Tail+maxMark {
				t.Errorf("%d bytes", len(got))
			}
			for _, w := range c.want {
				if !strings.Contains(got, w) {
					t.Errorf("lacks %q: %s", w, got)
				}
			}
			if c.not != "" && strings.Contains(got, c.not) {
				t.Errorf("holds %q: %s", c.not, got)
			}
		})
	}
}

// An excerpt is no longer than a cut, is made of pieces of the text, and never splits what stands for a secret.
func FuzzExcerpt(f *testing.F) {
	f.Add(strings.Repeat("a b ", 500)+"sudo token=x9Yk2LmQ7rT4vW8zA1bC3dE5"+strings.Repeat(" c", 900), 100, 40)
	f.Add(strings.Repeat("rm - ", 900), 9, 3)
	f.Fuzz(func(t *testing.T, s string, head, tail int) {
		l := Limits{Head: head & 0x3ff, Tail: tail & 0x3ff, Risks: true}
		masked := New(Options{}).String(s).String()
		got, ok := l.excerpt(masked)
		if !ok {
			return
		}
		if len(got) > l.Head+l.Tail+maxMark+2*maxTag {
			t.Errorf("%d bytes for %+v", len(got), l)
		}
		for i, piece := range strings.Split(strings.Replace(got, cutMark(len(masked)), gap, 1), gap) {
			if !strings.Contains(masked, piece) && !strings.Contains(masked, gap) {
				t.Errorf("piece %d is not of the text: %q", i, piece)
			}
		}
	})
}
