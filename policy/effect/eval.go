package effect

import (
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// eval is what a span of tokens stands for.
func (p *program) eval(s span) *value {
	if p.depth++; p.depth > maxDepth || p.steps > maxSteps {
		p.depth--
		return unknown("")
	}
	v := p.expression(s)
	p.depth--
	if len(v.words) == 0 && !v.list {
		return unknown("")
	}
	return v
}

// expression reads operands and the signs between them.
func (p *program) expression(s span) *value {
	if s.cut {
		id := p.word(s.from)
		return p.variable(id[:strings.LastIndexByte(id, '.')], s.from)
	}
	v, sign := &value{}, byte(0)
	for i := s.from; i < s.to && i < len(p.toks); {
		p.steps++
		t := &p.toks[i]
		switch {
		case t.kind == nothing, t.kind == '?' && p.at(i+1) != '?' && p.at(i-1) != '?': // a ? b : c
			v, sign = &value{}, 0
			i++
			continue
		case p.sign(i, "|?:"):
			sign = '|'
			i++
			continue
		case t.kind == '*' && len(v.words) == 0 && p.lang == &goCalls:
			i++ // what a pointer leads to
			continue
		case t.kind == '&' && len(v.words) == 0 && (p.lang == &rustCalls || p.lang == &cCalls):
			i++ // a reference
			continue
		case p.sign(i, "<>=!&^") && !(p.lang == &perlCalls && t.kind == '<'):
			return unknown("")
		case t.mark() && !p.sign(i, "([{<"):
			sign = t.kind
			i++
			continue
		case t.kind == name && len(v.words) > 0 && in(t.text, "and in not is for while unless"):
			return v
		case t.kind == name && len(v.words) > 0 && t.text == "if": // a if c else b
			for i < s.to && p.word(i) != "else" {
				i++
			}
			i++
			sign = '|'
			continue
		case t.kind == name && t.text == "or":
			sign = '|'
			i++
			continue
		case t.kind == name && in(t.text, "await new my local our const let var async lambda return not yield range mut"):
			i++
			continue
		}
		w, next := p.operand(i, s.to)
		v, sign = p.combine(v, w, sign), 0
		i = max(next, i+1)
	}
	return v
}

// combine applies a sign between two values.
func (p *program) combine(v, w *value, sign byte) *value {
	switch {
	case len(v.words) == 0 && !v.list && sign == '-':
		return literal("-").with(w, false)
	case len(v.words) == 0 && !v.list:
		return w
	case sign == '|', sign == '+' && v.list && w.list:
		return v.or(w)
	case sign == '+', sign == 0, sign == '.' && p.lang.dotted, sign == '*' && p.lang == &juliaCalls:
		return v.with(w, false)
	case sign == '/':
		return v.below(w)
	case sign == '%':
		return v.filled(w)
	}
	return unknown("")
}

// operand is the value that begins at token i, with what is called on it, and where it ends.
func (p *program) operand(i, end int) (*value, int) {
	t := &p.toks[i]
	var v *value
	next := i + 1
	switch k := p.at(next); {
	case t.kind == str:
		v = literal(t.text)
		for next < end && p.at(next) == str {
			v = v.with(literal(p.toks[next].text), false)
			next++
		}
	case t.kind == '(' || t.kind == '[':
		next = min(p.pair[i]+1, end)
		v = p.items(i+1, next-1, t.kind)
	case t.kind == '{' && p.lang == &luaCalls:
		next = min(p.pair[i]+1, end)
		v = p.items(i+1, next-1, '[')
	case t.kind == name && k == '[' && p.at(next+1) == ']' && p.at(next+2) == '{' && (p.lang == &javaCalls || p.lang == &otherCalls): // new String[]{…}
		from := next + 3
		next = min(p.pair[next+2]+1, end)
		v = p.items(from, next-1, '[')
	case t.kind == '{':
		return p.entries(i, end), min(p.pair[i]+1, end)
	case t.kind == '<': // Perl's <*.log>
		for ; next < end; next++ {
			p.scans++
			if p.toks[next].kind == '>' {
				return literal(p.text[t.end:p.toks[next].at]).globbed(), next + 1
			}
		}
		return unknown(""), next
	case t.mark():
		return unknown(""), next
	case next >= end:
		return p.variable(t.text, i), next
	case k == '(':
		v, next = p.called(i), min(p.pair[next]+1, end)
	case k == str && (p.lang.bare || strings.HasSuffix(t.text, "$")), k == name && p.lang.bare && p.lang.means(t.text) != none:
		return p.called(i), end
	default:
		v = p.variable(t.text, i)
	}
	for next < end {
		switch k := p.at(next); {
		case k == '.' && p.at(next+1) == name && !p.lang.dotted:
			chain := p.word(next + 1)
			for {
				m, rest, more := strings.Cut(chain, ".")
				if !more {
					break
				}
				v, chain = p.apply(v, m, nil), rest
			}
			v, next = p.apply(v, chain, p.arguments(next+1)), next+2
			if p.at(next) == '(' {
				next = min(p.pair[next]+1, end)
			}
		case k == '[' || k == '{' && p.lang == &perlCalls && t.kind == name:
			v, next = p.index(v, i, next), min(p.pair[next]+1, end)
		case k == '(' && t.kind != str: // f()()
			v, next = unknown(""), min(p.pair[next]+1, end)
		default:
			return v, next
		}
	}
	return v, next
}

// items are the elements of a list, or what stands in brackets.
func (p *program) items(from, to int, open byte) *value {
	for j := from; j < to; j++ { // [f(x) for x in …]
		if p.sign(j, "([{") {
			j = p.pair[j]
		} else if j > from && p.word(j) == "for" {
			return p.narrowed(p.eval(span{from: from, to: j}).as(true), j, to)
		}
	}
	parts := p.split(from, to)
	if open == '(' && len(parts) <= 1 && p.at(to-1) != ',' {
		return p.eval(span{from: from, to: to})
	}
	v := &value{list: true}
	for _, a := range parts {
		e := p.eval(a.span)
		v.tree = v.tree || e.tree
		v.marked(e)
		if !e.list {
			e = &value{words: e.words[:1]}
		}
		v.words = append(v.words, e.words...)
	}
	v.words = v.words[:min(len(v.words), maxWords)]
	return v
}

// narrowed is a value with the conditions that stand in a span.
func (p *program) narrowed(v *value, from, to int) *value {
	for j := from; j < to; j++ {
		if !in(p.word(j), "if unless when elif continue next") {
			continue
		}
		v = v.copy()
		v.some = true
		for k := j + 1; k < to && k < j+40 && !p.toks[k].newline && p.word(k) != "not" && p.at(k) != '!'; k++ {
			if p.at(k+1) != '(' || !hasSuffix(p.word(k), "endswith", "endsWith", "end_with?", "fnmatch") {
				continue
			}
			for q := k + 2; q < p.pair[k+1] && q < to; q++ {
				if p.at(q) == str {
					v.names = append(v.names, "*"+strings.TrimPrefix(p.toks[q].text, "*"))
				}
			}
		}
	}
	return v
}

// variable is what a name stands for at a place.
func (p *program) variable(id string, at int) *value {
	bare := p.bare(id)
	switch {
	case in(id, "__file__ __FILE__ __filename"):
		if p.file != "" {
			return literal(p.file)
		}
	case in(id, "__dir__ __dirname __DIR__"):
		if p.file != "" {
			return literal(filepath.Dir(p.file))
		}
	case strings.HasPrefix(id, "process.env."):
		return p.environment(id[len("process.env."):])
	case in(bare, "process.env ENV _ENV _SERVER environ os.environ"):
		return unknown(environ)
	case id != "" && id[0] >= '0' && id[0] <= '9':
		return literal(strings.TrimPrefix(id, "0o"))
	case strings.HasPrefix(id, "signal.SIG"):
		return literal(id[len("signal.SIG"):])
	case bare != "" && bare == p.bare(p.lang.args):
		return p.argv()
	case p.lang.bare && p.lang.means(id) == opHome: // Dir.home without brackets
		return literal("~")
	case p.lang.bare && p.lang.means(id) == opHere:
		return literal(".")
	}
	if v := p.bound(bare, at); v != nil {
		return v
	}
	if id == "import.meta.url" && p.file != "" {
		return literal(p.file)
	}
	if in(id, "import.meta.dirname import.meta.dir") && p.file != "" {
		return literal(filepath.Dir(p.file))
	}
	if first, attr, ok := strings.Cut(id, "."); ok && p.parses(first) {
		return p.fromLine(attr)
	}
	if s, ok := p.entry(id); ok {
		return p.eval(s)
	}
	if i := strings.LastIndexByte(id, '.'); i > 0 {
		if _, ok := p.names[p.bare(id[:i])]; ok {
			return p.apply(p.variable(id[:i], at), id[i+1:], nil)
		}
	}
	return unknown(id)
}

// environ stands for all variables of the environment.
const environ = "environ"

// argv are the words after the script; the script itself is the first where the language counts it.
func (p *program) argv() *value {
	v := &value{list: true}
	script := shell.Word{Text: p.file, Known: p.file != ""}
	switch p.lang {
	case &pythonCalls, &phpCalls:
		v.words = append(v.words, script)
	case &nodeCalls:
		v.words = append(v.words, shell.Word{Text: "node", Known: true}, script)
	}
	for _, a := range p.args {
		v.words = append(v.words, shell.Word{Text: a, Known: true})
	}
	return v
}

// environment is a variable of the environment, as the line or the shell would give it.
func (p *program) environment(id string) *value {
	for _, e := range p.env {
		if v, ok := strings.CutPrefix(e.Text, id+"="); ok && e.Known {
			return literal(v)
		}
	}
	switch {
	case in(id, "HOME USERPROFILE user.home"):
		return literal("~")
	case id == "PWD":
		return literal(".")
	case in(id, "TMPDIR TEMP TMP RUNNER_TEMP"):
		return temporary()
	}
	return unknown(id)
}

// bound is the value of a binding, nil when there is none.
func (p *program) bound(id string, at int) *value {
	n, ok := p.names[id]
	if !ok {
		return nil
	}
	n = p.nearest(n, at)
	if v := p.binds[n].value; v != nil {
		return v
	}
	p.binds[n].value = unknown(id) // what it is while it is being worked out
	v := &value{}
	for _, s := range p.binds[n].spans {
		v = v.or(p.eval(s))
	}
	switch {
	case (len(v.words) == 0 && !v.list && len(p.binds[n].spans) == 0 || strings.HasPrefix(v.text(), "$") && p.given("--"+strings.ReplaceAll(id, "_", "-"))) && p.filled():
		v = p.fromLine(id)
	case len(v.words) == 0 && !v.list:
		v = unknown(id)
	case p.binds[n].how == below:
		v = anything()
	case p.binds[n].how != whole:
		v = v.as(false)
	}
	p.binds[n].value = v
	return v
}

// index is an element of a list or a variable of the environment.
func (p *program) index(v *value, i, open int) *value {
	key := p.eval(span{from: open + 1, to: p.pair[open]})
	k := key.text()
	if p.at(open) == '{' && p.at(open+1) == name {
		k = p.word(open + 1)
	}
	if n, ok := p.names[p.bare(p.word(i))]; ok && open == i+1 && k != "" && len(p.binds[n].spans) == 1 {
		if s, ok := p.entryOf(p.binds[n].spans[0], k); ok {
			return p.eval(s)
		}
	}
	slice := p.at(open+1) == ':' || p.at(open+2) == ':'
	n := -1
	if len(k) == 1 {
		n = int(k[0]) - '0'
	}
	switch {
	case v.text() == "$"+environ:
		return p.environment(k)
	case p.word(i) == "Dir": // Ruby's Dir["*.log"]
		return key.globbed()
	case slice && p.at(open+3) == '-': // s[::-1]
		return v.each(reversed)
	case slice:
		return v
	case v.list && !v.tree && n >= 0 && n < len(v.words):
		return &value{words: v.words[n : n+1]}
	case v.list && n >= 0 && p.bare(p.word(i)) == p.bare(p.lang.args):
		return unknown("argument")
	}
	return v.as(false)
}

// called is the value of a call whose name is token i.
func (p *program) called(i int) *value {
	id := p.word(i)
	k := call{p: p, i: i, id: id, args: p.arguments(i)}
	switch o := p.lang.means(id); o {
	case opSame, opJoin:
		v := k.value(0)
		if len(k.args) == 0 {
			v = literal(".")
		}
		if id == "File.expand_path" && len(k.args) > 1 {
			return k.value(1).below(v)
		}
		for n := 1; n < len(k.args) && k.args[n].key == "" && (o == opJoin || in(id, "Path pathlib.Path PurePath path.resolve")); n++ {
			v = v.below(k.value(n))
		}
		return v
	case opHome:
		return literal("~")
	case opHere:
		return literal(".")
	case opTemp:
		return temporary()
	case opGlob:
		v := k.value(0)
		if p.lang == &perlCalls { // one pattern a word
			v = v.fields()
		}
		if base := k.option("cwd", "root_dir"); base != nil {
			v = base.below(v)
		}
		return v.globbed()
	case opList:
		return anything()
	case opWalk:
		return k.value(0).deep("")
	case opEnv:
		if v := p.environment(k.value(0).text()); len(k.args) < 2 || v.words[0].Known {
			return v
		}
		return unknown(k.value(0).text()).or(k.value(1))
	case opDecode:
		return decode(id, k.value(0))
	case opWords:
		return k.value(0).fields()
	case opDir:
		return k.value(0).each(folder)
	case opItems:
		return p.items(i+2, min(p.pair[i+1], len(p.toks)), '[')
	case opOpen, opRead:
		v := unknown("content")
		v.fetched = strings.Contains(k.value(0).text(), "://") // PHP's file_get_contents, Ruby's URI.open
		return v
	}
	j := strings.LastIndexByte(id, '.')
	switch {
	case id == "flag.String" && len(k.args) > 1:
		if name := k.value(0).text(); p.given("-"+name) || p.given("--"+name) {
			return p.fromLine(name)
		}
		return k.value(1)
	case in(id, "format fmt.Sprintf"):
		all := &value{}
		for n := 1; n < len(k.args); n++ {
			all = all.or(k.value(n))
		}
		return k.value(0).filled(all)
	case id == "Buffer.from" && len(k.args) > 1:
		return decode(k.value(1).text(), k.value(0))
	case id == "Buffer.from":
		return k.value(0)
	case in(id, senders), in(id[j+1:], "urlopen recv"), in(id, "requests.get httpx.get axios.get got URI.open Net::HTTP.get"), p.lang == &perlCalls && in(id, "get LWP::Simple::get"):
		v := unknown("response")
		v.fetched = true
		return v
	case j > 0:
		return p.apply(p.variable(id[:j], i), id[j+1:], k.args)
	}
	return unknown(id)
}

// apply is the value of a method, or an attribute, of a value.
func (p *program) apply(v *value, m string, args []argument) *value {
	k := call{p: p, args: args}
	arg := k.value(0)
	switch {
	case in(m, "parent dirname parents"):
		return v.each(folder)
	case m == "joinpath", m == "join" && p.lang == &rubyCalls && !v.list:
		for n := range args {
			v = v.below(k.value(n))
		}
		return v
	case m == "join" && p.lang == &rustCalls, m == "resolve" && p.lang == &javaCalls:
		return v.below(arg)
	case m == "join" && v.list: // list.join(' ')
		return v.joined(arg.text())
	case m == "join": // ' '.join(list)
		return arg.joined(v.text())
	case in(m, "get fetch") && v.text() == "$"+environ:
		if e := p.environment(arg.text()); len(args) < 2 || e.words[0].Known {
			return e
		}
		return unknown(m).or(k.value(1))
	case m == "glob":
		return v.below(arg).globbed()
	case in(m, "rglob walk"):
		return v.deep(arg.text())
	case in(m, "iterdir children entries"):
		return v.below(anything()).globbed()
	case m == "split" && (len(args) == 0 || arg.text() == " "):
		return v.fields()
	case m == "format":
		all := &value{}
		for n := range args {
			all = all.or(k.value(n))
		}
		return v.filled(all)
	case in(m, "replace replaceAll gsub"):
		from, known := arg.known()
		to, ok := k.value(1).known()
		if known && ok && from != "" {
			return v.each(func(w *shell.Word) { w.Text = clipBytes(strings.ReplaceAll(w.Text, from, to), maxScript) })
		}
	case in(m, "filter select reject grep"):
		v = v.copy()
		v.some = true
		return v
	case in(m, "items Name path name full_path as_posix toString to_s copy concat values sort reverse each map flat slice promises then read text decode encode content data json strip trim"), in("."+m, p.lang.calls[opSame]):
		return v
	case in("."+m, p.lang.calls[opDecode]):
		return decode(m, v)
	}
	return unknown(m).marked(v)
}

// argument is one of a call's.
type argument struct {
	span
	key string // the keyword, in languages that have them
}

// arguments are those of the call whose name is token i, with brackets or, where the language allows it, without.
func (p *program) arguments(i int) []argument {
	j := i + 1
	if p.at(j) == '(' {
		return p.split(j+1, min(p.pair[j], len(p.toks)))
	}
	if j >= len(p.toks) || !p.lang.bare && p.at(j) != str || p.toks[j].newline {
		return nil
	}
	end := j
	for ; end < len(p.toks) && (end == j || !p.ends(end)); end++ {
		p.scans++
		if p.sign(end, ";})") || in(p.word(end), "or and if unless foreach for while do end") {
			break
		}
		if p.sign(end, "([{") {
			end = min(p.pair[end], len(p.toks)-1)
		}
	}
	return p.split(j, end)
}

// split parts a span at its commas.
func (p *program) split(from, to int) []argument {
	var out []argument
	for start, j := from, from; j <= to && start < to; j++ {
		p.steps++
		if p.sign(j, "([{") && j < to {
			j = min(p.pair[j], to)
		}
		if j < to && p.toks[j].kind != ',' && !(p.lang.dotted && p.toks[j].kind == '>' && p.toks[j-1].kind == '=') && !(p.toks[j].kind == ';' && p.lang == &juliaCalls) {
			continue
		}
		a := argument{span: span{from: start, to: min(j, to)}}
		if p.at(start) == name && p.at(start+1) == '=' && p.at(start+2) != '=' && p.lang != &nodeCalls {
			a.key, a.from = p.word(start), start+2
		}
		if p.lang == &otherCalls && p.at(start) == name && p.at(start+1) == ':' { // Swift's and Dart's labels
			a.key, a.from = p.word(start), start+2
		}
		if a.to > a.from && len(out) < 4*maxWords {
			out = append(out, a)
		}
		start = j + 1
	}
	return out
}
