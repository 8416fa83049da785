package report

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/hook/session"
)

// entry is what a report needs of one line of a record. It is read with one pass over the line: a year of records has
// millions of them. Its texts lie in the block the line was read in, which is used again; what is kept of them is cloned.
type entry struct {
	kind, session, agent, agentID, callID, tool      string
	mode, would, did, outcome, judge, failure, event string
	source, snapshot, text, cwd, root, tried         string

	time       time.Time
	v, seq, of int64
	score      float64
	scored     bool
	failed     bool // a result that says ok: false
	cached     bool
	degraded   bool
	unchained  bool
	answered   bool
	answers    [numQuestions]float64
	in, out    int64
	// JSON, as it stands in the line
	input, thresholds, findings, rawAnswers, rawActs, effects, totals string

	kinds   []string // of acts, each once
	targets []string // absolute paths that acts change, up to eight
	stages  []stage
	rules   []ruleHit
	unfit   string // why the line is none of a record's
}

// stage is the time one stage of the gate's line took, in milliseconds.
type stage struct {
	name string
	ms   float64
}

// ruleHit is one finding.
type ruleHit struct{ rule, class, action, why string }

// clear makes the entry ready for another line; its lists keep their room.
func (e *entry) clear() {
	*e = entry{kinds: e.kinds[:0], targets: e.targets[:0], stages: e.stages[:0], rules: e.rules[:0]}
}

// parse reads one line into a clear entry. unfit says what is wrong with one that is no line of a record.
func (e *entry) parse(line string) {
	if !gjson.Valid(line) {
		e.unfit = "no JSON"
		return
	}
	root := gjson.Parse(line)
	if !root.IsObject() {
		e.unfit = "no JSON object"
		return
	}
	root.ForEach(func(k, v gjson.Result) bool {
		e.member(k.Str, v)
		return true
	})
	switch {
	case e.kind == "" || e.v == 0:
		e.unfit = "no line of a record"
	case e.time.IsZero():
		e.unfit = "no time"
	case e.seq < 0 || e.seq > maxNumber || e.of > maxNumber:
		e.impossible()
	}
}

// maxNumber bounds what is counted and summed up, far above anything the gate writes: the sums stay numbers.
const maxNumber = 1e12

// number takes one that lies between two others. A line that tells anything else there was not written by the gate.
func (e *entry) number(v gjson.Result, least, most float64) float64 {
	if v.Type == gjson.Number && v.Num >= least && v.Num <= most {
		return v.Num
	}
	if v.Exists() && v.Type != gjson.Null {
		e.impossible()
	}
	return 0
}

func (e *entry) impossible() { e.unfit = "a number that cannot be" }

func (e *entry) member(name string, v gjson.Result) {
	switch name {
	case "v":
		e.v = v.Int()
	case "kind":
		e.kind = v.Str
	case "time":
		e.time = stamp(v.Str)
	case "seq":
		e.seq = v.Int()
	case "of":
		e.of = v.Int()
	case "session":
		e.session = v.Str
	case "agent":
		e.agent = v.Str
	case "agent_id":
		e.agentID = v.Str
	case "call_id":
		e.callID = v.Str
	case "tool":
		e.tool = v.Str
	case "mode":
		e.mode = v.Str
	case "would":
		e.would = v.Str
	case "did":
		e.did = v.Str
	case "outcome":
		e.outcome = v.Str
	case "judge":
		e.judge = v.Str
	case "failure":
		e.failure = v.Str
	case "event":
		e.event = v.Str
	case "source":
		e.source = v.Str
	case "text", "detail":
		e.text = v.Str
	case "snapshot":
		e.snapshot = v.Str
	case "score":
		e.score, e.scored = e.number(v, 0, 1), v.Type == gjson.Number
	case "ok":
		e.failed = v.Type == gjson.False
	case "cached":
		e.cached = v.Bool()
	case "degraded":
		e.degraded = v.Bool()
	case "unchained":
		e.unchained = v.Bool()
	case "tokens":
		e.in, e.out = int64(max(0, e.number(v.Get("in"), -1, maxNumber))), int64(max(0, e.number(v.Get("out"), -1, maxNumber)))
	case "answers":
		e.answered, e.rawAnswers = v.IsObject(), v.Raw
		v.ForEach(e.answer)
	case "input":
		e.input = v.Raw
	case "thresholds":
		e.thresholds = v.Raw
	case "shadow":
		e.tried = v.Get("would").Str
	case "totals":
		e.totals = v.Raw
	case "effects":
		e.effects = v.Raw
	case "cwd":
		e.cwd = v.Str
	case "root":
		e.root = v.Str
	case "acts":
		e.rawActs = v.Raw
		v.ForEach(e.act)
	case "findings":
		e.findings = v.Raw
		v.ForEach(e.finding)
	case "ms":
		v.ForEach(func(k, v gjson.Result) bool {
			if len(e.stages) < maxStages {
				e.stages = append(e.stages, stage{k.Str, e.number(v, 0, maxNumber)})
			}
			return true
		})
	}
}

