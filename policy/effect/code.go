package effect

import (
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/policy/shell"
)

// maxCode bounds what is read of a program text handed to an interpreter.
const maxCode = 64 << 10

// interpreter is a program that runs texts of a language: the flags that are followed by code, those that are followed by
// something else, and subcommands that stand before a script.
type interpreter struct {
	programs     string
	lang         *language
	code, valued string
	subs         string
}

var interpreters = [...]interpreter{
	{"python python2 python3 pypy pypy3 ipython", &pythonCalls, "-c", " -W -X -m -Q ", ""},
	{"node nodejs bun deno ts-node tsx zx", &nodeCalls, "-e --eval -p --print -pe eval", " -r --require --import --loader -P --project --config -c --config ", "run exec x serve watch"},
	{"perl", &perlCalls, "-e -E -ne -pe -ane -lne -nle -lane -i.bak -pie", " -I ", ""},
	{"ruby", &rubyCalls, "-e -ne -pe", " -r -I -C ", ""},
	{"php", &phpCalls, "-r", " -d -c ", ""},
	{"lua luajit", &luaCalls, "-e", " -l ", ""},
	{"r rscript", &rCalls, "-e", " ", ""},
	{"elixir groovy kotlin scala swift", &otherCalls, "-e --eval", " -r -cp -classpath ", ""},
	{"julia", &juliaCalls, "-e --eval -E --print", " -L --load -J -p -t ", ""},
}

func interpreterOf(name string) *interpreter {
	plain := strings.TrimRight(name, "0123456789.")
	for i := range interpreters {
		if in(name, interpreters[i].programs) || in(plain, interpreters[i].programs) {
			return &interpreters[i]
		}
	}
	return nil
}

// interpret reads the code of -c and its kind, of a heredoc, or of a script on disk.
func (r *reader) interpret(c *shell.Command) {
	r.changes = true
	x := interpreterOf(c.Name)
	if x == nil {
		return
	}
	lang := x.lang
	read := false
	for i := 0; i < len(c.Args); i++ {
		t := c.Args[i].Text
		switch {
		case in(t, x.code) && i+1 < len(c.Args):
			i++
			read = true
			rest := c.Args[i+1:]
			if !x.lang.bare {
				r.codeOf(c, lang, c.Args[i].Text, source{args: words(rest)})
				return
			}
			r.codeOf(c, lang, c.Args[i].Text, source{args: words(split(rest, x.valued).ops)})
		case strings.HasPrefix(t, "-c") && len(t) > 2 && lang == &pythonCalls:
			r.codeOf(c, lang, t[2:], source{args: words(c.Args[i+1:])})
			return
		case in(t, "-m") && lang == &pythonCalls:
			r.module(c, i+1)
			return
		case listed(x.valued, t):
			i++
		case strings.HasPrefix(t, "-") && t != "-":
		case t == "-":
			i = len(c.Args)
		case in(t, x.subs) && in(c.Name, "bun deno tsx"):
			if c.Name == "bun" && i == 0 {
				r.packages(c)
			}
		case c.Name == "deno" && t == "task":
			r.denoTask(c, i+1)
			return
		case in(c.Name, "bun deno") && in(t, "install add remove test build pm init create upgrade publish link check fmt lint cache compile info doc update outdated audit"):
			r.packages(c)
			return
		default:
			if !read {
				r.scriptFile(c, c.Args[i], lang, words(c.Args[i+1:]))
			}
			return
		}
	}
	for _, b := range r.bodies(c) {
		r.code(c, lang, b)
	}
	if text, known := r.piped(c); known && !read { // echo code | python3
		r.code(c, lang, text)
	}
}

