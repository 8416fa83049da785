package redact

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// Limits bounds what is kept of a text or document. A field that is zero bounds nothing.
type Limits struct {
	Head, Tail int // bytes kept of a string's beginning and end
	Items      int // elements kept of an array
	Keys       int // members kept of an object
	Depth      int // levels kept
	// Risks keeps pieces of the middle of a document's long strings too, where words stand in it that tell of risk; head and tail give
	// half of their room for them.
	Risks bool
}

// maxMark is the length that a mark between head and tail may have; a text is not cut to win less.
const maxMark = 32

// Cut shortens a text to its head and tail, with the original length between them, on rune borders and never inside a
// tag. What a cut would split is masked already, so no part of a secret is left.
func (t Text) Cut(l Limits) Text {
	head, tail, ok := l.ends(t.s)
	if !ok {
		return t
	}
	return Text{t.s[:head] + cutMark(len(t.s)) + t.s[tail:]}
}

// ends tells where a string's head ends and its tail begins.
func (l Limits) ends(s string) (head, tail int, ok bool) {
	if l.Head <= 0 && l.Tail <= 0 || len(s) <= l.Head+l.Tail+maxMark {
		return 0, 0, false
	}
	head = beforeTag(s, runeBorder(s, max(l.Head, 0)))
	tail = len(s) - max(l.Tail, 0)
	for tail < len(s) && s[tail]&0xC0 == 0x80 {
		tail++
	}
	return head, afterTag(s, tail), true
}

func cutMark(n int) string { return " …[" + strconv.Itoa(n) + " bytes]… " }

// beforeTag moves i to the beginning of the tag that it lies in.
func beforeTag(s string, i int) int {
	if a, _, ok := tagAround(s, i); ok {
		return a
	}
	return i
}

// afterTag moves i to the end of the tag that it lies in.
func afterTag(s string, i int) int {
	if _, b, ok := tagAround(s, i); ok {
		return b
	}
	return i
}

func tagAround(s string, i int) (a, b int, ok bool) {
	low := max(0, i-maxTag)
	for k := i - 1; k >= low; k-- {
		if s[k] != '[' {
			continue
		}
		if n := tagAt(s, k); k+n > i {
			return k, k + n, true
		}
	}
	return 0, 0, false
}

// Cut shortens each string, array and object of a document; it stays a JSON document. What is left out is counted.
func (d Doc) Cut(l Limits) (cut Doc) {
	defer func() {
		if recover() != nil {
			cut = Doc{unreadable}
		}
	}()
	if d.s == "" {
		return d
	}
	if nesting(d.s) > maxNesting || !gjson.Valid(d.s) {
		return Doc{unreadable}
	}
	if l.Depth <= 0 || l.Depth > maxDepth {
		l.Depth = maxDepth
	}
	c := cutter{l: l}
	c.value(gjson.Parse(d.s), 0)
	return Doc{string(c.out)}
}

type cutter struct {
	l   Limits
	out []byte
}

func (c *cutter) value(v gjson.Result, depth int) {
	switch {
	case v.Type == gjson.String:
		c.string(v)
	case !v.IsObject() && !v.IsArray():
		c.out = append(c.out, v.Raw...)
	case depth == c.l.Depth:
		n := 0
		v.ForEach(func(_, _ gjson.Result) bool { n++; return true })
		c.note(n, v.IsObject())
	case v.IsObject():
		c.members(v, depth, '{', '}', c.l.Keys)
	default:
		c.members(v, depth, '[', ']', c.l.Items)
	}
}

func (c *cutter) string(v gjson.Result) {
	if c.l.Risks {
		if short, ok := c.l.excerpt(v.Str); ok {
			c.out = appendJSON(c.out, short)
			return
		}
	}
	head, tail, ok := c.l.ends(v.Str)
	if !ok {
		c.out = append(c.out, v.Raw...)
		return
	}
	c.out = appendJSON(c.out, v.Str[:head]+cutMark(len(v.Str))+v.Str[tail:])
}

// members writes the first members of an object or array and how many there are more.
func (c *cutter) members(v gjson.Result, depth int, open, end byte, most int) {
	c.out = append(c.out, open)
	n := 0
	v.ForEach(func(k, e gjson.Result) bool {
		if n++; most > 0 && n > most {
			return true
		}
		if n > 1 {
			c.out = append(c.out, ',')
		}
		if open == '{' {
			c.string(k)
			c.out = append(c.out, ':')
		}
		c.value(e, depth+1)
		return true
	})
	if most > 0 && n > most {
		c.out = append(c.out, ',')
		if open == '{' {
			c.out = append(c.out, `"…":`...)
		}
		c.out = append(c.out, `"[`...)
		c.out = strconv.AppendInt(c.out, int64(n-most), 10)
		c.out = append(c.out, ` more]"`...)
	}
	c.out = append(c.out, end)
}

// note stands for an object or array below the last level.
func (c *cutter) note(n int, object bool) {
	c.out = append(c.out, `"[`...)
	if object {
		c.out = append(c.out, "object of "...)
	} else {
		c.out = append(c.out, "array of "...)
	}
	c.out = strconv.AppendInt(c.out, int64(n), 10)
	c.out = append(c.out, `]"`...)
}

// Line gives the text as one line that is safe to show: blanks for line ends and tabs, escapes (\x1b, \u{202e}) for
// control characters, ANSI sequences and what turns the direction of writing or has no width.
func (t Text) Line() Text {
	if !needsEscape(t.s) {
		return t
	}
	const hex = "0123456789abcdef"
	var b strings.Builder
	b.Grow(len(t.s) + 16)
	for i := 0; i < len(t.s); {
		r, n := utf8.DecodeRuneInString(t.s[i:])
		switch {
		case r == '\n' || r == '\t' || r == '\r' || r == 0x2028 || r == 0x2029 || r == 0x85:
			b.WriteByte(' ')
		case r == utf8.RuneError && n == 1:
			b.WriteRune(utf8.RuneError)
		case r < 0x100 && hidden(r):
			b.WriteString(`\x`)
			b.WriteByte(hex[r>>4])
			b.WriteByte(hex[r&15])
		case hidden(r):
			b.WriteString(`\u{`)
			b.WriteString(strconv.FormatInt(int64(r), 16))
			b.WriteByte('}')
		default:
			b.WriteString(t.s[i : i+n])
		}
		i += n
	}
	return Text{b.String()}
}

func needsEscape(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == 0x7f {
			return true
		} else if c >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// hidden says that a character shows nothing itself and changes how others are shown.
func hidden(r rune) bool {
	switch {
	case r < ' ', r >= 0x7f && r < 0xa0, r == 0xad:
		return true
	case r == 0x61c, r == 0x180e, r == 0xfeff, r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f:
		return true
	case r >= 0xfff0 && r <= 0xfffb, r >= 0xe0000 && r <= 0xe007f, r >= 0xfe00 && r < 0xfe0f, r >= 0xd800 && r < 0xe000:
		return true
	}
	return false
}
