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
	if a := r.gitAlias(g); a != "" {
		if line, program := strings.CutPrefix(a, "!"); program {
			a, g.dir = line, repoRoot(g.dir)
		} else {
			a = "git " + a
		}
		r.nested(a+quoteWords(words(g.args)), g.dir)
		return
	}
	if line := r.aliasOfLine(g.sub); line != "" {
		r.nested("git "+line+quoteWords(words(g.args)), g.dir)
		return
	}
	r.bringsBack(c, g)
	r.addsSecret(c, g)
	r.reroutes(g)
	if r.gitAborts(g) {
		return
	}
	switch g.sub {
	case "reset":
		r.gitReset(g)
	case "checkout", "switch":
		r.gitCheckout(c, g)
	case "restore":
		r.gitRestore(c, g)
	case "bundle", "archive":
		r.gitPacks(c, g)
	case "clean":
		r.gitClean(g)
	case "stash":
		r.gitStash(g)
	case "branch":
		r.gitBranch(g)
	case "tag":
		r.gitTag(g)
	case "push":
		if r.switchesOff(c) && !r.hookless(g.dir) {
			r.add(Act{Kind: Publish, Tag: SkipHooks, How: "--no-verify"})
		}
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
			r.rewrite(DropCommits, name, "remote "+g.args[0].Text, func(l *looker) []Effect { return l.remoteLost(g.dir, name) })
		} else if a := split(g.args, ""); a.op(0) == "prune" && !a.has("-n", "--dry-run") || a.op(0) == "update" && a.has("-p", "--prune") {
			r.prunes(g, orOrigin(a.op(1)))
		}
	case "worktree":
		r.gitWorktree(c, g)
	case "reflog", "gc", "prune", "filter-branch", "filter-repo", "replace":
		r.gitHistory(g)
	case "commit", "merge", "cherry-pick", "revert", "am":
		r.gitCommit(c, g)
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
		r.credentialHelper(g)
	case "apply":
		r.gitUnapplies(g)
	case "show", "cat-file":
		r.gitShows(g)
	case "ls-remote", "fetch", "clone", "pull":
		r.gitFetch(g)
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
	repo, tree := "", ""
	for _, e := range c.Env {
		switch name, val, _ := strings.Cut(e.Text, "="); name {
		case "GIT_DIR":
			repo = val
		case "GIT_WORK_TREE":
			tree = val
		}
	}
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
			tree = val
		case "--git-dir":
			repo = val
		case "-c", "--config-env":
			r.gitSetting(c, val)
			key, v, _ := strings.Cut(val, "=")
			if name, ok := strings.CutPrefix(strings.ToLower(key), "alias."); ok {
				g.alias = append(g.alias, [2]string{name, v})
			}
			g.cleans = g.cleans || strings.EqualFold(key, "clean.requireForce") && in(v, "false no off 0")
			if in(strings.ToLower(key), "gc.pruneexpire gc.reflogexpire gc.reflogexpireunreachable") && v == "now" {
				r.rewrite(History, "", clip(val, 40), func(l *looker) []Effect { return append(l.unreached(g.dir), l.onlyInReflog(g.dir)...) })
			}
		}
	}
	if tree != "" {
		g.dir = r.w.abs(tree, g.dir)
	} else if repo != "" {
		g.dir = strings.TrimSuffix(r.w.abs(repo, g.dir), "/.git")
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
func (r *reader) discard(how string, run func(*looker) []Effect) { r.rewrite(Discard, "", how, run) }

// rewrite records what is done to the work tree or to history, and what looks up the loss.
//
//go:noinline
func (r *reader) rewrite(tag Tag, target, how string, run func(*looker) []Effect) {
	r.lookAt(r.add(Act{Kind: Rewrite, Tag: tag, Target: clip(target, 60), How: how}), run)
}

func (r *reader) gitReset(g gitCall) {
	a := split(g.args, "")
	if !a.has("--hard", "--merge", "--keep") {
		return
	}
	if a.has("--hard", "--merge") {
		_, added := r.before("add")
		r.discard("reset --hard", func(l *looker) []Effect {
			es := l.changes(g.dir, nil, true)
			if to := a.op(0); a.has("--hard") && !in(to, "HEAD @") && to != "" {
				es = append(es, l.buried(g.dir, to, true)...)
			}
			es = l.resets(es, g.dir, a.op(0))
			if added { // what was untracked is part of what goes
				es = append(es, l.untracked(g.dir, nil, cleanMode{dirs: true})...)
			}
			return es
		})
	}
	if to := a.op(0); to != "" && to != "HEAD" && to != "@" {
		r.rewrite(DropCommits, to, "reset --hard", func(l *looker) []Effect { return l.resets(l.commits(g.dir, "HEAD", to), g.dir, to) })
	}
}

func (r *reader) gitCheckout(c *shell.Command, g gitCall) {
	a := split(g.args, " -b -B -c -C --orphan --conflict --pathspec-from-file ")
	for _, f := range a.flags {
		if f.has && (f.name == "-B" || f.name == "-C" || f.name == "--force-create") {
			name, start := f.val.Text, a.op(0)
			if start == "" {
				start = "HEAD"
			}
			r.rewrite(DropCommits, name, g.sub+" "+f.name, func(l *looker) []Effect {
				return keeping(l.branchLost(g.dir, name, start), func(k *Keep) { k.To, k.Head = "@", true })
			})
		}
	}
	if a.has("-f", "--force", "--discard-changes") {
		plain := len(a.ops) < 2 && len(a.flags) == 1 // nothing but the commit it goes to
		r.discard(g.sub+" --force", func(l *looker) []Effect {
			es := l.changes(g.dir, nil, true)
			if to := a.op(0); to != "" {
				es = append(es, l.buried(g.dir, to, true)...)
			}
			return keeping(es, func(k *Keep) {
				if k.To, k.Head = orHead(a.op(0)), true; !plain {
					*k = Keep{}
				}
			})
		})
		return
	}
	if a.has("-b", "-B", "-c", "-C", "--orphan", "-t", "--track", "-p", "--patch") {
		return
	}
	if g.sub == "switch" || a.has("--detach") {
		r.gitSwitch(g, a.op(0))
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
				return l.buried(g.dir, paths[0], false)
			}
			return l.changes(g.dir, paths, false)
		})
		r.leaves(g, paths[0])
		return
	}
	r.discard("checkout -- "+clip(strings.Join(paths, " "), 40), func(l *looker) []Effect {
		return keeping(l.changes(g.dir, paths, fromTree), func(k *Keep) {
			if fromTree {
				k.To = a.op(0)
			}
		})
	})
	if fromTree {
		r.lays(c, g, paths, a.op(0))
	}
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

