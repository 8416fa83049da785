package effect

import (
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
)

// cleanMode is which untracked files git clean takes: nested repositories only when told twice, none of the names in
// except.
type cleanMode struct {
	dirs, ignored, onlyIgnored, nested bool
	except                             []string
}

// unknownGit is the effect of an act whose repository could not be asked.
//
//go:noinline
func unknownGit(kind, target string) []Effect {
	return []Effect{{Kind: kind, Target: target, Unknown: "git could not be asked"}}
}

// noRepository: git would fail here. Where the line goes is then not what the gate thinks it is, so it is not called
// clean.
//
//go:noinline
func noRepository(kind, dir string) []Effect {
	return []Effect{{Kind: kind, Target: dir, Unknown: "there is no repository here to look at"}}
}

// changes counts the tracked files below the paths whose content would be discarded. With staged, what is staged goes
// too.
func (l *looker) changes(dir string, paths []string, staged bool) []Effect {
	key := "changes\x00" + dir + "\x00" + strings.Join(paths, "\x00")
	if staged {
		key += "\x00\x00staged"
	}
	return l.once(key, func() []Effect { return l.uncommitted(dir, paths, staged) })
}

func (l *looker) uncommitted(dir string, paths []string, staged bool) []Effect {
	root := repoRoot(dir)
	if root == "" {
		return noRepository("changes", dir)
	}
	s := l.state(root)
	under := root
	scopes := scopesOf(root, dir, paths)
	if len(scopes) > 0 {
		under = common(scopes)
	}
	if err := s.load(l, under); err != nil {
		return unknownGit("changes", dir)
	}
	lost := map[string]bool{}
	gone := len(s.gone)
	e := Effect{Kind: "changes", Target: root}
	entries := s.in(scopes, dir, paths)
	if len(entries) == 0 && len(scopes) > 0 {
		return l.unmatched(root, paths)
	}
	if len(entries) > 4*maxEntries {
		entries, e.AtLeast = entries[:4*maxEntries], true
	}
	var index []byte
	var err error
	var wait sync.WaitGroup
	if staged { // git looks at the index while the files are looked at here
		wait.Go(func() { index, err = l.diffIndex(s) })
	}
	for _, t := range s.doubtful(entries) {
		if !s.same(t) && !l.merged(s, t) {
			lost[t.name] = true
		}
	}
	wait.Wait()
	e.Keep = Keep{Repo: root, Scope: scopes, Changed: append([]string(nil), s.gone[gone:]...)}
	if staged {
		if err == nil {
			e.Keep.Staged = &index
		}
		names, err := l.staged(root, index, err)
		if err != nil {
			return unknownGit("changes", dir)
		}
		for _, rel := range names {
			if inScopes(root, rel, scopes) && picked(root, dir, rel, paths) {
				lost[rel] = true
			}
		}
	}
	return l.effect(e, root, lost)
}

// in gives the entries at or below one of the paths, all without one.
func (s *state) in(scopes []string, dir string, paths []string) []tracked {
	if len(scopes) == 0 {
		return s.entries
	}
	var out []tracked
	for _, t := range s.entries {
		if inScopes(s.root, t.name, scopes) && picked(s.root, dir, t.name, paths) {
			out = append(out, t)
		}
	}
	return out
}

// unmatched is a path that git does not know. The command would fail as the tree stands; in a tree with uncommitted work
// the line may have been read from the wrong place, so it is not called clean.
func (l *looker) unmatched(root string, paths []string) []Effect {
	if len(l.changes(root, nil, true)) == 0 {
		return nil
	}
	return []Effect{{Kind: "changes", Target: root, Unknown: "git does not know the path " + clip(strings.Join(paths, " "), 40)}}
}

// scope is a pathspec as an absolute path; a pattern covers the folder it starts from.
func scope(root, dir, p string) string {
	if rest, ok := strings.CutPrefix(p, ":/"); ok {
		return filepath.Join(root, rest)
	}
	p = strings.TrimPrefix(p, "./")
	if i := strings.IndexAny(p, "*?[$"); i >= 0 {
		p = filepath.Dir(p[:i] + "x")
	}
	if strings.HasPrefix(p, ":(") || strings.HasPrefix(p, ":!") {
		return root
	}
	if !filepath.IsAbs(p) {
		p = filepath.Join(dir, p)
	}
	return filepath.Clean(p)
}

func inScopes(root, rel string, scopes []string) bool {
	if len(scopes) == 0 {
		return true
	}
	for _, s := range scopes {
		if atOrBelow(root, s) || atOrBelow(s, root) && atOrBelow(rel, s[len(root)+1:]) {
			return true
		}
	}
	return false
}

