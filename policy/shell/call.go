package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// call is a simple command on its way from the line to the script: wrappers are taken off it until a program is left.
type call struct {
	words  []Word
	env    []Word
	redirs []Redirect
	inputs []int
	over   []Word
	quoted bool // the name was quoted or escaped, so no alias applies
	outer  bool // a wrapper starts it, which sees no functions and aliases
	stdin  *feed
}

func (r *reader) callExpr(c *syntax.CallExpr, redirs []*syntax.Redirect, e *env, at place) {
	start, uses := len(r.out), r.uses
	r.uses = nil
	defer func() { r.uses = uses }()
	k := &call{}
	for _, a := range c.Assigns {
		name, v, w := r.assign(a, e)
		if len(c.Args) == 0 {
			v.from = append(v.from, span(start, len(r.out))...)
			e.set(name, v)
			r.runsItself(w, e, at)
			continue
		}
		k.env = append(k.env, w)
	}
	k.words = r.words(c.Args, e)
	k.redirs = r.redirects(redirs, e)
	k.inputs = slices.Compact(append(r.uses, span(start, len(r.out))...))
	k.stdin = at.stdin
	if f := r.stdinOf(k.redirs, e); f != nil {
		k.stdin = f
		k.inputs = append(k.inputs, f.from...)
		if f.pipe { // mapfile a < <(…)
			f.from = span(start, len(r.out))
		}
	}
	if len(c.Args) > 0 {
		k.quoted = len(c.Args[0].Parts) != 1 || strings.Contains(c.Args[0].Lit(), "\\")
	}
	if r.quiet > 0 {
		return
	}
	if len(k.words) == 0 {
		if len(k.redirs) > 0 { // > file empties it
			r.emit(&Command{Name: ":", Redirects: k.redirs, Inputs: k.inputs}, e, at)
		}
		return
	}
	for _, w := range k.env {
		r.runsItself(w, e, at)
	}
	r.note(k, e)
	r.toCoproc(k, e, at)
	r.run(k, e, at)
}

// assign works out NAME=value, and gives it as a word besides.
func (r *reader) assign(a *syntax.Assign, e *env) (string, value, Word) {
	if a.Name == nil { // export "$x"
		return "", value{}, r.word(a.Value, e)
	}
	name := a.Name.Value
	if a.Naked {
		v, _ := e.get(name)
		return name, v, literal(name)
	}
	if a.Array != nil {
		return r.array(a, e)
	}
	w := r.word(a.Value, e)
	v := value{text: w.Text, known: w.Known}
	if w.Known && a.Value != nil && w.Glob {
		v.glob = true
	}
	if a.Index != nil {
		return r.assignElement(a, v, e)
	}
	if a.Append {
		old := r.variable(name, e)
		if old.array && r.grow(len(old.list)) {
			v = value{text: old.text, array: true, known: old.known && v.known, list: append(clone(old.list), w)}
		} else if r.grow(len(old.text)) {
			v.text, v.known = old.text+v.text, v.known && (old.known || old.unset)
		} else {
			v.known = false
		}
	}
	return name, v, Word{Text: name + "=" + v.text, Known: v.known}
}

func (r *reader) array(a *syntax.Assign, e *env) (string, value, Word) {
	v := value{array: true}
	if a.Append {
		if old, ok := e.get(a.Name.Value); ok && old.array {
			if !r.grow(len(old.list) * wordCost) {
				return a.Name.Value, value{text: "$" + a.Name.Value, array: true}, Word{Text: a.Name.Value + "=()"}
			}
			v.list = clone(old.list)
		}
	}
	for _, el := range a.Array.Elems {
		r.arith(el.Index, e)
		if el.Value != nil {
			v.list = append(v.list, r.words([]*syntax.Word{el.Value}, e)...)
		}
		if len(v.list) > maxWords || !r.grow(1) {
			break
		}
	}
	if len(v.list) > 0 {
		v.text = v.list[0].Text
	}
	v.known = known(v.list)
	return a.Name.Value, v, Word{Text: a.Name.Value + "=(" + join(v.list) + ")", Known: v.known}
}

