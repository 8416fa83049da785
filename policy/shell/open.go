package shell

import (
	"slices"
	"strings"
)

// open takes a wrapper or a shell off a command and reads what it runs.
func (r *reader) open(c *Command, k *call, e *env, at place) {
	p, ok := Lookup(c.Name)
	if !ok {
		p = r.other(c)
	}
	if p == nil || r.onlyAsks(p, c) {
		r.emit(c, e, at)
		return
	}
	switch p.Opens {
	case OpensShell:
		r.shell(c, e, at)
		return
	case OpensFind:
		r.emit(c, e, at)
		r.find(c, k, e, at)
		return
	case OpensFd:
		r.emit(c, e, at)
		r.fd(p, c, k, e, at)
		return
	case OpensParallel:
		r.parallel(p, c, k, e, at)
		return
	case OpensStdin:
		if p.Keep && k.stdin != nil {
			r.emit(c, e, at)
		}
		r.stdinLines(c, k.stdin, e, at)
		return
	case OpensPower:
		r.powerShell(c, e, at)
		return
	case OpensCmd:
		r.cmdShell(c, e, at)
		return
	}
	r.wrapper(p, c, k, e, at)
}

// other makes an entry for programs that are known by a part of their name or by the user's setting.
func (r *reader) other(c *Command) *Program {
	if slices.Contains(r.o.Wrappers, c.Name) || strings.HasPrefix(c.Name, "ld-linux") || strings.HasPrefix(c.Name, "ld-musl") {
		return &Program{Form: Form{Opens: OpensArgv, Values: "--library-path --preload --argv0 --inhibit-rpath --audit"}}
	}
	return nil
}

// onlyAsks says that a wrapper is called for what it knows, not to run something.
func (r *reader) onlyAsks(p *Program, c *Command) bool {
	if len(c.Args) == 0 {
		return false
	}
	t := c.Args[0].Text
	return p.Name == "command" && (t == "-v" || t == "-V") || p.Name == "sudo" && (t == "-l" || t == "-e" || t == "--list" || t == "--edit") ||
		t == "--help" || t == "--version"
}

// wrapper reads the inner command of a program whose table entry says where that stands.
func (r *reader) wrapper(p *Program, c *Command, k *call, e *env, at place) {
	x := p.parse(c.Args, false)
	f := x.form
	name := c.Name
	if x.sub != "" {
		name += " " + x.sub
	}
	if tells := f.more().Tells; tells != "" {
		if w, ok := x.value(tells); ok {
			name += " " + w.Text
		}
	}
	opened := false
	if f.Keep || f.Opens == OpensNothing {
		r.emit(c, e, at)
		opened = true
	}
	outer := e
	if in := f.more().Chdir; in != "" {
		if dir, ok := x.value(in); ok {
			e = e.child()
			e.cd(dir, r.o)
			e.at.pending = false
		}
	}
	r.away(f.Remote, func() {
		opened = r.lines(name, x, e, at) || opened
		inner := *k
		inner.outer = true
		inner.env = slices.Concat(k.env, x.assigns)
		for _, w := range x.assigns {
			r.runsItself(w, e, at)
		}
		opened = r.inner(name, p, x, c, &inner, e, at) || opened
	})
	if k.stdin != nil && !opened || k.stdin != nil && f.Keep && x.inner < 0 {
		if startsShell(c.Name, x) {
			r.stdinScript(c, k.stdin, e.child(), at)
			return
		}
	}
	if !opened {
		r.emit(c, outer, at)
	}
}

// startsShell says that a wrapper which is given no command starts a shell.
func startsShell(name string, x *parsed) bool {
	switch name {
	case "su", "chroot", "unshare", "nsenter", "newgrp":
		_, ok := x.value("-c --command --session-command")
		return !ok
	case "sudo", "doas":
		return slices.ContainsFunc(x.flags, func(f Flag) bool { return has("-s -i --shell --login", f.Name) })
	}
	return false
}

