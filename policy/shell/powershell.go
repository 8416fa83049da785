package shell

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf16"
)

// ReadPowerShell reads a line of PowerShell. It knows the words of the language, not its grammar: statements, pipes,
// quotes, simple variables, script blocks, and the names by which code is run. Aliases and cmdlets come out under the
// cmdlet's name in lower case; parameters stand among Args as they were written.
func ReadPowerShell(line string, o Options) Script {
	return readForeign(line, o, (*reader).power)
}

// ReadCmd reads a line of the Windows command processor as ReadPowerShell does; rd, erase and their like come out under
// one name each (rmdir, del).
func ReadCmd(line string, o Options) Script {
	return readForeign(line, o, (*reader).cmd)
}

func readForeign(line string, o Options, read func(*reader, string, *env, place)) Script {
	r := &reader{o: o, growth: maxGrowth}
	r.guard(func() { read(r, line, &env{}, place{}) })
	return Script{Commands: r.out, Unsure: r.unsure, Broken: r.broken}
}

// cmdlets are the aliases of cmdlets that change, send or run something, or that are common; sorted.
var cmdlets = [...][2]string{
	{"ac", "add-content"}, {"cat", "get-content"}, {"cd", "set-location"}, {"chdir", "set-location"},
	{"clc", "clear-content"}, {"cli", "clear-item"}, {"clp", "clear-itemproperty"}, {"copy", "copy-item"},
	{"cp", "copy-item"}, {"cpi", "copy-item"}, {"curl", "invoke-webrequest"}, {"del", "remove-item"}, {"dir", "get-childitem"},
	{"echo", "write-output"}, {"erase", "remove-item"}, {"foreach", "foreach-object"}, {"gc", "get-content"},
	{"gci", "get-childitem"}, {"gi", "get-item"}, {"icm", "invoke-command"}, {"iex", "invoke-expression"},
	{"ii", "invoke-item"}, {"irm", "invoke-restmethod"}, {"iwr", "invoke-webrequest"}, {"kill", "stop-process"},
	{"ls", "get-childitem"}, {"md", "new-item"}, {"mi", "move-item"}, {"mkdir", "new-item"}, {"move", "move-item"},
	{"mv", "move-item"}, {"ni", "new-item"}, {"pwd", "get-location"}, {"rd", "remove-item"}, {"ren", "rename-item"},
	{"ri", "remove-item"}, {"rm", "remove-item"}, {"rmdir", "remove-item"}, {"rni", "rename-item"}, {"rp", "remove-itemproperty"},
	{"saps", "start-process"}, {"sc", "set-content"}, {"select", "select-object"}, {"si", "set-item"}, {"sl", "set-location"},
	{"sp", "set-itemproperty"}, {"spps", "stop-process"}, {"spsv", "stop-service"}, {"start", "start-process"},
	{"tee", "tee-object"}, {"type", "get-content"}, {"wget", "invoke-webrequest"}, {"where", "where-object"},
	{"write", "write-output"}, {"%", "foreach-object"}, {"?", "where-object"},
}

func cmdlet(name string) string {
	for _, a := range cmdlets {
		if a[0] == name {
			return a[1]
		}
	}
	return name
}

