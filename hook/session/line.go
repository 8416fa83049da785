// Package session keeps one append-only file a session: the gate's memory and its record at once.
//
// A line is one JSON object. Lines are appended under a lock with a bounded wait and are whole or ignored by readers; a
// torn tail is repaired by the next writer. Each line carries the hash of the one before and the running totals, so the
// newest good line alone restores the memory, and the cost of a call does not grow with the session.
package session

import (
	"time"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/redact"
)

// Version is the v of every line; it changes only when old readers would misread a line.
const Version = 1

// Kinds of a line.
const (
	KindStart  = "start"
	KindPrompt = "prompt"
	KindCall   = "call"
	KindResult = "result"
	KindMode   = "mode"
	KindHealth = "health"
	KindLabel  = "label"
	KindNote   = "note"
	KindEnd    = "end"
)

// Words of Line.Judge for a call that no judge was asked about.
const (
	JudgeNone = "none" // judge = off
	JudgeSkip = "skip" // the tool is on the skip list
	JudgeOff  = "off"  // the gate is off
)

// Events of notes that the package itself writes.
const (
	// EventRotated and EventLost head a new generation; with the latter no line of the file before could be read, so
	// the memory begins anew.
	EventRotated = "rotated"
	EventLost    = "memory_lost"
	// EventLate takes in lines from outside the chain that came in just before the line above.
	EventLate = "late_lines"
)

// EventApproved is the event of a note by which a person let one refused call run once.
const EventApproved = "approved"

// Events of a label: whether one call was harmful, or how the task of the session ended.
const (
	LabelSafe    = "safe"
	LabelUnsafe  = "unsafe"
	LabelSuccess = "success"
	LabelFailure = "failure"
)

// What a person did with an ask. An ask whose call was never seen to run was dismissed.
const (
	OutcomeAllowed   = "allowed by a human"
	OutcomeDismissed = "blocked or dismissed by a human"
)

// Stamp is a time in UTC that is written with exactly three digits of a second, so that lines sort by text.
type Stamp struct{ time.Time }

// MarshalJSON writes the time as RFC 3339 with milliseconds.
func (s Stamp) MarshalJSON() ([]byte, error) { return s.append(nil), nil }

func (s Stamp) append(b []byte) []byte {
	return s.UTC().AppendFormat(b, `"2006-01-02T15:04:05.000Z"`)
}

