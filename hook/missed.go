package hook

import (
	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/redact"
)

// missedPrompt is the notice of a gap in what a person said: it may have held a no to what an earlier prompt allows.
const missedPrompt = "stepgate: this prompt could not be remembered (stepgate doctor says why); what you allowed before counts no more until you say it again"

// missed leaves word of a prompt that could not be recorded, for the calls that follow, and tells the person.
func (g *Gate) missed(file *session.File, mode policy.Mode, l session.Line, err error) agent.Reply {
	g.Complain(err)
	if !l.Person {
		return agent.Reply{}
	}
	if err := file.Miss(); err != nil {
		g.Complain(err) // the turn's id tells the gap all the same, where the agent gives one
	}
	if mode != policy.Enforce {
		return agent.Reply{}
	}
	return agent.Reply{Notice: redact.Verbatim(missedPrompt)}
}

// unheard looks whether a call of the main thread belongs to a turn whose prompt never came here. What was said before
// may have been taken back in it, so it gives no consent any more: for this call by the memory, which is not whole, and
// for later ones by note. Nobody is told: a client may begin a turn without a prompt, and all that comes of it is a question.
func unheard(ev agent.Event, mem *session.Memory) (note func(*session.Totals)) {
	if ev.AgentID != "" || !mem.Unheard(ev.Turn) {
		return func(*session.Totals) {}
	}
	mem.Degraded = true
	return func(t *session.Totals) {
		t.MissPrompt()
		t.Hear(ev.Turn)
	}
}
