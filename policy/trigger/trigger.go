// Package trigger judges a call by the calls before it: work that goes in circles, fails or stalls, and steps that are
// harmless one by one and not together.
//
// It is pure: a session's counts, the call and a time give findings, and events give new counts. All it remembers is a
// session.State, whose size is bounded, so a verdict costs the same after ten calls as after ten thousand. A trigger
// never says that a call is harmless, and it asks at most; of the flow rules only a way round a refusal denies.
package trigger

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/effect"
	"github.com/stepgate/stepgate/redact"
)

// Call is a pending call and all that it is judged by.
type Call struct {
	agent.Call
	effect.Prediction
	AgentID string
	Root    string
	Keys    Keys
	Now     time.Time
	State   session.State
	// Confined gives the only places that the person's prompts leave to be changed, as they name them; none: anywhere. It
	// is asked where a call changes something; nil: there is nothing to read it from.
	Confined func() []string
	// TestsFirst says that the prompts want the tests run before a commit or a push. It is asked at one of those; nil as
	// above.
	TestsFirst func() bool
	// Mask makes a target what the record shows of it; never nil.
	Mask func(string) redact.Text
}

// Seen is what was found about a call.
type Seen struct {
	Findings []policy.Finding
	// Notice is a word to the person, not masked; most findings are worth none.
	Notice string

	call  *Call
	is    string
	on    []string
	spoke bool
	steps []session.Step
}

// view is a thread as it will be when the call has run.
type view struct {
	*Options
	*Call
	session.Thread
	same int // how often in a row the call came to the same, this time included
	vain int // how often in a row it looked at what changes on its own, and saw the same
	is   string
}

// trigger is one row of the table.
type trigger struct {
	rule string
	// holds says whether its cause is there, and in words what was seen.
	holds   func(v *view) (why string, ok bool)
	instead string
	// tells: it is worth a word to the person where nothing is asked.
	tells bool
	// proof: what a command that proves the work said when it failed belongs to it.
	proof bool
}

// triggers in the order in which they are told. session.repeat stands apart, as it asks where the others tell.
var triggers = [...]trigger{
	{"session.stalled", stalled, "check the work so far with a test or a build, or tell the person what is in the way", true, true},
	{"session.errors", errors, "look at what the failures have in common before the next try", true, false},
	{"session.diverging", diverging, "stop and go over the plan: the later calls fail more often than the earlier ones", true, false},
	{"session.unverified", unverified, "run the tests, a build or a linter before changing more", true, true},
	{"session.waiting", waitsOn, "say what is being waited for, and let more time go by between two looks", true, false},
	{"session.looking", onlyLooks, "say what is being looked for, and act on what was found", false, true},
	{"session.tokens", tokens, "finish what is open, or begin a new session with a summary", true, false},
}

// Judge gives what a session's past says about a call. What it gives must be told to Seen.Remember afterwards.
func (o *Options) Judge(c *Call) Seen {
	s := Seen{call: c, is: kind(o, c)}
	s.Findings = append(s.Findings, outside(o.AllowWrite, c)...)
	s.Findings = append(s.Findings, flows(c)...)
	s.steps = steps(c)
	if o.Voice == Silent {
		return s
	}
	v := &view{Options: o, Call: c, Thread: c.State.Thread(c.AgentID), is: s.is}
	s.untested(c, &v.Thread)
	v.same = sameAgain(&v.Thread, c, s.is)
	v.vain = lookedInVain(&v.Thread, c, s.is)
	advance(&v.Thread, c, s.is)
	ready := c.Now.UnixMilli()-v.Said >= o.Cooldown.Milliseconds()
	for i := range triggers {
		t := &triggers[i]
		why, holds := t.holds(v)
		switch {
		case !holds:
		case slices.Contains(v.On, t.rule):
			s.on = append(s.on, t.rule)
		case ready: // once while its cause lasts, and not on top of another
			s.on = append(s.on, t.rule)
			if t.proof {
				why += unproved(&c.State)
			}
			s.speak(o, t, why)
		}
	}
	s.repeats(o, v)
	s.beyond(o, c)
	return s
}

// unproved says how the command that proves the work ended, where it failed last.
func unproved(st *session.State) string {
	for i := range st.Steps {
		if st.Steps[i].Kind == stepUnproved {
			return "; the check that is to prove the work failed last, and ended with: " + st.Steps[i].Target.String()
		}
	}
	return ""
}

