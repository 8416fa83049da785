package shell

import (
	"slices"
	"strings"
)

// Flag is one option of a command. Combined short options stand apart, a shortened long option in full where the
// program's table tells it.
type Flag struct {
	Name  string // with its dashes: -r, --recursive
	Value Word
	Has   bool // a value was given
}

// Operands splits a command's arguments into options and operands, as its program reads them: options that take a value,
// what stands behind --, options before a subcommand (git -C dir push). A subcommand is the first operand. Programs that
// are not in the table are read by the common convention.
func (c *Command) Operands() ([]Flag, []Word) {
	p, ok := Lookup(c.Name)
	if !ok {
		p = &Program{}
	}
	x := p.parse(c.Args, true)
	return x.flags, x.operands
}

// Lookup finds a program in the table by its name or another name of it.
func Lookup(name string) (*Program, bool) {
	if i, ok := slices.BinarySearchFunc(aliases[:], name, func(a [2]string, s string) int { return strings.Compare(a[0], s) }); ok {
		name = aliases[i][1]
	}
	i, ok := slices.BinarySearchFunc(programs[:], name, func(p Program, s string) int { return strings.Compare(p.Name, s) })
	if !ok {
		return nil, false
	}
	return &programs[i], true
}

// parsed are the arguments of a program, read by its table.
type parsed struct {
	form     *Form
	sub      string
	flags    []Flag
	operands []Word
	assigns  []Word
	inner    int // where the inner command begins; -1: there is none
}

// parse reads arguments. With all it goes on behind the place where an inner command begins.
func (p *Program) parse(args []Word, all bool) *parsed {
	x := &parsed{form: &p.Form, inner: -1}
	left := x.form.Skip // operands before the inner command
	plain := false      // behind --
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		switch {
		case plain:
		case t == "--":
			plain = true
			if x.form.Dash && i+1 < len(args) {
				left = 0
			}
			continue
		case len(t) > 1 && t[0] == '-' && (t[1] != '-' || len(t) > 2), t == "-" && x.form.Opens == OpensEnv:
			i = x.option(args, i)
			continue
		}
		if x.form.Assigns && left == x.form.Skip && isAssign(args[i]) {
			x.assigns = append(x.assigns, args[i])
			continue
		}
		if !plain && p.sub(x, t) {
			left = x.form.Skip
			x.operands = append(x.operands, args[i])
			continue
		}
		if x.form.Opens.takesRest() && left == 0 && !(x.form.Dash && !plain) {
			x.inner = i
			if !all {
				return x
			}
			x.operands = append(x.operands, args[i:]...)
			return x
		}
		left = max(0, left-1)
		x.operands = append(x.operands, args[i])
	}
	if x.form.Dash && x.inner < 0 && !plain { // kubectl exec pod cmd, without the --
		if n := x.form.Skip + strings.Count(x.sub, " ") + min(1, len(x.sub)); x.sub != "" && n < len(x.operands) {
			x.inner = len(args) - (len(x.operands) - n)
		}
	}
	return x
}

// sub takes an operand that names a subcommand with an entry of its own.
func (p *Program) sub(x *parsed, word string) bool {
	name := word
	if x.sub != "" {
		name = x.sub + " " + word
	} else if len(x.operands) > 0 {
		return false
	}
	deeper := false
	for i := range p.Subs {
		s := &p.Subs[i]
		if s.Name == name {
			x.form, x.sub = &s.Form, name
			return true
		}
		deeper = deeper || strings.HasPrefix(s.Name, name+" ")
	}
	if deeper {
		x.sub = name
	}
	return deeper
}

// option reads the option at i and gives the index of its last word.
func (x *parsed) option(args []Word, i int) int {
	t, f := args[i].Text, x.form
	part := func(s string) Word { return Word{Text: s, Known: args[i].Known, Glob: args[i].Glob} }
	next := func(n Flag, pairs bool) int {
		if i+1 < len(args) {
			n.Value, n.Has = args[i+1], true
			i++
		}
		if pairs && i+1 < len(args) {
			i++
		}
		x.flags = append(x.flags, n)
		return i
	}
	if strings.HasPrefix(t, "--") || f.Single {
		name, val, eq := strings.Cut(t, "=")
		name = full(f.more().Long, name)
		if eq {
			x.flags = append(x.flags, Flag{Name: name, Value: part(val), Has: true})
			return i
		}
		if pairs := has(f.more().Pairs, name); pairs || has(f.Values, name) {
			return next(Flag{Name: name}, pairs)
		}
		if strings.HasPrefix(t, "--") || len(t) > 2 {
			x.flags = append(x.flags, Flag{Name: name})
			return i
		}
	}
	if len(t) > 2 && has(f.Values, t) { // a long option with one dash
		return next(Flag{Name: t}, false)
	}
	for j := 1; j < len(t); j++ {
		n := Flag{Name: "-" + t[j:j+1]}
		if !has(f.Values, n.Name) {
			x.flags = append(x.flags, n)
			continue
		}
		if j+1 < len(t) {
			n.Value, n.Has = part(t[j+1:]), true
			x.flags = append(x.flags, n)
			return i
		}
		return next(n, false)
	}
	return i
}

// value gives the last value of an option.
func (x *parsed) value(names string) (Word, bool) {
	for _, f := range slices.Backward(x.flags) {
		if f.Has && has(names, f.Name) {
			return f.Value, true
		}
	}
	return Word{}, false
}

// full completes a shortened long option. Of several that begin so it takes the one that begins the others too: --forc
// is read as --force, not as --force-with-lease.
func full(long, name string) string {
	if long == "" || has(long, name) || len(name) < 4 {
		return name
	}
	found := ""
	for l := range strings.FieldsSeq(long) {
		switch {
		case !strings.HasPrefix(l, name):
		case found == "" || strings.HasPrefix(found, l):
			found = l
		case !strings.HasPrefix(l, found):
			return name
		}
	}
	if found == "" {
		return name
	}
	return found
}

// has says that a word stands in a list of words with one blank between them.
func has(list, word string) bool {
	for word != "" && len(list) >= len(word) {
		i := strings.Index(list, word)
		if i < 0 {
			return false
		}
		end := i + len(word)
		if (i == 0 || list[i-1] == ' ') && (end == len(list) || list[end] == ' ') {
			return true
		}
		list = list[end:]
	}
	return false
}

// isAssign says that a word is NAME=value.
func isAssign(w Word) bool {
	name, _, ok := strings.Cut(w.Text, "=")
	if !ok || name == "" {
		return false
	}
	for i := range len(name) {
		c := name[i]
		if c != '_' && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (c < '0' || c > '9' || i == 0) {
			return false
		}
	}
	return true
}
