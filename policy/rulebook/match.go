package rulebook

import (
	"io/fs"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy/effect"
	"github.com/stepgate/stepgate/policy/shell"
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
	// target is the last that was looked at, spots what it stands for on this disk.
	target string
	spots  []spot
	// trees are the files below a folder, as far as they were listed.
	trees map[string][]string
}

// spot is a path, and where it leads once links are followed.
type spot struct{ named, real string }

// Bounds of a look at the disk; what lies past them is not seen.
const (
	maxSpots = 200  // files that a pattern in a command stands for
	maxBelow = 5000 // files and folders below a folder
)

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
	return acts, len(acts) > 0 || w.ofPrograms() && s.runs(w)
}

// ofPrograms says that a `when` names programs and asks for nothing that only an act has.
func (w *When) ofPrograms() bool {
	return len(w.Programs) > 0 && len(w.Acts)+len(w.With)+len(w.Paths)+len(w.Places)+len(w.Effects) == 0 && !w.Secret
}

// runs says that a command of the line is one of the programs, whatever it does: of most programs no act is known.
func (s *scene) runs(w *When) bool {
	for i := range s.p.Script.Commands {
		c := &s.p.Script.Commands[i]
		if c.Name != "" && anyGlob(w.Programs, c.Name) && !onlyTells(c.Args) && (len(w.Words) == 0 || hasWord(wordsOf(c), w.Words)) {
			return true
		}
	}
	return false
}

// onlyTells says that a program is asked about itself.
func onlyTells(args []shell.Word) bool {
	if len(args) != 1 {
		return false
	}
	switch args[0].Text {
	case "--help", "-h", "help", "--version", "-V", "version":
		return true
	}
	return false
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
		(len(w.Paths)+len(w.Except) == 0 || s.touches(w, a)) &&
		(!w.Secret || s.writesSecret(a))
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
	text := a.Target + " " + a.How
	if a.Command >= 0 && a.Command < len(s.p.Script.Commands) {
		text += " " + wordsOf(&s.p.Script.Commands[a.Command])
	}
	return text
}

// wordsOf are all words of a command.
func wordsOf(c *shell.Command) string {
	var b strings.Builder
	b.WriteString(c.Name + " " + strings.Join(c.Via, " "))
	for _, words := range [...][]shell.Word{c.Env, c.Args} {
		for _, w := range words {
			b.WriteString(" " + w.Text)
		}
	}
	return b.String()
}

// touches says that something an act touches fits a path of the policy and none of its exceptions. An act on a whole tree
// also touches what lies below: where a pattern begins with a place, there; else what is found on the disk.
func (s *scene) touches(w *When, a *effect.Act) bool {
	if a.Target == "" || !filepath.IsAbs(a.Target) {
		return len(w.Paths) == 0
	}
	s.look(a.Target)
	tree := a.Recursive && a.Picks == nil
	for _, at := range s.spots {
		if (len(w.Paths) == 0 || s.anyPath(w.Paths, at, tree)) && !s.anyPath(w.Except, at, false) {
			return true
		}
	}
	return a.Recursive && len(w.Paths) > 0 && s.touchesBelow(w, a)
}

func (s *scene) touchesBelow(w *When, a *effect.Act) bool {
	for _, pattern := range w.Paths {
		for _, at := range s.spots {
			top := at.named
			if !anywhere(pattern) {
				switch place := literal(s.rooted(pattern)); {
				case within(top, place) && a.Picks == nil:
					continue // seen without the disk
				case within(top, place):
					top = place
				case !within(place, top):
					continue
				}
			}
			for _, file := range s.below(top) {
				if (a.Picks == nil || a.Picks(file)) && s.path(pattern, file, false) && !s.anyPath(w.Except, spot{file, file}, false) {
					return true
				}
			}
		}
	}
	return false
}

// look finds what a target stands for.
func (s *scene) look(target string) {
	if s.target == target {
		return
	}
	s.target, s.spots = target, s.spots[:0]
	whole := true
	if strings.ContainsAny(target, "*?[") {
		var found []string
		found, whole = shell.Glob("/", target, maxSpots)
		for _, f := range found {
			s.spots = append(s.spots, spot{f, follow(f)})
		}
	}
	if len(s.spots) == 0 || !whole {
		s.spots = append(s.spots, spot{target, follow(target)})
	}
}

// below lists the files of a tree, but for those that tools bring back.
func (s *scene) below(top string) []string {
	if files, ok := s.trees[top]; ok {
		return files
	}
	var files []string
	seen := 0
	// An unreadable folder hides what it holds from this look as from the command.
	_ = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir
		case !d.IsDir():
			files = append(files, path)
		case d.Name() == ".git" || effect.Remade(d.Name()):
			return fs.SkipDir
		}
		if seen++; seen == maxBelow {
			return fs.SkipAll
		}
		return nil
	})
	if s.trees == nil {
		s.trees = make(map[string][]string, 1)
	}
	s.trees[top] = files
	return files
}

func (s *scene) anyPath(patterns []string, at spot, tree bool) bool {
	for _, pattern := range patterns {
		if s.path(pattern, at.named, tree) || at.real != at.named && s.path(pattern, at.real, tree) {
			return true
		}
	}
	return false
}

// anywhere: the pattern fits in whatever folder.
func anywhere(pattern string) bool {
	return strings.HasPrefix(pattern, "**/") || !strings.Contains(strings.TrimSuffix(pattern, "/"), "/")
}

// rooted gives a pattern from the root of the disk.
func (s *scene) rooted(pattern string) string {
	switch {
	case strings.HasPrefix(pattern, "~/"):
		return s.world.Home + pattern[1:]
	case !filepath.IsAbs(pattern):
		return s.world.Root + "/" + strings.TrimPrefix(pattern, "./")
	}
	return pattern
}

func (s *scene) path(pattern, target string, tree bool) bool {
	if anywhere(pattern) {
		// But what the folders above the project are called says nothing of it.
		if s.world.Root != "" && within(s.world.Root, target) {
			target = target[len(s.world.Root):]
		}
		return globPath("**/"+s.fold(strings.TrimPrefix(pattern, "**/")), s.fold(target))
	}
	pattern, target = s.fold(s.rooted(pattern)), s.fold(target)
	return globPath(pattern, target) || tree && within(target, literal(pattern))
}

func (s *scene) fold(text string) string {
	if s.world.FoldCase {
		return strings.ToLower(text)
	}
	return text
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
