package shell

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// dir is the folder the line stands in, empty when it is not known.
func (r *reader) dir(e *env) string {
	if e.at.dir != "" {
		return e.at.dir
	}
	return r.o.Dir
}

// variable looks a name up: what the line has set, then the world.
func (r *reader) variable(name string, e *env) value {
	name = e.behind(name)
	if v, ok := e.get(name); ok {
		return v
	}
	unknown := value{text: "$" + name}
	switch name {
	case "PWD":
		d := r.dir(e)
		return value{text: d, known: d != "" && !e.at.unsure}
	case "OLDPWD":
		return value{text: e.at.prev, known: e.at.prev != "" && !e.at.unsure}
	case "HOME":
		if r.o.Home != "" {
			return value{text: r.o.Home, known: true}
		}
	case "IFS":
		return value{text: " \t\n", known: true}
	}
	if r.o.Env != nil {
		if s, ok := r.o.Env(name); ok {
			return value{text: s, known: true}
		}
	}
	return unknown
}

// positional gives $1, $@, $# and their like.
func (r *reader) positional(name string, e *env) (value, bool) {
	switch name {
	case "@", "*":
		if !e.args || !r.grow(len(e.pos)) {
			return value{text: "$" + name}, true
		}
		return value{text: join(e.pos), array: true, list: e.pos, known: known(e.pos)}, true
	case "#":
		return value{text: strconv.Itoa(len(e.pos)), known: e.args}, true
	case "?", "$", "!", "-", "_":
		return value{text: "$" + name}, true
	case "0":
		return value{text: e.zero.Text, known: e.zero.Known && e.zero.Text != ""}, true
	}
	n, err := strconv.Atoi(name)
	if err != nil {
		return value{}, false
	}
	switch {
	case !e.args:
		return value{text: "$" + name}, true
	case n <= len(e.pos):
		w := e.pos[n-1]
		return value{text: w.Text, known: w.Known, glob: w.Glob}, true
	}
	return value{known: true, unset: true}, true
}

func join(list []Word) string {
	texts := make([]string, len(list))
	for i, w := range list {
		texts[i] = w.Text
	}
	return strings.Join(texts, " ")
}

func known(list []Word) bool {
	return !slices.ContainsFunc(list, func(w Word) bool { return !w.Known })
}

// isAt says that a parameter stands for a list: $@, ${a[@]}.
func isAt(p *syntax.ParamExp) bool {
	if p.Length || p.Excl || p.Exp != nil || p.Repl != nil {
		return false
	}
	if p.Param != nil && (p.Param.Value == "@" || p.Param.Value == "*") {
		return true
	}
	w, ok := p.Index.(*syntax.Word)
	return ok && (w.Lit() == "@" || w.Lit() == "*")
}

// param gives what a parameter expansion stands for.
func (r *reader) param(p *syntax.ParamExp, e *env, quoted bool) value {
	asWritten := func() value { return value{text: r.text(p)} }
	if p.Param == nil || p.Flags != nil || p.Width || p.IsSet || p.Names != 0 || len(p.Modifiers) > 0 {
		if p.NestedParam != nil {
			r.word(&syntax.Word{Parts: []syntax.WordPart{p.NestedParam}}, e)
		}
		return asWritten()
	}
	v := r.named(p, e)
	r.used(v)
	if v.unset && r.notGiven(p) {
		return asWritten()
	}
	if !v.known && !v.unset {
		return r.paramUnknown(p, v, e)
	}
	v.known = true
	switch {
	case p.Length:
		return value{text: strconv.Itoa(len(v.text)), known: !v.array, from: v.from}
	case p.Slice != nil:
		return r.slice(p, v, e)
	case p.Repl != nil:
		return r.replace(p, v, e)
	case p.Exp != nil:
		return r.expansion(p, v, e)
	}
	return v
}

// notGiven says of a parameter without a value that the script is run without a word which it needs: it most likely says
// so and stops before it comes to where that would matter.
func (r *reader) notGiven(p *syntax.ParamExp) bool {
	if n := p.Param.Value; r.o.Script == "" || len(r.calling) > 0 || n[0] < '1' || n[0] > '9' {
		return false
	}
	if p.Exp == nil {
		return true
	}
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		return false
	}
	return true
}

