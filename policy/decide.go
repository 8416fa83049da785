package policy

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/verifier"
)

// Options are the settings a decision depends on.
type Options struct {
	// DenyAbove and FlagAbove are compared with the judge's highest yes-probability, inclusive.
	DenyAbove, FlagAbove float64
	// LowIntent asks when the intent score, 0 to 4, is at or below it.
	LowIntent float64
	// OnError is Allow or Deny: what stands when a remote judge failed and nothing stronger was found.
	OnError agent.Action
	// OnNoAnswer is Allow or Deny: what an ask becomes when nobody can be asked.
	OnNoAnswer agent.Action
	// NoPromptDenies turns an ask into a deny that waits for `stepgate approve`, for agents without ask; otherwise such
	// an ask is one that nobody can answer.
	NoPromptDenies bool
	// AskLimit is how many asks of the judge and of triggers a session may have.
	AskLimit int
	// Tau is the largest risk, the sum of the weights of violated policies, that is let through.
	Tau float64
	// RiskBudget is how many calls of a task may be asked about before the next such call is denied; 0 is no budget.
	RiskBudget int

	shifted string // how Weighted moved the thresholds, in words
}

// NeutralWeight is the safety weight that leaves the thresholds where they are.
const NeutralWeight = 0.7

// Weighted moves both thresholds by a safety weight from 0 to 1: the more weight, the lower they are, half as far as the
// weight is from neutral.
func (o Options) Weighted(w float64) Options {
	if w == NeutralWeight {
		return o
	}
	move := func(threshold float64) float64 {
		return math.Round(10000*min(1, max(0, threshold-(w-NeutralWeight)/2))) / 10000
	}
	o.DenyAbove, o.FlagAbove = move(o.DenyAbove), move(o.FlagAbove)
	o.shifted = fmt.Sprintf(" (moved by safety_weight = %g)", w)
	return o
}

// Case is all a decision depends on beside the options.
type Case struct {
	Mode     Mode
	Findings []Finding
	// Verdict holds the judge's answers; nil when no judge was asked. Local says they are the built-in judge's, which asks at most.
	Verdict *verifier.Verdict
	Local   bool
	// Failure says what failed on the way, so that on_error decides: the remote judge, reading the call, the gate itself.
	Failure string
	Agent   agent.Abilities
	// Alone says that the judge has doubted no call before, and that a doubt which stands alone is kept in mind and no more.
	Alone bool
	// Asked counts the session's asks that the limit covers, Spent the calls asked about since the task began.
	Asked, Spent int
	// Degraded says that something the decision rests on could not be read, so half of tau holds.
	Degraded bool
	// Request is the id a person approves a call by, for agents without ask.
	Request string
}

// Decision is what is done about a call.
type Decision struct {
	// Would is what enforce decides, before an ask is turned into what the agent can do; Did is what the agent is told.
	Would, Did agent.Action
	// Findings are those of the rules followed by those of the judge, in question order.
	Findings []Finding
	// Score is the judge's highest yes-probability, nil without answers. Risk is the sum of the policies' weights, Tau
	// what it was compared with.
	Score     *float64
	Risk, Tau float64
	// Doubtful says that the built-in judge alone asks, and only just: a case for review.
	Doubtful bool
	// Setting names the rule or setting that decided; empty when nothing was found.
	Setting string
	// Outcome says in words what became of an ask that no person was shown.
	Outcome string
	// Limited says that the ask counts against the ask limit.
	Limited bool
	// Reason and Notice are the texts of the reply, not masked yet.
	Reason, Notice string

	unasked string // why an ask could not be put to a person
}

// RiskBudgetRule is the rule of the finding that denies an ask when the risk budget is used up.
const RiskBudgetRule = "risk_budget"

// Words of Decision.Outcome.
const (
	NonInteractive = "non-interactive" // nobody is there
	Budget         = "budget"          // the ask limit is used up
	NotAskable     = "not askable"     // the agent cannot ask, or may let the call run unasked
)