// assignElement handles a[1]=x.
func (r *reader) assignElement(a *syntax.Assign, v value, e *env) (string, value, Word) {
	name := a.Name.Value
	w := Word{Text: name + "[]=" + v.text, Known: v.known}
	r.arith(a.Index, e)
	n, ok := r.number(a.Index, e)
	old, _ := e.get(name)
	if !ok || n < 0 || n > len(old.list) || !r.grow(len(old.list)+1) {
		return name, value{text: "$" + name, array: true}, w
	}
	list := clone(old.list)
	el := Word{Text: v.text, Known: v.known}
	if n == len(list) {
		list = append(list, el)
	} else {
		list[n] = el
	}
	return name, value{text: list[0].Text, array: true, list: list, known: known(list)}, w
}

// declClause handles export, declare, local, readonly and typeset.
func (r *reader) declClause(d *syntax.DeclClause, redirs []*syntax.Redirect, e *env, at place) {
	start := len(r.out)
	c := &Command{Name: d.Variant.Value}
	ref := false
	for _, a := range d.Args {
		name, v, w := r.assign(a, e)
		if name == "" && strings.HasPrefix(w.Text, "-") && strings.Contains(w.Text, "n") && c.Name != "export" {
			ref = true
		}
		if ref && syntax.ValidName(v.text) && v.known {
			v = value{ref: v.text}
		}
		if name != "" && !a.Naked {
			e.set(name, v)
			r.runsItself(w, e, at)
		}
		c.Args = append(c.Args, w)
	}
	c.Redirects = r.redirects(redirs, e)
	c.Inputs = span(start, len(r.out))
	r.emit(c, e, at)
}

// runsItself reads the variables that make some shell or program run what they hold.
func (r *reader) runsItself(assignment Word, e *env, at place) {
	name, text, _ := strings.Cut(assignment.Text, "=")
	switch name {
	case "BASH_ENV", "ENV":
		r.in(name, func() {
			r.sourced(&Command{Name: "source", Args: []Word{{Text: text, Known: assignment.Known}}}, e.child(), at)
		})
	case "PS0", "PS1", "PS2", "PS4", "PROMPT", "RPROMPT":
		r.in(name, func() { r.template(text, e.child()) })
	case "PROMPT_COMMAND", "GIT_SSH_COMMAND", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_PAGER", "GIT_EXTERNAL_DIFF",
		"GIT_ASKPASS", "GIT_PROXY_COMMAND", "PAGER", "MANPAGER", "EDITOR", "VISUAL", "LESSOPEN", "LESSCLOSE", "RSYNC_RSH",
		"BROWSER", "CVS_RSH", "TAR_OPTIONS", "FZF_DEFAULT_COMMAND":
		if text == "" {
			return
		}
		r.in(name, func() {
			if !assignment.Known {
				r.emit(&Command{Unsure: name + " holds a command that is only known when the line runs"}, e, at)
				return
			}
			r.line(strings.TrimPrefix(text, "|"), e.child(), at)
		})
	}
}

// template reads text that a shell expands as if it stood in double quotes: a prompt, ${x@P}.
func (r *reader) template(text string, e *env) Word {
	if !strings.ContainsAny(text, "$`\\") || len(text) > maxMended || !r.enter() {
		return literal(text)
	}
	defer r.leave()
	w, err := r.parser().Document(r.source(text))
	if err != nil {
		r.doubt("a text that is expanded when the line runs does not parse")
		return Word{Text: text}
	}
	src := r.src
	r.src = text
	b := builder{r: r, e: e, whole: true, hdoc: true}
	b.word(w)
	r.src = src
	return b.one()
}

