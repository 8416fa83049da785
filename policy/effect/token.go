package effect

import "strings"

// The tokenizer of program texts: names with their dots, strings, and single marks. It runs in linear time.

// A mark's kind is the mark itself: names and strings have letters, which no mark is.
const (
	name byte = 'n'
	str  byte = 's'
	// nothing parts a module's expression from the whole name that is put in its place.
	nothing byte = ' '
)

type tok struct {
	kind    byte
	newline bool // it begins a line
	at, end int  // where it stands in the text
	text    string
}

// mark says that the token is neither a name nor a string.
func (t *tok) mark() bool { return t.kind != name && t.kind != str }

// Bounds of one text.
const (
	maxTokens = 20_000
	maxInside = 3 // code inside strings inside code

	maxSubscript = 1000 // bytes of an index inside a string
)

// lexer cuts a text into tokens.
type lexer struct {
	lang  *language
	text  string
	toks  []tok
	ticks []string // what stood in `…` where that is a shell line
	scans int      // bytes passed over for an end that is not there
}

// run reads text[i:end]; code inside strings is read as if it were joined to their parts by +.
func (x *lexer) run(i, end, inside int) {
	newline := true
	for i < end && len(x.toks) < maxTokens {
		c := x.text[i]
		switch {
		case c == '\n':
			newline = true
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r':
			i++
			continue
		}
		if n := x.comment(i, end); n > 0 {
			i += n
			continue
		}
		from := len(x.toks)
		switch n := x.quote(i, end, inside); {
		case n > 0:
			i += n
		case x.begins(i):
			n := i + 1
			for n < end && (isNameByte(x.text[n]) || x.text[n] == '.' && n+1 < end && isNameByte(x.text[n+1]) || x.text[n] == ':' && n+2 < end && x.text[n+1] == ':' && isNameByte(x.text[n+2])) {
				if x.text[n] == ':' {
					n++
				}
				n++
			}
			x.add(name, x.text[i:n], i, n)
			i = n
		case c == '!' && (x.lang == &rustCalls || x.lang == &otherCalls) && i+1 < end && x.text[i+1] == '(':
			i++ // format!(…), rm_rf!(…) are read as calls
		default:
			x.add(c, "", i, i+1)
			i++
		}
		if from < len(x.toks) {
			x.toks[from].newline = newline
			newline = false
		}
	}
}

//go:noinline
func (x *lexer) add(k byte, text string, at, end int) {
	x.toks = append(x.toks, tok{kind: k, text: text, at: at, end: end})
}

// begins: a name stands at i.
func (x *lexer) begins(i int) bool {
	c := x.text[i]
	return isNameByte(c) || (c == '@' || c == '%') && x.lang == &perlCalls && i+1 < len(x.text) && isLetter(x.text[i+1])
}

// comment is the length of a comment at i.
func (x *lexer) comment(i, end int) int {
	s := x.text[i:end]
	if x.lang.block && strings.HasPrefix(s, "/*") {
		if n := strings.Index(s[2:], "*/"); n >= 0 {
			return n + 4
		}
		return len(s)
	}
	for list := x.lang.comments; list != ""; {
		var begin string
		begin, list, _ = strings.Cut(list, " ")
		if !strings.HasPrefix(s, begin) {
			continue
		}
		if n := strings.IndexByte(s, '\n'); n >= 0 {
			return n
		}
		return len(s)
	}
	return 0
}

// quote reads a string, or a pattern, at i and gives its length.
func (x *lexer) quote(i, end, inside int) int {
	s := x.text[i:end]
	switch c := s[0]; {
	case x.scans > 16*maxScans:
		return 0
	case c == '`' && x.lang.ticks:
		t, n := x.literal(s)
		if n > 0 {
			x.ticks = append(x.ticks, t)
			x.add(str, "", i, i+n)
		}
		return n
	case c == '`' && x.lang == &nodeCalls:
		return x.filled(i, end, inside, s, 0, "${", "}")
	case c == '"' || c == '\'', c == '`' && x.lang == &goCalls:
		return x.plain(i, end, inside, s, 0)
	case c == '/' && x.lang == &nodeCalls && x.operand():
		n, ok := pattern(s)
		if ok {
			x.add(str, "", i, i+n)
			return n
		}
		x.scans += n
	case x.lang == &pythonCalls && isLetter(c):
		return x.prefixed(i, end, inside, s)
	case (x.lang == &perlCalls && c == 'q' || x.lang == &rubyCalls && c == '%') && len(s) > 2:
		return x.delimited(i, end, inside, s)
	}
	return 0
}

