package install

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata")

// The exact text of a first install, compared with testdata: Codex asks for trust again when a byte of it changes.
func TestGolden(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths of unix")
	}
	tests := []struct {
		name, agent string
		scope       Scope
		closed      bool
	}{
		{"claude-user", "claude", User, false},
		{"claude-user-fail-closed", "claude", User, true},
		{"claude-project", "claude", Project, false},
		{"claude-local", "claude", Local, false},
		{"codex-user", "codex", User, false},
		{"codex-user-fail-closed", "codex", User, true},
		{"codex-project", "codex", Project, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t)
			p.opt.FailClosed = tt.closed
			c := p.install(tt.agent, tt.scope)
			p.want(c.Path, string(c.After))
			got := strings.ReplaceAll(string(c.After), p.opt.Program, "/opt/stepgate/bin/stepgate-hook")
			golden := filepath.Join("testdata", tt.name+".json")
			if *update {
				p.must(os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			if err != nil || got != string(want) {
				t.Errorf("%v; got\n%s", err, got)
			}
			if again := p.plan(tt.agent, tt.scope); !again.Empty() || again.Diff() != "" {
				t.Errorf("a second install changes\n%s", again.Diff())
			}
			p.remove(tt.agent, tt.scope)
			if _, err := os.Stat(c.Path); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("a file that was not there before stays: %v", err)
			}
		})
	}
}

