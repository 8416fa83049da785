package effect

import (
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

const gitValued = " -C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env "

// gitCall is a git command: its folder, its subcommand and what follows.
type gitCall struct {
	dir  string
	sub  string
	args []shell.Word
	// alias are the -c alias.NAME=… settings before it, and cleans says that clean needs no -f.
	alias  [][2]string
	cleans bool
}

// git reads a git command line.
func (r *reader) git(c *shell.Command) {
	g, ok := r.gitOptions(c)
	if !ok {
		return
	}
	for _, a := range g.alias {
		if a[0] == g.sub && !strings.HasPrefix(a[1], "!") {
			r.nested("git "+a[1]+quoteWords(words(g.args)), g.dir)
			return
		}
	}
	r.bringsBack(c, g)
	r.addsSecret(c, g)
	r.reroutes(g)
	switch g.sub {
	case "reset":
		r.gitReset(g)
	case "checkout", "switch":
		r.gitCheckout(g)
	case "restore":
		r.gitRestore(g)
	case "clean":
		r.gitClean(g)
	case "stash":
		r.gitStash(g)
	case "branch":
		r.gitBranch(g)
	case "tag":
		r.gitTag(g)
	case "push":
		r.gitPush(g)
	case "read-tree":
		if a := split(g.args, ""); a.has("--reset") && a.has("-u") {
			r.discard("read-tree --reset", func(l *looker) []Effect { return l.changes(g.dir, nil, true) })
		}
	case "rm":
		r.gitRm(c, g)
	case "update-ref":
		r.gitUpdateRef(g)
	case "remote":
		if len(g.args) > 1 && in(g.args[0].Text, "remove rm") {
			name := g.args[1].Text
			i := r.add(Act{Kind: Rewrite, Tag: DropCommits, Target: name, How: "remote " + g.args[0].Text})
			r.lookAt(i, func(l *looker) []Effect { return l.remoteLost(g.dir, name) })
		}
	case "worktree":
		r.gitWorktree(c, g)
	case "reflog", "gc", "prune", "filter-branch", "filter-repo", "replace":
		r.gitHistory(g)
	case "commit", "merge", "cherry-pick", "revert", "am":
		r.gitCommit(g)
	case "rebase", "bisect", "submodule":
		r.gitRuns(c, g)
	case "checkout-index":
		if a := split(g.args, " --prefix --stage "); a.has("-f", "--force") && !a.hasPrefix("--prefix") {
			r.discard("checkout-index -f", func(l *looker) []Effect { return l.changes(g.dir, words(a.ops), false) })
		}
	case "mv":
		r.gitMove(c, g)
	case "config":
		r.gitConfig(g)
	case "show", "cat-file":
		r.gitShows(g)
	case "ls-remote", "fetch", "clone", "pull":
		for _, a := range g.args {
			if strings.Contains(a.Text, "://") {
				r.lookAlike(a.Text)
			}
		}
		if s := strings.Join(words(g.args), " "); strings.Contains(s, "ext::") || strings.Contains(s, "--upload-pack") {
			r.add(Act{Kind: Execute, Tag: GitCode, How: "git " + g.sub})
		}
		r.add(Act{Kind: Receive, Place: Remote, How: "git " + g.sub})
	}
}

// gitShows: a file of the history is printed, by its path after a colon.
func (r *reader) gitShows(g gitCall) {
	for _, a := range g.args {
		if rev, p, ok := strings.Cut(a.Text, ":"); ok && rev != "" && p != "" {
			if tag := secretTag("/" + p); tag != "" {
				r.add(Act{Kind: Secret, Tag: tag, Target: clip(a.Text, 60), How: "git " + g.sub})
			}
		}
	}
}

// gitOptions reads what stands before the subcommand: the folder, and settings that are programs.
func (r *reader) gitOptions(c *shell.Command) (gitCall, bool) {
	g := gitCall{dir: r.dir(c)}
	i := 0
	for ; i < len(c.Args); i++ {
		t := c.Args[i].Text
		if !strings.HasPrefix(t, "-") {
			break
		}
		name, val, has := strings.Cut(t, "=")
		if !has && listed(gitValued, name) && i+1 < len(c.Args) {
			i++
			val = c.Args[i].Text
		}
		switch name {
		case "-C":
			g.dir = r.w.abs(val, g.dir)
		case "--work-tree":
			g.dir = r.w.abs(val, g.dir)
		case "-c", "--config-env":
			r.gitSetting(c, val)
			key, v, _ := strings.Cut(val, "=")
			if name, ok := strings.CutPrefix(strings.ToLower(key), "alias."); ok {
				g.alias = append(g.alias, [2]string{name, v})
			}
			g.cleans = g.cleans || strings.EqualFold(key, "clean.requireForce") && in(v, "false no off 0")
			if in(strings.ToLower(key), "gc.pruneexpire gc.reflogexpire gc.reflogexpireunreachable") && v == "now" {
				i := r.add(Act{Kind: Rewrite, Tag: History, How: clip(val, 40)})
				r.lookAt(i, func(l *looker) []Effect { return append(l.unreached(g.dir), l.onlyInReflog(g.dir)...) })
			}
		}
	}
	if i >= len(c.Args) {
		return g, false
	}
	g.sub, g.args = c.Args[i].Text, c.Args[i+1:]
	return g, true
}

// gitSetting reads a setting that makes git run a program.
func (r *reader) gitSetting(c *shell.Command, kv string) {
	key, val, _ := strings.Cut(kv, "=")
	key = strings.ToLower(key)
	switch {
	case key == "core.hookspath":
		r.add(Act{Kind: Execute, Tag: SkipHooks, Target: clip(val, 60), How: "core.hooksPath"})
	case in(key, "core.pager core.editor core.sshcommand core.fsmonitor core.askpass sequence.editor diff.external credential.helper gpg.program core.gitproxy uploadpack.packobjectshook"),
		strings.HasPrefix(key, "pager."), strings.HasPrefix(key, "alias.") && strings.HasPrefix(val, "!"),
		strings.HasPrefix(key, "filter."), strings.HasPrefix(key, "difftool.") && strings.HasSuffix(key, ".cmd"), strings.HasPrefix(key, "mergetool.") && strings.HasSuffix(key, ".cmd"):
		r.gitCode(c, key, strings.TrimPrefix(val, "!"))
	}
}

// gitCode is a program that git would run. Ordinary ones are silent; what does harm by itself is read as a line.
func (r *reader) gitCode(c *shell.Command, key, val string) {
	first, _, _ := strings.Cut(strings.TrimSpace(val), " ")
	if in(filepath.Base(first), "cat less more vim vi nano true false : ssh delta bat code emacs store cache osxkeychain manager gh") || val == "" {
		return
	}
	before := len(r.acts)
	r.nested(val, c.Dir)
	if len(r.acts) == before || key == "core.fsmonitor" {
		r.add(Act{Kind: Execute, Tag: GitCode, Target: clip(val, 60), How: key})
	}
}

// discard records that uncommitted work goes.
func (r *reader) discard(how string, run func(*looker) []Effect) {
	i := r.add(Act{Kind: Rewrite, Tag: Discard, How: how})
	r.lookAt(i, run)
}

func (r *reader) gitReset(g gitCall) {
	a := split(g.args, "")
	if !a.has("--hard", "--merge", "--keep") {
		return
	}
	if a.has("--hard", "--merge") {
		_, added := r.before("add")
		r.discard("reset --hard", func(l *looker) []Effect {
			es := l.resets(l.changes(g.dir, nil, true), g.dir, a.op(0))
			if added { // what was untracked is part of what goes
				es = append(es, l.untracked(g.dir, nil, cleanMode{dirs: true})...)
			}
			return es
		})
	}
	if to := a.op(0); to != "" && to != "HEAD" && to != "@" {
		i := r.add(Act{Kind: Rewrite, Tag: DropCommits, Target: clip(to, 60), How: "reset --hard"})
		r.lookAt(i, func(l *looker) []Effect { return l.resets(l.commits(g.dir, "HEAD", to), g.dir, to) })
	}
}

func (r *reader) gitCheckout(g gitCall) {
	a := split(g.args, " -b -B -c -C --orphan --conflict --pathspec-from-file ")
	for _, f := range a.flags {
		if f.has && (f.name == "-B" || f.name == "-C" || f.name == "--force-create") {
			name, start := f.val.Text, a.op(0)
			if start == "" {
				start = "HEAD"
			}
			i := r.add(Act{Kind: Rewrite, Tag: DropCommits, Target: name, How: g.sub + " " + f.name})
			r.lookAt(i, func(l *looker) []Effect { return l.branchLost(g.dir, name, start) })
		}
	}
	if a.has("-f", "--force", "--discard-changes") {
		plain := len(a.ops) < 2 && len(a.flags) == 1 // nothing but the commit it goes to
		r.discard(g.sub+" --force", func(l *looker) []Effect {
			return keeping(l.changes(g.dir, nil, true), func(k *Keep) {
				if k.To, k.Head = orHead(a.op(0)), true; !plain {
					*k = Keep{}
				}
			})
		})
		return
	}
	if g.sub == "switch" || a.has("-b", "-B", "--orphan", "--detach", "-t", "--track", "-p", "--patch") {
		return
	}
	if a.has("--pathspec-from-file") { // which paths is not read: any change may go
		r.discard("checkout --pathspec-from-file", func(l *looker) []Effect { return l.changes(g.dir, nil, true) })
		return
	}
	paths, fromTree, sure := r.checkoutPaths(g, a)
	if len(paths) == 0 {
		return
	}
	if !sure {
		// A lone operand is a branch if there is one of that name; git checks that before it looks for a file.
		r.discard("checkout "+clip(paths[0], 40), func(l *looker) []Effect {
			if l.isRef(g.dir, paths[0]) {
				return nil
			}
			return l.changes(g.dir, paths, false)
		})
		return
	}
	r.discard("checkout -- "+clip(strings.Join(paths, " "), 40), func(l *looker) []Effect {
		return keeping(l.changes(g.dir, paths, fromTree), func(k *Keep) {
			if fromTree {
				k.To = a.op(0)
			}
		})
	})
}

// checkoutPaths finds the paths of a checkout: all after --, or what exists on disk.
func (r *reader) checkoutPaths(g gitCall, a argv) (paths []string, fromTree, sure bool) {
	ws := words(g.args)
	for i, w := range ws {
		if w == "--" {
			for _, o := range ws[:i] {
				fromTree = fromTree || !strings.HasPrefix(o, "-")
			}
			return ws[i+1:], fromTree, true
		}
	}
	switch len(a.ops) {
	case 0:
		return nil, false, true
	case 1:
		return []string{a.ops[0].Text}, false, a.ops[0].Text == "."
	}
	return words(a.ops[1:]), true, true
}

func (r *reader) gitRestore(g gitCall) {
	a := split(g.args, " -s --source --conflict --pathspec-from-file ")
	if a.has("-S", "--staged") && !a.has("-W", "--worktree") || a.has("-p", "--patch") {
		return
	}
	paths := words(a.ops)
	if len(paths) == 0 {
		return
	}
	tree := a.has("-s", "--source", "-S", "--staged")
	to := ""
	if v := a.values("-s", "--source"); len(v) > 0 {
		to = v[0].Text
	} else if tree {
		to = "HEAD"
	}
	r.discard("restore "+clip(strings.Join(paths, " "), 40), func(l *looker) []Effect {
		return keeping(l.changes(g.dir, paths, tree), func(k *Keep) { k.To = to })
	})
}

func (r *reader) gitClean(g gitCall) {
	a := split(g.args, " -e --exclude ")
	if a.has("-n", "--dry-run", "-i", "--interactive") || !a.has("-f", "--force") && !g.cleans {
		return
	}
	mode := cleanMode{dirs: a.has("-d"), ignored: a.has("-x"), onlyIgnored: a.has("-X")}
	r.discard("clean -f", func(l *looker) []Effect { return l.untracked(g.dir, words(a.ops), mode) })
}

func (r *reader) gitStash(g gitCall) {
	if len(g.args) == 0 {
		return
	}
	sub := g.args[0].Text
	if !in(sub, "drop clear") {
		return
	}
	i := r.add(Act{Kind: Rewrite, Tag: DropStash, How: "stash " + sub})
	stashed, untracked := r.stashes()
	r.lookAt(i, func(l *looker) []Effect {
		es := l.stash(g.dir)
		if stashed { // the line makes the stash that it drops
			es = keeping(append(es, l.changes(g.dir, nil, true)...), func(k *Keep) { *k = Keep{} })
		}
		if untracked {
			es = keeping(append(es, l.untracked(g.dir, nil, cleanMode{dirs: true})...), func(k *Keep) { *k = Keep{} })
		}
		return es
	})
}

func (r *reader) gitBranch(g gitCall) {
	a := split(g.args, " -u --set-upstream-to --contains --merged --no-merged --points-at --sort --format ")
	force := a.has("-f", "--force", "-M", "-C")
	switch {
	case a.has("-D") || a.has("-d", "--delete") && force:
		for _, o := range a.ops {
			name := o.Text
			if a.has("-r", "--remotes") {
				continue
			}
			i := r.add(Act{Kind: Rewrite, Tag: DropCommits, Target: clip(name, 60), How: "branch -D"})
			known := o.Known
			r.lookAt(i, func(l *looker) []Effect {
				if !known {
					return []Effect{{Kind: "commits", Target: name, Unknown: "which branches are deleted is known only when the line runs"}}
				}
				return l.branchLost(g.dir, name, "")
			})
		}
		if len(a.ops) == 0 && viaAny(&r.cmds[r.at], "xargs") {
			i := r.add(Act{Kind: Rewrite, Tag: DropCommits, How: "branch -D"})
			r.lookAt(i, func(*looker) []Effect {
				return []Effect{{Kind: "commits", Unknown: "which branches are deleted comes from another command"}}
			})
		}
	case force && len(a.ops) > 0:
		name, start := a.op(0), a.op(1)
		if a.has("-M", "-C") && start != "" { // the old name stands first
			name, start = start, name
		}
		if start == "" {
			start = "HEAD"
		}
		i := r.add(Act{Kind: Rewrite, Tag: DropCommits, Target: clip(name, 60), How: "branch -f"})
		r.lookAt(i, func(l *looker) []Effect { return l.branchLost(g.dir, name, start) })
	}
}

func (r *reader) gitTag(g gitCall) {
	a := split(g.args, " -m --message -F --file -u --local-user ")
	if a.has("-f", "--force") && len(a.ops) > 0 {
		name, to := a.op(0), orHead(a.op(1))
		i := r.add(Act{Kind: Rewrite, Tag: DropCommits, Target: clip(name, 60), How: "tag -f"})
		r.lookAt(i, func(l *looker) []Effect { return l.refLost(g.dir, "refs/tags/"+name, to) })
	}
	if !a.has("-d", "--delete") {
		return
	}
	for _, o := range a.ops {
		name := o.Text
		i := r.add(Act{Kind: Rewrite, Tag: DropCommits, Target: clip(name, 60), How: "tag -d"})
		r.lookAt(i, func(l *looker) []Effect { return l.refLost(g.dir, "refs/tags/"+name, "") })
	}
}

func (r *reader) gitUpdateRef(g gitCall) {
	a := split(g.args, " -m ")
	if !a.has("-d", "--delete") && !a.has("--stdin") {
		return
	}
	ref := a.op(0)
	i := r.add(Act{Kind: Rewrite, Tag: DropCommits, Target: clip(ref, 60), How: "update-ref -d"})
	r.lookAt(i, func(l *looker) []Effect {
		if name, ok := strings.CutPrefix(ref, "refs/heads/"); ok {
			if es := l.branchLost(g.dir, name, ""); len(es) > 0 {
				return es
			}
			if l.isCurrent(g.dir, name) { // the branch that stands checked out is the work tree's only name
				return []Effect{{Kind: "commits", Target: ref, Lost: 1, Act: i}}
			}
			return nil
		}
		if a.has("--stdin") || !strings.HasPrefix(ref, "refs/") {
			return []Effect{{Kind: "commits", Target: ref, Unknown: "which refs go is not told here"}}
		}
		return l.refLost(g.dir, ref, "")
	})
}

func (r *reader) gitRm(c *shell.Command, g gitCall) {
	a := split(g.args, " --pathspec-from-file ")
	if a.has("--cached", "-n", "--dry-run") {
		return
	}
	sub := *c
	sub.Dir = g.dir
	for _, o := range a.ops {
		t := r.target(&sub, o)
		if !a.has("-f", "--force") { // git refuses to remove what is changed
			r.guardTouch(t, a.has("-r"))
			r.add(Act{Kind: Delete, Target: t.real, Place: t.place, Recursive: a.has("-r"), How: "git rm"})
			continue
		}
		i := r.add(Act{Kind: Delete, Target: t.real, Place: t.place, Recursive: a.has("-r"), How: "git rm -f"})
		r.lookAt(i, func(l *looker) []Effect { return keepIndex(l.deleted(i, t, a.has("-r"), filter{}), t.real) })
	}
}

// gitMove: each source leaves its place; with -f the target is replaced.
func (r *reader) gitMove(c *shell.Command, g gitCall) {
	a := split(g.args, "")
	if len(a.ops) < 2 || a.has("-n", "--dry-run") {
		return
	}
	sub := *c
	sub.Dir = g.dir
	dst := a.ops[len(a.ops)-1]
	r.guardTouch(r.target(&sub, dst), false)
	for _, s := range a.ops[:len(a.ops)-1] {
		t := r.target(&sub, s)
		if r.guardTouch(t, true) {
			continue
		}
		r.add(Act{Kind: Move, Target: t.real, Place: t.place, Recursive: true, How: "git mv"})
		if a.has("-f", "--force") {
			r.replaces(&sub, s, dst, false)
		}
	}
}

func (r *reader) gitWorktree(c *shell.Command, g gitCall) {
	if len(g.args) == 0 || g.args[0].Text != "remove" {
		return
	}
	a := split(g.args[1:], "")
	if !a.has("-f", "--force") || len(a.ops) == 0 {
		return // git refuses to remove one that is dirty
	}
	sub := *c
	sub.Dir = g.dir
	t := r.target(&sub, a.ops[0])
	i := r.add(Act{Kind: Delete, Target: t.real, Place: t.place, Recursive: true, How: "worktree remove --force", Tag: Discard})
	r.lookAt(i, func(l *looker) []Effect { return keepWorktree(l.worktree(t.real), t.real) })
}

// gitRuns reads subcommands that run a line of their own.
func (r *reader) gitRuns(c *shell.Command, g gitCall) {
	a := split(g.args, " -x --exec --onto -s --strategy -X ")
	for _, v := range a.values("-x", "--exec") {
		r.nested(v.Text, g.dir)
	}
	ws := words(g.args)
	switch {
	case g.sub == "bisect" && at(ws, 0) == "run", g.sub == "submodule" && at(ws, 0) == "foreach":
		r.nested(strings.Join(ws[1:], " "), g.dir)
	case g.sub == "submodule":
		r.gitSubmodule(c, g, a)
	case g.sub == "rebase":
		r.gitRebase(g, a)
	}
}

func (r *reader) gitConfig(g gitCall) {
	a := split(g.args, " -f --file --type --default --blob ")
	if a.has("--get", "--get-all", "--list", "-l", "--unset", "--get-regexp") || len(a.ops) < 2 {
		return
	}
	ops := words(a.ops)
	if in(ops[0], "set add") {
		ops = ops[1:]
	} else if in(ops[0], "get list unset") {
		return
	}
	key, val := strings.ToLower(at(ops, 0)), at(ops, 1)
	switch {
	case key == "core.hookspath" && (val == "/dev/null" || val == "" || filepath.IsAbs(val)):
		r.add(Act{Kind: Persist, Tag: SkipHooks, Target: clip(val, 60), How: "core.hooksPath"})
	case strings.HasPrefix(key, "alias.") && strings.HasPrefix(val, "!"), in(key, "core.fsmonitor core.sshcommand diff.external core.pager") && !in(val, "true false less cat delta"):
		before := len(r.acts)
		r.nested(strings.TrimPrefix(val, "!"), g.dir)
		if len(r.acts) == before && key != "core.sshcommand" && !strings.HasPrefix(key, "alias.") {
			r.add(Act{Kind: Persist, Tag: GitCode, Target: clip(val, 60), How: key})
		}
	}
}

// gitPush reads what a push forces, deletes or mirrors.
func (r *reader) gitPush(g gitCall) {
	a := split(g.args, " -o --push-option --repo --receive-pack --exec ")
	if a.has("-n", "--dry-run") {
		return
	}
	remote := a.op(0)
	if remote == "" {
		remote = "origin"
	}
	r.add(Act{Kind: Publish, Target: clip(strings.TrimSpace(remote+" "+pushed(g.dir, a)), 60), Place: Remote, How: "push"})
	if a.has("--no-verify") {
		r.add(Act{Kind: Publish, Tag: SkipHooks, How: "--no-verify"})
	}
	if a.has("--mirror") || a.has("--prune") && len(a.ops) > 0 {
		i := r.add(Act{Kind: Publish, Tag: MirrorPush, Target: clip(remote, 60), Place: Remote, How: "push --mirror"})
		r.lookAt(i, func(l *looker) []Effect { return l.mirrored(g.dir, remote) })
		return
	}
	lease := a.hasPrefix("--force-with-lease") || a.has("--force-if-includes")
	force := a.forced()
	specs := a.ops[min(1, len(a.ops)):]
	if len(specs) == 0 && force {
		r.forcePush(g.dir, remote, "HEAD", "")
	}
	for _, s := range specs {
		spec, plus := strings.CutPrefix(s.Text, "+")
		src, dst, pair := strings.Cut(spec, ":")
		switch {
		case a.has("-d", "--delete"):
			r.deletePush(g.dir, remote, src)
		case pair && src == "":
			r.deletePush(g.dir, remote, dst)
		case plus || force && !(lease && !force):
			if dst == "" {
				dst = src
			}
			r.forcePush(g.dir, remote, src, dst)
		}
	}
}

// pushed are the branches or tags that a push names, or the one that is checked out.
func pushed(dir string, a argv) string {
	if len(a.ops) > 1 {
		var out []string
		for _, s := range a.ops[1:] {
			src, dst, _ := strings.Cut(strings.TrimPrefix(s.Text, "+"), ":")
			if dst == "" {
				dst = src
			}
			out = append(out, strings.TrimPrefix(dst, "refs/heads/"))
		}
		if all := strings.Join(out, " "); all != "HEAD" && all != "@" {
			return all
		}
	} else if a.has("--all", "--tags", "--mirror") {
		return ""
	}
	branch, ok := strings.CutPrefix(smallFile(filepath.Join(gitDir(repoRoot(dir)), "HEAD")), "ref: refs/heads/")
	if !ok {
		return ""
	}
	return strings.TrimSpace(branch)
}

// forced: --force in full, shortened, or with a value; not the kinds that check the remote first.
func (a argv) forced() bool {
	for _, f := range a.flags {
		if f.name == "-f" || len(f.name) > 4 && strings.HasPrefix("--force", f.name) {
			return true
		}
	}
	return false
}

func (a argv) hasPrefix(p string) bool {
	for _, f := range a.flags {
		if strings.HasPrefix(f.name, p) {
			return true
		}
	}
	return false
}

func (r *reader) forcePush(dir, remote, src, dst string) {
	i := r.add(Act{Kind: Publish, Tag: ForcePush, Target: clip(remote+" "+dst, 60), Place: Remote, Force: true, How: "push --force"})
	r.lookAt(i, func(l *looker) []Effect { return l.forced(dir, remote, src, dst) })
}

func (r *reader) deletePush(dir, remote, dst string) {
	i := r.add(Act{Kind: Publish, Tag: DeletePush, Target: clip(remote+" "+dst, 60), Place: Remote, How: "push --delete"})
	r.lookAt(i, func(l *looker) []Effect { return l.remoteDeleted(dir, remote, strings.TrimPrefix(dst, "refs/heads/")) })
}
