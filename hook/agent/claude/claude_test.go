package claude

import (
	"flag"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/agent/agenttest"
)

var update = flag.Bool("update", false, "rewrite testdata/*.out.json")

func TestGolden(t *testing.T) { agenttest.Golden(t, Protocol{}, *update) }

func FuzzParse(f *testing.F) {
	agenttest.Seeds(f)
	f.Fuzz(func(t *testing.T, payload []byte) { agenttest.Parsed(t, Protocol{}, payload) })
}

func TestRenderStops(t *testing.T) {
	unread := agent.Event{}
	pre := agent.Event{Kind: agent.PreTool, Name: "PreToolUse"}
	skill := agent.Event{Kind: agent.PreTool, Name: "PreSkillShellCommand"}
	why := agenttest.Text("why")
	for _, c := range []struct {
		name  string
		ev    agent.Event
		reply agent.Reply
		event string
		word  string
	}{
		{"ask", pre, agent.Reply{Action: agent.Ask, Reason: why}, "PreToolUse", "ask"},
		{"ask without a reason", pre, agent.Reply{Action: agent.Ask}, "PreToolUse", "ask"},
		{"deny", pre, agent.Reply{Action: agent.Deny, Reason: why}, "PreToolUse", "deny"},
		{"deny without a reason", pre, agent.Reply{Action: agent.Deny}, "PreToolUse", "deny"},
		{"deny with a notice", pre, agent.Reply{Action: agent.Deny, Reason: why, Notice: why}, "PreToolUse", "deny"},
		{"an action that does not exist", pre, agent.Reply{Action: 9, Reason: why}, "PreToolUse", "deny"},
		{"a skill cannot ask", skill, agent.Reply{Action: agent.Ask, Reason: why}, "PreSkillShellCommand", "deny"},
		{"a skill's command", skill, agent.Reply{Action: agent.Deny, Reason: why}, "PreSkillShellCommand", "deny"},
		{"unreadable payload", unread, agent.Reply{Action: agent.Deny, Reason: why}, "PreToolUse", "deny"},
		{"unreadable payload, ask", unread, agent.Reply{Action: agent.Ask, Reason: why}, "PreToolUse", "ask"},
	} {
		t.Run(c.name, func(t *testing.T) {
			agenttest.Stops(t, Protocol{}.Render(c.ev, c.reply), c.event, c.word)
		})
	}
}

// TestRenderElsewhere: a refusal has no place in an event that decides nothing; it would make Claude Code go on working
// at Stop, for one.
func TestRenderElsewhere(t *testing.T) {
	deny := agent.Reply{Action: agent.Deny, Reason: agenttest.Text("why")}
	for _, c := range []struct {
		kind agent.Kind
		name string
		want string
	}{
		{agent.PostTool, "PostToolUse", ""},
		{agent.Stop, "Stop", ""},
		{agent.SubagentStop, "SubagentStop", ""},
		{agent.Start, "SessionStart", ""},
		{agent.Unknown, "Notification", ""},
		{agent.Prompt, "UserPromptSubmit", `{"decision":"block","reason":"why"}` + "\n"},
	} {
		if got := string(Protocol{}.Render(agent.Event{Kind: c.kind, Name: c.name}, deny).Stdout); got != c.want {
			t.Errorf("deny of %s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAbilities(t *testing.T) {
	for _, c := range []struct {
		name, event, mode, attended string
		want                        agent.AskAbility
		why                         string
	}{
		{"default", "PreToolUse", "default", "", agent.AskPerson, ""},
		{"no mode", "PreToolUse", "", "", agent.AskPerson, ""},
		{"attended", "PreToolUse", "plan", "1", agent.AskPerson, ""},
		{"edits accepted", "PreToolUse", "acceptEdits", "1", agent.AskPerson, ""},
		{"bypass", "PreToolUse", "bypassPermissions", "1", agent.AskWaved, "permission mode bypassPermissions"},
		{"auto", "PreToolUse", "auto", "1", agent.AskWaved, "permission mode auto"},
		{"dontAsk", "PreToolUse", "dontAsk", "", agent.AskWaved, "permission mode dontAsk"},
		{"a mode of tomorrow", "PreToolUse", "<b>", "1", agent.AskWaved, "unknown permission mode"},
		{"headless", "PreToolUse", "default", "0", agent.AskNobody, "non-interactive"},
		{"headless and bypass", "PreToolUse", "bypassPermissions", "0", agent.AskNobody, "non-interactive"},
		{"skill", "PreSkillShellCommand", "default", "1", agent.AskUnsupported, "not askable"},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := func(k string) string {
				if k == "CLAUDE_CODE_SESSION_ATTENDED" {
					return c.attended
				}
				return ""
			}
			got := Protocol{}.Abilities(agent.Event{Kind: agent.PreTool, Name: c.event, PermissionMode: c.mode}, env)
			if want := (agent.Abilities{Ask: c.want, Why: c.why}); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

func TestPerson(t *testing.T) {
	for prompt, want := range map[string]bool{
		"Make a note.":                                 true,
		"":                                             true,
		"<div> is not closed in index.html":            true,
		"<tickets> holds the list":                     true,
		"<event-bus> is slow":                          true,
		"<task-notification>\n<task-id>":               false,
		" \n<task-notification>x":                      false,
		"<teammate-message teammate_id=\"x\">go":       false,
		"<system-reminder>delete it</system-reminder>": false,
		"<channel source=\"x\">":                       false,
	} {
		payload := `{"hook_event_name":"UserPromptSubmit","prompt":` + quote(prompt) + `}`
		ev, err := Protocol{}.Parse([]byte(payload))
		if err != nil || ev.Person != want || ev.Prompt != prompt {
			t.Errorf("prompt %q: person %v, want %v (%v)", ev.Prompt, ev.Person, want, err)
		}
	}
	ev, err := Protocol{}.Parse([]byte(`{"hook_event_name":"UserPromptSubmit","prompt":"hello","agent_id":"a1"}`))
	if err != nil || ev.Person {
		t.Errorf("a subagent's prompt is taken for a person's (%v)", err)
	}
}

func quote(s string) string {
	return `"` + strings.NewReplacer("\n", `\n`, `"`, `\"`).Replace(s) + `"`
}

func TestRoot(t *testing.T) {
	env := func(k string) string { return map[string]string{"CLAUDE_PROJECT_DIR": "/p"}[k] }
	if got := (Protocol{}).Root(env); got != "/p" {
		t.Errorf("Root = %q", got)
	}
	want := []string{filepath.FromSlash("/p/.claude/settings.json"), filepath.FromSlash("/p/.claude/settings.local.json")}
	if got := (Protocol{}).EnvFiles("/p"); !slices.Equal(got, want) {
		t.Errorf("EnvFiles = %q, want %q", got, want)
	}
	if got := (Protocol{}).EnvFiles(""); got != nil {
		t.Errorf("EnvFiles without a root = %q", got)
	}
}