// power reads PowerShell in an environment.
func (r *reader) power(text string, e *env, at place) {
	r.foreignText(text, e, at, powerTokens, r.powerCommand)
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
func (r *reader) foreignText(text string, e *env, at place, lex func(string) ([]token, bool), run func([]token, *env, place)) {
	if !r.enter() {
		return
	}
	defer r.leave()
	if len(text) > MaxLine {
		r.doubt("longer than 256 KiB: the rest was not read")
		text = text[:MaxLine]
	}
	toks, ok := lex(strings.ReplaceAll(text, "\x00", ""))
	if !ok {
		r.broken = true
		r.doubt("syntax error: a quote or bracket is not closed")
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

// powerTokens cuts PowerShell into words and separators; the second result is false when a quote or bracket stays open.
func powerTokens(s string) ([]token, bool) {
	var out []token
	cur, open, whole := token{known: true}, false, true
	var b strings.Builder
	end := func() {
		if !open && b.Len() == 0 {
			return
		}
		cur.text = b.String()
		out = append(out, cur)
		cur, open = token{known: true}, false
		b.Reset()
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '`' && i+1 < len(s):
			if i++; s[i] != '\n' && s[i] != '\r' {
				b.WriteByte(s[i])
			}
		case c == '\'' || c == '"' || c == '@' && i+1 < len(s) && (s[i+1] == '\'' || s[i+1] == '"'):
			text, n, ok := powerString(s[i:])
			whole = whole && ok
			open, cur.quote = true, true
			if c == '"' || c == '@' && s[i+1] == '"' {
				cur.dollars(text)
			}
			b.WriteString(text)
			i += n - 1
		case c == '#' && !open && b.Len() == 0:
			for i+1 < len(s) && s[i+1] != '\n' {
				i++
			}
		case c == '<' && strings.HasPrefix(s[i:], "<#"):
			n := strings.Index(s[i:], "#>")
			if n < 0 {
				return out, false
			}
			i += n + 1
		case c == '{' || c == '(' && b.Len() == 0 || c == '$' && strings.HasPrefix(s[i:], "$(") || c == '@' && strings.HasPrefix(s[i:], "@("):
			from := i
			if c == '$' || c == '@' {
				i++
			}
			n, ok := closing(s[i:])
			whole = whole && ok
			if c == '{' {
				end()
				out = append(out, token{text: s[i+1 : max(i+1, i+n-1)], block: true})
			} else {
				cur.subs = append(cur.subs, s[i+1:max(i+1, i+n-1)])
				b.WriteString(s[from : i+n])
				open, cur.known = true, false
			}
			i += n - 1
		case c == '$':
			cur.known = false
			b.WriteByte(c)
		case c == ' ' || c == '\t' || c == '\r' || c == ',':
			end()
		case c == '\n' || c == ';' || c == ')' && b.Len() == 0 || c == '}':
			end()
			out = append(out, token{sep: ";"})
		case c == '|' || c == '&' || c == '>' || c == '<':
			if c == '>' && b.Len() == 1 && strings.IndexByte("123456*", b.String()[0]) >= 0 {
				b.Reset()
			}
			end()
			sep := string(c)
			if i+1 < len(s) && s[i+1] == c {
				i++
				sep += string(c)
			}
			if sep == "&" && (len(out) == 0 || out[len(out)-1].sep != "") {
				cur.call = true
				continue
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
	return out, whole
}

// dollars notes what of a double-quoted string is worked out when the line runs.
func (t *token) dollars(s string) {
	if strings.Contains(s, "$") {
		t.known = false
	}
	for {
		i := strings.Index(s, "$(")
		if i < 0 {
			return
		}
		n, _ := closing(s[i+1:])
		t.subs = append(t.subs, s[i+2:max(i+2, i+n)])
		s = s[i+1+n:]
	}
}

// powerString reads a quoted string and gives its text and its length in the line.
func powerString(s string) (string, int, bool) {
	if s[0] == '@' {
		mark := "\n" + s[1:2] + "@"
		body := strings.IndexByte(s, '\n')
		n := strings.Index(s, mark)
		if body < 0 || n < 0 {
			return s[2:], len(s), false
		}
		return s[min(body+1, n):n], n + len(mark), true
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == s[0] && i+1 < len(s) && s[i+1] == s[0]:
			b.WriteByte(s[0])
			i++
		case s[i] == s[0]:
			return b.String(), i + 1, true
		case s[0] == '"' && s[i] == '`' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String(), len(s), false
}

// closing gives the length of a bracketed text, its brackets counted, quotes skipped.
func closing(s string) (int, bool) {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '{':
			depth++
		case ')', '}':
			if depth--; depth == 0 {
				return i + 1, true
			}
		case '\'', '"':
			n := strings.IndexByte(s[i+1:], s[i])
			if n < 0 {
				return len(s), false
			}
			i += n + 1
		case '`':
			i++
		}
	}
	return len(s), false
}

// powerCommand reads one PowerShell command.
func (r *reader) powerCommand(toks []token, e *env, at place) {
	start := len(r.out)
	for _, t := range toks {
		for _, s := range t.subs {
			r.in([]string{"$(…)"}, func() { r.power(s, e.child(), place{}) })
		}
	}
	inputs := span(start, len(r.out))
	if len(toks) > 2 && strings.HasPrefix(toks[0].text, "$") && toks[1].text == "=" { // $x = …
		w := r.foreignWord(toks[2], e)
		e.set(strings.ToLower(toks[0].text[1:]), value{text: w.Text, known: w.Known && len(toks) == 3, from: inputs})
		if toks[2].quote || strings.HasPrefix(toks[2].text, "$") || len(toks[2].subs) > 0 {
			return
		}
		toks = toks[2:]
	}
	for len(toks) > 0 && (toks[0].block || controlWord(toks)) {
		if toks[0].block {
			r.power(toks[0].text, e, at)
		}
		toks = toks[1:]
	}
	if len(toks) == 0 || r.powerExpression(toks, inputs, e, at) {
		return
	}
	k := r.foreignCall(toks, e, func(code string) {
		r.in([]string{"{…}"}, func() { r.power(code, e.child(), at) })
	})
	if len(k.words) == 0 {
		return
	}
	k.inputs, k.stdin = inputs, at.stdin
	r.powerRun(k, toks[0].quote, e, at)
}

// controlWord says that the first word belongs to the language or is an expression in brackets.
func controlWord(toks []token) bool {
	t := toks[0]
	if t.quote || t.call {
		return false
	}
	switch strings.ToLower(t.text) {
	case "if", "else", "elseif", "while", "for", "do", "until", "try", "catch", "finally", "switch", "return", "function",
		"param", "begin", "process", "end", "throw":
		return true
	case "foreach":
		return len(toks) > 1 && strings.HasPrefix(toks[1].text, "(")
	}
	return len(t.subs) > 0 && strings.HasPrefix(t.text, "(")
}

// powerExpression handles what is worked out instead of called: $x.Length -gt 10. A method of a .NET type is a command
// named [type]::method.
func (r *reader) powerExpression(toks []token, inputs []int, e *env, at place) bool {
	t := toks[0]
	if t.call || t.text == "" {
		return false
	}
	if t.text[0] == '[' && strings.Contains(t.text, "::") {
		name, first, _ := strings.Cut(t.text, "(")
		c := Command{Name: strings.ToLower(name), Inputs: inputs}
		toks = append([]token{{text: first, known: t.known}}, toks[1:]...)
		for _, t := range toks {
			if t.text = strings.TrimRight(t.text, ")"); t.text != "" {
				c.Args = append(c.Args, r.foreignWord(t, e))
			}
		}
		r.emit(c, e, at)
		return true
	}
	return !t.quote && (t.text[0] == '$' || t.text[0] == '[' || t.text[0] >= '0' && t.text[0] <= '9')
}

// foreignCall turns tokens into words and redirections; script blocks are read as code.
func (r *reader) foreignCall(toks []token, e *env, block func(string)) call {
	var k call
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

// powerRun reads what a PowerShell command runs.
func (r *reader) powerRun(k call, quoted bool, e *env, at place) {
	name, file, unsure := programName(k.words[0])
	c := Command{Name: name, Path: file, Unsure: unsure, Args: k.words[1:], Redirects: k.redirs, Inputs: k.inputs}
	if unsure != "" {
		r.emit(c, e, at)
		return
	}
	if quoted && len(c.Args) == 0 && at.stage == 0 && !strings.ContainsAny(k.words[0].Text, `/\`) {
		return // a string by itself is printed
	}
	if file == "" {
		c.Name = cmdlet(name)
	}
	switch c.Name {
	case "set-location", "push-location":
		r.emit(c, e, at)
		e.cd(folderArg(c.Args), r.o)
		e.at.pending = false
	case "invoke-expression":
		r.invoke(c, at, e)
	case "start-process", "invoke-command", "foreach-object", "where-object":
		r.emit(c, e, at)
		if c.Name == "start-process" {
			r.startProcess(c, k, e, at)
		}
	default:
		if file != "" || c.Name == name { // a program, not a cmdlet
			at.stdin = k.stdin
			r.open(c, k, e, at)
			return
		}
		r.emit(c, e, at)
	}
}

// invoke reads what Invoke-Expression is given.
func (r *reader) invoke(c Command, at place, e *env) {
	args := slices.DeleteFunc(slices.Clone(c.Args), func(w Word) bool { return strings.EqualFold(w.Text, "-Command") })
	if len(args) == 0 || !known(args) {
		c.Unsure = "Invoke-Expression runs text that is only known when the line runs"
		r.emit(c, e, at)
		return
	}
	r.in([]string{c.Name}, func() { r.power(join(args), e, at) })
}

func (r *reader) startProcess(c Command, k call, e *env, at place) {
	var words []Word
	for i := 0; i < len(c.Args); i++ {
		switch t := strings.ToLower(c.Args[i].Text); {
		case t == "-filepath" || t == "-argumentlist" || t == "-args":
		case t == "-workingdirectory" || t == "-verb" || t == "-windowstyle" || strings.HasPrefix(t, "-redirect"):
			i++
		case strings.HasPrefix(t, "-") && len(words) == 0, t == "-wait", t == "-nonewwindow", t == "-passthru":
		default:
			for f := range strings.FieldsSeq(c.Args[i].Text) {
				words = append(words, Word{Text: f, Known: c.Args[i].Known})
			}
		}
	}
	if len(words) > 0 {
		k.words, k.redirs = words, nil
		r.in([]string{c.Name}, func() { r.powerRun(k, false, e, at) })
	}
}

// powerLine finds the code in the arguments of powershell itself.
func powerLine(args []Word) (line Word, code, stdin bool) {
	for i, w := range args {
		t := strings.ToLower(strings.TrimLeft(w.Text, "-/"))
		flag := strings.HasPrefix(w.Text, "-") || strings.HasPrefix(w.Text, "/")
		rest := args[i+1:]
		switch {
		case !flag && (i == 0 || !takesValue(args[i-1].Text)):
			if strings.HasSuffix(t, ".ps1") {
				return Word{}, false, false
			}
			return Word{Text: join(args[i:]), Known: known(args[i:])}, true, false
		case !flag:
		case t == "c" || len(t) > 3 && strings.HasPrefix("command", t) || t == "com":
			if len(rest) == 1 && rest[0].Text == "-" {
				return Word{}, false, true
			}
			return Word{Text: join(rest), Known: known(rest)}, true, false
		case t == "e" || t == "ec" || len(t) > 1 && strings.HasPrefix("encodedcommand", t):
			if len(rest) == 0 {
				return Word{}, true, false
			}
			text, ok := utf16Text(rest[0].Text)
			return Word{Text: text, Known: ok && rest[0].Known}, true, false
		case t == "f" || t == "file":
			return Word{}, false, len(rest) > 0 && rest[0].Text == "-"
		}
	}
	return Word{}, false, true
}

func takesValue(flag string) bool {
	t := strings.ToLower(strings.TrimLeft(flag, "-/"))
	if !strings.HasPrefix(flag, "-") || t == "" {
		return false
	}
	for _, name := range [...]string{"executionpolicy", "ep", "ex", "windowstyle", "version", "inputformat", "outputformat", "configurationname", "workingdirectory", "wd", "settingsfile", "psconsolefile", "custompipename"} {
		if t == name || len(t) > 1 && strings.HasPrefix(name, t) {
			return true
		}
	}
	return false
}

// utf16Text decodes the argument of -EncodedCommand.
func utf16Text(s string) (string, bool) {
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(s))
	if err != nil || len(raw)%2 != 0 {
		return "", false
	}
	u := make([]uint16, len(raw)/2)
	for i := range u {
		u[i] = uint16(raw[2*i]) | uint16(raw[2*i+1])<<8
	}
	return string(utf16.Decode(u)), true
}

// powerShell reads a call of powershell or pwsh.
func (r *reader) powerShell(c Command, e *env, at place) {
	line, code, stdin := powerLine(c.Args)
	switch {
	case code && !line.Known:
		c.Unsure = "runs text that is only known when the line runs"
		r.emit(c, e, at)
		if line.Text != "" {
			r.in([]string{c.Name}, func() { r.power(line.Text, e.child(), at) })
		}
	case code:
		r.in([]string{c.Name}, func() { r.power(line.Text, e.child(), at) })
	case stdin && at.stdin != nil:
		if text, ok := at.stdin.text(); ok {
			r.in([]string{c.Name}, func() { r.power(text, e.child(), at) })
			return
		}
		c.Unsure = "runs what comes out of a pipe"
		r.emit(c, e, at)
	default:
		r.emit(c, e, at)
	}
}
