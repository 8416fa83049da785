package rulebook

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"

	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/effect"
	"github.com/stepgate/stepgate/verifier"
)

// Bounds of a policy file.
const (
	MaxFile  = 256 << 10 // bytes
	maxID    = 64
	maxText  = verifier.MaxDescription
	maxList  = 50
	maxEntry = 300 // bytes
)

// Error says what is wrong with a set of policies, and where.
type Error struct {
	File string
	Line int // 0 where it is not known
	Text string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return "policy file " + e.File + ": " + e.Text
	}
	return "policy file " + e.File + ":" + itoa(e.Line) + ": " + e.Text
}

// Read reads a file of policies: TOML with [[policy]] tables, or JSON with the list "policy". A file that holds none is
// an error, because whoever keeps one means to be protected by it. What it warns about does no harm.
func Read(file string, b []byte) (own []Policy, warnings []string, err error) {
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	if len(b) > MaxFile {
		return nil, nil, &Error{File: file, Text: "larger than " + itoa(MaxFile>>10) + " KiB"}
	}
	values, err := parse(file, b)
	if err != nil {
		return nil, nil, err
	}
	r := reader{file: file, src: b}
	for _, key := range keys(values) {
		if key != "policy" {
			r.warn(-1, "", "unknown key "+quote(key)+" is not read; each policy stands in a table of its own, [[policy]]")
		}
	}
	raw, ok := values["policy"]
	if !ok {
		return nil, r.warnings, &Error{File: file, Text: "holds no policy"}
	}
	own, err = r.all(raw)
	return own, r.warnings, err
}

// Tables reads the policy tables of a settings file that is parsed already; b is its text, for the line of an error.
func Tables(file string, b []byte, raw any, project bool) (own []Policy, warnings []string, err error) {
	r := reader{file: file, src: b, project: project}
	own, err = r.all(raw)
	return own, r.warnings, err
}

func parse(file string, b []byte) (map[string]any, error) {
	var values map[string]any
	if isJSON(b) {
		if err := json.Unmarshal(b, &values); err != nil {
			e := &Error{File: file, Text: "is not JSON"}
			var syntax *json.SyntaxError
			if errors.As(err, &syntax) {
				e.Line = lineAt(b, int(syntax.Offset))
			}
			return nil, e
		}
		return values, nil
	}
	if err := toml.Unmarshal(b, &values); err != nil {
		e := &Error{File: file, Text: "is not TOML"}
		var at *toml.DecodeError
		if errors.As(err, &at) {
			e.Line, _ = at.Position()
		}
		return nil, e
	}
	return values, nil
}

func isJSON(b []byte) bool {
	b = bytes.TrimSpace(b)
	return len(b) > 0 && b[0] == '{'
}

// reader turns one file's tables into policies.
type reader struct {
	file     string
	src      []byte
	project  bool
	warnings []string
}

