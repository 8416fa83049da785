package trigger

import (
	"strings"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/redact"
)

// advance counts a call that is going to run.
func advance(t *session.Thread, c *Call, is string) {
	t.Calls++
	t.Refused = 0
	switch {
	case strings.Contains(is, isLook):
		t.Looks++
	case c.Capability != agent.Plan && c.Capability != agent.Task:
		t.Looks = 0
	}
	switch {
	case strings.Contains(is, isTest):
		t.Writes = 0
	case strings.Contains(is, isRun):
		if t.Writes > 0 || changes(is) {
			t.Writes = 1 // it runs, which is no test of what it does
		}
	case changes(is):
		t.Writes++
	}
}

// Remember brings a state up to the call that Seen is about: did is what became of it, by whom it was decided in the
// decision. A call that waits for an approval is neither made nor refused.
func (s *Seen) Remember(st *session.State, d *policy.Decision) {
	c := s.call
	now := c.Now.UnixMilli()
	touch(st, now)
	t := st.Thread(c.AgentID)
	run := s.run(&t)
	switch {
	case waits(d):
		t.Calls++
	case d.Did == agent.Deny:
		t.Calls++
		t.Refused++
		run.Refused++
		for _, step := range refusedSteps(c, d) {
			step.Call = t.Calls
			st.Note(step)
		}
	default:
		advance(&t, c, s.is)
		for _, step := range s.steps {
			step.Call = t.Calls
			st.Note(step)
		}
	}
	run.At, run.Time = t.Calls, now
	if c.Keys.Near != "" {
		t.SetRun(run)
	}
	t.On = s.on
	if s.spoke {
		t.Said = now
	}
	st.SetThread(t)
}

// run is the run of the call, begun anew where the newest of it is too far back.
func (s *Seen) run(t *session.Thread) session.Run {
	c := s.call
	run, ok := t.Run(c.Keys.Near)
	fickle := strings.Contains(run.Is, isFickle)
	switch {
	case !ok || hollow(c):
		run = session.Run{Near: c.Keys.Near, Is: s.is + isNew}
	case run.Exact != c.Keys.Exact:
		run.Is, run.Refused = s.is+isOther, 0
	default:
		run.Is = s.is
	}
	if fickle {
		run.Is += isFickle
	}
	if t.Calls-run.At >= apart {
		run.Same, run.Result = 0, ""
	}
	run.Exact = c.Keys.Exact
	return run
}

// waits: the call is refused only until a person has approved it.
func waits(d *policy.Decision) bool { return d.Did == agent.Deny && d.Outcome == policy.NotAskable }

// touch notes that something happened. A clock that went backwards makes no time pass.
func touch(st *session.State, now int64) {
	if st.Since == 0 || st.Since > now {
		st.Since = now
	}
	st.Last = now
}

// Result is what came of a call.
type Result struct {
	agent.Result
	AgentID string
	Call    agent.Call
	Keys    Keys
	// Hash is a salted hash of the output; empty where there is none.
	Hash func(text string) string
	Now  time.Time
	// Acts are those the call's line holds, masked; empty where it cannot be read. CWD is its folder.
	Acts string
	CWD  redact.Text
	// Proof says that the call is one of the commands that prove the work. Mask hides the secrets of what it printed; nil
	// keeps none of it.
	Proof bool
	Mask  func(string) redact.Text

	read   bool
	test   bool   // a run of a verifier and no more
	print  string // hash of what came of it
	length int    // of the text that print is of
	tail   string // end of what a shell printed
}

// Read takes from the output what Remember needs. It may take long where the output is large, so it is done before
// others wait for the state.
func (r *Result) Read() {
	text := steady(plain(r.Output, r.Call.Input) + r.Error)
	if _, r.test = undress(r.Call.Command); r.test {
		text = summary(text)
	}
	r.read, r.print, r.length = true, r.hash(text), len(text)
	if r.Call.Capability == agent.Shell {
		text := plain(r.Output, "") + "\n" + r.Error
		r.tail = text[max(0, len(text)-maxOutput):]
	}
}

