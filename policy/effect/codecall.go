package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// source is where a program text comes from: its file, when it has one, and the words after it.
type source struct {
	file string
	args []string
	// roots are the functions that are run, where a runner of tasks does it.
	roots string
}

// code finds the calls of a program text that delete, write, run or hide something.
func (r *reader) code(c *shell.Command, lang *language, text string) {
	r.codeOf(c, lang, text, source{})
}

// codeOf is code of a text that knows where it comes from.
func (r *reader) codeOf(c *shell.Command, lang *language, text string, from source) {
	if len(text) > maxCode {
		r.unsure = append(r.unsure, "a program text too long to read")
		text = text[:maxCode]
	}
	if r.deep <= 1 {
		text = r.imported(lang, text, from, r.dir(c)) + text
	}
	p := newProgram(text, lang)
	p.file, p.args, p.roots, p.env = from.file, from.args, from.roots, c.Env
	p.reach()
	here := *c // a text may change its folder
	first := len(r.acts)
	for i := 0; i < len(p.toks) && len(r.acts) < maxActs && !p.spent(); i++ {
		if p.toks[i].kind == name && !p.idle(i) {
			r.codeCall(&here, p, i)
		}
	}
	for _, t := range p.ticks {
		if lang.hash {
			t = shellHoles(t)
		}
		r.nested(t, here.Dir)
	}
	for i := range p.toks {
		if lang == &otherCalls && p.at(i) == '!' && p.at(i-1) == '.' { // Scala's "line".!
			r.runValue(&call{p: p, i: i, id: "!"}, p.eval(span{from: p.receiver(i - 1), to: i - 1}), here.Dir)
		}
	}
	if p.steps > maxSteps || len(p.toks) >= maxTokens {
		r.unsure = append(r.unsure, "a program text too long to read")
	}
	r.codeData(&here, p)
	r.codeFlow(&here, p, first)
	if p.spent() {
		r.tell(Opaque, DynamicRun, "a program text that takes too long to read", "")
	}
}

// codeCall judges one call: a name followed by its arguments.
func (r *reader) codeCall(c *shell.Command, p *program, i int) {
	id := p.word(i)
	next, line := p.at(i+1), i+1 < len(p.toks) && p.toks[i+1].newline
	if next != '(' && next != str && !(p.lang.bare && !line && (next == name || next == '<' || next == '[')) && !p.lone(i) {
		return
	}
	if in(p.word(i-1), "def function sub func fn class") || !p.lang.bare && next == str && !strings.HasSuffix(id, "$") {
		return
	}
	if full, ok := p.renamed(id, i); ok {
		id = full
	}
	k := call{p: p, i: i, id: id}
	o, dot := p.lang.means(id), strings.LastIndexByte(id, '.')
	switch {
	case p.at(i-1) == '.':
		k.base, _ = p.method(i)
		k.id = "." + id
		o = p.lang.means(k.id)
	case o != none || p.lang.line(id) != "":
	case dot > 0:
		k.base, k.id = span{from: i, to: i + 1, cut: true}, id[dot:]
		o = p.lang.means(k.id)
	default:
		return
	}
	k.args = p.arguments(i)
	r.act(c, &k, o)
}

// lone: Ruby's path.rmtree is a call, though nothing follows it.
func (p *program) lone(i int) bool {
	id := p.word(i)
	dot := strings.LastIndexByte(id, '.')
	if p.lang != &rubyCalls || dot < 0 && p.at(i-1) != '.' {
		return false
	}
	o := p.lang.means("." + id[dot+1:])
	return o == opDelete || o == opWipe
}

// renamed follows a name that stands for a function: rm = shutil.rmtree.
func (p *program) renamed(id string, at int) (string, bool) {
	n, ok := p.names[p.bare(id)]
	if !ok {
		return "", false
	}
	n = p.nearest(n, at)
	b := &p.binds[n]
	if b.how != whole || len(b.spans) != 1 {
		return "", false
	}
	if s := b.spans[0]; s.to-s.from == 1 && p.at(s.from) == name {
		return p.toks[s.from].text, true
	}
	if s := b.spans[0]; s.to > s.from && strings.Contains(p.word(s.to-1), ".") && in(p.word(s.from), "getattr") {
		return p.word(s.to - 1), true
	}
	return "", false
}