// away runs f for a place that is not this machine, where neither our home nor our folders are.
func (r *reader) away(remote bool, f func()) {
	if !remote {
		f()
		return
	}
	o, was := r.o, r.remote
	r.o, r.remote = Options{Wrappers: o.Wrappers}, true
	f()
	r.o, r.remote = o, was
}

// lines reads the options whose value is a line for a shell.
func (r *reader) lines(name string, x *parsed, e *env, at place) bool {
	opened := false
	for _, fl := range x.flags {
		if !fl.Has || !has(x.form.more().Lines, fl.Name) {
			continue
		}
		opened = true
		if name == "bind" { // "\C-x": command
			_, fl.Value.Text, _ = strings.Cut(fl.Value.Text, ":")
		}
		r.textIn(name+" "+fl.Name, fl.Value, e.child(), at)
	}
	if name == "tar" {
		for _, fl := range x.flags {
			if run, ok := strings.CutPrefix(fl.Value.Text, "exec="); ok && fl.Name == "--checkpoint-action" {
				r.textIn(name+" "+fl.Name, Word{Text: run, Known: fl.Value.Known}, e.child(), at)
			}
		}
	}
	return opened
}

// text1 reads a word as a line for a shell; when only a part of it is known it says so and reads that.
func (r *reader) text1(w Word, e *env, at place) {
	if !w.Known {
		r.emit(&Command{Unsure: "runs text that is only known when the line runs"}, e, at)
		if !couldBeRead([]Word{w}) {
			return
		}
	}
	r.line(w.Text, e, at)
}

// inner runs what stands behind a wrapper's own arguments.
func (r *reader) inner(name string, p *Program, x *parsed, c *Command, k *call, e *env, at place) bool {
	if p.Opens == OpensEnv {
		if s, ok := x.value("-S --split-string"); ok {
			k.words = append(splitString(s), c.Args[len(c.Args)-len(rest(x, c)):]...)
			for len(k.words) > 0 && isAssign(k.words[0]) {
				k.env, k.words = append(k.env, k.words[0]), k.words[1:]
			}
			r.runIn(name, k, e, at)
			return true
		}
	}
	switch x.form.Opens {
	case OpensEach:
		for _, w := range x.operands {
			r.textIn(name, w, e.child(), at)
		}
		return len(x.operands) > 0
	case OpensJoined:
		words := rest(x, c)
		if len(words) == 0 {
			return x.form.Remote && r.remoteStdin(name, k, at)
		}
		w := Word{Text: join(words), Known: known(words)}
		sub := e.child()
		if x.form.Remote {
			sub = &env{}
		}
		r.in(name, func() {
			if !w.Known && !couldBeRead(words) {
				r.emit(&Command{Unsure: "runs text that is only known when the line runs"}, e, at)
				return
			}
			r.line(w.Text, sub, at)
		})
		return true
	case OpensXargs:
		return r.xargs(name, x, c, k, e, at)
	case OpensArgv, OpensEnv:
		k.words = rest(x, c)
		if len(k.words) == 0 {
			return false
		}
		if x.form.Remote {
			e = &env{}
		} else if x.sub != "" || p.Name != "command" && p.Name != "exec" {
			e = e.child()
		}
		r.runIn(name, k, e, at)
		return true
	}
	return false
}

// rest are the words of the inner command.
func rest(x *parsed, c *Command) []Word {
	if x.inner < 0 {
		return nil
	}
	return c.Args[x.inner:]
}

// remoteStdin reads what ssh without a command hands to the shell over there.
func (r *reader) remoteStdin(name string, k *call, at place) bool {
	if k.stdin == nil {
		return false
	}
	if text, ok := k.stdin.text(); ok {
		r.lineIn(name, text, &env{}, place{})
		return true
	}
	return false
}

// splitString splits the argument of env -S.
func splitString(w Word) []Word {
	var out []Word
	for s := range strings.FieldsSeq(w.Text) {
		out = append(out, Word{Text: strings.Trim(s, `'"`), Known: w.Known})
	}
	return out
}

