package effect

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

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