// call is one call of a text.
type call struct {
	p    *program
	i    int
	id   string // with a dot before it when it is a method
	base span   // the object of a method
	args []argument
}

func (k *call) value(n int) *value {
	if n < 0 {
		return k.p.eval(k.base)
	}
	if n >= len(k.args) {
		return &value{}
	}
	return k.p.eval(k.args[n].span)
}

// object is the value that a method works on, or the first argument of a function.
func (k *call) object() *value {
	if k.base != (span{}) && !(len(k.args) > 0 && (k.args[0].key == "" && in(k.id, ".unlink .system .local .rmtree .delete .deleteTree .deleteFile") || k.id == ".removeItem")) {
		return k.value(-1)
	}
	return k.value(0)
}

// option is the value of a named argument, or of a key of an object among the arguments; nil when there is none.
func (k *call) option(names ...string) *value {
	for _, a := range k.args {
		for _, id := range names {
			if a.key == id {
				return k.p.eval(a.span)
			}
			if k.p.at(a.from) != '{' {
				continue
			}
			for _, b := range k.p.split(a.from+1, min(k.p.pair[a.from], len(k.p.toks))) {
				if k.p.word(b.from) == id && k.p.at(b.from+1) == ':' {
					return k.p.eval(span{from: b.from + 2, to: b.to})
				}
			}
		}
	}
	return nil
}

// dir is the folder that a call runs something in.
func (k *call) dir(r *reader, c *shell.Command) string {
	if v := k.option("cwd", "chdir"); v != nil {
		if s, ok := v.known(); ok {
			return r.w.abs(s, r.dir(c))
		}
	}
	return c.Dir
}

// raw is the text of the arguments.
func (k *call) raw() string {
	if len(k.args) == 0 {
		return ""
	}
	last := k.args[len(k.args)-1].to
	return k.p.text[k.p.toks[k.args[0].from].at:max(k.p.toks[last-1].end, k.p.toks[k.args[0].from].at)]
}

// act records what a call does.
func (r *reader) act(c *shell.Command, k *call, o op) {
	if line := k.p.lang.line(k.id); line != "" {
		r.codeAs(c, k, line)
		return
	}
	last := k.id[strings.LastIndexByte(k.id, '.')+1:]
	switch o {
	case opDelete:
		if k.p.lang == &nodeCalls && k.base != (span{}) && len(k.args) > 0 {
			return // map.delete(key)
		}
		for n := 0; n == 0 || n < len(k.args) && k.p.lang.bare; n++ {
			v := k.object()
			if n > 0 {
				v = k.value(n)
			}
			r.codeDelete(c, k, v, strings.Contains(k.raw(), "recursive") || k.option("recursive") != nil)
		}
	case opWipe:
		r.codeDelete(c, k, k.object(), !in(last, "rm rmSync unlink remove") || strings.Contains(k.raw(), "recursive") || last == "remove" && k.p.lang == &nodeCalls)
	case opEmpty:
		r.codeDelete(c, k, k.object().below(anything()), true)
	case opRmdir:
		if strings.Contains(k.raw(), "recursive") {
			r.codeDelete(c, k, k.object(), true)
		}
	case opRead:
		r.codeRead(c, k.object(), k.printed())
	case opOpen:
		r.codeOpen(c, k)
	case opWrite:
		r.codeWrite(c, k.object(), Overwrite)
	case opAppend:
		r.codeWrite(c, k.object(), Write)
	case opSave:
		r.codeSave(c, k)
	case opFar:
		r.codeFar(c, k)
	case opRun:
		r.codeRun(c, k)
	case opArgv, opExec:
		r.codeArgv(c, k, o == opExec)
	case opEval:
		r.codeEval(c, k)
	case opChdir:
		if s, ok := k.value(0).known(); ok {
			c.Dir = r.w.abs(s, r.dir(c))
		}
	case opMap:
		r.codeMap(c, k, k.value(1))
	default:
		r.codeGit(c, k, last)
		if last == "read" && k.base != (span{}) && len(k.args) > 0 && k.p.lang == &pythonCalls { // configparser's
			r.codeRead(c, k.value(0), false)
		}
		if last == "then" && k.base != (span{}) && len(k.args) == 1 && k.args[0].to-k.args[0].from == 1 && k.p.lang.means(k.p.word(k.args[0].from)) == opEval {
			r.tell(Opaque, PipeRemote, "what was received is run", "")
		}
		if last == "add" && k.p.lang == &pythonCalls && strings.Contains(k.p.text, "tarfile") {
			r.codeRead(c, k.value(0), false)
		}
		if last == "map" && k.p.lang == &pythonCalls && len(k.args) > 1 { // a pool's
			r.codeMap(c, k, k.value(1))
		} else if in(last, "map forEach each") && k.base != (span{}) {
			r.codeMap(c, k, k.value(-1))
		}
	}
}

