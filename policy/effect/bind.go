package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// What the names of a program text stand for. Nothing is run: a name has the value of the nearest assignment before it,
// or of the first one after it, whatever the branches between.

// binding is one place where a name is given a value.
type binding struct {
	at    int    // the token it stands at
	spans []span // what it may be, as tokens
	how   bindKind
	value *value
	next  int // the binding of the same name after this one; -1: none
	last  int // for the first binding of a name, the last one
}

type bindKind uint8

const (
	whole   bindKind = iota
	element          // one of a list
	top              // the folder that a walk is in
	below            // the names in it
)

// span is a run of tokens, end not included; cut leaves the last part of its only name out: the object of a.b.method.
type span struct {
	from, to int
	cut      bool
}

// program is a text in tokens, with what its names are bound to.
type program struct {
	lang  *language
	text  string
	toks  []tok
	pair  []int          // for a bracket, where its partner stands
	names map[string]int // the first binding of a name
	binds []binding
	alias map[string]string // import shutil as s; from os import remove
	funcs map[string]*function
	ticks []string
	args  []string // the words after the script
	file  string   // the script, when it is one
	steps int
	scans int // what was passed over while an end was looked for
	depth int
	env   []shell.Word // what the line sets for it
	roots string       // the functions that are run, where it is not the text itself
	dead  []bool       // the tokens that no run comes to
}

const (
	maxDepth = 24
	maxBinds = 1000
	maxSteps = 200_000
	maxScans = 1 << 20 // tokens; a byte costs a sixteenth of one
)

func newProgram(text string, lang *language) *program {
	x := &lexer{lang: lang, text: text, toks: make([]tok, 0, min(len(text)/5+8, maxTokens))}
	x.run(0, len(text), 0)
	p := &program{lang: lang, text: text, toks: x.toks, ticks: x.ticks, scans: x.scans / 16, names: map[string]int{}, alias: map[string]string{}, funcs: map[string]*function{}}
	p.match()
	p.imports()
	p.modules()
	p.bind()
	p.calls()
	return p
}

// spent: the text was made to cost more than any that is meant to be run.
func (p *program) spent() bool { return p.scans > maxScans }

// match finds the partners of brackets. One without a partner ends where its text ends.
func (p *program) match() {
	p.pair = make([]int, len(p.toks))
	var open []int
	for i := range p.toks {
		p.pair[i] = len(p.toks)
		switch p.toks[i].kind {
		case '(', '[', '{':
			open = append(open, i)
		case ')', ']', '}':
			p.pair[i] = -1
			if n := len(open) - 1; n >= 0 {
				p.pair[i], p.pair[open[n]] = open[n], i
				open = open[:n]
			}
		}
	}
}

// at is the kind of a token, 0 outside the text.
//
//go:noinline
func (p *program) at(i int) byte {
	if i < 0 || i >= len(p.toks) {
		return 0
	}
	return p.toks[i].kind
}

// word is the text of a name, otherwise empty.
//
//go:noinline
func (p *program) word(i int) string {
	if i < 0 || i >= len(p.toks) || p.toks[i].kind != name {
		return ""
	}
	return p.toks[i].text
}

// bare is a name without the sign of its kind.
func (p *program) bare(s string) string {
	if p.lang.sigil {
		return strings.TrimLeft(s, "$@%&")
	}
	return strings.TrimPrefix(s, "@")
}

// imports notes modules and functions that have another name here.
func (p *program) imports() {
	for i := range p.toks {
		switch p.word(i) {
		case "from": // from os import remove as r
			if p.word(i+2) == "import" {
				p.imported(p.word(i+1), i+3)
			}
		case "import":
			switch j := i + 1; p.at(j) {
			case '{': // import { rm as r } from 'fs'
				p.imported(p.from(p.pair[j]+1), j+1)
			case '*': // import * as fs from 'fs'
				p.alias[p.word(j+2)] = p.from(j + 3)
			case name:
				if m := p.from(j + 1); m != "" {
					p.alias[p.word(j)] = m
				}
			}
		case "as":
			if l := p.word(i + 1); p.lang == &pythonCalls && (p.word(i-2) == "import" || p.at(i-2) == ',') && p.alias[l] == "" {
				p.alias[l] = p.word(i - 1)
			}
		case "require":
			if p.at(i+2) != str || p.at(i-1) != '=' {
				break
			}
			m := module(p.toks[i+2].text)
			if p.at(i-2) == '}' { // const { rm: r } = require('fs')
				p.imported(m, p.pair[i-2]+1)
			} else if p.at(i+4) != '.' || p.word(i+5) == "promises" {
				p.alias[p.word(i-2)] = m
			}
		}
	}
}

