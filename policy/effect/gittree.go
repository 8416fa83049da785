package effect

import (
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

func (r *reader) gitRm(c *shell.Command, g gitCall) {
	a := split(g.args, " --pathspec-from-file ")
	if a.has("--cached", "-n", "--dry-run") {
		return
	}
	sub := g.from(c)
	for _, o := range a.ops {
		t := r.target(sub, o)
		if !a.has("-f", "--force") { // git refuses to remove what is changed
			r.guardTouch(t, a.has("-r"))
			r.add(Act{Kind: Delete, Target: t.real, Place: t.place, Recursive: a.has("-r"), How: "git rm"})
			continue
		}
		i := r.add(Act{Kind: Delete, Target: t.real, Place: t.place, Recursive: a.has("-r"), How: "git rm -f"})
		r.lookAt(i, func(l *looker) []Effect { // what is not tracked stays
			return keepIndex(append(l.changes(g.dir, []string{o.Text}, true), l.submodules(g.dir, t.real)...), repoRoot(g.dir), t.real)
		})
	}
}

// gitMove: each source leaves its place; with -f the target is replaced.
func (r *reader) gitMove(c *shell.Command, g gitCall) {
	a := split(g.args, "")
	if len(a.ops) < 2 || a.has("-n", "--dry-run") {
		return
	}
	sub := g.from(c)
	dst := a.ops[len(a.ops)-1]
	r.guardTouch(r.target(sub, dst), false)
	for _, s := range a.ops[:len(a.ops)-1] {
		t := r.target(sub, s)
		if r.guardTouch(t, true) {
			continue
		}
		r.add(Act{Kind: Move, Target: t.real, Place: t.place, Recursive: true, How: "git mv"})
		if a.has("-f", "--force") {
			before := len(r.looks)
			r.replaces(sub, s, dst, false)
			for i := before; i < len(r.looks); i++ { // the entries of both names change too
				run := r.looks[i].run
				r.looks[i].run = func(l *looker) []Effect {
					return keeping(run(l), func(k *Keep) {
						k.Repo, k.To, k.Scope = repoRoot(g.dir), EmptyTree, append([]string{t.real}, k.Paths...)
					})
				}
			}
		}
	}
}

func (r *reader) gitWorktree(c *shell.Command, g gitCall) {
	if len(g.args) == 0 {
		return
	}
	a := split(g.args[1:], " -b -B --reason ")
	if v := a.values("-B"); g.args[0].Text == "add" && len(v) > 0 {
		r.movesBranch(g, v[0].Text, orHead(a.op(1)), "worktree add -B")
	}
	if g.args[0].Text != "remove" {
		return
	}
	if !a.has("-f", "--force") || len(a.ops) == 0 {
		return // git refuses to remove one that is dirty
	}
	sub := g.from(c)
	t := r.target(sub, a.ops[0])
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
	case g.sub == "bisect" && at(ws, 0) == "run":
		r.nested(strings.Join(ws[1:], " "), g.dir)
	case g.sub == "submodule" && a.op(0) == "foreach":
		for len(ws) > 0 && (ws[0] == "foreach" || strings.HasPrefix(ws[0], "-")) { // its own flags stand on both sides
			ws = ws[1:]
		}
		for _, dir := range submodules(g.dir) {
			r.nested(strings.Join(ws, " "), dir)
		}
	case g.sub == "submodule":
		r.gitSubmodule(c, g, a)
	case g.sub == "rebase":
		r.gitRebase(g, a)
	}
}

// gitSubmodule reads deinit -f, after which the submodule's work tree is empty, and update -f, which discards its changes.
func (r *reader) gitSubmodule(c *shell.Command, g gitCall, a argv) {
	if !in(a.op(0), "deinit update") || !a.has("-f", "--force") {
		return
	}
	if a.op(0) == "update" {
		r.discard("submodule update --force", func(l *looker) (es []Effect) {
			for _, dir := range submodules(g.dir) {
				es = append(es, l.changes(dir, nil, true)...)
			}
			return es
		})
		return
	}
	paths := a.ops[1:]
	if a.has("--all") {
		paths = []shell.Word{{Text: ".", Known: true}}
	}
	sub := g.from(c)
	for _, p := range paths {
		t := r.target(sub, p)
		r.discard("submodule deinit --force", func(l *looker) []Effect {
			if repoRoot(t.real) != t.real || t.real == repoRoot(g.dir) {
				return []Effect{{Kind: "changes", Target: t.real, Unknown: "which submodules are emptied is known only to git"}}
			}
			return keepWorktree(l.worktree(t.real), t.real)
		})
	}
}

