package effect

import "strings"

// The tokenizer of program texts: names with their dots, strings, and single marks. It runs in linear time.

type tokKind uint8

const (
	name tokKind = iota
	str
	mark
)

type tok struct {
	kind tokKind
	text string
	at   int
}

// program is a text in tokens, with the names that are assigned literal strings.
type program struct {
	text      string
	toks      []tok
	vars      map[string]string
	alias     map[string]string // import shutil as s; from os import remove
	backticks []string
}

const maxTokens = 20_000

func tokens(text string, lang *language) *program {
	p := &program{text: text, vars: map[string]string{}, alias: map[string]string{}}
	for i := 0; i < len(text) && len(p.toks) < maxTokens; {
		c := text[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		case strings.HasPrefix(text[i:], lang.comments):
			i = lineEnd(text, i)
		case c == '`' && lang != &nodeCalls:
			s, n := quoted(text[i:])
			if n == 0 {
				i++
				continue
			}
			p.backticks = append(p.backticks, s)
			i += n
		case c == '"' || c == '\'' || c == '`':
			s, n := literal(text[i:])
			if n == 0 {
				i++
				continue
			}
			p.toks = append(p.toks, tok{str, s, i})
			i += n
		case isNameByte(c):
			n := i
			for n < len(text) && (isNameByte(text[n]) || text[n] == '.') {
				n++
			}
			p.toks = append(p.toks, tok{name, text[i:n], i})
			i = n
		default:
			p.toks = append(p.toks, tok{mark, text[i : i+1], i})
			i++
		}
	}
	p.bind()
	return p
}

func lineEnd(s string, i int) int {
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s)
}

// literal reads a string, also Python's in three quotes.
func literal(s string) (string, int) {
	for _, q := range [...]string{`"""`, "'''"} {
		if strings.HasPrefix(s, q) {
			if e := strings.Index(s[3:], q); e >= 0 {
				return s[3 : 3+e], e + 6
			}
		}
	}
	return quoted(s)
}

