// Package codex speaks the hook protocol of Codex CLI, as it was watched in version 0.171.0.
//
// Codex runs a call whenever it cannot use a hook's answer: an unknown field, "ask", "allow", a refusal without a reason.
// So the package promises to write one of two things about a pending call, nothing or a refusal that Codex obeys.
package codex

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/hook/agent"
)

// Protocol is Codex's side of the hook.
type Protocol struct{}

var _ agent.Protocol = Protocol{}

// Events by the name Codex gives them.
const (
	preToolUse   = "PreToolUse"
	postToolUse  = "PostToolUse"
	sessionStart = "SessionStart"
	sessionEnd   = "SessionEnd"
)

func kindOf(event string) agent.Kind {
	switch event {
	case preToolUse:
		return agent.PreTool
	case postToolUse:
		return agent.PostTool
	case "UserPromptSubmit":
		return agent.Prompt
	case sessionStart:
		return agent.Start
	case sessionEnd:
		return agent.End
	case "Stop":
		return agent.Stop
	case "SubagentStart":
		return agent.SubagentStart
	case "SubagentStop":
		return agent.SubagentStop
	}
	return agent.Unknown
}

// Parse reads one payload.
func (Protocol) Parse(payload []byte) (agent.Event, error) {
	f, err := agent.ReadFields(payload)
	ev := f.AsEvent(kindOf(f.Event))
	ev.Turn = f.TurnID
	switch f.Event {
	case postToolUse:
		ev.Result = result(ev.Call.Tool, f)
	case sessionStart:
		ev.Source = f.Source
	case sessionEnd:
		ev.Source = f.Reason
	}
	// A subagent's task comes as a prompt too; it has an agent id.
	ev.Person = ev.Kind == agent.Prompt && ev.AgentID == "" && !machineMade(ev.Prompt)
	return ev, err
}

// result reads what little Codex tells: no exit status of a command, but the status of a patch, and an MCP server's own
// mark of an error.
func result(tool string, f agent.Fields) agent.Result {
	r := agent.Result{Duration: f.Duration, Output: f.Response}
	response := gjson.Parse(f.Response)
	switch {
	case tool == "apply_patch" && response.Type == gjson.String:
		status, ok := strings.CutPrefix(response.Str, "Exit code: ")
		status, _, _ = strings.Cut(status, "\n")
		r.Known, r.Failed = ok, ok && strings.TrimSpace(status) != "0"
	case response.IsObject():
		if e := response.Get("isError"); e.IsBool() {
			r.Known, r.Failed = true, e.Bool()
		}
	}
	return r
}

// machineMade tells a prompt that no person typed: the client's own notes to the model, each in a tag of its own.
func machineMade(prompt string) bool {
	prompt = strings.TrimSpace(prompt)
	for _, tag := range machineTags {
		if strings.HasPrefix(prompt, tag) {
			return true
		}
	}
	return false
}

// machineTags stand in the program; none was seen as a prompt yet.
var machineTags = [...]string{
	"<task-notification>", "<subagent_notification>", "<codex_delegation>", "<realtime_delegation>", "<turn_aborted>",
	"<environment_context>", "<context_window_reminder>",
}

// Abilities tells that Codex has no ask, and that its write_stdin fires no hook.
func (Protocol) Abilities(agent.Event, func(string) string) agent.Abilities {
	return agent.Abilities{Ask: agent.AskUnsupported, Why: "not askable", TypingUnseen: true}
}

// Root is empty: Codex tells a hook nothing about the project but the folder it runs in.
func (Protocol) Root(func(string) string) string { return "" }

// EnvFiles is empty: no project file of Codex sets a hook's environment.
func (Protocol) EnvFiles(string) []string { return nil }