// named looks up the variable of an expansion, its element or what it points to.
func (r *reader) named(p *syntax.ParamExp, e *env) value {
	name := p.Param.Value
	v, ok := r.positional(name, e)
	if !ok {
		v = r.variable(name, e)
	}
	if p.Excl && v.known { // ${!x}
		if !syntax.ValidName(v.text) {
			return value{text: r.text(p)}
		}
		return r.variable(v.text, e)
	}
	if p.Excl {
		return value{text: r.text(p)}
	}
	if p.Index == nil || isAt(p) {
		if v.array && p.Index == nil && name != "@" && name != "*" {
			return element(v, 0)
		}
		return v
	}
	r.arith(p.Index, e)
	n, ok := r.number(p.Index, e)
	if !ok || !v.array {
		return value{text: r.text(p)}
	}
	return element(v, n)
}

func element(v value, n int) value {
	if n < 0 {
		n += len(v.list)
	}
	if n < 0 || n >= len(v.list) {
		return value{unset: true}
	}
	w := v.list[n]
	return value{text: w.Text, known: w.Known, glob: w.Glob, from: v.from}
}

// paramUnknown keeps an expansion as it was written, walks the commands in it, and takes a default where one stands.
func (r *reader) paramUnknown(p *syntax.ParamExp, v value, e *env) value {
	out := value{text: r.text(p), from: v.from}
	if p.Short {
		out.text = v.text
	}
	if p.Slice != nil {
		r.arith(p.Slice.Offset, e)
		r.arith(p.Slice.Length, e)
	}
	if p.Repl != nil {
		r.word(p.Repl.Orig, e)
		r.word(p.Repl.With, e)
	}
	if p.Exp == nil {
		return out
	}
	w := Word{Known: true}
	if p.Exp.Word != nil {
		w = r.word(p.Exp.Word, e)
	}
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		out.text, out.glob = w.Text, w.Glob
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		// What the shell itself sets is never empty; of other variables the worse is taken, as with a default.
		out.text, out.glob, out.known = w.Text, w.Glob, w.Known && has("0 $ ? #", p.Param.Value)
	}
	return out
}

func (r *reader) slice(p *syntax.ParamExp, v value, e *env) value {
	off, ok := r.number(p.Slice.Offset, e)
	n := len(v.text)
	if ok && p.Slice.Length != nil {
		n, ok = r.number(p.Slice.Length, e)
	}
	if !ok || v.array {
		return value{text: r.text(p), from: v.from}
	}
	if off < 0 {
		off += len(v.text)
	}
	if off < 0 || off > len(v.text) {
		return value{known: true, from: v.from}
	}
	end := off + n
	if n < 0 {
		end = len(v.text) + n
	}
	v.text = v.text[off:max(off, min(end, len(v.text)))]
	return v
}

func (r *reader) replace(p *syntax.ParamExp, v value, e *env) value {
	old, with := r.word(p.Repl.Orig, e), r.word(p.Repl.With, e)
	if !old.Known || !with.Known || old.Glob || v.array || old.Text == "" {
		return value{text: r.text(p), from: v.from}
	}
	switch from := old.Text; {
	case p.Repl.All:
		if !r.grow(strings.Count(v.text, from) * len(with.Text)) {
			return value{text: r.text(p)}
		}
		v.text = strings.ReplaceAll(v.text, from, with.Text)
	case from[0] == '#':
		if rest, ok := strings.CutPrefix(v.text, from[1:]); ok {
			v.text = with.Text + rest
		}
	case from[0] == '%':
		if rest, ok := strings.CutSuffix(v.text, from[1:]); ok {
			v.text = rest + with.Text
		}
	default:
		v.text = strings.Replace(v.text, from, with.Text, 1)
	}
	return v
}

// expansion applies ${x:-y}, ${x#y}, ${x^^} and their like to a known value.
func (r *reader) expansion(p *syntax.ParamExp, v value, e *env) value {
	empty := v.unset || v.text == "" && !v.array
	op := p.Exp.Op
	missing := empty
	switch op {
	case syntax.DefaultUnset, syntax.AssignUnset, syntax.AlternateUnset, syntax.ErrorUnset:
		missing = v.unset
	}
	switch op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if !missing {
			return v
		}
		w := r.word(p.Exp.Word, e)
		out := value{text: w.Text, known: w.Known, glob: w.Glob}
		if op == syntax.AssignUnset || op == syntax.AssignUnsetOrNull {
			e.set(p.Param.Value, out)
		}
		return out
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if missing {
			return value{known: true}
		}
		w := r.word(p.Exp.Word, e)
		return value{text: w.Text, known: w.Known, glob: w.Glob}
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return v
	}
	w := r.word(p.Exp.Word, e)
	if !w.Known || v.array {
		return value{text: r.text(p), from: v.from}
	}
	switch op {
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		return r.trim(p, v, w)
	case syntax.UpperAll:
		v.text = strings.ToUpper(v.text)
	case syntax.LowerAll:
		v.text = strings.ToLower(v.text)
	case syntax.UpperFirst:
		v.text = strings.ToUpper(v.text[:min(1, len(v.text))]) + v.text[min(1, len(v.text)):]
	case syntax.OtherParamOps:
		return r.transform(v, w.Text, p, e)
	case syntax.LowerFirst:
		v.text = strings.ToLower(v.text[:min(1, len(v.text))]) + v.text[min(1, len(v.text)):]
	default:
		return value{text: r.text(p), from: v.from}
	}
	return v
}

