package hook

import (
	"slices"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/effect"
	"github.com/stepgate/stepgate/redact"
)

// ApprovalFor is how long an approval waits for its call.
const ApprovalFor = 10 * time.Minute

// Code is the short form of a request that a person types.
func Code(request string) string { return request[:min(len(request), 8)] }

// request ties an approval to this call as it is now: the raw input, the folder and what the call would lose.
func (g *Gate) request(file *session.File, c agent.Call, p effect.Prediction) string {
	key, err := file.Key()
	if err != nil {
		g.Complain(err)
		return ""
	}
	return session.Fingerprint(key, c.Tool, c.Input, c.CWD, effect.EffectsJSON(p.Effects))
}

// claim lets a call run that was refused for want of a prompt when a person has approved it since. It is asked under
// the session's lock, so that one approval is used once.
func claim(m session.Memory, l *session.Line, now time.Time) {
	if l.Did == agent.Deny.String() && l.Outcome == policy.NotAskable && approved(m, l.Request, now) {
		l.Did, l.Outcome, l.Reason = agent.Allow.String(), session.OutcomeAllowed, redact.Text{}
	}
}

// approved says that the newest word on a request is a person's approval that is not too old; a call that ran on one
// has used it up.
func approved(m session.Memory, request string, now time.Time) bool {
	if request == "" {
		return false
	}
	ok := false
	for _, l := range m.Lines() {
		switch {
		case l.Request != request:
		case l.Kind == session.KindNote && l.Event == session.EventApproved:
			ok = now.Sub(l.Time.Time) <= ApprovalFor
		case l.Kind == session.KindCall && l.Outcome == session.OutcomeAllowed:
			ok = false
		}
	}
	return ok
}

// Waiting are the calls of a session that a person can approve now, oldest first. A call that was tried again is there
// once, and one that has been approved is not.
func Waiting(m session.Memory, now time.Time) []session.Line {
	var out []session.Line
	for _, l := range m.Lines() {
		refused := l.Kind == session.KindCall && l.Outcome == policy.NotAskable
		if l.Request == "" || !refused && l.Event != session.EventApproved {
			continue
		}
		out = slices.DeleteFunc(out, func(o session.Line) bool { return o.Request == l.Request })
		if refused && now.Sub(l.Time.Time) <= ApprovalFor {
			out = append(out, l)
		}
	}
	return out
}