// module is python -m NAME: a package manager or a server under another name.
func (r *reader) module(c *shell.Command, i int) {
	if i >= len(c.Args) {
		return
	}
	sub := *c
	sub.Name, sub.Args = c.Args[i].Text, c.Args[i+1:]
	switch {
	case in(sub.Name, "pip pip3 twine uv poetry"):
		r.packages(&sub)
	case in(sub.Name, "pytest unittest mypy ruff tox black flake8"):
		r.tell(Test, "", sub.Name, "")
	case in(sub.Name, "http.server venv json.tool timeit pdb compileall build"):
	default:
		path := strings.ReplaceAll(sub.Name, ".", "/")
		for _, p := range [...]string{path + ".py", path + "/__main__.py"} {
			r.scriptFile(c, shell.Word{Text: p, Known: true}, &pythonCalls, words(sub.Args))
		}
	}
}

// scriptFile reads a script that the line or the disk holds.
func (r *reader) scriptFile(c *shell.Command, w shell.Word, lang *language, args []string) {
	if r.fromFetch(c, w) || r.fetched(c, w) {
		return
	}
	text, ok := r.scriptText(c, w)
	if !ok {
		return
	}
	r.deepCode(c, lang, text, source{file: w.Text, args: args})
}

func (r *reader) deepCode(c *shell.Command, lang *language, text string, from source) {
	if r.deep++; r.deep <= maxNested {
		r.codeOf(c, lang, text, from)
	}
	r.deep--
}

// scriptText is the text of a script: from the line, when the line writes it, or from the disk.
func (r *reader) scriptText(c *shell.Command, w shell.Word) (string, bool) {
	if !w.Known {
		return "", false
	}
	t := r.written(c, w)
	if s, known := r.madeText(t.real); known {
		return s, true
	}
	if !r.opens() {
		return "", false
	}
	s := r.small(t.real)
	return s, s != ""
}

// small is the text of a small file, as long as the files that the line has had read are not too many.
func (r *reader) small(path string) string {
	s := smallFile(path)
	if !r.affords(len(s)) {
		return ""
	}
	return s
}

// affords counts the bytes that are read inside the line, and says whether there is room for them. Where there is none
// any more that is told, once.
func (r *reader) affords(n int) bool {
	before := r.lines
	if r.lines += n; r.lines <= maxLines {
		return true
	}
	if before <= maxLines {
		r.tell(Opaque, DynamicRun, "more lines inside lines than the gate reads", "")
	}
	return false
}

// opens says whether another file of the disk is read for what it would run: those that the line itself names are, and
// of those that scripts name in their turn the first few.
func (r *reader) opens() bool {
	if r.deep > 0 {
		r.scripts++
	}
	return r.scripts <= maxFiles
}

// notebook reads the cells of a notebook that is run.
func (r *reader) notebook(c *shell.Command) {
	r.changes = true
	a := split(c.Args, " --to --output --output-dir -p --parameters -k --kernel --cwd ")
	if c.Name == "jupyter" && !a.has("--execute") {
		return
	}
	for _, o := range a.ops {
		if !strings.HasSuffix(o.Text, ".ipynb") {
			continue
		}
		text, _ := r.scriptText(c, o)
		var code strings.Builder
		for _, cell := range gjson.Get(text, `cells.#(cell_type=="code")#.source`).Array() {
			for _, line := range cell.Array() { // one text, or a list of lines
				if shell, ok := strings.CutPrefix(line.Str, "%%bash"); ok || strings.HasPrefix(line.Str, "%%sh\n") {
					lines := []string{strings.TrimPrefix(shell, "%%sh")}
					for _, l := range cell.Array()[1:] {
						lines = append(lines, l.Str)
					}
					r.nested(strings.Join(lines, ""), c.Dir)
					break
				}
				for l := range strings.Lines(line.Str) {
					if cmd, ok := strings.CutPrefix(strings.TrimSpace(l), "!"); ok {
						r.nested(cmd, c.Dir)
						continue
					}
					code.WriteString(l)
				}
			}
			code.WriteByte('\n')
		}
		r.deepCode(c, &pythonCalls, code.String(), source{file: o.Text})
		return // a parameter's name may follow
	}
}