// transform applies ${x@U} and its like. ${x@P} expands the value once more.
func (r *reader) transform(v value, op string, p *syntax.ParamExp, e *env) value {
	switch op {
	case "U":
		v.text = strings.ToUpper(v.text)
	case "L":
		v.text = strings.ToLower(v.text)
	case "E":
		v.text = ansi(v.text)
	case "P":
		w := r.template(v.text, e)
		v.text, v.known = w.Text, w.Known
	default:
		return value{text: r.text(p), from: v.from}
	}
	return v
}

// maxTrim bounds a value that a pattern is tried against at every place.
const maxTrim = 1024

// trim applies ${x#p}, ${x##p}, ${x%p} and ${x%%p}.
func (r *reader) trim(p *syntax.ParamExp, v value, w Word) value {
	prefix := p.Exp.Op == syntax.RemSmallPrefix || p.Exp.Op == syntax.RemLargePrefix
	long := p.Exp.Op == syntax.RemLargePrefix || p.Exp.Op == syntax.RemLargeSuffix
	if !w.Glob {
		if prefix {
			v.text = strings.TrimPrefix(v.text, w.Text)
		} else {
			v.text = strings.TrimSuffix(v.text, w.Text)
		}
		return v
	}
	if len(v.text) > maxTrim || len(w.Text) > 64 || strings.Count(w.Text, "*") > 2 {
		return value{text: r.text(p), from: v.from}
	}
	// path.Match stops * at a slash and the shell does not: a character that is in neither stands in for it.
	slash := strings.NewReplacer("/", "\x01")
	s, pat := slash.Replace(v.text), slash.Replace(w.Text)
	for i := range len(s) + 1 {
		n := i // where the value is cut
		if long == prefix {
			n = len(s) - i
		}
		part := s[n:]
		if prefix {
			part = s[:n]
		}
		if ok, err := path.Match(pat, part); err != nil || !ok {
			continue
		}
		if prefix {
			v.text = v.text[n:]
		} else {
			v.text = v.text[:n]
		}
		return v
	}
	return v
}

// number works out arithmetic over numbers that are known.
func (r *reader) number(x syntax.ArithmExpr, e *env) (int, bool) {
	if !r.enter() {
		return 0, false
	}
	defer r.leave()
	switch x := x.(type) {
	case *syntax.Word:
		r.quiet++
		w := r.word(x, e)
		r.quiet--
		if n, err := strconv.Atoi(w.Text); err == nil && w.Known {
			return n, true
		}
		if syntax.ValidName(w.Text) {
			v := r.variable(w.Text, e)
			n, err := strconv.Atoi(v.text)
			return n, err == nil && v.known
		}
	case *syntax.ParenArithm:
		return r.number(x.X, e)
	case *syntax.UnaryArithm:
		n, ok := r.number(x.X, e)
		switch x.Op {
		case syntax.Minus:
			return -n, ok
		case syntax.Plus:
			return n, ok
		}
	case *syntax.BinaryArithm:
		return r.binary(x, e)
	}
	return 0, false
}

func (r *reader) binary(x *syntax.BinaryArithm, e *env) (int, bool) {
	a, ok1 := r.number(x.X, e)
	b, ok2 := r.number(x.Y, e)
	const big = 1 << 30
	if !ok1 || !ok2 || a > big || b > big || a < -big || b < -big {
		return 0, false
	}
	switch x.Op {
	case syntax.Add:
		return a + b, true
	case syntax.Sub:
		return a - b, true
	case syntax.Mul:
		return a * b, true
	case syntax.Quo, syntax.Rem:
		if b == 0 {
			return 0, false
		}
		if x.Op == syntax.Quo {
			return a / b, true
		}
		return a % b, true
	}
	return 0, false
}
