package effect

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
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

// count counts commits of a rev-list.
func (l *looker) count(dir string, args ...string) (int, error) {
	out, err := l.repo.Git(dir, append(append([]string{"rev-list", "--count"}, args...), "--")...)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(out)))
}

// branchLost counts the commits that only a branch holds, once it is deleted or moved to start.
func (l *looker) branchLost(dir, name, start string) []Effect {
	root := repository(dir)
	if root == "" {
		return nil
	}
	args := []string{"refs/heads/" + name, "--not"}
	if start != "" {
		args = append(args, start)
	}
	n, err := l.count(root, l.without(args, "refs/heads/"+name, allBranches, allRemotes, allTags)...)
	if err != nil {
		return l.unlessNone(root, "commits", "refs/heads/"+name)
	}
	if l.isCurrent(root, name) {
		return commits(name, n)
	}
	return l.keepRefs(commits(name, n), root)
}

// without drops a ref, and asks for all others of some kinds but those that the line dropped before it: two branches
// that go together hold each other's commits no more.
func (l *looker) without(args []string, ref string, kinds ...string) []string {
	if ref != "" && len(l.dropped) < maxDropped && !contains(l.dropped, ref) {
		l.dropped = append(l.dropped, ref)
	}
	for _, kind := range kinds {
		for _, d := range l.dropped { // each time, as git forgets them with every kind
			args = append(args, "--exclude="+d)
		}
		args = append(args, kind)
	}
	return args
}

// The refs of a kind by their whole names, so that one of them can be left out by it.
const (
	allBranches = "--glob=refs/heads/*"
	allRemotes  = "--glob=refs/remotes/*"
	allTags     = "--glob=refs/tags/*"
)

// maxDropped bounds the refs of a line that are remembered.
const maxDropped = 200

// keepRefs: a copy must hold every ref that the line has dropped so far.
func (l *looker) keepRefs(es []Effect, root string) []Effect {
	return keeping(es, func(k *Keep) { *k = Keep{Repo: root, Refs: append([]string(nil), l.dropped...)} })
}

// resets: the branch that is checked out is moved, with index and work tree.
func (l *looker) resets(es []Effect, dir, to string) []Effect {
	return keeping(es, func(k *Keep) { k.Repo, k.To, k.Refs = repoRoot(dir), orHead(to), []string{"HEAD"} })
}

//go:noinline
func commits(target string, n int) []Effect {
	if n == 0 {
		return nil
	}
	return []Effect{{Kind: "commits", Target: target, Lost: n}}
}

// remoteLost counts the commits that only a remote's tracking branches hold, which go with it.
func (l *looker) remoteLost(dir, name string) []Effect {
	root := repository(dir)
	if root == "" {
		return nil
	}
	n, err := l.count(root, "--remotes="+name+"/*", "--not", "--exclude="+name+"/*", "--remotes", "--branches", "--tags")
	if err != nil {
		return unknownGit("commits", name)
	}
	return commits(name, n)
}

// commits counts what a reset to another commit drops from the current branch and no other ref holds.
func (l *looker) commits(dir, from, to string) []Effect {
	root := repository(dir)
	if root == "" {
		return nil
	}
	args := []string{from, "--not", to}
	kinds := []string{allRemotes, allTags}
	ref := ""
	if b := currentBranch(root); b != "" {
		ref, kinds = "refs/heads/"+b, append(kinds, allBranches)
	}
	n, err := l.count(root, l.without(args, ref, kinds...)...)
	if err != nil {
		return unknownGit("commits", to)
	}
	return commits(to, n)
}

// exists is true too where git could not be asked any more.
func (l *looker) exists(root, ref string) bool {
	_, err := l.repo.Git(root, "rev-parse", "-q", "--verify", ref)
	var exit *exec.ExitError
	return !errors.As(err, &exit) || exit.ExitCode() != 1 // any other error says nothing of the ref
}

// unlessNone is the effect on a ref that git could not tell about; none where there is no such ref.
func (l *looker) unlessNone(root, kind, ref string) []Effect {
	if !l.exists(root, ref) {
		return nil
	}
	return unknownGit(kind, ref)
}

//go:noinline
func (l *looker) isRef(dir, name string) bool {
	root := repository(dir)
	if root == "" || strings.HasPrefix(name, "-") || l.exists(root, name+"^{commit}") {
		return true
	}
	out, err := l.repo.Git(root, "for-each-ref", "--count=1", "--format=%(refname)", "refs/remotes/*/"+name) // a branch that is made to follow it
	return err == nil && len(out) > 0
}

// Head is what HEAD is: a ref with its whole name, or a commit; empty where it cannot be read.
func Head(root string) string {
	return strings.TrimPrefix(strings.TrimSpace(smallFile(filepath.Join(gitDir(root), "HEAD"))), "ref: ")
}

// currentBranch is the branch that is checked out; empty when HEAD is detached.
func currentBranch(root string) string {
	name, ok := strings.CutPrefix(Head(root), "refs/heads/")
	if !ok {
		return ""
	}
	return name
}

func (l *looker) isCurrent(dir, name string) bool { return currentBranch(repoRoot(dir)) == name }

// forced counts the commits of the remote, as last seen, that a forced push drops.
func (l *looker) forced(dir, remote, src, dst string) []Effect {
	root := repository(dir)
	if root == "" {
		return unknownPush(remote, "this is no repository")
	}
	dst = strings.TrimPrefix(dst, "refs/heads/")
	if dst == "" || dst == "HEAD" {
		if dst = currentBranch(root); dst == "" {
			return unknownPush(remote, "no branch is checked out")
		}
	}
	if src == "" {
		src = "HEAD"
	}
	ref := "refs/remotes/" + remote + "/" + dst
	if !l.exists(root, ref) {
		if l.seesAll(root, remote) {
			return nil // every branch of the remote is fetched here, and this is none of them
		}
		return unknownPush(remote+"/"+dst, "what the remote has there is not known here")
	}
	n, err := l.count(root, ref, "--not", src)
	if err != nil {
		return unknownPush(remote+"/"+dst, "git could not compare it")
	}
	return stale(commits(remote+"/"+dst, n), root)
}

// seesAll says that this repository fetches every branch of a remote, and has done so.
func (l *looker) seesAll(root, remote string) bool {
	out, err := l.repo.Git(root, "for-each-ref", "--count=1", "--format=%(refname)", "refs/remotes/"+remote)
	if err != nil || len(strings.TrimSpace(string(out))) == 0 {
		return false
	}
	return strings.Contains(readBounded(filepath.Join(commonDir(root), "config")), "+refs/heads/*:refs/remotes/"+remote+"/*")
}

//go:noinline
func unknownPush(target, why string) []Effect {
	return []Effect{{Kind: "commits", Target: target, Unknown: why}}
}

// remoteDeleted counts the commits that only a remote's branch holds, as last seen.
func (l *looker) remoteDeleted(dir, remote, branch string) []Effect {
	root := repository(dir)
	ref := "refs/remotes/" + remote + "/" + branch
	if root == "" || !l.exists(root, ref) {
		return unknownPush(remote+"/"+branch, "what the remote has there is not known here")
	}
	n, err := l.count(root, ref, "--not", "--exclude="+remote+"/"+branch, "--remotes", "--branches", "--tags")
	if err != nil {
		return unknownPush(remote+"/"+branch, "git could not compare it")
	}
	return stale(commits(remote+"/"+branch, n), root)
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
