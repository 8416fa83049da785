package effect

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
)

// lab is a folder with a repository, a home and a remote, in which commands really run.
type lab struct {
	t               *testing.T
	dir, root, home string
}

func newLab(t *testing.T, setup string) lab {
	t.Helper()
	if gitPath() == "" {
		t.Skip("git is not in a system folder")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	l := lab{t: t, dir: dir, root: filepath.Join(dir, "w", "repo"), home: filepath.Join(dir, "home", "dev")}
	for _, d := range [...]string{l.root, l.home} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := l.run("git init -q -b main . && " + setup); err != nil {
		t.Fatalf("setup: %v\n%s", err, out)
	}
	return l
}

func (l lab) run(line string) (string, error) {
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = l.root
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + l.home, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Dev", "GIT_AUTHOR_EMAIL=dev@example.com",
		"GIT_COMMITTER_NAME=Dev", "GIT_COMMITTER_EMAIL=dev@example.com",
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (l lab) world() *World {
	return &World{Root: l.root, CWD: l.root, Home: l.home, Temps: []string{filepath.Join(l.dir, "tmp")}, Patience: time.Minute}
}

func (l lab) predict(line string) Prediction {
	return l.world().Predict(agent.Call{Tool: "Bash", Capability: agent.Shell, Command: line, CWD: l.root})
}

// contents are the texts of all files outside .git, and what the objects that refs and the index reach hold.
func (l lab) contents() (files, kept map[string]bool) {
	files, kept = map[string]bool{}, map[string]bool{}
	for _, top := range [...]string{l.root, l.home} {
		err := filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && d.Name() == ".git" {
				return fs.SkipDir
			}
			if d.Type().IsRegular() {
				b, err := os.ReadFile(p)
				if err != nil {
					return err
				}
				files[string(b)] = true
			}
			return nil
		})
		if err != nil {
			l.t.Fatal(err)
		}
	}
	out, err := l.run(`{ git rev-list --objects --all; git rev-list --objects HEAD; git ls-files -s | cut -d' ' -f2; } 2>/dev/null | cut -d' ' -f1 | sort -u | git cat-file --batch`)
	if err != nil {
		l.t.Fatal(err)
	}
	for out != "" { // each object: "name kind size\n" and its text
		head, rest, _ := strings.Cut(out, "\n")
		f := strings.Fields(head)
		n := 0
		if len(f) == 3 {
			n, _ = strconv.Atoi(f[2]) // git's own number
		}
		if len(f) == 3 && f[1] != "tree" {
			kept[rest[:n]] = true
		}
		out = rest[min(n+1, len(rest)):]
	}
	return files, kept
}

// lost runs the line and tells whether a text that was in a file or in a reachable object is in none afterwards.
func (l lab) lost(line string) bool {
	filesBefore, keptBefore := l.contents()
	out, err := l.run(line)
	if err != nil {
		l.t.Logf("%s: %v: %s", line, err, out) // a command that fails loses what it loses
	}
	filesAfter, keptAfter := l.contents()
	for _, before := range [...]map[string]bool{filesBefore, keptBefore} {
		for text := range before {
			if text != "" && text != "built\n" && !filesAfter[text] && !keptAfter[text] {
				return true
			}
		}
	}
	return false
}

const committed = `mkdir -p src docs && echo a > src/a.go && echo d > docs/d.md && echo '*.log
out/
node_modules/' > .gitignore && git add -A && git commit -qm one`

