package config

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestProjectFile(t *testing.T) {
	tests := []struct{ name, user, project, key, want, warn string }{
		{"mode up", `mode = "audit"`, `mode = "enforce"`, "mode", "enforce", ""},
		{"mode down", `mode = "enforce"`, `mode = "audit"`, "mode", "enforce", "would loosen the gate"},
		{"mode off", ``, `mode = "off"`, "mode", "audit", "would loosen the gate"},
		{"deny lower", ``, `deny_above = 0.7`, "deny_above", "0.7", ""},
		{"deny higher", ``, `deny_above = 0.95`, "deny_above", "0.9", "would loosen"},
		{"intent higher", ``, `low_intent_at_or_below = 2`, "low_intent_at_or_below", "2", ""},
		{"intent lower", ``, `low_intent_at_or_below = 0`, "low_intent_at_or_below", "1", "would loosen"},
		{"tau lower", ``, `tau = 3`, "tau", "3", ""},
		{"tau higher", ``, `tau = 30`, "tau", "10", "would loosen"},
		{"budget from none", ``, `risk_budget = 2`, "risk_budget", "2", ""},
		{"budget to none", `risk_budget = 2`, `risk_budget = 0`, "risk_budget", "2", "would loosen"},
		{"budget up", `risk_budget = 2`, `risk_budget = 3`, "risk_budget", "2", "would loosen"},
		{"skip fewer", ``, `skip_tools = ["Read"]`, "skip_tools", "Read", ""},
		{"skip none", ``, `skip_tools = "none"`, "skip_tools", "", ""},
		{"skip more", ``, `skip_tools = ["Read", "Bash"]`, "skip_tools", "Read", "would loosen"},
		{"skip everything", ``, `skip_tools = "*"`, "skip_tools", settings[index("skip_tools")].Default, ""},
		{"skip one out of a pattern", `skip_tools = "mcp__x__*"`, `skip_tools = "mcp__x__read, mcp__y__read"`, "skip_tools", "mcp__x__read", "would loosen"},
		{"judge", ``, `judge = "off"`, "judge", "auto", "not a project's to set"},
		{"address", ``, `base_url = "http://evil.example"`, "base_url", "", "not a project's to set"},
		{"log folder", ``, `log_dir = "/tmp/x"`, "log_dir", "", "not a project's to set"},
		{"snapshot", ``, `snapshot = false`, "snapshot", "false", ""},
		{"snapshot back on", `snapshot = false`, `snapshot = true`, "snapshot", "false", "would loosen"},
		{"log on", `audit_log = false`, `audit_log = true`, "audit_log", "true", ""},
		{"log off", ``, `audit_log = false`, "audit_log", "true", "would loosen"},
		{"plan mask off", ``, `redact_plan = "off"`, "redact_plan", "true", "would loosen"},
		{"share", `enforce_share = 0.5`, `enforce_share = 1`, "enforce_share", "1", ""},
		{"enforce for more", `enforce_tools = "Bash"`, `enforce_tools = "Write"`, "enforce_tools", "Bash, Write", ""},
		{"enforce for all", `enforce_tools = "Bash"`, `enforce_tools = "all"`, "enforce_tools", "", ""},
		{"enforce for one only", ``, `enforce_tools = "Write"`, "enforce_tools", "", "would loosen"},
		{"bad value", `deny_above = 0.8`, `deny_above = "x"`, "deny_above", "0.8", `"x" is not a number`},
		{"lock", ``, `locked = ["mode"]`, "mode", "audit", "only the managed file locks"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.user(tt.user)
			w.project(tt.project)
			c := w.load()
			if got, _ := c.Value(tt.key); got != tt.want {
				t.Errorf("%s is %q, want %q", tt.key, got, tt.want)
			}
			w.warned(c, tt.warn)
		})
	}
	t.Run("the person's environment stands", func(t *testing.T) {
		w := newWorld(t)
		w.env = []string{"STEPGATE_MODE=audit"}
		w.project(`mode = "enforce"`)
		w.want(w.load(), "mode", "audit", Environment)
	})
	t.Run("folders", func(t *testing.T) {
		w := newWorld(t)
		w.project(`allow_write = ["src", "/etc", "../other"]`)
		c := w.load()
		w.want(c, "allow_write", filepath.Join(w.root, "src"), Project)
		w.warned(c, "would loosen")

		w.user(`allow_write = ["src/a"]`)
		c = w.load()
		w.want(c, "allow_write", filepath.Join(w.root, "src/a"), User)
		w.warned(c, "would loosen")
	})
}

