package rulebook

import (
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy/effect"
)

// Hit is a policy that a call breaks for certain, and by which of its acts; none where the tool alone tells.
type Hit struct {
	*Policy
	Acts []int
}

// Match gives the policies that a call breaks for certain, in the book's order.
func (b *Book) Match(c agent.Call, p effect.Prediction, w *effect.World) []Hit {
	if len(p.Acts) == 0 && !b.Own {
		return nil
	}
	s := scene{call: c, p: p, world: w}
	var out []Hit
	for i := range b.Policies {
		q := &b.Policies[i]
		if q.When == nil {
			continue
		}
		if acts, ok := s.fits(q.When); ok {
			out = append(out, Hit{q, acts})
		}
	}
	return out
}

// scene is the call that policies are held against.
type scene struct {
	call  agent.Call
	p     effect.Prediction
	world *effect.World
	// real remembers where the last target leads once links are followed.
	target, real string
}

// fits says that a call meets all conditions, and by which acts.
func (s *scene) fits(w *When) (acts []int, ok bool) {
	if len(w.Tools) > 0 && !anyGlob(w.Tools, s.call.Tool) {
		return nil, false
	}
	if !w.ofActs() {
		return nil, len(w.Words) == 0 || hasWord(s.call.Tool+" "+s.call.Input, w.Words)
	}
	for i := range s.p.Acts {
		if s.act(w, i) {
			acts = append(acts, i)
		}
	}
	return acts, len(acts) > 0
}

// ofActs says that a `when` looks at what the call does, and not only at its tool and words.
func (w *When) ofActs() bool {
	return len(w.Acts)+len(w.With)+len(w.Programs)+len(w.Paths)+len(w.Places)+len(w.Effects) > 0 || w.Secret
}

// act says that one act meets all conditions, the cheap ones first.
func (s *scene) act(w *When, i int) bool {
	a := &s.p.Acts[i]
	return (len(w.Acts) == 0 || contains(w.Acts, string(a.Kind))) &&
		(len(w.Places) == 0 || contains(w.Places, string(a.Place))) &&
		(len(w.Programs) == 0 || anyGlob(w.Programs, filepath.Base(a.Program)) || anyGlob(w.Programs, firstWord(a.How))) &&
		(len(w.With) == 0 || s.with(w.With, a.Command)) &&
		(len(w.Effects) == 0 || s.loses(w.Effects, i)) &&
		(len(w.Words) == 0 || hasWord(s.words(a), w.Words)) &&
		(len(w.Paths) == 0 || s.paths(w.Paths, a, true)) &&
		(!w.Secret || s.writesSecret(a)) &&
		(len(w.Except) == 0 || !s.paths(w.Except, a, false))
}

// with says that the same command also does something else.
func (s *scene) with(kinds []string, command int) bool {
	for _, a := range s.p.Acts {
		if a.Command == command && contains(kinds, string(a.Kind)) {
			return true
		}
	}
	return false
}

// loses says that the act loses something of these kinds, as far as was found.
func (s *scene) loses(kinds []string, act int) bool {
	for _, e := range s.p.Effects {
		if e.Act == act && e.Loses() && (contains(kinds, e.Kind) || contains(kinds, "any")) {
			return true
		}
	}
	return false
}

// words are those of an act: its target, what makes it so, and the command it stands in.
func (s *scene) words(a *effect.Act) string {
	var b strings.Builder
	b.WriteString(a.Target + " " + a.How)
	if a.Command >= 0 && a.Command < len(s.p.Script.Commands) {
		c := &s.p.Script.Commands[a.Command]
		b.WriteString(" " + c.Name)
		b.WriteString(" " + strings.Join(c.Via, " "))
		for _, e := range c.Env {
			b.WriteString(" " + e.Text)
		}
		for _, arg := range c.Args {
			b.WriteString(" " + arg.Text)
		}
	}
	return b.String()
}