// redirects works out redirections; heredocs and here-strings are text.
func (r *reader) redirects(list []*syntax.Redirect, e *env) []Redirect {
	var out []Redirect
	for _, d := range list {
		start := len(r.out)
		x := Redirect{Op: d.Op.String(), Fd: r.descriptor(d, e)}
		switch d.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			x.Op, x.Body = "<<", true
			x.To = r.heredoc(d, e)
		case syntax.WordHdoc:
			x.Body = true
			x.To = r.word(d.Word, e)
			x.To.Text += "\n"
		default:
			x.To = r.word(d.Word, e)
			if v, ok := r.files[x.To.Text]; ok && v.known && x.Op == "<" && x.Fd <= 0 && strings.HasPrefix(x.To.Text, "<(") {
				x.Op, x.Body, x.To = "<<<", true, literal(v.text) // < <(echo text) is a here-string
			}
		}
		r.opened(open{x, span(start, len(r.out))})
		out = append(out, x)
	}
	return out
}

// heredoc gives a heredoc's text. A quoted delimiter keeps it as it stands; otherwise its substitutions run.
func (r *reader) heredoc(d *syntax.Redirect, e *env) Word {
	if d.Hdoc == nil {
		return literal("")
	}
	for _, p := range d.Word.Parts {
		l, ok := p.(*syntax.Lit)
		if ok && !strings.Contains(l.Value, "\\") {
			continue
		}
		var b strings.Builder
		for _, p := range d.Hdoc.Parts {
			if l, ok := p.(*syntax.Lit); ok {
				b.WriteString(l.Value)
			}
		}
		return literal(b.String())
	}
	b := builder{r: r, e: e, whole: true, hdoc: true}
	b.word(d.Hdoc)
	return b.one()
}

// subst walks $(…) and gives its text where that can be worked out from the line alone.
func (r *reader) subst(c *syntax.CmdSubst, e *env) value {
	if !r.enter() {
		return value{text: r.text(c)}
	}
	defer r.leave()
	start := len(r.out)
	if r.quiet == 0 {
		r.stmts(c.Stmts, e.child(), place{})
	}
	out := value{text: r.text(c), from: span(start, len(r.out))}
	if len(c.Stmts) == 1 {
		if s, ok := r.output(c.Stmts, e, nil); ok {
			out.text, out.known = strings.TrimRight(s, "\n"), true
		}
	}
	return out
}

// procSubst walks <(…). Known output is kept as a file of that name.
func (r *reader) procSubst(p *syntax.ProcSubst, e *env) {
	if r.quiet > 0 || !r.enter() {
		return
	}
	defer r.leave()
	r.stmts(p.Stmts, e.child(), place{})
	if p.Op == syntax.CmdIn && len(p.Stmts) == 1 {
		if s, ok := r.output(p.Stmts, e, nil); ok {
			r.wrote(r.text(p), s, true)
		}
	}
}

// used notes that a variable which holds a command's output went into the words being worked out.
func (r *reader) used(v value) {
	r.uses = append(r.uses, v.from...)
}

// note remembers the files that a command of known output writes, so that running one later can be read.
func (r *reader) note(k *call, e *env) {
	for _, d := range k.redirs {
		if d.Body || !d.To.Known || d.Fd > 1 || !strings.HasPrefix(d.Op, ">") {
			continue
		}
		text, ok := r.produce(k.words, k.stdin, e)
		f := r.path(d.To.Text, e)
		if d.Op == ">>" {
			old, had := r.files[f]
			text, ok = old.text+text, ok && (!had || old.known)
		}
		r.wrote(f, text, ok)
	}
	if len(k.words) > 1 && k.words[0].Text == "tee" && k.stdin != nil {
		text, ok := k.stdin.text()
		for _, w := range k.words[1:] {
			if !strings.HasPrefix(w.Text, "-") {
				r.wrote(r.path(w.Text, e), text, ok)
			}
		}
	}
}

func (r *reader) wrote(file, text string, ok bool) {
	if !ok || !r.grow(len(text)) {
		text, ok = "", false
	}
	if r.files == nil {
		r.files = make(map[string]value)
	}
	r.files[file] = value{text: text, known: ok}
}

// path makes a file's name comparable.
func (r *reader) path(name string, e *env) string { return joinPath(r.dir(e), name) }
