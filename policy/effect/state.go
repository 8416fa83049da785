package effect

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/stepgate/stepgate/internal/safefile"
)

// maxHash bounds what is read to compare files with git's objects, in bytes over a whole call.
const maxHash = 256 << 20

// state is what git says about one work tree.
type state struct {
	root   string
	loaded string // the folder the entries below are of; entries of less are not asked again
	read   bool   // whether it was
	index
	// folders hold a tracked file, at any depth; others are untracked and not ignored. Both are made when first needed.
	folders, others map[string]bool
	asked           bool
	err             error
	stamp           time.Time // the index file's time: a file as new as it is compared by content
	hashed          int64
	buf             []byte   // reused for every file that is read
	gone            []string // tracked files that were found missing
	// auto is what a merge under way left by itself, by path; nil where there is none or it was not asked.
	auto map[string]string
}

// standing is how a file stands in its repository.
type standing uint8

const (
	clean     standing = iota // as the index has it
	changed                   // tracked, with other content
	untracked                 // not tracked and not ignored
	ignored                   // not tracked, and ignored
)

func (l *looker) state(root string) *state {
	for _, s := range l.states {
		if s.root == root {
			return s
		}
	}
	s := &state{root: root}
	l.states = append(l.states, s)
	return s
}

// load reads the index entries below a folder, or has git tell them. They come with the file times git knows, so that
// only files that look changed are read, and no filter of the repository runs.
func (s *state) load(l *looker, under string) error {
	if s.read && (s.loaded == s.root || l.w.within(under, s.loaded)) {
		return s.err
	}
	if s.read { // a line that takes many files would read the index for each: it is read of ever wider folders
		if under = common([]string{s.loaded, under}); len(under) < len(s.root) {
			under = s.root
		}
	}
	s.loaded, s.read, s.index, s.folders, s.others, s.asked, s.err = under, true, index{}, nil, nil, false, nil
	if fi, err := os.Stat(filepath.Join(gitDir(s.root), "index")); err == nil {
		s.stamp = fi.ModTime()
	}
	if l.w.Repo == nil && gitWould(s.root) {
		if x, ok := readIndex(s.root, under); ok {
			s.index = x
			return nil
		}
	}
	args := []string{"ls-files", "-s", "-z", "--debug", "--"}
	if under != s.root {
		rel, err := filepath.Rel(s.root, under)
		if err != nil {
			return err
		}
		args = append(args, rel)
	}
	out, err := l.repo.Git(s.root, args...)
	if s.err = err; err == nil && !s.parse(out) {
		s.err = errDisorder
	}
	return s.err
}

var errDisorder = errors.New("the index is not in order")

// gitWould says that git is there and would take this for a repository, and for one of the user's own.
func gitWould(root string) bool {
	common := commonDir(root)
	head := strings.TrimSpace(smallFile(filepath.Join(gitDir(root), "HEAD")))
	return gitPath() != "" && safefile.Owned(root) && safefile.Owned(common) && !Absent(filepath.Join(common, "objects")) &&
		(strings.HasPrefix(head, "ref: refs/") || len(head) == 2*sha1.Size && strings.Trim(head, "0123456789abcdef") == "")
}

// parse reads ls-files -s -z --debug: "mode hash stage\tpath\0" and then indented lines up to the next entry. It is false
// for entries out of order.
func (x *index) parse(out []byte) bool {
	for len(out) > 0 {
		end := bytes.IndexByte(out, 0)
		if end < 0 {
			break
		}
		head, path, ok := strings.Cut(string(out[:end]), "\t")
		out = out[end+1:]
		t := tracked{name: path}
		if f := strings.Fields(head); len(f) == 3 {
			mode, _ := strconv.ParseUint(f[0], 8, 16) // 0 is a file
			t.kind = kind(mode >> 12)
			if hash, err := hex.DecodeString(f[1]); err == nil && f[2] == "0" {
				t.hash = string(hash)
			}
		}
		out = t.debug(out)
		if ok && !x.add(t) {
			return false
		}
	}
	return true
}

// debug reads the lines about one entry's file and gives the rest.
func (t *tracked) debug(out []byte) []byte {
	for bytes.HasPrefix(out, []byte("  ")) {
		line, rest, _ := bytes.Cut(out, []byte("\n"))
		out = rest
		f := strings.Fields(string(line))
		switch {
		case len(f) == 2 && f[0] == "mtime:":
			sec, nsec, _ := strings.Cut(f[1], ":")
			t.mtime = [2]uint32{number(sec), number(nsec)}
		case len(f) >= 2 && f[0] == "size:":
			t.size = number(f[1])
		}
	}
	return out
}

// number reads what git knows of a file. What cannot be read is 0 and looks changed, so that the content is compared.
func number(s string) uint32 {
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil {
		return 0
	}
	return uint32(n)
}