// from is the module of JavaScript's … from 'fs'.
func (p *program) from(i int) string {
	if p.word(i) != "from" || p.at(i+1) != str {
		return ""
	}
	return module(p.toks[i+1].text)
}

// imported notes the names of a list: a, b as c, d: e.
func (p *program) imported(from string, i int) {
	for ; from != "" && (p.at(i) == name || p.at(i) == '(' || p.at(i) == ','); i++ {
		if p.at(i) != name {
			continue
		}
		id := p.word(i)
		if p.toks[i].newline && p.at(i-1) == name || in(id, "import from") {
			return
		}
		local := id
		if p.at(i+2) == name && (p.word(i+1) == "as" || p.at(i+1) == ':') {
			local = p.word(i + 2)
			i += 2
		}
		p.alias[local] = from + "." + id
	}
}

// module is the name under which the tables know a module.
func module(m string) string {
	m = strings.TrimPrefix(m, "node:")
	switch m {
	case "fs/promises", "fs-extra", "graceful-fs", "fs/extra":
		return "fs"
	case "shelljs":
		return "shell"
	}
	return m
}

// modules writes names as the tables have them: those under another name, require('fs').rmSync, getattr(os,'remove').
func (p *program) modules() {
	for i := range p.toks {
		t := &p.toks[i]
		switch id := p.word(i); {
		case id == "" || id == "ENV":
		case p.at(i+1) == '(' && p.at(i+2) == str && in(id, "require __import__ importlib.import_module import_module import"):
			end := p.pair[i+1]
			m := module(p.joined(i+2, end))
			for p.at(end+1) == ')' { // (await import('fs'))
				end++
			}
			if p.at(end+1) == '.' && p.at(end+2) == name {
				p.toks[end+2].text, p.toks[end+1].kind = m+"."+strings.TrimPrefix(p.toks[end+2].text, "promises."), nothing
			} else if p.at(i-1) == '=' && p.at(i-2) == name {
				p.alias[p.word(i-2)] = m
			}
		case id == "getattr" && p.at(i+1) == '(':
			p.getattr(i)
		default:
			t.text = p.known(id)
		}
	}
}

// known is a name with its module's own name before it.
func (p *program) known(id string) string {
	first, rest, dotted := strings.Cut(id, ".")
	a, ok := p.alias[first]
	switch {
	case !ok || a == first:
	case !dotted && p.lang == &nodeCalls && a[0] != '.' && p.lang.means(a) == none && p.lang.means(id) != none: // import { execa } from 'execa'
		return id
	case !dotted:
		return a
	default:
		id = a + "." + rest
	}
	if strings.HasPrefix(id, "fs.promises.") {
		return "fs." + id[len("fs.promises."):]
	}
	return id
}

// getattr turns getattr(m, 'na'+'me') into m.name, so that a call of it reads like one.
func (p *program) getattr(i int) {
	end, from := p.pair[i+1], i+3
	mod := p.known(p.word(i + 2))
	if p.at(from) == '(' { // getattr(__import__('os'), 'system')
		mod = p.joined(from+1, p.pair[from])
		from = p.pair[from] + 1
	}
	if s := p.joined(from+1, end); end < len(p.toks) && p.at(from) == ',' && s != "" {
		p.toks[end].kind, p.toks[end].text = name, mod+"."+s
	}
}

// joined are the strings of a span, put together.
func (p *program) joined(from, to int) string {
	var b strings.Builder
	p.scans += to - from
	for i := from; i < to && i < len(p.toks) && !p.spent(); i++ {
		if p.toks[i].kind == str {
			b.WriteString(p.toks[i].text)
		}
	}
	return b.String()
}

