package report

import (
	"encoding/json"

	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/verifier"
)

// again decides a recorded call by other settings, with the code of the hook. A call whose line tells too little, because
// details were left out of it, is counted as skipped.
func (c *counter) again(e *entry) {
	var fs []policy.Finding
	var t session.Thresholds
	if json.Unmarshal([]byte(e.findings), &fs) != nil || json.Unmarshal([]byte(e.thresholds), &t) != nil {
		*c.Skipped++
		return
	}
	cs := policy.Case{Mode: policy.Enforce, Findings: policy.Undecided(fs), Local: e.judge == "local", Degraded: e.degraded}
	if e.answered {
		var a verifier.Answers
		if json.Unmarshal([]byte(e.rawAnswers), &a) != nil {
			*c.Skipped++
			return
		}
		cs.Verdict = &verifier.Verdict{Answers: a, Judge: e.judge}
	}
	*c.Replayed++
	if now := policy.Decide(c.opt.Again(t), cs).Would.String(); now != e.would {
		*c.Changed++
		if len(c.Changes) < maxShown {
			c.Changes = append(c.Changes, named(e, e.would, now))
		}
	}
}
