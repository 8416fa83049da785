package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// place is where in a pipeline a statement stands.
type place struct {
	piped        bool // group and stage hold
	group, stage int
	chain        int
	missing      string
	background   bool
	stdin        *feed // what flows in; nil: the shell's own
}

// feed is text that flows into a command. It is worked out when somebody asks for it.
type feed struct {
	text func() (string, bool)
	pipe bool  // from a pipe, not from the line's own text
	from []int // commands whose output it is, where that does not stand in the command's own words
}

func (r *reader) stmts(list []*syntax.Stmt, e *env, at place) {
	for _, s := range list {
		if r.full {
			return
		}
		r.stmt(s, e, at)
		e.settle(r.o.IsDir)
	}
}

// stmt walks one statement and gives the last stage it used of a pipeline.
func (r *reader) stmt(s *syntax.Stmt, e *env, at place) int {
	if s == nil || !r.step() || !r.enter() {
		return at.stage
	}
	defer r.leave()
	at.background = at.background || s.Background || s.Disown
	if s.Background || s.Coprocess {
		e = e.child() // runs in a subshell
	}
	if b, ok := s.Cmd.(*syntax.BinaryCmd); ok {
		if b.Op == syntax.Pipe || b.Op == syntax.PipeAll {
			return r.pipeline(s, e, at)
		}
		r.chain(s, e, at)
		return at.stage
	}
	call, simple := s.Cmd.(*syntax.CallExpr)
	if simple || s.Cmd == nil {
		if call == nil {
			call = &syntax.CallExpr{}
		}
		r.callExpr(call, s.Redirs, e, at)
		return at.stage
	}
	if d, ok := s.Cmd.(*syntax.DeclClause); ok {
		r.declClause(d, s.Redirs, e, at)
		return at.stage
	}
	at = r.compoundRedirects(s.Redirs, e, at)
	return r.compound(s.Cmd, e, at)
}

// compoundRedirects walks the redirections of a block, which open files like those of a command.
func (r *reader) compoundRedirects(redirs []*syntax.Redirect, e *env, at place) place {
	if len(redirs) == 0 {
		return at
	}
	start := len(r.out)
	rs := r.redirects(redirs, e)
	inputs := span(start, len(r.out))
	if files := slices.DeleteFunc(slices.Clone(rs), func(x Redirect) bool { return x.Body }); len(files) > 0 {
		r.emit(&Command{Name: ":", Redirects: files, Inputs: inputs}, e, at)
	}
	if f := r.stdinOf(rs, e); f != nil {
		if f.pipe { // done < <(…)
			f.from = append(f.from, inputs...)
		}
		at.stdin = f
	}
	return at
}

// compound walks everything but simple commands, declarations and pipelines.
func (r *reader) compound(c syntax.Command, e *env, at place) int {
	last := at.stage
	each := func(list []*syntax.Stmt, e *env) {
		for _, s := range list {
			last = max(last, r.stmt(s, e, at))
			e.settle(r.o.IsDir)
		}
	}
	switch c := c.(type) {
	case *syntax.Block:
		each(c.Stmts, e)
	case *syntax.Subshell:
		each(c.Stmts, e.child())
	case *syntax.IfClause:
		r.ifClause(c, e, each)
	case *syntax.WhileClause:
		r.loop(e, func(e *env) { each(c.Cond, e); each(c.Do, e) })
	case *syntax.ForClause:
		r.forClause(c, e, each)
	case *syntax.CaseClause:
		r.caseClause(c, e, each)
	case *syntax.FuncDecl:
		for _, n := range append([]*syntax.Lit{c.Name}, c.Names...) {
			if n != nil {
				r.defined(function{name: n.Value, body: c.Body, src: r.src}, e, at)
			}
		}
	case *syntax.TimeClause:
		if c.Stmt != nil {
			r.in("time", func() { last = max(last, r.stmt(c.Stmt, e, at)) })
		}
	case *syntax.CoprocClause:
		at.background = true
		r.coproc(c, e, at)
	case *syntax.TestClause:
		r.testExpr(c.X, e)
	case *syntax.ArithmCmd:
		r.arith(c.X, e)
	case *syntax.LetClause:
		for _, x := range c.Exprs {
			r.arith(x, e)
		}
	case *syntax.TestDecl:
		r.stmt(c.Body, e.child(), at)
	default:
		r.doubt("a form of statement that is not known")
	}
	return last
}

