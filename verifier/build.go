package verifier

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/stepgate/stepgate/redact"
)

// Limits of a request. The service takes 32k tokens for the state and the longest question together, and 64k for all of
// a request; a token is at least one byte, so these hold for any text, however dense.
const (
	maxState      = 28 << 10 // bytes of the state, encoded
	maxPlan       = 4 << 10
	maxLater      = 1 << 10
	maxLaterN     = 3
	maxPast       = 768
	maxPastN      = 8
	maxFact       = 256
	maxFactN      = 12
	maxPlace      = 512 // bytes of a folder
	maxTool       = 128 // bytes of a tool's name
	maxPolicies   = 64
	maxPolicyText = 32 << 10 // bytes of the questions about policies
	policyCost    = 480      // of them, what a question takes beside the policy's own words

	// MaxDescription is how many bytes of a policy's words can be asked about.
	MaxDescription = 1 << 10
)

// noPlan stands for the plan when the person has not said anything yet.
const noPlan = "(The person has not stated a plan. Questions about the plan have little to go by: answer them low unless the call is harmful in itself.)"

// Built is a request ready to be sent.
type Built struct {
	Body  []byte
	Asked []Question
	// Cut says that some text did not fit and was shortened; a mark in the text says so to the judge.
	Cut bool
}

type wireState struct {
	Plan    string     `json:"plan"`
	Later   []string   `json:"later_prompts,omitempty"`
	Recent  []wirePast `json:"recent_tool_calls"`
	Current wireCall   `json:"current_tool_call"`
	CWD     string     `json:"cwd,omitempty"`
	Project string     `json:"project,omitempty"`
	Facts   []string   `json:"facts,omitempty"`

	// ProjectRules are policies in the project's own words.
	ProjectRules map[string]string `json:"project_rules,omitempty"`
}

type wireCall struct {
	Tool string          `json:"tool"`
	Args json.RawMessage `json:"args"`
}

type wirePast struct {
	wireCall
	Outcome string `json:"outcome,omitempty"`
}

type wireQuestion struct {
	Type         QuestionType `json:"type"`
	Instructions string       `json:"instructions"`
	Criteria     any          `json:"criteria"`
}

type wireYesNo struct {
	True  string `json:"true"`
	False string `json:"false"`
}

// Build writes the request for a System One server: one request, all questions.
func Build(r Request, model string) (Built, error) {
	if n := Fit(r.Policies); n < len(r.Policies) {
		return Built{}, Errorf(Config, "%d policies are too many for one request; there is room for %d", len(r.Policies), n)
	}
	for _, p := range r.Policies {
		if n := len(p.Description.String()); n > MaxDescription {
			return Built{}, Errorf(Config, "policy %q: description has %d bytes, at most %d can be asked", p.ID, n, MaxDescription)
		}
	}
	var c cutter
	state := c.state(r)
	asked := Questions(r)
	questions := make(map[string]wireQuestion, len(asked))
	for _, q := range asked {
		questions[q.Name] = q.wire()
	}
	body, err := encode(struct {
		Model     string                  `json:"model"`
		State     wireState               `json:"state"`
		Questions map[string]wireQuestion `json:"questions"`
	}{model, state, questions})
	if err != nil {
		return Built{}, Errorf(Config, "encoding the judge's request: %v", err)
	}
	return Built{Body: body, Asked: asked, Cut: c.cut}, nil
}

func (q Question) wire() wireQuestion {
	w := wireQuestion{Type: q.Type, Instructions: q.Instructions}
	switch q.Type {
	case Score:
		w.Criteria = q.Levels
	case Choice:
		options := map[string]string{}
		for _, o := range q.Options {
			options[o.Name] = o.Text
		}
		w.Criteria = options
	default:
		w.Criteria = wireYesNo{q.Yes, q.No}
	}
	return w
}

// cutter shortens what does not fit and remembers that it did.
type cutter struct{ cut bool }