func (r *reader) gitRestore(c *shell.Command, g gitCall) {
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
	r.lays(c, g, paths, to)
}

func (r *reader) gitClean(g gitCall) {
	a := split(g.args, " -e --exclude ")
	if a.has("-n", "--dry-run", "-i", "--interactive") || !a.has("-f", "--force") && !g.cleans {
		return
	}
	mode := cleanMode{dirs: a.has("-d"), ignored: a.has("-x"), onlyIgnored: a.has("-X"), nested: a.count("-f", "--force") > 1}
	for _, v := range a.values("-e", "--exclude") {
		mode.except = append(mode.except, v.Text)
	}
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
	which := ""
	if sub == "drop" {
		which = stashName(at(words(split(g.args[1:], "").ops), 0))
	}
	stashed, untracked := r.stashes()
	r.rewrite(DropStash, "", "stash "+sub, func(l *looker) []Effect {
		es := l.stash(g.dir, which)
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
			known := o.Known
			r.rewrite(DropCommits, name, "branch -D", func(l *looker) []Effect {
				if !known {
					return l.someBranches(g.dir, "which branches are deleted is known only when the line runs")
				}
				return l.branchLost(g.dir, name, "")
			})
		}
		if len(a.ops) == 0 && viaAny(&r.cmds[r.at], "xargs", "parallel") && !a.has("-r", "--remotes") {
			r.rewrite(DropCommits, "", "branch -D", func(l *looker) []Effect {
				return l.someBranches(g.dir, "which branches are deleted comes from another command")
			})
		}
	case force && len(a.ops) > 0:
		name, start := a.op(0), a.op(1)
		if a.has("-M", "-C") && start != "" { // the old name stands first
			name, start = start, name
		}
		start = orHead(start)
		r.rewrite(DropCommits, name, "branch -f", func(l *looker) []Effect {
			es := l.branchLost(g.dir, name, start)
			if a.has("-M") {
				es = l.renames(es, g.dir, start)
			}
			return es
		})
	}
}

func (r *reader) gitTag(g gitCall) {
	a := split(g.args, " -m --message -F --file -u --local-user ")
	if a.has("-f", "--force") && len(a.ops) > 0 {
		name, to := a.op(0), orHead(a.op(1))
		r.rewrite(DropCommits, name, "tag -f", func(l *looker) []Effect { return l.refLost(g.dir, "refs/tags/"+name, to) })
	}
	if !a.has("-d", "--delete") {
		return
	}
	for _, o := range a.ops {
		name := o.Text
		r.rewrite(DropCommits, name, "tag -d", func(l *looker) []Effect { return l.refLost(g.dir, "refs/tags/"+name, "") })
	}
}

func (r *reader) gitUpdateRef(g gitCall) {
	a := split(g.args, " -m ")
	if !a.has("-d", "--delete") && !a.has("--stdin") {
		return
	}
	ref := a.op(0)
	r.rewrite(DropCommits, ref, "update-ref -d", func(l *looker) []Effect {
		if name, ok := strings.CutPrefix(ref, "refs/heads/"); ok {
			if es := l.branchLost(g.dir, name, ""); len(es) > 0 {
				return es
			}
			if l.isCurrent(g.dir, name) { // the branch that stands checked out is the work tree's only name
				return []Effect{{Kind: "commits", Target: ref, Lost: 1}}
			}
			return nil
		}
		if a.has("--stdin") || !strings.HasPrefix(ref, "refs/") {
			return []Effect{{Kind: "commits", Target: ref, Unknown: "which refs go is not told here"}}
		}
		return l.refLost(g.dir, ref, "")
	})
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
	remote := orOrigin(a.op(0))
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
	if len(specs) == 0 && force && a.has("--all", "--branches") {
		i := r.add(Act{Kind: Publish, Tag: ForcePush, Target: clip(remote, 60), Place: Remote, Force: true, How: "push --force --all"})
		r.lookAt(i, func(l *looker) []Effect { return l.forcedAll(g.dir, remote) })
	} else if len(specs) == 0 && force {
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
