// Package report counts what a record holds: what the gate would have done and did, which rules fired, what the judge
// answered, what it cost, and what other thresholds would have done. It streams, so a record of any length is read in
// little memory but for one number an answer.
package report

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/verifier"
)

// maxShown bounds the lists of calls in a report.
const maxShown = 10

// At are other thresholds to decide the recorded calls by.
type At struct {
	DenyAbove, FlagAbove float64
}

// Report is what analyze shows. Its JSON is stable: fields are added, never changed.
type Report struct {
	Files       int `json:"files"`
	Lines       int `json:"lines"`
	Unparseable int `json:"unparseable"`
	Calls       int `json:"calls"`

	// Counts are sorted by number, largest first.
	Would    []Count `json:"would"`
	Did      []Count `json:"did"`
	Tools    []Count `json:"tools"`
	Modes    []Count `json:"modes"`
	Agents   []Count `json:"agents"`
	Judges   []Count `json:"judges"`
	Outcomes []Count `json:"outcomes"`
	Rules    []Count `json:"rules"`
	Health   []Count `json:"health"`
	Failures []Count `json:"failures"`

	// Divergent counts the calls that enforce would have decided otherwise; Divergences are the first ten.
	Divergent   int    `json:"divergent"`
	Divergences []Call `json:"divergences"`

	// Questions are the judge's four yes-probabilities and Score the highest of each call; Intent is on a scale of 0 to 4.
	Questions []Spread `json:"questions"`
	Score     Spread   `json:"score"`
	Intent    Spread   `json:"intent"`
	TokensIn  int      `json:"tokens_in"`
	TokensOut int      `json:"tokens_out"`
	// Stages are milliseconds by stage of the gate's line.
	Stages []Spread `json:"stages"`

	// Thresholds are those of the newest call; Advice says which of them never decide.
	Thresholds *session.Thresholds `json:"thresholds,omitempty"`
	Advice     []string            `json:"advice"`

	// Changed counts the calls that the other thresholds decide otherwise; Changes are the first ten.
	Changed *int   `json:"changed,omitempty"`
	Changes []Call `json:"changes,omitempty"`
}

// Count is how often a word occurred.
type Count struct {
	Name  string  `json:"name"`
	N     int     `json:"n"`
	Share float64 `json:"share"` // of all calls, or of all that have such a word
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

// counter collects a report.
type counter struct {
	Report
	at     *At
	counts [10]map[string]int
	spread map[string][]float64
}

// Indexes of counter.counts.
const (
	would = iota
	did
	tools
	modes
	agents
	judges
	outcomes
	ruleHits
	health
	failures
)

// Read makes a report of record files, with other thresholds where at is given. Lines that cannot be read are counted;
// a file that cannot be opened is an error.
func Read(paths []string, at *At) (Report, error) {
	c := counter{at: at, spread: map[string][]float64{}}
	for i := range c.counts {
		c.counts[i] = map[string]int{}
	}
	if at != nil {
		c.Changed = new(int)
	}
	for _, path := range paths {
		c.Files++
		for l, err := range session.Read(path) {
			var bad *session.LineError
			switch {
			case errors.As(err, &bad):
				c.Lines++
				c.Unparseable++
				continue
			case err != nil:
				return c.Report, err
			}
			c.Lines++
			c.line(l)
		}
	}
	c.finish()
	return c.Report, nil
}

func (c *counter) line(l session.Line) {
	switch l.Kind {
	case session.KindCall:
		c.call(l)
	case session.KindResult:
		c.add(outcomes, l.Outcome)
	case session.KindHealth:
		c.add(health, l.Event)
	}
}

func (c *counter) add(i int, name string) {
	if name != "" {
		c.counts[i][name]++
	}
}

func (c *counter) call(l session.Line) {
	c.Calls++
	for i, name := range [...]string{would: l.Would, did: l.Did, tools: l.Tool, modes: l.Mode, agents: l.Agent, judges: l.Judge, outcomes: l.Outcome} {
		c.add(i, name)
	}
	c.add(failures, short(l.Failure.String(), 60))
	if l.Thresholds != nil {
		c.Thresholds = l.Thresholds
	}
	if l.Tokens != nil {
		c.TokensIn += max(0, l.Tokens.In)
		c.TokensOut += max(0, l.Tokens.Out)
	}
	for stage, ms := range l.MS {
		c.spread["ms "+stage] = append(c.spread["ms "+stage], ms)
	}
	fs := findings(l)
	for _, f := range fs {
		c.add(ruleHits, f.Rule)
	}
	if l.Would != l.Did {
		c.Divergent++
		if len(c.Divergences) < maxShown {
			c.Divergences = append(c.Divergences, named(l, l.Did, l.Would, fs))
		}
	}
	a, ok := answers(l)
	if ok {
		for question, p := range a.YesNo {
			c.spread[question] = append(c.spread[question], p)
		}
		c.spread["score"] = append(c.spread["score"], a.Score())
		c.spread["intent"] = append(c.spread["intent"], a.Intent.Score)
	}
	if c.at != nil && l.Judge != session.JudgeOff {
		c.again(l, fs, a, ok)
	}
}

// again decides a recorded call by the other thresholds, with the code of the hook.
func (c *counter) again(l session.Line, fs []policy.Finding, a verifier.Answers, judged bool) {
	kept := slices.DeleteFunc(slices.Clone(fs), func(f policy.Finding) bool { return f.Class == policy.Signal && f.Rule != "on_error" })
	o := policy.Options{DenyAbove: c.at.DenyAbove, FlagAbove: c.at.FlagAbove, LowIntent: -1, Tau: 1e9}
	if t := l.Thresholds; t != nil {
		o.LowIntent = t.LowIntent
	}
	cs := policy.Case{Mode: policy.Enforce, Findings: kept, Local: l.Judge == "local"}
	if judged {
		cs.Verdict = &verifier.Verdict{Answers: a, Judge: l.Judge}
	}
	d := policy.Decide(o, cs)
	if now := d.Would.String(); now != l.Would {
		*c.Changed++
		if len(c.Changes) < maxShown {
			c.Changes = append(c.Changes, named(l, l.Would, now, d.Findings))
		}
	}
}

func findings(l session.Line) []policy.Finding {
	var fs []policy.Finding
	if json.Unmarshal([]byte(l.Findings.String()), &fs) != nil {
		return nil // a light line, or one whose details were cut away
	}
	return fs
}

func answers(l session.Line) (verifier.Answers, bool) {
	var a verifier.Answers
	err := json.Unmarshal([]byte(l.Answers.String()), &a)
	return a, err == nil && !l.Answers.IsZero()
}

// named is a call with what it was and is, and the finding that says most about it.
func named(l session.Line, was, is string, fs []policy.Finding) Call {
	c := Call{Session: l.Session, Seq: l.Seq, Tool: l.Tool, Input: short(l.Input.String(), 100), Was: was, Is: is}
	strongest := agent.Allow
	for _, f := range fs {
		if f.Action > strongest {
			strongest, c.Why = f.Action, f.Rule+": "+short(f.Why, 100)
		}
	}
	return c
}

// short cuts a text to about n bytes, on a rune's border.
func short(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
