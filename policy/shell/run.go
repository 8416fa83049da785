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
func (r *reader) run(k *call, e *env, at place) {
	if len(k.words) == 0 || !r.step() || !r.enter() {
		return
	}
	defer r.leave()
	c := &Command{Args: k.words[1:], Env: k.env, Redirects: k.redirs, Inputs: k.inputs, Over: k.over}
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
	if k.outer && len(k.words) == 1 && first.Known && strings.Contains(strings.TrimSpace(first.Text), " ") {
		r.line(first.Text, e.child(), at) // no program is named so: yarn exec 'rm x'
		return
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
		sub := e.child()
		sub.runs(first, k.words[1:])
		r.script(text, c, sub, at)
		return
	}
	if c.Path == "" && r.builtin(c, k, e, at) {
		return
	}
	r.open(c, k, e, at)
}

// unknownPrefix reads on behind a program that cannot be known, like the $SUDO of $SUDO rm -rf /: it may be empty or a
// wrapper.
func (r *reader) unknownPrefix(k *call, e *env, at place) {
	if len(k.words) < 2 || !k.words[1].Known || strings.HasPrefix(k.words[1].Text, "-") || !strings.HasPrefix(k.words[0].Text, "$") {
		return
	}
	if p, ok := Lookup(k.words[1].Text); !ok || p.Name == "" {
		if _, _, unsure := programName(k.words[1]); unsure != "" || strings.ContainsAny(k.words[1].Text, " ./=:") {
			return
		}
	}
	inner := *k
	inner.words = k.words[1:]
	r.runIn(k.words[0].Text, &inner, e, at)
}

// programName gives a program's name, its path when that was given, and why it cannot be known.
func programName(w Word) (name, file, unsure string) {
	base := w.Text
	if len(base) > 1 && base[0] == '=' && nameByte(base[1]) { // zsh: the program that PATH has under this name
		base = base[1:]
	}
	base = strings.TrimPrefix(base, "zf_") // zsh: the files module
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
	if r.globs++; r.globs > maxGlobs || !w.Known || !path.IsAbs(w.Text) && (dir == "" || e.at.unsure) {
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

// function calls what the line has defined under a name.
func (r *reader) function(c *Command, k *call, e *env, at place) bool {
	f, ok := e.function(k.words[0].Text)
	if !ok || k.outer || f.alias != "" && k.quoted {
		return false
	}
	if slices.Contains(r.calling, f.name) {
		if f.body == nil { // ls='ls --color' is not expanded again
			return false
		}
		c.Self = true
		r.emit(c, e, at)
		return true
	}
	r.calling = append(r.calling, f.name)
	defer func() { r.calling = r.calling[:len(r.calling)-1] }()
	if f.file != "" {
		k.words = append([]Word{literal(f.file)}, c.Args...)
		r.runIn("hash", k, e, at)
		return true
	}
	r.in(f.name+"()", func() {
		if f.alias != "" {
			r.line(f.alias+" "+quoteAll(c.Args), e, at)
			return
		}
		src := r.src
		r.src = f.src
		pos, args := e.pos, e.args
		e.pos, e.args = c.Args, true
		if len(k.redirs) > 0 {
			r.emit(&Command{Name: ":", Redirects: k.redirs}, e, at)
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
