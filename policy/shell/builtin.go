package shell

import (
	"slices"
	"strings"
)

// builtin follows the builtins that change the shell's state. What they do besides is still a command of the script.
func (r *reader) builtin(c *Command, k *call, e *env, at place) bool {
	switch c.Name {
	case "cd", "chdir":
		r.emit(c, e, at)
		e.cd(r.searched(folderArg(c.Args), k, e), r.o)
	case "pushd":
		r.emit(c, e, at)
		e.pushd(folderArg(c.Args), r.o)
	case "popd":
		r.emit(c, e, at)
		e.popd()
	case "set", "shopt":
		r.emit(c, e, at)
		r.set(c.Args, e)
	case "unset":
		r.subscripts(c.Args, e)
		r.unset(c.Args, e)
		r.emit(c, e, at)
	case "shift":
		if e.args && len(e.pos) > 0 {
			e.pos = e.pos[1:]
		}
	case "export", "declare", "local", "readonly", "typeset":
		for _, w := range c.Args {
			if name, text, ok := strings.Cut(w.Text, "="); ok {
				e.set(name, value{text: text, known: w.Known})
				r.runsItself(w, e, at)
			}
		}
		r.emit(c, e, at)
	case "read", "mapfile", "readarray", "getopts":
		r.subscripts(c.Args, e)
		r.emit(c, e, at)
		r.reads(c, k, e, at)
	case "test", "[":
		if len(c.Args) > 1 && c.Args[0].Text == "-v" {
			r.subscripts(c.Args[1:], e)
		}
		return false
	case "printf":
		if len(c.Args) > 2 && c.Args[0].Text == "-v" {
			r.subscripts(c.Args[1:2], e)
			text, ok := printf(c.Args[2:])
			e.set(c.Args[1].Text, value{text: text, known: ok && known(c.Args)})
		}
		r.emit(c, e, at)
	case "alias":
		r.alias(c.Args, e)
		r.emit(c, e, at)
	case "unalias":
		for _, w := range c.Args {
			e.define(function{name: w.Text, gone: true})
		}
	case "hash":
		if len(c.Args) == 3 && c.Args[0].Text == "-p" && c.Args[1].Known {
			e.define(function{name: c.Args[2].Text, file: c.Args[1].Text})
		}
		r.emit(c, e, at)
	case "enable":
		if i := slices.IndexFunc(c.Args, func(w Word) bool { return w.Text == "-f" }); i >= 0 && i+1 < len(c.Args) {
			// It loads a library into this shell, as LD_PRELOAD loads one into a program.
			lib := c.Args[i+1]
			c.Env = append(c.Env, Word{Text: "LD_PRELOAD=" + lib.Text, Known: lib.Known})
		}
		r.emit(c, e, at)
	case "eval":
		r.eval(c, e, at)
	case ".", "source":
		c.Name = "source"
		r.sourced(c, e, at)
	case "trap":
		r.trap(c, e, at)
	default:
		return false
	}
	return true
}

// subscripts reads what a shell runs in the names it is given: it works out the subscript of a[$(…)], whatever the quotes.
func (r *reader) subscripts(names []Word, e *env) {
	for _, w := range names {
		if _, in, ok := strings.Cut(w.Text, "["); ok && w.Known && strings.HasSuffix(in, "]") {
			r.template(in, e.child())
		}
	}
}

// searched gives the folder of CDPATH that a cd would find its argument in.
func (r *reader) searched(to Word, k *call, e *env) Word {
	list, _ := e.get("CDPATH")
	for _, w := range k.env {
		if text, ok := strings.CutPrefix(w.Text, "CDPATH="); ok {
			list = value{text: text, known: w.Known}
		}
	}
	if list.text == "" || !list.known || !to.Known || to.Text == "" || strings.ContainsAny(to.Text[:1], "./-") || r.o.IsDir == nil {
		return to
	}
	for dir := range strings.SplitSeq(list.text, ":") {
		if p := joinPath(r.path(dir, e), to.Text); r.o.IsDir(p) {
			return literal(p)
		}
	}
	return to
}

// reads follows read and mapfile, which fill variables from standard input.
func (r *reader) reads(c *Command, k *call, e *env, at place) {
	var names []string
	list := c.Name != "read"
	values, callback := "-d -i -n -N -p -t -u", ""
	if list {
		values, callback = "-d -n -O -s -u -c", "-C"
	}
	for i := 0; i < len(c.Args); i++ {
		t := c.Args[i].Text
		switch {
		case t == callback && i+1 < len(c.Args):
			i++
			r.textIn(c.Name+" -C", c.Args[i], e.child(), at)
		case len(t) > 1 && t[0] == '-':
			list = list || strings.Contains(t, "a")
			if has(values, "-"+t[len(t)-1:]) {
				i++
			}
		default:
			names = append(names, t)
		}
	}
	if len(names) == 0 {
		names = []string{"REPLY"}
	}
	text, ok := "", false
	if k.stdin != nil && !k.stdin.pipe && c.Name != "getopts" { // a read in a pipeline fills the variables of its own shell
		text, ok = k.stdin.text()
	}
	if c.Name == "read" {
		text, _, _ = strings.Cut(text, "\n")
	}
	ifs := " \t"
	if v, ok := e.get("IFS"); ok && v.known {
		ifs = v.text
	}
	if c.Name != "read" { // a line is an element
		ifs = ""
	}
	for _, w := range k.env { // IFS=, read a b
		if s, ok := strings.CutPrefix(w.Text, "IFS="); ok {
			ifs = s
		}
	}
	r.fill(names, text, ifs, ok, list, r.upstream(k.stdin, at), e)
}

