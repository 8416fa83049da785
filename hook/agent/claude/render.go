package claude

import (
	"github.com/stepgate/stepgate/hook/agent"
)

// output is all that is ever written to Claude Code. A document it cannot read lets the call run, whatever else it says.
type output struct {
	// Continue false ends the run. It alone would let the pending call run first, so it only stands beside a refusal.
	Continue      *bool     `json:"continue,omitempty"`
	StopReason    string    `json:"stopReason,omitempty"`
	Decision      string    `json:"decision,omitempty"`
	Reason        string    `json:"reason,omitempty"`
	SystemMessage string    `json:"systemMessage,omitempty"`
	Specific      *specific `json:"hookSpecificOutput,omitempty"`
}

type specific struct {
	// HookEventName must be the event's own: Claude Code lets the call run when it is missing.
	HookEventName            string `json:"hookEventName"`
	PermissionDecision       string `json:"permissionDecision"`
	PermissionDecisionReason string `json:"permissionDecisionReason"`
}

// Render writes a reply.
func (Protocol) Render(ev agent.Event, r agent.Reply) agent.Output {
	out := output{SystemMessage: r.Notice.String()}
	switch {
	case r.Action == agent.Allow:
	case ev.Kind == agent.PreTool, ev.Name == "":
		name, word := ev.Name, "deny"
		if name == "" {
			name = preToolUse
		}
		if r.Action == agent.Ask && name == preToolUse {
			word = "ask"
		}
		out.Specific = &specific{name, word, r.MustReason()}
		if r.Halt && word == "deny" && name == preToolUse {
			out.Continue, out.StopReason = new(bool), r.MustReason()
		}
	case ev.Kind == agent.Prompt && r.Action >= agent.Deny:
		out.Decision, out.Reason = "block", r.MustReason()
	}
	if out == (output{}) {
		return agent.Output{}
	}
	return agent.Document(out)
}
