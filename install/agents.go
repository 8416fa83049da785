package install

import (
	"path/filepath"
	"runtime"
	"strings"
)

// program is the hook's name without a path; a project's settings are shared, and the path differs between people.
const program = "stepgate-hook"

// Seconds that agents grant. The gate has deadlines of its own well below: a judge's time-out is 30 seconds at most.
const (
	decideSeconds = 60
	recordSeconds = 10
)

// event is one hook event of an agent.
type event struct {
	name string
	// decides says that the agent has to wait for the answer.
	decides bool
	// matched says that the event takes a matcher.
	matched bool
	// async says that the agent need not wait at all.
	async bool
}

// claudeEvents as seen in Claude Code 2.1.332, which honours async on every event. Four that decide nothing are waited
// for all the same: a plan has to be there before the first call, warnings are shown at the start, and with async the
// client ends before the process of SessionEnd, which closes a session's open questions, gets to run.
var claudeEvents = [...]event{
	{name: "PreToolUse", decides: true, matched: true},
	{name: "PreSkillShellCommand", decides: true},
	{name: "PostToolUse", matched: true, async: true},
	{name: "PostToolUseFailure", matched: true, async: true},
	{name: "UserPromptSubmit"},
	{name: "SessionStart"},
	{name: "Stop", async: true},
	{name: "SubagentStart", async: true},
	{name: "SubagentStop", async: true},
	{name: "SessionEnd"},
}

// codexEvents as seen in Codex CLI 0.171.0, which always waits.
var codexEvents = [...]event{
	{name: "PreToolUse", decides: true},
	{name: "PostToolUse"},
	{name: "UserPromptSubmit"},
	{name: "SessionStart"},
	{name: "Stop"},
	{name: "SubagentStart"},
	{name: "SubagentStop"},
	{name: "SessionEnd"},
}

// claudeGroups are the groups of Claude Code: exec form, so that no shell and no profile runs.
func claudeGroups(path string, failClosed bool) []wanted {
	var list []wanted
	for _, ev := range claudeEvents {
		e := entry{Type: "command", Command: path, Args: []string{"claude"}, Timeout: recordSeconds, Async: ev.async}
		if ev.decides {
			e.Timeout = decideSeconds
			if failClosed {
				e.OnFailure = "block"
			}
		}
		g := group{Hooks: []entry{e}}
		if ev.matched {
			g.Matcher = "*"
		}
		list = append(list, wanted{ev.name, g})
	}
	return list
}

// codexGroups are the groups of Codex, which knows commands for a shell only.
func codexGroups(path string, failClosed bool) []wanted {
	var list []wanted
	for _, ev := range codexEvents {
		e := entry{Type: "command", Command: shellQuote(path) + " codex", Timeout: recordSeconds}
		if ev.decides {
			e.Timeout = decideSeconds
			if failClosed {
				// Codex runs the call unless the hook ends with 2 and says something on standard error.
				e.Command += " || { echo 'stepgate failed; the call is refused' >&2; exit 2; }"
			}
		}
		list = append(list, wanted{ev.name, group{Hooks: []entry{e}}})
	}
	return list
}

// shellQuote leaves plain words as they are.
func shellQuote(word string) string {
	if strings.IndexFunc(word, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+@:", r))
	}) < 0 {
		return word
	}
	if runtime.GOOS == "windows" {
		return `"` + word + `"` // a path there holds no quote
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// starts says that an entry runs our hook for an agent, in whichever form it was once written.
func (e entry) starts(agent string) bool {
	if e.Type != "command" && e.Type != "" {
		return false
	}
	if len(e.Args) > 0 {
		return isProgram(e.Command) && e.Args[0] == agent
	}
	path, rest := firstWord(e.Command)
	word, _ := firstWord(rest)
	return isProgram(path) && word == agent
}

// program is the path that the entry starts.
func (e entry) program() string {
	if len(e.Args) > 0 {
		return e.Command
	}
	path, _ := firstWord(e.Command)
	return path
}

// failsClosed says that the agent blocks the call when the hook cannot answer.
func (e entry) failsClosed() bool {
	return e.OnFailure == "block" || strings.Contains(e.Command, "exit 2;")
}

func isProgram(path string) bool {
	name := strings.ToLower(path[strings.LastIndexAny(path, `/\`)+1:])
	return strings.TrimSuffix(name, ".exe") == program
}

// firstWord reads one word of a shell command, in the forms that shellQuote and people write.
func firstWord(cmd string) (word, rest string) {
	cmd = strings.TrimLeft(cmd, " \t")
	var b strings.Builder
	for i := 0; i < len(cmd); {
		switch c := cmd[i]; c {
		case ' ', '\t':
			return b.String(), cmd[i:]
		case '\'', '"':
			end := strings.IndexByte(cmd[i+1:], c)
			if end < 0 {
				return b.String(), ""
			}
			b.WriteString(cmd[i+1 : i+1+end])
			i += end + 2
		case '\\':
			if runtime.GOOS != "windows" {
				i++
			}
			if i < len(cmd) {
				b.WriteByte(cmd[i])
			}
			i++
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String(), ""
}

// settingsPath is the file of a scope.
func claudePath(o Options, scope Scope) (string, error) {
	switch scope {
	case User:
		return configDir(o, "CLAUDE_CONFIG_DIR", ".claude", "settings.json")
	case Project:
		return inRepo(o, ".claude", "settings.json")
	case Local:
		return inRepo(o, ".claude", "settings.local.json")
	}
	return "", badScope("claude", scope, User, Project, Local)
}

func codexPath(o Options, scope Scope) (string, error) {
	switch scope {
	case User:
		return configDir(o, "CODEX_HOME", ".codex", "hooks.json")
	case Project:
		return inRepo(o, ".codex", "hooks.json")
	}
	return "", badScope("codex", scope, User, Project)
}

func configDir(o Options, variable, dir, file string) (string, error) {
	if d := o.Getenv(variable); filepath.IsAbs(d) {
		return filepath.Join(d, file), nil
	}
	home := o.Getenv("HOME")
	if runtime.GOOS == "windows" {
		home = o.Getenv("USERPROFILE")
	}
	if !filepath.IsAbs(home) {
		return "", errNoHome
	}
	return filepath.Join(home, dir, file), nil
}

func inRepo(o Options, dir, file string) (string, error) {
	if !filepath.IsAbs(o.Root) {
		return "", errNoRoot
	}
	return filepath.Join(o.Root, dir, file), nil
}
