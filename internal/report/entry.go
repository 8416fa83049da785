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
	kind, session, agent, agentID, callID, tool, capability string
	mode, would, did, outcome, judge, failure, event        string
	source, configHash, snapshot, text, cwd, root, tried    string

	time        time.Time
	v, seq, of  int64
	score, risk float64
	scored      bool
	failed      bool // a result that says ok: false
	cached      bool
	degraded    bool
	unchained   bool
	person      bool
	answered    bool
	answers     [numQuestions]float64
	in, out     int64
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
	}
}

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
	case "capability":
		e.capability = v.Str
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
	case "config_hash":
		e.configHash = v.Str
	case "text", "detail":
		e.text = v.Str
	case "snapshot":
		e.snapshot = v.Str
	case "score":
		e.score, e.scored = v.Num, v.Type == gjson.Number
	case "risk":
		e.risk = v.Num
	case "ok":
		e.failed = v.Type == gjson.False
	case "cached":
		e.cached = v.Bool()
	case "degraded":
		e.degraded = v.Bool()
	case "unchained":
		e.unchained = v.Bool()
	case "person":
		e.person = v.Bool()
	case "tokens":
		e.in, e.out = max(0, v.Get("in").Int()), max(0, v.Get("out").Int())
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
			e.stages = append(e.stages, stage{k.Str, v.Num})
			return true
		})
	}
}

// maxTargets bounds the targets that are looked at to find the folder that a rule's calls share.
const maxTargets = 8

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
	if kind != "" && !slices.Contains(e.kinds, kind) {
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
	if h.rule != "" {
		e.rules = append(e.rules, h)
	}
	return true
}

// answer takes one of the judge's answers.
func (e *entry) answer(k, v gjson.Result) bool {
	for i, q := range questions {
		if k.Str != q {
			continue
		}
		if i == intent {
			v = v.Get("score")
		}
		e.answers[i] = v.Num
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
	if err != nil {
		return time.Time{} // told as a line without a time
	}
	return t.UTC()
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