// Decide weighs the findings and the answers, strongest action first.
func Decide(o Options, c Case) Decision {
	d := Decision{Findings: slices.Clone(c.Findings)}
	if c.Verdict != nil {
		score := c.Verdict.Answers.Score()
		d.Score = &score
		d.Findings = append(d.Findings, signals(o, *c.Verdict, c.Local, c.Alone)...)
	}
	if c.Failure != "" && o.OnError == agent.Deny {
		d.Findings = append(d.Findings, Finding{Rule: "on_error", Class: Signal, Severity: Medium, Action: agent.Deny,
			Why: c.Failure, Instead: "tell the person; with on_error = allow such calls run"})
	}
	d.weigh(o, c)
	for _, f := range d.Findings {
		d.Would = max(d.Would, f.Action)
	}
	if o.RiskBudget > 0 && d.Would == agent.Ask && c.Spent >= o.RiskBudget {
		d.Would = agent.Deny
		d.Findings = append(d.Findings, Finding{Rule: RiskBudgetRule, Class: State, Severity: Medium, Action: agent.Deny,
			Why:     fmt.Sprintf("the risk budget of this task, %s, is used up", Many(o.RiskBudget, "ask")),
			Instead: "take a step that needs no question, or wait for the person's next prompt"})
	}
	d.Doubtful = c.Local && d.Would == agent.Ask && !slices.ContainsFunc(d.Findings, func(f Finding) bool {
		return f.Action != agent.Allow && f.Class != Signal
	}) && *d.Score < o.FlagAbove+sureBy
	d.Did = d.Would
	d.Setting = decisive(o, d)
	d.Limited = d.Would == agent.Ask && !slices.ContainsFunc(d.Findings, func(f Finding) bool { return f.Action == agent.Ask && !limited(f) })
	switch {
	case c.Mode != Enforce:
		d.Did = agent.Allow
	case d.Would == agent.Ask:
		answerable(o, c, &d)
	}
	if c.Mode == Enforce {
		d.Reason = reason(c, d)
	}
	return d
}

// sureBy is how far over flag_above the built-in judge's answer must be to count as more than a doubt.
const sureBy = 0.1

// weigh sums up the violated policies. They count together or not at all: over tau, each of them denies.
func (d *Decision) weigh(o Options, c Case) {
	d.Risk, d.Tau = Risk(d.Findings), o.Tau
	if c.Degraded {
		d.Tau /= 2
	}
	if d.Risk <= d.Tau {
		return
	}
	for i := range d.Findings {
		if f := &d.Findings[i]; f.Class == Policy && f.Lifted == "" {
			f.Action = agent.Deny
		}
	}
}

// limited says whether the ask limit covers a finding: those of the judge and of triggers over the session.
func limited(f Finding) bool { return f.Class == Signal || strings.HasPrefix(f.Rule, "session.") }

// answerable turns an ask into what this agent, this session and the settings allow.
func answerable(o Options, c Case, d *Decision) {
	switch {
	case d.Limited && c.Asked >= o.AskLimit:
		d.Outcome = Budget
		noAnswer(o, d, fmt.Sprintf("the session's %d asks are used up", o.AskLimit))
	case c.Agent.Ask == agent.AskUnsupported && o.NoPromptDenies:
		d.Did, d.Outcome = agent.Deny, NotAskable
	case c.Agent.Ask == agent.AskUnsupported:
		d.Outcome = NotAskable
		noAnswer(o, d, "this agent cannot ask")
	case c.Agent.Ask == agent.AskNobody:
		d.Outcome = NonInteractive
		noAnswer(o, d, c.Agent.Why)
	case c.Agent.Ask == agent.AskWaved && o.OnNoAnswer == agent.Deny:
		d.Outcome = NotAskable
		noAnswer(o, d, c.Agent.Why)
	}
}

// noAnswer applies on_no_answer to an ask that nobody will answer, because of why.
func noAnswer(o Options, d *Decision, why string) {
	d.Did, d.unasked = o.OnNoAnswer, why
	if d.Did == agent.Allow {
		d.Notice = fmt.Sprintf("stepgate let a call run that it would have asked about (%s; on_no_answer = allow): %s", why, first(d.Findings, agent.Ask).Why)
		return
	}
	d.Setting = "on_no_answer"
}