// Whatever two files say, the project's cannot make any setting looser than it is without it.
func TestProjectNeverLoosens(t *testing.T) {
	samples := map[Kind][]string{
		Number: {"0", "0.1", "0.45", "0.6", "0.9", "1", "3", "4", "500"},
		Int:    {"0", "1", "2", "60", "700", "9000"},
		Bool:   {"true", "false"},
		Tools:  {`"none"`, `"all"`, `"*"`, `"Read"`, `"Read, Bash"`, `"mcp__*"`, `"mcp__a__x"`},
		Word:   {`"m"`}, URL: {`"http://evil.example"`}, Dir: {`"/tmp/evil"`},
		Dirs: {`["/"]`, `["src"]`, `["src/a", "docs"]`, `["/etc"]`},
	}
	// Straight from text, without files: there are thousands of pairs.
	settled := func(user, project string) Config {
		l := loader{at: places{home: "/home/u", root: "/repo"}}
		layers := make([]layer, 2)
		for i, text := range []string{user, project} {
			values, err := parseTOML([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			layers[i] = layer{name: []Layer{User, Project}[i], where: "file", values: values}
		}
		l.settle(layers[:1], layers[1:])
		return l.Config
	}
	for i := range settings {
		s := &settings[i]
		values := samples[s.Kind]
		if s.Kind == Enum {
			for _, c := range s.Choices {
				values = append(values, `"`+c+`"`)
			}
		}
		pairs := []string{""} // the thresholds depend on each other
		switch s.Key {
		case "deny_above":
			pairs = append(pairs, "flag_above = 0.95\n", "flag_above = 0.1\n")
		case "flag_above":
			pairs = append(pairs, "deny_above = 0.5\n", "deny_above = 0.05\n")
		}
		for _, mine := range append([]string{""}, values...) {
			for _, other := range pairs {
				user := other
				if mine != "" {
					user += s.Key + " = " + mine + "\n"
				}
				without := settled(user, "")
				for _, theirs := range values {
					if why := looser(without, settled(user, s.Key+" = "+theirs+"\n")); why != "" {
						t.Errorf("user %q, project %s = %s: %s", user, s.Key, theirs, why)
					}
				}
			}
		}
	}
}

// looser says in which way b lets more happen than a. It is written against the meaning of the settings, not the table.
func looser(a, b Config) string {
	rank := map[string]int{"off": 0, "audit": 1, "enforce": 2, "allow": 0, "deny": 1, "no_answer": 0, "approve": 1}
	tools := []string{"Read", "Bash", "Write", "mcp__a__x", "mcp__a__y", "Grep", "mcp__b"}
	switch {
	case rank[string(b.Mode)] < rank[string(a.Mode)]:
		return "mode"
	case b.DenyAbove > a.DenyAbove || b.FlagAbove > a.FlagAbove:
		return "thresholds"
	case b.LowIntent < a.LowIntent:
		return "intent"
	case rank[b.OnError] < rank[a.OnError] || rank[b.OnNoAnswer] < rank[a.OnNoAnswer] || rank[b.AskWithoutPrompt] < rank[a.AskWithoutPrompt]:
		return "fallbacks"
	case b.Judge != a.Judge || b.Model != a.Model || b.BaseURL != a.BaseURL || b.LogDir != a.LogDir || b.TimeoutMS != a.TimeoutMS ||
		b.UnhealthyAfter != a.UnhealthyAfter || b.KeepDays != a.KeepDays || b.AskLimit != a.AskLimit || b.PlanFollow != a.PlanFollow ||
		b.Profile != a.Profile || b.Snapshot && !a.Snapshot:
		return "a setting that is not the project's"
	case !b.AuditLog && a.AuditLog || !b.RedactEntropy && a.RedactEntropy || !b.RedactPlan && a.RedactPlan || !b.FailClosed && a.FailClosed:
		return "a switch"
	case b.Tau > a.Tau || b.SafetyWeight < a.SafetyWeight || b.EnforceShare < a.EnforceShare:
		return "a weight"
	case a.RiskBudget != 0 && (b.RiskBudget == 0 || b.RiskBudget > a.RiskBudget):
		return "risk_budget"
	}
	for _, tool := range tools {
		if b.Skips(tool) && !a.Skips(tool) {
			return "skips " + tool
		}
		if a.Enforces(tool) && !b.Enforces(tool) {
			return "audits " + tool
		}
	}
	if len(a.AllowWrite) > 0 && len(b.AllowWrite) == 0 {
		return "no folders"
	}
	for _, dir := range b.AllowWrite {
		if len(a.AllowWrite) > 0 && !slices.ContainsFunc(a.AllowWrite, func(c string) bool { return within(c, dir) }) {
			return "writes to " + dir
		}
	}
	return ""
}

func TestProjectEnv(t *testing.T) {
	tests := []struct {
		name, agent, set, key, want, warn string
	}{
		{"loosens", `{"env":{"STEPGATE_MODE":"off"}}`, "STEPGATE_MODE=off", "mode", "enforce", "STEPGATE_MODE (named by the project's agent settings) would loosen"},
		{"tightens", `{"env":{"STEPGATE_DENY_ABOVE":"0.7"}}`, "STEPGATE_DENY_ABOVE=0.7", "deny_above", "0.7", ""},
		{"not named", `{"env":{"OTHER":"x"}}`, "STEPGATE_DENY_ABOVE=0.95", "deny_above", "0.95", ""},
		{"name with an escape", `{"env":{"STEPGATE\u005fMODE":"off"}}`, "STEPGATE_MODE=off", "mode", "enforce", "would loosen"},
		{"second env object", `{"env":{},"env":{"STEPGATE_MODE":"off"}}`, "STEPGATE_MODE=off", "mode", "enforce", "would loosen"},
		{"first env object", `{"env":{"STEPGATE_MODE":"off"},"env":{}}`, "STEPGATE_MODE=off", "mode", "enforce", "would loosen"},
		{"plugin option", `{"env":{"CLAUDE_PLUGIN_OPTION_MODE":"off"}}`, "CLAUDE_PLUGIN_OPTION_MODE=off", "mode", "enforce", "would loosen"},
		{"address", `{"env":{"STEPGATE_BASE_URL":"x"}}`, "STEPGATE_BASE_URL=http://evil.example", "base_url", "", "not a project's to set"},
		{"too large to know", `{"env":{` + strings.Repeat(" ", maxAgentSettings) + `}}`, "STEPGATE_MODE=off", "mode", "enforce", "would loosen"},
		{"not JSON", `{"env":{"STEPGATE_MODE":"off"`, "STEPGATE_MODE=off", "mode", "enforce", "would loosen"},
		{"byte order mark", "\ufeff" + `{"env":{"STEPGATE_MODE":"off"}}`, "STEPGATE_MODE=off", "mode", "enforce", "would loosen"},
		{"comment before", "// x\n" + `{"env":{"STEPGATE_MODE":"off"}}`, "STEPGATE_MODE=off", "mode", "enforce", "would loosen"},
		{"comment inside", `{/* "x": */ "env":{"STEPGATE_MODE":"off"}}`, "STEPGATE_MODE=off", "mode", "enforce", "would loosen"},
		{"nests too deep", `{"env":{"STEPGATE_MODE":"off"},"x":` + strings.Repeat("[", 1<<19), "STEPGATE_MODE=off", "mode", "enforce", "would loosen"},
		{"blank file", ``, "STEPGATE_MODE=off", "mode", "off", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.user(`mode = "enforce"`)
			w.agent(tt.agent)
			w.env = []string{tt.set}
			c := w.load()
			if got, _ := c.Value(tt.key); got != tt.want {
				t.Errorf("%s is %q, want %q", tt.key, got, tt.want)
			}
			w.warned(c, tt.warn)
		})
	}
	t.Run("homes, addresses and keys", func(t *testing.T) {
		w := newWorld(t)
		names := []string{"STEPGATE_CONFIG_HOME", "TYPESAFE_BASE_URL", "TYPESAFE_API_KEY", "PATH", "CLAUDE_CODE_SESSION_ATTENDED"}
		w.agent(`{"env":{"` + strings.Join(names, `":"x","`) + `":"x"}}`)
		get := ReadProjectEnv([]string{w.agentFile()}).Getenv(func(string) string { return "from outside" })
		for _, name := range names {
			if got := get(name); got != "" {
				t.Errorf("%s is %q", name, got)
			}
		}
		if get("LANG") != "from outside" {
			t.Error("LANG is dropped")
		}
	})
	t.Run("names not known", func(t *testing.T) {
		w := newWorld(t)
		w.agent("// x\n{}")
		get := ReadProjectEnv([]string{w.agentFile()}).Getenv(func(string) string { return "/evil" })
		for _, name := range []string{"HOME", "CLAUDE_PROJECT_DIR", "XDG_CONFIG_HOME", "HTTPS_PROXY", "https_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR", "DBUS_SESSION_BUS_ADDRESS"} {
			if got := get(name); got == "/evil" {
				t.Errorf("%s is taken", name)
			}
		}
	})
	t.Run("whereabouts of the settings", func(t *testing.T) {
		for _, name := range []string{"HOME", "STEPGATE_CONFIG_HOME", "XDG_CONFIG_HOME"} {
			w := newWorld(t)
			w.agent(`{"env":{"` + name + `":"/evil"}}`)
			c := w.load()
			if !c.Unreadable {
				t.Errorf("%s: settings that may stand elsewhere count as read", name)
			}
			w.warned(c, name+" is named by the project's agent settings, or may be")
		}
	})
	t.Run("home", func(t *testing.T) {
		w := newWorld(t)
		w.agent(`{"env":{"HOME":"/evil"}}`)
		get := ReadProjectEnv([]string{w.agentFile()}).Getenv(func(string) string { return "/evil" })
		if got := get("HOME"); got == "/evil" || got != AccountHome() {
			t.Errorf("HOME is %q", got)
		}
	})
}