// Bounds of what is taken of one line.
const (
	maxKinds  = 64 // of acts
	maxStages = 64
	maxRules  = 256
	// maxTargets bounds the targets that are looked at to find the folder that a rule's calls share.
	maxTargets = 8
)

func (e *entry) act(_, v gjson.Result) bool {
	var kind, target string
	v.ForEach(func(k, v gjson.Result) bool {
		switch k.Str {
		case "kind":
			kind = v.Str
		case "target":
			target = v.Str
		}
		return true
	})
	if kind != "" && len(e.kinds) < maxKinds && !slices.Contains(e.kinds, kind) {
		e.kinds = append(e.kinds, kind)
	}
	if kind != "read" && len(e.targets) < maxTargets && filepath.IsAbs(target) {
		e.targets = append(e.targets, target)
	}
	return true
}

func (e *entry) finding(_, v gjson.Result) bool {
	var h ruleHit
	v.ForEach(func(k, v gjson.Result) bool {
		switch k.Str {
		case "rule":
			h.rule = v.Str
		case "class":
			h.class = v.Str
		case "action":
			h.action = v.Str
		case "why":
			h.why = v.Str
		}
		return true
	})
	if h.rule != "" && len(e.rules) < maxRules {
		e.rules = append(e.rules, h)
	}
	return true
}

// maxIntent is the judge's highest score for how well a call fits the intent.
const maxIntent = 4

// answer takes one of the judge's answers.
func (e *entry) answer(k, v gjson.Result) bool {
	for i, q := range questions {
		if k.Str != q {
			continue
		}
		if i == intent {
			e.answers[i] = e.number(v.Get("score"), 0, maxIntent)
		} else {
			e.answers[i] = e.number(v, 0, 1)
		}
	}
	return true
}

// stamp reads a time as the record writes it, 2006-01-02T15:04:05.000Z; any other form of RFC 3339 the long way.
func stamp(s string) time.Time {
	if len(s) == len("2006-01-02T15:04:05.000Z") && s[len(s)-1] == 'Z' && s[19] == '.' && s[10] == 'T' {
		y, mo, d := digits(s[0:4]), digits(s[5:7]), digits(s[8:10])
		h, mi, sec, ms := digits(s[11:13]), digits(s[14:16]), digits(s[17:19]), digits(s[20:23])
		if min(y, mo, d, h, mi, sec, ms) >= 0 && mo >= 1 && mo <= 12 && d >= 1 && d <= 31 {
			return time.Date(y, time.Month(mo), d, h, mi, sec, ms*int(time.Millisecond), time.UTC)
		}
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if t = t.UTC(); err != nil || t.Year() < 1 || t.Year() > 9999 { // what JSON cannot hold
		return time.Time{} // told as a line without a time
	}
	return t
}

// digits is the number that s is written as, -1 when it is none.
func digits(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return -1
		}
		n = n*10 + int(s[i]-'0')
	}
	return n
}

// keep copies a text out of its block.
func keep(s string) string { return strings.Clone(s) }

// newer says that the line was written by a later version, of which some may be missed.
func (e *entry) newer() bool { return e.v > session.Version }
