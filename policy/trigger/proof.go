package trigger

import (
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
	if c.TestsFirst == nil || t.Writes == 0 || !strings.ContainsAny(s.is, isCommit+isPush) || strings.Contains(s.is, isTest) || !c.TestsFirst() {
		return
	}
	changes := strconv.Itoa(t.Writes) + " changes were"
	if t.Writes == 1 {
		changes = "a change was"
	}
	s.Findings = append(s.Findings, policy.Finding{Rule: Untested, Class: policy.State, Severity: policy.Medium, Action: agent.Ask,
		Why:     "the person wants the tests run first, and " + changes + " made since any test, build or linter ran",
		Instead: "run the tests, then do this"})
}