// maxSubmodules bounds the submodules of a work tree that are looked at.
const maxSubmodules = 50

// submodules are the folders that .gitmodules names and that are checked out.
func submodules(dir string) []string {
	var out []string
	root := repoRoot(dir)
	for line := range strings.Lines(smallFile(filepath.Join(root, ".gitmodules"))) {
		key, val, ok := strings.Cut(line, "=")
		if ok && strings.TrimSpace(key) == "path" && len(out) < maxSubmodules {
			if p := filepath.Join(root, strings.TrimSpace(val)); p != root && atOrBelow(p, root) && repoRoot(p) == p {
				out = append(out, p)
			}
		}
	}
	return out
}

// submodules looks at what the submodules at or below a path lose with it.
func (l *looker) submodules(dir, path string) (es []Effect) {
	for _, m := range submodules(dir) {
		if atOrBelow(m, path) {
			es = append(es, keepWorktree(l.worktree(m), m)...)
		}
	}
	return es
}

// from is the command as one of the folder that git goes to.
//
//go:noinline
func (g *gitCall) from(c *shell.Command) *shell.Command {
	moved := *c
	moved.Dir = g.dir
	return &moved
}

// movesBranch: a branch is set to another commit.
func (r *reader) movesBranch(g gitCall, name, start, how string) {
	dir := g.dir
	r.rewrite(DropCommits, name, how, func(l *looker) []Effect { return l.branchLost(dir, name, start) })
}

// gitFetch: +FROM:TO, or FROM:TO with --force, sets a branch here to what the remote has.
func (r *reader) gitFetch(g gitCall) {
	a := split(g.args, " -o --server-option --depth --deepen --shallow-since --refmap -j --jobs --upload-pack ")
	if !in(g.sub, "fetch pull") {
		return
	}
	if a.has("--prune", "-p") && !a.has("--dry-run") {
		r.prunes(g, orOrigin(a.op(0)))
	}
	for i := 1; i < len(a.ops); i++ {
		spec, force := strings.CutPrefix(a.op(i), "+")
		if _, to, ok := strings.Cut(spec, ":"); ok && to != "" && (force || a.has("-f", "--force")) && !strings.HasPrefix(to, "refs/remotes/") {
			r.movesBranch(g, strings.TrimPrefix(to, "refs/heads/"), "", "fetch --force")
		}
	}
}

// prunes: branches of a remote, as last seen, go where the remote has them no more.
func (r *reader) prunes(g gitCall, remote string) {
	r.rewrite(DropCommits, remote, g.sub+" --prune", func(l *looker) []Effect { return l.pruned(g.dir, remote) })
}

//go:noinline
func orOrigin(remote string) string {
	if remote == "" {
		return "origin"
	}
	return remote
}

