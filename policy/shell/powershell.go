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

func (r *reader) powerIn(name, text string, e *env, at place) {
	was := r.under(name)
	r.power(text, e, at)
	r.via = was
}

// powerTokens cuts PowerShell into words and separators, and says what is wrong with them.
func powerTokens(s string) ([]token, string) {
	l := newLexer(s)
	for ; l.i < len(s) && len(l.out) <= maxTokens; l.i++ {
		switch c := s[l.i]; {
		case c == '`' && l.i+1 < len(s):
			if l.i++; s[l.i] != '\n' && s[l.i] != '\r' {
				l.text = append(l.text, s[l.i])
			}
		case c == '\'' || c == '"' || l.at("@'") || l.at(`@"`):
			l.quoted()
		case c == '#' && !l.open && len(l.text) == 0:
			for l.i+1 < len(s) && s[l.i+1] != '\n' {
				l.i++
			}
		case l.at("<#"):
			n := strings.Index(s[l.i:], "#>")
			if n < 0 {
				n, l.bad = len(s), true
			}
			l.i += n + 1
		case c == '{' || c == '(' && len(l.text) == 0 || l.at("$(") || l.at("@("):
			l.bracket()
		case c == '(' && bareWord(l.text): // IEX(…)
			l.end()
			l.bracket()
		case c == '$':
			l.cur.known = false
			l.text = append(l.text, c)
		case c == ' ' || c == '\t' || c == '\r' || c == ',':
			l.end()
		case c == '\n' || c == ';' || c == ')' && len(l.text) == 0 || c == '}':
			l.separator(";")
		case c == '|' || c == '&' || c == '>' || c == '<':
			l.operator(true)
		default:
			l.text = append(l.text, c)
		}
	}
	return l.done()
}

