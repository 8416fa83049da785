package snapshot

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy/effect"
)

// bench is a project with a repository, the person's home around it, and a store outside of both.
type bench struct {
	*testing.T
	home, root string
	store      *Store
}

func newBench(t *testing.T) *bench {
	t.Helper()
	if _, err := os.Stat("/usr/bin/git"); err != nil {
		t.Skip("git is not in a system folder")
	}
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{T: t, home: home, root: filepath.Join(home, "code/proj")}
	if err := os.MkdirAll(b.root, 0o755); err != nil {
		t.Fatal(err)
	}
	limits := DefaultLimits
	limits.Time = time.Minute // tests do not depend on how busy the machine is
	b.store = &Store{Dir: filepath.Join(home, "state"), Home: home, Limits: limits, Now: time.Now}
	b.sh("git init -q -b main . && git config user.name t && git config user.email t@example.com && git config commit.gpgsign false")
	return b
}

// sh runs a line in the project and gives what it prints.
func (b *bench) sh(line string) string {
	b.Helper()
	out, err := b.run(line)
	if err != nil {
		b.Fatalf("%s: %v\n%s", line, err, out)
	}
	return out
}

func (b *bench) run(line string) (string, error) {
	c := exec.Command("bash", "-c", line)
	c.Dir = b.root
	c.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + b.home, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C"}
	out, err := c.CombinedOutput()
	return string(out), err
}

func (b *bench) predict(call agent.Call) effect.Prediction {
	w := &effect.World{Root: b.root, CWD: b.root, Home: b.home, Patience: time.Minute}
	return w.Predict(call)
}

func (b *bench) bash(line string) agent.Call {
	return agent.NewCall("t1", "Bash", `{"command":`+quoted(line)+`}`, b.root)
}