// defined takes a function's definition. Those that the shell calls by itself are read as called.
func (r *reader) defined(f function, e *env, at place) {
	e.define(f)
	switch f.name {
	case "command_not_found_handle", "command_not_found_handler", "precmd", "preexec", "chpwd", "periodic", "zshexit":
	default:
		if !strings.HasPrefix(f.name, "TRAP") { // zsh: TRAPEXIT, TRAPINT, …
			return
		}
	}
	r.in(f.name+"()", func() {
		e = e.child()
		e.pos, e.args = nil, false
		r.stmt(f.body, e, at)
	})
}

// coproc walks a coprocess. Where it is a shell, what the line writes to it is code.
func (r *reader) coproc(c *syntax.CoprocClause, e *env, at place) {
	start := len(r.out)
	r.in("coproc", func() { r.stmt(c.Stmt, e.child(), at) })
	if !slices.ContainsFunc(r.out[start:], func(c Command) bool { p, ok := Lookup(c.Name); return ok && p.Opens == OpensShell }) {
		return
	}
	name := "COPROC"
	if c.Name != nil {
		name = c.Name.Lit()
	}
	r.coprocs = append(r.coprocs, name)
}

func (r *reader) ifClause(c *syntax.IfClause, e *env, each func([]*syntax.Stmt, *env)) {
	var branches []*env
	all := false
	for ; c != nil; c = c.Else {
		if len(c.Cond) == 0 { // else
			all = true
		}
		each(c.Cond, e)
		b := e.child()
		each(c.Then, b)
		if !stops(c.Then) {
			branches = append(branches, b)
		}
	}
	e.merge(all, branches...)
}

// stops says that the statements never come to their end: what they set does not matter afterwards.
func stops(list []*syntax.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	call, ok := list[len(list)-1].Cmd.(*syntax.CallExpr)
	if !ok {
		if b, ok := list[len(list)-1].Cmd.(*syntax.Block); ok {
			return stops(b.Stmts)
		}
		return false
	}
	if len(call.Args) == 0 {
		return false
	}
	switch call.Args[0].Lit() {
	case "exit", "return", "continue", "break":
		return true
	}
	return false
}

func (r *reader) caseClause(c *syntax.CaseClause, e *env, each func([]*syntax.Stmt, *env)) {
	r.word(c.Word, e)
	var branches []*env
	all := false
	for _, item := range c.Items {
		for _, p := range item.Patterns {
			all = all || p.Lit() == "*"
			r.word(p, e)
		}
		b := e.child()
		each(item.Stmts, b)
		if !stops(item.Stmts) {
			branches = append(branches, b)
		}
	}
	e.merge(all, branches...)
}

// loop walks a body that may run any number of times. Where a turn changes what the next one sees, it is walked again
// with that unknown.
func (r *reader) loop(e *env, body func(*env)) {
	first := e.child()
	body(first)
	again := e.child()
	changed := false
	for n, v := range first.vars {
		if old, ok := e.get(n); ok && !old.same(v) && old.known {
			again.set(n, value{text: "$" + n, from: v.from})
			changed = true
		}
	}
	if first.at.dir != e.at.dir {
		again.at = first.at
		again.at.unsure, changed = true, true
	}
	if changed {
		body(again)
		e.merge(false, first, again)
		return
	}
	e.merge(false, first)
}

