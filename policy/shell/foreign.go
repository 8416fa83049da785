package shell

import "strings"

// readForeign reads a line of a shell that is not of the Bourne family.
func readForeign(line string, o Options, read func(*reader, string, *env, place)) Script {
	r := &reader{o: o, growth: maxGrowth}
	r.guard(func() { read(r, line, &env{}, place{}) })
	return Script{Commands: r.out, Unsure: r.unsure, Broken: r.broken}
}

// token is a word or a separator of a foreign shell.
type token struct {
	text  string
	known bool
	quote bool   // some of it was quoted
	sep   string // a separator: ; | & && || ( ) { } or a redirection
	block bool   // text is a script block: code
	call  bool   // the call operator stands before it
	subs  []string
}

// foreignText bounds a text of another shell, cuts it into statements and reads them.
func (r *reader) foreignText(text string, e *env, at place, lex func(string) ([]token, string), run func([]token, *env, place)) {
	if !r.enter() {
		return
	}
	defer r.leave()
	if len(text) > MaxLine {
		r.doubt("longer than 256 KiB: the rest was not read")
		text = text[:MaxLine]
	}
	toks, why := lex(strings.ReplaceAll(text, "\x00", ""))
	if why != "" {
		r.broken = r.broken || why == notClosed
		r.doubt(why)
	}
	outer := at
	stage := at.stage
	var words []token
	flush := func(pipe bool) {
		if len(words) > 0 && r.step() {
			p := outer
			p.stage = stage
			if !p.piped && (pipe || stage > 0) {
				if stage == 0 {
					r.groups++
				}
				p.piped, p.group = true, r.groups
			}
			if stage > 0 {
				p.stdin = &feed{pipe: true, text: func() (string, bool) { return "", false }}
			}
			run(words, e, p)
		}
		words = nil
		if pipe {
			stage++
		} else {
			stage = outer.stage
		}
	}
	for _, t := range toks {
		if r.full {
			return
		}
		switch t.sep {
		case "":
			words = append(words, t)
		case "|":
			flush(true)
		case ">", ">>", "<":
			words = append(words, t)
		default:
			flush(false)
		}
	}
	flush(false)
}

// What may be wrong with the words of a foreign shell.
const (
	notClosed = "syntax error: a quote or bracket is not closed"
	tooMany   = "more words than are read"
	maxTokens = 20_000
)

// lexer cuts a line of a foreign shell into tokens.
type lexer struct {
	s    string
	i    int // the character being looked at
	out  []token
	text []byte
	cur  token
	open bool // the word under way is there even when it is empty
	bad  bool // a quote or bracket stays open
}

func newLexer(s string) *lexer { return &lexer{s: s, cur: token{known: true}} }

// end ends the word under way.
func (l *lexer) end() {
	if !l.open && len(l.text) == 0 {
		return
	}
	l.cur.text = string(l.text)
	l.out = append(l.out, l.cur)
	l.cur, l.open, l.text = token{known: true}, false, l.text[:0]
}

func (l *lexer) separator(sep string) {
	l.end()
	l.out = append(l.out, token{sep: sep})
}

// at says that the line goes on with s.
func (l *lexer) at(s string) bool { return strings.HasPrefix(l.s[l.i:], s) }

// operator reads |, &, <, > and their doubles; calls says that a single & before a command calls it.
func (l *lexer) operator(calls bool) {
	c := l.s[l.i]
	if c == '>' && len(l.text) == 1 && strings.IndexByte("0123456789*", l.text[0]) >= 0 {
		l.text = l.text[:0] // 2>
	}
	l.end()
	sep := string(c)
	if l.i+1 < len(l.s) && l.s[l.i+1] == c {
		l.i++
		sep += sep
	}
	if calls && sep == "&" && (len(l.out) == 0 || l.out[len(l.out)-1].sep != "") {
		l.cur.call = true
		return
	}
	if c == '>' && l.i+1 < len(l.s) && l.s[l.i+1] == '&' { // 2>&1
		l.i = min(l.i+2, len(l.s)-1)
		return
	}
	l.out = append(l.out, token{sep: sep})
}

// done ends the line and says what is wrong with it.
func (l *lexer) done() ([]token, string) {
	l.end()
	switch {
	case len(l.out) > maxTokens:
		return l.out, tooMany
	case l.bad:
		return l.out, notClosed
	}
	return l.out, ""
}

// foreignCall turns tokens into words and redirections; script blocks are read as code.
func (r *reader) foreignCall(toks []token, e *env, block func(string)) *call {
	k := &call{}
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		switch {
		case t.block:
			block(t.text)
			k.words = append(k.words, Word{Text: "{" + t.text + "}"})
		case t.sep != "":
			if i+1 < len(toks) {
				i++
				k.redirs = append(k.redirs, Redirect{Op: t.sep, Fd: -1, To: r.foreignWord(toks[i], e)})
			}
		case len(k.words) < maxWords:
			w := r.foreignWord(t, e)
			w.Glob = !t.quote && strings.ContainsAny(w.Text, "*?")
			k.words = append(k.words, w)
		}
	}
	return k
}

// foreignWord fills in the variables that are known: those of the line, the home folder, the environment.
func (r *reader) foreignWord(t token, e *env) Word {
	w := Word{Text: t.text, Known: t.known}
	if t.known {
		if !t.quote && (t.text == "~" || strings.HasPrefix(t.text, "~/") || strings.HasPrefix(t.text, `~\`)) && r.o.Home != "" {
			w.Text = r.o.Home + t.text[1:]
		}
		return w
	}
	if len(t.subs) > 0 || !strings.Contains(t.text, "$") {
		return w
	}
	var b strings.Builder
	w.Known = true
	for s := t.text; s != ""; {
		i := strings.IndexByte(s, '$')
		if i < 0 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:i])
		name := s[i+1:]
		n := 0
		braces := strings.HasPrefix(name, "{")
		if braces {
			n = 1
		}
		for n < len(name) && (nameByte(name[n]) || name[n] == ':') {
			n++
		}
		id := strings.ToLower(strings.Trim(name[:n], "{"))
		if braces && n < len(name) {
			n++
		}
		v, ok := e.get(id)
		if env, cut := strings.CutPrefix(id, "env:"); cut && !ok {
			v = r.variable(strings.ToUpper(env), e)
			if env == "userprofile" && r.o.Home != "" {
				v = value{text: r.o.Home, known: true}
			}
		} else if id == "home" && !ok {
			v = r.variable("HOME", e)
		} else if id == "pwd" && !ok {
			v = r.variable("PWD", e)
		}
		if v.known && r.grow(len(v.text)) {
			b.WriteString(v.text)
		} else {
			w.Known = false
			b.WriteString(s[i : i+1+n])
		}
		s = s[i+1+n:]
	}
	w.Text = b.String()
	return w
}