// speak makes a finding of a trigger, as loud as the preset has it.
func (s *Seen) speak(o *Options, t *trigger, why string) {
	s.spoke = true
	f := policy.Finding{Rule: t.rule, Class: policy.State, Severity: policy.Low, Action: agent.Allow, Why: why, Instead: t.instead}
	switch {
	case o.Voice == Asks:
		f.Action, f.Severity = agent.Ask, policy.Medium
	case o.Voice == Tell && t.tells && s.Notice == "":
		s.Notice = why
	}
	s.Findings = append(s.Findings, f)
}

// repeats speaks up about a call that comes to nothing again and again. It does so at each such call: the next one is
// as useless as this one.
func (s *Seen) repeats(o *Options, v *view) {
	if v.same < o.Repeats {
		return
	}
	f := policy.Finding{Rule: Repeat, Class: policy.State, Severity: policy.Low, Action: agent.Allow,
		Why:     "this call was made " + times(v.same-1) + " with the same result and nothing changed in between",
		Instead: "change something first, or tell the person what is in the way and how the plan should go on"}
	if v.same > o.Repeats {
		f.Action, f.Severity = agent.Ask, policy.Medium
	}
	s.Findings = append(s.Findings, f)
}

// Repeat is the rule about a call that comes to nothing again and again.
const Repeat = "session.repeat"

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return strconv.Itoa(n) + " times"
}

func stalled(v *view) (string, bool) {
	worked := time.Duration(v.Now.UnixMilli()-v.State.Since) * time.Millisecond
	if v.State.Since == 0 || worked <= v.StallAfter || v.State.Turns <= v.StallTurns {
		return "", false
	}
	return "work has gone on for " + strconv.Itoa(int(worked.Minutes())) + " minutes and " + strconv.Itoa(v.State.Turns) +
		" prompts, and no test, build or commit has succeeded since", true
}

func errors(v *view) (string, bool) {
	if len(v.Results) == 0 || v.Ended < v.ErrorCalls || rate(v.Results) <= v.ErrorRate || recovers(v.Results) {
		return "", false
	}
	return strconv.Itoa(strings.Count(v.Results, failed)) + " of the last " + strconv.Itoa(len(v.Results)) + " calls failed", true
}

func diverging(v *view) (string, bool) {
	n := len(v.Results)
	if n < 6 || v.Ended < session.MaxResults || rate(v.Results) <= .5 || recovers(v.Results) || rate(v.Results[n/2:]) <= rate(v.Results[:n/2]) {
		return "", false
	}
	return "calls fail more and more: " + strconv.Itoa(strings.Count(v.Results, failed)) + " of the last " + strconv.Itoa(n), true
}

func unverified(v *view) (string, bool) {
	return strconv.Itoa(v.Writes) + " changes in a row and no test, build or linter in between", v.Writes >= v.Unverified
}

// weary is how many looks at what changes on its own may show the same before it is worth a word.
const weary = 20

func waitsOn(v *view) (string, bool) {
	return "the same was looked at " + strconv.Itoa(v.vain-1) + " times without a pause, and nothing has changed", v.vain > weary
}

func onlyLooks(v *view) (string, bool) {
	return strconv.Itoa(v.Thread.Looks) + " calls in a row that only look", v.Thread.Looks >= v.Options.Looks
}

func tokens(v *view) (string, bool) {
	share := float64(v.State.Tokens) / float64(max(1, v.TokenBudget))
	return "the session holds " + strconv.Itoa(v.State.Tokens) + " tokens, " + strconv.Itoa(int(share*100)) + " % of the " + strconv.Itoa(v.TokenBudget) + " it has",
		v.TokenBudget > 0 && share > v.TokenShare
}

// Letters of session.Thread.Results.
const (
	succeeded = "s"
	failed    = "e"
)

// ceased stands for both in session.Run.Result where what was looked at has ended.
const ceased = "o"

func rate(results string) float64 {
	return float64(strings.Count(results, failed)) / float64(max(1, len(results)))
}

// recovers says that the newest results are good again after bad ones.
func recovers(results string) bool {
	return len(results) >= 5 && strings.Contains(results, failed) && strings.HasSuffix(results, succeeded+succeeded+succeeded)
}