// pruned counts the commits that only such branches hold. It can tell of a remote on this disk alone: what another dropped
// somewhere else is most often merged, under other names.
func (l *looker) pruned(dir, remote string) []Effect {
	root := repository(dir)
	there := remotePath(root, remote)
	if root == "" || there == "" {
		return nil
	}
	has, err := l.repo.Git(there, "for-each-ref", "--format=%(refname)", "refs/heads")
	seen, err2 := l.repo.Git(root, "for-each-ref", "--format=%(refname)", "refs/remotes/"+remote)
	if err != nil || err2 != nil {
		return nil // git would not get there either
	}
	var gone []string
	for ref := range strings.FieldsSeq(string(seen)) {
		name := strings.TrimPrefix(ref, "refs/remotes/"+remote+"/")
		if name != "HEAD" && !strings.Contains("\n"+string(has), "\nrefs/heads/"+name+"\n") && len(gone) < maxDropped {
			gone = append(gone, ref)
			l.without(nil, ref)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	n, err := l.count(root, l.without(append(gone, "--not"), "", allBranches, allTags, allRemotes)...)
	if err != nil {
		return unknownGit("commits", remote)
	}
	return l.keepRefs(commits(remote+" (branches that it has no more)", n), root)
}

// remotePath is the repository on this disk that a remote is; empty for one elsewhere.
func remotePath(root, remote string) string {
	_, section, _ := strings.Cut(readBounded(filepath.Join(commonDir(root), "config")), "[remote \""+remote+"\"]")
	section, _, _ = strings.Cut(section, "\n[")
	for line := range strings.Lines(section) {
		key, val, _ := strings.Cut(line, "=")
		if p := strings.TrimPrefix(strings.TrimSpace(val), "file://"); strings.TrimSpace(key) == "url" && p != "" {
			if !filepath.IsAbs(p) {
				p = filepath.Join(root, p)
			}
			if isBare(p) || !Absent(filepath.Join(p, ".git")) {
				return p
			}
		}
	}
	return ""
}

// gitPacks reads the commands that write a file of the person's own naming.
func (r *reader) gitPacks(c *shell.Command, g gitCall) {
	a := split(g.args, " -o --output --format --prefix --remote --exec --add-file ")
	out := a.values("-o", "--output")
	if g.sub == "bundle" && a.op(0) == "create" && len(a.ops) > 1 {
		out = a.ops[1:2]
	}
	sub := g.from(c)
	for _, o := range out {
		r.writes(sub, r.written(sub, o), Overwrite, file{})
	}
}

// lays records that files are replaced by those of another commit, whether or not something is lost by that.
func (r *reader) lays(c *shell.Command, g gitCall, paths []string, from string) {
	if in(from, "HEAD @") || from == "" {
		return // only what is changed is replaced, which the look-up tells
	}
	sub := g.from(c)
	for _, p := range paths {
		t := r.target(sub, shell.Word{Text: p, Known: true, Glob: strings.ContainsAny(p, "*?[")})
		r.add(Act{Kind: Overwrite, Target: t.real, Place: t.place, Recursive: isDir(t.real), How: "git " + g.sub})
	}
}

// maxCarried bounds the files that a look-up makes acts of.
const maxCarried = 20

// carry makes acts of the files that a discard was found to replace or to remove, for whoever asks about paths.
func (r *reader) carry(act int, found []Effect) {
	a := r.acts[act]
	if a.Tag != Discard {
		return
	}
	for i := range found {
		kind, paths := Overwrite, found[i].Keep.Changed
		if found[i].Kind == "files" {
			kind, paths = Delete, found[i].Keep.Paths
		}
		for n, p := range paths {
			if len(r.acts) >= maxActs {
				return
			}
			if !filepath.IsAbs(p) {
				p = filepath.Join(found[i].Target, p)
			}
			more := Act{Kind: kind, Target: p, Place: r.w.place(p), Program: a.Program, How: a.How, Command: a.Command}
			if n == maxCarried {
				more.Target, more.Place, more.Recursive = found[i].Target, r.w.place(found[i].Target), true
			}
			if r.acts = append(r.acts, more); n == maxCarried {
				break
			}
		}
	}
}

// removeListed records a delete of the files that git ls-files lists. It is false for what it is not known to list.
func (r *reader) removeListed(c, from *shell.Command) bool {
	a := split(from.Args, " -x --exclude ")
	if a.op(0) != "ls-files" || r.dir(from) != r.dir(c) {
		return false
	}
	others := a.has("-o", "--others")
	for _, f := range a.flags {
		switch {
		case in(f.name, "-z -c --cached -m --modified -d --deleted --exclude-standard -x --exclude"):
		case others && in(f.name, "-o --others -i --ignored"):
		default:
			return false
		}
	}
	paths := words(a.ops[1:])
	r.lookAt(r.add(Act{Kind: Delete, Place: InProject, How: "git ls-files"}), func(l *looker) (es []Effect) {
		dir := r.dir(from)
		if a.has("-i", "--ignored") {
			return l.untracked(dir, paths, cleanMode{dirs: true, onlyIgnored: true})
		}
		if others {
			es = l.untracked(dir, paths, cleanMode{dirs: true, ignored: !a.has("--exclude-standard")})
		}
		if !others || a.has("-c", "--cached", "-m", "--modified") {
			es = append(es, l.changes(dir, paths, false)...)
		}
		return es
	})
	return true
}
