package shell

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// literal is a word that says what it is.
func literal(s string) Word { return Word{Text: s, Known: true} }

// clone copies words that are about to be changed.
//
//go:noinline
func clone(list []Word) []Word { return append(make([]Word, 0, len(list)+1), list...) }

// words expands words as the arguments of a command are: braces, variables, splitting at blanks.
func (r *reader) words(list []*syntax.Word, e *env) []Word {
	out := make([]Word, 0, len(list))
	for _, w := range list {
		if len(out) > maxWords {
			r.doubt("more than " + strconv.Itoa(maxWords) + " words in a command")
			break
		}
		if w != nil {
			out = r.fields(out, w, e)
		}
	}
	return out
}

// word expands a word that stays one: a redirection's target, an assigned value, a pattern.
func (r *reader) word(w *syntax.Word, e *env) Word {
	if w == nil {
		return literal("")
	}
	b := builder{r: r, e: e, whole: true}
	b.word(w)
	return b.one()
}

func (r *reader) fields(out []Word, w *syntax.Word, e *env) []Word {
	if len(w.Parts) == 1 { // nearly all words
		if l, ok := w.Parts[0].(*syntax.Lit); ok && !strings.ContainsAny(l.Value, "\\~{*?[") {
			return append(out, literal(l.Value))
		}
	}
	if !syntax.SplitBraces(w) {
		b := builder{r: r, e: e}
		b.word(w)
		return append(out, b.all()...)
	}
	for _, x := range r.braces([][]syntax.WordPart{nil}, w.Parts) {
		b := builder{r: r, e: e}
		b.word(&syntax.Word{Parts: x})
		out = append(out, b.all()...)
	}
	return out
}

// maxBraces bounds what one word's braces may become.
const maxBraces = 256

// braces multiplies out {a,b} and {1..3}.
func (r *reader) braces(heads [][]syntax.WordPart, parts []syntax.WordPart) [][]syntax.WordPart {
	if !r.enter() {
		return heads
	}
	defer r.leave()
	for _, p := range parts {
		b, ok := p.(*syntax.BraceExp)
		if !ok {
			for i := range heads {
				heads[i] = append(heads[i][:len(heads[i]):len(heads[i])], p)
			}
			continue
		}
		var next [][]syntax.WordPart
		for _, el := range elements(b) {
			for _, t := range r.braces([][]syntax.WordPart{nil}, el) {
				for _, h := range heads {
					next = append(next, append(h[:len(h):len(h)], t...))
				}
			}
			if len(next) > maxBraces || !r.grow(len(next)) {
				r.doubt("its braces expand to too many words")
				break
			}
		}
		if len(heads) == 1 || len(next) == 0 {
			heads = next
			continue
		}
		heads = reorder(next, len(heads))
	}
	return heads
}

// reorder puts {a,b}{c,d} into the shell's order: the last brace changes fastest.
func reorder(next [][]syntax.WordPart, heads int) [][]syntax.WordPart {
	out := make([][]syntax.WordPart, 0, len(next))
	for h := range heads {
		for i := h; i < len(next); i += heads {
			out = append(out, next[i])
		}
	}
	return out
}

func elements(b *syntax.BraceExp) [][]syntax.WordPart {
	var out [][]syntax.WordPart
	if !b.Sequence {
		for _, w := range b.Elems {
			out = append(out, w.Parts)
		}
		return out
	}
	for _, s := range sequence(b) {
		out = append(out, []syntax.WordPart{&syntax.Lit{Value: s}})
	}
	return out
}

// sequence gives {1..3} and {a..c}, cut at maxBraces.
func sequence(b *syntax.BraceExp) []string {
	var text [3]string
	for i, w := range b.Elems[:min(3, len(b.Elems))] {
		text[i] = w.Lit()
	}
	step, _ := strconv.Atoi(text[2])
	step = max(1, max(step, -step))
	from, err1 := strconv.Atoi(text[0])
	to, err2 := strconv.Atoi(text[1])
	letters := err1 != nil || err2 != nil
	if letters {
		if len(text[0]) != 1 || len(text[1]) != 1 {
			return []string{text[0] + ".." + text[1]}
		}
		from, to = int(text[0][0]), int(text[1][0])
	}
	var out []string
	add := func(n int) {
		if letters {
			out = append(out, string(rune(n)))
		} else {
			out = append(out, strconv.Itoa(n))
		}
	}
	for n := from; n <= to && len(out) <= maxBraces && from <= to; n += step {
		add(n)
	}
	for n := from; n >= to && len(out) <= maxBraces && from > to; n -= step {
		add(n)
	}
	return out
}