// files people have, to which an install must do nothing but add.
var files = []struct{ name, text string }{
	{"empty", ""},
	{"blank", "\n"},
	{"empty object", "{}"},
	{"empty object with lines", "{\n}\n"},
	{"two spaces", "{\n  \"model\": \"opus\",\n  \"env\": {\"A\": \"1\"}\n}\n"},
	{"four spaces", "{\n    \"model\": \"opus\"\n}"},
	{"tabs", "{\n\t\"a\": [\n\t\t1,\n\t\t2\n\t]\n}\n"},
	{"one line", `{"model":"opus","z":1}`},
	{"lines of Windows", "{\r\n  \"model\": \"opus\"\r\n}\r\n"},
	{"brackets in text", "{\n  \"a}\": \"]\\\"{\",\n  \"b\": \"\\\\\"\n}\n"},
	{"order and odd layout", "{ \"z\" : 1 ,\n\n \"a\":[ ],   \"m\": null }"},
	{"hooks of others", "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [\n          {\"type\": \"command\", \"command\": \"lint\"}\n        ]\n      }\n    ],\n    \"Notification\": []\n  }\n}\n"},
	{"hooks of others on one line", `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"lint"}]}]}}`},
	{"no hooks in hooks", "{\n  \"hooks\": {},\n  \"x\": 1\n}\n"},
	{"empty event", "{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n"},
	{"program of a like name", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"my-stepgate-hook claude"},{"type":"command","command":"echo stepgate-hook claude"}]}]}}`},
}

func TestRoundTrip(t *testing.T) {
	for _, f := range files {
		for _, agent := range Agents() {
			t.Run(f.name+"/"+agent, func(t *testing.T) {
				p := newPlace(t)
				path := p.plan(agent, User).Path
				p.write(path, f.text)
				before := p.plan(agent, User)
				p.must(before.Apply())
				after, err := os.ReadFile(path)
				p.must(err)
				if !json.Valid(after) {
					t.Fatalf("not JSON:\n%s", after)
				}
				others(t, f.text, string(after), agent)
				if strings.Contains(f.text, "\r\n") && strings.Count(string(after), "\n") != strings.Count(string(after), "\r\n") {
					t.Error("line ends are mixed")
				}
				if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
					t.Errorf("mode %v, %v", info.Mode(), err)
				}
				// By the record: the same bytes.
				p.remove(agent, User)
				p.want(path, f.text)
				// Without it, as after another change: our entries alone go.
				p.write(path, string(after)+"\n")
				p.remove(agent, User)
				rest, err := os.ReadFile(path)
				p.must(err)
				if list, err := own(string(rest), agent); err != nil || len(list) > 0 {
					t.Errorf("%d entries stay, %v", len(list), err)
				}
				others(t, f.text, string(rest), agent)
			})
		}
	}
}

// others fails when what is not ours differs in meaning between two texts, empty containers aside.
func others(t *testing.T, before, after, agent string) {
	t.Helper()
	if strings.TrimSpace(before) == "" {
		before = "{}"
	}
	after, err := take(after, agent)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := canonical(prune(before)), canonical(prune(after)); a != b {
		t.Errorf("before %s\nafter  %s", a, b)
	}
}

func prune(text string) string {
	var v map[string]any
	if json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	if hooks, ok := v["hooks"].(map[string]any); ok {
		for event, groups := range hooks {
			if g, ok := groups.([]any); ok && len(g) == 0 {
				delete(hooks, event)
			}
		}
		if len(hooks) == 0 {
			delete(v, "hooks")
		}
	}
	b, _ := json.Marshal(v)
	return string(b)
}

// Each line of a file is found again, in order, as the beginning of a line; only what closes it may have moved.
func TestLayoutStays(t *testing.T) {
	for _, f := range files {
		if strings.TrimSpace(f.text) == "" {
			continue
		}
		got, err := put(f.text, "claude", claudeGroups("/x/stepgate-hook", false))
		if err != nil {
			t.Fatal(err)
		}
		rest := lines(got)
		for _, l := range lines(strings.TrimSpace(f.text)) {
			open := strings.TrimRight(l, ",]} \t\r\n")
			i := slices.IndexFunc(rest, func(l string) bool { return strings.HasPrefix(l, open) })
			if i < 0 {
				t.Errorf("%s: line %q is gone:\n%s", f.name, l, got)
				break
			}
			if open != "" {
				rest = rest[i+1:]
			}
		}
		for _, l := range lines(got) {
			if strings.TrimSpace(l) == "" && !strings.Contains(f.text, "\n\n") {
				t.Errorf("%s: a blank line is new:\n%s", f.name, got)
			}
		}
	}
}

func TestOwnEntries(t *testing.T) {
	tests := []struct {
		name, agent, entry string
		own                bool
	}{
		{"exec form", "claude", `{"type":"command","command":"/a b/stepgate-hook","args":["claude"]}`, true},
		{"exec form by name", "claude", `{"type":"command","command":"stepgate-hook","args":["claude"]}`, true},
		{"shell form", "claude", `{"type":"command","command":"/x/stepgate-hook claude"}`, true},
		{"shell form in quotes", "claude", `{"type":"command","command":"'/a b/stepgate-hook' claude --x"}`, true},
		{"double quotes", "claude", `{"type":"command","command":"\"/a b/stepgate-hook\" claude"}`, true},
		{"a backslash", "codex", `{"type":"command","command":"/a\\ b/stepgate-hook codex"}`, runtime.GOOS != "windows"},
		{"with a fallback", "codex", `{"type":"command","command":"/x/stepgate-hook codex || { echo x >&2; exit 2; }"}`, true},
		{"of Windows", "claude", `{"type":"command","command":"C:\\bin\\stepgate-hook.exe","args":["claude"]}`, true},
		{"odd types beside", "claude", `{"type":"command","command":"stepgate-hook","args":["claude"],"timeout":"60"}`, true},
		{"another agent", "claude", `{"type":"command","command":"/x/stepgate-hook codex"}`, false},
		{"another program", "claude", `{"type":"command","command":"/x/stepgate-hooks claude"}`, false},
		{"wrapped by somebody", "claude", `{"type":"command","command":"env /x/stepgate-hook claude"}`, false},
		{"another type", "claude", `{"type":"prompt","command":"/x/stepgate-hook claude"}`, false},
		{"no command", "claude", `{"type":"command"}`, false},
		{"not an object", "claude", `3`, false},
		{"open quote", "claude", `{"type":"command","command":"'/x/stepgate-hook claude"}`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			list, err := own(`{"hooks":{"Stop":[{"hooks":[`+tt.entry+`]}]}}`, tt.agent)
			if err != nil || (len(list) == 1) != tt.own {
				t.Errorf("%d entries, %v", len(list), err)
			}
		})
	}
}

// What an older version, or a hand, left behind is put in order.
func TestOrder(t *testing.T) {
	const other = `{"type":"command","command":"lint"}`
	const old = `{"type":"command","command":"/old/stepgate-hook claude"}`
	tests := []struct{ name, text string }{
		{"old path", `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[` + old + `]}]}}`},
		{"narrow matcher", `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[` + old + `]}]}}`},
		{"three times", `{"hooks":{"PreToolUse":[{"hooks":[` + old + `]},{"hooks":[` + old + `,` + old + `]}]}}`},
		{"in a group of others", `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[` + other + `,` + old + `]}]}}`},
		{"first in a group of others", `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[` + old + `,` + other + `]}]}}`},
		{"on an event we do not use", `{"hooks":{"Notification":[{"hooks":[` + old + `]}],"Stop":[{"hooks":[` + other + `]}]}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := claudeGroups("/new/stepgate-hook", false)
			got, err := put(tt.text, "claude", want)
			if err != nil {
				t.Fatal(err)
			}
			list, err := own(got, "claude")
			if err != nil || len(list) != len(want) {
				t.Errorf("%d entries for %d events, %v", len(list), len(want), err)
			}
			for _, f := range list {
				w, ok := wantedFor(want, f.event)
				if !ok || !f.alone || !sameGroup(got, f, w) {
					t.Errorf("%s: %s", f.event, f.text)
				}
			}
			if strings.Count(got, other) != strings.Count(tt.text, other) {
				t.Errorf("the entry of others is lost:\n%s", got)
			}
			if again, err := put(got, "claude", want); err != nil || again != got {
				t.Errorf("a second pass changes it, %v", err)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	tests := []struct{ name, text, err string }{
		{"comment", "{\n  // mine\n  \"a\": 1\n}", "line 2: a comment"},
		{"hash", "{\n# mine\n}", "line 2: a comment"},
		{"broken", "{\n  \"a\": 1,\n}", "line 3: not JSON"},
		{"cut off", "{\"a\": ", "line 1: not JSON"},
		{"two documents", "{}{}", "not JSON"},
		{"a list", "[]", "not a JSON object"},
		{"hooks is a list", `{"hooks":[]}`, "hooks is not an object"},
		{"event is an object", `{"hooks":{"Stop":{}}}`, "hooks.Stop is not a list"},
		{"group is text", `{"hooks":{"Stop":["x"]}}`, "hooks.Stop[0] is not an object"},
		{"hooks twice", `{"hooks":{},"hooks":{}}`, `"hooks" is there twice`},
		{"event twice", `{"hooks":{"Stop":[],"\u0053top":[]}}`, `"Stop" is there twice`},
		{"too many", `{"hooks":{"Stop":[{"hooks":[` + strings.Repeat(`{"type":"command","command":"stepgate-hook claude"},`, maxOwn) + `{"type":"command","command":"stepgate-hook claude"}]}]}}`, "201 entries"},
		{"deep", strings.Repeat(`{"a":`, 20000), "not JSON"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t)
			path := p.plan("claude", User).Path
			p.write(path, tt.text)
			for name, do := range map[string]func(string, Scope, Options) (Change, error){"plan": Plan, "remove": Remove} {
				_, err := do("claude", User, p.opt)
				if err == nil || !strings.Contains(err.Error(), tt.err) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "nothing was written") {
					t.Errorf("%s: error %v, want %q", name, err, tt.err)
				}
			}
			p.want(path, tt.text)
			if s, err := Status("claude", User, p.opt); err != nil || s.Installed || len(s.Problems) == 0 {
				t.Errorf("status %+v, %v", s, err)
			}
		})
	}
}

