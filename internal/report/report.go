// Package report counts what a record holds: what the gate would have done and did, which rules fired and what people
// answered, what the judge said, what it all cost, and what other settings would have done.
//
// It streams: a record of any length is read once, in memory that grows by some dozen bytes a call. Lines that cannot be
// read are counted and named, never fatal.
package report

import (
	"time"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
)

// maxShown bounds each list of calls in a report.
const maxShown = 10

// Report is what analyze shows. Its JSON is stable: fields are added, never changed.
type Report struct {
	Files       int `json:"files"`
	Lines       int `json:"lines"`
	Unparseable int `json:"unparseable"`
	Calls       int `json:"calls"`
	Sessions    int `json:"sessions"`
	// First and Last are the times of the oldest and the newest line; Days is how many days have a call.
	First time.Time `json:"first,omitzero"`
	Last  time.Time `json:"last,omitzero"`
	Days  int       `json:"days"`
	// Faults say what is wrong with the record itself, each kind with its number and its first place.
	Faults []Fault `json:"faults"`

	// Gaps are sessions whose agent's own log has calls that the record lacks; whoever reads those logs fills them in.
	Gaps []Gap `json:"gaps"`

	// Counts are sorted by number, largest first.
	Would    []Count `json:"would"`
	Did      []Count `json:"did"`
	Tools    []Count `json:"tools"`
	Acts     []Count `json:"acts"`
	Modes    []Count `json:"modes"`
	Agents   []Count `json:"agents"`
	Judges   []Count `json:"judges"`
	Outcomes []Count `json:"outcomes"`
	Rules    []Count `json:"rules"`
	Health   []Count `json:"health"`
	Failures []Count `json:"failures"`
	// Fired has the rules, policies and triggers of Rules with what people answered and with examples.
	Fired []Rule `json:"fired"`

	Results   int `json:"results"`
	Errors    int `json:"errors"` // results that failed
	Cached    int `json:"cached"`
	Degraded  int `json:"degraded"`
	Unlocked  int `json:"unlocked"` // lines written without the lock
	Snapshots int `json:"snapshots"`

	// Off are the times in which sessions ran without the gate; Switches are the changes of the mode.
	Off      []Off    `json:"off"`
	Switches []Switch `json:"switches"`

	// Divergent counts the calls that enforce would have decided otherwise than they were. NotAskable are those of them
	// that were refused because the agent cannot ask; Divergences are the first ten of the others.
	Divergent   int    `json:"divergent"`
	NotAskable  int    `json:"not_askable"`
	Divergences []Call `json:"divergences"`

	// Questions are the judge's four yes-probabilities and Score the highest of each call; Intent is on a scale of 0 to 4.
	Questions []Spread `json:"questions"`
	Score     Spread   `json:"score"`
	Intent    Spread   `json:"intent"`
	TokensIn  int      `json:"tokens_in"`
	TokensOut int      `json:"tokens_out"`
	// JudgeCosts are what each judge was asked and took.
	JudgeCosts []Judged `json:"judge_costs"`
	// Stages are milliseconds by stage of the gate's line, Gate those of a whole call.
	Stages []Spread `json:"stages"`
	Gate   Spread   `json:"gate"`
	// GateMS is the time all calls spent in the gate; ActiveMS the time the sessions were at work, pauses past five
	// minutes aside; Share is the one over the other.
	GateMS   float64 `json:"gate_ms"`
	ActiveMS float64 `json:"active_ms"`
	Share    float64 `json:"share"`

	// Interventions are the stops that triggers and flow rules caused. EstAvoided is what they may have saved, in dollars:
	// what the session's token budget had left, at Edward's price of 3 dollars a million.
	Interventions int     `json:"interventions"`
	EstAvoided    float64 `json:"est_avoided"`

	// Thresholds are those of the newest call; Advice says what to do.
	Thresholds *session.Thresholds `json:"thresholds,omitempty"`
	Advice     []string            `json:"advice"`
	// Curve counts decisions over thresholds.
	Curve Curve `json:"curve"`
	// Labels are what people, or the end of a task, said about calls.
	Labels Labels `json:"labels"`

	// Tried counts the calls that a shadow configuration judged beside the one in force, TriedChanged those it decided
	// otherwise; TriedChanges are the first ten.
	Tried        int    `json:"tried"`
	TriedChanged int    `json:"tried_changed"`
	TriedChanges []Call `json:"tried_changes"`

	// Changed counts the calls that the other settings decide otherwise; Changes are the first ten.
	Changed *int   `json:"changed,omitempty"`
	Changes []Call `json:"changes,omitempty"`
	// Replayed counts the calls that were decided again, Skipped those of them whose lines tell too little for it.
	Replayed *int `json:"replayed,omitempty"`
	Skipped  *int `json:"skipped,omitempty"`

	// Newest names the session that Timeline shows, call by call, at most the last 400.
	Newest   Named    `json:"newest,omitzero"`
	Timeline []Moment `json:"timeline"`
}

