package effect

import (
	"strings"
)

// What of a program text is run: the bodies of functions that something names, and the branches that the words of the
// line lead to. All else is text.

// body is a function of a text, or a branch.
type body struct {
	id   string
	span // of its tokens
	live bool
}

const maxBodies = 400

// bodyNames are functions that others than the text itself call: programs that load it, and languages by themselves.
const bodyNames = "main Main init run handle handler lambda_handler setUp tearDown setUpClass setup teardown perform execute call forward default async " +
	"initialize method_missing respond_to_missing? inherited included extended prepended method_added to_s to_str to_proc to_a inspect each coerce DESTROY AUTOLOAD BEGIN END import CLONE toString valueOf toJSON then"

// notCalling are decorators that do not have their function called when the text is run: it is an attribute, or waits for
// a request or for a runner.
const notCalling = "property staticmethod classmethod abstractmethod override overload wraps lru_cache cache cached_property contextmanager setter getter deleter task session shared_task get post put patch delete route websocket"

// reflective are words by which a text may call a function that it does not name.
const reflective = "globals locals vars getattr __dict__ eval exec send public_send __send__ method call_user_func call_user_func_array symbol_table sys.modules importlib.import_module"

// reach finds the tokens that no run of the text comes to.
func (p *program) reach() {
	bodies := p.functions()
	if len(bodies) > 0 {
		p.follow(bodies)
	}
	for i := range bodies {
		if !bodies[i].live {
			p.skip(bodies[i].span)
		}
	}
	p.branches(bodies)
}

// skip marks tokens as never run.
func (p *program) skip(s span) {
	if p.dead == nil {
		p.dead = make([]bool, len(p.toks))
	}
	p.scans += s.to - s.from
	for i := max(s.from, 0); i < s.to && i < len(p.dead); i++ {
		p.dead[i] = true
	}
}

// idle: no run of the text comes to the token.
func (p *program) idle(i int) bool { return i < len(p.dead) && p.dead[i] }

// functions are those that the text defines by a name, in order; none where it may call them by a text.
func (p *program) functions() []body {
	var out []body
	for i := range p.toks {
		if p.toks[i].kind != name && p.toks[i].kind != '=' || len(out) >= maxBodies || p.spent() {
			continue
		}
		at, open := -1, 0
		switch w := p.word(i); {
		case in(w, reflective) && p.roots == "" && p.at(i+1) != ':':
			return nil
		case w == "function" && p.at(i+1) == name && (p.sign(i-1, "(,=:[?&|>") || p.word(i-1) == "return"):
			continue // a value, which is called by any name
		case in(w, "def function func fn fun sub") && p.at(i+1) == name && p.at(i-1) != '.':
			at, open = i+1, i+2
		case w == "func" && p.at(i+1) == '(' && p.at(p.pair[i+1]+1) == name: // Go's method
			at, open = p.pair[i+1]+1, p.pair[i+1]+2
		case w == "function" && p.at(i-1) == '=': // f = function () {}
			at, open = i-2, i+1
		case w == "function" && p.at(i-1) == '-' && p.at(i-2) == '<': // f <- function() {}
			at, open = i-3, i+1
		case p.at(i) == '=' && p.at(i+1) == '>' && p.lang == &nodeCalls:
			first := i - 1
			if p.at(first) == ')' {
				first = p.pair[first]
			}
			if p.word(first-1) == "async" {
				first--
			}
			if p.at(first-1) != '=' {
				continue
			}
			at, open = first-2, i+2
		}
		if p.at(at) != name {
			continue
		}
		id := p.word(at)
		id = id[strings.LastIndexAny(id, ".:")+1:]
		if s := p.bodyOf(i, open); s.to > s.from {
			out = append(out, body{id: id, span: span{from: at, to: s.to}, live: in(id, p.roots) || p.roots == "" && in(id, bodyNames) || strings.HasPrefix(id, "__") || strings.HasPrefix(strings.ToLower(id), "test") || p.decorated(i) || p.inherits(i)})
		}
	}
	return out
}

// bodyOf is the body of the function whose word stands at i and whose parameters, or body, begin at open: what stands
// in braces, or what stands further in than the word.
func (p *program) bodyOf(i, open int) span {
	if in(p.word(i), "def") || p.lang == &luaCalls || p.lang == &juliaCalls {
		if p.lang != &pythonCalls && p.closedAtOnce(open) {
			return span{}
		}
		return p.indented(i)
	}
	for j := open; j < len(p.toks) && j < open+60; j++ {
		p.scans++
		switch p.at(j) {
		case '(', '[':
			j = p.pair[j]
		case '{':
			return span{from: j, to: p.pair[j] + 1}
		case ';':
			return span{}
		}
		if j >= open && p.at(i) == '=' && p.at(open) != '{' { // an arrow's expression
			return span{from: open, to: p.statement(open)}
		}
	}
	return span{}
}