// awk runs a shell through system() and through pipes, and writes to files.
func (r *reader) awk(c *shell.Command) {
	a := split(c.Args, " -F -v -f --field-separator --assign --file ")
	prog := ""
	for _, f := range a.values("-f", "--file") {
		text, _ := r.scriptText(c, f)
		prog += text
		a.ops = append([]shell.Word{f}, a.ops...)
	}
	if len(a.ops) == 0 {
		return
	}
	if prog == "" {
		prog = a.ops[0].Text
	}
	prog = clipBytes(prog, maxCode)
	for i := 0; i < len(prog); i++ {
		if strings.IndexByte("|>s", prog[i]) < 0 {
			continue
		}
		rest := strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(prog[i+1:], ">"), "ystem("), " ")
		line, n := quoted(rest)
		switch {
		case prog[i] == '|' && strings.HasPrefix(strings.TrimSpace(prog[i+1:]), "getline"): // "cmd" | getline
			r.nested(lastQuoted(prog[:i]), c.Dir)
		case n == 0:
		case prog[i] == '|' && isShell(line): // print "a line" | "sh"
			r.nested(lastQuoted(prog[:i]), c.Dir)
		case prog[i] == '|', prog[i] == 's' && strings.HasPrefix(prog[i:], "system("):
			r.nested(awkLine(line, rest[n:]), c.Dir)
		case prog[i] == '>' && prints(prog[max(0, i-200):i]):
			r.writes(c, r.written(c, shell.Word{Text: line, Known: true}), Overwrite, file{})
		}
	}
	r.awkSocket(prog)
	for _, o := range a.ops[1:] {
		r.readWord(c, o)
	}
}

// awkLine is a line that awk puts together: "rm " ENVIRON["HOME"] "/x".
func awkLine(line, rest string) string {
	for range 20 {
		rest = strings.TrimLeft(rest, " ")
		if s, n := quoted(rest); n > 0 {
			line, rest = line+s, rest[n:]
			continue
		}
		n := 0
		for n < len(rest) && (isNameByte(rest[n]) || rest[n] == '$') {
			n++
		}
		if n == 0 {
			break
		}
		v := "$" + strings.TrimLeft(rest[:n], "$0123456789")
		if rest = rest[n:]; strings.HasPrefix(rest, `["`) {
			key, after, _ := strings.Cut(rest[2:], `"]`)
			v, rest = "$"+key, after
		}
		if v == "$" {
			v = "$FIELD"
		}
		line += v
	}
	return line
}

// awkSocket reads gawk's files that are connections: /inet/tcp/0/HOST/PORT. Where lines are taken from two places, what one
// says is run by the other.
func (r *reader) awkSocket(prog string) {
	_, rest, ok := strings.Cut(prog, "/inet/")
	if !ok {
		return
	}
	a := Act{Kind: Send, Place: Remote, Target: clip(at(strings.Split(rest, "/"), 2), 60), How: "/inet"}
	switch {
	case strings.Count(rest, "getline") > 1, strings.Contains(prog, "system("):
		a.Tag = ReverseSh
	case !isLocal(a.Target):
		a.Tag = RawSocket
	}
	r.add(a)
}

// prints: the last statement of an awk text is print, so that > writes a file and compares nothing.
func prints(s string) bool { return strings.Contains(s[strings.LastIndexAny(s, ";{}\n")+1:], "print") }

// lastQuoted is the string that ends a text.
func lastQuoted(s string) string {
	s = strings.TrimRight(s, " ")
	if !strings.HasSuffix(s, `"`) {
		return ""
	}
	return s[strings.LastIndexByte(s[:len(s)-1], '"')+1 : len(s)-1]
}