// Count is how often a word occurred.
type Count struct {
	Name  string  `json:"name"`
	N     int     `json:"n"`
	Share float64 `json:"share"` // of all that have such a word
}

// Fault is one kind of thing that is wrong with a record.
type Fault struct {
	Kind string `json:"kind"`
	N    int    `json:"n"`
	// File and Line are where it was met first.
	File string `json:"file"`
	Line int    `json:"line"`
}

// Gap is a session with calls that the gate has no line of.
type Gap struct {
	Session  string `json:"session"`
	Made     int    `json:"made"` // by the agent's own log
	Recorded int    `json:"recorded"`
}

// Rule is what one rule, policy or trigger did.
type Rule struct {
	Name  string `json:"name"`
	Class string `json:"class"`
	Hits  int    `json:"hits"`
	// Asked and Denied count the calls that it alone decided, or with others of the same action.
	Asked  int `json:"asked"`
	Denied int `json:"denied"`
	// Allowed and Dismissed count what people answered.
	Allowed   int `json:"allowed"`
	Dismissed int `json:"dismissed"`
	// Examples are its first three calls.
	Examples []Call `json:"examples"`

	folder  string // that all targets of its allowed calls lie in
	nowhere bool   // there is none
}

// Call names one call of the record.
type Call struct {
	Session string `json:"session"`
	Seq     int64  `json:"seq"`
	Tool    string `json:"tool"`
	Input   string `json:"input"`
	Was     string `json:"was"`
	Is      string `json:"is"`
	Why     string `json:"why,omitempty"`
}

// Named is a session with what tells it from others.
type Named struct {
	Session string    `json:"session"`
	Agent   string    `json:"agent"`
	First   time.Time `json:"first"`
}

// Moment is one step of a session.
type Moment struct {
	Seq      int64     `json:"seq"`
	Time     time.Time `json:"time"`
	Kind     string    `json:"kind"` // call, prompt, mode, health, note
	Agent    string    `json:"agent_id,omitempty"`
	Tool     string    `json:"tool,omitempty"`
	Text     string    `json:"text,omitempty"`
	Would    string    `json:"would,omitempty"`
	Did      string    `json:"did,omitempty"`
	Outcome  string    `json:"outcome,omitempty"`
	Rule     string    `json:"rule,omitempty"`
	Why      string    `json:"why,omitempty"`
	Snapshot string    `json:"snapshot,omitempty"`
	MS       float64   `json:"ms,omitempty"`

	id string // of the call
}

// Spread describes a set of numbers by nearest rank.
type Spread struct {
	Name string  `json:"name"`
	N    int     `json:"n"`
	P10  float64 `json:"p10"`
	P50  float64 `json:"p50"`
	P90  float64 `json:"p90"`
	P99  float64 `json:"p99"`
	Max  float64 `json:"max"`
}

// WouldBe counts the calls that enforce would have decided so, DidBe those that were.
func (r Report) WouldBe(action agent.Action) int { return numberOf(r.Would, action.String()) }

// DidBe is beside WouldBe.
func (r Report) DidBe(action agent.Action) int { return numberOf(r.Did, action.String()) }

func numberOf(counts []Count, name string) int {
	for _, c := range counts {
		if c.Name == name {
			return c.N
		}
	}
	return 0
}
