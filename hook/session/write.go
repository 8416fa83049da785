package session

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/internal/jsonw"
	"github.com/stepgate/stepgate/redact"
)

// appendLine appends a line with its end, as encoding/json would write it: a test compares the two, field by field.
func appendLine(b []byte, l *Line) ([]byte, error) {
	w := lineWriter{Object: jsonw.Begin(b)}
	w.Int("v", int64(l.V))
	w.Str("kind", l.Kind)
	w.Append("time", l.Time.append)
	w.OptInt("seq", l.Seq)
	w.Str("session", l.Session)
	w.OptStr("agent", l.Agent)
	w.OptStr("agent_id", l.AgentID)
	w.OptStr("agent_type", l.AgentType)
	w.call(l)
	if l.OK != nil {
		w.Bool("ok", *l.OK)
	}
	list(&w.Object, "made", l.Made, (*Made).append)
	w.OptInt("made_before", l.MadeBefore)
	w.OptStr("turn", l.Turn)
	w.text("text", l.Text)
	w.OptTrue("person", l.Person)
	w.text("root", l.Root)
	w.OptInt("pid", int64(l.PID))
	w.OptInt("pid_start", l.PIDStart)
	w.OptStr("source", l.Source)
	w.OptInt("of", l.Of)
	w.OptStr("event", l.Event)
	w.text("detail", l.Detail)
	w.OptTrue("cut", l.Cut)
	w.OptTrue("carried", l.Carried)
	w.OptTrue("unchained", l.Unchained)
	if l.Delta != nil {
		w.Append("delta", l.Delta.append)
	}
	w.OptStr("prev", l.Prev)
	if l.Totals != nil {
		w.Append("totals", l.Totals.append)
	}
	return append(w.End(), '\n'), w.err
}

type lineWriter struct {
	jsonw.Object
	err error
}

// call writes what belongs to calls and results.
func (w *lineWriter) call(l *Line) {
	w.OptStr("call_id", l.CallID)
	w.OptStr("tool", l.Tool)
	w.OptStr("capability", string(l.Capability))
	w.doc("acts", l.Acts)
	w.doc("input", l.Input)
	w.text("cwd", l.CWD)
	w.OptStr("plan_hash", l.PlanHash)
	w.OptStr("config_hash", l.ConfigHash)
	w.OptStr("mode", l.Mode)
	if l.Thresholds != nil {
		w.Append("thresholds", l.Thresholds.append)
	}
	w.doc("effects", l.Effects)
	w.doc("findings", l.Findings)
	w.doc("answers", l.Answers)
	w.number("score", l.Score)
	w.OptStr("judge", l.Judge)
	w.OptStr("model", l.Model)
	if l.Tokens != nil {
		w.Append("tokens", l.Tokens.append)
	}
	w.number("risk", l.Risk)
	w.OptStr("would", l.Would)
	w.OptStr("did", l.Did)
	w.OptStr("outcome", l.Outcome)
	w.text("reason", l.Reason)
	w.OptStr("snapshot", l.Snapshot)
	if l.Shadow != nil {
		w.Append("shadow", l.Shadow.append)
	}
	w.OptTrue("doubtful", l.Doubtful)
	w.text("failure", l.Failure)
	w.OptTrue("cached", l.Cached)
	w.OptTrue("degraded", l.Degraded)
	if len(l.MS) > 0 {
		w.Append("ms", l.milliseconds)
	}
	w.OptStr("fingerprint", l.Fingerprint)
	w.OptStr("request", l.Request)
	list(&w.Object, "creates", l.Creates, appendText)
}

func (w *lineWriter) text(name string, t redact.Text) { w.OptStr(name, t.String()) }

func (w *lineWriter) number(name string, f *float64) {
	if f != nil {
		w.Float(name, *f)
	}
}

// doc writes a document on one line. A valid one has ends of lines between its values only.
func (w *lineWriter) doc(name string, d redact.Doc) {
	s := d.String()
	switch {
	case s == "":
	case !gjson.Valid(s):
		w.err = fmt.Errorf("%s is not a JSON document", name)
	default:
		w.Raw(name, strings.ReplaceAll(s, "\n", " "))
	}
}

