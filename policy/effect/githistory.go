package effect

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/stepgate/stepgate/policy/shell"
)

// gitHistory reads commands after which what no branch or tag names is gone for good, and those that write history anew.
func (r *reader) gitHistory(g gitCall) {
	all := strings.Join(words(g.args), " ")
	look := func(l *looker) []Effect { return l.unreached(g.dir) }
	switch {
	case g.sub == "reflog" && (strings.HasPrefix(all, "delete") || strings.HasPrefix(all, "expire") && (strings.Contains(all, "now") || strings.Contains(all, "all"))):
		look = func(l *looker) []Effect { return l.onlyInReflog(g.dir) }
		if strings.Contains(all, "--all") || strings.Contains(all, "stash") { // the stash's list is its log: it looks empty afterwards
			look = func(l *looker) []Effect { return append(l.onlyInReflog(g.dir), l.stash(g.dir, "")...) }
		}
	case g.sub == "gc" && strings.Contains(all, "--p") && (strings.Contains(all, "=now") || strings.Contains(all, "=all")),
		g.sub == "prune" && !strings.Contains(all, "-n"):
	case g.sub == "filter-branch", g.sub == "filter-repo" && !strings.Contains(all, "--analyze"):
		look = func(*looker) []Effect {
			return []Effect{{Kind: "commits", Target: g.dir, Unknown: "every commit may be written anew"}}
		}
	default:
		return
	}
	r.rewrite(History, "", clip(strings.TrimSpace(g.sub+" "+all), 50), look)
}

// onlyInReflog counts the commits that nothing but a reflog names.
func (l *looker) onlyInReflog(dir string) []Effect {
	root := repository(dir)
	if root == "" {
		return noRepository("commits", dir)
	}
	n, err := l.count(root, "--reflog", "--not", "--all")
	if err != nil {
		return unknownGit("commits", dir)
	}
	return commits("the reflog", n)
}

// unreached counts the objects that no ref, reflog or index leads to.
func (l *looker) unreached(dir string) []Effect {
	root := repository(dir)
	if root == "" {
		return noRepository("objects", dir)
	}
	out, err := l.repo.Git(root, "cat-file", "--batch-all-objects", "--batch-check=-", "--unordered")
	if err != nil {
		return unknownGit("objects", dir)
	}
	n, err := l.count(root, "--objects", "--all", "--reflog", "--indexed-objects")
	if err != nil {
		return unknownGit("objects", dir)
	}
	if n = strings.Count(string(out), "\n") - n; n <= 0 {
		return nil
	}
	return []Effect{{Kind: "objects", Target: root, Lost: n}}
}

func (r *reader) gitCommit(c *shell.Command, g gitCall) {
	a := split(g.args, " -m --message -F --file -C -c --author --date -t --template --fixup --squash --cleanup -S --trailer -s --strategy -X --pathspec-from-file ")
	r.add(Act{Kind: Commit, How: g.sub})
	if (g.sub == "commit" && a.has("-n", "--no-verify") || g.sub == "merge" && a.has("--no-verify") || r.switchesOff(c)) && !r.hookless(g.dir) {
		r.add(Act{Kind: Commit, Tag: SkipHooks, How: "--no-verify"})
	}
	if g.sub == "commit" && a.has("--amend") && !a.has("--dry-run") {
		r.rewrites("commit --amend", func(l *looker) []Effect { return l.shared(g.dir, "HEAD", "HEAD^@") })
	}
}

// gitRebase: the commits that are moved get new names.
func (r *reader) gitRebase(g gitCall, a argv) {
	if a.has("--continue", "--quit", "--edit-todo", "--show-current-patch") {
		return
	}
	onto := a.op(0)
	if onto == "" {
		onto = "@{upstream}"
	}
	r.rewrites("rebase", func(l *looker) []Effect { return l.shared(g.dir, "HEAD", onto) })
}

func (r *reader) rewrites(how string, run func(*looker) []Effect) {
	r.rewrite(Rewritten, "", how, run)
}

// sharedNames are branches that others build on.
const sharedNames = "main master trunk develop dev production prod staging release stable next"

// shared counts the commits from one to another that a shared branch of a remote has. Its own branch may be rewritten by
// whoever pushed it.
func (l *looker) shared(dir, from, not string) []Effect {
	root := repository(dir)
	if root == "" || !strings.Contains(readBounded(filepath.Join(commonDir(root), "config")), "[remote ") {
		return nil
	}
	out, err := l.repo.Git(root, "for-each-ref", "--format=%(refname)", "refs/remotes")
	if err != nil {
		return unknownGit("pushed", dir)
	}
	args := []string{from, "--not", not}
	name := ""
	for ref := range strings.FieldsSeq(string(out)) {
		if b := strings.SplitN(ref, "/", 4); len(b) == 4 && in(strings.SplitN(b[3], "/", 2)[0], sharedNames) && len(args) < 50 {
			args, name = append(args, ref), strings.TrimPrefix(ref, "refs/remotes/")
		}
	}
	if name == "" {
		return nil
	}
	all, err := l.count(root, args[:3]...)
	if err != nil {
		return nil // there is nothing before it, or nowhere to rebase to
	}
	own, err := l.count(root, args...)
	if err != nil {
		return unknownGit("pushed", dir)
	}
	if all <= own {
		return nil
	}
	return []Effect{{Kind: "pushed", Target: name, Lost: all - own}}
}