// give binds the name at a place.
func (p *program) give(at int, how bindKind, spans ...span) int {
	id := p.bare(p.word(at))
	if len(p.binds) >= maxBinds || id == "" || id == "_" {
		return -1
	}
	if how == whole && len(spans) == 1 && spans[0].from > at {
		at = max(at, spans[0].to-1) // x = x + 1: the name has its value behind the statement
	}
	n := len(p.binds)
	p.binds = append(p.binds, binding{at: at, spans: spans, how: how, next: -1, last: n})
	first, ok := p.names[id]
	switch {
	case !ok:
		p.names[id] = n
	case p.binds[first].at > at: // a comprehension's name is bound behind its use
		p.binds[n].next, p.binds[n].last, p.names[id] = first, p.binds[first].last, n
	case p.binds[p.binds[first].last].at <= at:
		p.binds[p.binds[first].last].next, p.binds[first].last = n, n
	default:
		first = p.nearest(first, at+1)
		p.binds[n].next, p.binds[first].next = p.binds[first].next, n
	}
	return n
}

// nearest is the last binding of a chain before a place, or the first of all.
func (p *program) nearest(n, at int) int {
	for p.binds[n].next >= 0 && p.binds[p.binds[n].next].at < at {
		n = p.binds[n].next
		p.steps++
	}
	return n
}

// bind notes assignments, the names of loops and the parameters of functions.
func (p *program) bind() {
	class := ""
	for i := 0; i < len(p.toks) && !p.spent(); i++ {
		switch p.toks[i].kind {
		case '=':
			if p.at(i+1) == '>' && p.lang == &nodeCalls {
				p.arrow(i)
			} else {
				p.assigned(i)
			}
		case '-':
			if p.lang == &rCalls && p.at(i-1) == '<' && p.at(i-2) == name { // x <- c(…)
				p.give(i-2, whole, span{from: i + 1, to: p.statement(i + 1)})
			}
		case '|':
			if p.lang == &rubyCalls && (p.at(i-1) == '{' || p.word(i-1) == "do") {
				p.block(i)
			}
		case name:
			switch p.word(i) {
			case "filepath.Walk", "filepath.WalkDir": // func(path …) is called for all that the walk finds
				if a := p.arguments(i); len(a) > 1 && p.word(a[1].from) == "func" {
					p.give(a[1].from+2, whole, span{from: i, to: min(p.pair[i+1]+1, len(p.toks))})
				}
			case "for", "foreach":
				p.loop(i)
			case "class":
				class = p.word(i + 1)
			case "def", "function", "func", "sub":
				if in(p.word(i+1), "__init__ initialize") && class != "" {
					p.toks[i+1].text = class // it is called by the name of its class
				}
				if p.at(i+1) == name {
					p.defined(i+1, i+2)
				} else if id := p.word(i - 2); id != "" && p.at(i-1) == '=' && p.at(i+1) == '(' { // f = function (a) {}
					p.params(id[strings.LastIndexByte(id, '.')+1:], i+1, p.pair[i+1])
				}
			case "as":
				if p.lang == &pythonCalls {
					p.with(i)
				} else if p.lang == &phpCalls {
					p.each(i)
				}
			}
		}
	}
}

// sign says that a token is one of these marks.
func (p *program) sign(i int, marks string) bool {
	k := p.at(i)
	return k != 0 && k != name && k != str && strings.IndexByte(marks, k) >= 0
}

// assigned binds the name before =.
func (p *program) assigned(i int) {
	if p.sign(i+1, "=>~") || p.sign(i-1, "=<>!~*-") {
		return
	}
	left := i - 1
	for p.sign(left, ":|/?+") && left > i-3 { // x := 1, x ||= 1, x += 1
		left--
	}
	rest := span{from: i + 1, to: p.statement(i + 1)}
	switch {
	case p.at(left) == ')' && p.lang.sigil: // my ($a, $b) = @_
		p.shifted(p.pair[left]+1, left, rest)
	case p.at(left) != name:
	case p.lang == &pythonCalls && p.at(left-1) == ':' && p.at(left-2) == name: // x: Path = …
		p.give(left-2, whole, rest)
	case (p.lang == &nodeCalls || p.lang == &otherCalls || p.lang == &rustCalls) && p.at(left-1) == ':' && p.at(left-2) == name && in(p.word(left-3), "const let var val mut"): // const x: string = …
		p.give(left-2, whole, rest)
	case p.lang == &pythonCalls && p.sign(left-1, ",(") && p.inCall(left): // a keyword of a call
	case p.lang == &perlCalls && p.word(rest.from) == "shift":
		p.shifted(left, left+1, rest)
	case p.lang == &goCalls && p.word(rest.from) == "range":
		p.iterate([]int{left}, rest.from+1)
	case p.lang == &goCalls && p.at(left-1) == ',': // home, err := os.UserHomeDir()
		p.give(left-2, whole, rest)
	default:
		p.give(left, whole, rest)
		if p.at(left-1) == ',' && p.lang.means(p.word(i+1)) == opTemp { // fd, path = mkstemp()
			p.give(left-2, whole, rest)
		}
	}
}