// upstream are the commands whose output a read takes its lines from.
func (r *reader) upstream(in *feed, at place) []int {
	if in == nil || !in.pipe {
		return nil
	}
	from := in.from
	for i := range r.out {
		if c := &r.out[i]; at.piped && c.Group == at.group && c.Stage < at.stage {
			from = append(from, i)
		}
	}
	return from
}

// fill hands out text to the variables of read: a word to each and the rest to the last, or all to the elements of one.
func (r *reader) fill(names []string, text, ifs string, ok, list bool, from []int, e *env) {
	if ok = ok && len(text) <= maxOutput && r.grow(len(text)); !ok {
		for _, n := range names {
			e.set(n, value{text: "$" + n, array: list, from: from})
		}
		return
	}
	if list {
		v := value{array: true, known: true}
		for _, s := range strings.FieldsFunc(text, func(c rune) bool { return c == '\n' || strings.ContainsRune(ifs, c) }) {
			v.list = append(v.list, literal(s))
		}
		if len(v.list) > 0 {
			v.text = v.list[0].Text
		}
		e.set(names[0], v)
		return
	}
	for i, n := range names {
		text = strings.Trim(text, ifs)
		j := strings.IndexAny(text, ifs)
		if j < 0 || i == len(names)-1 {
			j = len(text)
		}
		e.set(n, value{text: text[:j], known: true})
		text = text[j:]
	}
}

func folderArg(args []Word) Word {
	for _, w := range args {
		if w.Text != "--" && (w.Text == "-" || !strings.HasPrefix(w.Text, "-")) {
			return w
		}
	}
	return literal("")
}

func (r *reader) set(args []Word, e *env) {
	for i, w := range args {
		switch {
		case w.Text == "--":
			e.pos, e.args = args[i+1:], known(args[i+1:])
			return
		case strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--") && strings.Contains(w.Text, "e"):
			e.errexit = true
		case strings.HasPrefix(w.Text, "+") && strings.Contains(w.Text, "e"):
			e.errexit = false
		case w.Text == "errexit":
			e.errexit = i > 0 && strings.HasPrefix(args[i-1].Text, "-")
		}
	}
}

func (r *reader) unset(args []Word, e *env) {
	for _, w := range args {
		if strings.HasPrefix(w.Text, "-") {
			continue
		}
		e.set(w.Text, value{unset: true, known: true})
		if _, ok := e.function(w.Text); ok {
			e.define(function{name: w.Text, gone: true})
		}
	}
}

func (r *reader) alias(args []Word, e *env) {
	for _, w := range args {
		if name, text, ok := strings.Cut(w.Text, "="); ok && text != "" && w.Known {
			e.define(function{name: name, alias: text})
		}
	}
}

func (r *reader) eval(c *Command, e *env, at place) {
	args := c.Args
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	text := join(args)
	if !known(args) {
		c.Unsure = "eval runs text that is only known when the line runs"
		r.emit(c, e, at)
		if !couldBeRead(args) {
			return
		}
	}
	r.lineIn("eval", text, e, at)
}

// couldBeRead says that unknown parts stand behind a known first word, so that the rest is worth reading.
func couldBeRead(args []Word) bool {
	return len(args) > 0 && len(args[0].Text) > 0 && !strings.ContainsAny(args[0].Text[:1], "$`<(")
}

// sourced reads a file into this shell: one that the line has written, or one whose text cannot be known here.
func (r *reader) sourced(c *Command, e *env, at place) {
	if len(c.Args) == 0 || c.Args[0].Text == "-" { // fish: curl … | source
		r.stdinLines(c, at.stdin, e, at)
		return
	}
	file, v, ok := r.behindFd(c.Args[0], e)
	if file.Text != c.Args[0].Text {
		c.Args = append([]Word{file}, c.Args[1:]...)
		c.Inputs = slices.Concat(c.Inputs, v.from)
	}
	switch {
	case ok:
		r.script(v, c, e, at)
		return
	case file.Text == "/dev/stdin" && at.stdin != nil:
		r.stdinScript(c, at.stdin, e, at)
		return
	case strings.HasPrefix(file.Text, "<("):
		c.Unsure = "runs the output of a command"
	}
	r.emit(c, e, at)
}

// script reads a file that the line wrote before it runs it.
func (r *reader) script(v value, c *Command, e *env, at place) {
	if !v.known {
		c.Unsure = "runs a file that the line itself has written"
	}
	r.emit(c, e, at)
	if v.known {
		r.lineIn(c.Name, v.text, e, at)
	}
}

// trap reads the command that is to run on a signal or at the end.
func (r *reader) trap(c *Command, e *env, at place) {
	args := c.Args
	for len(args) > 0 && len(args[0].Text) > 1 && args[0].Text[0] == '-' {
		args = args[1:]
	}
	if len(args) < 2 || args[0].Text == "-" || args[0].Text == "" {
		return
	}
	if !args[0].Known {
		c.Unsure = "trap runs text that is only known when the line runs"
		r.emit(c, e, at)
	}
	r.lineIn("trap", args[0].Text, e.child(), at)
}