// codeMap is a call of a function for each of a list: map(os.remove, names).
func (r *reader) codeMap(c *shell.Command, k *call, v *value) {
	if len(k.args) == 0 || k.args[0].to-k.args[0].from != 1 {
		return
	}
	f := k.p.toks[k.args[0].from].text // PHP names a function in a string
	switch k.p.lang.means(f) {
	case opDelete:
		r.codeDelete(c, k, v, false)
	case opWipe:
		r.codeDelete(c, k, v, true)
	case opRun:
		for _, w := range v.words {
			r.nested(w.Text, c.Dir)
		}
	}
}

// codeDelete records a delete by a library call.
func (r *reader) codeDelete(c *shell.Command, k *call, v *value, rec bool) {
	v = k.p.narrowed(v, k.condition(), k.i)
	f := filter{names: v.names, other: v.some && len(v.names) == 0}
	for _, w := range v.words {
		if !w.Known && !strings.HasPrefix(w.Text, "$TMPDIR/") && !tempWord(w.Text) {
			continue // said by unsure below
		}
		t := r.target(c, w)
		if v.tree {
			t.all = t.path != ""
			r.remove(c, t, true, f)
			continue
		}
		if w.Glob {
			r.remove(c, t, rec, f)
		} else {
			r.remove(c, t, rec, filter{})
		}
	}
}

// condition is where the loop begins that a call stands in, as far as conditions count.
func (k *call) condition() int {
	for j := k.i; j > 0 && j > k.i-80; j-- {
		if k.p.toks[j].kind == name && in(k.p.toks[j].text, "for foreach def function each forEach") {
			return j
		}
	}
	return k.i
}

// printed: the call stands in one that prints, in a text of the line itself: print(open(…).read()).
func (k *call) printed() bool {
	for j := k.i - 1; j >= 0 && j > k.i-8 && k.p.file == ""; j-- {
		if in(k.p.word(j), "print puts p say echo console.log process.stdout.write sys.stdout.write pprint cat writeLines") && (k.p.at(j+1) != '(' || k.p.pair[j+1] > k.i) {
			return true
		}
	}
	return false
}

// codeRead reads a call that reads a file. A program may read the project's own secrets: that is what they are for.
func (r *reader) codeRead(c *shell.Command, v *value, shown bool) {
	for _, w := range v.words {
		if w.Known && w.Text != "" {
			t := r.written(c, w)
			r.reading(c, t, shown || secretTag(t.real) == KeyFile)
		}
	}
}

func (r *reader) codeWrite(c *shell.Command, v *value, kind ActKind) {
	for _, w := range v.words {
		if w.Known && w.Text != "" && !w.Glob {
			r.writes(c, r.written(c, w), kind, file{})
		}
	}
}

// codeOpen is a file that is opened, by its mode.
func (r *reader) codeOpen(c *shell.Command, k *call) {
	v, mode := k.object(), k.value(1).text()
	if k.base != (span{}) { // Path.open(mode)
		mode = k.value(0).text()
	}
	if m := k.option("mode"); m != nil {
		mode = m.text()
	}
	if k.p.lang == &perlCalls { // open(F, '>', name)
		v = k.value(2)
		if mode = strings.TrimSpace(mode); len(k.args) == 2 {
			v, mode = literal(strings.TrimLeft(mode, "<>+| ")), mode[:len(mode)-len(strings.TrimLeft(mode, "<>+|"))]
		}
		if strings.ContainsAny(mode, "|-") {
			r.nested(v.text(), c.Dir)
			return
		}
	}
	switch {
	case strings.HasPrefix(mode, "w"), strings.HasPrefix(mode, "x"), mode == ">", strings.Contains(mode, "O_TRUNC"):
		r.codeWrite(c, v, Overwrite)
	case strings.HasPrefix(mode, "a"), strings.Contains(mode, "+"), mode == ">>":
		r.codeWrite(c, v, Write)
	default:
		r.codeRead(c, v, k.printed())
	}
}

