package effect

import "strings"

// function is one that the text defines.
type function struct {
	at     int
	params []string
	slots  []int // the bindings of the parameters
}

// arrow binds the parameters of a JavaScript function: those of a list's method to its elements, others to the calls.
func (p *program) arrow(i int) {
	first := i - 1
	if p.at(first) == ')' {
		first = p.pair[first]
	}
	before := first - 1
	if p.word(before) == "async" {
		before--
	}
	switch {
	case first < 1:
	case p.at(before) == '=':
		p.params(p.word(before-1), first, i)
	case p.at(before) == '(' && p.at(before-1) == name:
		if base, m := p.method(before - 1); in(m, "forEach map filter flatMap some every then") {
			if p.at(first) == '(' {
				first++
			}
			p.give(first, element, base)
		}
	}
}

// method splits a called method from its object.
func (p *program) method(i int) (span, string) {
	id := p.word(i)
	if p.at(i-1) == '.' {
		return span{from: p.receiver(i - 1), to: i - 1}, id
	}
	if j := strings.LastIndexByte(id, '.'); j > 0 {
		return span{i, i + 1, true}, id[j+1:]
	}
	return span{}, id
}

// defined notes a function of the text.
func (p *program) defined(at, open int) {
	id := p.word(at)
	switch {
	case p.at(open) == '(':
		p.params(id, open, p.pair[open])
	case p.lang == &rubyCalls: // def f a, b
		p.params(id, open, p.statement(open))
	case p.lang == &perlCalls:
		p.params(id, open, open)
	}
}

func (p *program) params(id string, from, to int) {
	if len(p.funcs) > 500 || id == "" {
		return
	}
	f := &function{at: from}
	p.funcs[id] = f
	for j := from; j < to && j < len(p.toks); j++ {
		if (j == from || p.sign(j-1, "(,*")) && !(len(f.params) == 0 && in(p.word(j), "self cls")) {
			p.param(f, j)
		}
	}
}

func (p *program) param(f *function, j int) {
	if f != nil && p.at(j) == name && len(f.params) <= 20 {
		f.params = append(f.params, p.bare(p.word(j)))
		f.slots = append(f.slots, p.give(j, whole))
	}
}

// shifted binds what a Perl function takes from its arguments.
func (p *program) shifted(from, to int, rest span) {
	if !in(p.word(rest.from), "@_ shift") && p.at(rest.from) != '@' {
		return
	}
	var last *function
	for _, f := range p.funcs {
		if f.at < from && (last == nil || f.at > last.at) {
			last = f
		}
	}
	for j := from; j < to; j++ {
		if p.word(j) != "my" {
			p.param(last, j)
		}
	}
}

// callee is the function that a dotted name calls: its last part, or the class whose object it makes, A.new.
func callee(id string) string {
	id = strings.TrimSuffix(id, ".new")
	return id[strings.LastIndexAny(id, ".:$&")+1:]
}

// calls binds the parameters of the text's own functions to what they are called with.
func (p *program) calls() {
	for i := 0; len(p.funcs) > 0 && i < len(p.toks) && !p.spent(); i++ {
		id := p.word(i)
		f := p.funcs[id]
		if f == nil && id != "" {
			f = p.funcs[callee(id)]
		}
		if f == nil || f.at == i+1 || in(p.word(i-1), "def function func sub") {
			continue
		}
		for n, a := range p.arguments(i) {
			slot := -1
			for k, param := range f.params {
				if a.key == "" && k == n || a.key != "" && a.key == param {
					slot = f.slots[k]
				}
			}
			if slot >= 0 && len(p.binds[slot].spans) < 8 {
				p.binds[slot].spans = append(p.binds[slot].spans, a.span)
			}
		}
	}
}