// runShell is a shell that is started: with a script on disk, or as one to type into.
func (r *reader) runShell(c *shell.Command) {
	r.changes = true
	if in(c.Name, "iex invoke-expression") {
		r.eval(c)
		return
	}
	if in(c.Name, "pwsh powershell") && hasFold(c.Args, "-e", "-ec", "-enc", "-encodedcommand") {
		r.tell(Opaque, PipeCode, "-EncodedCommand", "")
		return
	}
	checks := false // bash -n reads a script and runs nothing of it
	for i := 0; i < len(c.Args); i++ {
		t := c.Args[i].Text
		if on, ok := noExec(c.Name, t); ok {
			checks = on
			continue
		}
		if strings.HasPrefix(t, "-") && strings.Contains(t, "c") && !strings.HasPrefix(t, "--") || t == "/c" || t == "/C" {
			if i+1 < len(c.Args) && !c.Args[i+1].Known && c.Unsure != "" {
				r.opaque(c)
			}
			return
		}
		if in(t, "-o -O --rcfile --init-file") {
			i++
			continue
		}
		if !strings.HasPrefix(t, "-") {
			if !checks {
				r.shellFile(c, c.Args[i], c.Args[i+1:])
			}
			return
		}
	}
	if c.Unsure != "" {
		r.opaque(c)
	}
}

// noExec reads a shell's flag -n, alone or with -u, -v and -x, or +n, which takes it back.
func noExec(name, flag string) (on, ok bool) {
	if len(flag) < 2 || flag[0] != '-' && flag[0] != '+' || !strings.Contains(flag, "n") || strings.Trim(flag[1:], "nuvx") != "" {
		return false, false
	}
	return flag[0] == '-', in(name, "ash bash dash ksh sh zsh")
}

// opaque is code that cannot be read before it runs.
func (r *reader) opaque(c *shell.Command) {
	r.unsure = append(r.unsure, c.Unsure)
	for i := len(r.acts) - 1; i >= 0; i-- {
		if r.acts[i].Command == r.at && (r.acts[i].Tag == PipeRemote || r.acts[i].Tag == PipeCode) {
			return
		}
	}
	tag := PipeCode
	for _, i := range c.Inputs {
		if i < len(r.cmds) && in(r.cmds[i].Name, fetchers) {
			tag = PipeRemote
		}
	}
	r.add(Act{Kind: Opaque, Tag: tag, How: c.Name, Unsure: c.Unsure})
}

// shellFile reads a shell script from the line or from disk and judges its commands.
func (r *reader) shellFile(c *shell.Command, w shell.Word, args []shell.Word) {
	if r.fromFetch(c, w) || r.fetched(c, w) {
		return
	}
	if text, ok := r.scriptText(c, w); ok {
		r.scriptLines(c, text, w.Text, args)
	}
}

// fromFetch: the script is what another machine answers: bash <(curl …), deno run https://….
func (r *reader) fromFetch(c *shell.Command, w shell.Word) bool {
	if strings.HasPrefix(w.Text, "http") && strings.Contains(w.Text, "://") && !isLocal(host(w.Text)) {
		r.tell(Opaque, PipeRemote, c.Name+" "+w.Text, host(w.Text))
		return true
	}
	if w.Known && !strings.HasPrefix(w.Text, "/dev/") {
		return false // the answer is a word of the script
	}
	for _, i := range c.Inputs {
		if i < len(r.cmds) && in(r.cmds[i].Name, "curl wget") {
			r.tell(Opaque, PipeRemote, c.Name+" <("+r.cmds[i].Name+")", firstURL(&r.cmds[i]))
			return true
		}
	}
	return false
}

// fromSourced: the command is a function of a file that the line has sourced.
func (r *reader) fromSourced(c *shell.Command) bool {
	text := r.sourced
	if text == "" || c.Path != "" || !strings.Contains(text, c.Name+"()") {
		return false
	}
	r.sourced = "" // what it calls in its turn stands in the same text
	r.nested(text+c.Name+shellWords(c.Args), c.Dir)
	r.sourced = text
	return true
}

