package hook

import (
	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/trigger"
	"github.com/stepgate/stepgate/redact"
	"github.com/stepgate/stepgate/verifier/local"
)

// Past is what a verdict knows of the calls before: the counts that travel in the session's totals, and what tells this
// call among them. The zero Past is that of a call without a session.
type Past struct {
	AgentID string
	State   session.State
	Keys    trigger.Keys
}

// past is the past of a pending call.
func (g *Gate) past(file *session.File, ev agent.Event, mem session.Memory) Past {
	p := Past{AgentID: ev.AgentID, State: mem.Totals.State, Keys: g.keys(file, ev.Call)}
	if n := g.tokens(ev, p.State); n > 0 {
		p.State.Tokens = int(n)
	}
	return p
}

// tokensEvery is how many calls of the main thread pass from one look into the agent's log to the next.
const tokensEvery = 8

// tokens are those the agent's own log tells of; 0 where it was not looked at or tells none.
func (g *Gate) tokens(ev agent.Event, st session.State) int64 {
	if g.Triggers.TokenBudget == 0 || ev.AgentID != "" || ev.Transcript == "" || st.Thread("").Calls%tokensEvery != 0 {
		return 0
	}
	return TokensUsed(ev.Transcript)
}

// keys tell a call from the others of its session.
func (g *Gate) keys(file *session.File, c agent.Call) trigger.Keys {
	key, err := file.Key()
	if err != nil {
		return trigger.Keys{} // complained of with the fingerprint
	}
	return trigger.KeysOf(key, c)
}

// look judges a call by its past.
func (g *Gate) look(s Situation, v *Verdict) []policy.Finding {
	prompts := func() []redact.Text { return append([]redact.Text{s.Plan}, s.Later...) }
	v.seen = g.Triggers.Judge(&trigger.Call{
		Call: s.Call, Prediction: v.Prediction, AgentID: s.Past.AgentID, Root: s.Root, Keys: s.Past.Keys, State: s.Past.State,
		Confined:   func() []string { return local.Confined(prompts()) },
		TestsFirst: func() bool { return local.TestsFirst(prompts()) },
		Now:        g.Now(), Mask: func(t string) redact.Text { return s.Mask.String(t).Line().Cut(trigger.TargetLimits) },
	})
	return v.seen.Findings
}

// guide adds what is said beside a refusal that is not the first, and what a trigger tells the person.
func guide(s Situation, v *Verdict) {
	if s.Mode != policy.Enforce {
		return
	}
	if v.Notice == "" && v.seen.Notice != "" && v.Did == agent.Allow {
		v.Notice = "stepgate: " + v.seen.Notice
	}
	more := v.seen.Guide(&v.Decision)
	if more.Text == "" {
		return
	}
	v.Halt = more.Halt
	v.Reason += " " + more.Text
	if more.Notice != "" {
		v.Notice = "stepgate: " + more.Notice
	}
}

// passed counts a call and its verdict.
func (p *Past) passed(t *session.Totals, v *Verdict) {
	t.State.Tokens = p.State.Tokens
	v.seen.Remember(&t.State, &v.Decision)
}

// ended counts what came of a call, whose line is known if it stands in the tail.
func (g *Gate) ended(file *session.File, ev agent.Event, line session.Line, mask *redact.Masker) func(*session.Totals) {
	r := &trigger.Result{
		Result: ev.Result, AgentID: ev.AgentID, Call: ev.Call, Keys: g.keys(file, ev.Call), Now: g.Now(),
		Acts: line.Acts.String(), CWD: line.CWD, Proof: g.Triggers.Proves(&ev.Call), Mask: mask.String,
		Hash: func(text string) string {
			key, err := file.Key()
			if err != nil {
				return ""
			}
			return session.Fingerprint(key, "output", text)
		},
	}
	r.Read()
	return func(t *session.Totals) { r.Remember(&t.State) }
}

// dismissed counts a call that a person refused.
func dismissed(agentID string, line session.Line) func(*session.Totals) {
	return func(t *session.Totals) {
		trigger.Dismissed(&t.State, agentID, line.Acts.String(), string(line.Capability))
	}
}

const (
	// EventHalted is the event of a note that the agent's run was ended.
	EventHalted = "halted"
	// EventProved is the event of a result that proves the work, by done_checks.
	EventProved = "done_verified"
)

// prompted counts a prompt of the main thread.
func (g *Gate) prompted(l session.Line) func(*session.Totals) {
	now := g.Now()
	return func(t *session.Totals) {
		if l.AgentID == "" {
			trigger.Prompt(&t.State, now, l.Person)
		}
	}
}

// readStatus takes from the agent's own log whether a command failed, where the event does not say.
func readStatus(ev *agent.Event) {
	if ev.Result.Known || ev.Call.Capability != agent.Shell {
		return
	}
	if code, ok := exitStatus(ev.Transcript, ev.Call.ID); ok {
		ev.Result.Known, ev.Result.Failed = true, code != 0
	}
}
