package otlp

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/tidwall/gjson"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/log"

	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/internal/report"
	"github.com/stepgate/stepgate/redact"
)

// prefix begins the name of every attribute.
const prefix = "stepgate."

// Bounds of one record.
const (
	maxText  = 2000 // bytes of a reason or a failure
	maxItems = 64   // acts, rules, answers
)

// record is a line as a log record, and whether it is one that is sent.
func record(raw []byte) (r log.Record, ok bool, err error) {
	var l session.Line
	if err := json.Unmarshal(raw, &l); err != nil {
		return r, false, err
	}
	var body redact.Text
	switch l.Kind {
	case "":
		return r, false, errors.New("line has no kind")
	case session.KindCall:
		body = l.Reason
	case session.KindResult:
		body = l.Failure
	case session.KindMode, session.KindHealth, session.KindLabel:
		body = l.Detail
	default:
		return r, false, nil
	}
	r.SetTimestamp(l.Time.Time)
	r.SetEventName(prefix + l.Kind)
	r.SetSeverity(severity(l))
	r.SetBody(attribute.StringValue(body.Cut(redact.Limits{Head: maxText}).String()))
	r.AddAttributes(attributes(l)...)
	return r, true, nil
}

// severity is a warning for a call that enforce would not let run as it is, and an error for a gate in trouble.
func severity(l session.Line) log.Severity {
	switch {
	case l.Kind == session.KindHealth && l.Event != "gate_recovered":
		return log.SeverityError
	case l.Would == "ask" || l.Would == "deny":
		return log.SeverityWarn
	}
	return log.SeverityInfo
}

// attributes are all that is told of a line beside its time and its reason. Names and numbers of our own choosing, tool
// names, and of the acts and findings their kinds: no target, no text.
func attributes(l session.Line) []attribute.KeyValue {
	var s set
	s.text("kind", l.Kind)
	s.text("trace_id", report.TraceID(l.Session))
	s.count("seq", l.Seq)
	s.text("agent", l.Agent)
	if l.AgentID != "" {
		s.text("role", l.AgentType)
	}
	s.text("call", callName(l.Session, l.CallID))
	s.text("tool", l.Tool)
	s.text("tool_type", string(l.Capability))
	s.list("acts", members(l.Acts, "kind"))
	s.list("rules", members(l.Findings, "rule"))
	s.text("mode", l.Mode)
	s.text("would", l.Would)
	s.text("did", l.Did)
	s.text("outcome", l.Outcome)
	s.text("judge", l.Judge)
	s.text("model", l.Model)
	s.number("score", l.Score)
	s.number("risk", l.Risk)
	answers := report.Answers(l.Answers)
	for _, name := range slices.Sorted(maps.Keys(answers))[:min(len(answers), maxItems)] {
		s = append(s, attribute.Float64(prefix+"answers."+name, answers[name]))
	}
	for _, stage := range slices.Sorted(maps.Keys(l.MS)) {
		s = append(s, attribute.Float64(prefix+"ms."+stage, l.MS[stage]))
	}
	if l.Tokens != nil {
		s.count("tokens.in", int64(max(0, l.Tokens.In)))
		s.count("tokens.out", int64(max(0, l.Tokens.Out)))
	}
	if l.Thresholds != nil {
		s.number("deny_above", &l.Thresholds.DenyAbove)
		s.number("flag_above", &l.Thresholds.FlagAbove)
	}
	if l.Kind == session.KindCall {
		s.text("failure", l.Failure.Cut(redact.Limits{Head: maxText}).String())
	}
	if l.OK != nil {
		s = append(s, attribute.Bool(prefix+"ok", *l.OK))
	}
	s.flag("cached", l.Cached)
	s.flag("degraded", l.Degraded)
	s.flag("snapshot", l.Snapshot != "")
	s.flag("unchained", l.Unchained)
	s.text("event", l.Event)
	s.count("of", l.Of)
	s.text("source", l.Source)
	s.text("config_hash", l.ConfigHash)
	return s
}

// set collects attributes; what a line does not tell is left out.
type set []attribute.KeyValue

func (s *set) text(name, v string) {
	if v != "" {
		*s = append(*s, attribute.String(prefix+name, v))
	}
}

func (s *set) count(name string, n int64) {
	if n != 0 {
		*s = append(*s, attribute.Int64(prefix+name, n))
	}
}

func (s *set) number(name string, v *float64) {
	if v != nil {
		*s = append(*s, attribute.Float64(prefix+name, *v))
	}
}

func (s *set) flag(name string, v bool) {
	if v {
		*s = append(*s, attribute.Bool(prefix+name, v))
	}
}

func (s *set) list(name string, v []string) {
	if v != nil {
		*s = append(*s, attribute.StringSlice(prefix+name, v))
	}
}

// members gives one member of each object in a list, every value once.
func members(list redact.Doc, name string) (out []string) {
	gjson.Parse(list.String()).ForEach(func(_, v gjson.Result) bool {
		if m := v.Get(name); m.Type == gjson.String && !slices.Contains(out, m.Str) {
			out = append(out, m.Str)
		}
		return len(out) < maxItems
	})
	return out
}

// callName joins a result to its call without the agent's own id.
func callName(sessionID, id string) string {
	if id == "" {
		return ""
	}
	sum := sha256.Sum256([]byte("stepgate call\x00" + sessionID + "\x00" + id))
	return hex.EncodeToString(sum[:8])
}