// codeRun reads a line or a list of words that the code runs.
func (r *reader) codeRun(c *shell.Command, k *call) {
	v := k.value(0)
	if cmd := k.option("args", "cmd"); cmd != nil {
		v = cmd
	}
	for n := 1; (k.p.lang.bare || k.p.lang == &rCalls) && n < len(k.args); n++ { // system 'rm', '-rf', x
		if k.args[n].key == "" && k.p.at(k.args[n].from) != '{' {
			v = v.as(true).or(k.value(n))
		}
	}
	switch {
	case len(k.args) == 0 && k.base != (span{}): // "line".execute()
		v = k.value(-1)
	case in(k.id, "Process.Start ProcessStartInfo") && len(k.args) > 1: // a program and the line of its words
		v = v.with(literal(" "), false).with(k.value(1), false)
	}
	if v.list {
		r.runValue(k, v, k.dir(r, c))
		return
	}
	for i := range v.words {
		one := v.copy()
		one.words = v.words[i : i+1]
		r.runValue(k, one, k.dir(r, c))
	}
}

// runValue runs a line, or words.
func (r *reader) runValue(k *call, v *value, dir string) {
	text := v.text()
	switch {
	case v.list && len(v.words) > 0:
		r.nested(shellWords(v.words), dir)
	case v.fetched && !v.words[0].Known:
		r.tell(Opaque, PipeRemote, clip(k.id, 30)+" of what was received", "")
	case v.decoded && !v.words[0].Known:
		r.tell(Opaque, PipeCode, clip(k.id, 30)+" of decoded text", "")
	case text != "" && !(strings.HasPrefix(text, "$") && !v.words[0].Known && isName(text[1:])):
		r.nested(text, dir)
	case text != "":
		r.unsure = append(r.unsure, "a program starts another that is known only when it runs")
	}
}

// codeArgv reads calls that start a program with its words; again: what the program is called stands before its words.
func (r *reader) codeArgv(c *shell.Command, k *call, again bool) {
	v := k.value(0)
	if cmd := k.option("cmd"); cmd != nil { // Deno.run({ cmd: […] })
		v = cmd
	}
	first := 1
	if strings.HasSuffix(k.id, "CommandContext") { // Go's context stands before the program
		v, first = k.value(1), 2
	}
	rest := k.chained()
	for n := first; n < len(k.args); n++ {
		if k.args[n].key == "" && k.p.at(k.args[n].from) != '{' {
			rest = rest.or(k.value(n))
		}
	}
	if args := k.option("args"); args != nil { // new Deno.Command('rm', { args: […] })
		rest = args
	}
	if again && len(rest.words) > 0 {
		rest = &value{words: rest.words[1:]}
	}
	v = v.or(rest)
	if n := len(v.words) - 1; n > 0 && in(v.words[n].Text, "$NULL $nullptr $value") { // what ends C's list
		v = v.copy()
		v.words = v.words[:n]
	}
	if len(v.words) != 1 || !strings.Contains(v.text(), " ") {
		v = v.as(true)
	}
	r.runValue(k, v, k.dir(r, c))
}

// shellHoles gives a line what the shell would have for Ruby's #{…} in it.
func shellHoles(s string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "#{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		code, after, _ := strings.Cut(rest, "}")
		if key, ok := strings.CutPrefix(code, "ENV["); ok {
			b.WriteString("$" + strings.Trim(key, `"']`))
		} else {
			b.WriteString("$value")
		}
		s = after
	}
}

// shellWords writes words so that a shell reads them as they are; what is not known stays a variable.
func shellWords(ws []shell.Word) string {
	var b strings.Builder
	for _, w := range ws {
		open, text, shut := " '", strings.ReplaceAll(w.Text, "'", `'\''`), "'"
		switch {
		case !w.Known:
			open, text, shut = ` "`, strings.ReplaceAll(w.Text, `"`, ""), `"`
		case w.Glob && !strings.ContainsAny(text, " '\"$`;&|<>()"):
			open, shut = " ", ""
		case text != "" && text[0] == '~':
			open, text = " ~'", text[1:]
		}
		b.WriteString(open)
		b.WriteString(text)
		b.WriteString(shut)
	}
	return b.String()
}