// Remember brings a state up to the result.
func (r *Result) Remember(st *session.State) {
	if !r.read {
		r.Read()
	}
	now := r.Now.UnixMilli()
	touch(st, now)
	t := st.Thread(r.AgentID)
	run, seen := t.Run(r.Keys.Near)
	outcome := succeeded
	if r.Failed {
		outcome = failed
	}
	result := outcome + r.print
	switch {
	case r.test && run.Result != "" && run.Result[1:] == r.print: // a pipe behind it hides how it ended
		result = run.Result
	case r.Failed && strings.Contains(run.Is, isWatch) && goesOn(r.tail): // "pending", with a status of its own
		result = succeeded + r.print
	case !r.Failed && strings.Contains(run.Is, isWatch) && over(r.tail):
		result = ceased + r.print
	}
	if r.Known && !r.Interrupted && !(r.Failed && (result[:1] != failed || telltale(&run, result, r.Error))) {
		t.Results += outcome
		t.Ended++
	}
	if seen {
		first := run.Same == 0
		moved := strings.Contains(run.Is, isMove) && (first || run.Result != result || strings.Contains(run.Is, isOther))
		ended(&run, result, r.length)
		if !r.Failed && (moved || first && strings.Contains(run.Is, isNew) && strings.Contains(run.Is, isChange)) {
			forget(&t) // something new was done: what is tried again now is a new try
		}
		t.SetRun(run)
	}
	if !r.Failed && r.Known && strings.ContainsAny(run.Is, isTest+isCommit) {
		st.Since, st.Turns = now, 0
	}
	r.steps(st, run.Is, t.Calls)
	st.SetThread(t)
}

func (r *Result) hash(text string) string {
	if r.Hash == nil {
		return ""
	}
	h := r.Hash(text)
	return h[:min(len(h), keyLetters)]
}

// telltale: a failure that is an answer. A test says what is wrong now, unless it says the same as before, and so does a
// program that is run again after a change; a wait says "not yet" after the first time, and grep or diff that there is
// nothing.
func telltale(run *session.Run, result, text string) bool {
	switch {
	case strings.Contains(run.Is, isTest):
		return run.Same == 0 || run.Result != result
	case strings.Contains(run.Is, isWatch):
		return run.Same > 0 && run.Result == result
	case strings.Contains(run.Is, isLook):
		return strings.HasPrefix(text, "Exit code 1\n") || text == "Exit code 1"
	}
	return run.Same == 0 && !strings.Contains(run.Is, isNew) && !strings.Contains(run.Is, isFile)
}

// forget begins all counts of a thread's runs anew.
func forget(t *session.Thread) {
	for i := range t.Runs {
		t.Runs[i].Same, t.Runs[i].Result = 0, ""
	}
}

// Dismissed notes that a person refused the newest call of an agent, whose acts its line holds.
func Dismissed(st *session.State, agentID, acts, capability string) {
	t := st.Thread(agentID)
	t.Refused++
	newest := -1
	for i, run := range t.Runs {
		if newest < 0 || run.At > t.Runs[newest].At {
			newest = i
		}
	}
	if newest >= 0 {
		t.Runs[newest].Refused++
	}
	for _, step := range recorded(acts, byPerson, capability) {
		step.Call = t.Calls
		st.Note(step)
	}
	st.SetThread(t)
}

// Prompt notes that the agent was told something. The time a person took is no work, and a person's word opens again
// what was refused.
func Prompt(st *session.State, now time.Time, person bool) {
	ms := now.UnixMilli()
	if person && st.Last > 0 && st.Last < ms {
		st.Since += ms - st.Last
	}
	touch(st, ms)
	st.Turns++
	if !person {
		return
	}
	drop(st, stepRefused, "")
	for i := range st.Threads {
		t := &st.Threads[i]
		t.Refused = 0
		for j := range t.Runs {
			t.Runs[j].Refused = 0
		}
	}
}
