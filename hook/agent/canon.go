package agent

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// Bounds of a document. They hold for everything that a canonical document is given to, so no reader after this one
// needs a bound on nesting of its own.
const (
	// MaxPayload is the largest payload that is read whole, in bytes.
	MaxPayload = 16 << 20
	// MaxDepth is how deep a document may nest; what lies deeper is replaced by null. Codex itself stops at 128.
	MaxDepth = 128
)

// canon makes a JSON object mean one thing to every reader. Where a key is repeated, only the last of its members is
// left, as JavaScript and serde read it (gjson would read the first); an escaped half of a surrogate pair becomes U+FFFD,
// and so do bytes that are not UTF-8; what nests too deep becomes null, which cut tells. A document with nothing to mend
// is given back as it is, without a copy. One that is not an object comes with ErrNotObject.
//
// The time is linear but for keys of objects with very many of them, which are sorted. There is no recursion before the
// depth is known, because gjson recurses and a stack overflow cannot be recovered from.
func canon(doc string) (clean string, cut bool, err error) {
	doc = strings.TrimPrefix(doc, "\ufeff")
	doc = strings.Trim(doc, " \t\r\n")
	if doc == "" {
		return "", false, ErrEmpty
	}
	doc = strings.ToValidUTF8(doc, "\ufffd")
	s := scanner{doc: doc}
	if !s.run() {
		return "", false, ErrNotJSON
	}
	clean = s.mended()
	checked := doc
	if s.cut {
		checked = clean // what was cut away is too deep to be checked
	}
	switch {
	case !gjson.Valid(checked):
		return "", false, ErrNotJSON
	case doc[0] != '{':
		return clean, s.cut, ErrNotObject
	}
	return clean, s.cut, nil
}

// scanner walks over the tokens of a document and notes what has to be mended. It trusts nothing but the extent of
// strings and the nesting of brackets; the grammar is checked afterwards.
type scanner struct {
	doc    string
	levels []level
	keys   []member // the keys of all open objects, innermost last
	mends  []mend
	cut    bool
}

// level is an open object or array.
type level struct {
	open byte
	keys int  // for an object, where its keys begin in scanner.keys
	key  bool // for an object, the next string is a key
}

type member struct {
	name string // unescaped
	at   int    // where its key begins
}

// mend replaces the bytes from..to of the document.
type mend struct {
	from, to int
	by       string
}

func (s *scanner) run() bool {
	var levels [16]level
	var keys [48]member
	s.levels, s.keys = levels[:0], keys[:0]
	for i := 0; i < len(s.doc); {
		switch s.doc[i] {
		case '"':
			end := s.text(i)
			if end < 0 {
				return false
			}
			if n := len(s.levels); n > 0 && s.levels[n-1].key {
				s.levels[n-1].key = false
				s.keys = append(s.keys, member{unquote(s.doc[i:end]), i})
			}
			i = end
		case '{', '[':
			if len(s.levels) == MaxDepth {
				end := s.skip(i)
				if end < 0 {
					return false
				}
				s.mends, s.cut = append(s.mends, mend{i, end, "null"}), true
				i = end
				continue
			}
			s.levels = append(s.levels, level{s.doc[i], len(s.keys), s.doc[i] == '{'})
			i++
		case '}', ']':
			n := len(s.levels) - 1
			if n < 0 || s.doc[i]-s.levels[n].open != 2 { // '{' and '}', '[' and ']' are two apart
				return false
			}
			if s.doc[i] == '}' {
				s.last(s.keys[s.levels[n].keys:])
			}
			s.keys, s.levels = s.keys[:s.levels[n].keys], s.levels[:n]
			i++
		case ',':
			if n := len(s.levels); n > 0 {
				s.levels[n-1].key = s.levels[n-1].open == '{'
			}
			i++
		default:
			i++
		}
	}
	return len(s.levels) == 0
}

// text gives the end of the string that begins at i, or -1, and notes halves of surrogate pairs in it.
func (s *scanner) text(i int) int {
	for i++; i < len(s.doc); i++ {
		switch s.doc[i] {
		case '"':
			return i + 1
		case '\\':
			i++
			if i < len(s.doc) && s.doc[i] == 'u' {
				i = s.surrogate(i - 1)
			}
		}
	}
	return -1
}

// surrogate looks at the \uXXXX that begins at i and gives the place of the last byte it has dealt with.
func (s *scanner) surrogate(i int) int {
	const long = len(`\uXXXX`)
	switch r := escaped(s.doc[i:]); {
	case r >= 0xdc00 && r < 0xe000:
	case r >= 0xd800 && r < 0xdc00:
		if low := escaped(s.doc[i+long:]); low >= 0xdc00 && low < 0xe000 {
			return i + 2*long - 1
		}
	default:
		return i + 1
	}
	s.mends = append(s.mends, mend{i, i + long, `\ufffd`})
	return i + long - 1
}

// escaped reads the \uXXXX that s begins with; -1 when there is none.
func escaped(s string) int {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return -1
	}
	n := 0
	for _, c := range []byte(s[2:6]) {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return -1
		}
		n = n<<4 | int(c)
	}
	return n
}

// skip gives the end of the object or array that begins at i, or -1.
func (s *scanner) skip(i int) int {
	depth := 0
	for i < len(s.doc) {
		switch s.doc[i] {
		case '"':
			end := s.text(i)
			if end < 0 {
				return -1
			}
			i = end
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}

// last notes all members of one object to be dropped but the last of each name.
func (s *scanner) last(members []member) {
	if len(members) < 2 {
		return
	}
	drop := func(i int) { s.mends = append(s.mends, mend{members[i].at, members[i+1].at, ""}) }
	if len(members) <= 16 {
		for i := range members {
			for j := i + 1; j < len(members); j++ {
				if members[i].name == members[j].name {
					drop(i)
					break
				}
			}
		}
		return
	}
	order := make([]int32, len(members))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		if c := strings.Compare(members[a].name, members[b].name); c != 0 {
			return c
		}
		return int(a - b)
	})
	for i := 1; i < len(order); i++ {
		if members[order[i-1]].name == members[order[i]].name {
			drop(int(order[i-1]))
		}
	}
}

// mended gives the document with all mends made; a mend inside a dropped member goes with it.
func (s *scanner) mended() string {
	if len(s.mends) == 0 {
		return s.doc
	}
	slices.SortFunc(s.mends, func(a, b mend) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return b.to - a.to
	})
	var b strings.Builder
	b.Grow(len(s.doc) + 8*len(s.mends))
	at := 0
	for _, m := range s.mends {
		if m.from < at {
			continue
		}
		b.WriteString(s.doc[at:m.from])
		b.WriteString(m.by)
		at = m.to
	}
	b.WriteString(s.doc[at:])
	return b.String()
}

// unquote gives the value of a JSON string; one that is not valid gives something, and the document is refused later.
func unquote(quoted string) string {
	if strings.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	return gjson.Parse(quoted).String()
}