// codeEval reads text that is run as code.
func (r *reader) codeEval(c *shell.Command, k *call) {
	if len(k.args) == 0 {
		return
	}
	if r.deep++; r.deep <= maxNested {
		r.evalValue(c, k)
	}
	r.deep--
}

func (r *reader) evalValue(c *shell.Command, k *call) {
	v := k.value(0)
	if last := len(k.args) - 1; k.id == "Function" {
		v = k.value(last)
	}
	for n, w := range v.words {
		switch {
		case !w.Known && v.fetched:
			r.tell(Opaque, PipeRemote, clip(k.id, 30)+" of what was received", "")
			return
		case !w.Known && v.decoded:
			r.tell(Opaque, PipeCode, "decoded text is run", "")
			return
		case !w.Known:
			r.evalFile(c, k)
			return
		case n < 8 && k.id != "setTimeout" || len(w.Text) > 3:
			if strings.Contains(w.Text, "__import__(") && spawns(w.Text) { // nobody who means no harm starts a program that way
				r.tell(Opaque, DynamicRun, clip(w.Text, 60), "")
			}
			before := len(r.acts)
			r.codeOf(c, k.p.lang, w.Text, source{file: k.p.file, args: k.p.args})
			if v.decoded && len(r.acts) == before {
				r.tell(Opaque, PipeCode, "decoded text is run", "")
			}
		}
	}
}

// evalFile: exec(open('x').read()) runs a script.
func (r *reader) evalFile(c *shell.Command, k *call) {
	a := k.args[0]
	for j := a.from; j < a.to && j < len(k.p.toks); j++ {
		if t := k.p.toks[j]; t.kind == name && (in(t.text, "open readFileSync fs.readFileSync File.read file_get_contents Path") || k.p.lang.means(t.text) == opOpen) && k.p.at(j+1) == '(' {
			if v := (&call{p: k.p, i: j, id: t.text, args: k.p.arguments(j)}).value(0); len(v.words) > 0 {
				r.deep--
				r.scriptFile(c, v.words[0], k.p.lang, nil)
				r.deep++
			}
			return
		}
	}
	if strings.Contains(k.raw(), "decod") || strings.Contains(k.raw(), "base64") {
		r.tell(Opaque, PipeCode, "decoded text is run", "")
		return
	}
	r.unsure = append(r.unsure, "a program runs text that is known only when it runs")
}

// codeAs judges a call as the shell command that does the same; digits stand for arguments, an object being the first.
func (r *reader) codeAs(c *shell.Command, k *call, line string) {
	name, rest, _ := strings.Cut(line, " ")
	sub := shell.Command{Name: name, Dir: c.Dir, Via: c.Via, Group: -1}
	for _, f := range strings.Fields(rest) {
		n := strings.IndexAny(f, "123456789")
		if n < 0 || len(f) > n+1 {
			sub.Args = append(sub.Args, shell.Word{Text: f, Known: true})
			continue
		}
		at := int(f[n]-'0') - 1
		if k.base != (span{}) && strings.HasPrefix(k.id, ".") {
			at--
		}
		v := k.value(at)
		for m, w := range v.words {
			if m < 8 {
				sub.Args = append(sub.Args, shell.Word{Text: f[:n] + w.Text, Known: w.Known, Glob: w.Glob})
			}
		}
	}
	if len(sub.Args) == 0 {
		return
	}
	for i := range sub.Args {
		if !sub.Args[i].Known && !tempWord(sub.Args[i].Text) && in(name, "mv cp rm ln touch truncate") {
			return // nothing of the project's, as far as can be told
		}
	}
	lookup(name)(r, &sub)
	r.deeds(&sub)
}

// quoteWords is shellWords of words that are all known.
func quoteWords(ws []string) string {
	out := make([]shell.Word, len(ws))
	for i, w := range ws {
		out[i] = shell.Word{Text: w, Known: true}
	}
	return shellWords(out)
}
