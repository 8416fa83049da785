package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// value is what a variable holds.
type value struct {
	text  string
	list  []Word // an array's elements; text is the first of them
	array bool
	known bool
	glob  bool   // holds a pattern, which counts where the variable is not quoted
	each  bool   // is one match of the pattern after the other, whatever the quotes
	unset bool   // certainly not set
	ref   string // the variable that this one is another name of (declare -n)
	from  []int  // commands whose output it holds
}

func (v value) same(w value) bool {
	if v.text != w.text || v.known != w.known || v.unset != w.unset || v.array != w.array || v.ref != w.ref || len(v.list) != len(w.list) {
		return false
	}
	for i := range v.list {
		if v.list[i] != w.list[i] {
			return false
		}
	}
	return true
}

// folder is where the line stands.
type folder struct {
	dir    string
	unsure bool
	// pending says that dir holds only if the last cd succeeded.
	pending bool
	prev    string
	stack   string // folders left by pushd, newest first, one a line
}

// function is a name that the line gives a meaning: a function, an alias or a program (hash -p).
type function struct {
	name  string
	body  *syntax.Stmt
	src   string
	alias string // the text, when it is an alias
	file  string // the program, when hash -p gives one the name
	gone  bool   // unset again
}

// env is the state of the shell at one point of the line. A branch or a subshell works on a child: what it sets stays
// there until merge, so a subshell costs nothing and a branch's doubt is seen.
type env struct {
	parent *env
	vars   map[string]value
	funcs  map[string]function
	at     folder
	// errexit says that the shell stops at the first failure (set -e).
	errexit bool
	// args says that the positional parameters pos are known.
	args bool
	pos  []Word
	zero Word // $0
}

//go:noinline
func (e *env) child() *env {
	return &env{parent: e, at: e.at, errexit: e.errexit, args: e.args, pos: e.pos, zero: e.zero}
}

// runs makes e the state of a shell that begins to run a script; without args the words it is given are not known.
func (e *env) runs(script Word, args []Word) {
	e.zero, e.pos, e.args, e.errexit = script, args, args != nil, false
	e.set("BASH_SOURCE", value{text: script.Text, array: true, list: []Word{script}, known: script.Known})
}

// maxRefs bounds names of names.
const maxRefs = 8

// What is called all over the reader is kept out of line here: a value is large, and so would be the hook.

func (e *env) get(name string) (value, bool) {
	v, ok := e.own(e.behind(name))
	if v.ref != "" { // names that lead round in a ring
		return value{text: "$" + name}, true
	}
	return v, ok
}

// own looks a name up and follows no reference.
//
//go:noinline
func (e *env) own(name string) (value, bool) {
	for ; e != nil; e = e.parent {
		if v, ok := e.vars[name]; ok {
			return v, true
		}
	}
	return value{}, false
}

// behind gives the name that a reference leads to, any other name itself.
//
//go:noinline
func (e *env) behind(name string) string {
	for range maxRefs {
		v, _ := e.own(name)
		if v.ref == "" {
			break
		}
		name = v.ref
	}
	return name
}

// set gives a variable, or the one it is another name of, a value.
//
//go:noinline
func (e *env) set(name string, v value) {
	if v.ref == "" {
		name = e.behind(name)
	}
	if e.vars == nil {
		e.vars = make(map[string]value)
	}
	e.vars[name] = v
}

func (e *env) function(name string) (function, bool) {
	for ; e != nil; e = e.parent {
		if f, ok := e.funcs[name]; ok {
			return f, !f.gone
		}
	}
	return function{}, false
}

func (e *env) define(f function) {
	if e.funcs == nil {
		e.funcs = make(map[string]function)
	}
	e.funcs[f.name] = f
}

// commit takes over what a child that surely ran has set.
func (e *env) commit(c *env) {
	for n, v := range c.vars {
		e.set(n, v)
	}
	for _, f := range c.funcs {
		e.define(f)
	}
	e.at, e.errexit, e.args, e.pos = c.at, c.errexit, c.args, c.pos
}

// merge takes over what children of which at most one ran have set; all says that exactly one did.
func (e *env) merge(all bool, children ...*env) {
	for i, c := range children {
		for n := range c.vars {
			e.mergeVar(n, all, i, children)
		}
		for _, f := range c.funcs {
			e.define(f) // a function that may be there is there
		}
	}
	at, first := e.at, !all
	for _, c := range children {
		switch {
		case !first:
			at, first = c.at, true
		case c.at.dir != at.dir:
			at.unsure, at.pending = true, false
			at.dir = c.at.dir
		case c.at.unsure || c.at.pending:
			at.unsure = true
		}
	}
	e.at = at
}

func (e *env) mergeVar(name string, all bool, i int, children []*env) {
	for _, c := range children[:i] {
		if _, ok := c.vars[name]; ok {
			return // done with an earlier child
		}
	}
	old, had := e.get(name)
	if !had {
		old = value{unset: true} // not known to the line: whatever the shell started with
	}
	var got []value
	for _, c := range children {
		if v, ok := c.vars[name]; ok {
			got = append(got, v)
		} else {
			got = append(got, old)
		}
	}
	if !all {
		got = append(got, old)
	}
	out := got[0]
	for _, v := range got[1:] {
		if !v.same(out) {
			out = value{text: "$" + name, from: slices.Concat(out.from, v.from)}
		}
	}
	e.set(name, out)
}

// cd moves to a folder. It is certain only once the caller has seen what follows it.
func (e *env) cd(to Word, o Options) {
	from := e.at.dir
	if from == "" {
		from = o.Dir
	}
	switch {
	case to.Text == "-":
		e.at.dir = e.at.prev
		e.at.unsure = e.at.unsure || e.at.prev == ""
	case !to.Known || to.Glob:
		e.at.unsure = true
	default:
		dir := to.Text
		if dir == "" {
			dir = o.Home
		}
		if path.IsAbs(dir) {
			e.at.dir, e.at.unsure = path.Clean(dir), false
		} else {
			e.at.dir = path.Join(from, dir)
		}
		e.at.pending = true
	}
	e.at.prev = from
}

func (e *env) pushd(to Word, o Options) {
	from := e.at.dir
	e.cd(to, o)
	e.at.stack = from + "\n" + e.at.stack
}

func (e *env) popd() {
	top, rest, ok := strings.Cut(e.at.stack, "\n")
	if !ok {
		e.at.unsure = true
		return
	}
	e.at.prev, e.at.dir, e.at.stack = e.at.dir, top, rest
}

// settle is called where a statement ends: a cd that was not followed by && may have failed.
func (e *env) settle(isDir func(string) bool) {
	if !e.at.pending {
		return
	}
	e.at.pending = false
	if e.errexit || isDir != nil && isDir(e.at.dir) {
		return
	}
	e.at.unsure = true
}
