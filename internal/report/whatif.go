package report

import (
	"encoding/json"
	"slices"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/effect"
	"github.com/stepgate/stepgate/policy/rulebook"
	"github.com/stepgate/stepgate/verifier"
)

// Other are settings that recorded calls are decided again by.
type Other struct {
	// Policy gives the settings for those that were in force.
	Policy func(session.Thresholds) policy.Options
	// Book are other policies; nil: those that were found to be broken.
	Book *rulebook.Book
}

// again decides a recorded call by other settings, with the code of the hook. A call whose line tells too little, because
// details were left out of it, is counted as skipped.
func (c *counter) again(r *run, e *entry) {
	cs, t, err := recorded(e)
	if err != nil {
		*c.Skipped++
		return
	}
	o := c.opt.Again.Policy(t)
	if b := c.opt.Again.Book; b != nil {
		p, call, err := asRead(e)
		if err != nil {
			*c.Skipped++
			return
		}
		w := &effect.World{Root: r.root, CWD: e.cwd}
		cs.Findings = slices.DeleteFunc(cs.Findings, func(f policy.Finding) bool { return f.Class == policy.Policy })
		var answers *verifier.Answers
		if cs.Verdict != nil {
			answers = &cs.Verdict.Answers
		}
		cs.Findings = append(cs.Findings, b.Findings(b.Match(call, p, w), answers, o.FlagAbove)...)
	}
	*c.Replayed++
	if d := policy.Decide(o, cs); d.Would.String() != e.would {
		*c.Changed++
		if len(c.Changes) < maxShown {
			n := named(e, e.would, d.Would.String())
			if d.Would > action(e.would) {
				n.Why = sternest(d)
			}
			c.Changes = append(c.Changes, n)
		}
	}
}

// sternest is the finding that made a decision what it is, in words.
func sternest(d policy.Decision) string {
	for _, f := range d.Findings {
		if f.Action == d.Would {
			return f.Rule + ": " + short(f.Why, 100)
		}
	}
	return ""
}

// recorded is the case that a line was decided by, with the thresholds in force.
func recorded(e *entry) (policy.Case, session.Thresholds, error) {
	var fs []policy.Finding
	var t session.Thresholds
	if err := json.Unmarshal([]byte(e.findings), &fs); err != nil {
		return policy.Case{}, t, err
	}
	if err := json.Unmarshal([]byte(e.thresholds), &t); err != nil {
		return policy.Case{}, t, err
	}
	if e.degraded {
		t.Tau *= 2 // the line has the half that held
	}
	cs := policy.Case{Mode: policy.Enforce, Findings: policy.Undecided(fs), Local: e.judge == "local", Degraded: e.degraded}
	if slices.ContainsFunc(fs, func(f policy.Finding) bool { return f.Rule == policy.RiskBudgetRule }) {
		cs.Spent = spent
	}
	cs.Alone = slices.ContainsFunc(fs, func(f policy.Finding) bool { return f.Class == policy.Signal && f.Action == agent.Allow })
	if e.answered {
		var a verifier.Answers
		if err := json.Unmarshal([]byte(e.rawAnswers), &a); err != nil {
			return cs, t, err
		}
		cs.Verdict = &verifier.Verdict{Answers: a, Judge: e.judge}
	}
	return cs, t, nil
}

// spent stands for a risk budget that was used up: a line tells that it was, not how large it was.
const spent = 1 << 20

// asRead is the call and what it was read as, as far as the line tells.
func asRead(e *entry) (effect.Prediction, agent.Call, error) {
	var p effect.Prediction
	for _, part := range []struct {
		raw string
		to  any
	}{{e.rawActs, &p.Acts}, {e.effects, &p.Effects}} {
		if part.raw == "" {
			continue
		}
		if err := json.Unmarshal([]byte(part.raw), part.to); err != nil {
			return p, agent.Call{}, err
		}
	}
	return p, agent.NewCall(e.callID, e.tool, e.input, e.cwd), nil
}

// AsRecorded gives the settings that a call was decided by, as its line tells them.
func AsRecorded(t session.Thresholds) policy.Options {
	return policy.Options{DenyAbove: t.DenyAbove, FlagAbove: t.FlagAbove, LowIntent: t.LowIntent, Tau: t.Tau, RiskBudget: spent}
}
