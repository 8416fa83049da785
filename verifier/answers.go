package verifier

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// MaxAnswer is the longest answer that is read, in bytes.
const MaxAnswer = 1 << 20

// slack is how far a probability may stray from its range by rounding.
const slack = 1e-9

// ParseAnswers reads the body of a System One server's answer to the asked questions. Anything that is missing, of the
// wrong kind or out of range is an Error of kind BadAnswer that names the question and the rule: it must never pass for
// a clean verdict. Unknown fields, a missing usage, confidence or legend do no harm.
func ParseAnswers(body []byte, asked []Question) (Verdict, error) {
	if len(body) > MaxAnswer {
		return Verdict{}, Errorf(BadAnswer, "answer is longer than %d bytes", MaxAnswer)
	}
	doc, ok := object(body)
	if !ok {
		return Verdict{}, Errorf(BadAnswer, "answer is not a JSON object: %s", Snippet(string(body)))
	}
	answers, ok := object(doc["answers"])
	if !ok {
		return Verdict{}, Errorf(BadAnswer, `answer has no "answers" object`)
	}
	v := Verdict{Model: name(doc["model"]), InputTokens: -1, OutputTokens: -1}
	for _, q := range asked {
		if err := v.read(q, answers[q.Name]); err != nil {
			return Verdict{}, err
		}
	}
	if usage, ok := object(doc["usage"]); ok {
		v.InputTokens, v.OutputTokens = tokens(usage["input_tokens"]), tokens(usage["output_tokens"])
	}
	return v, nil
}

// read takes the answer to one question into v.
func (v *Verdict) read(q Question, raw json.RawMessage) error {
	if raw == nil {
		return bad(q, "is not answered")
	}
	a, ok := object(raw)
	if !ok {
		return bad(q, "the answer is not an object")
	}
	var kind string
	if json.Unmarshal(a["type"], &kind) != nil || kind != string(q.Type) {
		return bad(q, `"type" is not "`+string(q.Type)+`"`)
	}
	switch q.Type {
	case Score:
		return v.readScore(q, a)
	case Choice:
		return v.readChoice(q, a)
	}
	p, ok := number(a["noul"], 1)
	if !ok {
		return bad(q, `"noul" is not a number from 0 to 1`)
	}
	v.Answers.set(q.Name, p)
	return nil
}

// set files a yes-probability under its question.
func (a *Answers) set(question string, p float64) {
	switch question {
	case ContradictsPlan:
		a.ContradictsPlan = p
	case OutOfScope:
		a.OutOfScope = p
	case ContradictsPrevious:
		a.ContradictsPrevious = p
	case ShouldFlag:
		a.ShouldFlag = p
	default:
		if a.Policies == nil {
			a.Policies = map[string]float64{}
		}
		a.Policies[strings.TrimPrefix(question, policyPrefix)] = p
	}
}

// readScore takes a distribution over levels and its mean. The two should agree; where they do not, the lower mean
// stands, because a low one is what raises an alarm.
func (v *Verdict) readScore(q Question, a map[string]json.RawMessage) error {
	n := len(q.Levels)
	score, ok := number(a["score"], float64(n-1))
	if !ok {
		return bad(q, `"score" is not a number from 0 to `+strconv.Itoa(n-1))
	}
	ps, ok := object(a["probabilities"])
	if !ok {
		return bad(q, `"probabilities" is not an object`)
	}
	dist := make([]float64, n)
	var sum, mean, unit float64
	for i := range dist {
		raw := ps[strconv.Itoa(i)]
		if dist[i], ok = number(raw, 1); !ok {
			return bad(q, `probability of level "`+strconv.Itoa(i)+`" is not a number from 0 to 1`)
		}
		sum += dist[i]
		mean += float64(i) * dist[i]
		unit = max(unit, rounding(raw))
	}
	if err := whole(q, sum, n, unit); err != nil {
		return err
	}
	if math.Abs(score-mean) > 0.02+unit*float64(n*(n-1))/4 {
		v.Note = mask(q.Name + ": the score is " + strconv.FormatFloat(score, 'f', 2, 64) +
			", its probabilities say " + strconv.FormatFloat(mean, 'f', 2, 64) + "; the lower one counts")
		score = min(score, mean)
	}
	v.Answers.Intent = Intent{Score: score, Probabilities: dist}
	return nil
}

