package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/redact"
)

// maxReasoning bounds the reason in an exported sample, in bytes (StepGuard keeps 200 characters).
const maxReasoning = 200

// Step is one call as a sample for supervision: what it was without its values, what was decided, and what is known of
// whether that was right. Its JSON is stable: fields are added, never changed.
type Step struct {
	// TraceID is the same for all calls of one session and tells nothing of its name. StepID counts the calls from 1.
	TraceID string    `json:"trace_id"`
	StepID  int       `json:"step_id"`
	Time    time.Time `json:"time"`
	Agent   string    `json:"agent"`
	Role    string    `json:"role"` // main, or the type of the subagent
	Tool    string    `json:"tool"`
	// ToolType is the capability: shell, read, write and so on; Acts are the kinds of what the call does.
	ToolType string   `json:"tool_type"`
	Acts     []string `json:"acts"`
	// ParamsKeys are the names of the arguments, nested ones as a.b. Values never leave the record.
	ParamsKeys []string `json:"params_keys"`
	// RuleRisk is safe, warning or blocked, by the rules alone; Rules are those that hit.
	RuleRisk string             `json:"rule_risk"`
	Rules    []string           `json:"rules"`
	Answers  map[string]float64 `json:"answers,omitempty"`
	Judge    string             `json:"judge"`
	Would    string             `json:"would"`
	Decision string             `json:"decision"`
	Outcome  string             `json:"outcome,omitempty"`
	// Reasoning names what stood against the call, in the words of the rules before a call's own names are filled in, cut.
	Reasoning string `json:"reasoning"`
	// Label is safe or unsafe, LabelSource person, answer or outcome. A stopped call that nobody judged has none but says
	// blocked_unverified.
	Label       string `json:"label,omitempty"`
	LabelSource string `json:"label_source,omitempty"`
	Blocked     bool   `json:"blocked_unverified,omitempty"`

	fate fate
}

// Export writes the calls of one session, whose files are given oldest first, as one JSON object a line. Lines that
// cannot be read are passed over and counted.
func Export(w io.Writer, files []string) (unreadable int, err error) {
	x := exporter{bySeq: map[int64]*Step{}, open: map[string]*Step{}}
	for _, path := range files {
		for l, err := range session.Read(path) {
			var bad *session.LineError
			switch {
			case errors.As(err, &bad):
				unreadable++
				continue
			case err != nil:
				return unreadable, err
			}
			x.line(l)
		}
	}
	x.settle()
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, s := range x.steps {
		if err := enc.Encode(s); err != nil {
			return unreadable, err
		}
	}
	return unreadable, nil
}

// exporter collects the steps of one session.
type exporter struct {
	steps   []*Step
	bySeq   map[int64]*Step
	open    map[string]*Step // asks without an answer, by the id of the call
	said    []said
	outcome string
}

func (x *exporter) line(l session.Line) {
	switch l.Kind {
	case session.KindCall:
		s := step(l)
		s.StepID = len(x.steps) + 1
		x.steps = append(x.steps, s)
		if l.Seq > 0 {
			x.bySeq[l.Seq] = s
		}
		if l.CallID != "" && s.fate.did == agent.Ask {
			x.open[l.CallID] = s
		}
	case session.KindResult:
		if s := x.open[l.CallID]; s != nil && l.Outcome != "" {
			delete(x.open, l.CallID)
			s.Outcome = l.Outcome
			s.fate.answer(l.Outcome)
		}
	case session.KindLabel:
		if l.Event == session.LabelSuccess || l.Event == session.LabelFailure {
			x.outcome = l.Event
		} else if s := saidOf(l.Of, l.Event, l.Source); s.label != noLabel {
			x.said = append(x.said, s)
		}
	}
}

// settle gives the steps the labels that were said of them, and weak ones by how the task ended, as counter.settle does.
func (x *exporter) settle() {
	for _, l := range x.said {
		if s := x.bySeq[l.of]; s != nil {
			s.fate.mark(l.label, l.by)
		}
	}
	for _, s := range x.steps {
		s.fate.backTrace(x.outcome)
		s.Label, s.LabelSource, s.Blocked = labels[s.fate.label], sources[s.fate.source], s.fate.blocked()
	}
}

// step is a call without its values.
func step(l session.Line) *Step {
	s := &Step{
		TraceID: TraceID(l.Session), Time: l.Time.Time, Agent: l.Agent, Role: "main", Tool: l.Tool, ToolType: string(l.Capability),
		Acts: []string{}, ParamsKeys: keys(nil, "", gjson.Parse(l.Input.String()), 0), RuleRisk: "safe", Rules: []string{},
		Judge: l.Judge, Would: l.Would, Decision: l.Did, Outcome: l.Outcome,
		fate: newFate(l.Would, l.Did),
	}
	if l.AgentID != "" {
		s.Role = l.AgentType
	}
	for _, a := range gjson.Parse(l.Acts.String()).Array() {
		if kind := a.Get("kind").String(); kind != "" && !slices.Contains(s.Acts, kind) {
			s.Acts = append(s.Acts, kind)
		}
	}
	worst := agent.Allow
	var against []string
	for _, f := range gjson.Parse(l.Findings.String()).Array() {
		rule, does := f.Get("rule").String(), action(f.Get("action").String())
		if does > agent.Allow {
			against = append(against, reasoning(rule))
		}
		if f.Get("class").String() == string(policy.Signal) {
			continue
		}
		s.Rules = append(s.Rules, rule)
		worst = max(worst, does)
	}
	s.Reasoning = short(strings.Join(against, "; "), maxReasoning)
	s.RuleRisk = [...]string{agent.Allow: "safe", agent.Ask: "warning", agent.Deny: "blocked"}[worst]
	s.Answers = Answers(l.Answers)
	return s
}

// reasoning is a rule with what it means, and with nothing of the call that it hit.
func reasoning(rule string) string {
	if m := policy.Meaning(rule); m != "" {
		return rule + ": " + m
	}
	return rule
}

// TraceID is the name under which a session leaves this machine: the same for all its lines, and nobody tells the id from
// it.
func TraceID(sessionID string) string {
	sum := sha256.Sum256([]byte("stepgate trace\x00" + sessionID))
	return hex.EncodeToString(sum[:8])
}

// Answers are the judge's numbers by question, nil without any.
func Answers(doc redact.Doc) map[string]float64 {
	var out map[string]float64
	gjson.Parse(doc.String()).ForEach(func(k, v gjson.Result) bool {
		if k.Str == "intent_consistency" {
			v = v.Get("score")
		}
		if v.Type == gjson.Number {
			if out == nil {
				out = map[string]float64{}
			}
			out[k.Str] = v.Num
		}
		return true
	})
	return out
}

// Bounds of the keys of a sample.
const (
	maxKeys     = 64
	maxKeyDepth = 4
)

// keys adds the names in a document, those of nested objects with a dot between; of a list, what its items name.
func keys(out []string, prefix string, v gjson.Result, depth int) []string {
	if out == nil {
		out = []string{}
	}
	if depth > maxKeyDepth {
		return out
	}
	v.ForEach(func(k, v gjson.Result) bool {
		name := prefix
		if k.Type == gjson.String {
			if name = k.Str; prefix != "" {
				name = prefix + "." + k.Str
			}
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
		if v.IsObject() || v.IsArray() {
			out = keys(out, name, v, depth+1)
		}
		return len(out) < maxKeys
	})
	return out[:min(len(out), maxKeys)]
}