// wordCost is what a word that an expansion makes takes of the bytes that the line may grow by.
const wordCost = 8

// builder makes words out of the parts of one.
type builder struct {
	r     *reader
	e     *env
	done  []Word
	text  []byte
	open  bool // the word under way is there even when it is empty
	doubt bool
	glob  bool
	whole bool // no splitting
	hdoc  bool // the text of a heredoc: quotes are plain
}

func (b *builder) one() Word {
	return Word{Text: string(b.text), Known: !b.doubt, Glob: b.glob}
}

func (b *builder) all() []Word {
	if b.open || len(b.text) > 0 {
		b.done = append(b.done, b.one())
	}
	return b.done
}

func (b *builder) flush() {
	if b.open || len(b.text) > 0 {
		b.done = append(b.done, b.one())
	}
	b.text, b.open, b.doubt, b.glob = nil, false, false, false
}

func (b *builder) word(w *syntax.Word) {
	for i, p := range w.Parts {
		if b.r.full {
			b.doubt = true
			return
		}
		b.part(p, i == 0, false)
	}
}

func (b *builder) part(p syntax.WordPart, first, quoted bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		b.lit(p.Value, first, quoted)
	case *syntax.SglQuoted:
		b.open = true
		if p.Dollar {
			b.text = append(b.text, ansi(p.Value)...)
		} else {
			b.text = append(b.text, p.Value...)
		}
	case *syntax.DblQuoted:
		b.open = true
		if b.hdoc {
			b.text = append(b.text, '"')
		}
		for _, q := range p.Parts {
			b.part(q, false, true)
		}
		if b.hdoc {
			b.text = append(b.text, '"')
		}
	case *syntax.ParamExp:
		b.value(b.r.param(p, b.e, quoted), quoted, isAt(p))
	case *syntax.CmdSubst:
		b.value(b.r.subst(p, b.e), quoted, false)
	case *syntax.ProcSubst:
		b.r.procSubst(p, b.e)
		b.unknown(b.r.text(p))
	case *syntax.ArithmExp:
		b.r.arith(p.X, b.e)
		if n, ok := b.r.number(p.X, b.e); ok {
			b.add(strconv.Itoa(n))
		} else {
			b.unknown(b.r.text(p))
		}
	case *syntax.ExtGlob:
		b.glob = true
		b.add(b.r.text(p))
	case *syntax.BraceExp: // in a word that stays whole
		b.unknown(b.r.text(p))
	default:
		b.unknown("$?")
	}
}

func (b *builder) add(s string) {
	if b.r.grow(len(s)) {
		b.text = append(b.text, s...)
		return
	}
	b.doubt = true
}

func (b *builder) unknown(s string) {
	b.doubt, b.open = true, true
	b.add(s)
}

// lit adds text as it stands in the line, with its escapes.
func (b *builder) lit(s string, first, quoted bool) {
	if first && !quoted && !b.hdoc && strings.HasPrefix(s, "~") {
		s = b.tilde(s)
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && i+1 < len(s):
			i++
			switch {
			case s[i] == '\n':
			case (quoted || b.hdoc) && !(s[i] == '$' || s[i] == '`' || s[i] == '\\' || s[i] == '"' && !b.hdoc):
				b.text = append(b.text, '\\', s[i])
			default:
				b.text = append(b.text, s[i])
			}
		case !quoted && !b.hdoc && (c == '*' || c == '?' || c == '['):
			b.glob = true
			b.text = append(b.text, c)
		default:
			b.text = append(b.text, c)
		}
	}
}

// tilde resolves ~ and ~/x; another person's home is left as it was written.
func (b *builder) tilde(s string) string {
	name, rest, slash := strings.Cut(s[1:], "/")
	if slash {
		rest = "/" + rest
	}
	dir := ""
	switch name {
	case "":
		v := b.r.variable("HOME", b.e)
		if dir = v.text; !v.known {
			dir = ""
		}
	case "+":
		dir = b.r.dir(b.e)
	case "-":
		dir = b.e.at.prev
	case "root":
		dir = "/root"
	}
	if dir == "" {
		b.doubt = true
		return s
	}
	b.text = append(b.text, dir...)
	b.open = true
	return rest
}

