package effect

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// A secret stays one when the line copies, packs or links it first: what is made of it is remembered by path.

type taint struct {
	path string
	tag  Tag
}

const maxTaints = 100

// secret is what a path holds: by its name, or by what the line has made of it.
func (r *reader) secret(p string) Tag {
	if tag := secretTag(p); tag != "" {
		return tag
	}
	for _, t := range r.taints {
		if t.path == p {
			return t.tag
		}
	}
	return ""
}

func (r *reader) taint(p string, tag Tag) {
	if tag != "" && p != "" && len(r.taints) < maxTaints {
		r.taints = append(r.taints, taint{p, tag})
	}
}

// derived remembers what a command makes of secrets: packed files beside them, and what its pipeline writes.
func (r *reader) derived(c *shell.Command) {
	switch c.Name {
	case "gzip", "bzip2", "xz", "zstd", "lz4":
		for _, o := range split(c.Args, "").ops {
			t := r.written(c, o)
			tag := r.secret(t.real)
			r.taint(t.real+packedEnd(c.Name), tag)
			for _, d := range c.Redirects { // gzip -c FILE > OUT
				if strings.Contains(d.Op, ">") && !d.Body && !isDigits(d.To.Text) {
					r.taint(r.written(c, d.To).real, tag)
				}
			}
		}
	case "tar", "zip", "7z", "openssl", "gpg":
		r.packed(c)
	}
	for _, d := range c.Redirects {
		if d.Body || !strings.Contains(d.Op, ">") || isDigits(d.To.Text) {
			continue
		}
		for _, a := range r.acts {
			if a.Kind == Secret && a.Command >= 0 && a.Command < len(r.cmds) && r.cmds[a.Command].Group == c.Group {
				r.taint(r.written(c, d.To).real, a.Tag)
			}
		}
	}
}

func packedEnd(name string) string {
	switch name {
	case "bzip2":
		return ".bz2"
	case "xz":
		return ".xz"
	case "zstd":
		return ".zst"
	case "lz4":
		return ".lz4"
	}
	return ".gz"
}

// packed: one of the words is a secret, so each file that the command writes may hold it.
func (r *reader) packed(c *shell.Command) {
	var found Tag
	for _, a := range c.Args {
		if t := r.written(c, a); a.Known && t.path != "" && !strings.HasPrefix(a.Text, "-") {
			if tag := r.secret(t.real); tag != "" && found != KeyFile {
				found = tag
			}
		}
	}
	if found == "" {
		return
	}
	for _, a := range c.Args {
		if a.Known && !strings.HasPrefix(a.Text, "-") {
			if t := r.written(c, a); r.secret(t.real) == "" {
				r.taint(t.real, found)
			}
		}
	}
}

// packedTrees are the files into which earlier commands of the line have packed a whole project, home or history.
func (r *reader) packedTrees() []string {
	var out []string
	for i := range r.cmds[:min(r.at, len(r.cmds))] {
		c := &r.cmds[i]
		if !(in(c.Name, "tar zip 7z") || c.Name == "git" && hasArg(c.Args, "bundle") && hasArg(c.Args, "create")) || c.Remote {
			continue
		}
		whole := c.Name == "git"
		var made []string
		for _, a := range c.Args {
			t := r.written(c, a)
			made = append(made, t.real)
			whole = whole || !strings.HasPrefix(a.Text, "-") && t.path != "" && (t.path == repoRoot(t.path) || t.place == Home || t.place == Root)
		}
		if whole {
			out = append(out, made...)
		}
	}
	return out
}

// holdsKeys says that a folder holds a private key at its top.
func (r *reader) holdsKeys(dir string) bool {
	f, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer f.Close()
	names, _ := f.Readdirnames(200) // what lies past the bound is not looked at
	for _, n := range names {
		if secretTag(filepath.Join(dir, n)) == KeyFile {
			return true
		}
	}
	return false
}
