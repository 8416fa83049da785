package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// lookers are programs that only look, whatever their flags say; those with writing flags have their own readers.
const lookers = "ls cat head tail wc sort uniq cut tr grep egrep fgrep rg ag ack fd find stat file du df ps pwd echo printf true false : test [ [[ which type command whereis whoami id groups uname hostname date cal uptime free lscpu lsblk lsof netstat ss nproc env printenv locale basename dirname realpath readlink seq expr sleep diff cmp comm join paste column fold nl od xxd hexdump strings md5sum sha1sum sha256sum sha512sum cksum b2sum shasum md5 jq yq xmllint tree less more man info tac rev awk gawk mawk sed tput cd pushd popd dirs history jobs tsort numfmt iconv base64 base32 zcat zgrep bzcat xzcat zless look pgrep getent ping host dig nslookup traceroute whois cloc tokei bat exa eza lsd ripgrep hexyl git set shopt unset read local declare typeset let return exit wait break continue shift getopts mapfile readarray go kubectl docker terraform gh pip npm"

// readOnly says that a command plainly changes nothing. Programs with subcommands only count for those that look; their
// readers mark what changes.
func (r *reader) readOnly(c *shell.Command) bool {
	if c.Unsure != "" || !in(c.Name, lookers) || c.Background {
		return false
	}
	for _, d := range c.Redirects {
		if strings.Contains(d.Op, ">") && !strings.HasPrefix(d.To.Text, "/dev/") && !(strings.HasSuffix(d.Op, "&") && isDigits(d.To.Text)) {
			return false
		}
	}
	if c.Name == "sort" && hasArg(c.Args, "-o", "--output") || c.Name == "yq" && hasArg(c.Args, "-i", "--inplace") || c.Name == "tree" && hasArg(c.Args, "-o") {
		return false
	}
	ws := words(c.Args)
	var ops []string
	for _, w := range ws {
		if !strings.HasPrefix(w, "-") {
			ops = append(ops, w)
		}
	}
	sub := at(ops, 0)
	switch c.Name {
	case "git":
		return gitLooks(c)
	case "go":
		return in(sub, "version env list doc vet help")
	case "kubectl":
		return in(sub, "get describe logs top explain version api-resources api-versions cluster-info auth diff events")
	case "docker":
		return in(sub, "ps images logs inspect version info stats top port diff history search events") || in(at(ops, 1), "ls list inspect")
	case "terraform":
		return in(sub, "show validate version providers graph output")
	case "gh":
		return in(at(ops, 1), "list view status diff checks")
	case "pip", "npm":
		return in(sub, "list ls show outdated view info freeze search why root prefix audit")
	}
	return true
}

// gitLooks: subcommands of git that read, in their reading forms.
func gitLooks(c *shell.Command) bool {
	g := argv{}
	i := 0
	for ; i < len(c.Args) && strings.HasPrefix(c.Args[i].Text, "-"); i++ {
		if in(c.Args[i].Text, "-C --git-dir --work-tree") {
			i++
		} else if c.Args[i].Text == "-c" {
			return false
		}
	}
	if i >= len(c.Args) {
		return true
	}
	g = split(c.Args[i+1:], "")
	switch c.Args[i].Text {
	case "status", "log", "diff", "show", "blame", "ls-files", "ls-tree", "rev-parse", "rev-list", "describe", "shortlog", "cat-file", "grep", "merge-base", "name-rev", "for-each-ref", "show-ref", "check-ignore", "count-objects", "whatchanged", "var", "version", "diff-tree", "diff-index", "diff-files", "show-branch", "range-diff", "cherry":
		return !g.has("--output", "--ext-diff", "-O", "--open-files-in-pager")
	case "branch", "tag", "remote":
		return len(g.ops) == 0 || g.has("--list", "-l", "--contains", "--merged", "--no-merged", "--points-at") || in(g.op(0), "show get-url")
	case "stash", "worktree", "notes", "submodule", "reflog", "bisect":
		return in(g.op(0), "list show status log view") || c.Args[i].Text == "reflog" && len(g.ops) == 0
	case "config":
		return g.has("--get", "--get-all", "--list", "-l", "--get-regexp") || in(g.op(0), "get list") || len(g.ops) == 1
	}
	return false
}