// operand: what comes next begins a value, so / begins a pattern.
func (x *lexer) operand() bool {
	if len(x.toks) == 0 {
		return true
	}
	t := &x.toks[len(x.toks)-1]
	return t.mark() && t.kind != ')' && t.kind != ']' && t.kind != '}' || t.kind == name && in(t.text, "return typeof case in of")
}

// pattern is the length of a regular expression that ends on its line, or how far one was looked for.
func pattern(s string) (n int, ok bool) {
	class := false
	i := 1
	for ; i < len(s) && s[i] != '\n'; i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '[':
			class = true
		case s[i] == ']':
			class = false
		case s[i] == '/' && !class && i > 1:
			return i + 1, true
		}
	}
	return i, false
}

// prefixed reads Python's r"…", b"…", f"…" and their kind.
func (x *lexer) prefixed(i, end, inside int, s string) int {
	n := 0
	for n < len(s) && n < 3 && strings.IndexByte("rbfuRBFU", s[n]) >= 0 {
		n++
	}
	if n == 0 || n >= len(s) || s[n] != '"' && s[n] != '\'' {
		return 0
	}
	if strings.ContainsAny(s[:n], "fF") {
		return x.filled(i, end, inside, s, n, "{", "}")
	}
	return x.plain(i, end, inside, s, n)
}

// plain reads a string without code in it, after a prefix of n bytes; in languages whose names have a sigil, or with
// #{…}, one in double quotes may hold code.
func (x *lexer) plain(i, end, inside int, s string, n int) int {
	switch {
	case s[n] == '"' && x.lang.hash:
		return x.filled(i, end, inside, s, n, "#{", "}")
	case s[n] == '"' && x.lang.sigil:
		return x.filled(i, end, inside, s, n, "$", "")
	}
	t, size := x.literal(s[n:])
	if size == 0 {
		return 0
	}
	x.add(str, t, i, i+n+size)
	return n + size
}

// literal reads a string, also Python's in three quotes.
func (x *lexer) literal(s string) (string, int) {
	if x.lang == &pythonCalls || x.lang == &juliaCalls {
		for _, q := range [...]string{`"""`, "'''"} {
			if strings.HasPrefix(s, q) {
				if e := strings.Index(s[3:], q); e >= 0 {
					return s[3 : 3+e], e + 6
				}
			}
		}
	}
	end, ok := closing(s, x.lang.lines && s[0] != '`')
	if !ok {
		x.scans += end
		return "", 0
	}
	return unescapeAll(s[1:end]), end + 1
}

// filled reads a string with code in it, open…shut, as its parts joined by + in brackets.
func (x *lexer) filled(i, end, inside int, s string, n int, open, shut string) int {
	text, size := x.literal(s[n:])
	if size == 0 {
		return 0
	}
	size += n
	raw := s[n:size] // places in the code are places in the text only where nothing was escaped, so the raw form is read
	if !strings.Contains(raw, open) || inside >= maxInside {
		x.add(str, text, i, i+size)
		return size
	}
	q := 1
	if strings.HasPrefix(raw, `"""`) || strings.HasPrefix(raw, "'''") {
		q = 3
	}
	x.parts(i, end, inside, s, n+q, size-q, open, shut)
	return size
}

// parts adds s[lo:hi], a string at i with code in it, as its parts joined by + in brackets.
func (x *lexer) parts(i, end, inside int, s string, lo, hi int, open, shut string) {
	x.add('(', "", i, i+1)
	for lo < hi && len(x.toks) < maxTokens {
		at, from, to := hole(s[lo:hi], open, shut)
		if at < 0 {
			break
		}
		before := s[lo : lo+at]
		if x.lang == &phpCalls {
			before = strings.TrimSuffix(before, "{") // "{$name}"
		}
		x.add(str, unescapeAll(before), i+lo, i+lo+at)
		x.add('+', "", i+lo+at, i+lo+at)
		x.add('(', "", i+lo+at, i+lo+at)
		x.run(i+lo+from, min(i+lo+to, end), inside+1)
		x.add(')', "", i+lo+to, i+lo+to)
		x.add('+', "", i+lo+to, i+lo+to)
		lo += to
		if lo < hi && s[lo] == '}' {
			lo++
		}
	}
	x.add(str, unescapeAll(s[min(lo, hi):hi]), i+min(lo, hi), i+hi)
	x.add(')', "", i+hi, i+hi+1)
}