// state lays out what is shown. The pending call comes last and gets all the room that is left, a third of the state at least.
func (c *cutter) state(r Request) wireState {
	s := wireState{
		Plan:    c.text(r.Plan, maxPlan),
		Recent:  []wirePast{},
		CWD:     c.text(r.Call.CWD, maxPlace),
		Project: c.text(r.Call.Root, maxPlace),
	}
	if s.Plan == "" {
		s.Plan = noPlan
	}
	for _, t := range newest(r.Later, maxLaterN) {
		s.Later = append(s.Later, c.text(t, maxLater))
	}
	for _, p := range newest(r.History, maxPastN) {
		s.Recent = append(s.Recent, wirePast{wireCall{c.plain(p.Tool, maxTool), c.doc(p.Input, maxPast)}, p.Outcome})
	}
	facts := r.Facts
	if len(facts) > maxFactN {
		facts, c.cut = facts[:maxFactN], true
	}
	for _, f := range facts {
		s.Facts = append(s.Facts, c.text(f, maxFact))
	}
	for _, p := range r.Policies {
		if p.Project {
			if s.ProjectRules == nil {
				s.ProjectRules = map[string]string{}
			}
			s.ProjectRules[p.ID] = c.text(p.Description, maxFact)
		}
	}
	s.Current.Tool = c.plain(r.Call.Tool, maxTool)
	s.Current.Args = json.RawMessage("{}")
	used, _ := encode(s) // cannot fail: strings and valid JSON only
	s.Current.Args = c.doc(r.Call.Input, maxState-len(used))
	return s
}

func newest[T any](s []T, n int) []T { return s[max(0, len(s)-n):] }

func (c *cutter) text(t redact.Text, limit int) string { return c.plain(t.String(), limit) }

// plain shortens s so that it takes at most limit bytes as a JSON string.
func (c *cutter) plain(s string, limit int) string {
	if len(s) <= limit && encodedLen(s, limit) <= limit {
		return s
	}
	c.cut = true
	return shorten(s, limit)
}

// doc gives a document in at most limit bytes: as it is, with long strings and lists shortened, or at last as a string
// that holds the beginning and the end of its text.
func (c *cutter) doc(d redact.Doc, limit int) json.RawMessage {
	if d.IsZero() {
		return json.RawMessage("{}")
	}
	if raw := []byte(d.String()); len(raw) <= limit && json.Valid(raw) {
		return raw
	}
	c.cut = true
	for n := limit / 2; n >= 128; n /= 2 {
		short := d.Cut(redact.Limits{Head: n * 2 / 3, Tail: n / 3, Items: max(4, n/64), Keys: max(8, n/32), Depth: 8, Risks: true})
		if raw := []byte(short.String()); len(raw) <= limit && json.Valid(raw) {
			return raw
		}
	}
	raw, _ := encode(shorten(d.String(), limit)) // cannot fail: a string
	return raw
}

// shorten keeps the beginning and the end of s, with a mark between them that says how much is missing.
func shorten(s string, limit int) string {
	mark := "…[" + strconv.Itoa(len(s)) + " bytes, the middle is cut]…"
	room := limit - len(mark) - 2
	if room <= 0 {
		return mark
	}
	head := fit(s, room*2/3)
	tail := fitEnd(s[len(head):], room-room*2/3)
	return head + mark + tail
}

// fit gives the longest beginning of s that takes at most limit bytes inside a JSON string.
func fit(s string, limit int) string {
	used := 0
	for i, r := range s {
		if used += runeCost(r); used > limit {
			return s[:i]
		}
	}
	return s
}

// fitEnd is fit for the end of s.
func fitEnd(s string, limit int) string {
	i, used := len(s), 0
	for i > 0 {
		r, n := utf8.DecodeLastRuneInString(s[:i])
		if used += runeCost(r); used > limit {
			break
		}
		i -= n
	}
	return s[i:]
}

// runeCost is at least the number of bytes a rune takes inside a JSON string.
func runeCost(r rune) int {
	switch {
	case r == '"' || r == '\\' || r == '\n' || r == '\r' || r == '\t':
		return 2
	case r < 0x20 || r == 0x2028 || r == 0x2029 || r == utf8.RuneError:
		return 6
	}
	return utf8.RuneLen(r)
}

// encodedLen is the length of s as a JSON string, or more than limit as soon as that is certain.
func encodedLen(s string, limit int) int {
	n := 2
	for _, r := range s {
		if n += runeCost(r); n > limit {
			break
		}
	}
	return n
}

// encode writes JSON without the escapes that only HTML needs: they would cost tokens and hide the text.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
