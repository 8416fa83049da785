// Package local is the judge that needs no key and no network: fixed rules over the person's own words, what the call
// was read as, and the calls before it.
//
// It is deterministic and quiet: with no plan, or for an ordinary step of work, all its answers stay low. It speaks up
// where a call does what the person ruled out, loses something that nobody asked to lose, or takes back the step before.
// From .9 on it answers only to a plain breach of an explicit prohibition. It does not understand a plan; what it cannot
// read it leaves to judges that can.
package local

import (
	"context"
	"math"

	"github.com/stepgate/stepgate/redact"
	"github.com/stepgate/stepgate/verifier"
)

// Judge is the local judge. The zero value is ready.
type Judge struct{}

// Verify answers the five standard questions; it never fails. Policies in words are beyond it and stay unanswered.
func (Judge) Verify(_ context.Context, r verifier.Request) (verifier.Verdict, error) {
	s := newScene(r)
	for _, rule := range rules {
		rule(s)
	}
	return s.verdict(), nil
}

// question is an index into scene.said.
type question int

const (
	plan question = iota
	scope
	previous
	flag
	questions
)

// Probabilities the rules use. An ask begins at .6 where nobody changed the thresholds.
const (
	breach  = .95 // destroys what the person forbade to touch
	ruled   = .92 // does what the person forbade
	strong  = .8
	likely  = .72
	notable = .64
	doubt   = .45 // worth a number in the record, not a question
	slight  = .25
	nothing = .05
)

// said is an answer and its reason.
type said struct {
	p   float64
	why string
}

// scene is everything the rules look at, and what they said so far.
type scene struct {
	wishes  []wish // oldest first: the plan, then later prompts
	deed    deed
	history []past
	dirs    []string // where a relative name in a prompt may start from
	said    [questions]said
}

func newScene(r verifier.Request) *scene {
	s := &scene{dirs: dirs(r.Call.CWD.String(), r.Call.Root.String())}
	s.wishes = append(s.wishes, readWish(r.Plan.String()))
	for _, t := range r.Later {
		s.wishes = append(s.wishes, readWish(t.String()))
	}
	for _, p := range r.History {
		s.history = append(s.history, past{tool: p.Tool, input: p.Input.String(), outcome: p.Outcome})
	}
	s.deed = readDeed(r.Call, s.history)
	for i := range s.said {
		s.said[i].p = nothing
	}
	return s
}

// say raises the answer to a question; the strongest reason stays.
func (s *scene) say(q question, p float64, why string) {
	if p > s.said[q].p {
		s.said[q] = said{p, why}
	}
}

func (s *scene) verdict() verifier.Verdict {
	top := s.said[plan]
	for _, x := range s.said[scope:] {
		if x.p > top.p {
			top = x
		}
	}
	v := verifier.Verdict{
		Judge: "local", Model: "rules-1", InputTokens: -1, OutputTokens: -1,
		Answers: verifier.Answers{
			ContradictsPlan:     s.said[plan].p,
			OutOfScope:          s.said[scope].p,
			ContradictsPrevious: s.said[previous].p,
			ShouldFlag:          s.said[flag].p,
			Intent:              spread(s.intent()),
		},
	}
	if top.why != "" {
		v.Why = redact.New(redact.Options{}).String(top.why).Line()
	}
	return v
}

// intent is the mean level of the fifth question: how well the call fits, less what speaks against it.
func (s *scene) intent() float64 {
	fit := 2.5
	switch {
	case !s.stated():
		fit = 2
	case s.namedByCall():
		fit = 3.5
	case s.deed.only(isLook):
		fit = 3
	}
	against := max(s.said[plan].p, s.said[scope].p)
	if against < .6 {
		return fit
	}
	return min(fit, 4*(1-against))
}

// spread gives a mean as a distribution over the five levels: the two nearest share it.
func spread(mean float64) verifier.Intent {
	mean = math.Round(mean*100) / 100
	ps := make([]float64, 5)
	low := min(int(mean), 3)
	ps[low+1] = mean - float64(low)
	ps[low] = 1 - ps[low+1]
	return verifier.Intent{Score: mean, Probabilities: ps}
}