// closedAtOnce: a body ends, or another statement begins, on the line that the token at i stands on. How far in a line
// begins then tells nothing of what is inside.
func (p *program) closedAtOnce(i int) bool {
	for ; i < len(p.toks) && !p.toks[i].newline; i++ {
		p.scans++
		if p.word(i) == "end" || p.sign(i, ";}") {
			return true
		}
	}
	return false
}

// indented is what stands further in than the line that the token at i begins, or stands on.
func (p *program) indented(i int) span {
	for i > 0 && !p.toks[i].newline {
		i--
	}
	in := p.column(i)
	for j := i + 1; j < len(p.toks); j++ {
		p.scans++
		if p.toks[j].newline && p.column(j) <= in {
			return span{from: i, to: j}
		}
		if p.sign(j, "([{") {
			j = max(j, p.pair[j]-1)
		}
	}
	return span{from: i, to: len(p.toks)}
}

// column is how far in a token stands that begins a line.
func (p *program) column(i int) int {
	n := p.toks[i].at
	for n > 0 && (p.text[n-1] == ' ' || p.text[n-1] == '\t') {
		n--
	}
	return p.toks[i].at - n
}

// decorated: the function is handed to what calls it when the text is run: a command, a fixture.
func (p *program) decorated(i int) bool {
	if p.lang != &pythonCalls {
		return false
	}
	for n := 0; n < 4; n++ { // a line above
		for i > 0 && !p.toks[i].newline {
			i--
		}
		if i--; i < 0 {
			return false
		}
		j := i
		for j > 0 && !p.toks[j].newline && i-j < 60 {
			j--
		}
		first := p.word(j)
		if p.at(j) == '@' {
			first = "@" + p.word(j+1)
		}
		if !strings.HasPrefix(first, "@") {
			return false
		}
		if !in(first[strings.LastIndexAny(first, "@.")+1:], notCalling) {
			return true
		}
		i = j
	}
	return false
}

// inherits: the function is a method of a class that builds on another, whose own code may call it by a name of its own
// making: visit_Name, do_DELETE.
func (p *program) inherits(i int) bool {
	for i > 0 && !p.toks[i].newline {
		i--
	}
	if in(p.word(i), "override") || in(p.word(i+1), "override") {
		return true
	}
	far := p.column(i)
	for i--; i >= 0 && far > 0; i-- {
		p.scans++
		if first := i == 0 || p.toks[i].newline; !first || p.column(i) >= far || p.at(i) == '{' {
			continue
		}
		for in(p.word(i), "final abstract export public") {
			i++
		}
		return p.word(i) == "class" && (p.at(i+2) == '(' && p.at(i+3) != ')' || p.at(i+2) == '<' || p.word(i+2) == "extends")
	}
	return false
}

// follow marks the functions that are named where the text begins, or in one that is.
func (p *program) follow(bodies []body) {
	of := map[string][]int{}
	for n := range bodies {
		of[bodies[n].id] = append(of[bodies[n].id], n)
	}
	type ref struct{ from, to int }
	var refs []ref
	var inside []int
	next := 0
	for i := range p.toks {
		for len(inside) > 0 && bodies[inside[len(inside)-1]].to <= i {
			inside = inside[:len(inside)-1]
		}
		for next < len(bodies) && bodies[next].from <= i {
			inside, next = append(inside, next), next+1
		}
		id := p.toks[i].text
		if len(id) > 80 || id == "" {
			continue
		}
		for _, n := range of[callee(id)] {
			if bodies[n].from == i || len(refs) > maxTokens {
				continue
			}
			from := -1
			if len(inside) > 0 {
				from = inside[len(inside)-1]
			} else if p.roots != "" { // a table of all tasks runs none
				continue
			}
			refs = append(refs, ref{from, n})
		}
	}
	for round, changed := 0, true; changed && round < 20; round++ {
		changed = false
		p.scans += len(refs)
		for _, f := range refs {
			if !bodies[f.to].live && (f.from < 0 || bodies[f.from].live && f.from != f.to) {
				bodies[f.to].live, changed = true, true
			}
		}
	}
}

// branches leaves out those that the words of the line rule out: if args.force: without --force, and what stands behind
// a return that they lead to.
func (p *program) branches(bodies []body) {
	if strings.Contains(p.text, "argv.append") || strings.Contains(p.text, "argv.push") {
		return
	}
	for i := range p.toks {
		if !in(p.word(i), "if elif") || p.spent() {
			continue
		}
		on, end, ok := p.condition(i + 1)
		if !ok {
			continue
		}
		then, other := p.arms(i, end)
		if !on {
			p.skip(then)
			continue
		}
		p.skip(other)
		if p.leaves(then) {
			rest := span{from: then.to, to: len(p.toks)}
			for n := range bodies {
				if b := bodies[n].span; b.from < i && i < b.to {
					rest.to = b.to
				}
			}
			p.skip(rest)
		}
	}
}

