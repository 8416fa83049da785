package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// Small helpers that are called in dozens of places are marked go:noinline, here and in the package's other files: put in
// each place they cost 100 KB of the program, and a call's time does not show beside one read of the disk.

// argv is a command's arguments, split into flags and operands.
type argv struct {
	flags []flag
	ops   []shell.Word
}

type flag struct {
	name string // with its dashes
	val  shell.Word
	has  bool // a value was given
}

// split reads arguments by the common convention: -x, -xy, -xVALUE, --long, --long=value, -- ends the flags. Valued
// names, with a blank around each, the flags that take the next word: " -o --output ".
func split(args []shell.Word, valued string) argv {
	var a argv
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		switch {
		case t == "--":
			a.ops = append(a.ops, args[i+1:]...)
			return a
		case strings.HasPrefix(t, "--"):
			i = a.long(args, i, valued)
		case len(t) > 1 && t[0] == '-' && t != "-":
			i = a.short(args, i, valued)
		default:
			a.ops = append(a.ops, args[i])
		}
	}
	return a
}

func (a *argv) long(args []shell.Word, i int, valued string) int {
	name, val, has := strings.Cut(args[i].Text, "=")
	f := flag{name: name, has: has, val: shell.Word{Text: val, Known: args[i].Known, Glob: args[i].Glob}}
	if !has && listed(valued, name) && i+1 < len(args) {
		i++
		f.val, f.has = args[i], true
	}
	a.flags = append(a.flags, f)
	return i
}

func (a *argv) short(args []shell.Word, i int, valued string) int {
	t := args[i].Text
	if listed(valued, t) && len(t) > 2 { // a long flag with one dash: terraform -target, find -name
		if i+1 < len(args) {
			a.flags = append(a.flags, flag{name: t, val: args[i+1], has: true})
		}
		return i + 1
	}
	for j := 1; j < len(t); j++ {
		name := "-" + t[j:j+1]
		if !listed(valued, name) {
			a.flags = append(a.flags, flag{name: name})
			continue
		}
		f := flag{name: name, has: true, val: shell.Word{Text: t[j+1:], Known: args[i].Known}}
		if j+1 == len(t) {
			f.has = i+1 < len(args)
			if f.has {
				i++
				f.val = args[i]
			}
		}
		a.flags = append(a.flags, f)
		break
	}
	return i
}

func listed(list, name string) bool { return in(name, list) }

// has says that one of the flags stands there. A long name may be shortened, as GNU tools and git allow.
func (a argv) has(names ...string) bool {
	_, ok := a.get(names...)
	return ok
}

// count is how often flags of these names stand there.
func (a argv) count(names ...string) (n int) {
	for _, f := range a.flags {
		if contains(names, f.name) {
			n++
		}
	}
	return n
}

func (a argv) get(names ...string) (flag, bool) {
	for _, f := range a.flags {
		for _, n := range names {
			if f.name == n || len(f.name) > 2 && strings.HasPrefix(n, f.name) && strings.HasPrefix(n, "--") {
				return f, true
			}
		}
	}
	return flag{}, false
}

// values are all values given to the flags.
//
//go:noinline
func (a argv) values(names ...string) []shell.Word {
	var out []shell.Word
	for _, f := range a.flags {
		for _, n := range names {
			if f.has && (f.name == n || len(f.name) > 4 && strings.HasPrefix(n, f.name)) {
				out = append(out, f.val)
				break
			}
		}
	}
	return out
}

func (a argv) op(i int) string {
	if i >= 0 && i < len(a.ops) {
		return a.ops[i].Text
	}
	return ""
}

// words are the arguments' texts.
//
//go:noinline
func words(args []shell.Word) []string {
	out := make([]string, len(args))
	for i, w := range args {
		out[i] = w.Text
	}
	return out
}

// hasArg says that one of the arguments is exactly one of the words.
//
//go:noinline
func hasArg(args []shell.Word, ws ...string) bool {
	for _, a := range args {
		for _, w := range ws {
			if a.Text == w {
				return true
			}
		}
	}
	return false
}

// in says that s is one of the list's blank-separated words. It is asked many times for every command, so it neither
// copies nor splits.
func in(s, list string) bool {
	if s == "" || strings.IndexByte(s, ' ') >= 0 {
		return false
	}
	for from := 0; ; {
		i := strings.Index(list[from:], s)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(s)
		if (i == 0 || list[i-1] == ' ') && (end == len(list) || list[end] == ' ') {
			return true
		}
		from = i + 1
	}
}