func TestOptions(t *testing.T) {
	tests := []struct {
		name, agent string
		scope       Scope
		change      func(*Options)
		err         string
	}{
		{"unknown agent", "emacs", User, func(*Options) {}, `agent "emacs" is not one of claude, codex`},
		{"unknown scope", "claude", "world", func(*Options) {}, `scope "world" is not one that claude has: user, project, local`},
		{"codex has no local scope", "codex", Local, func(*Options) {}, "is not one that codex has"},
		{"project fails open", "claude", Project, func(o *Options) { o.FailClosed = true }, "not for the scope project"},
		{"no home", "claude", User, func(o *Options) { o.Getenv = func(string) string { return "" } }, "HOME is not set"},
		{"no repository", "claude", Project, func(o *Options) { o.Root = "" }, "no repository given"},
		{"relative program", "claude", User, func(o *Options) { o.Program = program }, "not an absolute path"},
		{"no program", "claude", User, func(o *Options) { o.Program += "x" }, "must stay in one folder"},
		{"go run", "claude", User, func(o *Options) { o.Program = "/tmp/go-build123/b001/exe/stepgate-hook" }, "goes away with go run"},
		{"not executable", "claude", User, func(o *Options) { _ = os.Chmod(o.Program, 0o600) }, "cannot be run"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "not executable" && runtime.GOOS == "windows" {
				t.Skip("no such permission here")
			}
			p := newPlace(t)
			tt.change(&p.opt)
			if _, err := Plan(tt.agent, tt.scope, p.opt); err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("error %v, want %q", err, tt.err)
			}
		})
	}
	t.Run("the agents' own folders", func(t *testing.T) {
		p := newPlace(t)
		p.opt.Getenv = func(k string) string {
			return map[string]string{"CLAUDE_CONFIG_DIR": filepath.Join(p.home, "c"), "CODEX_HOME": filepath.Join(p.home, "x")}[k]
		}
		if got := p.plan("claude", User).Path; got != filepath.Join(p.home, "c", "settings.json") {
			t.Error(got)
		}
		if got := p.plan("codex", User).Path; got != filepath.Join(p.home, "x", "hooks.json") {
			t.Error(got)
		}
	})
}

