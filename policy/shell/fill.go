package shell

import (
	"slices"
	"strings"
)

// find reads what -exec and its like run. {} stands for what find comes upon under its starting points.
func (r *reader) find(c *Command, k *call, e *env, at place) {
	over := startingPoints(c.Args)
	for i := 0; i < len(c.Args); i++ {
		switch c.Args[i].Text {
		case "-exec", "-execdir", "-ok", "-okdir":
		default:
			continue
		}
		j := i + 1
		for j < len(c.Args) && c.Args[j].Text != ";" && (c.Args[j].Text != "+" || c.Args[j-1].Text != "{}") {
			j++
		}
		inner := *k
		inner.words, inner.redirs, inner.outer = c.Args[i+1:min(j, len(c.Args))], nil, true
		r.filled("{}", over, func() {
			r.runIn(c.Name+" "+c.Args[i].Text, &inner, e.child(), at)
		})
		i = j
	}
}

// startingPoints are the folders that find walks.
func startingPoints(args []Word) []Word {
	for i, w := range args {
		t := w.Text
		if t == "-H" || t == "-L" || t == "-P" || strings.HasPrefix(t, "-O") {
			continue
		}
		if strings.HasPrefix(t, "-") || t == "(" || t == "!" {
			if args = args[:i]; len(operandsOf(args)) == 0 {
				return []Word{literal(".")}
			}
			break
		}
	}
	return operandsOf(args)
}

func operandsOf(args []Word) []Word {
	var out []Word
	for _, w := range args {
		if !strings.HasPrefix(w.Text, "-") {
			out = append(out, w)
		}
	}
	return out
}

func (r *reader) fd(p *Program, c *Command, k *call, e *env, at place) {
	for i, w := range c.Args {
		switch w.Text {
		case "-x", "--exec", "-X", "--exec-batch":
			inner := *k
			inner.words, inner.redirs, inner.outer = c.Args[i+1:], nil, true
			if j := slices.IndexFunc(inner.words, func(w Word) bool { return w.Text == ";" }); j >= 0 {
				inner.words = inner.words[:j]
			}
			if !slices.ContainsFunc(inner.words, func(w Word) bool { return strings.Contains(w.Text, "{") }) {
				inner.words = append(clone(inner.words), literal("{}"))
			}
			over := p.parse(c.Args[:i], true).operands
			if len(over) < 2 {
				over = []Word{literal("."), literal(".")}
			}
			over = over[1:] // behind the pattern
			r.filled("{}", over, func() {
				r.runIn(c.Name+" "+w.Text, &inner, e.child(), at)
			})
			return
		}
	}
}

// filled reads a command in which mark stands for words that are not known.
func (r *reader) filled(mark string, over []Word, f func()) {
	m, o := r.mark, r.over
	r.mark, r.over = mark, over
	f()
	r.mark, r.over = m, o
}

// maxItems bounds the words that xargs and parallel are followed with one by one.
const maxItems = 64

// xargs adds the words it reads, where the line itself says what they are.
func (r *reader) xargs(name string, x *parsed, c *Command, k *call, e *env, at place) bool {
	words := rest(x, c)
	if len(words) == 0 {
		return false // it echoes
	}
	repl, each := "", false
	for _, f := range x.flags {
		switch f.Name {
		case "-I", "--replace", "-J", "-i":
			repl, each = "{}", true
			if f.Has {
				repl = f.Value.Text
			}
		}
	}
	in := k.stdin
	k.stdin, k.redirs = nil, nil
	e = e.child()
	at.stdin = nil
	if items, ok := readItems(x, in, each); ok {
		r.in(name, func() {
			if !each {
				k.words = append(clone(words), items...)
				r.run(k, e, at)
				return
			}
			for _, it := range items {
				if !r.grow(len(words)) {
					return
				}
				k.words = r.replaced(words, repl, it)
				r.run(k, e, at)
			}
		})
		return true
	}
	k.words = words
	if !each {
		repl = "{}"
		k.words = append(clone(words), literal(repl))
	}
	fed := r.fed
	r.fed = k.inputs
	r.filled(repl, r.found(at), func() {
		r.runIn(name, k, e, at)
	})
	r.fed = fed
	return true
}

// readItems splits what xargs reads, when that is known.
func readItems(x *parsed, in *feed, lines bool) ([]Word, bool) {
	if in == nil {
		return nil, false
	}
	if _, ok := x.value("-a --arg-file"); ok {
		return nil, false
	}
	text, ok := in.text()
	if !ok {
		return nil, false
	}
	split := func(c rune) bool { return c == '\n' || !lines && (c == ' ' || c == '\t') }
	if d, ok := x.value("-d --delimiter"); ok && d.Text != "" {
		text = strings.ReplaceAll(text, ansi(d.Text), "\n")
		split = func(c rune) bool { return c == '\n' }
	}
	for _, f := range x.flags {
		if f.Name == "-0" || f.Name == "--null" {
			split = func(c rune) bool { return c == 0 }
		}
	}
	var out []Word
	for _, s := range strings.FieldsFunc(text, split) {
		if len(out) == maxItems {
			return nil, false
		}
		out = append(out, literal(strings.Trim(s, `"'`)))
	}
	return out, true
}

// replaced puts a word in the place of a mark.
func (r *reader) replaced(words []Word, mark string, with Word) []Word {
	out := clone(words)
	for i, w := range out {
		n := strings.Count(w.Text, mark)
		switch {
		case mark == "" || n == 0:
		case !r.grow(n * len(with.Text)):
			out[i].Known = false
		default:
			out[i] = Word{Text: strings.ReplaceAll(w.Text, mark, with.Text), Known: w.Known && with.Known, Glob: w.Glob || with.Glob}
		}
	}
	return out
}

// found gives the starting points of a find that stands earlier in the same pipeline.
func (r *reader) found(at place) []Word {
	if !at.piped {
		return nil
	}
	for _, c := range slices.Backward(r.out) {
		if c.Group == at.group && c.Stage < at.stage && (c.Name == "find" || c.Name == "gfind") {
			return startingPoints(c.Args)
		}
	}
	return nil
}
