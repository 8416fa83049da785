package shell

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

func joinPath(dir, name string) string {
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join(dir, name)
}

// run reads one simple command: a function, a builtin, a wrapper or a program.
func (r *reader) run(k call, e *env, at place) {
	if len(k.words) == 0 || !r.step() || !r.enter() {
		return
	}
	defer r.leave()
	c := Command{Args: k.words[1:], Env: k.env, Redirects: k.redirs, Inputs: k.inputs, Over: k.over}
	at.stdin = k.stdin
	first := k.words[0]
	if first.Glob {
		var found bool
		if first, c.Args, found = r.globName(first, c.Args, e); !found {
			c.Path, c.Unsure = first.Text, "the program's name is a pattern: "+first.Text
			r.emit(c, e, at)
			return
		}
	}
	c.Name, c.Path, c.Unsure = programName(first)
	if c.Unsure != "" && !first.Known {
		r.emit(c, e, at)
		r.unknownPrefix(k, e, at)
		return
	}
	if c.Unsure != "" {
		r.emit(c, e, at)
		return
	}
	if c.Path == "" && r.function(c, k, e, at) {
		return
	}
	if text, ok := r.files[r.path(first.Text, e)]; ok && c.Path != "" {
		r.script(text, c, e, at)
		return
	}
	if c.Path == "" && r.builtin(c, k, e, at) {
		return
	}
	r.open(c, k, e, at)
}

// unknownPrefix reads on behind a program that cannot be known, like the $SUDO of $SUDO rm -rf /: it may be empty or a
// wrapper.
func (r *reader) unknownPrefix(k call, e *env, at place) {
	if len(k.words) < 2 || !k.words[1].Known || strings.HasPrefix(k.words[1].Text, "-") || !strings.HasPrefix(k.words[0].Text, "$") {
		return
	}
	if p, ok := Lookup(k.words[1].Text); !ok || p.Name == "" {
		if _, _, unsure := programName(k.words[1]); unsure != "" || strings.ContainsAny(k.words[1].Text, " ./=:") {
			return
		}
	}
	inner := k
	inner.words = k.words[1:]
	r.in([]string{k.words[0].Text}, func() { r.run(inner, e, at) })
}

// programName gives a program's name, its path when that was given, and why it cannot be known.
func programName(w Word) (name, file, unsure string) {
	base := w.Text
	if i := strings.LastIndexByte(base, '/'); i >= 0 {
		file, base = w.Text, base[i+1:]
	}
	if i := strings.LastIndexByte(base, '\\'); i >= 0 && i+1 < len(base) { // C:\Windows\System32\cmd.exe
		file, base = w.Text, base[i+1:]
	}
	switch {
	case base == "":
		return "", file, "no program is named: " + strconv.Quote(w.Text)
	case !w.Known && strings.ContainsAny(base, "$`<>(){}~"):
		return "", file, "the program is only known when the line runs: " + w.Text
	}
	if why := disguised(base); why != "" {
		return strings.ToLower(base), file, why
	}
	base = strings.ToLower(base)
	for _, ext := range [...]string{".exe", ".cmd", ".bat", ".com"} {
		if s, ok := strings.CutSuffix(base, ext); ok && s != "" {
			return s, file, ""
		}
	}
	return base, file, ""
}

// globName resolves a pattern in the place of a name as the shell does: against the disk; further matches are arguments,
// and a pattern that nothing matches is the name itself.
func (r *reader) globName(w Word, args []Word, e *env) (Word, []Word, bool) {
	if w.Text == "[" || w.Text == "[[" {
		return w, args, true
	}
	dir := r.dir(e)
	if !w.Known || !path.IsAbs(w.Text) && (dir == "" || e.at.unsure) {
		return w, args, false
	}
	found, whole := Glob(dir, w.Text, 16)
	if len(found) == 0 {
		return literal(w.Text), args, whole
	}
	more := make([]Word, 0, len(found)-1+len(args))
	for _, f := range found[1:] {
		more = append(more, literal(f))
	}
	return literal(found[0]), append(more, args...), true
}