func TestApply(t *testing.T) {
	t.Run("changed meanwhile", func(t *testing.T) {
		p := newPlace(t)
		c := p.plan("claude", User)
		p.write(c.Path, "{}")
		if err := c.Apply(); !errors.Is(err, ErrChanged) {
			t.Errorf("error %v", err)
		}
		p.want(c.Path, "{}")
	})
	t.Run("through a link", func(t *testing.T) {
		p := newPlace(t)
		real := filepath.Join(p.home, "dotfiles", "claude.json")
		p.write(real, "{}\n")
		path := p.plan("claude", User).Path
		p.must(os.MkdirAll(filepath.Dir(path), 0o700))
		if err := os.Symlink(real, path); err != nil {
			t.Skip("no links here:", err)
		}
		c := p.install("claude", User)
		if c.Real != real || !strings.Contains(strings.Join(c.Notes, "\n"), real) {
			t.Errorf("real %s, notes %q", c.Real, c.Notes)
		}
		if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Error("the link is gone")
		}
		p.want(real, string(c.After))
		p.remove("claude", User)
		p.want(real, "{}\n")
	})
	t.Run("a link to nowhere", func(t *testing.T) {
		p := newPlace(t)
		path := p.plan("claude", User).Path
		p.must(os.MkdirAll(filepath.Dir(path), 0o700))
		if err := os.Symlink(filepath.Join(p.home, "gone"), path); err != nil {
			t.Skip("no links here:", err)
		}
		if _, err := Plan("claude", User, p.opt); err == nil || !strings.Contains(err.Error(), "leads nowhere") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a second install keeps the first file from before", func(t *testing.T) {
		p := newPlace(t)
		const text = `{ "a":1 }`
		path := p.plan("claude", User).Path
		p.write(path, text)
		p.install("claude", User)
		p.opt.FailClosed = true
		if c := p.install("claude", User); c.Empty() {
			t.Error("fail-closed changes nothing")
		}
		p.remove("claude", User)
		p.want(path, text)
	})
	t.Run("a change of others between two installs stays", func(t *testing.T) {
		p := newPlace(t)
		path := p.plan("claude", User).Path
		first := p.install("claude", User)
		changed := strings.Replace(string(first.After), "{\n", "{\n  \"model\": \"opus\",\n", 1)
		p.write(path, changed)
		p.opt.FailClosed = true
		p.install("claude", User)
		p.remove("claude", User)
		b, err := os.ReadFile(path)
		p.must(err)
		if canonical(string(b)) != `{"model":"opus"}` {
			t.Errorf("left: %s", b)
		}
	})
	t.Run("nothing to remove", func(t *testing.T) {
		p := newPlace(t)
		for _, agent := range Agents() {
			c, err := Remove(agent, User, p.opt)
			if err != nil || !c.Empty() || c.Apply() != nil {
				t.Errorf("%s: %v, %+v", agent, err, c)
			}
			p.want(c.Path, "")
		}
	})
	t.Run("backup is private", func(t *testing.T) {
		p := newPlace(t)
		p.write(p.plan("claude", User).Path, `{"env":{"TOKEN":"s3cret"}}`)
		c := p.install("claude", User)
		info, err := os.Stat(c.Backup())
		p.must(err)
		if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v", info.Mode())
		}
	})
	t.Run("no place for the backup", func(t *testing.T) {
		p := newPlace(t)
		p.write(p.opt.State, "a file where the folder should be")
		c := p.plan("claude", User)
		if err := c.Apply(); err == nil || !strings.Contains(err.Error(), "nothing was written") {
			t.Errorf("error %v", err)
		}
		p.want(c.Path, "")
	})
}