// inCall: the token stands among the arguments of a call.
func (p *program) inCall(i int) bool {
	for n := 0; i >= 0 && n < 200; n++ {
		i--
		switch p.at(i) {
		case ')', ']', '}':
			i = p.pair[i]
		case '(':
			return true
		case '[', '{', ';', 0:
			return false
		}
	}
	return false
}

// statement is where the statement that begins at i ends: with its line, unless brackets or an operator go on.
func (p *program) statement(i int) int {
	for j := i; j < len(p.toks); j++ {
		p.scans++
		if j > i && p.ends(j) {
			return j
		}
		switch p.toks[j].kind {
		case '(', '[', '{':
			j = p.pair[j]
		case ')', ']', '}', ';', ',':
			return j
		}
	}
	return len(p.toks)
}

// ends: a line ends before the token, and its expression does not go on.
func (p *program) ends(i int) bool {
	return p.toks[i].newline && !p.sign(i-1, "+=,.(/%|&?:") && !p.sign(i, ".+|?:")
}

// loop binds the names between for and in, of, or a bracket.
func (p *program) loop(i int) {
	var names []int
	for j := i + 1; j < i+16; j++ {
		switch id := p.word(j); {
		case in(id, "in of"), p.at(j) == '(' && p.lang == &perlCalls:
			p.iterate(names, j+1)
			return
		case in(id, "my const let var await local our"):
		case id != "":
			names = append(names, j)
		case p.at(j) != '(' && p.at(j) != ',' && p.at(j) != '[':
			return
		}
	}
}

// iterate binds the names of a loop over what stands at from.
func (p *program) iterate(names []int, from int) {
	s := span{from: from, to: p.statement(from)}
	for j := from; j < s.to; j++ { // Python's block begins with a colon, a comprehension goes on with if or for
		if p.sign(j, "([") {
			j = p.pair[j]
		} else if p.at(j) == ':' || p.at(j) == '{' || in(p.word(j), "if for do") {
			s.to = j
		}
	}
	for n, at := range names {
		how := element
		switch {
		case len(names) >= 3 && n == 0:
			how = top
		case len(names) >= 3:
			how = below
		case len(names) == 2 && n == 0 && p.word(from) == "enumerate":
			continue
		}
		p.give(at, how, s)
	}
}

// with binds the name of Python's with X as name.
func (p *program) with(i int) {
	for j := i - 1; j > i-60; j-- {
		switch k := p.at(j); {
		case k == ')' || k == ']':
			j = p.pair[j]
		case k == ',' || k == '(' || p.word(j) == "with":
			p.give(i+1, whole, span{from: j + 1, to: i})
			return
		case k == 0 || in(p.word(j), "import from except case"):
			return
		}
	}
}

// each binds the names of PHP's foreach (X as $k => $v).
func (p *program) each(i int) {
	j := i
	for j > 0 && j > i-60 && p.word(j) != "foreach" {
		j--
	}
	for k := i + 1; k < len(p.toks) && p.toks[k].kind != ')'; k++ {
		p.give(k, element, span{from: j + 2, to: i})
	}
}

// block binds the names of Ruby's X.each { |a| … }.
func (p *program) block(i int) {
	from := p.receiver(i - 1)
	for j := i + 1; j < i+12 && p.at(j) != '|'; j++ {
		p.give(j, element, span{from: from, to: i - 1})
	}
}

// receiver is where the expression begins that ends before i.
func (p *program) receiver(i int) int {
	for j := i - 1; j >= 0; j-- {
		p.scans++
		if j+1 < i && p.toks[j+1].newline && p.at(j+1) != '.' {
			return j + 1
		}
		switch k := p.at(j); {
		case (k == ')' || k == ']') && p.pair[j] >= 0:
			j = p.pair[j]
		case k == name && p.at(j-1) == '.':
			j--
		case k == '.':
		case k == name && !in(p.word(j), "return await in not and or if"), k == str:
			return j
		default:
			return j + 1
		}
	}
	return 0
}
