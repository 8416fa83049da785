package report

import (
	"encoding/json"
	"strings"

	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
)

// Examples are the newest calls that broke each policy, as the record has them: masked, the oldest first. They come out
// of the record each time and are kept nowhere else.
type Examples map[string][]string

const (
	// alike is how much two texts have in common, of 1, to be one example.
	alike = .85
	// maxExample bounds an example.
	maxExample = 400
)

// most is how many examples a policy keeps: more where more is at stake.
func most(s policy.Severity) int {
	switch s {
	case policy.High, policy.Critical:
		return 10
	case policy.Medium:
		return 7
	}
	return 5
}

// Add takes the violations of a line. What is nearly the same as a kept one is dropped, and the oldest goes where there
// are too many.
func (x Examples) Add(l session.Line) {
	var fs []policy.Finding
	if l.Kind != session.KindCall || json.Unmarshal([]byte(l.Findings.String()), &fs) != nil {
		return
	}
	text := l.Input.String()
	var in struct{ Command string }
	if json.Unmarshal([]byte(text), &in) == nil && in.Command != "" {
		text = in.Command
	}
	text = strings.ToValidUTF8(text[:min(len(text), maxExample)], "")
	for _, f := range fs {
		if id, ok := strings.CutPrefix(f.Rule, "policy_"); ok && f.Lifted == "" {
			x.add(id, f.Severity, text)
		}
	}
}

func (x Examples) add(id string, s policy.Severity, text string) {
	kept := x[id]
	for _, k := range kept {
		if likeness(k, text) >= alike {
			return
		}
	}
	kept = append(kept, text)
	x[id] = kept[max(0, len(kept)-most(s)):]
}

// likeness is the share of pairs of neighbouring bytes that two texts have in common.
func likeness(a, b string) float64 {
	if a == b {
		return 1
	}
	if len(a) < 2 || len(b) < 2 {
		return 0
	}
	pairs := map[string]int{}
	for i := range len(a) - 1 {
		pairs[a[i:i+2]]++
	}
	both := 0
	for i := range len(b) - 1 {
		if p := b[i : i+2]; pairs[p] > 0 {
			pairs[p]--
			both++
		}
	}
	return 2 * float64(both) / float64(len(a)+len(b)-2)
}
