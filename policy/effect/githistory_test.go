package effect

import "testing"

// TestStashGoesWithItsLog: the stash's list is a reflog, so expiring all of them empties it.
func TestStashGoesWithItsLog(t *testing.T) {
	const commit = "echo 1 > a && git add a && git commit -q -m one"
	for _, c := range []struct {
		name, setup string
		loses       bool
	}{
		{"nothing stashed", commit, false},
		{"a stash", commit + " && echo 2 > a && git stash -q", true},
	} {
		l := newLab(t, c.setup)
		loses := false
		for _, e := range l.predict("git reflog expire --expire=now --all").Effects {
			loses = loses || e.Loses()
		}
		if loses != c.loses {
			t.Errorf("%s: loses %t, want %t", c.name, loses, c.loses)
		}
		if !c.loses {
			continue
		}
		if out, err := l.run("git reflog expire --expire=now --all && git stash list"); err != nil || out != "" {
			t.Errorf("%s: the list still names %q, %v", c.name, out, err)
		}
	}
}
