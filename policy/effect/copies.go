package effect

import (
	"bytes"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// Bounds of comparing content.
const (
	maxCopies   = 200     // files looked for in git's store
	maxCopySize = 4 << 20 // bytes of one
)

// stored leaves out files whose very content is an object of the repository: an older version, or another file's.
func (l *looker) stored(root string, files []entry, s *state) []entry {
	if len(files) == 0 || len(files) > maxCopies {
		return files
	}
	like := ""
	for _, t := range s.entries {
		if like = t.hash; like != "" { // as that of an unfinished merge is
			break
		}
	}
	names := make([]string, len(files))
	args := []string{"rev-list", "--objects", "--no-walk", "--ignore-missing"}
	for i, f := range files {
		if f.size <= maxCopySize {
			names[i] = s.nameOf(like, f)
		}
		if names[i] != "" {
			args = append(args, names[i])
		}
	}
	if len(args) == 4 {
		return files
	}
	out, err := l.repo.Git(root, args...)
	if err != nil {
		return files
	}
	var rest []entry
	for i, f := range files {
		if names[i] == "" || !bytes.Contains(out, []byte(names[i])) {
			rest = append(rest, f)
		}
	}
	return rest
}

// nameOf is the name that git's store gives to a file's content, or empty.
func (s *state) nameOf(like string, f entry) string {
	if s.hashed += f.size; s.hashed > maxHash {
		return ""
	}
	fh, err := os.Open(f.path)
	if err != nil {
		return ""
	}
	defer fh.Close()
	return hex.EncodeToString([]byte(s.blob(like, f.size, fh)))
}

// alike says that two files have the same content.
func alike(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	if err1 != nil || err2 != nil || !x.Mode().IsRegular() || x.Size() != y.Size() || x.Size() > maxCopySize {
		return false
	}
	f, err := os.Open(a)
	if err != nil {
		return false
	}
	defer f.Close()
	g, err := os.Open(b)
	if err != nil {
		return false
	}
	defer g.Close()
	var p, q [32 << 10]byte
	for {
		n, err := io.ReadFull(f, p[:])
		m, _ := io.ReadFull(g, q[:]) // a shorter read shows in its length
		if n != m || !bytes.Equal(p[:n], q[:m]) {
			return false
		}
		if err != nil {
			return true
		}
	}
}

// laid records that a tree, or what a pattern takes, is laid over a folder: files of the same name are replaced, but for
// those that are left, and with gone those that the source does not have are deleted, but for those that it leaves.
func (r *reader) laid(c *shell.Command, src, dst shell.Word, left, gone sieve) {
	from, to := r.target(c, src), r.written(c, dst)
	if from.path == "" || to.path == "" || isWindows(to.path) || r.guardTouch(to, gone != nil) {
		return
	}
	kind := Overwrite
	if gone != nil {
		kind = Delete
	}
	i := r.add(Act{Kind: kind, Target: to.real, Place: to.place, Recursive: true, How: c.Name})
	r.lookAt(i, func(l *looker) []Effect { return l.laid(from, to.real, left, gone) })
}

func (l *looker) laid(from target, to string, left, gone sieve) []Effect {
	e := Effect{Kind: "content", Target: to}
	var files []entry
	base := filepath.Dir(from.real)
	for _, top := range l.sources(from, &e) {
		if base = filepath.Dir(top); !from.glob && !from.all && (from.slash || strings.HasSuffix(from.text, "/.")) {
			base = top // the content of the folder
		}
		files = l.under(base, top, to, left, &e, files)
	}
	if gone != nil {
		e.Kind = "files"
		files = l.missing(from.real, filepath.Join(to, within(base, from.real)), to, gone, &e, files)
	}
	if len(files) == 0 && !e.AtLeast {
		return nil
	}
	l.classify(files, &e)
	if !e.Loses() {
		return nil
	}
	return []Effect{e}
}

// sources are the paths that a copy takes.
func (l *looker) sources(t target, e *Effect) []string {
	if t.glob || t.all {
		return l.expand(t, e)
	}
	return []string{t.real}
}

// under collects files below to that a copy of top, written from base, replaces by others.
func (l *looker) under(base, top, to string, left sieve, e *Effect, files []entry) []entry {
	_ = filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error { // what cannot be read is not copied
		l.entries++
		switch {
		case l.spent():
			e.AtLeast = true
			return fs.SkipAll
		case err != nil || d.IsDir():
			return nil
		}
		rel, err := filepath.Rel(base, p)
		if err != nil || left.leaves(rel) {
			return nil
		}
		at := filepath.Join(to, rel)
		if fi, err := os.Lstat(at); err == nil && fi.Mode().IsRegular() && fi.Size() > 0 && !alike(p, at) {
			files = append(files, entry{path: at, size: fi.Size()})
		}
		return nil
	})
	return files
}

// missing collects files below a copy of base that have no counterpart there, but for those that are left. Names are read
// from top.
func (l *looker) missing(base, copied, top string, left sieve, e *Effect, files []entry) []entry {
	for _, f := range l.walk(copied, true, filter{}, e, nil) {
		if Absent(filepath.Join(base, within(copied, f.path))) && !left.leaves(within(top, f.path)) {
			files = append(files, f)
		}
	}
	return files
}