func (r *reader) forClause(c *syntax.ForClause, e *env, each func([]*syntax.Stmt, *env)) {
	it, ok := c.Loop.(*syntax.WordIter)
	if !ok {
		if l, ok := c.Loop.(*syntax.CStyleLoop); ok {
			for _, x := range []syntax.ArithmExpr{l.Init, l.Cond, l.Post} {
				r.arith(x, e)
			}
		}
		r.loop(e, func(e *env) { each(c.Do, e) })
		return
	}
	start := len(r.out)
	items := r.words(it.Items, e)
	from := span(start, len(r.out))
	name := ""
	if it.Name != nil {
		name = it.Name.Value
	}
	if !it.InPos.IsValid() { // for x; do: over the positional parameters
		items = e.pos
	}
	if len(items) == 0 && it.InPos.IsValid() {
		return // for x in ; do … runs nothing
	}
	if c.Select || len(items) == 0 || len(items) > maxUnroll || slices.ContainsFunc(items, func(w Word) bool { return !w.Known }) {
		e.set(name, value{text: "$" + name, from: from})
		if len(items) == 1 { // for f in $(ls): keep what was written
			e.set(name, value{text: items[0].Text, each: items[0].Glob, from: from})
		}
		r.loop(e, func(e *env) { each(c.Do, e) })
		return
	}
	for _, w := range items {
		e.set(name, value{text: w.Text, known: true, each: w.Glob, from: from})
		each(c.Do, e)
	}
}

// chain walks a && b || c: what stands after && runs only where all before it succeeded.
func (r *reader) chain(s *syntax.Stmt, e *env, at place) {
	var parts []*syntax.Stmt
	var ops []syntax.BinCmdOperator
	for {
		b, ok := s.Cmd.(*syntax.BinaryCmd)
		if !ok || b.Op == syntax.Pipe || b.Op == syntax.PipeAll || s.Negated && len(parts) > 0 {
			break
		}
		parts, ops = append(parts, b.Y), append(ops, b.Op)
		if s = b.X; s == nil {
			return
		}
	}
	r.stmt(s, e, r.chained(s, &at, true))
	sure := certain(s)
	cur := e // where the next && part runs
	for i := len(parts) - 1; i >= 0 && !r.full; i-- {
		p := parts[i]
		first := i == len(parts)-1
		if ops[i] == syntax.AndStmt {
			if first {
				at.missing = r.missing(s, e, true)
			}
			if !sure && cur == e {
				cur = e.child()
			}
			cur.at.pending = false // it ran, so the cd before it did not fail
			r.stmt(p, cur, r.chained(p, &at, false))
			sure = sure && certain(p)
			continue
		}
		at.missing = ""
		if first {
			at.missing = r.missing(s, e, false)
		}
		b := e.child()
		if cur != e {
			b.at = cur.at
		}
		b.at.unsure = b.at.unsure || cur.at.pending
		b.at.pending = false
		r.stmt(p, b, r.chained(p, &at, true))
		at.missing = ""
		switch {
		case stops([]*syntax.Stmt{p}): // … || exit: from here on the left side succeeded
			if cur != e {
				e.commit(cur)
			}
			e.at.pending, cur, sure = false, e, true
		case cur != e:
			e.merge(true, cur, b)
			cur, sure = e, false
		default:
			e.merge(false, b)
			sure = false
		}
	}
	if cur == e {
		return
	}
	moved, pending := cur.at.dir != e.at.dir, e.at.pending
	e.merge(false, cur)
	e.at.pending = pending
	e.at.unsure = e.at.unsure || moved && !e.errexit
}

// missing gives the path that a test has found nothing at, where it came out as said.
func (r *reader) missing(s *syntax.Stmt, e *env, passed bool) string {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) < 3 || len(s.Redirs) > 0 {
		return ""
	}
	name, last := call.Args[0].Lit(), len(call.Args)
	if name == "[" {
		last--
	} else if name != "test" {
		return ""
	}
	r.quiet++
	words := r.words(call.Args[1:last], e)
	r.quiet--
	not := s.Negated
	if len(words) == 3 && words[0].Text == "!" {
		words, not = words[1:], !not
	}
	if len(words) != 2 || not != passed || !has("-e -f -s", words[0].Text) || !words[1].Known || words[1].Glob {
		return ""
	}
	return r.path(words[1].Text, e)
}

