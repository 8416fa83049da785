package hook

import (
	"strconv"
	"strings"

	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/effect"
	"github.com/stepgate/stepgate/policy/rulebook"
	"github.com/stepgate/stepgate/redact"
	"github.com/stepgate/stepgate/verifier"
)

// Shadow is a configuration that is tried beside the one in force: it sees the same call, facts and answers, what it
// decides is recorded, and nothing follows from it.
type Shadow struct {
	Policy policy.Options
	Book   rulebook.Book
	// Config is the hash of its settings.
	Config string
}

// ruling holds a call against the policies in force, and against those of the shadow.
type ruling struct {
	g     *Gate
	s     Situation
	p     effect.Prediction
	world *effect.World
	found []policy.Finding // of rules and triggers
	hits  []rulebook.Hit
}

func (g *Gate) ruling(s Situation, p effect.Prediction, w *effect.World, found []policy.Finding) ruling {
	return ruling{g, s, p, w, found[:len(found):len(found)], g.Book.Match(s.Call, p, w)}
}

// findings are all there are beside the judge's own: of rules and triggers, and of policies as far as the answers tell;
// without what a person allowed.
func (r *ruling) findings(v *verifier.Verdict) []policy.Finding {
	out := append(r.found, r.g.Book.Findings(r.hits, answersOf(v), r.g.Policy.FlagAbove)...)
	rulebook.Lift(out, r.g.allowed, r.p, r.world)
	return out
}

// shadow is what the other configuration makes of the same case; nil where there is none.
func (r *ruling) shadow(c policy.Case) *session.Shadow {
	o := r.g.Shadow
	if o == nil {
		return nil
	}
	c.Findings = append(r.found, o.Book.Findings(o.Book.Match(r.s.Call, r.p, r.world), answersOf(c.Verdict), o.Policy.FlagAbove)...)
	rulebook.Lift(c.Findings, r.g.allowed, r.p, r.world)
	d := policy.Decide(o.Policy, c)
	return &session.Shadow{Would: d.Would.String(), By: d.Setting, Risk: d.Risk, Config: o.Config}
}

func answersOf(v *verifier.Verdict) *verifier.Answers {
	if v == nil {
		return nil
	}
	return &v.Answers
}

// allowed reads what a person silenced for good. A list that cannot be read silences nothing.
func (g *Gate) allowed() []rulebook.Allowed {
	if g.Allowed == nil {
		return nil
	}
	list, err := g.Allowed()
	if err != nil {
		g.Complain(err)
	}
	return list
}

// settled says that no judge can lower what was found: a hard rule, or policies that weigh too much already.
func (r *ruling) settled(known []policy.Finding) bool {
	return hard(known) || policy.Risk(known) > r.g.Policy.Tau
}

// ask adds to a request the questions about policies, and the outlook where policies are to be weighed.
func (r *ruling) ask(q *verifier.Request) {
	if r.g.Remote == nil { // the built-in judge answers neither
		return
	}
	q.Policies, _ = r.g.policies(r.s.Mask)
	q.Outlook = r.g.Book.Own || len(r.hits) > 0 || r.g.Shadow != nil
}

// policies are the questions about the policies in words, the shadow's after those in force; left is how many have no
// room in one request.
func (g *Gate) policies(mask *redact.Masker) (ask []verifier.Policy, left int) {
	add := func(b *rulebook.Book) {
		asked, over := b.Asked()
		left += over
		for _, p := range asked {
			text := mask.String(p.Question()).Line()
			if len(text.String()) > verifier.MaxDescription { // masks can be longer than what they stand for
				text = text.Cut(redact.Limits{Head: verifier.MaxDescription - 100})
			}
			ask = append(ask, verifier.Policy{ID: p.ID, Description: text, Project: p.Project})
		}
	}
	add(&g.Book)
	if g.Shadow != nil {
		own := len(ask)
		add(&g.Shadow.Book)
		ask = append(ask[:own], without(ask[own:], ask[:own])...)
	}
	fit := verifier.Fit(ask)
	return ask[:fit], left + len(ask) - fit
}

// without leaves out the policies that are asked already.
func without(more, asked []verifier.Policy) []verifier.Policy {
	var out []verifier.Policy
	for _, p := range more {
		known := false
		for _, a := range asked {
			known = known || a.ID == p.ID
		}
		if !known {
			out = append(out, p)
		}
	}
	return out
}

// policyNotes say at a session's start which policies are not held against calls.
func (g *Gate) policyNotes(mask *redact.Masker) []string {
	ask, left := g.policies(mask)
	switch {
	case len(ask)+left > 0 && g.Remote == nil:
		return []string{strconv.Itoa(len(ask)+left) + " policies are in words alone, which judge = " + g.Judge + " cannot weigh; give them a when, or set a remote judge"}
	case left > 0:
		return []string{strconv.Itoa(left) + " policies have no room in the judge's request and are not asked about; the gravest are"}
	}
	return nil
}

// join puts two texts into one line; either may be empty.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// faultNotice tells a person once that policies do not hold since they cannot be read: when the call before knew
// nothing of it.
func (g *Gate) faultNotice(mem session.Memory) string {
	if g.PolicyFault == "" {
		return ""
	}
	lines := mem.Lines()
	for i := len(lines) - 1; i >= 0; i-- {
		if l := lines[i]; l.Kind == session.KindCall {
			if strings.Contains(l.Failure.String(), "policy file") {
				return ""
			}
			break
		}
	}
	return "stepgate: " + g.PolicyFault + "; its policies do not hold (stepgate policy lint)"
}