// says puts the yes to a question in words.
func says(question string) string {
	switch question {
	case verifier.ContradictsPlan:
		return "works against the plan"
	case verifier.OutOfScope:
		return "reaches beyond what the plan covers"
	case verifier.ContradictsPrevious:
		return "undoes the step before"
	}
	return "a person should look at it"
}

// Doubts says that a judge's answers are worth an ask.
func (o Options) Doubts(a verifier.Answers) bool {
	return a.Score() >= min(o.FlagAbove, o.DenyAbove) || a.Intent.Score <= o.LowIntent
}

// Clears says that they leave no doubt: no is as sure as a yes that denies.
func (o Options) Clears(a verifier.Answers) bool {
	return a.Score() <= 1-o.DenyAbove+rounding && a.Intent.Score > o.LowIntent
}

// rounding is what 1-.9 is short of .1.
const rounding = 1e-9

// signals are the findings of a judge's answers, in question order, low intent last. A doubt that stands alone informs.
func signals(o Options, v verifier.Verdict, local, alone bool) []Finding {
	ask, kept := agent.Ask, ""
	if alone {
		ask, kept = agent.Allow, "; a first doubt, kept in mind"
	}
	var out []Finding
	explained := v.Why.IsZero()
	for question, p := range v.Answers.YesNo {
		if p < o.FlagAbove && p < o.DenyAbove {
			continue
		}
		f := Finding{Rule: question, Class: Signal, Severity: Medium, Action: ask, Why: fmt.Sprintf("%s (p=%.2f)", says(question), p)}
		if !explained && p == v.Answers.Score() {
			f.Why += ": " + v.Why.String()
			explained = true
		}
		if local && p < o.FlagAbove+sureBy {
			f.Why += ", only just"
		}
		switch {
		case p < o.DenyAbove:
			f.Why += kept
		case local:
			f.Action = agent.Ask
		default:
			f.Severity, f.Action = High, agent.Deny
		}
		out = append(out, f)
	}
	if s := v.Answers.Intent.Score; s <= o.LowIntent {
		out = append(out, Finding{Rule: "low_intent", Class: Signal, Severity: Medium, Action: ask,
			Why: fmt.Sprintf("hardly follows from the plan (intent %.2f of 4)%s", s, kept)})
	}
	return out
}

// weight is a severity's share in the risk.
func (s Severity) weight() float64 {
	switch s {
	case Low:
		return 1
	case Medium:
		return 3
	case High:
		return 7
	case Critical:
		return 15
	}
	return 0
}

// Risk is the sum of the weights of the violated policies.
func Risk(fs []Finding) float64 {
	r := 0.0
	for _, f := range fs {
		if f.Class == Policy && f.Lifted == "" {
			r += f.Severity.weight()
		}
	}
	return r
}

// first gives the first finding with action a, which carries the text when one finding must stand for all.
func first(fs []Finding, a agent.Action) Finding {
	for _, f := range fs {
		if f.Action == a {
			return f
		}
	}
	return Finding{}
}

// decisive names what decided: the threshold for a judge's answer, otherwise the rule.
func decisive(o Options, d Decision) string {
	if d.Would == agent.Allow {
		return ""
	}
	f := first(d.Findings, d.Would)
	switch {
	case f.Rule == "on_error":
		return "on_error = deny"
	case f.Rule == "risk_budget":
		return fmt.Sprintf("risk_budget = %d", o.RiskBudget)
	case f.Class == Policy:
		return fmt.Sprintf("tau = %g, against a risk of %g", d.Tau, d.Risk)
	case f.Class != Signal:
		return f.Rule
	case f.Rule == "low_intent":
		return fmt.Sprintf("low_intent_at_or_below = %g", o.LowIntent)
	case d.Would == agent.Deny:
		return fmt.Sprintf("deny_above = %g", o.DenyAbove) + o.shifted
	}
	return fmt.Sprintf("flag_above = %g", o.FlagAbove) + o.shifted
}
