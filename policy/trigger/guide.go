package trigger

import (
	"strconv"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy"
)

// After so many refusals an agent is told more than the reason of the newest one.
const (
	lastWord   = 3 // of this very call
	newPlan    = 3 // of any calls in a row
	haltRepeat = 5 // of this very call: the run ends
	haltAll    = 6 // of any calls in a row
)

// Guidance is what an agent is told beside a refusal that is not its first.
type Guidance struct {
	Text string
	// Halt ends the agent's run, where the agent can be told to.
	Halt bool
	// Notice is for the person.
	Notice string
}

// Guide gives what to say beside a decision. A call that waits for an approval is not refused, so it is no loop.
func (s *Seen) Guide(d *policy.Decision) Guidance {
	c := s.call
	if d.Did != agent.Deny || waits(d) {
		return Guidance{}
	}
	t := c.State.Thread(c.AgentID)
	run := s.run(&t)
	this, row := run.Refused+1, t.Refused+1
	var g Guidance
	switch {
	case this >= lastWord:
		g.Text = "This very call has now been refused " + times(this) + " and will be refused each time: it is final. Do not send it again in any form."
	case row >= newPlan:
		g.Text = strconv.Itoa(row) + " calls in a row have been refused. Do not look for another way to the same end: go back to the plan, name the step that is refused and why," +
			" and either take another step that the plan covers or ask the person."
	}
	if this >= haltRepeat || row >= haltAll {
		g.Halt = true
		g.Text += " Stop here; a person has to say how it goes on."
		g.Notice = "the agent was told to stop after " + strconv.Itoa(max(this, row)) + " refused calls; say how it should go on (stepgate log shows what it tried)"
	}
	return g
}
