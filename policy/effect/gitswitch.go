package effect

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
)

// gitSwitch: another commit is checked out. Git itself keeps changes, and files that nobody ignores.
func (r *reader) gitSwitch(g gitCall, to string) {
	if to == "" {
		return
	}
	r.discard(g.sub+" "+clip(to, 40), func(l *looker) []Effect { return l.buried(g.dir, to, false) })
	r.leaves(g, to)
}

// leaves: where no branch is checked out, the commits made there have no other name once another is.
func (r *reader) leaves(g gitCall, to string) {
	root := repoRoot(g.dir)
	if root == "" || currentBranch(root) != "" || underWay(root) != "" {
		return
	}
	r.rewrite(DropCommits, to, g.sub+" "+clip(to, 40), func(l *looker) []Effect {
		if !l.isRef(g.dir, to) {
			return nil
		}
		n, err := l.count(root, "HEAD", "--not", previous(to), "--branches", "--tags", "--remotes")
		if err != nil {
			return l.unlessNone(root, "commits", previous(to)+"^{commit}") // where git does not know it, it stays
		}
		return keeping(commits(to, n), func(k *Keep) { *k = Keep{Repo: root, To: previous(to), Head: true} })
	})
}

// previous is a commit as checkout and switch name it; a lone dash is where they were before.
//
//go:noinline
func previous(to string) string {
	if to == "-" {
		return "@{-1}"
	}
	return to
}

// buried counts the untracked files in whose place a commit has others: those that are ignored, as git keeps the rest
// unless it is forced.
func (l *looker) buried(dir, to string, force bool) []Effect {
	root := repoRoot(dir)
	if to = previous(to); root == "" || strings.HasPrefix(to, "-") {
		return nil
	}
	out, err := l.repo.Git(root, "diff-index", "--cached", "--raw", "-z", "--no-renames", "--diff-filter=D", to, "--")
	if err != nil {
		return l.unlessNone(root, "changes", to+"^{commit}")
	}
	s := l.state(root)
	lost := map[string]bool{}
	rows := zsplit(out)
	for i := 0; i+1 < len(rows) && i < 2*maxEntries; i += 2 {
		f := strings.Fields(rows[i])
		fi, err := os.Lstat(filepath.Join(root, rows[i+1]))
		if len(f) != 5 || err != nil || !fi.Mode().IsRegular() || fi.Size() == 0 || s.contains(rows[i+1], f[2]) {
			continue
		}
		if s.load(l, root) != nil {
			return unknownGit("changes", dir)
		}
		if how := s.status(l, rows[i+1]); how == untracked && force || how == ignored && !regenerable(rows[i+1], true) {
			lost[rows[i+1]] = true
		}
	}
	k := Keep{Repo: root}
	if !force { // git moves nothing but to that commit
		k.To, k.Head = to, true
	}
	return l.effect(Effect{Kind: "changes", Target: root, Keep: k}, root, lost)
}

// contains says that a file of the work tree has the content of an object.
func (s *state) contains(rel, object string) bool {
	hash, err := hex.DecodeString(object)
	if err != nil {
		return false
	}
	f, size, err := openFile(filepath.Join(s.root, rel))
	if err != nil {
		return false
	}
	defer f.Close()
	if s.hashed += size; s.hashed > maxHash {
		return false
	}
	return s.blob(string(hash), size, f) == string(hash)
}

// autoMerge is the tree that a merge left by itself, conflicts and all; git notes it while one is under way.
const autoMerge = "AUTO_MERGE"

// underWay names what git has begun in a work tree and not ended.
//
//go:noinline
func underWay(root string) string { return Busy(gitDir(root)) }

// Busy names what is under way in a git folder: its state is then more than index, refs and files.
func Busy(g string) string {
	for _, name := range [...]string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply", "BISECT_LOG", "sequencer"} {
		if !Absent(filepath.Join(g, name)) {
			return name
		}
	}
	return ""
}

// merging says that a merge is under way of which git has noted what it left.
//
//go:noinline
func merging(root string) bool {
	return !Absent(filepath.Join(gitDir(root), autoMerge)) && in(underWay(root), "MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD rebase-merge")
}

// merged: a file in conflict is as the merge left it, so that a new one would bring it back.
func (l *looker) merged(s *state, t tracked) bool {
	if t.hash != "" || !merging(s.root) {
		return false
	}
	if s.auto == nil {
		s.auto = map[string]string{}
		out, _ := l.repo.Git(s.root, "ls-tree", "-r", "-z", "--full-tree", autoMerge) // without an answer none is as it was
		for _, row := range zsplit(out) {
			head, name, _ := strings.Cut(row, "\t")
			if f := strings.Fields(head); len(f) == 3 {
				s.auto[name] = f[2]
			}
		}
	}
	return s.contains(t.name, s.auto[t.name])
}

// gitAborts: what is under way is given up, and with it what was done by hand since it began.
func (r *reader) gitAborts(g gitCall) bool {
	how := ""
	for _, a := range g.args {
		if in(a.Text, "--abort --skip") {
			how = a.Text
		}
	}
	if how == "" || !in(g.sub, "merge rebase am cherry-pick revert") {
		return false
	}
	r.discard(g.sub+" "+how, func(l *looker) []Effect {
		root := repoRoot(g.dir)
		if root == "" || underWay(root) == "" {
			return nil // there is nothing to give up
		}
		return keeping(l.changes(g.dir, nil, true), func(k *Keep) { *k = Keep{} })
	})
	return true
}

// gitWords are commands of git that change nothing a name could stand for, so that no setting is read for them.
const gitWords = "status log diff add show blame grep shortlog describe init clone fetch pull push ls-files ls-tree ls-remote rev-parse rev-list cat-file hash-object symbolic-ref for-each-ref show-ref var help version name-rev merge-base count-objects fsck format-patch apply cherry diff-tree diff-index diff-files whatchanged range-diff " +
	"reset checkout switch restore clean stash branch tag read-tree rm update-ref remote worktree reflog gc prune filter-branch filter-repo replace commit merge cherry-pick revert am rebase bisect submodule checkout-index mv config bundle archive notes sparse-checkout maintenance lfs update-index write-tree commit-tree mktag pack-refs repack"

// gitAlias is what a word stands for by the settings of the repository or the person. Git lets no alias hide a command of
// its own.
func (r *reader) gitAlias(g gitCall) string {
	if in(g.sub, gitWords) || r.deep >= maxNested || strings.ContainsAny(g.sub, " $") {
		return ""
	}
	home := r.w.tilde()
	for _, path := range [...]string{filepath.Join(commonDir(repository(g.dir)), "config"), filepath.Join(home, ".gitconfig"), filepath.Join(home, ".config/git/config")} {
		if v := aliasIn(smallFile(path), g.sub); v != "" {
			return v
		}
	}
	return ""
}

// aliasIn finds an alias in the text of a settings file.
func aliasIn(text, name string) string {
	section, found := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = strings.ToLower(line)
			continue
		}
		key, val, ok := strings.Cut(line, "=")
		if ok && section == "[alias]" && strings.EqualFold(strings.TrimSpace(key), name) {
			found = strings.Trim(strings.TrimSpace(val), `"`)
		}
	}
	return found
}
