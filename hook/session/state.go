package session

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/internal/jsonw"
	"github.com/stepgate/stepgate/redact"
)

// Bounds of a State, so that it costs the same after ten calls as after ten thousand.
const (
	MaxThreads = 4
	MaxRuns    = 6
	MaxSteps   = 12
	MaxResults = 10
)

// State is what a verdict needs to know of the calls before: counts, not calls. It travels in the totals of every line.
type State struct {
	// Turns counts the prompts since Since, which is when the work began that nothing has verified yet; Last is the
	// newest event. Both are in milliseconds since 1970.
	Turns int   `json:"turns,omitempty"`
	Since int64 `json:"since,omitempty"`
	Last  int64 `json:"last,omitempty"`
	// Tokens are those of the newest model message whose use is known.
	Tokens int `json:"tokens,omitempty"`
	// Threads are the main thread and the subagents that called last, the newest last.
	Threads []Thread `json:"threads,omitempty"`
	// Steps are what later calls are looked at for, oldest first.
	Steps []Step `json:"steps,omitempty"`
}

// Thread is what one agent did: the main one, or a subagent.
type Thread struct {
	AgentID string `json:"agent_id,omitempty"`
	Calls   int    `json:"calls,omitempty"`
	// Results are the newest outcomes, oldest first: s for a success, e for an error. Ended counts all there were.
	Results string `json:"results,omitempty"`
	Ended   int    `json:"ended,omitempty"`
	// Looks are calls in a row that only looked, Writes changes of files since the last verification, Refused calls in
	// a row that were refused.
	Looks   int `json:"looks,omitempty"`
	Writes  int `json:"writes,omitempty"`
	Refused int `json:"refused,omitempty"`
	// On are the triggers that have spoken and whose cause still holds; Said is when one spoke last.
	On   []string `json:"on,omitempty"`
	Said int64    `json:"said,omitempty"`
	// Runs are the calls that were made lately, near-equal ones together.
	Runs []Run `json:"runs,omitempty"`
}

// Run is one call, however often it was made.
type Run struct {
	// Near is equal for near-equal calls, Exact tells the newest of them; both are salted.
	Near  string `json:"near"`
	Exact string `json:"exact"`
	// Same counts runs in a row that ended in the same way, which Result is a salted hash of.
	Same   int    `json:"same,omitempty"`
	Result string `json:"result,omitempty"`
	// Refused counts how often this very call was refused.
	Refused int `json:"refused,omitempty"`
	// At is the number of the thread's call that was the newest, Time when that was.
	At   int   `json:"at,omitempty"`
	Time int64 `json:"time,omitempty"`
	// Is says in letters what kind of call it is; package trigger gives them their meaning.
	Is string `json:"is,omitempty"`
}

// Step is something that a call did, or was kept from doing, which gives a later call its meaning.
type Step struct {
	Kind   string      `json:"kind"`
	Target redact.Text `json:"target,omitzero"`
	// Detail says more in a word of the kind's own, By which kind of tool it was.
	Detail string `json:"detail,omitempty"`
	By     string `json:"by,omitempty"`
	// Call is the number of the session's call.
	Call int `json:"call,omitempty"`
}

// Thread gives the thread of an agent id, a new one if there is none.
func (s *State) Thread(agentID string) Thread {
	agentID = safeName(agentID)
	for _, t := range s.Threads {
		if t.AgentID == agentID {
			return t
		}
	}
	return Thread{AgentID: agentID}
}

// SetThread puts a thread in place, as the newest. The main thread is never the one that has to go.
func (s *State) SetThread(t Thread) {
	t.AgentID = safeName(t.AgentID)
	kept := s.Threads[:0]
	for i := range s.Threads {
		if s.Threads[i].AgentID != t.AgentID {
			kept = append(kept, s.Threads[i])
		}
	}
	s.Threads = append(kept, t)
	s.bound()
}

// Note adds a step; one that is there already becomes the newest.
func (s *State) Note(step Step) {
	kept := s.Steps[:0]
	for _, o := range s.Steps {
		if o.Kind != step.Kind || o.Target != step.Target || o.Detail != step.Detail {
			kept = append(kept, o)
		}
	}
	s.Steps = newest(append(kept, step), MaxSteps)
}

// Run gives the run of near-equal calls, if the thread has it.
func (t *Thread) Run(near string) (Run, bool) {
	for _, r := range t.Runs {
		if r.Near == near && near != "" {
			return r, true
		}
	}
	return Run{}, false
}

// SetRun puts a run in place, as the newest.
func (t *Thread) SetRun(r Run) {
	kept := t.Runs[:0]
	for i := range t.Runs {
		if t.Runs[i].Near != r.Near {
			kept = append(kept, t.Runs[i])
		}
	}
	t.Runs = newest(append(kept, r), MaxRuns)
}