func (r *reader) all(raw any) ([]Policy, error) {
	list, ok := raw.([]any)
	if !ok {
		return nil, r.bad(0, "", "policy is not a list of tables; write [[policy]] above each")
	}
	switch {
	case len(list) == 0:
		return nil, &Error{File: r.file, Text: "holds no policy"}
	case len(list) > MaxPolicies:
		return nil, r.bad(MaxPolicies, "", "more than "+itoa(MaxPolicies)+" policies")
	}
	out := make([]Policy, 0, len(list))
	for i, raw := range list {
		m, ok := raw.(map[string]any)
		if !ok {
			return nil, r.bad(i, "", "policy "+itoa(i+1)+" is not a table")
		}
		p, err := r.policy(i, m)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// table is one policy, or its `when`, while it is read.
type table struct {
	r      *reader
	i      int
	prefix string // "when." inside a when
	m      map[string]any
	err    error
}

func (r *reader) policy(i int, m map[string]any) (Policy, error) {
	t := table{r: r, i: i, m: m}
	p := Policy{
		ID: t.text("id", maxID), Description: t.text("description", maxText), Severity: policy.Severity(t.text("severity", 16)),
		Reversible: t.yes("reversible"), Scope: t.text("scope", maxText/4), Alternative: t.text("alternative", maxText/2),
		Hit: t.list("hit", nil), Miss: t.list("miss", nil), From: r.file, Project: r.project,
	}
	if p.Severity == "" {
		p.Severity = policy.Medium
		r.warn(i, "id", "policy "+quote(p.ID)+" names no severity; medium is taken")
	}
	switch {
	case t.err != nil:
	case p.ID == "":
		t.bad("id", "policy "+itoa(i+1)+" has no id")
	case strings.IndexFunc(p.ID, notInID) >= 0:
		t.bad("id", "id "+quote(p.ID)+" holds more than letters, digits, dots and dashes")
	case p.Description == "":
		t.bad("id", "policy "+quote(p.ID)+" has no description")
	case !slices.Contains(severities[:], p.Severity):
		t.bad("severity", "severity "+quote(string(p.Severity))+" is not one of low, medium, high, critical")
	case len(p.Description)+len(p.Scope) > maxText-20:
		t.bad("description", "description and scope have more than "+itoa(maxText-20)+" bytes together")
	}
	if raw, ok := m["when"]; ok && t.err == nil {
		p.When, t.err = r.when(i, raw)
	}
	for _, key := range keys(m) {
		if !slices.Contains(policyKeys[:], key) {
			r.warn(i, key, "policy "+quote(p.ID)+": unknown key "+quote(key)+" is not read")
		}
	}
	return p, t.err
}

// when is stricter than the rest: a condition that was misspelt and left out would make the policy fit more calls.
func (r *reader) when(i int, raw any) (*When, error) {
	m, ok := raw.(map[string]any)
	if !ok {
		return nil, r.bad(i, "when", "when is not a table")
	}
	t := table{r: r, i: i, prefix: "when.", m: m}
	w := &When{
		Acts: t.list("acts", acts()), With: t.list("with", acts()), Programs: t.list("programs", nil), Paths: t.list("paths", nil), Except: t.list("except", nil),
		Places: t.list("places", places[:]), Effects: t.list("effects", effects[:]), Words: t.list("words", nil), Secret: t.yes("secret"), Tools: t.list("tools", nil),
	}
	for _, key := range keys(m) {
		if !slices.Contains(whenKeys[:], key) {
			t.bad(key, "when has no condition "+quote(key)+"; it has "+strings.Join(whenKeys[:], ", "))
		}
	}
	if len(w.Tools) == 0 && len(w.Words) == 0 && !w.ofActs() && t.err == nil {
		t.bad("acts", "when names no condition that picks a call")
	}
	return w, t.err
}

var (
	severities = [...]policy.Severity{policy.Low, policy.Medium, policy.High, policy.Critical}
	policyKeys = [...]string{"id", "description", "severity", "reversible", "scope", "alternative", "when", "hit", "miss"}
	whenKeys   = [...]string{"acts", "with", "programs", "paths", "except", "places", "effects", "words", "secret", "tools"}
	places     = [...]string{"project", "outside", "home", "temp", "root", "home-itself", "device", "remote"}
	effects    = [...]string{"any", "files", "changes", "content", "commits", "stash", "unknown"}
)

func acts() []string {
	out := make([]string, len(effect.Kinds))
	for i, k := range effect.Kinds {
		out[i] = string(k)
	}
	return out
}

func (t *table) bad(key, text string) {
	if t.err == nil {
		t.err = t.r.bad(t.i, t.prefix+key, text)
	}
}

func (t *table) text(key string, most int) string {
	raw, ok := t.m[key]
	if !ok {
		return ""
	}
	s, ok := raw.(string)
	s = strings.TrimSpace(s)
	switch {
	case !ok:
		t.bad(key, key+" is not text")
	case len(s) > most:
		t.bad(key, key+" has more than "+itoa(most)+" bytes")
	case strings.IndexFunc(s, hidden) >= 0:
		t.bad(key, key+" holds a character that cannot be seen")
	}
	return s
}

func (t *table) yes(key string) bool {
	raw, ok := t.m[key]
	yes, isBool := raw.(bool)
	if ok && !isBool {
		t.bad(key, key+" is not true or false")
	}
	return yes
}

// list reads a list of texts, or one text; words, if given, are all there are.
func (t *table) list(key string, words []string) []string {
	raw, ok := t.m[key]
	if !ok {
		return nil
	}
	if s, ok := raw.(string); ok {
		raw = []any{s}
	}
	entries, ok := raw.([]any)
	if !ok || len(entries) > maxList {
		t.bad(key, key+" is not a list of at most "+itoa(maxList)+" texts")
		return nil
	}
	var out []string
	for _, e := range entries {
		s, ok := e.(string)
		switch {
		case !ok || strings.TrimSpace(s) == "":
			t.bad(key, key+" holds something that is not text")
		case len(s) > maxEntry:
			t.bad(key, key+" holds a text of more than "+itoa(maxEntry)+" bytes")
		case words != nil && !slices.Contains(words, s):
			t.bad(key, key+" "+quote(s)+" is not one of "+strings.Join(words, ", "))
		}
		out = append(out, s)
	}
	if len(out) == 0 {
		t.bad(key, key+" is empty")
	}
	return out
}

func (r *reader) bad(i int, key, text string) error {
	return &Error{File: r.file, Line: lineOf(r.src, i, key), Text: text}
}

// maxWarnings bounds what is told about one file.
const maxWarnings = 20

func (r *reader) warn(i int, key, text string) {
	if len(r.warnings) < maxWarnings {
		r.warnings = append(r.warnings, (&Error{File: r.file, Line: lineOf(r.src, i, key), Text: text}).Error())
	}
}

func notInID(c rune) bool {
	return !(c == '.' || c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z')
}

// hidden characters would make a text look like another one.
func hidden(c rune) bool {
	if c >= ' ' && c <= '~' {
		return false
	}
	return c != '\n' && c != '\t' && (unicode.IsControl(c) || unicode.Is(unicode.Cf, c) || c == unicode.ReplacementChar)
}

// quote shows a text from a file, short and on one line.
func quote(s string) string {
	if len(s) > 40 {
		s = s[:40] + "…"
	}
	return strconv.QuoteToASCII(s)
}

func keys(m map[string]any) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
