package claude

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
)

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
	for member, want := range map[string]bool{
		`"agent_id":"a1"`:            false,
		`"source":"user"`:            true,
		`"source":"sdk"`:             true,
		`"source":"system"`:          false,
		`"source":"schedule_wakeup"`: false,
		`"source":"of tomorrow"`:     false,
	} {
		ev, err := Protocol{}.Parse([]byte(`{"hook_event_name":"UserPromptSubmit","prompt":"hello",` + member + `}`))
		if err != nil || ev.Person != want {
			t.Errorf("prompt with %s: person %v, want %v (%v)", member, ev.Person, want, err)
		}
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
