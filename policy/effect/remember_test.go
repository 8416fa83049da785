package effect

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
)

// What a line says again and again is looked up once.
func TestLooksOnceAtWhatIsSaidAgain(t *testing.T) {
	t.Parallel()
	l := newLab(t, committed+" && git branch topic && echo changed > a.txt")
	for _, tc := range []struct {
		name, command string
		most          int // questions to git
	}{
		{"reset", "git reset --hard; ", 4},
		{"checkout", "git checkout -- .; ", 4},
		{"branch", "git branch -D topic; ", 4},
		{"clean", "git clean -fd; ", 4},
		{"replace", "echo a > a.txt; ", 4},
		{"delete", "rm a.txt; ", 4},
	} {
		t.Run(tc.name, func(t *testing.T) {
			count := func(times int) (asked int, p Prediction) {
				w := l.world()
				repo := &counted{gitRepo{home: l.home, wait: time.Minute}, map[string]int{}}
				w.Repo = repo
				p = w.Predict(agent.Call{Tool: "Bash", Capability: agent.Shell, Command: strings.Repeat(tc.command, times), CWD: l.root})
				for _, n := range repo.asked {
					asked += n
				}
				return asked, p
			}
			one, first := count(1)
			many, again := count(200)
			if one > tc.most || many != one {
				t.Errorf("git was asked %d times for one command and %d times for 200 like it", one, many)
			}
			for _, e := range again.Effects {
				if e.Lost != first.Effects[0].Lost || e.Unknown != first.Effects[0].Unknown {
					t.Fatalf("a command loses %+v, another like it %+v", first.Effects[0], e)
				}
			}
		})
	}
}

// To remove a work tree without a branch asks git no more than three times, whatever stands in it.
func TestWorktreeQuestions(t *testing.T) {
	t.Parallel()
	for name, more := range map[string]string{"clean": "true", "staged": "echo b > src/a.go && git add src/a.go", "committed": "echo b > src/a.go && git commit -qam b"} {
		l := newLab(t, committed+" && git worktree add -q --detach ../wt && cd ../wt && "+more)
		repo := &counted{gitRepo{home: l.home, wait: time.Minute}, map[string]int{}}
		w := l.world()
		k := &looker{w: w, repo: repo, now: time.Now, end: time.Now().Add(time.Minute)}
		told := k.worktree(filepath.Join(filepath.Dir(l.root), "wt"))
		asked := 0
		for _, n := range repo.asked {
			asked += n
		}
		if asked > 3 || (len(told) == 0) != (name == "clean") {
			t.Errorf("%s: git was asked %d times, and told %+v", name, asked, told)
		}
	}
}

// What one who asks adds to an answer, another does not see.
func TestOnceGivesEachItsOwn(t *testing.T) {
	l := &looker{}
	look := func() []Effect {
		return []Effect{{Kind: "files", Lost: 1, Keep: Keep{Lost: make([]string, 1, 4)}}}
	}
	a, b := l.once("k", look), l.once("k", look)
	a[0].Keep.Lost = append(a[0].Keep.Lost, "a")
	b[0].Keep.Lost = append(b[0].Keep.Lost, "b")
	a[0].Keep.To = "HEAD"
	if got := a[0].Keep.Lost[1]; got != "a" || b[0].Keep.To != "" {
		t.Errorf("%q, %q: one answer shows in another", got, b[0].Keep.To)
	}
}
