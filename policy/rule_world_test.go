package policy

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy/effect"
)

// busy is a project with work that nobody else has: changed, staged, untracked and stashed files, a branch that only
// this clone knows, and a remote that has moved on. calm is the same project, clean and pushed.
type project struct {
	t          *testing.T
	home, root string
}

const calmScript = `
git init -q -b main . && mkdir -p src docs
echo 'package main' > src/app.go; echo '# demo' > README.md; echo guide > docs/guide.md
printf '{"scripts":{"build":"tsc","clean":"rm -rf dist","wipe":"rm -rf ~"}}\n' > package.json
printf 'verify:\n\trm -rf $(HOME)\nclean:\n\trm -rf build\n' > Makefile
printf 'node_modules/\ndist/\nbuild/\n*.log\n.env\ndata/\n' > .gitignore
git add -A && git commit -qm first && git branch topic
git init -q --bare -b main ../remote.git && git remote add origin ../remote.git && git remote add hub https://git.example.com/a.git && git push -q -u origin main
mkdir -p node_modules/x dist build && echo x > node_modules/x/a.js && echo x > dist/a.js && echo x > build/o.o && echo x > run.log
`

const busyScript = calmScript + `
git clone -q ../remote.git ../other && cd ../other && echo o > other.txt && git add . && git commit -qm other && git push -q origin main && cd "$OLDPWD" && git fetch -q
echo dropped > dropped.txt && git add . && git commit -qm dropped && git reset -q --hard HEAD~1
echo staged > once.txt && git add once.txt && git rm -q --cached once.txt && rm once.txt
echo local > local.txt && git add . && git commit -qm local
git checkout -q topic && echo t > topic.txt && git add . && git commit -qm topic && git checkout -q main
echo stashed >> README.md && git stash -q
echo changed >> src/app.go; echo staged >> docs/guide.md; git add docs/guide.md
mkdir -p out data && echo 1 > out/a.csv && echo 2 > out/b.csv && echo only > notes.md && echo DB=x > .env && echo rows > a.db && echo row > data/rows.csv
mkdir -p .git/hooks && touch .git/hooks/pre-commit
`

func build(t *testing.T, script string) project {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := project{t: t, home: filepath.Join(dir, "home", "dev"), root: filepath.Join(dir, "w", "shop")}
	for _, f := range [...]string{".ssh/id_ed25519", ".ssh/authorized_keys", ".bashrc", ".aws/credentials", "Documents/letter.txt", ".claude/settings.json"} {
		write(t, filepath.Join(p.home, f), "{}\n")
	}
	if err := os.MkdirAll(p.root, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-ec", script)
	cmd.Dir = p.root
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + p.home, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Dev", "GIT_AUTHOR_EMAIL=dev@example.com",
		"GIT_COMMITTER_NAME=Dev", "GIT_COMMITTER_EMAIL=dev@example.com",
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building the project: %v\n%s", err, out)
	}
	return p
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (p project) world() *effect.World {
	return &effect.World{
		Root: p.root, CWD: p.root, Home: p.home, Temps: []string{filepath.Join(filepath.Dir(filepath.Dir(p.home)), "tmp")}, Patience: time.Minute,
		Guard: effect.GuardPaths{
			Homes:    []string{filepath.Join(p.home, ".config/stepgate"), filepath.Join(p.home, ".local/state/stepgate")},
			Programs: []string{filepath.Join(p.home, "go/bin/stepgate-hook")},
		},
	}
}

func (p project) judge(c agent.Call) []Finding { return p.judgeFor(c, agent.Abilities{}) }

// judgeFor judges a call of an agent that is able to do so much.
func (p project) judgeFor(c agent.Call, can agent.Abilities) []Finding {
	w := p.world()
	if c.CWD == "" {
		c.CWD = p.root
	}
	return Rules(c, w.Predict(c), w, can)
}

func shellCall(line string) agent.Call {
	in, err := json.Marshal(map[string]string{"command": line})
	if err != nil {
		panic(err)
	}
	return agent.Call{Tool: "Bash", Capability: agent.Shell, Command: line, Input: string(in)}
}

func ids(fs []Finding) []string {
	var out []string
	for _, f := range fs {
		out = append(out, f.Rule)
	}
	return out
}
