package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// compress replaces a file by its packed form; nothing is lost.
func (r *reader) compress(c *shell.Command) {
	if !hasArg(c.Args, "-c", "-d", "-dc", "-l", "-t", "-k") && len(c.Args) > 0 {
		r.changes = true
	}
	if hasArg(c.Args, "-f", "-kf", "-fk", "-9f", "-f9", "--force") && !hasArg(c.Args, "-c", "-d") { // otherwise it asks first
		for _, o := range split(c.Args, " -S -T ").ops {
			o.Text += "." + strings.Replace(c.Name, "ip", "", 1) // .gz, .bz2, .xz
			r.writes(c, r.written(c, o), Overwrite, file{})
		}
	}
}

func (r *reader) tar(c *shell.Command) {
	a := split(c.Args, " -f --file -C --directory --checkpoint-action --to-command -I --use-compress-program --exclude -T --files-from --transform ")
	for _, v := range append(a.values("--checkpoint-action", "--to-command"), a.values("-I", "--use-compress-program")...) {
		t := v.Text
		if i := strings.Index(t, "exec="); i >= 0 {
			t = t[i+5:]
		}
		r.nested(t, c.Dir)
	}
	if a.has("--remove-files") {
		for _, o := range a.ops {
			r.remove(c, r.target(c, o), true, filter{})
		}
	}
	for _, o := range a.ops {
		if t := r.written(c, o); t.path != "" && secretTag(t.real) != "" {
			r.reading(c, t, true)
		}
	}
	r.untar(c, a)
	r.newArchive(c, a)
	r.changes = true
}

// remoteSpec tells host:path from a path.
func remoteSpec(s string) bool {
	i := strings.IndexByte(s, ':')
	return strings.Contains(s, "://") || i > 1 && !strings.Contains(s[:i], "/")
}
