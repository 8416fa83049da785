package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// countedOnly: of a file that a command reads nobody sees more than a number, or the names of what is set in it: wc -l
// < .env, cat .env | grep -c KEY, cut -d= -f1 .env.
func (r *reader) countedOnly(c *shell.Command, path string) bool {
	if r.at >= len(r.cmds) || c.Group != r.cmds[r.at].Group {
		return counts(c) || namesOnly(c) && setsOnly(path)
	}
	for i := r.at; i < len(r.cmds) && r.cmds[i].Group == c.Group; i++ {
		p := &r.cmds[i]
		if i == r.at {
			p = c
		} else if p.Stage == c.Stage {
			continue // it stands beside the command, in a block
		}
		switch {
		case saves(p):
			return false
		case counts(p), namesOnly(p) && setsOnly(path):
			return true
		case !in(p.Name, "cat grep egrep fgrep rg sort uniq head tail tr cut rev nl tac"):
			return false
		}
	}
	return false
}

// saves: what the command prints goes to a file.
func saves(c *shell.Command) bool {
	for _, d := range c.Redirects {
		if strings.Contains(d.Op, ">") && !d.Body && d.To.Text != "/dev/null" && !(strings.HasSuffix(d.Op, "&") && isDigits(d.To.Text)) {
			return true
		}
	}
	return c.Name == "sort" && hasArg(c.Args, "-o", "--output")
}

// counts: the command prints a number, or nothing, whatever it reads.
func counts(c *shell.Command) bool {
	switch c.Name {
	case "wc":
		for _, a := range c.Args {
			if strings.HasPrefix(a.Text, "--f") { // names of files in its input, which it repeats
				return false
			}
		}
		return true
	case "grep", "egrep", "fgrep", "rg":
		return split(c.Args, " -e -f -m -A -B -C ").has("-c", "-q", "--count", "--quiet", "--silent")
	}
	return in(c.Name, "md5sum sha1sum sha256sum sha512sum shasum cksum b2sum")
}

// namesOnly: of lines NAME=value the command prints the names.
func namesOnly(c *shell.Command) bool {
	switch c.Name {
	case "cut":
		a := split(c.Args, " -d --delimiter -f --fields ")
		d, f := a.values("-d", "--delimiter"), a.values("-f", "--fields")
		return len(d) == 1 && d[0].Text == "=" && len(f) == 1 && f[0].Text == "1"
	case "grep", "egrep", "rg":
		a := split(c.Args, " -e ")
		p := append(a.values("-e"), a.ops...)
		if !a.has("-o", "--only-matching") || len(p) == 0 {
			return false
		}
		word, anchored := strings.CutPrefix(strings.TrimSuffix(p[0].Text, "="), "^")
		word = strings.ReplaceAll(strings.ReplaceAll(word, "[^=]", ""), `\w`, "")
		return anchored && !strings.ContainsAny(word, `.=\^`)
	case "sed":
		ops := split(c.Args, "").ops
		if len(ops) == 0 || hasArg(c.Args, "-e", "-f") {
			return false
		}
		with, ok := strings.CutPrefix(strings.ReplaceAll(ops[0].Text, "$/", "/"), "s/=.*/")
		return ok && strings.Count(with, "/") == 1 && !strings.ContainsAny(with, `&\;`)
	case "awk", "gawk", "mawk":
		a := split(c.Args, " -F -v -f ")
		f := a.values("-F")
		prog := strings.ReplaceAll(a.op(0), " ", "")
		before, ok := strings.CutSuffix(prog, "{print$1}")
		return ok && len(f) == 1 && f[0].Text == "=" && !a.has("-v", "-f") && !strings.ContainsAny(before, "{}")
	}
	return false
}

// setsOnly: every line of a file sets a name, is a comment or is empty, so that none is a value alone.
func setsOnly(path string) bool {
	for line := range strings.Lines(smallFile(path)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' && !strings.Contains(line, "=") {
			return false
		}
	}
	return true
}
