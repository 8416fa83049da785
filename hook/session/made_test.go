package session

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// made appends the result of a call that made files.
func made(t *testing.T, f *File, files ...Made) {
	t.Helper()
	_, err := f.Append("", func(tot *Totals, _ Memory) (Line, bool) {
		return Line{Kind: KindResult, CallID: "c", Made: files, MadeBefore: tot.MadeAt}, true
	})
	if err != nil {
		t.Fatal(err)
	}
}

func madeFile(name string) Made { return Made{Path: masked(name), Size: 3, MTime: 7} }

// What the session made is found behind any number of other lines, the newest first, and a line in between is no end.
func TestMadeIsFoundFarBack(t *testing.T) {
	t.Parallel()
	s := &Store{Dir: t.TempDir()}
	f := s.Find("s", "/p")
	if m := recall(t, f, ""); m.Totals.MayHaveMade("/p/a") || f.Made(m) != nil {
		t.Error("an empty session has made something")
	}
	put(t, f, call("first", "")) // a result is never the first line
	made(t, f, madeFile("/p/a"), madeFile("/p/b"))
	for i := range 300 { // far more than the tail holds
		put(t, f, call(fmt.Sprint(i), ""))
	}
	made(t, f, madeFile("/p/c"))
	m := recall(t, f, "")
	var got []string
	for _, x := range f.Made(m) {
		got = append(got, x.Path.String())
		if !m.Totals.MayHaveMade(x.Path.String()) || x.Size != 3 || x.MTime != 7 {
			t.Errorf("%+v is not as it was written, or not in the filter", x)
		}
	}
	if fmt.Sprint(got) != "[/p/c /p/a /p/b]" {
		t.Errorf("made %v", got)
	}
}

// A line that points forward, at itself, at another kind or nowhere ends the way back; none is followed twice.
func TestMadeEndsOnABrokenChain(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]int64{"itself": 1 << 40, "no line": 3, "negative": -5} {
		t.Run(name, func(t *testing.T) {
			s := &Store{Dir: t.TempDir()}
			f := s.Find("s", "/p")
			put(t, f, call("1", ""))
			put(t, f, Line{Kind: KindResult, Made: []Made{madeFile("/p/a")}, MadeBefore: before})
			if got := f.Made(recall(t, f, "")); len(got) != 1 {
				t.Errorf("made %v", got)
			}
		})
	}
}

// A new generation of the file knows nothing of what was made before: it is asked about again.
func TestMadeIsForgottenByRotation(t *testing.T) {
	t.Parallel()
	s := &Store{Dir: t.TempDir(), MaxBytes: 2000}
	f := s.Find("s", "/p")
	made(t, f, madeFile("/p/a"))
	for i := range 9 {
		put(t, f, call(fmt.Sprint(i), ""))
	}
	m := recall(t, f, "")
	if m.Totals.Gen == 0 {
		t.Fatal("no rotation")
	}
	if m.Totals.MayHaveMade("/p/a") || f.Made(m) != nil {
		t.Error("still remembered, with a place in another file")
	}
}

func TestStand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := filepath.Join(dir, "f")
	if err := os.WriteFile(p, []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(p, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"f": true, "link": false, "none": false, ".": false} {
		got, ok := Stand(masked(filepath.Join(dir, name)))
		if ok != want || ok && (got.Size != 3 || got.MTime == 0) {
			t.Errorf("%s: %+v, %v", name, got, ok)
		}
	}
}

// Consent is read from what a person typed, as far as nothing of it is missing.
func TestWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, source string
		prompts      int
		want         string
	}{
		{"none", "", 0, "[]"},
		{"plan and two", "", 3, "[p0 p1 p2]"},
		{"plan that was found", "transcript", 3, "[p1 p2]"},
		{"more than are kept", "", 6, "[p3 p4 p5]"},
		{"as many as are kept", "", 4, "[p1 p2 p3]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &Store{Dir: t.TempDir(), MaxBytes: 1200}
			f := s.Find("s", "/p")
			for i := range c.prompts {
				source := ""
				if i == 0 {
					source = c.source
				}
				put(t, f, Line{Kind: KindPrompt, Person: true, Source: source, Text: masked(fmt.Sprintf("p%d", i))})
			}
			for range 2 { // the second time in a new generation
				var got []string
				for _, x := range recall(t, f, "").Words() {
					got = append(got, x.String())
				}
				if fmt.Sprint(got) != c.want {
					t.Errorf("words %v, want %s", got, c.want)
				}
				for i := range 4 {
					put(t, f, call(fmt.Sprint(i), ""))
				}
			}
		})
	}
}
