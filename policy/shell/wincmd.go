package shell

import "strings"

// cmdNames gives further names of the command processor's own commands.
var cmdNames = [...][2]string{{"erase", "del"}, {"md", "mkdir"}, {"rd", "rmdir"}, {"ren", "rename"}, {"chdir", "cd"}}

// cmd reads a line of the command processor in an environment.
func (r *reader) cmd(text string, e *env, at place) {
	r.foreignText(text, e, at, cmdTokens, r.cmdCommand)
}

// cmdTokens cuts a line of the command processor into words and separators, and says what is wrong with them.
func cmdTokens(s string) ([]token, string) {
	l := newLexer(s)
	quote := false
	for ; l.i < len(s) && len(l.out) <= maxTokens; l.i++ {
		switch c := s[l.i]; {
		case c == '"':
			quote = !quote
			l.open, l.cur.quote = true, true
		case c == '\n':
			quote = false
			l.separator(";")
		case c == '%' || c == '!':
			l.cur.known = false
			l.text = append(l.text, c)
		case quote:
			l.text = append(l.text, c)
		case c == '^' && l.i+1 < len(s):
			if l.i++; s[l.i] != '\n' && s[l.i] != '\r' {
				l.text = append(l.text, s[l.i])
			}
		case c == ' ' || c == '\t' || c == '\r' || c == ',' || c == ';' || c == '=' && len(l.text) == 0:
			l.end()
		case c == '(' && len(l.text) == 0 && len(l.out) > 0 && strings.EqualFold(l.out[len(l.out)-1].text, "in"):
			for l.i+1 < len(s) && s[l.i] != ')' { // the set of a for
				l.i++
			}
			l.separator(";")
		case c == '(' && len(l.text) == 0 || c == ')':
			l.separator(";")
		case c == '|' || c == '&' || c == '>' || c == '<':
			l.operator(false)
		default:
			l.text = append(l.text, c)
		}
	}
	l.bad = quote
	return l.done()
}

// cmdCommand reads one command of the command processor.
func (r *reader) cmdCommand(toks []token, e *env, at place) {
	k := r.foreignCall(toks, e, func(string) {})
	for i := range k.words {
		k.words[i] = r.percent(k.words[i], e)
	}
	k.stdin = at.stdin
	for len(k.words) > 0 {
		first := strings.TrimLeft(k.words[0].Text, "@")
		switch strings.ToLower(first) {
		case "", "call", "do", "else":
			k.words = k.words[1:]
			continue
		case "if":
			k.words = afterIf(k.words[1:])
			continue
		case "for":
			return // its body stands behind the brackets, which end a statement
		case "start":
			k.words = afterStart(k.words[1:])
			continue
		}
		k.words[0].Text = first
		break
	}
	if len(k.words) > 0 {
		r.cmdRun(k, e, at)
	}
}

func (r *reader) cmdRun(k *call, e *env, at place) {
	first := k.words[0]
	if i := strings.IndexByte(first.Text, '/'); i > 0 && !strings.Contains(first.Text[:i], ":") { // rd/s/q
		k.words = append([]Word{{Text: first.Text[:i], Known: first.Known}, {Text: first.Text[i:], Known: first.Known}}, k.words[1:]...)
	}
	name, file, unsure := programName(k.words[0])
	if strings.Contains(name, "%") && unsure == "" {
		unsure = "the program is only known when the line runs: " + first.Text
	}
	c := &Command{Name: name, Path: file, Unsure: unsure, Args: k.words[1:], Redirects: k.redirs}
	if file == "" {
		for _, a := range cmdNames {
			if a[0] == name {
				c.Name = a[1]
			}
		}
	}
	switch {
	case unsure != "":
		r.emit(c, e, at)
	case c.Name == "set" && len(c.Args) > 0:
		if v, text, ok := strings.Cut(c.Args[0].Text, "="); ok {
			e.set(strings.ToLower(v), value{text: text, known: c.Args[0].Known})
		}
		r.emit(c, e, at)
	case c.Name == "cd":
		r.emit(c, e, at)
		args := c.Args
		if len(args) > 0 && strings.EqualFold(args[0].Text, "/d") {
			args = args[1:]
		}
		e.cd(folderArg(args), r.o)
		e.at.pending, e.at.unsure = false, true
	case c.Name == "del" || c.Name == "rmdir" || c.Name == "rename" || c.Name == "mkdir" || c.Name == "copy" || c.Name == "move" || c.Name == "type" || c.Name == "format":
		r.emit(c, e, at)
	default:
		r.open(c, k, e, at)
	}
}

// percent fills in %NAME% where the line has set it or it is the home folder.
func (r *reader) percent(w Word, e *env) Word {
	if w.Known || strings.Count(w.Text, "%") != 2 {
		return w
	}
	i := strings.IndexByte(w.Text, '%')
	j := strings.LastIndexByte(w.Text, '%')
	name := strings.ToLower(w.Text[i+1 : j])
	v, ok := e.get(name)
	if !ok && name == "userprofile" && r.o.Home != "" {
		v = value{text: r.o.Home, known: true}
	} else if !ok {
		v = r.variable(strings.ToUpper(name), e)
	}
	if !v.known || !r.grow(len(v.text)) {
		return w
	}
	w.Text, w.Known = w.Text[:i]+v.text+w.Text[j+1:], true
	return w
}

func afterIf(words []Word) []Word {
	for len(words) > 0 {
		switch strings.ToLower(words[0].Text) {
		case "not", "/i":
			words = words[1:]
			continue
		case "exist", "defined", "errorlevel", "cmdextversion":
			return words[min(2, len(words)):]
		}
		if strings.Contains(words[0].Text, "==") {
			return words[1:]
		}
		return words[min(3, len(words)):] // A equ B
	}
	return words
}

func afterStart(words []Word) []Word {
	for len(words) > 0 && (words[0].Text == "" || strings.HasPrefix(words[0].Text, "/") || strings.Contains(words[0].Text, " ")) {
		if strings.EqualFold(words[0].Text, "/d") && len(words) > 1 {
			words = words[1:]
		}
		words = words[1:]
	}
	return words
}

// cmdShell reads a call of cmd itself.
func (r *reader) cmdShell(c *Command, e *env, at place) {
	for i, w := range c.Args {
		t := strings.ToLower(w.Text)
		if !strings.HasPrefix(t, "/c") && !strings.HasPrefix(t, "/k") && !strings.HasPrefix(t, "/r") {
			continue
		}
		words := c.Args[i+1:]
		if len(t) > 2 {
			words = append([]Word{{Text: w.Text[2:], Known: w.Known}}, words...)
		}
		if !known(words) {
			c.Unsure = "runs text that is only known when the line runs"
			r.emit(c, e, at)
		}
		text := strings.TrimSpace(join(words))
		if len(text) > 1 && text[0] == '"' && text[len(text)-1] == '"' {
			text = text[1 : len(text)-1]
		}
		r.in(c.Name, func() { r.cmd(text, e.child(), at) })
		return
	}
	r.emit(c, e, at)
}