// bound keeps the lists to what a line carries, whatever a file says.
func (s *State) bound() {
	for len(s.Threads) > MaxThreads {
		if s.Threads[0].AgentID == "" { // it takes the place of the one that goes
			s.Threads[0], s.Threads[1] = s.Threads[1], s.Threads[0]
		}
		s.Threads = s.Threads[1:]
	}
	s.Steps = newest(s.Steps, MaxSteps)
	for i := range s.Threads {
		t := &s.Threads[i]
		t.Runs = newest(t.Runs, MaxRuns)
		t.On = newest(t.On, MaxRuns)
		t.Results = t.Results[max(0, len(t.Results)-MaxResults):]
	}
}

// clone copies the state so that nothing is shared.
func (s State) clone() State {
	s.Threads, s.Steps = slices.Clone(s.Threads), slices.Clone(s.Steps)
	for i := range s.Threads {
		t := &s.Threads[i]
		t.On, t.Runs = slices.Clone(t.On), slices.Clone(t.Runs)
	}
	return s
}

// IsZero lets omitzero leave an empty State out.
func (s State) IsZero() bool {
	return s.Turns == 0 && s.Since == 0 && s.Last == 0 && s.Tokens == 0 && len(s.Threads)+len(s.Steps) == 0
}

func (s *State) append(b []byte) []byte {
	o := jsonw.Begin(b)
	o.OptInt("turns", int64(s.Turns))
	o.OptInt("since", s.Since)
	o.OptInt("last", s.Last)
	o.OptInt("tokens", int64(s.Tokens))
	list(&o, "threads", s.Threads, (*Thread).append)
	list(&o, "steps", s.Steps, (*Step).append)
	return o.End()
}

func (t *Thread) append(b []byte) []byte {
	o := jsonw.Begin(b)
	o.OptStr("agent_id", t.AgentID)
	o.OptInt("calls", int64(t.Calls))
	o.OptStr("results", t.Results)
	o.OptInt("ended", int64(t.Ended))
	o.OptInt("looks", int64(t.Looks))
	o.OptInt("writes", int64(t.Writes))
	o.OptInt("refused", int64(t.Refused))
	list(&o, "on", t.On, func(s *string, b []byte) []byte { return jsonw.String(b, *s) })
	o.OptInt("said", t.Said)
	list(&o, "runs", t.Runs, (*Run).append)
	return o.End()
}

func (r *Run) append(b []byte) []byte {
	o := jsonw.Begin(b)
	o.Str("near", r.Near)
	o.Str("exact", r.Exact)
	o.OptInt("same", int64(r.Same))
	o.OptStr("result", r.Result)
	o.OptInt("refused", int64(r.Refused))
	o.OptInt("at", int64(r.At))
	o.OptInt("time", r.Time)
	o.OptStr("is", r.Is)
	return o.End()
}

func (s *Step) append(b []byte) []byte {
	o := jsonw.Begin(b)
	o.Str("kind", s.Kind)
	o.OptStr("target", s.Target.String())
	o.OptStr("detail", s.Detail)
	o.OptStr("by", s.By)
	o.OptInt("call", int64(s.Call))
	return o.End()
}

func readState(v gjson.Result, s *State) bool {
	return readObject(v, func(name string, v gjson.Result) bool {
		switch name {
		case "turns":
			return readNumber(v, &s.Turns)
		case "since":
			return readNumber(v, &s.Since)
		case "last":
			return readNumber(v, &s.Last)
		case "tokens":
			return readNumber(v, &s.Tokens)
		case "threads":
			return readList(v, &s.Threads, readThread)
		case "steps":
			return readList(v, &s.Steps, readStep)
		}
		return true
	})
}

func readThread(v gjson.Result, t *Thread) bool {
	return readObject(v, func(name string, v gjson.Result) bool {
		switch name {
		case "agent_id":
			return readString(v, &t.AgentID)
		case "calls":
			return readNumber(v, &t.Calls)
		case "results":
			return readString(v, &t.Results)
		case "ended":
			return readNumber(v, &t.Ended)
		case "looks":
			return readNumber(v, &t.Looks)
		case "writes":
			return readNumber(v, &t.Writes)
		case "refused":
			return readNumber(v, &t.Refused)
		case "on":
			return readList(v, &t.On, readString)
		case "said":
			return readNumber(v, &t.Said)
		case "runs":
			return readList(v, &t.Runs, readRun)
		}
		return true
	})
}

func readRun(v gjson.Result, r *Run) bool {
	return readObject(v, func(name string, v gjson.Result) bool {
		switch name {
		case "near":
			return readString(v, &r.Near)
		case "exact":
			return readString(v, &r.Exact)
		case "same":
			return readNumber(v, &r.Same)
		case "result":
			return readString(v, &r.Result)
		case "refused":
			return readNumber(v, &r.Refused)
		case "at":
			return readNumber(v, &r.At)
		case "time":
			return readNumber(v, &r.Time)
		case "is":
			return readString(v, &r.Is)
		}
		return true
	})
}

func readStep(v gjson.Result, s *Step) bool {
	return readObject(v, func(name string, v gjson.Result) bool {
		switch name {
		case "kind":
			return readString(v, &s.Kind)
		case "target":
			return s.Target.UnmarshalJSON([]byte(v.Raw)) == nil
		case "detail":
			return readString(v, &s.Detail)
		case "by":
			return readString(v, &s.By)
		case "call":
			return readNumber(v, &s.Call)
		}
		return true
	})
}