// chained gives a part of a list its && number, a new one where it does not depend on the parts before it.
func (r *reader) chained(s *syntax.Stmt, at *place, first bool) place {
	if first {
		r.chains++
		at.chain = r.chains
	}
	out := *at
	if s.Negated {
		out.chain = 0
	}
	return out
}

// certain says that a statement cannot fail, so what follows it after && surely runs.
func certain(s *syntax.Stmt) bool {
	if s == nil || s.Negated || len(s.Redirs) > 0 {
		return false
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		if len(c.Args) == 0 {
			for _, a := range c.Assigns {
				if a.Value != nil && slices.ContainsFunc(a.Value.Parts, isSubst) {
					return false
				}
			}
			return true
		}
		switch c.Args[0].Lit() {
		case "true", ":", "echo", "export", "set", "shopt":
			return true
		}
	case *syntax.DeclClause:
		return true
	}
	return false
}

func isSubst(p syntax.WordPart) bool {
	switch p := p.(type) {
	case *syntax.CmdSubst:
		return true
	case *syntax.DblQuoted:
		return slices.ContainsFunc(p.Parts, isSubst)
	}
	return false
}

// pipeline walks a | b | c. Its stages run in subshells of their own; a block inside one takes part in the same group.
func (r *reader) pipeline(s *syntax.Stmt, e *env, at place) int {
	var stages []*syntax.Stmt
	for {
		b, ok := s.Cmd.(*syntax.BinaryCmd)
		if !ok || b.Op != syntax.Pipe && b.Op != syntax.PipeAll {
			break
		}
		stages = append(stages, b.Y)
		if s = b.X; s == nil {
			return at.stage
		}
	}
	stages = append(stages, s)
	slices.Reverse(stages)
	if !at.piped {
		r.groups++
		at.piped, at.group, at.stage = true, r.groups, 0
	}
	stage := at.stage
	for i, st := range stages {
		if r.full {
			break
		}
		p := at
		p.stage = stage
		if i > 0 {
			before, in := stages[:i], at.stdin
			p.stdin = &feed{pipe: true, text: func() (string, bool) { return r.output(before, e, in) }}
		}
		stage = r.stmt(st, e.child(), p) + 1
	}
	return stage - 1
}

func (r *reader) testExpr(x syntax.TestExpr, e *env) {
	if !r.enter() {
		return
	}
	defer r.leave()
	switch x := x.(type) {
	case *syntax.BinaryTest:
		r.testExpr(x.X, e)
		r.testExpr(x.Y, e)
	case *syntax.UnaryTest:
		r.testExpr(x.X, e)
		if w, ok := x.X.(*syntax.Word); ok && x.Op == syntax.TsVarSet {
			r.subscripts([]Word{r.word(w, e)}, e)
		}
	case *syntax.ParenTest:
		r.testExpr(x.X, e)
	case *syntax.Word:
		r.word(x, e)
	}
}

// arith walks an arithmetic expression for the commands in it.
func (r *reader) arith(x syntax.ArithmExpr, e *env) {
	if !r.enter() {
		return
	}
	defer r.leave()
	for x != nil {
		switch t := x.(type) {
		case *syntax.BinaryArithm:
			r.arith(t.Y, e)
			x = t.X // the long side of 1+1+1+…
		case *syntax.UnaryArithm:
			x = t.X
		case *syntax.ParenArithm:
			x = t.X
		case *syntax.FlagsArithm:
			x = t.X
		case *syntax.Word:
			r.word(t, e)
			return
		default:
			return
		}
	}
}

// span lists the indexes from a up to b.
func span(a, b int) []int {
	if a >= b {
		return nil
	}
	out := make([]int, 0, b-a)
	for ; a < b; a++ {
		out = append(out, a)
	}
	return out
}