func (l *Line) milliseconds(b []byte) []byte {
	o := jsonw.Begin(b)
	for _, stage := range slices.Sorted(maps.Keys(l.MS)) {
		o.Float(stage, l.MS[stage])
	}
	return o.End()
}

func (t *Thresholds) append(b []byte) []byte {
	o := jsonw.Begin(b)
	o.Float("deny_above", t.DenyAbove)
	o.Float("flag_above", t.FlagAbove)
	o.Float("low_intent_at_or_below", t.LowIntent)
	o.OptFloat("tau", t.Tau)
	return o.End()
}

func (s *Shadow) append(b []byte) []byte {
	o := jsonw.Begin(b)
	o.Str("would", s.Would)
	o.OptStr("by", s.By)
	o.OptFloat("risk", s.Risk)
	o.Str("config", s.Config)
	return o.End()
}

func (t *Tokens) append(b []byte) []byte {
	o := jsonw.Begin(b)
	o.Int("in", int64(t.In))
	o.Int("out", int64(t.Out))
	return o.End()
}

func (t *Totals) append(b []byte) []byte {
	o := jsonw.Begin(b)
	o.Int("calls", int64(t.Calls))
	o.Int("allowed", int64(t.Allowed))
	o.Int("asked", int64(t.Asked))
	o.Int("budget", int64(t.Budget))
	o.Int("denied", int64(t.Denied))
	o.OptInt("flagged", int64(t.Flagged))
	o.OptInt("would_deny", int64(t.WouldDeny))
	o.Int("skipped", int64(t.Skipped))
	o.Int("results", int64(t.Results))
	o.Int("errors", int64(t.Errors))
	o.Int("failed", int64(t.Failed))
	o.Int("failing", int64(t.Failing))
	o.Int("in", int64(t.In))
	o.Int("out", int64(t.Out))
	o.Int("unlocked", int64(t.Lost))
	if t.Plan != nil {
		o.Append("plan", t.Plan.append)
	}
	list(&o, "later", t.Later, (*Ref).append)
	o.OptStr("heard", t.Heard)
	o.OptTrue("missed", t.Missed)
	o.OptInt("spent", int64(t.Spent))
	o.OptStr("mode", t.Mode)
	o.OptStr("was", t.Was)
	o.OptStr("root", t.Root.String())
	list(&o, "tags", t.Tags, appendTag)
	if !t.State.IsZero() {
		o.Append("state", t.State.append)
	}
	o.OptTrue("unhealthy", t.Unhealthy)
	o.OptTrue("doubt", t.Doubt)
	list(&o, "open", t.Open, (*OpenAsk).append)
	o.OptInt("pid", int64(t.PID))
	o.OptInt("pid_start", t.PIDStart)
	o.OptInt("made_at", t.MadeAt)
	o.OptInt("made_bits", t.MadeBits)
	o.OptInt("gen", int64(t.Gen))
	return o.End()
}

// list adds an array that is not empty.
func list[T any](o *jsonw.Object, name string, of []T, each func(*T, []byte) []byte) {
	if len(of) > 0 {
		o.Append(name, func(b []byte) []byte {
			return jsonw.List(b, of, func(b []byte, v *T) []byte { return each(v, b) })
		})
	}
}

func (r *Ref) append(b []byte) []byte {
	o := jsonw.Begin(b)
	o.Int("at", r.At)
	o.Str("hash", r.Hash)
	o.OptTrue("void", r.Void)
	return o.End()
}

func (a *OpenAsk) append(b []byte) []byte {
	o := jsonw.Begin(b)
	o.Str("call_id", a.CallID)
	o.OptStr("agent_id", a.AgentID)
	o.Int("seq", a.Seq)
	return o.End()
}

func appendText(t *redact.Text, b []byte) []byte { return jsonw.String(b, t.String()) }

func appendTag(t *redact.Tag, b []byte) []byte {
	o := jsonw.Begin(b)
	o.Str("kind", t.Kind)
	o.Int("n", int64(t.N))
	o.Str("mac", t.MAC)
	return o.End()
}