// refLost counts the commits that only one ref holds, once it is deleted or moved to start.
func (l *looker) refLost(dir, ref, start string) []Effect {
	root := repository(dir)
	if root == "" {
		return nil
	}
	args := []string{ref, "--not"}
	if start != "" {
		args = append(args, start)
	}
	n, err := l.count(root, l.without(args, ref, "--all")...)
	if err != nil {
		return l.unlessNone(root, "commits", ref)
	}
	return l.keepRefs(commits(ref, n), root)
}

// mirrored counts the commits of a remote, as last seen, that no branch or tag here holds.
func (l *looker) mirrored(dir, remote string) []Effect {
	root := repository(dir)
	if root == "" || !l.seesAll(root, remote) {
		return unknownPush(remote, "every branch of the remote that is not here is deleted")
	}
	n, err := l.count(root, "--remotes="+remote, "--not", "--branches", "--tags")
	if err != nil {
		return unknownPush(remote, "git could not compare it")
	}
	return stale(commits(remote, n), root)
}

// forcedAll counts the commits of a remote, as last seen, that its branches lose when each is set to the one here.
func (l *looker) forcedAll(dir, remote string) []Effect {
	root := repository(dir)
	if root == "" || !l.seesAll(root, remote) {
		return unknownPush(remote, "what the remote has is not known here")
	}
	out, err := l.repo.Git(root, "for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes/"+remote)
	if err != nil {
		return unknownPush(remote, "git could not compare it")
	}
	var args []string
	refs := string(out)
	for ref := range strings.FieldsSeq(refs) {
		if name, ok := strings.CutPrefix(ref, "refs/heads/"); ok && len(args) < maxDropped {
			if there := "refs/remotes/" + remote + "/" + name; strings.Contains(refs, there+"\n") {
				args = append(args, there)
			}
		}
	}
	if len(args) == 0 {
		return nil
	}
	n, err := l.count(root, append(args, "--not", "--branches")...)
	if err != nil || len(args) == maxDropped {
		return unknownPush(remote, "git could not compare it")
	}
	return stale(commits(remote, n), root)
}

// stale says of what a remote loses how old the sight of it is, when that is more than a day.
func stale(es []Effect, root string) []Effect {
	fi, err := os.Stat(filepath.Join(commonDir(root), "FETCH_HEAD"))
	if err != nil {
		return es
	}
	if days := int(time.Since(fi.ModTime()).Hours() / 24); days > 0 {
		for i := range es {
			es[i].Stale = "as fetched " + strconv.Itoa(days) + " days ago"
		}
	}
	return es
}

// stashName is an entry of the stash as its argument means it.
func stashName(arg string) string {
	switch {
	case arg == "":
		return orStash(arg)
	case strings.Trim(arg, "0123456789") == "":
		return "refs/stash@{" + arg + "}"
	}
	return strings.Replace(arg, "stash@", "refs/stash@", 1)
}

// orStash is an entry of the stash, or the newest where none is named.
func orStash(name string) string {
	if name == "" {
		return "refs/stash"
	}
	return name
}

// before finds an earlier command of the line that is a git subcommand, and gives what follows that word.
func (r *reader) before(sub string) (rest []shell.Word, ok bool) {
	for i := 0; i < r.at && i < len(r.cmds); i++ {
		c := &r.cmds[i]
		if c.Name != "git" {
			continue
		}
		for k := 0; k < len(c.Args); k++ {
			t := c.Args[k].Text
			if listed(gitValued, t) {
				k++
			} else if !strings.HasPrefix(t, "-") {
				if t == sub {
					return c.Args[k+1:], true
				}
				break
			}
		}
	}
	return nil, false
}

// stashes says that an earlier command of the line puts the changes away, and whether untracked files too.
func (r *reader) stashes() (yes, untracked bool) {
	rest, ok := r.before("stash")
	if !ok || len(rest) > 0 && !strings.HasPrefix(rest[0].Text, "-") && !in(rest[0].Text, "push save") {
		return false, false
	}
	return true, hasArg(rest, "-u", "--include-untracked", "-a", "--all")
}

// someBranches looks at the branches of which any may go, but for the one that is checked out.
func (l *looker) someBranches(dir, why string) []Effect {
	if root := repository(dir); root != "" {
		if n, err := l.count(root, "--branches", "--not", "HEAD", "--remotes", "--tags"); err == nil && n == 0 {
			return nil
		}
	}
	return []Effect{{Kind: "commits", Target: dir, Unknown: why}}
}

// renames: with the branch that is replaced a copy must hold the one that gives up its name.
func (l *looker) renames(es []Effect, dir, old string) []Effect {
	return keeping(es, func(k *Keep) {
		if k.Repo == "" {
			return
		}
		if old == "HEAD" || l.isCurrent(dir, old) {
			k.To, k.Head, old = "@", true, currentBranch(k.Repo)
		}
		k.Refs = append(k.Refs, "refs/heads/"+old)
	})
}