func TestNotes(t *testing.T) {
	note := func(t *testing.T, c Change, want ...string) {
		t.Helper()
		all := strings.Join(c.Notes, "\n")
		for _, w := range want {
			if !strings.Contains(all, w) {
				t.Errorf("%q is not said in\n%s", w, all)
			}
		}
	}
	p := newPlace(t)
	note(t, p.plan("claude", User), "Nothing is sent anywhere", "stepgate key set", "/state/sessions")
	note(t, p.plan("codex", User), "trust", "/hooks", "without a word")
	note(t, p.plan("claude", Project), "without a path", "on PATH")
	p.opt.Sends = Sends{Judge: "jev", Host: "https://api.typesafe.ai", Log: "/state/sessions"}
	p.opt.FailClosed = true
	note(t, p.plan("claude", User), "Sent to https://api.typesafe.ai (judge jev)", "first prompt", "last eight calls", "masked", "refuses calls when the hook cannot answer")
	p.write(p.plan("claude", User).Path, `{"disableAllHooks": true}`)
	note(t, p.plan("claude", User), "disableAllHooks")
}

func TestStatus(t *testing.T) {
	p := newPlace(t)
	status := func(agent string, scope Scope) State {
		t.Helper()
		s, err := Status(agent, scope, p.opt)
		p.must(err)
		return s
	}
	for _, agent := range Agents() {
		if s := status(agent, User); s.Installed || len(s.Problems) > 0 || len(s.Missing) > 0 {
			t.Errorf("%s, before: %+v", agent, s)
		}
		p.install(agent, User)
		if s := status(agent, User); !s.Installed || len(s.Problems) > 0 || s.Program != p.opt.Program || s.FailClosed {
			t.Errorf("%s, after: %+v", agent, s)
		}
	}
	if s := status("codex", User); s.TrustKey != s.Path+":pre_tool_use:0:0" {
		t.Errorf("trust key %q", s.TrustKey)
	}
	p.install("claude", Project)
	if s := status("claude", Project); s.Command != program || s.Program != p.opt.Program || len(s.Problems) > 0 {
		t.Errorf("found on PATH: %+v", s)
	}

	p.opt.FailClosed = true
	for _, agent := range Agents() {
		if runtime.GOOS == "windows" && agent == "codex" {
			continue
		}
		p.install(agent, User)
		if s := status(agent, User); !s.FailClosed {
			t.Errorf("%s, fail-closed: %+v", agent, s)
		}
	}
	path := status("claude", User).Path
	p.write(path, `{"disableAllHooks":true,"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"/gone/stepgate-hook","args":["claude"]}]},{"hooks":[{"type":"command","command":"stepgate-hook claude"}]}],"Notification":[{"hooks":[{"type":"command","command":"stepgate-hook claude"}]}]}}`)
	s := status("claude", User)
	all := strings.Join(s.Problems, "\n")
	for _, want := range []string{"is not there", "leaves tools out: Bash", "no entry for PreSkillShellCommand, PostToolUse", "more than one entry for Notification, PreToolUse", "disableAllHooks"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not said in\n%s", want, all)
		}
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	cellar, bin := filepath.Join(dir, "cellar", "1.2"), filepath.Join(dir, "bin")
	for _, d := range []string{cellar, bin} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	exe, hook := filepath.Join(cellar, "stepgate"), filepath.Join(cellar, program)
	if _, err := Find(exe, bin); err == nil || !strings.Contains(err.Error(), "one folder") {
		t.Errorf("no hook: %v", err)
	}
	if err := os.WriteFile(hook, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if got, err := Find(exe, "rel:"+bin); got != hook || err != nil {
		t.Errorf("beside: %q, %v", got, err)
	}
	link := filepath.Join(bin, program)
	if err := os.Symlink(hook, link); err != nil {
		t.Skip("no links here:", err)
	}
	if got, err := Find(exe, strings.Join([]string{cellar, bin}, string(os.PathListSeparator))); got != link || err != nil {
		t.Errorf("by the link: %q, %v", got, err)
	}
}

// The command of Codex goes through a shell: the quoting and the fallback do what they should there.
func TestCodexCommandInShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("no POSIX shell")
	}
	for _, dir := range []string{"plain", "a b", "it's", "$(touch x)", `back\slash`, `"quoted"`} {
		p := newPlace(t)
		path := filepath.Join(p.home, dir, program)
		p.write(path, "#!/bin/sh\necho \"ran $1\"\nexit $2\n")
		p.must(os.Chmod(path, 0o755))
		command := func(closed bool) string { return codexGroups(path, closed)[0].group.Hooks[0].Command }
		if got := (entry{Type: "command", Command: command(true)}); got.program() != path || !got.starts("codex") {
			t.Errorf("%s: read back as %q", dir, got.program())
		}
		out, err := exec.Command(sh, "-c", command(true)).Output()
		if err != nil || string(out) != "ran codex\n" {
			t.Errorf("%s: %q, %v", dir, out, err)
		}
		p.must(os.Remove(path))
		for closed, code := range map[bool]int{false: 127, true: 2} {
			cmd := exec.Command(sh, "-c", command(closed))
			var stderr strings.Builder
			cmd.Stderr = &stderr
			_ = cmd.Run()
			if got := cmd.ProcessState.ExitCode(); got != code || stderr.Len() == 0 {
				t.Errorf("%s, missing program, closed %v: exit %d, stderr %q", dir, closed, got, stderr.String())
			}
		}
	}
}

func FuzzPut(f *testing.F) {
	for _, file := range files {
		f.Add(file.text)
	}
	f.Add(`{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"stepgate-hook claude"},1]}],"X":[{"hooks":[{"command":"stepgate-hook claude"}]}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		want := claudeGroups("/opt/stepgate-hook", true)
		got, err := put(text, "claude", want)
		if err != nil {
			return
		}
		if !json.Valid([]byte(got)) {
			t.Fatalf("%q becomes %q", text, got)
		}
		list, err := own(got, "claude")
		if err != nil || len(list) != len(want) {
			t.Fatalf("%d entries, %v: %q becomes %q", len(list), err, text, got)
		}
		if again, err := put(got, "claude", want); err != nil || again != got {
			t.Fatalf("a second pass changes %q to %q, %v", got, again, err)
		}
		without, err := take(got, "claude")
		if err != nil {
			t.Fatal(err)
		}
		cleaned, err := take(text, "claude")
		if err != nil || canonical(prune(cleaned)) != canonical(prune(without)) {
			t.Fatalf("%q is left as %q, %v", text, without, err)
		}
	})
}