// picked says that a file may be one that the patterns among the paths stand for. To git a star goes past slashes; what
// the shell has made of a pattern can be a folder.
func picked(root, dir, rel string, paths []string) bool {
	const slash = "\x01"
	name, err := filepath.Rel(dir, filepath.Join(root, rel))
	if err != nil {
		return true
	}
	name = strings.ReplaceAll(name, "/", slash)
	for _, p := range paths {
		p = strings.TrimPrefix(p, "./")
		if !strings.ContainsAny(p, "*?") || strings.ContainsAny(p, ":$[{\\") || strings.Contains(p, "..") || filepath.IsAbs(p) || len(p) > maxPattern {
			return true // no pattern, or one that is not read here: its folder is all that is known
		}
		p = strings.ReplaceAll(p, "/", slash)
		for n := name; n != ""; n = n[:max(0, strings.LastIndex(n, slash))] {
			if ok, err := filepath.Match(p, n); ok || err != nil {
				return true
			}
		}
	}
	return len(paths) == 0
}

// maxPattern bounds the patterns that are read, in bytes.
const maxPattern = 200

// atOrBelow says that a clean path is another or lies below it, both written from one folder.
func atOrBelow(p, other string) bool {
	return strings.HasPrefix(p, other) && (len(p) == len(other) || p[len(other)] == '/')
}

// effect counts names into an effect; none gives none.
func (l *looker) effect(e Effect, root string, names map[string]bool) []Effect {
	sorted := make([]string, 0, len(names))
	for n := range names {
		if !l.made(filepath.Join(root, n)) {
			sorted = append(sorted, n)
		}
	}
	if len(sorted) == 0 && !e.AtLeast {
		return nil
	}
	sort.Strings(sorted)
	for n := range names { // those that the session made too
		if e.Kind == "changes" {
			e.Keep.Changed = append(e.Keep.Changed, n)
		} else {
			e.Keep.Paths = append(e.Keep.Paths, filepath.Join(root, n))
		}
	}
	for _, n := range sorted {
		if fi, err := os.Lstat(filepath.Join(root, n)); err == nil {
			e.Bytes += fi.Size()
		}
		if e.Kind != "changes" {
			e.Keep.Lost = append(e.Keep.Lost, filepath.Join(root, n))
		}
		e.Names = appendName(e.Names, n)
	}
	e.Files, e.Lost = len(sorted), len(sorted)
	if len(sorted) == 0 {
		e.Unknown = "more files than the gate looks at"
	}
	return []Effect{e}
}

// diffIndex has git compare the index with HEAD. Where the index knows the tree that it makes, HEAD's tree is all there is
// to ask for.
func (l *looker) diffIndex(s *state) ([]byte, error) {
	if s.tree != "" {
		if head, err := l.repo.Git(s.root, "rev-parse", "-q", "--verify", "HEAD^{tree}"); err == nil && strings.TrimSpace(string(head)) == s.tree {
			return nil, nil
		}
	}
	base := "HEAD"
	if merging(s.root) {
		base = autoMerge
	}
	return l.repo.Git(s.root, "diff-index", "--cached", "--raw", "-z", "--no-renames", base, "--")
}

// staged lists files whose index entry differs from HEAD, by what git answered. Before the first commit every entry
// does.
func (l *looker) staged(root string, out []byte, err error) ([]string, error) {
	if err != nil {
		if _, err2 := l.repo.Git(root, "rev-parse", "-q", "--verify", "HEAD"); err2 == nil {
			return nil, err
		}
		return l.index(root), nil
	}
	var names []string
	unmerged := false // their files are compared with what the merge left in them
	for i, f := range zsplit(out) {
		if i%2 == 0 {
			unmerged = strings.HasSuffix(f, "U") && merging(root)
		} else if !unmerged {
			names = append(names, f)
		}
	}
	return names, nil
}

func (l *looker) index(root string) []string {
	s := l.state(root)
	if s.load(l, root) != nil {
		return nil
	}
	out := make([]string, len(s.entries))
	for i, t := range s.entries {
		out[i] = t.name
	}
	return out
}