// condition reads a condition that is one flag of the line: args.force, not args.force, "--force" in sys.argv,
// process.argv.includes("--force"), or a name for one of them. end is the token behind it.
func (p *program) condition(i int) (on bool, end int, ok bool) {
	bracket := p.at(i) == '('
	if bracket {
		i++
	}
	no := p.word(i) == "not" || p.at(i) == '!'
	if no {
		i++
	}
	on, end, ok = p.flag(i)
	if bracket {
		if p.at(end) != ')' {
			return false, end, false
		}
		end++
	}
	return on != no, end, ok && (p.at(end) == ':' || p.at(end) == '{' || bracket)
}

// flag tells whether the line has the flag that an expression asks for.
func (p *program) flag(i int) (on bool, end int, ok bool) {
	id := p.word(i)
	object, attr, dotted := strings.Cut(id, ".")
	switch {
	case p.at(i) == str && p.word(i+1) == "in" && p.word(i+2) == "sys.argv":
		return p.given(p.toks[i].text), i + 3, true
	case in(id, "process.argv.includes argv.includes args.includes") && p.at(i+1) == '(' && p.at(i+2) == str && p.at(i+3) == ')':
		return p.given(p.toks[i+2].text), i + 4, true
	case p.lang == &pythonCalls && dotted && strings.Contains(p.text, "parse_args()") && !strings.Contains(p.text, id+" ="):
		n, bound := p.names[object]
		if !bound || len(p.binds[n].spans) != 1 || !strings.HasSuffix(p.word(p.binds[n].spans[0].from), "parse_args") {
			return false, i, false
		}
		on, ok = p.declared(attr)
		return on, i + 1, ok
	case id != "" && !dotted:
		n, bound := p.names[p.bare(id)]
		if !bound || p.binds[n].next >= 0 || len(p.binds[n].spans) != 1 || p.binds[n].how != whole {
			return false, i, false
		}
		s := p.binds[n].spans[0]
		if p.word(s.from) == id {
			return false, i, false
		}
		on, end, ok = p.flag(s.from)
		return on, i + 1, ok && end == s.to
	}
	return false, i, false
}

// declared finds a flag that argparse is told of, and whether the line has it. One that is on without a word is unknown.
func (p *program) declared(attr string) (on, ok bool) {
	for i := range p.toks {
		if !strings.HasSuffix(p.word(i), ".add_argument") {
			continue
		}
		mine, stored := false, false
		for _, a := range p.arguments(i) {
			t := p.toks[a.from].text
			switch {
			case p.at(a.from) != str:
			case a.key == "action":
				stored = t == "store_true"
			case a.key == "" && strings.HasPrefix(t, "-"):
				mine = mine || strings.ReplaceAll(strings.TrimLeft(t, "-"), "-", "_") == attr
				on = on || mine && p.given(t)
			}
		}
		if mine {
			for _, a := range p.arguments(i) {
				on = on || p.at(a.from) == str && a.key == "" && p.given(p.toks[a.from].text)
			}
			return on, stored
		}
		on = false
	}
	return false, false
}

// given: the word stands behind the script.
func (p *program) given(flag string) bool {
	for _, a := range p.args {
		if a == flag || strings.Contains(a, "$") {
			return true
		}
	}
	return false
}

// arms are the two branches of the condition that begins at i and ends before end.
func (p *program) arms(i, end int) (then, other span) {
	if p.at(end) == ':' {
		if p.word(i) == "elif" {
			return p.indented(i), span{}
		}
		then = p.indented(i)
		if p.word(then.to) == "else" && p.column(then.to) == p.column(then.from) {
			other = p.indented(then.to)
		}
		return span{from: end, to: then.to}, other
	}
	if p.at(end) != '{' {
		return span{from: end, to: p.statement(end)}, span{}
	}
	then = span{from: end, to: min(p.pair[end]+1, len(p.toks))}
	if p.word(then.to) == "else" && p.at(then.to+1) == '{' {
		other = span{from: then.to + 1, to: p.pair[then.to+1]}
	}
	return then, other
}

// leaves: a branch ends the function, or the program.
func (p *program) leaves(s span) bool {
	for i := s.to - 1; i >= s.from && i > s.to-40; i-- {
		if in(p.word(i), "return sys.exit exit process.exit raise SystemExit") && !(p.word(i) == "return" && p.at(i-1) == '.') {
			return true
		}
		if p.toks[i].newline {
			return false
		}
	}
	return false
}
