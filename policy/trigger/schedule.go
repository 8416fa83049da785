package trigger

import (
	"strings"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/redact"
)

// stepScheduled is the kind of a step by which the agent asked for a prompt of its own; Target is the prompt.
const stepScheduled = "scheduled"

// Schedule notes the prompt that a call asks for, to come later.
func Schedule(st *session.State, c agent.Call, mask *redact.Masker) {
	tool := strings.ToLower(c.Tool)
	if !strings.Contains(tool, "schedule") && !strings.Contains(tool, "cron") && !strings.Contains(tool, "wakeup") {
		return
	}
	if text := strings.TrimSpace(c.Field("prompt")); text != "" {
		st.Note(session.Step{Kind: stepScheduled, Target: shown(mask.String(text))})
	}
}

// Scheduled says that a call asked for a prompt with this masked text.
func Scheduled(st *session.State, text redact.Text) bool {
	target := shown(text)
	for i := range st.Steps {
		if st.Steps[i].Kind == stepScheduled && st.Steps[i].Target == target {
			return true
		}
	}
	return false
}

func shown(text redact.Text) redact.Text { return text.Line().Cut(TargetLimits) }
