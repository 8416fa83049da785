//go:build unix

package effect

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
)

// A pipe in place of a file of git's, or of the project, holds a look-up up no longer than one question to git, and what
// could not be looked at is not called clean.
func TestPipes(t *testing.T) {
	t.Parallel()
	setup := committed + " && git branch topic && echo s >> src/a.go && git stash -q && echo c >> src/a.go && echo only > notes.md"
	for _, name := range [...]string{
		".git", ".git/index", ".git/HEAD", ".git/config", ".git/commondir", ".git/packed-refs", ".git/shallow", ".git/info/exclude", ".git/objects/info/alternates",
		".git/logs/refs/stash", ".git/refs/heads/main", ".gitignore", ".gitmodules", "pack.tar", "docs/d.md",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, setup)
			p := filepath.Join(l.root, name)
			if err := os.RemoveAll(p); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Mkfifo(p, 0o600); err != nil {
				t.Skip("no pipes here:", err)
			}
			w := l.world()
			w.Patience = 20 * time.Millisecond
			for _, line := range [...]string{"git reset --hard", "rm -rf src notes.md", "git stash clear && tar xf pack.tar"} {
				told := false
				for _, e := range w.Predict(agent.Call{Tool: "Bash", Capability: agent.Shell, Command: line, CWD: l.root}).Effects {
					told = told || e.Loses()
				}
				if !told {
					t.Errorf("%q: nothing told", line)
				}
			}
		})
	}
}