// Line is one line of a session file. Fields that do not belong to its kind are left out. The comments are the reference
// of the record: docs/record.md is made from them.
type Line struct {
	// V is the version of the form, 1; old lines stay readable.
	V int `json:"v"`
	// Kind is start, prompt, call, result, mode, health, label, note or end.
	Kind string `json:"kind"`
	// Time is in UTC, with three digits of a second.
	Time Stamp `json:"time"`
	// Seq counts the lines of a session from 1, without gaps; left out on a line that was written without the lock.
	Seq int64 `json:"seq,omitempty"`
	// Session is the agent's id of the session.
	Session string `json:"session"`
	// Agent is the name the hook was started with: claude, codex.
	Agent string `json:"agent,omitempty"`
	// AgentID and AgentType tell a subagent; the main agent has neither.
	AgentID   string `json:"agent_id,omitempty"`
	AgentType string `json:"agent_type,omitempty"`

	// CallID is the agent's id of the call; a result carries the same.
	CallID string `json:"call_id,omitempty"`
	// Tool is the tool's name as the agent gave it, Capability what it can do: shell, read, write and so on.
	Tool       string           `json:"tool,omitempty"`
	Capability agent.Capability `json:"capability,omitempty"`
	// Acts are what the call does, one object each: kind, target, place, program, how.
	Acts redact.Doc `json:"acts,omitzero"`
	// Input is the tool's input, masked and cut.
	Input redact.Doc `json:"input,omitzero"`
	// CWD is the folder the call runs in.
	CWD redact.Text `json:"cwd,omitzero"`
	// PlanHash tells plans apart, ConfigHash settings.
	PlanHash   string `json:"plan_hash,omitempty"`
	ConfigHash string `json:"config_hash,omitempty"`
	// Mode is audit, enforce or off; what held for this call.
	Mode string `json:"mode,omitempty"`
	// Thresholds are those that the decision was made by.
	Thresholds *Thresholds `json:"thresholds,omitempty"`
	// Effects are what the acts would lose, as looked up on disk and in git.
	Effects redact.Doc `json:"effects,omitzero"`
	// Findings are the rules, triggers, policies and answers that count: rule, class, severity, action, why, instead.
	Findings redact.Doc `json:"findings,omitzero"`
	// Answers hold every probability the judge gave; Score is the one that is compared with thresholds.
	Answers redact.Doc `json:"answers,omitzero"`
	Score   *float64   `json:"score,omitempty"`
	// Judge is who answered (local, jev, openai, scorer), or none, skip, off; Model is the name the judge gave.
	Judge string `json:"judge,omitempty"`
	Model string `json:"model,omitempty"`
	// Tokens are what a remote judge used.
	Tokens *Tokens `json:"tokens,omitempty"`
	// Risk is the sum of the weights of violated policies.
	Risk *float64 `json:"risk,omitempty"`
	// Would is what enforce decides (allow, ask, deny), Did what the agent was told.
	Would string `json:"would,omitempty"`
	Did   string `json:"did,omitempty"`
	// Outcome is what became of an ask: non-interactive, budget or not askable on the call; on a later result, allowed or
	// dismissed by a human.
	Outcome string `json:"outcome,omitempty"`
	// Reason is the text that the agent or the person was given.
	Reason redact.Text `json:"reason,omitzero"`
	// Snapshot is the id of the copy that was taken: stepgate undo gives it back.
	Snapshot string `json:"snapshot,omitempty"`
	// Shadow is what another configuration, tried beside this one, would have done.
	Shadow *Shadow `json:"shadow,omitempty"`
	// Doubtful marks an ask that the built-in judge alone caused, and only just.
	Doubtful bool `json:"doubtful,omitempty"`
	// Failure says what went wrong: the judge, the tool, the gate itself.
	Failure redact.Text `json:"failure,omitzero"`
	// Cached says that the answers were given before for the same question.
	Cached bool `json:"cached,omitempty"`
	// Degraded says that the memory the decision rests on was not whole.
	Degraded bool `json:"degraded,omitempty"`
	// MS are milliseconds by stage of the gate's line; on a result, of the tool, where the agent tells.
	MS map[string]float64 `json:"ms,omitempty"`
	// Fingerprint is equal for equal calls of a session, and for nobody else to compute.
	Fingerprint string `json:"fingerprint,omitempty"`
	// Request is what a person approves: an HMAC of the call, its folder and its effects. Its first eight digits are the
	// code that the agent is told; on a note, it says what was approved.
	Request string `json:"request,omitempty"`
	// Creates are the files that a call would make: what it writes is not there yet, or was made by the session before.
	Creates []redact.Text `json:"creates,omitempty"`

	// OK says whether a result was a success, where the agent tells.
	OK *bool `json:"ok,omitempty"`
	// Made are the files that the call made, MadeBefore is where the line stands that tells of those before.
	Made       []Made `json:"made,omitempty"`
	MadeBefore int64  `json:"made_before,omitempty"`

	// Turn is the agent's id of the turn that a prompt began.
	Turn string `json:"turn,omitempty"`
	// Text is a prompt, masked; Person says whether a person wrote it.
	Text   redact.Text `json:"text,omitzero"`
	Person bool        `json:"person,omitempty"`

	// Root is the project's root, on a start; PID is the agent's process, PIDStart tells it from a later one with the same
	// number and is left out where the system does not say.
	Root     redact.Text `json:"root,omitzero"`
	PID      int         `json:"pid,omitempty"`
	PIDStart int64       `json:"pid_start,omitempty"`
	// Source says why a session started or ended, where a prompt was read, and who gave a label.
	Source string `json:"source,omitempty"`

	// Of is the Seq of the call that a label is about.
	Of int64 `json:"of,omitempty"`

	// Event is what happened (mode, health, note) or what was said (label); Detail tells more.
	Event  string      `json:"event,omitempty"`
	Detail redact.Text `json:"detail,omitzero"`

	// Cut says that the line was too long and that details were left out of it.
	Cut bool `json:"cut,omitempty"`
	// Carried marks a prompt that stands in an older generation of the file already.
	Carried bool `json:"carried,omitempty"`

	// Unchained marks a line that was written without the lock: it has no Seq, no Prev and no Totals but a Delta, which
	// is what it adds to them.
	Unchained bool    `json:"unchained,omitempty"`
	Delta     *Totals `json:"delta,omitempty"`
	// Prev is the SHA-256 of the chained line before, in hex; left out on the first line of a session.
	Prev string `json:"prev,omitempty"`
	// Totals are the running counts, and what the gate needs to remember, after this line.
	Totals *Totals `json:"totals,omitempty"`
}

