package effect

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// rsync reads what a copy sends, replaces and deletes.
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
		r.laid(c, a.ops[0], dst, r.sieve(c, a, false), r.sieve(c, a, true))
		return
	}
	if len(a.ops) == 2 && !remoteSpec(a.op(0)) && !a.has("-u", "--update", "--ignore-existing", "-b", "--backup") {
		r.laid(c, a.ops[0], dst, r.sieve(c, a, false), nil)
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

// sieve is what rsync is told to take and to leave, in its order: the first rule that a name meets decides, and what lies
// below a folder that is left is left with it.
type sieve []sifted

// maxSieve bounds the rules that are read.
const maxSieve = 50

type sifted struct {
	pattern string
	leave   bool
}

// sieve reads the rules, those for the files that are deleted or those for the files that are replaced. It ends before a
// rule that is not read here, so that nothing is spared that might not be. It is never nil.
func (r *reader) sieve(c *shell.Command, a argv, deleted bool) sieve {
	s, lost := sieve{}, deleted && anyWord(c.Args, "--delete-excluded")
	for _, f := range a.flags {
		rules := []string{f.val.Text}
		switch f.name {
		case "--exclude-from", "--include-from":
			if rules = nil; f.val.Known {
				rules = strings.Split(smallFile(r.w.abs(f.val.Text, r.dir(c))), "\n")
			}
		case "--exclude", "--include", "--filter", "-f":
		case "-F":
			return s
		default:
			continue
		}
		if !f.val.Known {
			return s
		}
		for _, rule := range rules {
			kind, pattern := "-", strings.TrimSuffix(rule, "\r")
			if strings.HasPrefix(f.name, "--include") {
				kind = "+"
			}
			switch k, p, ok := strings.Cut(pattern, " "); {
			case ok && in(k, "+ -"), in(f.name, "--filter -f"):
				kind, pattern = k, p
			case pattern == "!": // what came before is no rule any more
				return sieve{}
			}
			switch {
			case pattern == "" || strings.HasSuffix(f.name, "-from") && strings.ContainsAny(pattern[:1], "#;"):
			case in(kind, "- exclude") && lost:
			case in(kind, "- exclude"), in(kind, "P protect") && deleted:
				s = append(s, sifted{pattern, true})
			case in(kind, "+ include"):
				s = append(s, sifted{pattern, false})
			case !in(kind, "P protect"):
				return s
			}
			if len(s) > maxSieve {
				return s
			}
		}
	}
	return s
}

// leaves says that a file, written from the top of what is copied, is left.
func (s sieve) leaves(name string) bool {
	for i := 0; i <= len(name) && len(s) > 0; i++ {
		if i < len(name) && name[i] != '/' {
			continue
		}
		for _, f := range s {
			if !f.meets(name[:i], i < len(name)) {
				continue
			}
			if f.leave {
				return true
			}
			break
		}
	}
	return false
}

// meets says that a rule is about a name. Where its stars are not read here, a rule to leave something is about nothing,
// and one to take something about all.
func (f sifted) meets(name string, dir bool) bool {
	p, all := strings.CutSuffix(f.pattern, "/***") // a folder and what lies in it
	p, content := strings.CutSuffix(p, "/**")
	if !all && !content {
		p, folder := strings.CutSuffix(p, "/")
		return (dir || !folder) && f.is(p, name)
	}
	for n := name; n != "." && n != "/"; n = filepath.Dir(n) {
		if (n != name || all && dir) && f.is(p, n) {
			return true
		}
	}
	return false
}

// is matches a pattern against the end of a name, or the whole where it begins with a slash.
func (f sifted) is(p, name string) bool {
	p = strings.TrimPrefix(p, "**/")
	if p == "" || strings.Contains(p, "**") {
		return !f.leave
	}
	p, whole := strings.CutPrefix(p, "/")
	tail, more := name, strings.Count(name, "/")-strings.Count(p, "/")
	if more < 0 || whole && more > 0 {
		return false
	}
	for ; more > 0; more-- {
		_, tail, _ = strings.Cut(tail, "/")
	}
	ok, err := filepath.Match(strings.ReplaceAll(p, "[!", "[^"), tail)
	return ok || err != nil && !f.leave
}