// hole finds the next code in a string: where it opens, and where the code itself begins and ends.
func hole(s, open, shut string) (at, from, to int) {
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			i++
			continue
		}
		if !strings.HasPrefix(s[i:], open) {
			continue
		}
		from = i + len(open)
		if shut == "" { // $name, ${name}
			n := from
			if n < len(s) && s[n] == '{' {
				if e := strings.IndexByte(s[n:], '}'); e > 1 {
					return i, n + 1, n + e
				}
			}
			for n < len(s) && isNameByte(s[n]) {
				n++
			}
			if n > from {
				if n < len(s) && (s[n] == '{' || s[n] == '[') {
					if e := strings.IndexAny(s[n:min(n+maxSubscript, len(s))], "}]"); e > 0 {
						n += e + 1
					}
				}
				return i, i, n
			}
			continue
		}
		if open == "{" && from < len(s) && s[from] == '{' {
			i++
			continue
		}
		depth := 0
		for n := from; n < len(s); n++ {
			switch s[n] {
			case '{':
				depth++
			case '}':
				if depth == 0 {
					return i, from, n
				}
				depth--
			}
		}
		return -1, 0, 0
	}
	return -1, 0, 0
}

// delimited reads Perl's q() qq() qw() qx() and Ruby's %w[] %x() %q().
func (x *lexer) delimited(i, end, inside int, s string) int {
	if i > 0 && isNameByte(x.text[i-1]) {
		return 0
	}
	kind, n := byte('q'), 1
	if strings.IndexByte("qwxrWQI", s[1]) >= 0 {
		kind, n = s[1], 2
	}
	if n >= len(s) || strings.IndexByte("({[</|!", s[n]) < 0 {
		return 0
	}
	shut := s[n]
	if j := strings.IndexByte("({[<", shut); j >= 0 {
		shut = ")}]>"[j]
	}
	e := x.shuts(s[n+1:], s[n], shut)
	if e < 0 {
		return 0
	}
	text, size := s[n+1:n+1+e], n+e+2
	switch kind {
	case 'x':
		x.ticks = append(x.ticks, text)
		x.add(str, "", i, i+size)
	case 'w', 'W', 'I':
		x.add('[', "", i, i)
		for j, w := range strings.Fields(text) {
			if len(x.toks) >= maxTokens {
				break
			}
			if j > 0 {
				x.add(',', "", i, i)
			}
			x.add(str, w, i, i)
		}
		x.add(']', "", i+size, i+size)
	default:
		switch lo := n + 1; {
		case inside >= maxInside:
			x.add(str, text, i, i+size)
		case x.lang == &perlCalls && n == 2 && kind == 'q': // qq()
			x.parts(i, end, inside, s, lo, lo+e, "$", "")
		case x.lang == &rubyCalls && kind == 'Q':
			x.parts(i, end, inside, s, lo, lo+e, "#{", "}")
		default:
			x.add(str, text, i, i+size)
		}
	}
	return size
}

// shuts is where the bracket that opened before s is closed, or -1.
func (x *lexer) shuts(s string, open, shut byte) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == shut && depth == 0:
			return i
		case s[i] == shut:
			depth--
		case s[i] == open:
			depth++
		}
	}
	x.scans += len(s)
	return -1
}

// quoted reads a string literal at the start of s and gives its length in s.
func quoted(s string) (string, int) {
	if s == "" || s[0] != '"' && s[0] != '\'' && s[0] != '`' {
		return "", 0
	}
	end, ok := closing(s, false)
	if !ok {
		return "", 0
	}
	return unescapeAll(s[1:end]), end + 1
}

// closing is where the string ends whose quote s begins with, or, not ok, how far its end was looked for: to the end of
// the line where a string ends with that.
func closing(s string, line bool) (end int, ok bool) {
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == s[0]:
			return i, true
		case c == '\n' && line:
			return i, false
		}
	}
	return len(s), false
}

// unescapeAll puts the characters that a backslash stands for.
func unescapeAll(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 >= len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case '\n':
		case 'x', 'u':
			width := 2
			if c == 'u' {
				width = 4
			}
			if v, ok := hexByte(s, i+1, width); ok {
				b.WriteByte(v)
				i += width
			} else {
				b.WriteByte(c)
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// hexByte is the character below 128 that the digits at i stand for.
func hexByte(s string, i, width int) (byte, bool) {
	if i+width > len(s) {
		return 0, false
	}
	v := 0
	for _, c := range []byte(s[i : i+width]) {
		d := strings.IndexByte("0123456789abcdef", c|0x20)
		if c >= '0' && c <= '9' {
			d = int(c - '0')
		}
		if d < 0 {
			return 0, false
		}
		v = v*16 + d
	}
	return byte(v), v < 128 && v > 0
}

func isNameByte(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' || c == '_' || c == '$' }