// function calls a function or an alias that the line has defined.
func (r *reader) function(c Command, k call, e *env, at place) bool {
	f, ok := e.function(k.words[0].Text)
	if !ok || k.outer || f.alias != "" && k.quoted {
		return false
	}
	if slices.Contains(r.calling, f.name) {
		if f.alias != "" { // ls='ls --color' is not expanded again
			return false
		}
		c.Self = true
		r.emit(c, e, at)
		return true
	}
	r.calling = append(r.calling, f.name)
	defer func() { r.calling = r.calling[:len(r.calling)-1] }()
	r.in([]string{f.name + "()"}, func() {
		if f.alias != "" {
			r.line(f.alias+" "+quoteAll(c.Args), e, at)
			return
		}
		src := r.src
		r.src = f.src
		pos, args := e.pos, e.args
		e.pos, e.args = c.Args, true
		if len(k.redirs) > 0 {
			r.emit(Command{Name: ":", Redirects: k.redirs}, e, at)
		}
		r.stmt(f.body, e, at)
		e.pos, e.args = pos, args
		r.src = src
	})
	return true
}

// quoteAll makes a line of words that reads back as these words; what is unknown stays as it was written.
func quoteAll(list []Word) string {
	var b strings.Builder
	for i, w := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		if !w.Known || w.Glob {
			b.WriteString(w.Text)
			continue
		}
		b.WriteString("'" + strings.ReplaceAll(w.Text, "'", `'\''`) + "'")
	}
	return b.String()
}

// builtin follows the builtins that change the shell's state. What they do besides is still a command of the script.
func (r *reader) builtin(c Command, k call, e *env, at place) bool {
	switch c.Name {
	case "cd", "chdir":
		r.emit(c, e, at)
		e.cd(folderArg(c.Args), r.o)
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
		r.emit(c, e, at)
		for i, w := range c.Args {
			if i > 0 && strings.HasSuffix(c.Args[i-1].Text, "C") && strings.HasPrefix(c.Args[i-1].Text, "-") && c.Name != "read" {
				r.in([]string{c.Name + " -C"}, func() { r.text1(w, e.child(), at) })
				continue
			}
			if !strings.HasPrefix(w.Text, "-") {
				e.set(w.Text, value{text: "$" + w.Text})
			}
		}
		e.set("REPLY", value{text: "$REPLY"})
	case "printf":
		if len(c.Args) > 2 && c.Args[0].Text == "-v" {
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
	case "eval":
		r.eval(c, e, at)
	case ".", "source":
		c.Name = "source"
		r.source(c, e, at)
	case "trap":
		r.trap(c, e, at)
	default:
		return false
	}
	return true
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

func (r *reader) eval(c Command, e *env, at place) {
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
	r.in([]string{"eval"}, func() { r.line(text, e, at) })
}

// couldBeRead says that unknown parts stand behind a known first word, so that the rest is worth reading.
func couldBeRead(args []Word) bool {
	return len(args) > 0 && len(args[0].Text) > 0 && !strings.ContainsAny(args[0].Text[:1], "$`<(")
}

// source reads a file into this shell: one that the line has written, or one whose text cannot be known here.
func (r *reader) source(c Command, e *env, at place) {
	if len(c.Args) == 0 {
		return
	}
	file := c.Args[0]
	v, ok := r.files[file.Text] // <(…) whose output is known
	if !ok && file.Known {
		v, ok = r.files[r.path(file.Text, e)]
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
func (r *reader) script(v value, c Command, e *env, at place) {
	if !v.known {
		c.Unsure = "runs a file that the line itself has written"
	}
	r.emit(c, e, at)
	if v.known {
		r.in([]string{c.Name}, func() { r.line(v.text, e, at) })
	}
}

// trap reads the command that is to run on a signal or at the end.
func (r *reader) trap(c Command, e *env, at place) {
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
	r.in([]string{"trap"}, func() { r.line(args[0].Text, e.child(), at) })
}
