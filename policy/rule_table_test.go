package policy

import (
	"strings"
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
)

func TestRuleExamples(t *testing.T) {
	t.Parallel()
	busy, calm := build(t, busyScript), build(t, calmScript)
	for _, r := range rules {
		ex, ok := examples[r.id]
		if !ok || len(ex.hit) == 0 || len(ex.silent) == 0 || len(ex.around) == 0 || len(ex.advice) == 0 {
			t.Errorf("rule %s lacks examples", r.id)
			continue
		}
		can := agent.Abilities{TypingUnseen: r.unseen}
		for _, line := range append(append([]string(nil), ex.hit...), ex.around...) {
			if got := busy.judgeFor(shellCall(line), can); !contains(ids(got), r.id) {
				t.Errorf("%q: want %s, got %v", line, r.id, ids(got))
			}
		}
		for _, line := range append(append([]string(nil), ex.silent...), ex.advice...) {
			if got := busy.judgeFor(shellCall(line), can); len(got) > 0 {
				t.Errorf("%s: %q must be silent, got %v: %s", r.id, line, ids(got), got[0].Why)
			}
		}
		for _, line := range ex.calm {
			if got := calm.judge(shellCall(line)); len(got) > 0 {
				t.Errorf("%s: %q must be silent in a clean tree, got %v: %s", r.id, line, ids(got), got[0].Why)
			}
		}
	}
	if len(examples) != len(rules) {
		t.Errorf("%d rules have examples, there are %d rules", len(examples), len(rules))
	}
}

// Every rule is whole: a person is told what was seen and what to do, hard rules deny, all others ask at most. One that
// holds only for agents whose typing fires no hook denies too: nothing that follows would be judged.
func TestRulesAreWhole(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range rules {
		switch {
		case seen[r.id]:
			t.Errorf("%s stands twice", r.id)
		case r.why == "" || r.instead == "" || strings.ContainsAny(r.why+r.instead, "\n"):
			t.Errorf("%s: why and instead must be one line each", r.id)
		case (r.class == Hard || r.unseen) != (r.action == agent.Deny):
			t.Errorf("%s: class %s with action %s", r.id, r.class, r.action)
		case len(r.kinds)+len(r.tags) == 0:
			t.Errorf("%s matches everything", r.id)
		}
		seen[r.id] = true
	}
}

func TestOrdinaryWorkIsSilent(t *testing.T) {
	t.Parallel()
	p := build(t, busyScript)
	for _, line := range []string{
		"git add -A && git commit -m 'Add parser'", "git pull --rebase", "git merge topic", "git rebase main", "git checkout topic", "git switch main", "git fetch --prune", "git stash", "git stash pop",
		"git log --oneline | head", "git diff HEAD~1", "git worktree add ../wt-fix topic", "git cherry-pick topic", "git revert HEAD", "git tag v1", "git push origin v1", "git branch -m topic topic2",
		"npm install", "npm ci && npm run build", "npm test", "pnpm add react", "yarn dev", "pip install -e .", "cargo build", "cargo clean", "go mod tidy", "go test ./...", "make clean", "npx tsc --noEmit",
		"docker compose up -d --build", "docker build -t x .", "docker run --rm -p 80:80 x", "docker ps -a", "docker logs -f x", "docker rm old", "kubectl apply -f k8s/", "kubectl logs -f pod/x", "helm template .", "terraform init",
		"mkdir -p src/new && touch src/new/a.go", "cp src/app.go src/app2.go", "mv README.md docs/README.md", "sed -i 's/a/b/' src/app.go", "cat > src/b.go <<'EOF'\npackage main\nEOF", "echo x >> run.log", "rm -rf dist && npm run build",
		"python3 -m venv .venv && . .venv/bin/activate", "python3 -c 'print(1)'", "node -e 'console.log(1)'", "python3 manage.py migrate", "bash -c 'ls -la'", "find . -name '*.go' | xargs grep -n main", "ls | xargs -n1 echo",
		"sudo apt update", "sudo apt-get install -y jq", "brew install jq", "curl -s https://api.github.com/repos/o/r", "wget -q https://example.com/a.zip -O /tmp/a.zip", "ssh host uptime", "rsync -av src/ host:/srv/src/",
		"kill %1", "lsof -i :3000", "sleep 60; gh run view 991 --json status", "gh pr create --title x --body-file README.md", "psql -c '\\dt'", "sqlite3 a.db 'select 1'", "for f in src/*.go; do gofmt -l \"$f\"; done", "(cd src && ls)", "export FOO=1",
		"git -C ../other status", "tar xzf a.tgz -C /tmp", "unzip -o a.zip -d build", "chmod +x run.sh && ./run.sh", "echo \"$PATH\"", "env GOFLAGS=-p=1 go test ./...", "timeout 60 npm test", "watch -n1 ls", "jq .name package.json", "az --query delete vm show", "kubectl delete namespace preview-12", "duckdb -readonly a.db 'drop table x'", "find /nowhere -name '*.txt' -exec rm {} +", "git clean -n", "crontab -l",
	} {
		if got := p.judge(shellCall(line)); len(got) > 0 {
			t.Errorf("%q must be silent, got %v: %s", line, ids(got), got[0].Why)
		}
	}
}