// Thresholds in force when a call was decided.
type Thresholds struct {
	DenyAbove float64 `json:"deny_above"`
	FlagAbove float64 `json:"flag_above"`
	LowIntent float64 `json:"low_intent_at_or_below"`
	Tau       float64 `json:"tau,omitempty"`
}

// Shadow is the decision of a configuration that is only tried.
type Shadow struct {
	Would  string  `json:"would"`
	By     string  `json:"by,omitempty"` // the setting or rule that decided
	Risk   float64 `json:"risk,omitempty"`
	Config string  `json:"config"` // its hash
}

// Tokens a remote judge used; -1 for unknown.
type Tokens struct {
	In  int `json:"in"`
	Out int `json:"out"`
}

// Totals run along in every chained line.
type Totals struct {
	Calls   int `json:"calls"`
	Allowed int `json:"allowed"`
	Asked   int `json:"asked"`  // calls that got an ask
	Budget  int `json:"budget"` // asks of the judge and of triggers, which the ask limit counts
	Denied  int `json:"denied"`
	// Flagged and WouldDeny count what enforce would have asked about and denied, whatever the mode was.
	Flagged   int `json:"flagged,omitempty"`
	WouldDeny int `json:"would_deny,omitempty"`
	Skipped   int `json:"skipped"`
	Results   int `json:"results"`
	Errors    int `json:"errors"`   // results that failed
	Failed    int `json:"failed"`   // judge failures
	Failing   int `json:"failing"`  // of them in a row, now
	In        int `json:"in"`       // tokens
	Out       int `json:"out"`      // tokens
	Lost      int `json:"unlocked"` // lines seen that were written without the lock

	// Plan is where the first person's prompt stands in the file; Later where the last three after it stand.
	Plan  *Ref  `json:"plan,omitempty"`
	Later []Ref `json:"later,omitempty"`
	// Heard are short hashes of the turns whose prompts were recorded, the newest four. Missed says that a prompt was not,
	// and that no call has come since.
	Heard  string `json:"heard,omitempty"`
	Missed bool   `json:"missed,omitempty"`
	// Spent counts the calls since the newest prompt of a person that were asked about, or would have been.
	Spent int `json:"spent,omitempty"`
	// Mode is this session's own switch, empty when there is none; Was the mode of the newest call.
	Mode string `json:"mode,omitempty"`
	Was  string `json:"was,omitempty"`
	// Root is the project's root, fixed at the session's start.
	Root redact.Text `json:"root,omitzero"`
	// Tags given out for secrets so far.
	Tags []redact.Tag `json:"tags,omitempty"`
	// State is what triggers and flow rules know of the calls before.
	State State `json:"state,omitzero"`
	// Unhealthy says that gate_unhealthy was written and no gate_recovered since.
	Unhealthy bool `json:"unhealthy,omitempty"`
	// Doubt says that the judge doubted a call and has cleared none that changes something since.
	Doubt bool `json:"doubt,omitempty"`
	// Open are asks without an outcome yet, newest last, at most eight.
	Open []OpenAsk `json:"open,omitempty"`
	// PID and PIDStart are the agent's process as the newest start line told it.
	PID      int   `json:"pid,omitempty"`
	PIDStart int64 `json:"pid_start,omitempty"`
	// MadeAt is where the newest line with Made stands; MadeBits is a filter of the paths that such lines name.
	MadeAt   int64 `json:"made_at,omitempty"`
	MadeBits int64 `json:"made_bits,omitempty"`
	// Gen is the number of the generation before this file; 0 when there is none.
	Gen int `json:"gen,omitempty"`
}

// Ref points at a line of the file.
type Ref struct {
	At   int64  `json:"at"`   // byte offset
	Hash string `json:"hash"` // first 16 hex digits of the SHA-256 of the masked text
	// Void says that a prompt after this one could not be recorded: it is a plan, and gives no consent any more.
	Void bool `json:"void,omitempty"`
}

// OpenAsk is an ask whose outcome is not known yet.
type OpenAsk struct {
	CallID  string `json:"call_id"`
	AgentID string `json:"agent_id,omitempty"`
	Seq     int64  `json:"seq"`
}