// Each line is predicted and then really run: what is told to be lost must be what was lost, in both states.
func TestPredictionIsWhatHappens(t *testing.T) {
	t.Parallel()
	remote := committed + ` && git init -q --bare -b main ../r.git && git remote add origin ../r.git && git push -q -u origin main`
	for _, c := range []struct{ name, line, harmful, harmless string }{
		{"reset hard", "git reset --hard", committed + " && echo b >> src/a.go", committed},
		{"reset hard staged", "git reset -q --hard", committed + " && echo b >> src/a.go && git add .", committed},
		{"checkout all", "git checkout -- .", committed + " && echo b >> src/a.go", committed},
		{"checkout head all", "git checkout HEAD -- .", committed + " && echo b >> src/a.go && git add .", committed},
		{"checkout one", "git checkout -- src/a.go", committed + " && echo b >> src/a.go", committed + " && echo b >> docs/d.md"},
		{"checkout force", "git checkout -f main", committed + " && echo b >> src/a.go", committed},
		{"restore", "git restore .", committed + " && echo b >> src/a.go", committed},
		{"restore staged only", "git restore --source=HEAD --staged --worktree .", committed + " && echo b >> src/a.go && git add .", committed},
		{"read-tree", "git read-tree -u --reset HEAD", committed + " && echo b > src/a.go && git add .", committed},
		{"clean", "git clean -fdq", committed + " && mkdir new && echo only > new/x", committed},
		{"clean ignored", "git clean -fdxq", committed + " && mkdir out && echo only > out/p.db", committed + " && mkdir node_modules && echo built > node_modules/x"},
		{"clean without d", "git clean -fq", committed + " && echo only > x", committed + " && mkdir new && echo kept > new/x"},
		{"stash drop", "git stash drop -q", committed + " && echo b >> src/a.go && git stash -q", committed},
		{"stash clear", "git stash clear", committed + " && echo b >> src/a.go && git stash -q", committed},
		{"branch -D", "git branch -qD topic", committed + " && git checkout -qb topic && echo t > t && git add . && git commit -qm t && git checkout -q main", committed + " && git branch topic"},
		{"branch -D pushed", "git branch -qD topic", committed + " && git checkout -qb topic && echo t > t && git add . && git commit -qm t && git checkout -q main", remote + " && git checkout -qb topic && echo t > t && git add . && git commit -qm t && git push -q origin topic && git checkout -q main"},
		{"branch -f", "git branch -f topic main", committed + " && git checkout -qb topic && echo t > t && git add . && git commit -qm t && git checkout -q main", committed + " && git branch topic"},
		{"tag -d", "git tag -d keep", committed + " && echo t > t && git add . && git commit -qm t && git tag keep && git reset -q --hard HEAD~1", committed + " && git tag keep"},
		{"update-ref -d", "git update-ref -d refs/heads/topic", committed + " && git checkout -qb topic && echo t > t && git add . && git commit -qm t && git checkout -q main", committed + " && git branch topic"},
		{"reset to parent", "git reset -q --hard HEAD~1", committed + " && echo t > t && git add . && git commit -qm t", committed + " && echo t > t && git add . && git commit -qm t && git branch keep"},
		{"remove folder", "rm -rf src", committed + " && echo b >> src/a.go", committed},
		{"remove with new file", "rm -rf src", committed + " && echo n > src/n.go", committed},
		{"remove staged", "rm -rf src", committed + " && echo n > src/n.go", committed + " && echo n > src/n.go && git add ."},
		{"remove untracked", "rm -rf fresh", committed + " && mkdir fresh && echo only > fresh/x", committed},
		{"remove build output", "rm -rf out", committed + " && mkdir -p out && echo only > out/a.db", committed + " && mkdir -p out && echo built > out/a"},
		{"remove by pattern", "rm -f *.txt", committed + " && echo only > a.txt", committed + " && echo only > a.md"},
		{"remove by find", "find . -name '*.tmp' -delete", committed + " && echo only > a.tmp", committed + " && echo only > a.md"},
		{"remove through link", "rm -rf link/*", committed + " && mkdir -p $HOME/docs && echo only > $HOME/docs/x && ln -s $HOME/docs link", committed + " && mkdir link"},
		{"remove link itself", "rm -rf ./fresh", committed + " && mkdir fresh && echo only > fresh/x", committed + " && mkdir -p $HOME/docs && echo only > $HOME/docs/x && ln -s $HOME/docs fresh"},
		{"remove odd names", `rm -rf -- -x`, committed + ` && mkdir ./-x && printf only > "./-x/a
b\"c"`, committed},
		{"missing cd", "cd nowhere; rm -rf ./*", committed + " && echo only > n.md", committed + " && mkdir nowhere"},
		{"redirect", "echo new > data.txt", committed + " && echo only > data.txt", committed},
		{"redirect tracked", "echo new > src/a.go", committed + " && echo b >> src/a.go", committed},
		{"append", "echo new > data.txt", committed + " && echo only > data.txt", committed + " && : > data.txt"},
		{"mv over", "mv src/a.go target.go", committed + " && echo only > target.go", committed},
		{"cp over", "cp src/a.go target.go", committed + " && echo only > target.go", committed},
		{"cp into folder", "cp src/a.go docs", committed + " && echo only > docs/a.go", committed},
		{"ln -sf over", "ln -sf src/a.go s.json", committed + " && echo only > s.json", committed + " && ln -s x s.json"},
		{"truncate", "truncate -s 0 data.txt", committed + " && echo only > data.txt", committed},
		{"tee", "echo new | tee data.txt", committed + " && echo only > data.txt", committed},
		{"dd", "dd if=/dev/null of=data.txt", committed + " && echo only > data.txt", committed},
		{"rsync delete", "rsync -a --delete src/ dst/", committed + " && mkdir dst && echo only > dst/x", committed + " && mkdir dst"},
		{"git rm", "git rm -qrf src", committed + " && echo b >> src/a.go", committed},
		{"worktree remove", "git worktree remove --force ../wt", committed + " && git worktree add -q ../wt && echo only > ../wt/x", committed + " && git worktree add -q ../wt"},
		{"worktree without a branch", "git worktree remove --force ../wt", committed + " && git worktree add -q --detach ../wt && (cd ../wt && echo only > x && git add x && git commit -qm x)", committed + " && git worktree add -q --detach ../wt"},
		{"python remove", `python3 -c "import os; os.remove('data.txt')"`, committed + " && echo only > data.txt", committed + " && git mv docs/d.md data.txt && git commit -qm m"},
		{"shell in shell", "bash -c 'rm -r fresh'", committed + " && mkdir fresh && echo only > fresh/x", committed + " && mkdir fresh"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, prog := range [...]string{"rsync", "python3"} {
				if _, err := exec.LookPath(prog); err != nil && strings.HasPrefix(c.line, prog) {
					t.Skip(prog + " is not installed")
				}
			}
			for state, setup := range map[string]string{"harmful": c.harmful, "harmless": c.harmless} {
				l := newLab(t, setup)
				p := l.predict(c.line)
				told := false
				for _, e := range p.Effects {
					told = told || e.Loses()
				}
				if want := state == "harmful"; told != want {
					t.Errorf("%s state of %q: told lost %v, want %v: %+v", state, c.line, told, want, p.Effects)
				}
				if strings.HasPrefix(c.name, "worktree") { // the lost tree lies beside the folders that are compared
					continue
				}
				if lost := l.lost(c.line); lost != (state == "harmful") {
					t.Errorf("%s state of %q: really lost %v", state, c.line, lost)
				}
			}
		})
	}
}

