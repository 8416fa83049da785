package effect

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// dots is which names of a folder a pattern takes.
type dots uint8

const (
	allNames   dots = iota
	plainNames      // those that do not begin with a dot
	dotNames        // those that do
)

// dots reads what a pattern says of names that begin with a dot: a star does not stand for one, unless the shell was told
// otherwise.
func (r *reader) dots(pattern string) dots {
	switch {
	case strings.HasPrefix(pattern, "."):
		return dotNames
	case strings.HasPrefix(pattern, "{") || r.dotglob:
		return allNames
	}
	return plainNames
}

// shopt reads what a shell is told of patterns.
func (r *reader) shopt(c *shell.Command) {
	r.dotglob = r.dotglob || anyWord(c.Args, "dotglob globdots glob_dots GLOB_DOTS")
}

func (d dots) has(name string) bool {
	return d == allNames || strings.HasPrefix(name, ".") == (d == dotNames)
}

// maxMatches bounds the paths that a pattern stands for.
const maxMatches = 2000

// expand gives the paths of a target: itself, what its pattern matches, or a folder's content. What a bound leaves out it
// tells e.
func (l *looker) expand(t target, e *Effect) []string {
	switch {
	case t.glob:
		var out []string
		names, whole := l.matches(t.path)
		for _, n := range names {
			if fi, err := os.Lstat(n); !t.slash || err == nil && fi.IsDir() {
				out = append(out, n)
			}
		}
		e.AtLeast = e.AtLeast || !whole
		return out
	case t.all:
		es, err := os.ReadDir(t.real)
		if err != nil {
			return nil
		}
		var out []string
		for _, x := range es {
			if t.dots.has(x.Name()) && len(out) < maxEntries {
				out = append(out, filepath.Join(t.real, x.Name()))
			}
		}
		return out
	}
	return []string{t.real}
}

// matches are the paths that a pattern stands for. Two stars are any folders, as some shells have it and others can be
// told to.
func (l *looker) matches(pattern string) (names []string, whole bool) {
	top, rest, deep := strings.Cut(pattern, "/**/")
	if !deep || strings.ContainsAny(top, "*?[") || strings.Contains(rest, "/") {
		return shell.Glob(filepath.Dir(pattern), pattern, maxMatches)
	}
	rest, whole = strings.ReplaceAll(rest, "[!", "[^"), true
	_ = filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error { // what cannot be read matches nothing
		if l.entries++; l.spent() || len(names) >= maxMatches {
			whole = false
			return fs.SkipAll
		}
		if err != nil || p == top {
			return nil
		}
		name := d.Name()
		dot := strings.HasPrefix(name, ".")
		if ok, _ := filepath.Match(rest, name); ok && dot == strings.HasPrefix(rest, ".") { // a bad pattern matches nothing
			names = append(names, p)
		}
		if dot && d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	return names, whole
}
