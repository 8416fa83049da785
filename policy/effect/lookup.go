package effect

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

// Bounds of the look-ups of one call.
const (
	maxEntries = 20_000 // files and folders walked; past it the counts are lower limits
	maxNames   = 3
	patience   = time.Second // where the world names none
)

// looker does the look-ups of one call: it counts what they cost together and remembers what git said.
type looker struct {
	w       *World
	repo    Repo
	now     func() time.Time
	end     time.Time
	entries int
	states  []*state
	// found are the answers of look-ups, by their questions.
	found map[string][]Effect
	// marks are the files by which a tool has marked a folder, empty for none.
	marks map[string]string
	// names counts, of files with several names, those that the line does not delete.
	names map[inode]uint64
	// unseen: the line also takes files that are not looked up, so that another name may be no help.
	unseen bool
	// dropped are the refs that the line has deleted or moved so far.
	dropped []string
}

// lookUp runs the look-ups that the acts asked for.
func (r *reader) lookUp() []Effect {
	if len(r.looks) == 0 {
		return nil
	}
	l := &looker{w: r.w, repo: r.w.Repo, now: r.w.Now}
	wait := cmp.Or(r.w.Patience, patience)
	if l.repo == nil {
		l.repo = gitRepo{home: r.w.Home, wait: 2 * wait}
	}
	if l.now == nil {
		l.now = time.Now
	}
	l.end = l.now().Add(wait)
	l.repo = &recalled{repo: &asked{repo: l.repo, look: l}}
	for i := range r.acts {
		a := &r.acts[i]
		l.unseen = l.unseen || (a.Kind == Delete || a.Kind == Overwrite) && (a.Place == InTemp || a.Unsure != "")
	}
	var out []Effect
	for _, k := range r.looks {
		found := k.run(l)
		for _, e := range found {
			e.Act = k.act
			out = append(out, e)
		}
		r.carry(k.act, found)
		if a := &r.acts[k.act]; a.Kind == Delete && allRemade(found) {
			a.NoLoss = true
		} else if len(found) == 0 {
			a.NoLoss = a.Kind == Rewrite || a.Kind == Publish || a.Kind == Database || a.Kind == Delete && k.names && a.Place != InProject && a.Place != InTemp
		}
	}
	return out
}

// allRemade: tools bring back each file that was found.
func allRemade(found []Effect) bool {
	for _, e := range found {
		if e.Remade < max(1, e.Files) || e.AtLeast || e.Unknown != "" {
			return false
		}
	}
	return len(found) > 0
}

// asked bounds the questions to git of one call, of which two may be put at a time. After one that was not answered in
// time no other is put: what holds git up, a pipe in place of one of its files, holds it up again.
type asked struct {
	repo Repo
	look *looker
	n    atomic.Int32
	late atomic.Bool
}

// maxAsked is far above what a person's line needs: most need three.
const maxAsked = 60

var errSpent = errors.New("more questions to git than the gate asks")

func (a *asked) Git(dir string, args ...string) ([]byte, error) {
	if n := a.n.Add(1); n > maxAsked || a.late.Load() || n > 3 && a.look.now().After(a.look.end) {
		return nil, errSpent
	}
	out, err := a.repo.Git(dir, args...)
	if errors.Is(err, context.DeadlineExceeded) {
		a.late.Store(true)
	}
	return out, err
}

// spent says that a bound is reached.
func (l *looker) spent() bool {
	return l.entries > maxEntries || l.entries%256 == 0 && l.now().After(l.end)
}

// entry is one file that an act covers.
type entry struct {
	path string
	size int64
	file inode // where the file has other names
}

// inode is a file, whatever its names.
type inode struct{ dev, ino uint64 }

// named gives the file that is deleted by one of its names, where it has others.
func (l *looker) named(fi fs.FileInfo) inode {
	id, n := links(fi)
	if n < 2 {
		return inode{}
	}
	if l.names == nil {
		l.names = map[inode]uint64{}
	}
	if _, seen := l.names[id]; !seen {
		l.names[id] = n
	}
	l.names[id]--
	return id
}

// elsewhere: a file keeps a name that the line does not delete.
func (l *looker) elsewhere(f *entry) bool {
	n := l.names[f.file]
	return n > 0 && n < 1<<32 && !l.unseen
}