// gitDir is a work tree's own git folder, which for a linked tree stands in the .git file.
func gitDir(root string) string {
	p := filepath.Join(root, ".git")
	fi, err := os.Lstat(p)
	if err != nil && isBare(root) {
		return root
	}
	if err != nil || fi.IsDir() {
		return p
	}
	d, ok := strings.CutPrefix(strings.TrimSpace(smallFile(p)), "gitdir: ")
	if !ok {
		return p
	}
	if !filepath.IsAbs(d) {
		d = filepath.Join(root, d)
	}
	return d
}

// commonDir is the git folder that linked work trees share.
func commonDir(root string) string {
	d := gitDir(root)
	c := strings.TrimSpace(smallFile(filepath.Join(d, "commondir")))
	if c == "" {
		return d
	}
	if !filepath.IsAbs(c) {
		c = filepath.Join(d, c)
	}
	return c
}

// holds says that a folder, written from the root, has a tracked file in it.
func (s *state) holds(rel string) bool {
	if s.folders == nil {
		s.folders = map[string]bool{}
		for _, t := range s.entries {
			for d := filepath.Dir(t.name); d != "." && !s.folders[d]; d = filepath.Dir(d) {
				s.folders[d] = true
			}
		}
	}
	return s.folders[rel]
}

func (s *state) status(l *looker, rel string) standing {
	if t, ok := s.find(rel); ok {
		if s.same(t) {
			return clean
		}
		return changed
	}
	if !s.asked {
		s.loadOthers(l)
	}
	if s.others == nil || s.others[rel] {
		return untracked
	}
	return ignored
}

// loadOthers asks which files are neither tracked nor ignored.
func (s *state) loadOthers(l *looker) {
	s.asked = true
	args := []string{"ls-files", "-o", "--exclude-standard", "-z", "--"}
	if s.loaded != s.root {
		if rel, err := filepath.Rel(s.root, s.loaded); err == nil {
			args = append(args, rel)
		}
	}
	out, err := l.repo.Git(s.root, args...)
	if err != nil {
		return // others stays nil: everything counts as untracked
	}
	s.others = map[string]bool{}
	for _, n := range zsplit(out) {
		s.others[n] = true
	}
}

// untouched: a regular file's size and time are those of the index, which is younger.
func (s *state) untouched(size, sec, nsec int64, t *tracked) bool {
	return t.hash != "" && int64(t.size) == size && int64(t.mtime[0]) == sec && int64(t.mtime[1]) == nsec && time.Unix(sec, nsec).Before(s.stamp)
}

// doubtful gives the entries whose files do not plainly stand as the index has them, in order. Where they are many,
// several are looked at at a time, as the disk lets them wait.
func (s *state) doubtful(entries []tracked) []tracked {
	const side, few = 4, 500
	look, done := s.lookBelow()
	defer done()
	doubt := make([]bool, len(entries))
	part := func(from, to int) {
		for i := from; i < to; i++ {
			doubt[i] = !look(&entries[i])
		}
	}
	if len(entries) < few {
		part(0, len(entries))
	} else {
		var wait sync.WaitGroup
		for k := range side {
			wait.Go(func() { part(k*len(entries)/side, (k+1)*len(entries)/side) })
		}
		wait.Wait()
	}
	var out []tracked
	for i := range entries {
		if doubt[i] {
			out = append(out, entries[i])
		}
	}
	return out
}

// same compares a file with its entry: by size and time, and by content where those leave a doubt.
func (s *state) same(t tracked) bool {
	p := filepath.Join(s.root, t.name)
	fi, err := os.Lstat(p)
	if err != nil {
		s.gone = append(s.gone, t.name)
		return true // nothing is there to be lost
	}
	if t.hash == "" {
		return false
	}
	if fi.Mode()&os.ModeSymlink != 0 {
		to, err := os.Readlink(p)
		return err == nil && t.kind == symlink && s.blob(t.hash, int64(len(to)), strings.NewReader(to)) == t.hash
	}
	if !fi.Mode().IsRegular() {
		return t.kind == gitlink
	}
	if m := fi.ModTime(); s.untouched(fi.Size(), m.Unix(), int64(m.Nanosecond()), &t) {
		return true
	}
	if s.hashed += fi.Size(); s.hashed > maxHash {
		return false
	}
	f, err := os.Open(p)
	if err != nil {
		return false
	}
	defer f.Close()
	return s.blob(t.hash, fi.Size(), struct{ io.Reader }{f}) == t.hash
}

// blob is the name git would give to a content, in bytes, by the hash that like was made with.
func (s *state) blob(like string, size int64, r io.Reader) string {
	var h hash.Hash = sha1.New()
	if len(like) == sha256.Size {
		h = sha256.New()
	}
	io.WriteString(h, "blob "+strconv.FormatInt(size, 10)+"\x00")
	if s.buf == nil {
		s.buf = make([]byte, 32<<10)
	}
	if _, err := io.CopyBuffer(h, r, s.buf); err != nil {
		return ""
	}
	return string(h.Sum(nil))
}