// paths says that what an act touches fits a pattern, as it is named or where its links lead. below also takes an act on
// a whole tree that holds the place which a pattern begins with.
func (s *scene) paths(patterns []string, a *effect.Act, below bool) bool {
	if a.Target == "" || !filepath.IsAbs(a.Target) {
		return false
	}
	if s.target != a.Target {
		s.target, s.real = a.Target, follow(a.Target)
	}
	for _, pattern := range patterns {
		if s.path(pattern, s.target, below && a.Recursive) || s.real != s.target && s.path(pattern, s.real, below && a.Recursive) {
			return true
		}
	}
	return false
}

func (s *scene) path(pattern, target string, tree bool) bool {
	if s.world.FoldCase {
		pattern, target = strings.ToLower(pattern), strings.ToLower(target)
	}
	switch {
	case strings.HasPrefix(pattern, "**/") || !strings.Contains(strings.TrimSuffix(pattern, "/"), "/"):
		// Anywhere, but what the folders above the project are called says nothing of it.
		if s.world.Root != "" && within(s.world.Root, target) {
			target = target[len(s.world.Root):]
		}
		return globPath("**/"+strings.TrimPrefix(pattern, "**/"), target)
	case strings.HasPrefix(pattern, "~/"):
		pattern = s.world.Home + pattern[1:]
	case !filepath.IsAbs(pattern):
		pattern = s.world.Root + "/" + strings.TrimPrefix(pattern, "./")
	}
	return globPath(pattern, target) || tree && within(target, literal(pattern))
}

// follow gives the path without links, as far as it exists.
func follow(path string) string {
	rest := ""
	for dir := path; ; dir = filepath.Dir(dir) {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest)
		}
		if dir == filepath.Dir(dir) {
			return path
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}

// within compares whole elements of clean paths.
func within(dir, path string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

// literal is the folder that a pattern begins with, before anything that stands for more than itself.
func literal(pattern string) string {
	if i := strings.IndexAny(pattern, "*?"); i >= 0 {
		pattern = pattern[:i]
		pattern = pattern[:strings.LastIndexByte(pattern, '/')+1]
	}
	if pattern = strings.TrimRight(pattern, "/"); pattern == "" {
		return "/"
	}
	return pattern
}

// globPath matches a path, or a folder above it, by elements: ** stands for any number of them. It goes back to the last
// ** alone, so it is done in the product of both lengths at most.
func globPath(pattern, path string) bool {
	pattern, path = strings.Trim(pattern, "/"), strings.Trim(path, "/")
	var backPattern, backPath string
	back := false
	for {
		if pattern == "" {
			return true // all below a folder that fits
		}
		element, restPattern, _ := strings.Cut(pattern, "/")
		if element == "**" {
			if restPattern == "" {
				return true
			}
			pattern, backPattern, backPath, back = restPattern, restPattern, path, true
			continue
		}
		name, restPath, more := strings.Cut(path, "/")
		if name != "" && glob(element, name) {
			pattern, path = restPattern, restPath
			if more || pattern == "" {
				continue
			}
		}
		if !back || backPath == "" {
			return false
		}
		_, backPath, _ = strings.Cut(backPath, "/")
		pattern, path = backPattern, backPath
		if path == "" {
			return false
		}
	}
}

// glob matches a name: * stands for any run of characters, ? for one byte.
func glob(pattern, name string) bool {
	star, mark := -1, 0
	i := 0
	for j := 0; j < len(name); {
		switch {
		case i < len(pattern) && pattern[i] == '*':
			star, mark = i, j
			i++
		case i < len(pattern) && (pattern[i] == '?' || pattern[i] == name[j]):
			i++
			j++
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[i:], "*") == ""
}

func anyGlob(patterns []string, name string) bool {
	for _, p := range patterns {
		if glob(p, name) {
			return true
		}
	}
	return false
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func firstWord(s string) string {
	s, _, _ = strings.Cut(s, " ")
	return s
}

// hasWord says that one of the words stands in a text as a whole word, in whatever case.
func hasWord(text string, words []string) bool {
	for text != "" {
		from := strings.IndexFunc(text, inWord)
		if from < 0 {
			return false
		}
		text = text[from:]
		to := strings.IndexFunc(text, func(r rune) bool { return !inWord(r) })
		if to < 0 {
			to = len(text)
		}
		for _, w := range words {
			if strings.EqualFold(text[:to], w) {
				return true
			}
		}
		text = text[to:]
	}
	return false
}

func inWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
