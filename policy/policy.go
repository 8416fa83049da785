// Package policy judges a call: hard rules, rules over what it would lose, triggers over the session and policies give
// findings, and findings and a judge's answers give one decision.
//
// It is pure: the same call, effects, session and answers give the same decision, so the hook, check, demo and replay
// agree. Each step only raises the action; what may lower it is named in decide.go.
package policy

import (
	"github.com/stepgate/stepgate/hook/agent"
)

// Class is the authority a finding comes with, strongest first.
type Class string

const (
	Hard   Class = "hard"   // nothing but a person at a terminal gets round it
	Policy Class = "policy" // counts through risk against tau
	State  Class = "state"  // what the call would lose, or what the session did before
	Signal Class = "signal" // a judge's answer
)

// Severity of a finding, with its weight in the risk: 1, 3, 7 and 15 (SafePred, arXiv 2602.01725).
type Severity string

const (
	Low      Severity = "low"
	Medium   Severity = "medium"
	High     Severity = "high"
	Critical Severity = "critical"
)

// Finding is one thing found about a call. Its texts are not masked yet.
type Finding struct {
	// Rule is the id: fs.wipe-root, git.push-force, contradicts_plan.
	Rule     string       `json:"rule"`
	Class    Class        `json:"class"`
	Severity Severity     `json:"severity"`
	Action   agent.Action `json:"action"`
	// Why says what was seen, in one line that stands alone; Instead names a safer way.
	Why     string `json:"why"`
	Instead string `json:"instead,omitempty"`

	// Acts are the indexes of the acts that a rule hit.
	Acts []int `json:"-"`
	// Lifted says what took the finding's force away, in words: it informs, and weighs nothing. Never on a Hard one.
	Lifted string `json:"lifted,omitempty"`
}

// Level is a decision in the graded words of StepGuard: safe, warning, blocked.
func Level(a agent.Action) string {
	switch a {
	case agent.Allow:
		return "safe"
	case agent.Ask:
		return "warning"
	}
	return "blocked"
}

// Mode is what the gate does with a decision.
type Mode string

const (
	Audit   Mode = "audit"   // decide and record, change nothing
	Enforce Mode = "enforce" // answer
	Off     Mode = "off"     // remember lightly, judge nothing
)

// Strictness orders the modes.
func (m Mode) Strictness() int {
	switch m {
	case Enforce:
		return 2
	case Audit:
		return 1
	}
	return 0
}
