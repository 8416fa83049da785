package session

import (
	"fmt"
	"strconv"
	"testing"
)

// What is void stays so in a new generation of the file, and what was said since is not.
func TestMissed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		before, after int // prompts, of the one that was missed
		want          string
	}{
		{"the first", 0, 1, "[p0]"},
		{"the second", 1, 0, "[]"},
		{"one between", 2, 1, "[p2]"},
		{"before as many as are kept", 1, 3, "[p1 p2 p3]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &Store{Dir: t.TempDir(), MaxBytes: 1200}
			f := s.Find("s", "/p")
			say := func(i int) {
				put(t, f, Line{Kind: KindPrompt, Person: true, Turn: "t" + strconv.Itoa(i), Text: masked(fmt.Sprintf("p%d", i))})
			}
			for i := range c.before {
				say(i)
			}
			if err := f.Miss(); err != nil {
				t.Fatal(err)
			}
			if m := recall(t, f, ""); !m.Degraded || len(m.Words()) > 0 {
				t.Errorf("degraded %v, words %v", m.Degraded, m.Words())
			}
			for i := range c.after {
				say(c.before + i)
			}
			if m := recall(t, f, ""); !m.Degraded {
				t.Error("the next call is not told")
			}
			for range 2 { // the second time in a new generation
				put(t, f, call("x", ""))
				m := recall(t, f, "")
				var got []string
				for _, x := range m.Words() {
					got = append(got, x.String())
				}
				if fmt.Sprint(got) != c.want || m.Degraded {
					t.Errorf("words %v, want %s; degraded %v", got, c.want, m.Degraded)
				}
				for i := range 4 {
					put(t, f, call(strconv.Itoa(i), ""))
				}
			}
		})
	}
}

func TestUnheard(t *testing.T) {
	t.Parallel()
	f := (&Store{Dir: t.TempDir()}).Find("s", "/p")
	heard := func(turn string) bool {
		m := recall(t, f, "")
		return !m.Unheard(turn)
	}
	if !heard("t0") {
		t.Error("with no turn known, one is missed")
	}
	for i := range 6 {
		put(t, f, Line{Kind: KindPrompt, AgentID: "a-1", Turn: "other", Text: masked("x")})
		put(t, f, Line{Kind: KindPrompt, Turn: "t" + strconv.Itoa(i), Text: masked("x")})
	}
	for turn, want := range map[string]bool{"": true, "t1": false, "t2": true, "t5": true, "t6": false, "other": false} {
		if got := heard(turn); got != want {
			t.Errorf("turn %q: heard %v, want %v", turn, got, want)
		}
	}
}