// Words from outside stay on one line, short and free of control and direction characters.
func TestReasonsAreSafeToShow(t *testing.T) {
	t.Parallel()
	p := build(t, busyScript)
	evil := "out\x1b[31m\u202e" + strings.Repeat("x", 300)
	write(t, p.root+"/"+evil[:200]+"/a", "only")
	got := p.judge(shellCall("rm -rf '" + evil[:200] + "'"))
	if len(got) == 0 {
		t.Fatal("no finding")
	}
	for _, f := range got {
		if strings.ContainsAny(f.Why, "\x1b\u202e\n") || len(f.Why) > 600 {
			t.Errorf("reason is not safe: %q", f.Why)
		}
	}
}

func TestLossIsTold(t *testing.T) {
	t.Parallel()
	p := build(t, busyScript)
	for _, c := range []struct{ line, want string }{
		{"rm -rf out", "2 files (4 B); 2 exist nowhere else: out/a.csv, out/b.csv"},
		{"git reset --hard", "2 files with uncommitted changes"},
		{"git branch -D topic", "1 commit no other branch or remote holds"},
		{"git push --force origin main", "1 commit no other branch or remote holds"},
		{"echo x > notes.md", "replaces notes.md; its present content exists nowhere else"},
	} {
		got := p.judge(shellCall(c.line))
		if len(got) == 0 || !strings.Contains(got[0].Why, c.want) {
			t.Errorf("%q: got %v, want %q in it", c.line, got, c.want)
		}
	}
}

func TestTypingIsSilentWhereItIsSeen(t *testing.T) {
	t.Parallel()
	p := build(t, calmScript)
	for _, line := range examples["code.typed-unseen"].hit {
		if got := p.judge(shellCall(line)); contains(ids(got), "code.typed-unseen") {
			t.Errorf("%q must not be refused, got %v", line, ids(got))
		}
	}
}

// A reason names paths of the project as the person does, leaves no gap where nothing is known, and weighs more where
// people depend on what is hit.
func TestReasonsReadWell(t *testing.T) {
	t.Parallel()
	p := build(t, busyScript)
	for _, c := range []struct {
		line, want string
		severity   Severity
	}{
		{"rm -rf out", "deletes out: 2 files", High},
		{"rm -rf ../other", "deletes " + p.root[:strings.LastIndex(p.root, "/")] + "/other", High},
		{"terraform destroy", "destroys running infrastructure: terraform destroy", High},
		{"terraform destroy -var-file=prod.tfvars", "terraform destroy", Critical},
		{"RAILS_ENV=production rails db:drop", "db:drop", Critical},
		{"foo db destroy --yes prod", "foo destroy prod: destroys", Critical},
		{"git push --force", "a forced push to origin replaces what is there: 1 commit", High},
	} {
		got := p.judge(shellCall(c.line))
		if len(got) == 0 || !strings.Contains(got[0].Why, c.want) || got[0].Severity != c.severity {
			t.Errorf("%q: got %+v, want %q, %s", c.line, got, c.want, c.severity)
			continue
		}
		if strings.Contains(got[0].Why, "  ") || strings.HasSuffix(got[0].Why, " ") {
			t.Errorf("%q: a gap in %q", c.line, got[0].Why)
		}
	}
}

// No reason stammers: what a program's manner or target says already is not said again.
func TestReasonsSayAWordOnce(t *testing.T) {
	t.Parallel()
	p := build(t, busyScript)
	var lines []string
	for _, ex := range examples {
		lines = append(append(lines, ex.hit...), ex.around...)
	}
	lines = append(lines, "rsync --delete a/ host:/b/", "docker-compose down -v", "modprobe vfat", `mysql shop -e "TRUNCATE orders"`,
		"vault secrets disable secret/", "tmutil disable")
	for _, line := range lines {
		got := p.judge(shellCall(line))
		for _, f := range got {
			words := strings.Fields(f.Why)
			for i := range len(words) - 1 {
				if words[i] == words[i+1] {
					t.Errorf("%q: %s says %q twice: %s", line, f.Rule, words[i], f.Why)
				}
			}
		}
	}
}

func TestMany(t *testing.T) {
	for want, got := range map[string]string{
		"1 call": Many(1, "call"), "0 calls": Many(0, "call"), "2 policies": Many(2, "policy"), "3 days": Many(3, "day"), "2 keys": Many(2, "key"),
		"4 stashes": Many(4, "stash"), "2 branches": Many(2, "branch"), "1 policy": Many(1, "policy"),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
