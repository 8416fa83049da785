package session

import (
	"math"
	"os"
	"strings"
	"testing"
)

// TestHead (L18, E37): the head kept apart names the newest line, and shows what the chain alone cannot: a cut end and a
// changed last line.
func TestHead(t *testing.T) {
	f := newStore(t).Find("s-1", "/p")
	for range 3 {
		if _, err := f.Append("", func(*Totals, Memory) (Line, bool) { return Line{Kind: KindNote, Event: "x"}, true }); err != nil {
			t.Fatal(err)
		}
	}
	h, err := f.Head()
	if err != nil || h.Seq != 3 {
		t.Fatalf("head %+v, %v, want line 3", h, err)
	}
	whole, err := os.ReadFile(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	for _, c := range []struct {
		name, content, want string
	}{
		{"untouched", string(whole), ""},
		{"longer than the head", string(whole) + strings.Replace(lines[2], `"seq":3`, `"seq":99`, 1), "seq is 99, want 4"},
		{"cut", lines[0] + lines[1], ":2: the record ends at line 2 and the head names line 3: the end was cut off"},
		{"last line edited", strings.Replace(string(whole), `"seq":3,`, `"seq":3, `, 1), ":3: line 3 is not the one that the head names"},
		{"line edited", strings.Replace(string(whole), `"event":"x"`, `"event":"y"`, 1), ":2: prev is not the hash of line 1"},
		{"line deleted", lines[0] + lines[2], ":2: seq is 3, want 2: line 2 was removed or moved"},
		{"reordered", lines[1] + lines[0] + lines[2], ":2: seq is 1, want 3: this line was moved or put in"},
	} {
		if err := os.WriteFile(f.Path(), []byte(c.content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Verify(h, f.Path())
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestCutIsDegraded: a record whose end was taken away is a memory that is not whole, for the next call, and what is left
// of the prompts gives no consent any more.
func TestCutIsDegraded(t *testing.T) {
	t.Parallel()
	for name, keep := range map[string]int{"whole": 5, "the newest line": 4, "half": 2, "all": 0, "the file": -1} {
		t.Run(name, func(t *testing.T) {
			f := newStore(t).Find("s-1", "/p")
			put(t, f, Line{Kind: KindStart})
			put(t, f, Line{Kind: KindPrompt, Person: true, Text: masked("delete old/")})
			for range 3 {
				put(t, f, call("c", ""))
			}
			whole, err := os.ReadFile(f.Path())
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(f.Path()); err != nil {
				t.Fatal(err)
			}
			if keep >= 0 {
				left := strings.Join(strings.SplitAfter(string(whole), "\n")[:keep], "")
				if err := os.WriteFile(f.Path(), []byte(left), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			cut := keep < 5
			if m := recall(t, f, ""); m.Degraded != cut {
				t.Errorf("degraded %v, want %v", m.Degraded, cut)
			}
			put(t, f, call("c", ""))
			if m := recall(t, f, ""); m.Degraded || len(m.Words()) != 0 && cut {
				t.Errorf("a call later: degraded %v, words %v", m.Degraded, m.Words())
			}
			put(t, f, Line{Kind: KindPrompt, Person: true, Text: masked("go on")})
			if m := recall(t, f, ""); m.Degraded || len(m.Words()) == 0 {
				t.Errorf("a prompt later: degraded %v, words %v", m.Degraded, m.Words())
			}
		})
	}
}

// TestCutIsRemembered: a record that was cut and then went on is still known to have been cut.
func TestCutIsRemembered(t *testing.T) {
	s := newStore(t)
	f := s.Find("s-1", "/p")
	for range 3 {
		put(t, f, call("c", ""))
	}
	whole, err := os.ReadFile(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	if cuts, err := f.Cuts(); err != nil || len(cuts) != 0 {
		t.Fatalf("an untouched record has cuts %v, %v", cuts, err)
	}
	was, err := f.Head()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.Path(), whole[:strings.Index(string(whole), "\n")+1], 0o600); err != nil {
		t.Fatal(err)
	}
	put(t, s.Find("s-1", "/p"), call("d", ""))
	verified(t, s, "s-1") // the chain alone is whole again
	if cuts, err := f.Cuts(); err != nil || len(cuts) != 1 || cuts[0] != was {
		t.Errorf("cuts %v, %v, want %v", cuts, err, was)
	}
}

// TestHeadLength: every head takes the place of any other, whatever its number.
func TestHeadLength(t *testing.T) {
	for _, seq := range []int64{0, 1, 10, math.MaxInt64} {
		h := Head{seq, lineHash([]byte("x"))}
		b := h.append(nil)
		if got, ok := parseHead(string(b)); len(b) != headBytes || !ok || got != h {
			t.Errorf("%d: %q is read as %v, %v", seq, b, got, ok)
		}
	}
}