func isNameByte(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' || c == '_' || c == '$' }

// bind notes assignments of literals, imports under another name, and names taken out of a module.
func (p *program) bind() {
	for i := 0; i+2 < len(p.toks); i++ {
		t := p.toks
		switch {
		case t[i].kind == name && t[i+1].text == "=" && t[i+1].kind == mark && t[i+2].kind == str:
			s, _ := p.joined(i + 2)
			p.vars[t[i].text] = s
		case t[i].text == "import" && t[i+1].kind == name && i+3 < len(t) && t[i+2].text == "as":
			p.alias[t[i+3].text] = t[i+1].text
		case t[i].kind == name && t[i+1].text == "=" && t[i+2].text == "require" && i+4 < len(t) && t[i+4].kind == str:
			p.alias[t[i].text] = strings.TrimPrefix(t[i+4].text, "node:")
		case t[i].kind == name && t[i].text == "getattr" && t[i+1].text == "(" && t[i+2].kind == name:
			p.getattr(i)
		}
	}
	p.paths()
	p.params()
	p.paths()
	for i := range p.toks {
		t := &p.toks[i]
		if t.kind != name {
			continue
		}
		first, rest, dotted := strings.Cut(t.text, ".")
		if a, ok := p.alias[first]; ok && dotted {
			t.text = moduleName(a) + "." + rest
		}
	}
}

// moduleName is the name under which the tables know a module.
func moduleName(m string) string {
	switch m {
	case "fs/promises", "fs-extra":
		return "fs"
	}
	return m
}

// getattr turns getattr(m,'na'+'me') into m.name, so that a call of it reads like one.
func (p *program) getattr(i int) {
	t := p.toks
	if i+4 >= len(t) || t[i+3].text != "," || t[i+4].kind != str {
		return
	}
	s, n := p.joined(i + 4)
	end := i + 4 + n
	if end < len(t) && t[end].text == ")" {
		mod := t[i+2].text
		if a, ok := p.alias[mod]; ok {
			mod = a
		}
		t[end] = tok{name, mod + "." + s, t[end].at}
	}
}

// joined reads a literal and those added to it with + or written beside it, and tells how many tokens that took.
func (p *program) joined(i int) (string, int) {
	var b strings.Builder
	n := 0
	for i+n < len(p.toks) {
		t := p.toks[i+n]
		switch {
		case t.kind == str:
			b.WriteString(t.text)
			n++
		case t.text == "+" && i+n+1 < len(p.toks) && p.toks[i+n+1].kind == str:
			n++
		default:
			return b.String(), n
		}
	}
	return b.String(), n
}

// callArgs are a call's arguments as far as they are literal.
type callArgs struct {
	raw    string   // the text between the brackets
	lit    string   // the first argument
	known  bool     // it is literal
	second string   // the second one, if literal
	list   []string // the words of a first argument that is a list
	all    []string // every literal
}

// args reads the arguments of the call whose name is token i; ok is false when no bracket follows.
func (p *program) args(i int) (callArgs, bool) {
	var a callArgs
	j := i + 1
	if j >= len(p.toks) {
		return a, false
	}
	open := p.toks[j].text == "(" && p.toks[j].kind == mark
	if !open && (p.toks[j].kind != str || in(p.toks[i].text, "return print import from in if as and or not else case")) {
		return a, false
	}
	if open {
		j++
	}
	start, depth, arg := j, 0, 0
	list, joined := false, false
	for ; j < len(p.toks) && j < start+200; j++ {
		t := p.toks[j]
		if t.kind == mark {
			switch t.text {
			case "(", "[", "{":
				list = list || t.text == "[" && arg == 0 && j == start
				depth++
			case ")", "]", "}":
				depth--
			case ",":
				if depth == 0 && !in(p.toks[i].text, joins) {
					arg++
				} else if joined || in(p.toks[i].text, joins) {
					a.slash()
				}
			case ";":
				if !open {
					depth = -1
				}
			}
			if depth < 0 {
				break
			}
			continue
		}
		if t.kind == str {
			a.all = append(a.all, t.text)
		}
		v, lit := p.value(t)
		joined = joined || t.kind == name && in(t.text, joins)
		switch {
		case list && arg == 0 && lit:
			a.list = append(a.list, v)
		case arg == 0 && depth <= 1 && lit:
			if a.lit == "" && !a.known {
				a.known = true
			}
			if joined && strings.HasPrefix(v, "/") {
				a.lit = ""
			}
			a.lit += v
		case arg == 0 && !in(t.text, "Path pathlib.Path os.path.abspath os.path.normpath str r f b rb String os.path.expanduser expanduser os.fspath "+joins):
			a.known = false
		case arg == 1 && lit && a.second == "":
			a.second = v
		}
	}
	if start < len(p.toks) {
		end := len(p.text)
		if j < len(p.toks) {
			end = p.toks[j].at
		}
		a.raw = p.text[p.toks[start].at:max(end, p.toks[start].at)]
	}
	return a, true
}

// value is a token as a literal string.
func (p *program) value(t tok) (string, bool) {
	if t.kind == str {
		return t.text, true
	}
	if t.kind == name {
		v, ok := p.vars[t.text]
		return v, ok
	}
	return "", false
}

// before finds the literal that a method's object was made from: Path("x").unlink, or p.unlink with p = Path("x").
func (p *program) before(i int) (string, bool) {
	if strings.HasPrefix(p.toks[i].text, ".") || i > 0 && p.toks[i-1].text == ")" {
		for j := i - 1; j >= 0 && j > i-6; j-- {
			if p.toks[j].kind == str {
				return p.toks[j].text, true
			}
		}
	}
	return "", false
}

// slash parts what is joined as a path; an absolute part starts it anew, as the languages' own joins do.
func (a *callArgs) slash() {
	if a.lit != "" && !strings.HasSuffix(a.lit, "/") {
		a.lit += "/"
	}
}