// deleted looks up what a delete of one target loses.
func (l *looker) deleted(act int, t target, rec bool, f filter) []Effect {
	if t.real == "" || isWindows(t.real) {
		if t.place == InProject {
			return nil
		}
		return []Effect{{Kind: "unknown", Target: t.text, Unknown: "the path is not of this disk"}}
	}
	key := t.real + "\x00" + f.key()
	if rec {
		key += "r"
	}
	if t.all || t.glob {
		key += "\x00" + t.text
	}
	return l.once("delete\x00"+key, func() []Effect { return l.delete(act, t, rec, f) })
}

func (l *looker) delete(act int, t target, rec bool, f filter) []Effect {
	if dir, ok := strings.CutSuffix(t.real, "/.git"); ok && rec && dir != l.w.Root && isDir(t.real) && hasRemotes(dir) {
		return l.clones(dir, 0) // its files stay, and its remotes have the commits that they have
	}
	e := Effect{Kind: "files", Target: t.real, Act: act}
	paths := l.expand(t, &e)
	var files []entry
	for _, p := range paths {
		files = l.walk(p, rec || t.all, f, &e, files)
	}
	if e.Unknown == "" && !e.AtLeast && len(files) == 0 && e.Lost == 0 {
		return nil
	}
	nested := e.Lost > 0
	l.classify(files, &e)
	if !nested { // the commits of a repository inside are counted, its files are not
		e.keep(paths, files, f)
	}
	return []Effect{e}
}

// walk collects the files below p. Links are not followed: a delete takes the link.
func (l *looker) walk(p string, rec bool, f filter, e *Effect, files []entry) []entry {
	fi, err := os.Lstat(p)
	if err != nil {
		return files
	}
	for _, x := range f.except {
		if filepath.Base(p) == x {
			return files
		}
	}
	if !fi.IsDir() {
		l.entries++
		if fi.Mode().IsRegular() && f.match(p, p) {
			files = append(files, entry{p, fi.Size(), l.named(fi)})
		}
		return files
	}
	if !rec {
		return files // rm without -r refuses a folder
	}
	_ = filepath.WalkDir(p, func(path string, d fs.DirEntry, err error) error { // the walk's errors are counted below
		l.entries++
		if l.spent() {
			e.AtLeast = true
			return fs.SkipAll
		}
		if err != nil {
			e.Unknown = "a folder could not be read"
			return nil
		}
		if d.IsDir() {
			if d.Name() == ".git" && path != p {
				l.nested(filepath.Dir(path), e)
				return fs.SkipDir
			}
			return nil
		}
		if d.Name() == ".git" && d.Type().IsRegular() {
			return nil // it says where the repository of a linked tree lies
		}
		if d.Type().IsRegular() && f.match(p, path) {
			f := entry{path: path}
			if fi, err := d.Info(); err == nil {
				f.size, f.file = fi.Size(), l.named(fi)
			}
			files = append(files, f)
		}
		return nil
	})
	return files
}

// nested counts a repository inside a folder that goes: its commits that no remote has are lost.
func (l *looker) nested(dir string, e *Effect) {
	if dir == l.w.Root {
		e.Lost++
		e.Names = appendName(e.Names, ".git")
		return
	}
	n, err := l.count(dir, "--branches", "--glob=refs/stas[h]", "--not", "--remotes")
	switch {
	case err != nil:
		e.Lost++
	case n > 0:
		e.Lost += n
		e.Names = appendName(e.Names, filepath.Base(dir)+" (commits that no remote has)")
	}
}

// clones counts the commits and stashes that no remote has, in the repositories of a temporary folder, and in a tree
// linked to the project whatever is not committed too.
func (l *looker) clones(dir string, depth int) []Effect {
	if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
		switch {
		case l.w.Root != "" && commonDir(dir) == commonDir(l.w.Root):
			return l.worktree(dir)
		case !hasRemotes(dir):
			return nil
		}
		n, err := l.count(dir, "--branches", "--glob=refs/stas[h]", "--not", "--remotes")
		if err != nil || n == 0 {
			return nil
		}
		return []Effect{{Kind: "commits", Target: dir, Lost: n}}
	}
	var out []Effect
	es, _ := os.ReadDir(dir) // a folder that cannot be read cannot be deleted either
	for _, e := range es {
		if l.entries++; e.IsDir() && depth > 0 && !l.spent() {
			out = append(out, l.clones(filepath.Join(dir, e.Name()), depth-1)...)
		}
	}
	return out
}

