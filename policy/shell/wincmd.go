package shell

import "strings"

// cmdNames gives further names of the command processor's own commands.
var cmdNames = [...][2]string{{"erase", "del"}, {"md", "mkdir"}, {"rd", "rmdir"}, {"ren", "rename"}, {"chdir", "cd"}}

// cmd reads a line of the command processor in an environment.
func (r *reader) cmd(text string, e *env, at place) {
	r.foreignText(text, e, at, cmdTokens, r.cmdCommand)
}

// cmdTokens cuts a line of the command processor into words and separators.
func cmdTokens(s string) ([]token, bool) {
	var out []token
	var b strings.Builder
	cur, open, quote := token{known: true}, false, false
	end := func() {
		if open || b.Len() > 0 {
			cur.text = b.String()
			out = append(out, cur)
		}
		cur, open = token{known: true}, false
		b.Reset()
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '"':
			quote = !quote
			open, cur.quote = true, true
		case c == '\n':
			quote = false
			end()
			out = append(out, token{sep: ";"})
		case quote:
			cur.known = cur.known && c != '%' && c != '!'
			b.WriteByte(c)
		case c == '^' && i+1 < len(s):
			if i++; s[i] != '\n' && s[i] != '\r' {
				b.WriteByte(s[i])
			}
		case c == '%' || c == '!':
			cur.known = false
			b.WriteByte(c)
		case c == ' ' || c == '\t' || c == '\r' || c == ',' || c == ';' || c == '=' && b.Len() == 0:
			end()
		case c == '(' && b.Len() == 0 && len(out) > 0 && strings.EqualFold(out[len(out)-1].text, "in"):
			for i+1 < len(s) && s[i] != ')' { // the set of a for
				i++
			}
			out = append(out, token{sep: ";"})
		case c == '(' && b.Len() == 0 || c == ')':
			end()
			out = append(out, token{sep: ";"})
		case c == '|' || c == '&' || c == '>' || c == '<':
			if c == '>' && b.Len() == 1 && b.String()[0] >= '0' && b.String()[0] <= '9' {
				b.Reset()
			}
			end()
			sep := string(c)
			if i+1 < len(s) && s[i+1] == c {
				i++
				sep += string(c)
			}
			if c == '>' && i+1 < len(s) && s[i+1] == '&' { // 2>&1
				i += min(2, len(s)-1-i)
				continue
			}
			out = append(out, token{sep: sep})
		default:
			b.WriteByte(c)
		}
	}
	end()
	return out, !quote
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

func (r *reader) cmdRun(k call, e *env, at place) {
	first := k.words[0]
	if i := strings.IndexByte(first.Text, '/'); i > 0 && !strings.Contains(first.Text[:i], ":") { // rd/s/q
		k.words = append([]Word{{Text: first.Text[:i], Known: first.Known}, {Text: first.Text[i:], Known: first.Known}}, k.words[1:]...)
	}
	name, file, unsure := programName(k.words[0])
	if strings.Contains(name, "%") && unsure == "" {
		unsure = "the program is only known when the line runs: " + first.Text
	}
	c := Command{Name: name, Path: file, Unsure: unsure, Args: k.words[1:], Redirects: k.redirs}
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
func (r *reader) cmdShell(c Command, e *env, at place) {
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
		r.in([]string{c.Name}, func() { r.cmd(text, e.child(), at) })
		return
	}
	r.emit(c, e, at)
}
