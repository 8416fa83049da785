package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// What a git command does that only another command of the same line tells.

// gitUnapplies reads a patch of the work tree's own changes that is taken back.
func (r *reader) gitUnapplies(g gitCall) {
	if hasArg(g.args, "-R", "--reverse") && !hasArg(g.args, "--check", "--stat", "--numstat", "--summary", "--cached") && r.readsGit("diff") {
		r.discard("apply -R", func(l *looker) []Effect { return l.changes(g.dir, nil, false) })
	}
}

// unpacksGit reads tar that lays what git archive packs over the work tree.
func (r *reader) unpacksGit(c *shell.Command) {
	if c.Name != "tar" || !r.readsGit("archive") {
		return
	}
	if a := split(c.Args, " -f --file -C --directory "); !a.has("-C", "--directory", "-t", "--list", "-k", "--keep-old-files", "-O") {
		dir := r.dir(c)
		r.discard("archive | tar", func(l *looker) []Effect { return l.changes(dir, nil, false) })
	}
}

// credentialHelper: git is told to hand every login to a line of the caller's own.
func (r *reader) credentialHelper(g gitCall) {
	for i, a := range g.args {
		line := at(words(g.args), i+1)
		if key := strings.ToLower(a.Text); strings.HasPrefix(key, "credential.") && strings.HasSuffix(key, "helper") && strings.HasPrefix(line, "!") {
			before := len(r.acts)
			r.nested(line[1:], g.dir)
			for _, act := range r.acts[before:] {
				if act.Kind == Send || act.Kind == Write || act.Kind == Overwrite {
					r.tell(Persist, GitCode, key, line)
					return
				}
			}
		}
	}
}

// readsGit: the command reads what git prints by the subcommand, on the disk's own state: git diff, without revisions.
func (r *reader) readsGit(sub string) bool {
	if r.at == 0 || r.cmds[r.at].Stage == 0 {
		return false
	}
	p := &r.cmds[r.at-1]
	if p.Name != "git" || p.Group != r.cmds[r.at].Group || len(p.Args) == 0 || p.Args[0].Text != sub {
		return false
	}
	for _, a := range p.Args[1:] {
		if sub == "diff" && (in(a.Text, "--cached --staged") || strings.Contains(a.Text, "..")) {
			return false
		}
	}
	return true
}

// aliasOfLine is what an earlier command of the line has made a name of git's stand for; empty for none and for one that
// is no command of git.
func (r *reader) aliasOfLine(name string) string {
	for i := range r.cmds[:min(r.at, len(r.cmds))] {
		if p := &r.cmds[i]; p.Name == "git" && hasArg(p.Args, "config") {
			for n, a := range p.Args {
				if a.Text == "alias."+name && n+1 < len(p.Args) && !strings.HasPrefix(p.Args[n+1].Text, "!") {
					return p.Args[n+1].Text
				}
			}
		}
	}
	return ""
}
