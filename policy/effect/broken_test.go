package effect

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
)

// What git would not answer, or not for this user, is not known, and never called clean. A damaged index hides no
// change: content that is in the store is not lost whatever the index says.
func TestBrokenRepositoryIsNotClean(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, broken string
		root         bool // needs the rights to give a folder away
	}{
		{"index cut off", "echo b >> src/a.go; head -c 100 .git/index > ../x && mv ../x .git/index", false},
		{"index is a folder", "rm .git/index && mkdir .git/index", false},
		{"index changed", "echo b >> src/a.go; printf X | dd of=.git/index bs=1 seek=90 conv=notrunc 2>/dev/null", false},
		{"no HEAD", "rm .git/HEAD", false},
		{"HEAD leads nowhere", "echo nonsense > .git/HEAD", false},
		{"no objects", "mv .git/objects ../objects", false},
		{"git file that leads nowhere", "mv .git ../elsewhere && echo 'gitdir: ../gone' > .git", false},
		{"another user's", "chown -R 12345 .git .", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.root && os.Geteuid() != 0 {
				t.Skip("only root gives a folder away")
			}
			l := newLab(t, committed+" && { "+c.broken+"; }")
			for _, line := range [...]string{"git reset --hard", "git checkout -- .", "rm -rf src"} {
				told := false
				for _, e := range l.predict(line).Effects {
					told = told || e.Loses()
				}
				if !told {
					t.Errorf("%q is called clean", line)
				}
			}
		})
	}
}

// Links that lead in circles, folders that cannot be read and names of all kinds end in an answer.
func TestOddTrees(t *testing.T) {
	t.Parallel()
	l := newLab(t, committed+` && mkdir odd && cd odd && ln -s . loop && ln -s ../odd up && ln -s b a && ln -s a b && printf only > 'new
line' && printf only > '"quoted"' && printf only > ./-dash && printf only > "$(printf 'bad\377')" && printf one > Case && printf two > case && mkdir shut && printf only > shut/x && chmod 0 shut`)
	t.Cleanup(func() { _ = os.Chmod(l.root+"/odd/shut", 0o700) }) // the folder is in the way of being cleared away
	for _, line := range [...]string{"rm -rf odd", "rm -rf odd/*", "git clean -fdx", "rm -rf odd/loop/", "rm -rf -- odd/-dash", "rm odd/bad*"} {
		es := l.predict(line).Effects
		if len(es) == 0 || !es[0].Loses() {
			t.Errorf("%q: told %+v", line, es)
		}
		for _, e := range es {
			if e.Lost > 20 {
				t.Errorf("%q counts a link's target: %+v", line, e)
			}
		}
	}
	if p := l.predict("rm odd/a"); len(p.Effects) > 0 {
		t.Errorf("a link is no loss: %+v", p.Effects)
	}
	if names := strings.Join(l.predict("rm -rf odd").Effects[0].Names, " "); names == "" {
		t.Error("no names are told")
	}
}

// slowRepo is a git that never answers in time.
type slowRepo struct{}

func (slowRepo) Git(string, ...string) ([]byte, error) { return nil, context.DeadlineExceeded }

// What git did not tell in time is not taken for a name that does not exist.
func TestUnansweredIsNotClean(t *testing.T) {
	t.Parallel()
	l := newLab(t, committed+` && git branch topic && git checkout -q --detach && git commit -q --allow-empty -m loose`)
	for _, line := range []string{"git switch topic", "git checkout topic", "git branch -D topic", "git tag -d v1"} {
		w := l.world()
		w.Repo = slowRepo{}
		unknown := false
		for _, e := range w.Predict(agent.Call{Tool: "Bash", Capability: agent.Shell, Command: line, CWD: l.root}).Effects {
			unknown = unknown || e.Unknown != ""
		}
		if !unknown {
			t.Errorf("%q is taken for clean", line)
		}
	}
}