// hasRemotes: a repository without a remote is a scratch one.
func hasRemotes(dir string) bool {
	return strings.Contains(readBounded(filepath.Join(commonDir(dir), "config")), "[remote ")
}

// classify counts which of the files exist nowhere else.
func (l *looker) classify(files []entry, e *Effect) {
	if e.AtLeast && len(files) == 0 {
		e.Unknown = "more entries than the gate looks at"
	}
	groups := map[string][]entry{}
	var roots []string // in the order of the files
	dir, root := "", ""
	for _, f := range files {
		e.Files++
		e.Bytes += f.size
		if d := filepath.Dir(f.path); d != dir { // a folder's files come one after another
			dir, root = d, repoRoot(d)
		}
		if groups[root] == nil {
			roots = append(roots, root)
		}
		groups[root] = append(groups[root], f)
	}
	for _, root := range roots {
		for _, f := range l.lost(root, groups[root], e) {
			if !l.made(f.path) && !l.elsewhere(&f) {
				e.Lost++
				e.Names = appendName(e.Names, l.name(f.path))
				e.Keep.Lost = append(e.Keep.Lost, f.path)
			}
		}
	}
	if e.AtLeast && e.Lost == 0 && e.Files > 0 && !l.allRegenerable(files) {
		e.Unknown = "more entries than the gate looks at"
	}
}

func (l *looker) allRegenerable(files []entry) bool {
	for _, f := range files {
		if !regenerable(within(l.base(f.path), f.path), true) {
			return false
		}
	}
	return true
}

// base is the folder that a file's path is read from when its names are looked at: the repository it lies in, else the
// project, else the home folder.
func (l *looker) base(p string) string {
	if root := repoRoot(filepath.Dir(p)); root != "" {
		return root
	}
	for _, d := range [...]string{l.w.Root, l.w.Home} {
		if d != "" && l.w.within(p, d) {
			return d
		}
	}
	return "/"
}

// within writes p from base; a path that is not below it stays whole.
func within(base, p string) string {
	if rel, err := filepath.Rel(base, p); err == nil && !strings.HasPrefix(rel, "..") {
		return rel
	}
	return p
}

