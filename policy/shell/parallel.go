package shell

import (
	"path"
	"slices"
	"strings"
)

// parallel reads its template once for each row of arguments, which stand behind ::: or come in as lines.
func (r *reader) parallel(p *Program, c *Command, k *call, e *env, at place) {
	args, rows, ok := sources(c.Args)
	x := (&Program{Form: Form{Values: p.Values, Opens: OpensArgv}}).parse(args, false)
	t := template{}
	if x.inner >= 0 {
		t.words = args[x.inner:]
	}
	for _, f := range x.flags {
		switch f.Name {
		case "-I", "--rpl":
			mark, _, _ := strings.Cut(f.Value.Text, " ")
			t.marks = append(t.marks, mark)
		case "--pipe", "--pipepart":
			rows, ok = [][]Word{nil}, true
		case "-a", "--arg-file":
			ok = false
		}
	}
	if ok && len(rows) == 0 && len(args) == len(c.Args) { // no :::
		var items []Word
		items, ok = readItems(x, k.stdin, true)
		for _, it := range items {
			rows = append(rows, []Word{it})
		}
	}
	at.stdin = nil
	r.in(c.Name, func() {
		switch {
		case ok && len(rows) == 0:
			r.emit(c, e, at)
		case ok:
			for _, row := range rows {
				r.text1(r.filledIn(&t, row), e.child(), at)
			}
		case len(t.words) == 0:
			r.emit(c, e, at)
			r.emit(&Command{Name: "sh", Unsure: "runs lines that it reads"}, e, at)
		default:
			unknown := Word{Text: "{}", Known: true, Glob: true} // not quoted; marked as filled in below
			r.filled("{}", r.found(at), func() { r.line(r.filledIn(&t, []Word{unknown}).Text, e.child(), at) })
		}
	})
}

// sources cuts the arguments of parallel at the first ::: and combines what stands behind. Rows are nil where the
// arguments are read from standard input; the last result is false where a file holds them or there are too many.
func sources(args []Word) (own []Word, rows [][]Word, ok bool) {
	mark := func(w Word) bool { return strings.HasPrefix(w.Text, ":::") }
	i := slices.IndexFunc(args, mark)
	if i < 0 {
		return args, nil, true
	}
	own, args, rows = args[:i], args[i:], [][]Word{nil}
	for len(args) > 0 {
		items, rest := args[1:], []Word(nil)
		if i := slices.IndexFunc(items, mark); i >= 0 {
			items, rest = items[:i], items[i:]
		}
		if strings.HasPrefix(args[0].Text, "::::") || len(items)*len(rows) > maxItems {
			return own, nil, false
		}
		old := rows
		rows, args = nil, rest
		for _, row := range old {
			for _, it := range items {
				rows = append(rows, append(row[:len(row):len(row)], it))
			}
		}
	}
	return own, rows, true
}

// template is the line that parallel fills in.
type template struct {
	words []Word
	marks []string // what stands for an argument besides {}, {.}, {/}, {//}, {/.}, {1} and {1.}
}

// filledIn fills one row in where the line may grow by that much.
func (r *reader) filledIn(t *template, row []Word) Word {
	size, places, whole := len(quoteAll(row)), 1, 0
	for _, w := range t.words {
		whole += len(w.Text)
		places += strings.Count(w.Text, "{")
		for _, m := range t.marks {
			places += strings.Count(w.Text, m)
		}
	}
	if !r.grow(whole + (size+wordCost)*places) {
		return Word{Text: join(t.words)}
	}
	return t.line(row)
}

// line fills one row in. Arguments are quoted; where no place for them is named they stand at the end, and where there
// is no template at all they are the line.
func (t *template) line(row []Word) Word {
	if len(t.words) == 0 {
		return Word{Text: join(row), Known: known(row)}
	}
	filled := false
	parts := make([]string, 0, len(t.words)+1)
	for i, w := range t.words {
		s, did := t.fill(w.Text, row)
		if i > 0 && t.words[i-1].Text == "-c" && strings.Contains(w.Text, " ") {
			s = quoteAll([]Word{literal(s)}) // who wrote it meant a shell's one word, which -q would keep
		}
		parts, filled = append(parts, s), filled || did
	}
	if !filled && len(row) > 0 {
		parts = append(parts, quoteAll(row))
	}
	return Word{Text: strings.Join(parts, " "), Known: known(t.words) && known(row)}
}

func (t *template) fill(s string, row []Word) (string, bool) {
	filled := false
	for _, m := range t.marks {
		if m != "" && strings.Contains(s, m) {
			s, filled = strings.ReplaceAll(s, m, quoteAll(row)), true
		}
	}
	var b strings.Builder
	for {
		head, rest, open := strings.Cut(s, "{")
		b.WriteString(head)
		if !open {
			return b.String(), filled
		}
		name, tail, closed := strings.Cut(rest, "}")
		text, ok := argument(name, row)
		if !closed || !ok {
			b.WriteByte('{')
			s = rest
			continue
		}
		b.WriteString(text)
		s, filled = tail, true
	}
}

// argument gives what the name between braces stands for.
func argument(name string, row []Word) (string, bool) {
	form := strings.TrimLeft(name, "0123456789")
	list := row
	if n := name[:len(name)-len(form)]; n != "" {
		i := fdNumber(Word{Text: n})
		if i < 1 || i > len(row) {
			return "", len(row) > 0
		}
		list = row[i-1 : i]
	}
	switch form {
	case "#", "%":
		return "1", true
	case "", ".", "/", "//", "/.":
	default:
		return "", false
	}
	list = clone(list)
	for i := range list {
		s := &list[i].Text
		if *s == "{}" {
			continue // not known
		}
		switch form {
		case "//":
			*s = path.Dir(*s)
		case "/", "/.":
			*s = path.Base(*s)
		}
		if strings.HasSuffix(form, ".") {
			*s = strings.TrimSuffix(*s, path.Ext(*s))
		}
	}
	return quoteAll(list), true
}