// shell reads what a shell is told to run: -c, a script file, or standard input.
func (r *reader) shell(c *Command, e *env, at place) {
	args := c.Args
	line, stdin, check, asks := false, false, false, false
	i := 0
options:
	for ; i < len(args); i++ {
		t := args[i].Text
		switch {
		case t == "-" || t == "--":
			i++
			break options
		case strings.HasPrefix(t, "--command="):
			r.textIn(c.Name+" -c", Word{Text: t[len("--command="):], Known: args[i].Known}, e.child(), at)
			return
		case t == "--command":
			line = true
		case t == "--rcfile" || t == "--init-file":
			i++
		case t == "-C" && c.Name == "fish" || t == "--init-command":
			if i++; i < len(args) {
				r.textIn(c.Name+" -C", args[i], e.child(), at)
			}
		case len(t) > 1 && (t[0] == '-' || t[0] == '+') && t[1] != '-':
			line = line || t[0] == '-' && strings.Contains(t, "c")
			stdin = stdin || t[0] == '-' && strings.Contains(t, "s")
			check = check || t[0] == '-' && strings.Contains(t, "n")
			asks = asks || t[0] == '-' && strings.Contains(t, "i")
			if strings.ContainsAny(t, "oO") {
				i++
			}
		case len(t) > 2 && t[0] == '-':
		default:
			break options
		}
	}
	args = args[min(i, len(args)):]
	switch {
	case check && !asks: // -n: a shell that is not interactive reads and runs nothing
		r.emit(c, e, at)
	case line && len(args) > 0:
		r.shellLine(c, args, e, at)
	case len(args) > 0 && !stdin && args[0].Text != "/dev/stdin" && args[0].Text != "/proc/self/fd/0":
		r.scriptFile(c, args, e, at)
	default:
		r.stdinLines(c, at.stdin, e, at)
	}
}

func (r *reader) shellLine(c *Command, args []Word, e *env, at place) {
	sub := e.child()
	sub.at, sub.errexit = e.at, false
	sub.args = true
	if len(args) > 1 {
		sub.zero, sub.pos = args[1], args[2:]
	}
	if !args[0].Known {
		c.Unsure = "runs text that is only known when the line runs"
		r.emit(c, e, at)
		if !couldBeRead(args) {
			return
		}
	}
	r.in(c.Name+" -c", func() {
		r.line(args[0].Text, sub, at)
		if len(args) > 1 && r.mark == "" && !strings.ContainsAny(args[0].Text, "$`") {
			// The line takes no arguments and is given some: quotes inside the same quotes end where they were meant to
			// begin, and the words behind belong to the line that was meant.
			r.line(join(args), sub.child(), at)
		}
	})
}

func (r *reader) scriptFile(c *Command, args []Word, e *env, at place) {
	file, v, ok := r.behindFd(args[0], e)
	if file.Text != args[0].Text {
		c.Args = clone(c.Args)
		c.Args[len(c.Args)-len(args)] = file
		c.Inputs = slices.Concat(c.Inputs, v.from)
	}
	switch {
	case ok:
		sub := e.child()
		sub.runs(file, args[1:])
		r.script(v, c, sub, at)
		return
	case strings.HasPrefix(file.Text, "<("):
		c.Unsure = "runs the output of a command"
	case !file.Known && strings.HasPrefix(file.Text, "$("):
		c.Unsure = "runs a script that is only known when the line runs"
	}
	r.emit(c, e, at)
}

// stdinLines reads what a shell gets on standard input.
func (r *reader) stdinLines(c *Command, in *feed, e *env, at place) {
	if in == nil {
		r.emit(c, e, at)
		return
	}
	r.stdinScript(c, in, e, at)
}

func (r *reader) stdinScript(c *Command, in *feed, e *env, at place) {
	text, ok := in.text()
	if !ok {
		if in.pipe {
			c.Unsure = "runs what comes out of a pipe"
		}
		r.emit(c, e, at)
		return
	}
	at.stdin = nil
	r.lineIn(c.Name, text, e.child(), at)
}
