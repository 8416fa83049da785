package trigger

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
)

// Untested is the rule about a commit or a push of what nothing has verified, where the person wants the tests run first.
const Untested = "session.untested"

// untested asks before what the person made to depend on the tests. t is the thread before the call; one that runs a test
// on its own way is not in question.
func (s *Seen) untested(c *Call, t *session.Thread) {
	if c.TestsFirst == nil || !strings.ContainsAny(s.is, isCommit+isPush) || strings.Contains(s.is, isTest) {
		return
	}
	red := slices.IndexFunc(c.State.Steps, func(step session.Step) bool { return step.Kind == stepRed })
	if t.Writes == 0 && red < 0 || !c.TestsFirst() {
		return
	}
	f := policy.Finding{Rule: Untested, Class: policy.State, Severity: policy.Medium, Action: agent.Ask, Instead: "run the tests, then do this"}
	switch {
	case t.Writes == 1:
		f.Why = "a change was made since any test, build or linter ran"
	case t.Writes > 0:
		f.Why = strconv.Itoa(t.Writes) + " changes were made since any test, build or linter ran"
	default:
		f.Why, f.Instead = "they failed when they ran last", "mend what fails, run the tests, then do this"
	}
	f.Why = "the person wants the tests run first, and " + f.Why
	s.Findings = append(s.Findings, f)
}
