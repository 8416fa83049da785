package effect

import (
	"encoding/base64"
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// value is what an expression of a program text may stand for.
type value struct {
	// words are what it may be, or a list's elements in order. A word that is not known has $ and a name where it is not.
	words []shell.Word
	list  bool
	// tree: all that lies below the words; names and some tell which of it, as far as that can be read.
	tree  bool
	names []string
	some  bool // a condition that was not followed
	// decoded and fetched tell where a text that is not known comes from.
	decoded, fetched bool
}

const maxWords = 32

func unknown(id string) *value {
	b := []byte("$")
	for i := 0; i < len(id) && i < 40; i++ {
		if isNameByte(id[i]) && id[i] != '$' {
			b = append(b, id[i])
		}
	}
	if len(b) == 1 {
		b = append(b, "value"...)
	}
	return &value{words: []shell.Word{{Text: string(b)}}}
}

func literal(s string) *value { return &value{words: []shell.Word{{Text: s, Known: true}}} }

// anything are the names in a folder.
func anything() *value {
	return &value{words: []shell.Word{{Text: "*", Known: true, Glob: true}}, list: true}
}

// temporary is some path below a temporary folder.
func temporary() *value { return &value{words: []shell.Word{{Text: "$TMPDIR/file"}}} }

// known: a single text that is known.
func (v *value) known() (string, bool) {
	if len(v.words) == 1 && v.words[0].Known && !v.list {
		return v.words[0].Text, true
	}
	return "", false
}

// text is the first word, known or not.
func (v *value) text() string {
	if len(v.words) == 0 {
		return ""
	}
	return v.words[0].Text
}

// each is the value with every word changed.
func (v *value) each(f func(*shell.Word)) *value {
	out := v.copy()
	out.words = append([]shell.Word(nil), v.words...)
	for i := range out.words {
		f(&out.words[i])
	}
	return out
}

// copy is one that may be changed, but for the elements of its lists.
//
//go:noinline
func (v *value) copy() *value {
	out := *v
	out.words = v.words[:len(v.words):len(v.words)]
	out.names = v.names[:len(v.names):len(v.names)]
	return &out
}

// as is the value as a list, or as one of its elements.
func (v *value) as(list bool) *value {
	if v.list == list {
		return v
	}
	out := v.copy()
	out.list = list
	return out
}

// marked takes over what is known of where another value comes from.
func (v *value) marked(w *value) *value {
	v.some, v.decoded, v.fetched = v.some || w.some, v.decoded || w.decoded, v.fetched || w.fetched
	v.names = append(v.names, w.names...)
	return v
}

// or is either of two values; of a list, the elements of both.
func (v *value) or(w *value) *value {
	if len(v.words) == 0 {
		return w
	}
	out := v.copy()
	for _, x := range w.words {
		if len(out.words) < maxWords {
			out.words = append(out.words, x)
		}
	}
	out.tree = v.tree || w.tree
	return out.marked(w)
}

// with puts every pair together, as a path or as a text.
func (v *value) with(w *value, path bool) *value {
	out := (&value{tree: w.tree}).marked(v).marked(w)
	for _, a := range v.words {
		for _, b := range w.words {
			if path && (strings.HasPrefix(b.Text, "/") || strings.HasPrefix(b.Text, "~/") || a.Text == "") {
				a = shell.Word{Known: true} // an absolute part starts the path anew, as the languages' own joins do
			} else if path && !strings.HasSuffix(a.Text, "/") {
				a.Text += "/"
			}
			if len(out.words) < maxWords {
				out.words = append(out.words, shell.Word{Text: clipBytes(a.Text+b.Text, maxScript), Known: a.Known && b.Known, Glob: a.Glob || b.Glob})
			}
		}
	}
	return out
}

func clipBytes(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}

// below joins a folder and a name: what lies in a walked folder stays a walk, by that name.
func (v *value) below(w *value) *value {
	if len(v.words) == 0 {
		return w
	}
	if !v.tree {
		return v.with(w, true)
	}
	out := v.copy().marked(w)
	for i := range w.words {
		if x := &w.words[i]; !x.Known {
			out.some = true
		} else if x.Text != "" && x.Text != "*" {
			out.names = append(out.names, filepath.Base(x.Text))
		}
	}
	return out
}

// deep is the walk of a folder, by a pattern of names.
func (v *value) deep(pattern string) *value {
	out := v.copy()
	out.tree, out.list = true, true
	if pattern != "" && pattern != "*" {
		out.names = append(out.names, filepath.Base(pattern))
	}
	return out
}

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
		case t.kind == name && in(t.text, "await new my local our const let var async lambda return not yield"):
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

// filled puts values where a text has %s, {} or {0}.
func (v *value) filled(w *value) *value {
	s, ok := v.known()
	if !ok {
		return v
	}
	out := shell.Word{Known: true}
	for n := 0; n < len(w.words); n++ {
		i, size := strings.Index(s, "%s"), 2
		if j := strings.IndexByte(s, '{'); j >= 0 && (i < 0 || j < i) {
			i, size = j, strings.IndexByte(s[j:], '}')+1
		}
		if i < 0 || size < 2 {
			break
		}
		out.Text += s[:i] + w.words[n].Text
		out.Known = out.Known && w.words[n].Known
		s = s[i+size:]
	}
	out.Text = clipBytes(out.Text+s, maxScript)
	return &value{words: []shell.Word{out}}
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
	case t.kind == '{':
		return unknown(""), min(p.pair[i]+1, end)
	case t.kind == '<': // Perl's <*.log>
		for ; next < end; next++ {
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
			v, next = p.apply(v, p.word(next+1), p.arguments(next+1)), next+2
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
		return environment(id[len("process.env."):])
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

// environment is a variable of the environment, as the shell would give it.
func environment(id string) *value {
	switch {
	case in(id, "HOME USERPROFILE"):
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
	slice := p.at(open+1) == ':' || p.at(open+2) == ':'
	n := -1
	if len(k) == 1 {
		n = int(k[0]) - '0'
	}
	switch {
	case v.text() == "$"+environ:
		return environment(k)
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

func reversed(w *shell.Word) {
	b := []byte(w.Text)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	w.Text = string(b)
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
		if base := k.option("cwd", "root_dir"); base != nil {
			v = base.below(v)
		}
		return v.globbed()
	case opList:
		return anything()
	case opWalk:
		return k.value(0).deep("")
	case opEnv:
		if v := environment(k.value(0).text()); len(k.args) < 2 || v.words[0].Known {
			return v
		}
		return unknown(k.value(0).text()).or(k.value(1))
	case opDecode:
		return decode(id, k.value(0))
	case opWords:
		return k.value(0).fields()
	case opDir:
		return k.value(0).each(folder)
	case opOpen, opRead:
		return unknown("content")
	}
	j := strings.LastIndexByte(id, '.')
	switch {
	case id == "Buffer.from" && len(k.args) > 1:
		return decode(k.value(1).text(), k.value(0))
	case id == "Buffer.from":
		return k.value(0)
	case in(id, senders), in(id[j+1:], "urlopen recv"), in(id, "requests.get httpx.get axios.get got"):
		v := unknown("response")
		v.fetched = true
		return v
	case j > 0:
		return p.apply(p.variable(id[:j], i), id[j+1:], k.args)
	}
	return unknown(id)
}

// globbed is the list of files that a pattern names; ** goes below.
func (v *value) globbed() *value {
	out := v.as(true).copy()
	out.words = nil
	for _, w := range v.words {
		if dir, pattern, deep := strings.Cut(w.Text, "**/"); deep && w.Known {
			if w.Text = strings.TrimSuffix(dir, "/"); dir == "" {
				w.Text = "."
			} else if w.Text == "" {
				w.Text = "/"
			}
			out = out.deep(pattern)
		} else {
			w.Glob = w.Glob || strings.ContainsAny(w.Text, "*?[")
		}
		out.words = append(out.words, w)
	}
	return out
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
	case m == "join" && v.list: // list.join(' ')
		return v.joined(arg.text())
	case m == "join": // ' '.join(list)
		return arg.joined(v.text())
	case in(m, "get fetch") && v.text() == "$"+environ:
		if e := environment(arg.text()); len(args) < 2 || e.words[0].Known {
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
	case in(m, "path name full_path as_posix toString to_s copy concat values sort reverse each map flat slice promises then read text decode encode content data json strip trim"), in("."+m, p.lang.calls[opSame]):
		return v
	case in("."+m, p.lang.calls[opDecode]):
		return decode(m, v)
	}
	return unknown(m).marked(v)
}

// joined puts the words of a list together.
func (v *value) joined(sep string) *value {
	out := shell.Word{Known: true}
	for i, w := range v.words {
		if i > 0 {
			out.Text += sep
		}
		out.Text = clipBytes(out.Text+w.Text, maxScript)
		out.Known = out.Known && w.Known
	}
	return (&value{words: []shell.Word{out}}).marked(v)
}

// fields are the words of a text.
func (v *value) fields() *value {
	s, ok := v.known()
	if !ok {
		return v
	}
	out := &value{list: true}
	for _, f := range strings.Fields(s) {
		if len(out.words) < maxWords {
			out.words = append(out.words, shell.Word{Text: strings.Trim(f, `"'`), Known: true})
		}
	}
	return out
}

func folder(w *shell.Word) {
	if w.Known {
		w.Text, w.Glob = filepath.Dir(w.Text), false
	}
}

// decode is what an encoded text stands for, when it is known.
func decode(how string, v *value) *value {
	out := unknown("decoded")
	out.decoded = true
	s, ok := v.known()
	if !ok {
		return out
	}
	var b []byte
	switch s = strings.TrimSpace(s); {
	case strings.Contains(how, "hex"):
		for i := 0; i+1 < len(s); i += 2 {
			if c, ok := hexByte(s, i, 2); ok {
				b = append(b, c)
			}
		}
	case strings.Contains(how, "64") || how == "atob":
		b, _ = base64.StdEncoding.DecodeString(s) // what is no base64 gives nothing
	case strings.Contains(how, "rot13") || strings.Contains(how, "codecs"):
		b = []byte(s)
		for i, c := range b {
			if isLetter(c) {
				b[i] = c&0x20 | 'A' + (c&^0x20-'A'+13)%26
			}
		}
	}
	if len(b) > 0 {
		out.words = literal(string(b)).words
	}
	return out
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
		if j < to && p.toks[j].kind != ',' && !(p.lang.dotted && p.toks[j].kind == '>' && p.toks[j-1].kind == '=') {
			continue
		}
		a := argument{span: span{from: start, to: min(j, to)}}
		if p.at(start) == name && p.at(start+1) == '=' && p.at(start+2) != '=' && p.lang != &nodeCalls {
			a.key, a.from = p.word(start), start+2
		}
		if a.to > a.from && len(out) < 4*maxWords {
			out = append(out, a)
		}
		start = j + 1
	}
	return out
}
