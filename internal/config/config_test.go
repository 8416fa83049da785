package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/policy"
)

// world is a config home, a project and an environment of their own.
type world struct {
	t       *testing.T
	home    string
	root    string
	managed string
	env     []string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	w := &world{t: t, home: filepath.Join(dir, "config"), root: filepath.Join(dir, "project"), managed: filepath.Join(dir, "managed.toml")}
	for _, d := range []string{w.home, filepath.Join(w.root, ".claude")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func (w *world) write(path, text string) {
	w.t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) user(text string)    { w.write(filepath.Join(w.home, UserFile), text) }
func (w *world) project(text string) { w.write(filepath.Join(w.root, ProjectFile), text) }
func (w *world) agent(text string)   { w.write(w.agentFile(), text) }
func (w *world) agentFile() string   { return filepath.Join(w.root, ".claude", "settings.json") }

// manage writes the managed file; it counts only where tests run as root.
func (w *world) manage(text string) {
	w.t.Helper()
	w.write(w.managed, text)
	if info, err := os.Stat(w.managed); err != nil || trusted(info, true) != nil {
		w.t.Skip("a managed file needs root to own it")
	}
}

func (w *world) getenv(name string) string {
	for _, kv := range w.env {
		if k, v, _ := strings.Cut(kv, "="); k == name {
			return v
		}
	}
	return ""
}

func (w *world) load() Config {
	return Load(Sources{Getenv: w.getenv, Environ: w.env, ConfigHome: w.home, Managed: w.managed, ProjectRoot: w.root,
		ProjectEnv: ReadProjectEnv([]string{w.agentFile()})})
}

func (w *world) want(c Config, key, value string, from Layer) {
	w.t.Helper()
	if got, _ := c.Value(key); got != value || c.Origin(key) != from {
		w.t.Errorf("%s = %q from %s, want %q from %s\nwarnings: %s", key, got, c.Origin(key), value, from, strings.Join(c.Warnings, "\n"))
	}
}

func (w *world) warned(c Config, part string) {
	w.t.Helper()
	if part == "" {
		if len(c.Warnings) != 0 {
			w.t.Errorf("unexpected warnings: %q", c.Warnings)
		}
		return
	}
	if !slices.ContainsFunc(c.Warnings, func(s string) bool { return strings.Contains(s, part) }) {
		w.t.Errorf("no warning has %q in it: %q", part, c.Warnings)
	}
}

func TestDefaults(t *testing.T) {
	w := newWorld(t)
	c := w.load()
	w.warned(c, "")
	if c.Mode != policy.Audit || c.DenyAbove != .9 || c.FlagAbove != .6 || c.LowIntent != 1 || c.OnError != "allow" ||
		c.OnNoAnswer != "allow" || c.Judge != "local" || c.JudgeSetting != "auto" || c.TimeoutMS != 5000 || c.UnhealthyAfter != 3 ||
		!c.AuditLog || !c.PlanFollow || c.AskLimit != 50 || c.AskWithoutPrompt != "approve" || c.Tau != 10 || c.RiskBudget != 0 ||
		c.SafetyWeight != .7 || !c.Snapshot || c.RedactEntropy || !c.RedactPlan || c.EnforceShare != 1 || c.FailClosed || c.KeepDays != 180 {
		t.Errorf("defaults: %+v", c)
	}
	for _, tool := range []string{"Read", "Glob", "Grep", "TodoWrite", "NotebookRead", "ListAgents", "TaskOutput"} {
		if !c.Skips(tool) {
			t.Errorf("%s is judged", tool)
		}
	}
	if c.Skips("Bash") || !c.Enforces("Bash") || c.Unreadable || c.Hash == "" {
		t.Errorf("defaults: %+v", c)
	}
}

func TestTable(t *testing.T) {
	seen := map[string]string{}
	for _, s := range Settings() {
		if v, ok := s.parse(s.Default, places{}); !ok && s.Default != "" {
			t.Errorf("%s: the default %q does not parse", s.Key, s.Default)
		} else if s.Default != "" && s.Kind != Tools && v.text != s.Default {
			t.Errorf("%s: the default %q is shown as %q", s.Key, s.Default, v.text)
		}
		if s.Help == "" || s.Range() == "" || s.set == nil {
			t.Errorf("%s: incomplete row", s.Key)
		}
		if loose(s.Option()) != index(s.Key) || loose(strings.ToUpper(s.Option())) != index(s.Key) || loose(s.Env()[len(envPrefix):]) != index(s.Key) {
			t.Errorf("%s: not found by %s, %s", s.Key, s.Option(), s.Env())
		}
		if other := seen[squash(s.Key)]; other != "" {
			t.Errorf("%s and %s are spelled alike", s.Key, other)
		}
		seen[squash(s.Key)] = s.Key
		ordered := s.Kind == Enum || s.Kind == Number || s.Kind == Int || s.Kind == Bool
		if (s.Project == Up || s.Project == Down || s.Project == Cap) && !ordered {
			t.Errorf("%s: %v makes no sense for its kind", s.Key, s.Project)
		}
	}
	for _, key := range []string{"judge", "base_url", "model", "log_dir", "timeout_ms"} {
		if settings[index(key)].Project != Never {
			t.Errorf("a project may set %s", key)
		}
	}
	for _, p := range profiles {
		i := index(p.key)
		if i < 0 || !slices.Contains(settings[index("profile")].Choices, p.profile) {
			t.Errorf("profile %s sets %s", p.profile, p.key)
		} else if _, ok := settings[i].parse(p.value, places{}); !ok {
			t.Errorf("profile %s: %s = %q does not parse", p.profile, p.key, p.value)
		}
	}
}

// One value through a file, a plugin option and the environment.
func TestValues(t *testing.T) {
	tests := []struct{ name, key, toml, want, warn string }{
		{"enum in capitals", "mode", `"ENFORCE"`, "enforce", ""},
		{"enum in capitals and space", "mode", `" Audit "`, "audit", ""},
		{"enum with dash", "ask_without_prompt", `"no-answer"`, "no_answer", ""},
		{"enum misspelled", "mode", `"enfroce"`, "audit", `mode = "enfroce" is not one of off, audit, enforce; audit (default) stands`},
		{"flag is no answer", "on_no_answer", `"flag"`, "allow", "is not one of allow, deny"},
		{"ask is no answer", "on_error", `"ask"`, "allow", "is not one of allow, deny"},
		{"number", "deny_above", `0.8`, "0.8", ""},
		{"number as text", "deny_above", `"0.85"`, "0.85", ""},
		{"whole number as float", "low_intent_at_or_below", `2`, "2", ""},
		{"fraction of intent", "low_intent_at_or_below", `1.5`, "1.5", ""},
		{"out of range", "deny_above", `42`, "0.9", `deny_above = "42" is not a number from 0 to 1; 0.9 (default) stands`},
		{"not a number", "deny_above", `"banana"`, "0.9", `"banana" is not a number`},
		{"nan", "deny_above", `nan`, "0.9", "is not a number"},
		{"infinite", "tau", `inf`, "10", "is not a number"},
		{"minus zero", "low_intent_at_or_below", `-0.0`, "0", ""},
		{"blank", "deny_above", `" "`, "0.9", ""},
		{"boolean where a number belongs", "deny_above", `true`, "0.9", "is not a number"},
		{"date where a number belongs", "deny_above", `2020-01-01`, "0.9", "a value of another type is not"},
		{"table where a number belongs", "deny_above", `{a = 1}`, "0.9", "a value of another type is not"},
		{"below the least time", "timeout_ms", `499`, "5000", "is not a whole number from 500 to 30000"},
		{"least time", "timeout_ms", `500`, "500", ""},
		{"half a millisecond", "timeout_ms", `500.5`, "5000", "is not a whole number"},
		{"no", "audit_log", `"no"`, "false", ""},
		{"Off", "audit_log", `"Off"`, "false", ""},
		{"zero as boolean", "audit_log", `0`, "false", ""},
		{"false", "audit_log", `false`, "false", ""},
		{"1 as boolean", "redact_entropy", `"1"`, "true", ""},
		{"maybe", "audit_log", `"maybe"`, "true", "is not yes or no"},
		{"list as text", "skip_tools", `"Read, Glob"`, "Read, Glob", ""},
		{"list by spaces", "skip_tools", `"Read Glob"`, "Read, Glob", ""},
		{"list", "skip_tools", `["Read", "mcp__x__*", "Read"]`, "Read, mcp__x__*", ""},
		{"list as JSON", "skip_tools", `'["Read", "Glob"]'`, "Read, Glob", ""},
		{"list as broken JSON", "skip_tools", `'["Read", '`, settings[index("skip_tools")].Default, "is not a list of tools"},
		{"empty list", "skip_tools", `[]`, "", ""},
		{"none", "skip_tools", `"None"`, "", ""},
		{"list of numbers", "skip_tools", `[1]`, settings[index("skip_tools")].Default, "is not a list of tools"},
		{"all", "enforce_tools", `"all"`, "", ""},
		{"address", "base_url", `"http://127.0.0.1:8080/v1/"`, "http://127.0.0.1:8080/v1", ""},
		{"address with a user", "base_url", `"https://u:p@host.example"`, "", "a value of 24 bytes is not an http"},
		{"other scheme", "base_url", `"file:///etc"`, "", "is not an http"},
		{"scheme alone", "base_url", `"https:///x"`, "", "is not an http"},
		{"model", "model", `"jev-preview"`, "jev-preview", ""},
		{"two words", "model", `"a b"`, "", "is not one word"},
		{"relative log folder", "log_dir", `"logs"`, "", "is not an absolute folder"},
		{"long value is not repeated", "mode", `"sk-ABCDEFGHIJKLMNOPQRSTUVWXYZ"`, "audit", "mode = a value of 29 bytes is not"},
		{"control characters are quoted", "mode", `"\u001b[2J\u202e"`, "audit", `"\x1b[2J\u202e"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.user(tt.key + " = " + tt.toml + "\n")
			c := w.load()
			if got, _ := c.Value(tt.key); got != tt.want {
				t.Errorf("%s = %s is %q, want %q; warnings %q", tt.key, tt.toml, got, tt.want, c.Warnings)
			}
			w.warned(c, tt.warn)
		})
	}
}

func TestLayers(t *testing.T) {
	t.Run("each beats the one below", func(t *testing.T) {
		w := newWorld(t)
		w.user("deny_above = 0.8\nflag_above = 0.5\nask_limit = 8\nunhealthy_after = 5\n")
		w.env = []string{"CLAUDE_PLUGIN_OPTION_FLAGABOVE=0.4", "CLAUDE_PLUGIN_OPTION_ASKLIMIT=7", "CLAUDE_PLUGIN_OPTION_UNHEALTHY_AFTER= ", "STEPGATE_ASK_LIMIT=6"}
		c := w.load()
		w.warned(c, "")
		w.want(c, "deny_above", "0.8", User)
		w.want(c, "flag_above", "0.4", Plugin)
		w.want(c, "unhealthy_after", "5", User)
		w.want(c, "ask_limit", "6", Environment)
	})
	t.Run("a bad value leaves the layer below", func(t *testing.T) {
		w := newWorld(t)
		w.user("deny_above = 0.8\n")
		w.env = []string{"STEPGATE_DENY_ABOVE=1.5", "CLAUDE_PLUGIN_OPTION_MODE=loud"}
		c := w.load()
		w.want(c, "deny_above", "0.8", User)
		w.warned(c, `STEPGATE_DENY_ABOVE = "1.5" is not a number from 0 to 1; 0.8 (user file) stands`)
		w.warned(c, `plugin option mode = "loud" is not one of`)
	})
	t.Run("managed below user, locks beat all", func(t *testing.T) {
		w := newWorld(t)
		w.manage("mode = \"enforce\"\ndeny_above = 0.8\ntau = 5\nlocked = [\"mode\", \"flagAbove\", \"nosuch\"]\n")
		w.user("mode = \"off\"\ndeny_above = 0.7\nflag_above = 0.2\n")
		w.project("flag_above = 0.1\n")
		w.env = []string{"STEPGATE_MODE=audit"}
		c := w.load()
		w.want(c, "mode", "enforce", Managed)
		w.want(c, "deny_above", "0.7", User)
		w.want(c, "flag_above", "0.6", Default)
		w.want(c, "tau", "5", Managed)
		w.warned(c, "mode is locked by the managed file")
		w.warned(c, `there is no setting "nosuch"`)
		if !c.Locked("mode") || !c.Locked("flag_above") || c.Locked("tau") {
			t.Error("locks differ")
		}
		if mode, by := c.Now(w.home, policy.Off); mode != policy.Enforce || !strings.Contains(by, "locked") {
			t.Errorf("a session's switch beats a lock: %s by %s", mode, by)
		}
	})
	t.Run("a lock that cannot be read locks all", func(t *testing.T) {
		w := newWorld(t)
		w.manage("locked = 3\n")
		w.user("mode = \"off\"\n")
		c := w.load()
		w.want(c, "mode", "audit", Default)
		w.warned(c, "every setting is locked")
	})
	t.Run("managed through a link", func(t *testing.T) {
		w := newWorld(t)
		w.manage("mode = \"off\"\n")
		link := w.managed + ".link"
		if err := os.Symlink(w.managed, link); err != nil {
			t.Skip("no links here:", err)
		}
		w.managed = link
		c := w.load()
		w.want(c, "mode", "audit", Default)
		w.warned(c, "a link is not followed here")
	})
	t.Run("user through a link", func(t *testing.T) {
		w := newWorld(t)
		elsewhere := filepath.Join(t.TempDir(), "mine.toml")
		w.write(elsewhere, "mode = \"enforce\"\n")
		if err := os.Symlink(elsewhere, filepath.Join(w.home, UserFile)); err != nil {
			t.Skip("no links here:", err)
		}
		w.want(w.load(), "mode", "enforce", User)
	})
}

func TestProfile(t *testing.T) {
	w := newWorld(t)
	w.user("profile = \"finance\"\nrisk_budget = 2\n")
	c := w.load()
	w.want(c, "safety_weight", "0.8", Profile)
	w.want(c, "risk_budget", "2", User)
	w.want(c, "tau", "10", Default)
}

func TestThresholds(t *testing.T) {
	tests := []struct {
		name, user, project string
		deny, flag          float64
		warn                string
	}{
		{"inverted", "deny_above = 0.5\nflag_above = 0.9", "", .5, .4, "flag_above 0.9 is not below deny_above 0.5; 0.4 is used"},
		{"equal", "deny_above = 0.6\nflag_above = 0.6", "", .6, .5, "0.5 is used"},
		{"deny below the default flag", "deny_above = 0.05", "", .05, 0, "flag_above 0.6 is not below deny_above 0.05; 0 is used"},
		{"deny at zero", "deny_above = 0", "", 0, 0, "blocks everything"},
		{"flag at zero", "flag_above = 0", "", .9, 0, "asks about everything"},
		{"deny at one", "deny_above = 1", "", 1, .6, "next to never"},
		{"intent at four", "low_intent_at_or_below = 4", "", .9, .6, "low_intent_at_or_below 4 asks"},
		{"a project's deny below flag", "", "deny_above = 0.3", .3, .2, "0.2 is used"},
		{"a project's flag above what a repair gave", "deny_above = 0.5\nflag_above = 0.9", "flag_above = 0.45", .5, .4, "would loosen"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.user(tt.user)
			w.project(tt.project)
			c := w.load()
			if c.DenyAbove != tt.deny || c.FlagAbove != tt.flag {
				t.Errorf("deny %v flag %v, want %v %v", c.DenyAbove, c.FlagAbove, tt.deny, tt.flag)
			}
			w.warned(c, tt.warn)
		})
	}
}

func TestJudge(t *testing.T) {
	tests := []struct {
		name             string
		user             string
		mark             bool
		env              []string
		agent            string
		judge, url, want string
	}{
		{name: "nothing", judge: "local"},
		{name: "a key in the environment alone", env: []string{"TYPESAFE_API_KEY=k"}, judge: "local"},
		{name: "a stored key", mark: true, judge: "jev"},
		{name: "a plugin's key", env: []string{"CLAUDE_PLUGIN_OPTION_APIKEY=k"}, judge: "jev"},
		{name: "a plugin's key in snake case", env: []string{"CLAUDE_PLUGIN_OPTION_API_KEY=k"}, judge: "jev"},
		{name: "a blank plugin's key", env: []string{"CLAUDE_PLUGIN_OPTION_APIKEY= "}, judge: "local"},
		{name: "a plugin's key from the project", env: []string{"CLAUDE_PLUGIN_OPTION_APIKEY=k"}, agent: `{"env":{"CLAUDE_PLUGIN_OPTION_APIKEY":"k"}}`, judge: "local"},
		{name: "local all the same", user: `judge = "local"`, mark: true, judge: "local"},
		{name: "jev with the environment's names", user: `judge = "jev"`, env: []string{"TYPESAFE_BASE_URL=http://127.0.0.1:1/", "TYPESAFE_DEFAULT_MODEL=jev-preview"},
			judge: "jev", url: "http://127.0.0.1:1", want: "jev-preview"},
		{name: "settings beat them", user: "judge = \"jev\"\nbase_url = \"https://a.example\"\nmodel = \"m\"", env: []string{"TYPESAFE_BASE_URL=http://127.0.0.1:1/", "TYPESAFE_DEFAULT_MODEL=x"},
			judge: "jev", url: "https://a.example", want: "m"},
		{name: "not for another judge", user: `judge = "openai"`, env: []string{"TYPESAFE_BASE_URL=http://127.0.0.1:1/"}, judge: "openai"},
		{name: "not from the project", user: `judge = "jev"`, env: []string{"TYPESAFE_BASE_URL=http://127.0.0.1:1/"}, agent: `{"env":{"TYPESAFE_BASE_URL":"x"}}`, judge: "jev"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.user(tt.user)
			w.agent(tt.agent)
			w.env = tt.env
			if tt.mark {
				if err := MarkKey(w.home, true); err != nil {
					t.Fatal(err)
				}
			}
			c := w.load()
			w.warned(c, "")
			if c.Judge != tt.judge || c.BaseURL != tt.url || c.Model != tt.want {
				t.Errorf("judge %q at %q model %q, want %q %q %q", c.Judge, c.BaseURL, c.Model, tt.judge, tt.url, tt.want)
			}
		})
	}
	w := newWorld(t)
	for _, set := range []bool{true, true, false, false} {
		if err := MarkKey(w.home, set); err != nil || KeyMarked(w.home) != set {
			t.Errorf("mark %v: %v", set, err)
		}
	}
}

func TestFiles(t *testing.T) {
	tests := []struct {
		name       string
		make       func(w *world, path string)
		warn       string
		unreadable bool
	}{
		{"missing", func(*world, string) {}, "", false},
		{"empty", func(w *world, p string) { w.write(p, "") }, "", false},
		{"broken", func(w *world, p string) { w.write(p, "mode = \"enforce\"\ntau = = SECRET\n") }, "line 2 is not TOML; the file is ignored", true},
		{"twice the same key", func(w *world, p string) { w.write(p, "tau = 3\ntau = 4\n") }, "is not TOML", true},
		{"not UTF-8", func(w *world, p string) { w.write(p, "model = \"\xff\"\n") }, "is not TOML", true},
		{"huge", func(w *world, p string) { w.write(p, "#"+strings.Repeat("x", maxFile)) }, "larger than 64 KiB", true},
		{"folder", func(w *world, p string) { _ = os.Mkdir(p, 0o700) }, "not a regular file", true},
		{"deep", func(w *world, p string) { w.write(p, "x = "+strings.Repeat("[", maxFile-10)) }, "not TOML", true},
		{"unknown keys", func(w *world, p string) { w.write(p, "denyAbove = 0.5\n[table]\na = 1\n") }, `unknown setting "denyAbove"; did you mean deny_above?`, false},
		{"a key in a file", func(w *world, p string) { w.write(p, "api_key = \"SECRET\"\n") }, "a key does not belong into a file", false},
		{"others may write", func(w *world, p string) { w.write(p, "tau = 3\n"); _ = os.Chmod(p, 0o666) }, "others may write to it", true},
		{"the group may write", func(w *world, p string) { w.write(p, "tau = 3\n"); _ = os.Chmod(p, 0o660) }, "others may write to it", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			path := filepath.Join(w.home, UserFile)
			tt.make(w, path)
			if info, err := os.Stat(path); err == nil && tt.warn == "others may write to it" && trusted(info, false) == nil {
				t.Skip("files have no owner here")
			}
			c := w.load()
			w.warned(c, tt.warn)
			if c.Unreadable != tt.unreadable {
				t.Errorf("unreadable is %v", c.Unreadable)
			}
			if strings.Contains(strings.Join(c.Warnings, ""), "SECRET") {
				t.Errorf("a warning repeats a secret: %q", c.Warnings)
			}
			w.want(c, "tau", "10", Default)
		})
	}
	t.Run("many unknown keys", func(t *testing.T) {
		w := newWorld(t)
		var b strings.Builder
		for i := range 1000 {
			fmt.Fprintf(&b, "k%d = 1\n", i)
		}
		w.project(b.String())
		c := w.load()
		if len(c.Warnings) != 6 || c.Unreadable {
			t.Errorf("%d warnings: %q", len(c.Warnings), c.Warnings)
		}
		w.warned(c, "and 995 more unknown settings")
	})
	t.Run("a broken project file does not hide the user's", func(t *testing.T) {
		w := newWorld(t)
		w.user("tau = 4\n")
		w.project("]")
		c := w.load()
		w.want(c, "tau", "4", User)
		if c.Unreadable {
			t.Error("a project can make the configuration unreadable")
		}
	})
}

func TestHash(t *testing.T) {
	w := newWorld(t)
	a := w.load()
	w.user("tau = 10\n")
	if b := w.load(); b.Hash != a.Hash {
		t.Error("the same settings from another layer have another hash")
	}
	w.user("tau = 9\n")
	if b := w.load(); b.Hash == a.Hash {
		t.Error("other settings have the same hash")
	}
}

func TestHomes(t *testing.T) {
	tests := []struct {
		name          string
		env           map[string]string
		config, state string
		err           string
	}{
		{"own", map[string]string{"STEPGATE_CONFIG_HOME": "/c/", "STEPGATE_STATE_HOME": "/s"}, "/c", "/s", ""},
		{"xdg", map[string]string{"XDG_CONFIG_HOME": "/x/c", "XDG_STATE_HOME": "/x/s"}, "/x/c/stepgate", "/x/s/stepgate", ""},
		{"home", map[string]string{"HOME": "/home/u"}, "/home/u/.config/stepgate", "/home/u/.local/state/stepgate", ""},
		{"relative xdg", map[string]string{"HOME": "/home/u", "XDG_CONFIG_HOME": "x"}, "/home/u/.config/stepgate", "/home/u/.local/state/stepgate", ""},
		{"nothing", nil, "", "", "HOME is not set"},
		{"relative home", map[string]string{"HOME": "u"}, "", "", "HOME is not set"},
		{"half", map[string]string{"STEPGATE_CONFIG_HOME": "/c"}, "/c", "", "HOME is not set"},
		{"relative own", map[string]string{"HOME": "/home/u", "STEPGATE_STATE_HOME": "s"}, "/home/u/.config/stepgate", "", "STEPGATE_STATE_HOME is not an absolute path"},
	}
	if filepath.Separator != '/' {
		t.Skip("paths of unix")
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			config, state, err := Homes(func(k string) string { return tt.env[k] })
			if config != tt.config || state != tt.state {
				t.Errorf("got %q %q, want %q %q", config, state, tt.config, tt.state)
			}
			if (err == nil) != (tt.err == "") || err != nil && (!strings.Contains(err.Error(), tt.err) || strings.Contains(err.Error(), "\n")) {
				t.Errorf("error %v, want %q", err, tt.err)
			}
		})
	}
}
