package codex

import "github.com/stepgate/stepgate/hook/agent"

// output is all that is ever written to Codex. It has no other field than these, because an unknown one makes Codex run
// the call.
type output struct {
	Decision      string    `json:"decision,omitempty"`
	Reason        string    `json:"reason,omitempty"`
	SystemMessage string    `json:"systemMessage,omitempty"`
	Specific      *specific `json:"hookSpecificOutput,omitempty"`
}

type specific struct {
	HookEventName            string `json:"hookEventName"`
	PermissionDecision       string `json:"permissionDecision"`
	PermissionDecisionReason string `json:"permissionDecisionReason"`
}

// Render writes a reply. Everything but Allow refuses the call.
func (Protocol) Render(ev agent.Event, r agent.Reply) agent.Output {
	out := output{SystemMessage: r.Notice.String()}
	switch {
	case r.Action == agent.Allow:
	case ev.Kind == agent.PreTool, ev.Name == "":
		out.Specific = &specific{preToolUse, "deny", r.MustReason()}
	case ev.Kind == agent.Prompt && r.Action >= agent.Deny:
		out.Decision, out.Reason = "block", r.MustReason()
	}
	if out == (output{}) {
		return agent.Output{}
	}
	return agent.Document(out)
}