// untracked counts what git clean would delete.
func (l *looker) untracked(dir string, paths []string, m cleanMode) []Effect {
	root := repoRoot(dir)
	if root == "" {
		return noRepository("files", dir)
	}
	sets := [][]string{{"ls-files", "-o", "--exclude-standard", "-z"}}
	switch {
	case m.onlyIgnored:
		sets = [][]string{{"ls-files", "-o", "-i", "--exclude-standard", "-z"}}
	case m.ignored:
		sets = append(sets, []string{"ls-files", "-o", "-i", "--exclude-standard", "-z"})
	}
	spared, err := l.spared(dir, m)
	if err != nil {
		return unknownGit("files", dir)
	}
	e := Effect{Kind: "files", Target: dir}
	lost := map[string]bool{}
	scopes := scopesOf(root, dir, paths)
	for _, args := range sets {
		out, err := l.repo.Git(dir, append(args, "--")...)
		if err != nil {
			return unknownGit("files", dir)
		}
		skip := contains(args, "-i")
		for _, rel := range zsplit(out) {
			p := filepath.Join(dir, rel)
			if !inScopes(dir, rel, scopes) || !picked(dir, dir, rel, paths) || regenerable(within(root, p), skip) || spared[rel] {
				continue
			}
			if strings.HasSuffix(rel, "/") && !m.nested {
				continue // a repository of its own
			}
			if !m.dirs && len(paths) == 0 && strings.Contains(rel, "/") && !l.hasTracked(root, filepath.Dir(p)) {
				continue // without -d whole untracked folders stay, but for those that are named
			}
			r, err := filepath.Rel(root, p)
			if err != nil {
				continue
			}
			lost[r] = true
			if len(lost) > maxEntries {
				e.AtLeast = true
			}
		}
	}
	return l.effect(e, root, lost)
}

// spared are the untracked files that clean is told to leave.
func (l *looker) spared(dir string, m cleanMode) (map[string]bool, error) {
	if len(m.except) == 0 || m.onlyIgnored {
		return nil, nil
	}
	args := []string{"ls-files", "-o", "-i", "-z"}
	for _, x := range m.except {
		args = append(args, "-x", x)
	}
	out, err := l.repo.Git(dir, append(args, "--")...)
	names := map[string]bool{}
	for _, n := range zsplit(out) {
		names[n] = true
	}
	return names, err
}

//go:noinline
func scopesOf(root, dir string, paths []string) []string {
	var out []string
	for _, p := range paths {
		out = append(out, scope(root, dir, p))
	}
	return out
}

// hasTracked says that a folder holds a tracked file.
func (l *looker) hasTracked(root, dir string) bool {
	s := l.state(root)
	if s.load(l, root) != nil {
		return true
	}
	rel, err := filepath.Rel(root, dir)
	return err != nil || s.holds(rel)
}

// stash looks at one entry of the stash, or at all: what they hold that no commit and no file of the work tree does.
func (l *looker) stash(dir, which string) []Effect {
	root := repository(dir)
	if root == "" {
		return noRepository("changes", dir)
	}
	if !l.exists(root, orStash(which)) {
		return nil
	}
	args := []string{"rev-list", "--objects", "--objects-edge-aggressive", "--filter=object:type=blob", "--filter-provided-objects", orStash(which)}
	if which == "" { // its log has the older ones
		for line := range strings.Lines(smallFile(filepath.Join(commonDir(root), "logs", "refs", "stash"))) {
			if f := strings.Fields(line); len(f) > 1 {
				args = append(args, f[1])
			}
		}
	}
	out, err := l.repo.Git(root, append(args, "--not", "HEAD", "--branches", "--tags", "--remotes", "--")...)
	if err != nil {
		return unknownGit("changes", dir)
	}
	s := l.state(root)
	for line := range strings.Lines(string(out)) {
		hash, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !strings.HasPrefix(hash, "-") && !s.contains(name, hash) {
			return []Effect{{Kind: "stash", Target: root, Lost: 1, Keep: Keep{Repo: root, Stash: true}}}
		}
	}
	return nil
}

// worktree counts the changes and untracked files of a linked work tree, and the commits that its HEAD alone names.
//
//go:noinline
func (l *looker) worktree(path string) []Effect {
	if repoRoot(path) != path {
		return nil
	}
	branch := currentBranch(path)
	if s := l.state(path); branch == "" && s.load(l, path) == nil {
		s.tree = "" // to compare the whole index is one question less than to compare trees first
	}
	out := append(l.changes(path, nil, true), l.untracked(path, nil, cleanMode{dirs: true})...)
	if branch != "" {
		return out
	}
	n, err := l.count(path, "HEAD", "--not", "--branches", "--tags", "--remotes")
	if err != nil {
		return append(out, unknownGit("commits", path)...)
	}
	return append(out, commits(path, n)...)
}
