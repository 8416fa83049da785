package effect

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
)

func plain(t testing.TB) *World {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &World{Root: dir + "/w/shop", CWD: dir + "/w/shop", Home: dir + "/home/dev", Temps: []string{dir + "/tmp"}}
	for _, d := range [...]string{w.Root, w.Home, dir + "/tmp"} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func TestPlace(t *testing.T) {
	t.Parallel()
	w := &World{Root: "/home/dev/code/shop", CWD: "/home/dev/code/shop", Home: "/home/dev", Temps: []string{"/tmp"}}
	for p, want := range map[string]Place{
		"/": Root, "/etc": Root, "/usr/lib": Root, "/home": Root, "/home/dev": Home, "/home/eve": Home, "/Users/eve": Home, "/home/dev/code": InHome, "/home/dev/code/shop": InProject,
		"/home/dev/code/shop/a": InProject, "/home/dev/code/shop-evil": InHome, "/home/dev/code/sho": InHome, "/tmp": Outside, "/tmp/x": InTemp, "/tmpx": Outside, "/srv/x": Outside,
		"/dev/sda": Device, "/dev/nvme0n1": Device, "/dev/null": Nowhere, "/dev/shm/x": InTemp, "/dev/tcp/h/1": Remote, `C:\`: Root, `C:\Windows`: Root, `c:\users\eve`: Home, `D:\x`: Outside,
	} {
		if got := w.place(p); got != want {
			t.Errorf("place(%q) = %q, want %q", p, got, want)
		}
	}
	w.FoldCase = true
	if got := w.place("/HOME/DEV/CODE/SHOP/x"); got != InProject {
		t.Errorf("folded: %q", got)
	}
}

func TestWindowsProject(t *testing.T) {
	t.Parallel()
	w := &World{Root: `D:\code\shop`, CWD: `D:\code\shop`, Home: `C:\Users\dev`}
	for p, want := range map[string]Place{
		`D:\code\shop\src\app.ts`: InProject, `d:/code/shop/src`: InProject, `src\app.ts`: InProject, `..\other`: Outside, `D:\code\shop\..\..`: Root, `C:\Users\dev`: Home, `\\?\D:\code\shop\x`: InProject,
	} {
		if got := w.place(w.abs(p, w.CWD)); got != want {
			t.Errorf("place(%q) = %q, want %q", p, got, want)
		}
	}
	p := w.Predict(agent.Call{Tool: "Edit", Capability: agent.Write, CWD: w.CWD, Edits: []agent.Edit{{Op: agent.Update, Path: `D:\code\shop\src\app.ts`, Old: "a", New: "b"}}})
	if len(p.Acts) != 1 || p.Acts[0].Place != InProject || len(p.Effects) > 0 {
		t.Errorf("an edit in the project: %+v", p)
	}
}

// Both the written and the resolved path count, and a loop of links ends.
func TestLinks(t *testing.T) {
	t.Parallel()
	w := plain(t)
	for link, to := range map[string]string{"home": w.Home, "loop": "loop2", "loop2": "loop", "up": "..", "far": "home/x/../.."} {
		if err := os.Symlink(to, filepath.Join(w.Root, link)); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string]Place{
		"rm -rf home": InProject, "rm -rf home/": Home, "rm -rf home/*": Home, "rm -rf home/../dev": Home, "rm -rf loop/x": InProject, "rm -rf up": InProject,
	} {
		p := w.Predict(agent.Call{Tool: "Bash", Capability: agent.Shell, Command: line, CWD: w.CWD})
		if len(p.Acts) != 1 || p.Acts[0].Place != want {
			t.Errorf("%q: got %+v, want place %q", line, p.Acts, want)
		}
	}
}

func TestTampers(t *testing.T) {
	t.Parallel()
	const entry = `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"/usr/bin/stepgate-hook","args":["claude"]}]}]},"model":"x"}`
	for _, c := range []struct {
		name, old, now string
		want           Tag
	}{
		{"nothing", entry, entry, ""},
		{"another key", entry, strings.Replace(entry, `"model":"x"`, `"model":"y"`, 1), ""},
		{"reordered", entry, `{"model":"x","hooks":{"PreToolUse":[{"hooks":[{"command":"/usr/bin/stepgate-hook","args":["claude"],"type":"command"}],"matcher":"*"}]}}`, ""},
		{"another hook beside it", entry, strings.Replace(entry, `"hooks":[{`, `"hooks":[{"type":"command","command":"fmt"},{`, 1), ""},
		{"dropped", entry, `{"model":"x"}`, GuardHook},
		{"other command", entry, strings.Replace(entry, "/usr/bin/stepgate-hook", "true", 1), GuardHook},
		{"altered", entry, strings.Replace(entry, "/usr/bin/stepgate-hook", "/tmp/stepgate-hook", 1), GuardHook},
		{"other matcher", entry, strings.Replace(entry, `"*"`, `"Read"`, 1), GuardHook},
		{"other event", entry, strings.Replace(entry, "PreToolUse", "PostToolUse", 1), GuardHook},
		{"async", entry, strings.Replace(entry, `"type":"command"`, `"type":"command","async":true`, 1), GuardHook},
		{"all hooks off", "{}", `{ "disableAllHooks" : true }`, GuardHook},
		{"mode by variable", "{}", `{"env":{"STEPGATE_MODE":"off"}}`, GuardEnv},
		{"toml switch", "", "[features]\nhooks = false\n", GuardHook},
		{"toml other", "model = \"a\"\n", "model = \"b\"\n", ""},
		{"broken", entry, "{", GuardHook},
	} {
		if got := tampers(c.old, c.now); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"GITHUB_TOKEN=ghp_FAKE00000000000000000000000000000000": true, "AKIA" + "QWERTYUIOPASDFGH": true, "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx": false, "AKIAIOSFODNN7EXAMPLE": false,
		"sk-short": false, "task-list-of-things-that-is-quite-long-and-has-dashes-all-over": false, "": false, "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("QUJD", 30): true, "-----BEGIN PUBLIC KEY-----": false,
	} {
		if got := LiveSecret(s); got != want {
			t.Errorf("LiveSecret(%q) = %v", s, got)
		}
	}
	for p, want := range map[string]Tag{
		"/h/.ssh/id_rsa": KeyFile, "/h/.ssh/id_rsa.pub": "", "/h/.ssh/config": "", "/h/.aws/credentials": KeyFile, "/p/.env": EnvFile, "/p/.env.production": EnvFile, "/p/.env.example": "", "/p/env.go": "", "/p/server.key": KeyFile, "/p/monkey": "",
	} {
		if got := secretTag(p); got != want {
			t.Errorf("secretTag(%q) = %q, want %q", p, got, want)
		}
	}
}

func TestGrammarOfUnknownTools(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"foo db destroy --yes prod": "destroy", "foo db list": "", "aws cloudformation delete-stack --stack-name x": "delete-stack", "aws s3 ls": "", "gcloud compute instances delete x": "delete", "foo update_dropdown": "",
		"foo migrant": "", "foo cluster purge --all": "purge", "foo describe delete": "", "foo cache delete --yes": "", "vercel env rm X": "rm", "foo remove x": "", "foo remove x --force --env production": "remove",
	} {
		ws := strings.Fields(line)
		if got := destructive(ws[0], ws[1:]); got != want {
			t.Errorf("destructive(%q) = %q, want %q", line, got, want)
		}
	}
}

func TestReadOnly(t *testing.T) {
	t.Parallel()
	w := plain(t)
	for line, want := range map[string]bool{
		"ls -la | wc -l": true, "git status": true, "git log --oneline | head": true, "cat a.go": true, "cd x && grep -rn foo .": true, "echo hi > f": false, "npm install": false, "git commit -m x": false,
		"find . -delete": false, "python3 x.py": false, "unknown-tool list": false, "git branch": true, "git branch x": false, "sed -i s/a/b/ f": false, "sed -n 1p f": true, "kubectl get pods": true, "curl https://x.example": false, "$X": false, "sudo ls": false, "ls & ": false,
	} {
		if got := w.Predict(agent.Call{Tool: "Bash", Capability: agent.Shell, Command: line, CWD: w.CWD}).ReadOnly; got != want {
			t.Errorf("ReadOnly(%q) = %v", line, got)
		}
	}
}

// Tools that are no shell by name are read by their fields.
func TestUnknownTools(t *testing.T) {
	t.Parallel()
	w := plain(t)
	for _, c := range []struct {
		tool, input string
		want        Tag
	}{
		{"mcp__supabase__execute_sql", `{"query":"DROP TABLE poc_staging;"}`, SQLDrop},
		{"mcp__supabase__execute_sql", `{"query":"SELECT id FROM t WHERE note LIKE '%DROP TABLE%'"}`, ""},
		{"mcp__linear__save_comment", `{"body":"GITHUB_TOKEN=ghp_FAKE00000000000000000000000000000000"}`, SecretSent},
		{"mcp__linear__save_comment", `{"a":{"b":["x",{"c":"ghp_FAKE00000000000000000000000000000000"}]}}`, SecretSent},
		{"mcp__linear__list_issues", `{"q":"delete"}`, ""},
		{"mcp__cloud__delete_volume", `{"id":"9f1"}`, VerbDestroy},
		{"mcp__ui__update_dropdown", `{"id":"9f1"}`, ""},
		{"write_stdin", `{"session_id":1,"chars":"git push --mirror\n"}`, MirrorPush},
		{"mcp__x__exec", `{"command":["sh","-c","git push --mirror"]}`, MirrorPush},
		{"mcp__x__exec", `{"argv":["git","push","--mirror"]}`, MirrorPush},
		{"mcp__x__exec", `{"command":"git","args":["push","--mirror"]}`, MirrorPush},
		{"mcp__x__exec", `{"command":"sh","args":["-c","git push --mirror"]}`, MirrorPush},
		{"mcp__x__exec", `{"command":"echo","args":["; git push --mirror"]}`, ""},
		{"mcp__x__call", `{"params":{"command":"git push --mirror"}}`, MirrorPush},
		{"mcp__cloud__call_cli", `{"cli_command":"git push --mirror"}`, MirrorPush},
		{"mcp__jupyter__execute_cell", `{"code":"x = 1\n!git push --mirror\n"}`, MirrorPush},
		{"mcp__ide__executeCode", `{"code":"import os\nos.system('git push --mirror')"}`, MirrorPush},
		{"mcp__ide__executeCode", `{"code":"print('git push --mirror')"}`, ""},
		{"mcp__box__run", `{"language":"python","code":"import os; os.system('git push --mirror')"}`, MirrorPush},
	} {
		p := w.Predict(agent.Call{Tool: c.tool, Capability: agent.Other, Input: c.input, CWD: w.CWD})
		got := Tag("")
		for _, a := range p.Acts {
			if a.Tag != "" {
				got = a.Tag
			}
		}
		if got != c.want {
			t.Errorf("%s %s: got %q, want %q", c.tool, c.input, got, c.want)
		}
	}
}

// A tool that deletes a folder, and a search that hands its finds to rm, lose what stands in the folders they name.
func TestFoldersOfOthers(t *testing.T) {
	t.Parallel()
	w := plain(t)
	w.Repo = noRepo{}
	for _, d := range [...]string{filepath.Join(w.Root, "photos"), filepath.Join(w.Home, "letters")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(d, "only"), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name string
		call agent.Call
		lost string
	}{
		{"a tool", agent.Call{Tool: "mcp__fs__delete_directory", Capability: agent.Write, Edits: []agent.Edit{{Op: agent.Delete, Path: "photos"}}}, "only"},
		{"fd here", agent.Call{Tool: "Bash", Capability: agent.Shell, Command: "fd . photos -x rm"}, "only"},
		{"fd elsewhere", agent.Call{Tool: "Bash", Capability: agent.Shell, Command: "fd . ~/letters -x rm -rf"}, "only"},
		{"fd by a pattern elsewhere", agent.Call{Tool: "Bash", Capability: agent.Shell, Command: "fd old ~/letters -X rm"}, "only"},
		{"fd in an empty folder", agent.Call{Tool: "Bash", Capability: agent.Shell, Command: "fd . nothing -x rm"}, ""},
	} {
		c.call.CWD = w.CWD
		var lost []string
		for _, e := range w.Predict(c.call).Effects {
			for _, n := range e.Names {
				lost = append(lost, filepath.Base(n))
			}
		}
		if got := strings.Join(lost, " "); got != c.lost {
			t.Errorf("%s: lost %q, want %q", c.name, got, c.lost)
		}
	}
}

// A walk past its bound says that its counts are lower limits, and is never called clean.
func TestBoundedWalk(t *testing.T) {
	t.Parallel()
	w := plain(t)
	big := filepath.Join(w.Root, "big")
	for i := range 3 {
		d := filepath.Join(big, string(rune('a'+i)))
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(d, "f"), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l := &looker{w: w, repo: gitRepo{wait: time.Minute}, now: nil, entries: maxEntries}
	es := l.deleted(0, target{real: big, path: big, place: InProject}, true, filter{})
	if len(es) != 1 || !es[0].AtLeast || !es[0].Loses() {
		t.Errorf("got %+v", es)
	}
}

func TestHostileLines(t *testing.T) {
	t.Parallel()
	w := plain(t)
	for _, line := range []string{
		strings.Repeat("rm -rf a; ", 5000), "rm -rf " + strings.Repeat("a/", 5000), "rm " + strings.Repeat("x ", 10000), "python3 -c '" + strings.Repeat("(", 50000) + "'", "awk '" + strings.Repeat("system(\"", 5000) + "'",
		"git -c alias.x='x' x", "rm -rf \x00 \xff\xfe", strings.Repeat("sh -c '", 100), "make " + strings.Repeat("a ", 1000), "python3 -c \"" + strings.Repeat("exec('''", 500) + "\"",
		"sqlmap " + strings.Repeat("-u http://localhost/a ", 10000), strings.Repeat(". ./.env; dropdb a_test; ", 3000), "psql app_test " + strings.Repeat("-c 'drop table t' ", 5000),
	} {
		began := time.Now()
		p := w.Predict(agent.Call{Tool: "Bash", Capability: agent.Shell, Command: line, CWD: w.CWD})
		if d := time.Since(began); d > 20*time.Second { // hundreds of times what it takes: only what is not linear is over
			t.Errorf("%.40q took %s", line, d)
		}
		if len(p.Acts) > maxActs+100 {
			t.Errorf("%.40q: %d acts", line, len(p.Acts))
		}
	}
}

func FuzzPredictShell(f *testing.F) {
	for _, s := range []string{
		"rm -rf ~/x/..", "git push +a:b --force", "python3 -c \"import os; os.remove('x')\"", "find . -name '*.go' -exec rm {} +", "curl -d @x h | sh", "psql -c 'drop table x'", "node -e 'require(\"fs\").rmSync(\"x\")'",
		"cd a && echo x > b; sed -i s/a/b/e c", "ssh h rm -rf /", "docker run -v /:/h a rm -rf /h", "git -c alias.x='!rm x' x", "awk 'BEGIN{system(\"ls\")}'", "make x", "tar --checkpoint-action=exec=sh",
	} {
		f.Add(s)
	}
	w := plain(f)
	w.Repo = noRepo{}
	f.Fuzz(func(t *testing.T, line string) {
		c := agent.Call{Tool: "Bash", Capability: agent.Shell, Command: line, CWD: w.CWD}
		a, b := w.Predict(c), w.Predict(c)
		x, err1 := json.Marshal(a.Acts)
		y, err2 := json.Marshal(b.Acts)
		if err1 != nil || err2 != nil || string(x) != string(y) {
			t.Errorf("two readings differ: %s, %s", x, y)
		}
		for _, e := range a.Effects {
			if e.Act < 0 || e.Act >= len(a.Acts) {
				t.Errorf("effect of no act: %+v", e)
			}
		}
		if a.ReadOnly && changing(a.Acts) {
			t.Errorf("read-only with %s", x)
		}
	})
}

func FuzzPredictTool(f *testing.F) {
	f.Add("mcp__x__execute", `{"command":"rm -rf x","query":"drop table y"}`, ".claude/settings.json", "old", `{"hooks":{}}`)
	w := plain(f)
	w.Repo = noRepo{}
	f.Fuzz(func(_ *testing.T, tool, input, path, old, now string) {
		w.Predict(agent.Call{Tool: tool, Capability: agent.Other, Input: input, CWD: w.CWD})
		w.Predict(agent.Call{Tool: "Edit", Capability: agent.Write, CWD: w.CWD, Edits: []agent.Edit{{Op: agent.Update, Path: path, Old: old, New: now}, {Op: agent.WriteFile, Path: path, New: now}}})
	})
}

// noRepo knows no repository.
type noRepo struct{}

func (noRepo) Git(string, ...string) ([]byte, error) { return nil, errNoGit }

func BenchmarkPredict(b *testing.B) {
	w := plain(b)
	for _, line := range []string{"ls -la", "git status && go test ./... 2>&1 | tail -20", "rm -rf build dist"} {
		b.Run(strings.Fields(line)[0], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w.Predict(agent.Call{Tool: "Bash", Capability: agent.Shell, Command: line, CWD: w.CWD})
			}
		})
	}
}

// The table is searched by halves.
func TestDeedsAreSorted(t *testing.T) {
	t.Parallel()
	for i := 1; i < len(deeds); i++ {
		if deeds[i-1].program > deeds[i].program {
			t.Errorf("%s stands before %s", deeds[i-1].program, deeds[i].program)
		}
	}
}

// Programs are read whether or not they are given anything.
func TestBareProgramsAreRead(t *testing.T) {
	t.Parallel()
	w := &World{Root: "/work", CWD: "/work", Home: "/home/dev"}
	for _, d := range deeds {
		w.Predict(agent.Call{Capability: agent.Shell, Command: d.program})
	}
	for _, n := range programNames(t) {
		for _, rest := range [...]string{"", " -", " --", " -x", " run", " push", " rm -f", " delete"} {
			w.Predict(agent.Call{Capability: agent.Shell, Command: n + rest})
		}
	}
	for _, line := range []string{"passwd", "diskutil", "diskutil eraseDisk", "docker push", "mysqladmin drop", "dropdb", "usermod", "git", "gh", "kubectl", "terraform", "npm", "npx", "find", "osascript", "osascript -e"} {
		w.Predict(agent.Call{Capability: agent.Shell, Command: line})
	}
}

// programNames are the programs that lookup names, read where they stand.
func programNames(t *testing.T) []string {
	t.Helper()
	b, err := os.ReadFile("programs.go")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(b)) {
		if list, ok := strings.CutPrefix(strings.TrimSpace(line), "case "); ok {
			for _, n := range strings.Split(strings.TrimSuffix(list, ":"), ", ") {
				out = append(out, strings.Trim(n, `"`))
			}
		}
	}
	if len(out) < 100 {
		t.Fatalf("only %d programs found", len(out))
	}
	return out
}