// Absent says that nothing is at a path, not even a link.
//
//go:noinline
func Absent(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

func (l *looker) made(p string) bool { return l.w.Made != nil && l.w.Made(p) }

// lost gives the files of one repository, or of none, that nothing can bring back.
func (l *looker) lost(root string, files []entry, e *Effect) []entry {
	base := root
	if base == "" && len(files) > 0 {
		base = l.base(files[0].path)
	}
	var rest []entry
	for _, f := range files {
		switch remade := regenerable(within(base, f.path), false) && !orphaned(f.path) || l.environment(f.path, base); {
		case remade:
			e.Remade++
		case f.size > 0:
			rest = append(rest, f)
		}
	}
	if len(rest) == 0 {
		return nil
	}
	if root == "" {
		return dropIgnorable(rest, l.w)
	}
	s := l.state(root)
	var paths []string
	for _, f := range rest {
		paths = append(paths, f.path)
	}
	if err := s.load(l, common(paths)); err != nil {
		e.Unknown = "git could not be asked"
		return nil
	}
	outside := root != l.w.Root && !l.w.within(root, l.w.Root) && (l.w.Root == "" || commonDir(root) != commonDir(l.w.Root))
	var out []entry
	for _, f := range rest {
		rel, err := filepath.Rel(root, f.path)
		if err != nil {
			out = append(out, f)
			continue
		}
		switch s.status(l, rel) {
		case clean:
			if outside {
				out = append(out, f) // another project's files are not this call's to lose, though git has them
			}
		case ignored:
			if regenerable(rel, true) {
				e.Remade++
			} else {
				out = append(out, f)
			}
		default:
			out = append(out, f)
		}
	}
	if !outside {
		out = l.stored(root, out, s)
	}
	return out
}

// orphaned: a notebook's checkpoint whose notebook is gone is the only copy there is.
func orphaned(path string) bool {
	name, is := strings.CutSuffix(filepath.Base(path), "-checkpoint.ipynb")
	return is && Absent(filepath.Join(filepath.Dir(filepath.Dir(path)), name+".ipynb"))
}

// environment says that a file lies in a folder that a tool has marked as a cache, or belongs to an environment of Python.
// What a person keeps in there beside it does not.
func (l *looker) environment(path, base string) bool {
	name := filepath.Base(path)
	if strings.HasPrefix(name, ".env") || isState(name) {
		return false
	}
	for d := filepath.Dir(path); len(d) > len(base) && strings.HasPrefix(d, base); d = filepath.Dir(d) {
		mark, known := l.marks[d]
		if !known {
			switch {
			case !Absent(filepath.Join(d, "pyvenv.cfg")):
				mark = "pyvenv.cfg"
			case !Absent(filepath.Join(d, "CACHEDIR.TAG")):
				mark = "CACHEDIR.TAG"
			}
			if l.marks == nil {
				l.marks = map[string]string{}
			}
			l.marks[d] = mark
		}
		if mark == "CACHEDIR.TAG" || mark != "" && in(firstName(path, d), venvOwn) {
			return true
		}
	}
	return false
}

// dropIgnorable leaves out build output of a project that is under no version control, known by a marker beside it.
func dropIgnorable(files []entry, w *World) []entry {
	var out []entry
	for _, f := range files {
		if w.Root != "" && w.within(f.path, w.Root) && regenerable(within(w.Root, f.path), true) && hasMarker(w.Root) {
			continue
		}
		out = append(out, f)
	}
	return out
}

func hasMarker(dir string) bool {
	for _, m := range [...]string{"package.json", "Makefile", "go.mod", "Cargo.toml", "pyproject.toml", "setup.py", "pom.xml", "build.gradle", "CMakeLists.txt", "tsconfig.json", "Gemfile", "composer.json"} {
		if _, err := os.Lstat(filepath.Join(dir, m)); err == nil {
			return true
		}
	}
	return false
}

// overwritten looks up whether a file that is replaced exists anywhere else; from is what it is replaced by, if a file.
func (l *looker) overwritten(act int, path, from string) []Effect {
	return l.once("replace\x00"+path+"\x00"+from, func() []Effect { return l.replaced(act, path, from) })
}

func (l *looker) replaced(act int, path, from string) []Effect {
	if isWindows(path) {
		return nil
	}
	if l.w.place(path) == InTemp && repoRoot(filepath.Dir(path)) == "" {
		return nil
	}
	if l.w.ownNotes(path) {
		return nil
	}
	fi, err := os.Lstat(path)
	if err != nil || !fi.Mode().IsRegular() || fi.Size() == 0 || from != "" && alike(from, path) {
		return nil
	}
	e := Effect{Kind: "content", Target: path, Act: act}
	l.classify([]entry{{path: path, size: fi.Size()}}, &e)
	if !e.Loses() {
		return nil
	}
	return []Effect{e}
}

// ownNotes are files that an agent keeps for itself: plans, memory, to-dos.
func (w *World) ownNotes(p string) bool {
	for _, d := range [...]string{"/.claude/plans", "/.claude/projects", "/.claude/todos", "/.codex/memories"} {
		if w.Home != "" && w.within(p, w.Home+d) {
			return true
		}
	}
	return false
}

// name is how a reason calls a file: by its path from the project's root, or whole.
func (l *looker) name(p string) string {
	if rel, ok := strings.CutPrefix(p, l.w.Root+"/"); ok && l.w.Root != "" {
		return rel
	}
	if rel, ok := strings.CutPrefix(p, l.w.Home+"/"); ok && l.w.Home != "" {
		return "~/" + rel
	}
	return p
}

func appendName(names []string, n string) []string {
	if len(names) < maxNames {
		names = append(names, n)
	}
	return names
}

// common is the deepest folder that holds all the paths, or the path itself when it is one.
func common(paths []string) string {
	if len(paths) == 0 {
		return ""
	}
	c := paths[0]
	for _, p := range paths[1:] {
		for c != "/" && p != c && !strings.HasPrefix(p, c+"/") {
			c = filepath.Dir(c)
		}
	}
	return c
}