// readChoice takes a distribution over options. The word for the likeliest one is not needed.
func (v *Verdict) readChoice(q Question, a map[string]json.RawMessage) error {
	ps, ok := object(a["probabilities"])
	if !ok {
		return bad(q, `"probabilities" is not an object`)
	}
	dist := map[string]float64{}
	var sum, unit float64
	for _, o := range q.Options {
		raw := ps[o.Name]
		p, ok := number(raw, 1)
		if !ok {
			return bad(q, `probability of "`+o.Name+`" is not a number from 0 to 1`)
		}
		dist[o.Name] = p
		sum += p
		unit = max(unit, rounding(raw))
	}
	if err := whole(q, sum, len(dist), unit); err != nil {
		return err
	}
	v.Answers.Trajectory = dist
	return nil
}

// whole checks that n probabilities, each rounded to a unit, come to 1.
func whole(q Question, sum float64, n int, unit float64) error {
	if math.Abs(sum-1) > max(0.05, float64(n)*unit/2) {
		return bad(q, "probabilities sum to "+strconv.FormatFloat(sum, 'f', 3, 64))
	}
	return nil
}

func bad(q Question, rule string) error { return Errorf(BadAnswer, "question %s: %s", q.Name, rule) }

// object reads raw as one JSON object.
func object(raw []byte) (map[string]json.RawMessage, bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || raw[0] != '{' {
		return nil, false
	}
	var m map[string]json.RawMessage
	return m, json.Unmarshal(raw, &m) == nil
}

// number reads raw as a JSON number from 0 to limit. A number in quotes is not one.
func number(raw json.RawMessage, limit float64) (float64, bool) {
	if len(raw) == 0 || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || f < -slack || f > limit+slack {
		return 0, false
	}
	return min(max(f, 0), limit), true
}

// rounding is the unit a number was rounded to, as far as its spelling tells: 0.1 for 0.3. Whole numbers are exact.
func rounding(raw json.RawMessage) float64 {
	_, decimals, ok := bytes.Cut(raw, []byte("."))
	if !ok || bytes.ContainsAny(decimals, "eE") {
		return 0
	}
	return math.Pow10(-len(decimals))
}

// tokens reads a count; -1 where there is none.
func tokens(raw json.RawMessage) int {
	f, ok := number(raw, 1<<40)
	if !ok {
		return -1
	}
	return int(f)
}

// name reads a server's own name for something: short, printable ASCII, or nothing.
func name(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return Name(s)
}

// Name lets a name given by a server pass when it is short and printable ASCII, and drops it otherwise.
func Name(s string) string {
	if len(s) > 128 {
		return ""
	}
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return ""
		}
	}
	return s
}

// snippetLen bounds what is quoted of a server's text.
const snippetLen = 200

// Snippet gives the beginning of a server's text, masked, on one line.
func Snippet(s string) string {
	if len(s) > 4*snippetLen {
		s = s[:4*snippetLen] // masked before the final cut, so that a secret over the border is seen whole
	}
	s = strings.Join(strings.Fields(mask(strings.ToValidUTF8(s, "?")).String()), " ")
	if r := []rune(s); len(r) > snippetLen {
		s = string(r[:snippetLen]) + "…"
	}
	return strconv.Quote(s)
}

// Valid checks a verdict that came through a pipe: every probability is in its range and all asked ones are there.
func (v Verdict) Valid(r Request) error {
	a := v.Answers
	ps := append([]float64{a.ContradictsPlan, a.OutOfScope, a.ContradictsPrevious, a.ShouldFlag}, a.Intent.Probabilities...)
	for _, p := range r.Policies {
		got, ok := a.Policies[p.ID]
		if !ok {
			return Errorf(BadAnswer, "policy %q is not answered", p.ID)
		}
		ps = append(ps, got)
	}
	if r.Outlook && len(a.Trajectory) == 0 {
		return Errorf(BadAnswer, "question %s is not answered", Trajectory)
	}
	for _, p := range a.Trajectory {
		ps = append(ps, p)
	}
	for _, p := range ps {
		if !(p >= 0 && p <= 1) {
			return Errorf(BadAnswer, "a probability lies outside 0 to 1")
		}
	}
	if !(a.Intent.Score >= 0 && a.Intent.Score <= 4) {
		return Errorf(BadAnswer, "the intent score lies outside 0 to 4")
	}
	return nil
}
