package config

import (
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/stepgate/stepgate/redact"
)

// Bounds of a value, so that no file can make the gate slow.
const (
	maxEntries = 200
	maxEntry   = 512
)

// value is a setting's value, parsed.
type value struct {
	text string  // the plain form that is shown, compared and hashed
	num  float64 // a Number or Int; an Enum's place in its choices; 1 for yes
	list []string
}

func (v value) on() bool { return v.num != 0 }

// places are what relative folders start from; either may be empty.
type places struct{ home, root string }

// blank says that a raw value counts as not set.
func blank(raw any) bool {
	s, ok := raw.(string)
	return ok && strings.TrimSpace(s) == ""
}

// parse reads a raw value as a file, the environment or a person gives it; false means that it is not one.
func (s *Setting) parse(raw any, at places) (value, bool) {
	switch s.Kind {
	case Tools, Dirs, Names, Heads, Sums, Lines:
		return s.parseList(raw, at)
	}
	text, ok := scalar(raw)
	if !ok || len(text) > maxEntry {
		return value{}, false
	}
	switch s.Kind {
	case Enum:
		return s.parseEnum(text)
	case Number, Int:
		return s.parseNumber(text)
	case Bool:
		return parseBool(text)
	case Word:
		return value{text: text}, strings.IndexFunc(text, notInWord) < 0
	case URL:
		text = strings.TrimRight(text, "/")
		return value{text: text}, text == "" || address(text)
	default:
		text = at.clean(text, "")
		return value{text: text}, text == "" || filepath.IsAbs(text)
	}
}

