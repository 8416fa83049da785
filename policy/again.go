package policy

import "github.com/stepgate/stepgate/hook/agent"

// Undecided gives the findings of a decision as they were before Decide: without those that it adds, and with policies
// that no risk has made deny. With them a recorded call can be decided again, by other settings.
func Undecided(decided []Finding) []Finding {
	out := make([]Finding, 0, len(decided))
	for _, f := range decided {
		switch {
		case f.Rule == RiskBudgetRule, f.Class == Signal && f.Rule != "on_error":
			continue
		case f.Class == Policy:
			f.Action = agent.Allow
		}
		out = append(out, f)
	}
	return out
}
