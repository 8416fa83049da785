package policy

import (
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy/effect"
)

func TestGrounds(t *testing.T) {
	dir := t.TempDir()
	w := &effect.World{Root: dir, CWD: dir, Home: "/home/ann"}
	for _, c := range []struct {
		name, command, rule string
		want                Ground
	}{
		{"the words of one of two commands", "cd src; git push --force origin main", "git.push-force",
			Ground{"publishes origin main, by push --force", "git push --force origin main"}},
		{"the wrappers in front", `sudo bash -c "rm -rf /"`, "fs.wipe-root",
			Ground{"deletes / and all below it", "sudo > bash -c > rm -rf /"}},
		{"a variable is filled in", `d=~; rm -rf "$d"`, "fs.wipe-home",
			Ground{"deletes /home/ann and all below it", "rm -rf /home/ann"}},
		{"two acts of the same words are told once", "psql -c 'drop table users'", "db.drop",
			Ground{"changes the database table users, by drop table users", "psql -c 'drop table users'"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			call := agent.Call{Tool: "Bash", Capability: agent.Shell, Command: c.command, CWD: dir}
			p := w.Predict(call)
			for _, f := range Rules(call, p, w, agent.Abilities{}) {
				if f.Rule != c.rule {
					continue
				}
				if got := Grounds(f, p); len(got) != 1 || got[0] != c.want {
					t.Errorf("%s: got %q, want %q", c.command, got, c.want)
				}
				return
			}
			t.Errorf("%s: %s did not hit", c.command, c.rule)
		})
	}
}

// Every kind of act has words of its own: a new kind is not told by its bare name.
func TestEachActHasWords(t *testing.T) {
	for _, k := range effect.Kinds {
		found := false
		for _, p := range actWords {
			found = found || p.kind == k
		}
		if !found {
			t.Errorf("act %q has no words in actWords", k)
		}
	}
}