// A forced push is judged by the remote as this clone last saw it.
func TestForcedPush(t *testing.T) {
	t.Parallel()
	pushed := committed + ` && git init -q --bare -b main ../r.git && git remote add origin ../r.git && git push -q -u origin main`
	ahead := pushed + ` && git clone -q ../r.git ../o && (cd ../o && echo o > o && git add . && git commit -qm o && git push -q) && git fetch -q`
	for _, c := range []struct {
		name, setup, line string
		want              bool
	}{
		{"remote has more", ahead, "git push --force origin main", true},
		{"remote has more, plus", ahead, "git push origin +main", true},
		{"nothing dropped", pushed + " && echo n > n && git add . && git commit -qm n", "git push --force origin main", false},
		{"amended", pushed + " && git commit -q --amend -m other", "git push -f", true},
		{"new branch", pushed, "git push -f origin HEAD:fresh", false},
		{"remote never seen", committed + " && git remote add origin ../none.git", "git push -f origin main", true},
		{"delete what is here", pushed, "git push origin --delete main", false},
		{"delete what is only there", ahead + " && git push -q origin origin/main:refs/heads/x && git fetch -q && git update-ref -d refs/remotes/origin/main", "git push origin :x", true},
		{"lease", ahead, "git push --force-with-lease origin main", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newLab(t, c.setup).predict(c.line)
			got := false
			for _, e := range p.Effects {
				got = got || e.Loses()
			}
			if got != c.want {
				t.Errorf("%q: told lost %v, want %v: %+v", c.line, got, c.want, p.Effects)
			}
		})
	}
}

// A repository whose every hook, filter, monitor and helper leaves a mark is asked about, and no mark is left.
func TestNothingOfTheRepositoryRuns(t *testing.T) {
	t.Parallel()
	l := newLab(t, committed)
	mark := filepath.Join(l.dir, "mark")
	script := filepath.Join(l.dir, "evil.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ntouch "+mark+"\ncat\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	setup := `echo '* filter=evil diff=evil' > .gitattributes; echo '* filter=evil diff=evil' > .git/info/attributes
for k in filter.evil.clean filter.evil.smudge filter.evil.process diff.evil.command diff.evil.textconv core.fsmonitor core.pager core.editor core.sshCommand gpg.program diff.external core.gitProxy credential.helper core.askPass sequence.editor uploadpack.packObjectsHook; do git config $k ` + script + `; done
git config filter.evil.required true; mkdir -p .git/hooks; for h in post-index-change reference-transaction post-checkout pre-commit fsmonitor-watchman; do cp ` + script + ` .git/hooks/$h; done
echo b >> src/a.go; touch docs/d.md; echo n > new.md; git config remote.origin.url 'ext::` + script + `'; git config extensions.partialClone origin; rm -f ` + mark
	if out, err := l.run(setup); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	os.Remove(mark)
	for _, line := range []string{"git reset --hard", "git clean -fdx", "git checkout -- .", "rm -rf src docs new.md", "git stash drop", "git branch -D main", "git push -f origin main", "git worktree remove --force .", "git gc --prune=now", "git reflog expire --expire=now --all", "git push --mirror", "git commit --amend", "git rebase main", "git tag -f v1", "git checkout-index -fa", "git add -A && git reset --hard", "cp -r docs/. src/", "git submodule deinit -f ."} {
		l.predict(line)
		if _, err := os.Stat(mark); err == nil {
			t.Fatalf("%q ran a program of the repository", line)
		}
	}
}
