package effect

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/policy/shell"
)

// What an agent or a shell runs by itself, without a call that could be judged: settings that name commands, command
// files with shell lines, servers that are started with the session.

// autoKeys are the settings of agents whose value is a command that runs by itself.
var autoKeys = [...]string{"statusLine", "apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "otelHeadersHelper", "fileSuggestion", "hooks", "mcpServers"}

// runsByItself says that a settings file gains or changes something that runs by itself. JSON is compared by its keys,
// other text by the lines that name one.
func runsByItself(old, now string) bool {
	if gjson.Valid(now) && (old == "" || gjson.Valid(old)) {
		for _, k := range autoKeys {
			if v := gjson.Get(now, k); v.Exists() && v.Raw != gjson.Get(old, k).Raw && v.Raw != "{}" && v.Raw != "[]" && v.Raw != `""` {
				return true
			}
		}
		loads := false // variables that make other programs load or run something reach all that the agent starts
		gjson.Get(now, "env").ForEach(func(k, v gjson.Result) bool {
			loads = (k.Str == "PATH" || in(k.Str, preloads)) && v.Raw != gjson.Get(old, "env."+k.Str).Raw
			return !loads
		})
		return loads
	}
	for line := range strings.Lines(now) {
		l := strings.TrimSpace(line)
		if (strings.HasPrefix(l, "notify") || strings.HasPrefix(l, "[mcp_servers") || strings.HasPrefix(l, "command") || strings.HasPrefix(l, "[[hooks")) && !strings.Contains(old, l) {
			return true
		}
	}
	return false
}

// commandFile says that a file is one of an agent's command, skill or agent files.
func commandFile(p string) bool {
	if !strings.HasSuffix(p, ".md") {
		return false
	}
	for _, d := range [...]string{"/.claude/commands/", "/.claude/skills/", "/.claude/agents/", "/.codex/prompts/", "/.agents/"} {
		if strings.Contains(p, d) {
			return true
		}
	}
	return false
}

// shellLines: the text of a command file runs shell lines when the command is used: !`git log`.
func shellLines(s string) bool { return strings.Contains(s, "!`") || strings.Contains(s, "```!") }

// unguardedSettings reads what --settings gives an agent: a document, or a file.
func (r *reader) unguardedSettings(c *shell.Command) {
	for i, a := range c.Args {
		val, ok := strings.CutPrefix(a.Text, "--settings=")
		known := a.Known
		if a.Text == "--settings" && i+1 < len(c.Args) {
			val, ok, known = c.Args[i+1].Text, true, c.Args[i+1].Known
		}
		if !ok {
			continue
		}
		text := val
		if !strings.HasPrefix(strings.TrimSpace(val), "{") {
			t := r.written(c, shell.Word{Text: val, Known: known})
			if made, fromLine := r.madeText(t.real); fromLine {
				text = made
			} else {
				text = readBounded(t.real)
			}
		}
		switch {
		case disablesHooks(text) || strings.Contains(text, "STEPGATE_"):
			r.add(Act{Kind: Guard, Tag: Unguarded, How: "--settings " + clip(val, 40)})
		case text == "" || runsByItself("", text):
			r.tell(Persist, HookFile, "--settings", val)
		}
	}
}

// bringsBack: git replaces an agent's settings, which hold the gate's entry now, by an older state of them.
func (r *reader) bringsBack(c *shell.Command, g gitCall) {
	if !in(g.sub, "checkout restore rm mv") {
		return
	}
	here := *c
	here.Dir = g.dir
	for _, a := range g.args {
		if strings.HasSuffix(a.Text, ".json") || strings.HasSuffix(a.Text, ".toml") {
			if t := r.written(&here, a); r.w.isSettings(t.real) {
				r.guardTouch(t, false)
			}
		}
	}
}