// fetched: the script was downloaded by an earlier command of the same line.
func (r *reader) fetched(c *shell.Command, w shell.Word) bool {
	if !w.Known {
		return false
	}
	p := r.written(c, w).real
	for i := len(r.files) - 1; i >= 0; i-- {
		if f := &r.files[i]; f.path == p {
			if f.decoded {
				r.tell(Opaque, PipeCode, c.Name+" "+w.Text, "")
				return true
			}
			break
		}
	}
	h := r.downloaded(p)
	if h != "" {
		r.tell(Opaque, PipeRemote, c.Name+" "+w.Text, h)
	}
	return h != ""
}

func (r *reader) source(c *shell.Command) {
	if len(c.Args) > 0 {
		var args []shell.Word // without any, those of the script that sources it
		if len(c.Args) > 1 {
			args = c.Args[1:]
		}
		r.shellFile(c, c.Args[0], args)
		if text, ok := r.scriptText(c, c.Args[0]); ok && strings.Contains(text, "()") && len(r.sourced)+len(text) <= maxScript {
			r.sourced += text + "\n"
		}
	}
	if viaAny(c, "BASH_ENV", "ENV") && (len(c.Args) == 0 || !r.readable(c, c.Args[0])) {
		r.tell(Execute, Preload, "BASH_ENV", at(words(c.Args), 0))
	}
	r.changes = true
}

// eval whose text cannot be known.
func (r *reader) eval(c *shell.Command) {
	r.changes = true
	if c.Unsure == "" {
		return
	}
	for _, i := range c.Inputs {
		if i < len(r.cmds) && in(r.cmds[i].Name, "ssh-agent direnv pyenv rbenv nodenv brew fnm nvm starship zoxide dircolors conda mise asdf opam luarocks thefuck resize minikube docker-machine keychain gpg-agent") {
			return
		}
	}
	r.opaque(c)
}

// isScript: a program that is named by a file of the project.
func isScript(n string) bool {
	return hasSuffix(n, ".sh", ".bash", ".py", ".rb", ".js", ".pl", ".bat", ".cmd", ".ps1")
}

// runFile reads a script that is run by its path.
func (r *reader) runFile(c *shell.Command) {
	r.changes = true
	p := c.Path
	if p == "" {
		p = c.Name
	}
	if r.fetched(c, shell.Word{Text: p, Known: true}) || r.runCompiled(c, p) {
		return
	}
	text, ok := r.scriptText(c, shell.Word{Text: p, Known: true})
	given := append([]shell.Word{}, c.Args...)
	if !ok || !strings.HasPrefix(text, "#!") {
		switch {
		case isShellName(p) && ok:
			r.scriptLines(c, text, p, given)
		case strings.HasSuffix(p, ".py") && ok && viaAny(c, "uv", "rye", "pdm", "poetry", "pixi", "hatch"):
			r.deepCode(c, &pythonCalls, text, source{file: p, args: words(c.Args)})
		}
		return
	}
	line, _, _ := strings.Cut(text, "\n")
	program := filepath.Base(strings.TrimSpace(line))
	if f := strings.Fields(strings.TrimPrefix(line, "#!")); len(f) > 0 {
		program = filepath.Base(f[0])
		for _, w := range f[1:] {
			if program == "env" && !strings.HasPrefix(w, "-") {
				program = filepath.Base(w)
			}
		}
	}
	if x := interpreterOf(strings.ToLower(strings.TrimRight(program, "0123456789."))); x != nil {
		r.deepCode(c, x.lang, text, source{file: p, args: words(c.Args)})
	} else if strings.Contains(program, "sh") {
		r.scriptLines(c, text, p, given)
	} else if in(program, "make") {
		r.makeTarget(c)
	}
}

func isShellName(p string) bool {
	return hasSuffix(filepath.Base(p), ".sh", ".bash", ".bat", ".cmd", ".ps1")
}
