package policy

import "github.com/stepgate/stepgate/hook/agent"

// Savable says that a finding asks because of what the call would lose and of nothing else, so that a copy of it, where
// one can be taken, is as good as the answer.
func Savable(f Finding) bool {
	for i := range rules {
		if r := &rules[i]; r.id == f.Rule {
			return r.needs != anything && f.Class == State && f.Action == agent.Ask
		}
	}
	return false
}

// Size writes a number of bytes as people do.
func Size(n int64) string { return size(n) }
