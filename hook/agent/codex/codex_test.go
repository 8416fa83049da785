package codex

import (
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
)

func TestResult(t *testing.T) {
	for _, c := range []struct {
		name, payload string
		known, failed bool
	}{
		{"a command tells nothing", `"tool_name":"Bash","tool_response":"Exit code: 1\n"`, false, false},
		{"a patch that went well", `"tool_name":"apply_patch","tool_response":"Exit code: 0\nWall time"`, true, false},
		{"a patch that did not", `"tool_name":"apply_patch","tool_response":"Exit code: 1"`, true, true},
		{"a patch without a status", `"tool_name":"apply_patch","tool_response":"oh"`, false, false},
		{"MCP without a mark", `"tool_name":"mcp__a__b","tool_response":{"content":[]}`, false, false},
		{"MCP error", `"tool_name":"mcp__a__b","tool_response":{"content":[],"isError":true}`, true, true},
		{"no response", `"tool_name":"Bash"`, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			ev, err := Protocol{}.Parse([]byte(`{"hook_event_name":"PostToolUse",` + c.payload + `}`))
			if err != nil || ev.Result.Known != c.known || ev.Result.Failed != c.failed {
				t.Errorf("got %+v, %v, want known %v, failed %v", ev.Result, err, c.known, c.failed)
			}
		})
	}
}

func TestPerson(t *testing.T) {
	for _, c := range []struct {
		name, payload string
		want          bool
	}{
		{"a person's", `"prompt":"Tidy up."`, true},
		{"a subagent's task", `"prompt":"Tidy up.","agent_id":"0"`, false},
		{"word of a subagent", `"prompt":"<subagent_notification>{}"`, false},
	} {
		ev, err := Protocol{}.Parse([]byte(`{"hook_event_name":"UserPromptSubmit",` + c.payload + `}`))
		if err != nil || ev.Person != c.want {
			t.Errorf("%s: person %v, want %v (%v)", c.name, ev.Person, c.want, err)
		}
	}
}

func TestSurroundings(t *testing.T) {
	env := func(string) string { return "/x" }
	p := Protocol{}
	if got := p.Root(env); got != "" {
		t.Errorf("Root = %q", got)
	}
	if got := p.EnvFiles("/p"); got != nil {
		t.Errorf("EnvFiles = %q", got)
	}
	want := agent.Abilities{Ask: agent.AskUnsupported, Why: "not askable", TypingUnseen: true}
	if got := p.Abilities(agent.Event{Kind: agent.PreTool}, env); got != want {
		t.Errorf("Abilities = %+v, want %+v", got, want)
	}
}