// value adds what a variable or a command gives. Unquoted it is split at blanks.
func (b *builder) value(v value, quoted, list bool) {
	if list && v.array {
		b.elements(v.list, quoted)
		return
	}
	b.glob = b.glob || v.each
	if !v.known {
		b.unknown(v.text)
		return
	}
	if quoted || b.whole || b.hdoc {
		b.glob = b.glob || v.glob && !quoted && !b.hdoc
		b.add(v.text)
		return
	}
	ifs := " \t\n"
	if w, ok := b.e.get("IFS"); ok && w.known && !w.unset {
		ifs = w.text
	}
	if !strings.ContainsAny(v.text, ifs) || ifs == "" {
		b.glob = b.glob || v.glob || strings.ContainsAny(v.text, "*?[")
		b.add(v.text)
		return
	}
	b.split(v.text, ifs)
}

func (b *builder) split(s, ifs string) {
	for s != "" {
		i := strings.IndexAny(s, ifs)
		if i < 0 {
			i = len(s)
		}
		b.glob = b.glob || strings.ContainsAny(s[:i], "*?[")
		b.add(s[:i])
		if i == len(s) {
			return
		}
		if len(b.done) > maxWords || !b.r.grow(wordCost) {
			b.r.doubt("a variable holds too many words")
			b.doubt = true
			return
		}
		b.flush()
		s = s[i+1:]
	}
}

func (b *builder) elements(list []Word, quoted bool) {
	for i, w := range list {
		if !b.r.grow(wordCost) {
			b.doubt = true
			return
		}
		if i > 0 && b.whole {
			b.add(" ")
		} else if i > 0 {
			b.flush()
		}
		b.open = true
		b.doubt = b.doubt || !w.Known
		b.glob = b.glob || w.Glob && !quoted
		b.add(w.Text)
	}
}

// text gives a part as it was written.
func (r *reader) text(n syntax.Node) string {
	a, z := int(n.Pos().Offset()), int(n.End().Offset())
	if a < 0 || z > len(r.src) || a >= z {
		return "$(…)"
	}
	const long = 200
	if z-a > long {
		for z = a + long; z > a && !utf8.RuneStart(r.src[z]); z-- {
		}
		return r.src[a:z] + "…"
	}
	return r.src[a:z]
}

// ansi resolves the escapes of $'…'.
func ansi(s string) string {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			out = append(out, s[i])
			continue
		}
		i++
		var n int
		switch c := s[i]; c {
		case 'x':
			out, n = code(out, s[i+1:], 16, 2, false)
		case 'u':
			out, n = code(out, s[i+1:], 16, 4, true)
		case 'U':
			out, n = code(out, s[i+1:], 16, 8, true)
		case '0', '1', '2', '3', '4', '5', '6', '7':
			out, n = code(out, s[i:], 8, 3, false)
			n--
		case 'c':
			if i+1 < len(s) {
				out, n = append(out, s[i+1]&0x1f), 1
			}
		default:
			out = append(out, escape(c)...)
		}
		i += n
	}
	return string(out)
}

// escape gives what a backslash and one letter stand for.
func escape(c byte) string {
	const from, to = "abefnrtvE", "\a\b\x1b\f\n\r\t\v\x1b"
	if i := strings.IndexByte(from, c); i >= 0 {
		return to[i : i+1]
	}
	switch c {
	case '\\', '\'', '"', '?':
		return string(c)
	}
	return "\\" + string(rune(c))
}

// code reads up to max digits and adds the byte or the character they name.
func code(out []byte, s string, base, max int, char bool) ([]byte, int) {
	n := 0
	for n < len(s) && n < max && digit(s[n]) < base {
		n++
	}
	if n == 0 {
		return out, 0
	}
	v, _ := strconv.ParseUint(s[:n], base, 32) // digits only, at most 32 bits: cannot fail
	if char {
		return utf8.AppendRune(out, rune(v)), n
	}
	return append(out, byte(v)), n
}

func digit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return 99
}
