package effect

import (
	"os"
	"path/filepath"
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

func (r *reader) rsync(c *shell.Command) {
	a := split(c.Args, " -e --rsh --exclude --include --filter -f --files-from --exclude-from --include-from --backup-dir --log-file --bwlimit --timeout --port --rsync-path --chmod --chown ")
	if v := a.values("-e", "--rsh"); len(v) > 0 && !strings.HasPrefix(strings.TrimSpace(v[0].Text), "ssh") {
		r.nested(v[0].Text, c.Dir)
	}
	if a.has("-n", "--dry-run") || len(a.ops) < 2 {
		return
	}
	for _, s := range a.ops[:len(a.ops)-1] {
		if t := r.written(c, s); t.path != "" && secretTag(t.real) != "" {
			r.reading(c, t, true)
		}
	}
	dst := a.ops[len(a.ops)-1]
	if remoteSpec(dst.Text) {
		i := r.add(Act{Kind: Send, Target: clip(dst.Text, 80), Place: Remote})
		for _, s := range a.ops[:len(a.ops)-1] {
			if t := r.written(c, s); t.real != "" {
				r.acts[i].sends(r.secret(t.real))
				if r.holdsKeys(t.real) {
					r.acts[i].sends(KeyFile)
				}
			}
		}
		if a.has("--delete", "--del", "--delete-after", "--delete-before", "--delete-during", "--delete-excluded") {
			r.add(Act{Kind: Delete, Target: clip(dst.Text, 80), Place: Remote, Recursive: true, How: "rsync --delete", Tag: VerbDestroy})
		}
		return
	}
	t := r.written(c, dst)
	if src := a.op(0); remoteSpec(src) && len(a.ops) == 2 && t.path != "" && !t.slash && len(r.files) < 100 {
		from, _, _ := strings.Cut(src, ":")
		r.files = append(r.files, file{path: t.real, from: from})
	}
	if deletes(a) {
		if len(a.ops) > 2 {
			t.all = true
			r.remove(c, t, true, filter{except: r.sourceNames(c, a.ops[:len(a.ops)-1])})
			return
		}
		r.laid(c, a.ops[0], dst, true)
		return
	}
	if len(a.ops) == 2 && !remoteSpec(a.op(0)) && !a.has("-u", "--update", "--ignore-existing", "-b", "--backup") {
		r.laid(c, a.ops[0], dst, false)
		if f := r.made(r.written(c, a.ops[0]).real); f.from != "" && len(r.files) < 100 {
			f.path = t.real
			r.files = append(r.files, f)
		}
	}
	r.changes = true
}

func deletes(a argv) bool {
	for _, f := range a.flags {
		if strings.HasPrefix(f.name, "--del") {
			return true
		}
	}
	return false
}

// sourceNames are the names at the top of rsync's sources: they stay in the target.
func (r *reader) sourceNames(c *shell.Command, srcs []shell.Word) []string {
	var out []string
	for _, s := range srcs {
		t := r.written(c, s)
		if !t.slash {
			out = append(out, filepath.Base(t.path))
			continue
		}
		es, err := os.ReadDir(t.real)
		if err != nil {
			continue
		}
		for i, e := range es {
			if i > 1000 {
				break
			}
			out = append(out, e.Name())
		}
	}
	return out
}

// remoteSpec tells host:path from a path.
func remoteSpec(s string) bool {
	i := strings.IndexByte(s, ':')
	return strings.Contains(s, "://") || i > 1 && !strings.Contains(s[:i], "/")
}