func quoted(s string) string {
	r := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`)
	return `"` + r.Replace(s) + `"`
}

// cover gives the keeps of all acts that lose something.
func cover(p effect.Prediction, root string) ([]effect.Keep, bool) {
	var acts []int
	for _, e := range p.Effects {
		if e.Loses() && !slices.Contains(acts, e.Act) {
			acts = append(acts, e.Act)
		}
	}
	return Cover(p, acts, root)
}

func (b *bench) take(p effect.Prediction) (Snapshot, error) {
	b.Helper()
	keeps, ok := cover(p, b.root)
	if !ok {
		b.Fatalf("not covered: %+v", p.Effects)
	}
	return b.store.Take(context.Background(), Call{Project: "p", Root: b.root, Session: "s", ID: "t1", Tool: "Bash"}, keeps)
}

// state is all that a person would miss: files with mode, time and content, links, the index, refs, HEAD and the stash.
func (b *bench) state() map[string]string {
	b.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(filepath.Join(b.home, "code"), func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == ".git" {
			return fs.SkipDir
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(b.home, p)
		switch {
		case fi.IsDir():
			out[rel] = fi.Mode().String()
		case fi.Mode()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(p)
			out[rel] = "link to " + to
		default:
			text, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			out[rel] = fmt.Sprint(fi.Mode(), fi.ModTime().UnixNano(), sha256.Sum256(text))
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	git, _ := b.run(`for q in "ls-files -s" for-each-ref "symbolic-ref -q HEAD" "rev-parse -q --verify HEAD" "stash list" "status --porcelain=v1 --ignored"; do echo "== $q"; git $q; done`)
	for _, part := range strings.Split(git, "== ")[1:] {
		q, answer, _ := strings.Cut(part, "\n")
		out["git "+q] = answer
	}
	return out
}

func (b *bench) compare(want, got map[string]string) {
	b.Helper()
	keys := map[string]bool{}
	for k := range want {
		keys[k] = true
	}
	for k := range got {
		keys[k] = true
	}
	for k := range keys {
		if want[k] != got[k] {
			b.Errorf("%s:\n was %q\n is  %q", k, want[k], got[k])
		}
	}
}

// dirty is a repository with work of every kind in it.
const dirty = `mkdir -p src docs && echo one > src/a.go && echo two > src/b.go && echo three > docs/c.md && printf 'x\0y' > bin.dat && echo run > run.sh && chmod 755 run.sh && ln -s src/a.go link
echo 'ignored/' > .gitignore; git add -A; git commit -qm one; echo four > src/d.go; git add -A; git commit -qm two
echo changed >> src/a.go; echo staged >> src/b.go; git add src/b.go; echo both > docs/c.md; git add docs/c.md; echo more >> docs/c.md; rm bin.dat; chmod 600 src/d.go
echo new > src/new.go; git add src/new.go; git rm -q --cached run.sh; mkdir -p notes ignored; echo mine > notes/n.md; chmod 640 notes/n.md; ln -s n.md notes/l; echo secret > ignored/s
touch -d '2020-02-02 02:02:02.123456789' src/a.go notes/n.md`

func TestUndo(t *testing.T) {
	for _, tc := range []struct{ name, setup, line string }{
		{"rm -rf of untracked files", dirty, "rm -rf notes"},
		{"rm -rf of a mixed folder", dirty, "rm -rf src notes"},
		{"rm of files", dirty, "rm notes/n.md src/a.go"},
		{"rm by pattern", dirty, "rm -f notes/*.md"},
		{"rm of ignored only copies", dirty, "rm -rf ignored"},
		{"reset --hard", dirty, "git reset --hard"},
		{"reset --hard HEAD", dirty, "git reset --hard HEAD"},
		{"reset --hard to an older commit", dirty, "git reset --hard HEAD~1"},
		{"reset --hard drops commits alone", "echo a > a; git add a; git commit -qm 1; echo b > b; git add b; git commit -qm 2", "git reset --hard HEAD~1"},
		{"reset --hard on a detached HEAD", dirty + "\ngit stash -q; git checkout -q --detach; echo z > z; git add z; git commit -qm z; git stash pop -q", "git reset --hard HEAD~1"},
		{"checkout of all paths", dirty, "git checkout -- ."},
		{"checkout of one path", dirty, "git checkout -- src/a.go docs"},
		{"checkout from a commit", dirty, "git checkout HEAD~1 -- src docs"},
		{"checkout from a commit without dashes", dirty, "git checkout HEAD src docs"},
		{"restore", dirty, "git restore src/a.go docs"},
		{"restore index and tree", dirty, "git restore --staged --worktree ."},
		{"restore from a source", dirty, "git restore --source=HEAD~1 --staged --worktree src"},
		{"checkout -f", dirty, "git checkout -f"},
		{"checkout -f of a branch", dirty + "\ngit branch other HEAD~1", "git checkout -f other"},
		{"switch -f", dirty + "\ngit branch other HEAD~1", "git switch -f other"},
		{"clean", dirty, "git clean -fd"},
		{"clean with ignored", dirty, "git clean -fdx"},
		{"clean in a subfolder", dirty, "cd notes && git clean -fd"},
		{"reset and clean", dirty, "git reset --hard && git clean -fd"},
		{"stash drop", dirty + "\ngit stash -q; echo w > src/a.go; git stash -q; echo v > src/a.go; git stash -q", "git stash drop stash@{1}"},
		{"stash drop of the only one", dirty + "\ngit stash -q", "git stash drop"},
		{"stash clear", dirty + "\ngit stash -q -u; echo w > src/a.go; git stash -q", "git stash clear"},
		{"branch -D", "echo a > a; git add a; git commit -qm 1; git checkout -qb x; echo b > b; git add b; git commit -qm 2; git checkout -q main", "git branch -D x"},
		{"branch -f", "echo a > a; git add a; git commit -qm 1; git checkout -qb x; echo b > b; git add b; git commit -qm 2; git checkout -q main", "git branch -f x main"},
		{"tag -d", "echo a > a; git add a; git commit -qm 1; git checkout -q --detach; echo b > b; git add b; git commit -qm 2; git tag -am v v1; git checkout -q main", "git tag -d v1"},
		{"overwrite by redirection", "echo a > a; echo only > notes", "echo new > notes"},
		{"overwrite by cp", "echo a > a; echo only > notes", "cp a notes"},
		{"overwrite by mv", "echo other > a; echo only > notes", "mv a notes"},
		{"truncate", "echo only > notes", "truncate -s 0 notes"},
		{"empty redirection", "echo only > notes", ": > notes"},
		{"find -delete", "mkdir -p out/sub; echo 1 > out/1.txt; echo 2 > out/sub/2.txt; echo 3 > out/sub/3.md", "find out -name '*.txt' -delete"},
		{"find -delete of all", "mkdir -p out/sub; echo 1 > out/1.txt; echo 2 > out/sub/2.txt; chmod 750 out/sub", "find out -delete"},
		{"find -exec rm", "mkdir -p out/sub; echo 1 > out/1.txt; echo 2 > out/sub/2.txt", `find out -type f -exec rm {} +`},
		{"git rm -f", dirty, "git rm -rf src"},
		{"modes of folders and files", "mkdir -p out/sub; echo 1 > out/sub/f; chmod 444 out/sub/f; chmod 710 out/sub; chmod 2775 out", "rm -rf out"},
		{"odd names", `mkdir out; cd out; echo 1 > 'a b'; echo 2 > $'new\nline'; echo 3 > -- -rf; echo 4 > $'bad\xff\xfe'; echo 5 > '"quoted"'; echo 6 > '*'; ln -s loop loop`, "rm -rf out"},
		{"odd names in git", `echo 1 > $'new\nline'; echo 2 > $'bad\xff'; echo 3 > ./-x; echo 4 > '"q"'; git add -A; git commit -qm 1; for f in *; do echo more >> "./$f"; done; git add -- -x`, "git reset --hard"},
		{"a link to elsewhere in the tree", "mkdir -p out ../else; echo keep > ../else/k; echo 1 > out/1; ln -s ../../else out/up", "rm -rf out"},
		{"a repository in the project", "mkdir sub; cd sub; git init -q; echo 1 > 1; git add 1; git -c user.name=a -c user.email=a@b.c commit -qm 1; echo 2 >> 1", "cd sub && git reset --hard"},
		{"mv -f over a changed file", "echo 1 > a; echo 2 > b; git add -A; git commit -qm 1; echo 3 > b; git add b; echo 4 > b", "git mv -f a b"},
		{"mv -f over an untracked file", "echo 1 > a; git add -A; git commit -qm 1; echo only > b", "git mv -f a b"},
		{"branch -M over another", "echo a > a; git add a; git commit -qm 1; git checkout -qb x; echo b > b; git add b; git commit -qm 2; git checkout -q main; git checkout -qb y", "git branch -M x"},
		{"branch -M of a branch that is not checked out", "echo a > a; git add a; git commit -qm 1; git checkout -qb x; echo b > b; git add b; git commit -qm 2; git checkout -q main; git branch y", "git branch -M y x"},
		{"checkout over an ignored file", "echo 1 > a; git add -A; git commit -qm 1; git checkout -qb x; echo 2 > conf; git add conf; git commit -qm 2; git checkout -q main; echo conf > .gitignore; git add .gitignore; git commit -qm 3; echo only > conf", "git checkout -q x"},
		{"switch over an ignored file", "echo 1 > a; git add -A; git commit -qm 1; git checkout -qb x; echo 2 > conf; git add conf; git commit -qm 2; git checkout -q main; echo conf > .gitignore; git add .gitignore; git commit -qm 3; echo only > conf; echo b > b; git add b", "git switch -q x"},
		{"leaving commits on no branch", "echo 1 > a; git add -A; git commit -qm 1; git checkout -q --detach; echo 2 > a; git commit -qam 2", "git checkout -q main"},
		{"branch -M with work on both", "echo a > a; git add a; git commit -qm 1; for b in x y; do git checkout -qb $b main; echo $b > b; git add b; git commit -qm 2; done", "git branch -M x"},
		{"several branches", "echo a > a; git add a; git commit -qm 1; for b in x y; do git checkout -qb $b main; echo $b > b; git add b; git commit -qm 2; done; git checkout -q main", "git branch -D x y"},
		{"several branches on top of each other", "echo a > a; git add a; git commit -qm 1; for b in x y; do git checkout -qb $b; echo $b > b; git add b; git commit -qm 2; done; git checkout -q main", "git branch -D x y"},
		{"submodule deinit", "git init -q ../lib; (cd ../lib; echo l > l; git add l; git -c user.name=a -c user.email=a@b.c commit -qm l); git -c protocol.file.allow=always submodule --quiet add ../lib lib; git commit -qm sub; echo more >> lib/l; echo n > lib/n", "git submodule --quiet deinit -f lib"},
		{"worktree remove", dirty + "\ngit worktree add -q ../proj/wt HEAD~1; echo w > wt/w.txt; echo x >> wt/src/a.go", "git worktree remove --force wt"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := newBench(t)
			b.sh(tc.setup)
			before := b.state()
			p := b.predict(b.bash(tc.line))
			snap, err := b.take(p)
			if err != nil {
				t.Fatal(err)
			}
			b.compare(before, b.state()) // taking it changes nothing
			b.sh(tc.line)
			if slices.Equal(sortedValues(before), sortedValues(b.state())) {
				t.Fatalf("%s changed nothing", tc.line)
			}
			b.undo(snap)
			b.compare(before, b.state())
			b.undoNothing(snap)
		})
	}
}

func sortedValues(m map[string]string) []string {
	var out []string
	for k, v := range m {
		out = append(out, k+v)
	}
	slices.Sort(out)
	return out
}

func (b *bench) plan(snap Snapshot) *Plan {
	b.Helper()
	snap, err := b.store.Open("p", snap.ID)
	if err != nil {
		b.Fatal(err)
	}
	p, err := b.store.Plan(context.Background(), snap)
	if err != nil {
		b.Fatal(err)
	}
	return p
}

func (b *bench) undo(snap Snapshot) {
	b.Helper()
	p := b.plan(snap)
	if newer := p.Newer(); len(newer) > 0 {
		b.Fatalf("takes for newer work: %+v", newer)
	}
	if _, err := p.Apply(false); err != nil {
		b.Fatal(err)
	}
}

// undoNothing: what has been given back needs nothing more.
func (b *bench) undoNothing(snap Snapshot) {
	b.Helper()
	if p := b.plan(snap); len(p.Shown()) > 0 {
		b.Errorf("a second time it would %+v", p.Shown())
	}
}