// bareWord: a command's name, and no type, variable or method.
func bareWord(s []byte) bool {
	for _, c := range s {
		if c != '-' && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return len(s) > 0
}

// quoted reads a string of PowerShell.
func (l *lexer) quoted() {
	text, n, ok := powerString(l.s[l.i:])
	l.bad = l.bad || !ok
	l.open, l.cur.quote = true, true
	if l.s[l.i] == '"' || l.at(`@"`) {
		l.cur.dollars(text)
	}
	l.text = append(l.text, text...)
	l.i += n - 1
}

// bracket reads a script block, or an expression that is worked out: (…), $(…), @(…).
func (l *lexer) bracket() {
	from := l.i
	block := l.s[l.i] == '{'
	if l.s[l.i] == '$' || l.s[l.i] == '@' {
		l.i++
	}
	n, ok := closing(l.s[l.i:])
	l.bad = l.bad || !ok
	inside := l.s[l.i+1 : max(l.i+1, l.i+n-1)]
	if block {
		l.end()
		l.out = append(l.out, token{text: inside, block: true})
	} else {
		l.cur.subs = append(l.cur.subs, inside)
		l.text = append(l.text, l.s[from:l.i+n]...)
		l.open, l.cur.known = true, false
	}
	l.i += n - 1
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
			r.powerIn("$(…)", s, e.child(), place{})
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
	if len(toks) > 0 && !toks[0].call && strings.HasPrefix(toks[0].text, "(") {
		if n, _ := closing(toks[0].text); n < len(toks[0].text) {
			return // a value and its method, (…).Trim(), is no program
		}
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
		r.powerIn("{…}", code, e.child(), at)
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
		if strings.HasPrefix(first, "(") { // what its argument is worked out from
			start := len(r.out)
			code := make([]string, 0, len(toks))
			for _, t := range toks[1:] {
				code = append(code, t.text)
			}
			r.powerIn("(…)", strings.TrimLeft(first, "(")+" "+strings.TrimRight(strings.Join(code, " "), ")"), e.child(), place{})
			inputs = append(inputs, span(start, len(r.out))...)
		}
		c := &Command{Name: strings.ToLower(name), Inputs: inputs}
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

// powerRun reads what a PowerShell command runs.
func (r *reader) powerRun(k *call, quoted bool, e *env, at place) {
	name, file, unsure := programName(k.words[0])
	c := &Command{Name: name, Path: file, Unsure: unsure, Args: k.words[1:], Redirects: k.redirs, Inputs: k.inputs}
	if unsure != "" {
		if len(k.inputs) > 0 { // & (…) runs what an expression gives
			c.Name = "invoke-expression"
		}
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
		if (c.Name == "remove-item" || c.Name == "clear-content") && at.stage > 0 && !slices.ContainsFunc(c.Args, func(w Word) bool { return !strings.HasPrefix(w.Text, "-") }) {
			c.Args = append(clone(c.Args), r.listed(at)...)
		}
		if file != "" || c.Name == name { // a program, not a cmdlet
			r.open(c, k, e, at)
			return
		}
		r.emit(c, e, at)
	}
}

// listed gives what the stage before hands on where that lists a folder: its entries, or those that a filter names.
// Other filters leave it unknown.
func (r *reader) listed(at place) []Word {
	if len(r.out) == 0 {
		return nil
	}
	c := r.out[len(r.out)-1]
	if c.Group != at.group || c.Stage != at.stage-1 || c.Name != "get-childitem" && c.Name != "get-item" {
		return nil
	}
	dir, filter := literal("."), literal("*")
	if c.Name == "get-item" {
		filter.Text = ""
	}
	operands := 0
	for i := 0; i < len(c.Args); i++ {
		t, next := strings.ToLower(c.Args[i].Text), literal("")
		if i+1 < len(c.Args) {
			next = c.Args[i+1]
		}
		switch {
		case t == "-path" || t == "-literalpath":
			dir, operands = next, 1
			i++
		case t == "-filter":
			filter = next
			i++
		case t == "-depth" || t == "-attributes":
			i++
		case t == "-include" || t == "-exclude":
			return nil
		case strings.HasPrefix(t, "-"):
		case operands == 0:
			dir, operands = c.Args[i], 1
		default:
			filter = c.Args[i]
		}
	}
	if dir.Glob || filter.Text == "" {
		return []Word{dir}
	}
	return []Word{{Text: strings.TrimRight(dir.Text, `/\`) + "/" + filter.Text, Known: dir.Known && filter.Known, Glob: true}}
}

// invoke reads what Invoke-Expression is given.
func (r *reader) invoke(c *Command, at place, e *env) {
	args := slices.DeleteFunc(clone(c.Args), func(w Word) bool { return strings.EqualFold(w.Text, "-Command") })
	if len(args) == 0 || !known(args) {
		c.Unsure = "Invoke-Expression runs text that is only known when the line runs"
		r.emit(c, e, at)
		return
	}
	r.powerIn(c.Name, join(args), e, at)
}

func (r *reader) startProcess(c *Command, k *call, e *env, at place) {
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
		r.in(c.Name, func() { r.powerRun(k, false, e, at) })
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
	for _, name := range [...]string{"executionpolicy", "ep", "ex", "w", "windowstyle", "version", "inputformat", "outputformat", "configurationname", "workingdirectory", "wd", "settingsfile", "psconsolefile", "custompipename"} {
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
func (r *reader) powerShell(c *Command, e *env, at place) {
	line, code, stdin := powerLine(c.Args)
	switch {
	case code && !line.Known:
		c.Unsure = "runs text that is only known when the line runs"
		r.emit(c, e, at)
		if line.Text != "" {
			r.powerIn(c.Name, line.Text, e.child(), at)
		}
	case code:
		r.powerIn(c.Name, line.Text, e.child(), at)
	case stdin && at.stdin != nil:
		if text, ok := at.stdin.text(); ok {
			r.powerIn(c.Name, text, e.child(), at)
			return
		}
		c.Unsure = "runs what comes out of a pipe"
		r.emit(c, e, at)
	default:
		r.emit(c, e, at)
	}
}