// scalar gives the text of a single value, whichever type a file gave it.
func scalar(raw any) (string, bool) {
	switch x := raw.(type) {
	case string:
		return strings.TrimSpace(x), true
	case bool:
		return strconv.FormatBool(x), true
	case int64:
		return strconv.FormatInt(x, 10), true
	case float64:
		return number(x), true
	}
	return "", false
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func (s *Setting) parseEnum(text string) (value, bool) {
	text = strings.ReplaceAll(strings.ToLower(text), "-", "_")
	i := slices.Index(s.Choices, text)
	return value{text: text, num: float64(i)}, i >= 0
}

func (s *Setting) parseNumber(text string) (value, bool) {
	f, err := strconv.ParseFloat(text, 64)
	// Written so that NaN is out of range.
	if err != nil || !(f >= s.Min && f <= s.Max) || s.Kind == Int && f != math.Trunc(f) {
		return value{}, false
	}
	f += 0 // -0 is shown as 0
	return value{text: number(f), num: f}, true
}

func parseBool(text string) (value, bool) {
	switch strings.ToLower(text) {
	case "true", "yes", "on", "1", "y":
		return value{text: "true", num: 1}, true
	case "false", "no", "off", "0", "n":
		return value{text: "false"}, true
	}
	return value{}, false
}

func notInWord(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }

// address is a narrow test for scheme://host[:port][/path]; a user in it would be a secret in a file.
func address(text string) bool {
	rest, ok := strings.CutPrefix(text, "https://")
	if !ok {
		rest, ok = strings.CutPrefix(text, "http://")
	}
	host, _, _ := strings.Cut(rest, "/")
	return ok && host != "" && host[0] != ':' && !strings.ContainsAny(text, "@?#\\\"'<>") && strings.IndexFunc(text, notInWord) < 0
}

// parseList reads `Read, Glob`, ["Read", "Glob"], that as JSON text, or none.
func (s *Setting) parseList(raw any, at places) (value, bool) {
	entries, ok := entriesOf(raw, s.Kind != Dirs && s.Kind != Names && s.Kind != Lines)
	if !ok || len(entries) > maxEntries {
		return value{}, false
	}
	if len(entries) == 1 && s.emptyWord(strings.TrimSpace(entries[0])) {
		return value{}, true
	}
	var list []string
	for _, e := range entries {
		if e = strings.TrimSpace(e); e == "" {
			continue
		}
		if len(e) > maxEntry || strings.IndexFunc(e, func(r rune) bool { return !unicode.IsPrint(r) }) >= 0 {
			return value{}, false
		}
		if s.Kind == Dirs {
			e = at.clean(e, at.root)
		}
		if !s.goodEntry(e) {
			return value{}, false
		}
		if !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	return listValue(list), true
}

func (s *Setting) goodEntry(e string) bool {
	switch s.Kind {
	case Dirs, Lines:
		return true
	case Names:
		return redact.GoodKey(e)
	case Heads:
		return redact.GoodPrefix(e)
	case Sums:
		return redact.GoodSum(e)
	}
	return strings.IndexFunc(e, unicode.IsSpace) < 0
}

// emptyWord is the word for an empty list; a blank value means not set instead.
func (s *Setting) emptyWord(w string) bool {
	return strings.EqualFold(w, "none") || s.Project == More && strings.EqualFold(w, "all")
}

func listValue(list []string) value { return value{text: strings.Join(list, ", "), list: list} }

func entriesOf(raw any, spaces bool) ([]string, bool) {
	switch x := raw.(type) {
	case []any:
		list := make([]string, 0, len(x))
		for _, e := range x {
			text, ok := e.(string)
			if !ok {
				return nil, false
			}
			list = append(list, text)
		}
		return list, true
	case string:
		if len(x) > maxEntries*maxEntry {
			return nil, false
		}
		if strings.HasPrefix(strings.TrimSpace(x), "[") {
			var list []string
			return list, json.Unmarshal([]byte(x), &list) == nil
		}
		return strings.FieldsFunc(x, func(r rune) bool { return r == ',' || r == '\n' || spaces && unicode.IsSpace(r) }), true
	}
	return nil, false
}

// clean opens ~/ and makes a relative folder absolute from base; what cannot be made absolute stays as it is.
func (at places) clean(dir, base string) string {
	if rest, ok := strings.CutPrefix(dir, "~/"); ok && at.home != "" {
		dir = filepath.Join(at.home, rest)
	} else if dir != "" && !filepath.IsAbs(dir) && base != "" {
		dir = filepath.Join(base, dir)
	}
	if dir == "" {
		return ""
	}
	return filepath.Clean(dir)
}

// tighten gives what stands when a project wants v where cur stands. What it gives is never looser than cur; false says
// that the project asked for more than it may have.
func (s *Setting) tighten(cur, v value, at places) (value, bool) {
	switch s.Project {
	case Up:
		return pick(v.num >= cur.num, v, cur)
	case Down:
		return pick(v.num <= cur.num, v, cur)
	case Cap:
		return pick(cur.num == 0 || v.num != 0 && v.num <= cur.num, v, cur)
	case Fewer:
		return fewer(cur, v)
	case More:
		return more(cur, v)
	case Add:
		return listValue(union(cur.list, v.list)), true
	case Narrow:
		return narrow(cur, v, at.root)
	}
	return cur, false
}

func pick(ok bool, v, cur value) (value, bool) {
	if ok {
		return v, true
	}
	return cur, false
}

// Covers says that the pattern of a tool list (a name, or a beginning and *) matches all that name stands for.
func Covers(pattern, name string) bool {
	if head, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(name, head)
	}
	return pattern == name
}

func covered(list []string, name string) bool {
	return slices.ContainsFunc(list, func(p string) bool { return Covers(p, name) })
}

// fewer keeps what both lists cover.
func fewer(cur, v value) (value, bool) {
	var list []string
	for _, e := range cur.list {
		if covered(v.list, e) {
			list = append(list, e)
		}
	}
	ok := true
	for _, e := range v.list {
		switch {
		case slices.Contains(list, e):
		case covered(cur.list, e):
			list = append(list, e)
		case !slices.ContainsFunc(cur.list, func(c string) bool { return Covers(e, c) }):
			ok = false
		}
	}
	return listValue(list), ok
}

// more adds to a list whose empty form already means everything.
func more(cur, v value) (value, bool) {
	if len(cur.list) == 0 {
		return cur, len(v.list) == 0
	}
	if len(v.list) == 0 {
		return v, true
	}
	return listValue(union(cur.list, v.list)), true
}

func union(a, b []string) []string {
	list := slices.Clone(a)
	for _, e := range b {
		if !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	return list
}

// narrow takes a project's folders where they lie in the project and in what stands; an empty result would lift the
// limit, so it changes nothing.
func narrow(cur, v value, root string) (value, bool) {
	var list []string
	for _, e := range v.list {
		if root != "" && within(root, e) && (len(cur.list) == 0 || slices.ContainsFunc(cur.list, func(c string) bool { return within(c, e) })) {
			list = append(list, e)
		}
	}
	if len(list) == 0 {
		return cur, len(v.list) == 0 && len(cur.list) == 0
	}
	return listValue(list), len(list) == len(v.list)
}

// within compares whole path components of clean paths.
func within(dir, path string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}
