package effect

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
)

// counted answers from git and counts the questions.
type counted struct {
	gitRepo
	asked map[string]int
}

func (c *counted) Git(dir string, args ...string) ([]byte, error) {
	c.asked[args[0]+" "+args[1]]++
	return c.gitRepo.Git(dir, args...)
}

// A line that takes many files of a repository reads its index a few times, not once a file.
func TestIndexIsReadOnceForManyFiles(t *testing.T) {
	t.Parallel()
	l := newLab(t, committed+" && for i in 1 2 3 4 5 6 7 8 9; do mkdir -p many/d$i && echo $i > many/d$i/f; done && git add -A && git commit -qm many")
	w := l.world()
	repo := &counted{gitRepo{home: l.home, wait: time.Minute}, map[string]int{}}
	w.Repo = repo
	line := "rm"
	for i := 1; i < 10; i++ {
		line += fmt.Sprintf(" many/d%d/f", i)
	}
	p := w.Predict(agent.Call{Tool: "Bash", Capability: agent.Shell, Command: line, CWD: l.root})
	for _, e := range p.Effects {
		if e.Loses() {
			t.Errorf("%+v, want no loss", e)
		}
	}
	if n := repo.asked["ls-files -s"]; n < 1 || n > 2 {
		t.Errorf("the index was asked for %d times, want once or twice: %v", n, repo.asked)
	}
}

// What is said of a loss does not depend on chance.
func TestNamesComeInOrder(t *testing.T) {
	t.Parallel()
	l := newLab(t, committed+" && for i in 1 2 3 4 5 6; do mkdir -p new/r$i && git -C new/r$i init -q && echo x > new/r$i/f$i; done")
	var first []string
	for n := range 10 {
		p := l.predict("rm -rf new")
		var names, kept []string
		for _, e := range p.Effects {
			names = append(names, e.Names...)
			kept = append(kept, e.Keep.Lost...)
		}
		if first = append(first, strings.Join(names, " ")); first[n] != first[0] {
			t.Fatalf("once %q, once %q", first[0], first[n])
		}
		if !slices.IsSorted(kept) {
			t.Fatalf("the copy would hold %q, not in order", kept)
		}
	}
}

// git clean without -d leaves untracked folders, but goes into those that it is given.
func TestCleanOfFolders(t *testing.T) {
	t.Parallel()
	const setup = committed + " && mkdir -p src/deep new/in && echo x > src/deep/t && git add -A && git commit -qm deep && echo y > src/deep/u && echo y > src/v && echo z > new/in/w"
	for _, c := range []struct {
		line string
		want []string
	}{
		{"git clean -f", []string{"src/deep/u", "src/v"}},
		{"git clean -f new", []string{"new/in/w"}},
		{"git clean -f -- new/in", []string{"new/in/w"}},
		{"git clean -f src/deep", []string{"src/deep/u"}},
		{"git clean -f .", []string{"new/in/w", "src/deep/u", "src/v"}},
		{"git clean -fd", []string{"new/in/w", "src/deep/u", "src/v"}},
	} {
		t.Run(c.line, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, setup)
			var said []string
			for _, e := range l.predict(c.line).Effects {
				said = append(said, e.Names...)
			}
			if !slices.Equal(said, c.want) {
				t.Errorf("said to take %q, want %q", said, c.want)
			}
			if _, err := l.run(c.line); err != nil {
				t.Fatal(err)
			}
			for _, f := range [...]string{"src/deep/u", "src/v", "new/in/w"} {
				if gone := Absent(filepath.Join(l.root, f)); gone != slices.Contains(c.want, f) {
					t.Errorf("%s: gone %v", f, gone)
				}
			}
		})
	}
}

// What tools bring back is marked as no loss, so that a judge does not take a cleaning for one.
func TestRemade(t *testing.T) {
	t.Parallel()
	l := newLab(t, committed+` && mkdir -p lib node_modules/x dist mixed/node_modules && echo a > lib/a.go && printf 'dist\n' > .gitignore && git add lib .gitignore && git commit -qm lib && echo b > node_modules/x/b.js && echo c > dist/c.js && echo d > mixed/node_modules/d.js && echo e > mixed/notes.txt`)
	for line, want := range map[string]bool{
		"rm -rf node_modules": true, "rm -rf dist": true, "rm -rf mixed/node_modules": true,
		"rm -rf lib": false, "rm -rf mixed": false, "rm -rf dist lib": false,
	} {
		all := true
		for _, a := range l.predict(line).Acts {
			all = all && (a.Kind != Delete || a.NoLoss)
		}
		if all != want {
			t.Errorf("%q is all without a loss: %v, want %v", line, all, want)
		}
	}
}
