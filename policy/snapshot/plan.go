package snapshot

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/stepgate/stepgate/internal/safefile"
	"github.com/stepgate/stepgate/policy/effect"
)

// Step is one thing that giving a copy back does.
type Step struct {
	// Does is what is done, in a word or two; What is the path, ref or repository.
	Does, What string
	// Newer says that work done since would be overwritten.
	Newer bool `json:",omitempty"`

	entry *Entry
	repo  *Repo
	do    func() error
}

// Words of Step.Does.
const (
	Restores   = "restores"
	Overwrites = "overwrites"
	Removes    = "removes"
	MovesRef   = "moves ref"
	Stages     = "stages"
	Restashes  = "restores the stash"
	unpacks    = "unpacks"
)

// Plan says what giving a copy back would do to things as they are now.
type Plan struct {
	Snapshot
	Steps []Step

	store *Store
	ctx   context.Context
	left  map[string]bool
	trees map[string]*tree
	// quiet are changes of mode and time to files whose content is right; folders come last.
	quiet []*Entry
}

// Newer are the steps that would overwrite newer work.
func (p *Plan) Newer() []Step {
	var out []Step
	for _, s := range p.Steps {
		if s.Newer {
			out = append(out, s)
		}
	}
	return out
}

// Plan looks at what is there now.
func (s *Store) Plan(ctx context.Context, snap Snapshot) (*Plan, error) {
	p := &Plan{Snapshot: snap, store: s, ctx: ctx, left: snap.left(), trees: map[string]*tree{}}
	for i := range p.Repos {
		if err := p.refs(&p.Repos[i]); err != nil {
			return nil, err
		}
	}
	for i := range p.Entries {
		if err := p.entry(&p.Entries[i]); err != nil {
			return nil, err
		}
	}
	for i := range p.Repos {
		if err := p.index(&p.Repos[i]); err != nil {
			return nil, err
		}
	}
	p.Steps = slices.DeleteFunc(p.Steps, func(s Step) bool {
		return s.Does == unpacks && !slices.ContainsFunc(p.Steps, func(o Step) bool { return o.repo == s.repo && o.Does != unpacks })
	})
	return p, nil
}

// Shown are the steps that a person cares about.
func (p *Plan) Shown() []Step {
	return slices.DeleteFunc(slices.Clone(p.Steps), func(s Step) bool { return s.Does == unpacks })
}

func (p *Plan) add(s Step) { p.Steps = append(p.Steps, s) }

// entry compares one path with what was there.
func (p *Plan) entry(e *Entry) error {
	path := string(e.Path)
	if !filepath.IsAbs(path) || filepath.Clean(path) != path {
		return fmt.Errorf("snapshot %s: %q is no whole path", p.ID, path)
	}
	fi, err := os.Lstat(path)
	gone := errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotDir)
	if err != nil && !gone {
		return err
	}
	if err := safeParent(path); err != nil {
		return err
	}
	switch {
	case e.Kind == Absent && gone:
	case e.Kind == Absent:
		p.add(Step{Does: Removes, What: path, Newer: !p.known(path, fi), entry: e})
	case gone:
		p.add(Step{Does: Restores, What: path, entry: e})
	case p.same(e, fi):
		if e.Kind == File && (fi.Mode()&modeBits != e.Mode || fi.ModTime().UnixNano() != e.MTime) {
			p.quiet = append(p.quiet, e)
		}
	case fi.IsDir() != (e.Kind == Folder):
		return fmt.Errorf("snapshot %s: %q is now a folder, or none any more; move it aside first", p.ID, path)
	default:
		p.add(Step{Does: Overwrites, What: path, Newer: !p.known(path, fi), entry: e})
	}
	return nil
}

// same says that a path is as it was, but for mode and time.
func (p *Plan) same(e *Entry, fi fs.FileInfo) bool {
	switch e.Kind {
	case Folder:
		return fi.IsDir()
	case Link:
		to, err := os.Readlink(string(e.Path))
		return err == nil && to == string(e.To)
	}
	return fi.Mode().IsRegular() && fi.Size() == e.Size && p.copied(string(e.Path), e)
}

// content opens what the copy holds of a file.
func (s Snapshot) content(e *Entry) (io.Reader, io.Closer, error) {
	f, err := safefile.Open(filepath.Join(s.Dir, filepath.Base(e.Copy)), os.O_RDONLY)
	if err != nil {
		return nil, nil, err
	}
	return io.NewSectionReader(f, e.At, e.Size), f, nil
}

// copied says that a file has the content that the copy holds of one.
func (s Snapshot) copied(path string, e *Entry) bool {
	x, err := os.Open(path)
	if err != nil {
		return false
	}
	defer x.Close()
	y, c, err := s.content(e)
	if err != nil {
		return false
	}
	defer c.Close()
	return equal(x, y)
}

// alike compares two files.
func alike(a, b string) bool {
	x, err := os.Open(a)
	if err != nil {
		return false
	}
	defer x.Close()
	y, err := os.OpenFile(b, os.O_RDONLY|safefile.FlagNoFollow, 0)
	if err != nil {
		return false
	}
	defer y.Close()
	return equal(x, y)
}

// equal compares what two readers give.
func equal(x, y io.Reader) bool {
	bx, by := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, errx := io.ReadFull(x, bx)
		m, erry := io.ReadFull(y, by)
		if !bytes.Equal(bx[:n], by[:m]) {
			return false
		}
		if errx != nil || erry != nil {
			return errx == erry
		}
	}
}

// safeParent refuses a path below a folder that has become a link: what is written there would land elsewhere.
func safeParent(path string) error {
	for d := filepath.Dir(path); ; d = filepath.Dir(d) {
		real, err := filepath.EvalSymlinks(d)
		if errors.Is(err, fs.ErrNotExist) && d != filepath.Dir(d) {
			continue
		}
		if err != nil {
			return err
		}
		if real != d {
			return fmt.Errorf("%q leads to %q now; nothing was changed", d, real)
		}
		return nil
	}
}

// known says that what is at a path now is nobody's newer work: the call is known to have left it, or git holds it.
func (p *Plan) known(path string, fi fs.FileInfo) bool {
	if !fi.Mode().IsRegular() {
		return false
	}
	if fi.Size() <= maxLeft {
		if b, err := os.ReadFile(path); err == nil && p.left[string(appendHash(nil, b))] {
			return true
		}
	}
	return p.inGit(path, fi) || p.elsewhere(path, fi.Size()) // in this order: the last compares with every copied file
}

// inGit says that the index or HEAD holds the content.
func (p *Plan) inGit(path string, fi fs.FileInfo) bool {
	root := effect.RepoRoot(filepath.Dir(path))
	if root == "" {
		return false
	}
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return false
	}
	t := p.tree(root)
	return t.holds(path, fi, t.index[rel].Hash) || t.holds(path, fi, t.head[rel].Hash)
}

// elsewhere says that the content is also in the copy, or in a file that the call copied from.
func (p *Plan) elsewhere(path string, size int64) bool {
	for i := range p.Entries {
		if e := &p.Entries[i]; e.Kind == File && e.Size == size && p.copied(path, e) {
			return true
		}
	}
	for _, s := range p.Sources {
		if fi, err := os.Lstat(string(s)); err == nil && string(s) != path && fi.Mode().IsRegular() && fi.Size() == size && alike(path, string(s)) {
			return true
		}
	}
	return false
}

// tree is what a repository holds now, in its index and in HEAD.
type tree struct{ index, head map[string]IndexEntry }

func (p *Plan) tree(root string) *tree {
	if t, ok := p.trees[root]; ok {
		return t
	}
	t := &tree{map[string]IndexEntry{}, map[string]IndexEntry{}}
	p.trees[root] = t
	// A repository that cannot be asked holds nothing: its files count as newer work.
	out, _ := p.store.git(p.ctx, root, "", "ls-files", "-s", "-z")
	t.index = listing(out, 0, 1)
	out, _ = p.store.git(p.ctx, root, "", "ls-tree", "-r", "-z", "--full-tree", "HEAD")
	t.head = listing(out, 0, 2)
	return t
}

// listing reads "MODE … HASH …\tPATH\0" with mode and hash at these places.
func listing(out string, mode, hash int) map[string]IndexEntry {
	m := map[string]IndexEntry{}
	for _, row := range strings.Split(out, "\x00") {
		head, path, ok := strings.Cut(row, "\t")
		if f := strings.Fields(head); ok && len(f) > hash {
			m[path] = IndexEntry{Path: Path(path), Mode: f[mode], Hash: f[hash]}
		}
	}
	return m
}

// holds says that an object is what a file contains.
func (t *tree) holds(path string, fi fs.FileInfo, object string) bool {
	if object == "" {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var h hash.Hash = sha1.New()
	if len(object) == 2*sha256.Size {
		h = sha256.New()
	}
	io.WriteString(h, "blob "+strconv.FormatInt(fi.Size(), 10)+"\x00")
	_, err = io.Copy(h, f)
	return err == nil && hex.EncodeToString(h.Sum(nil)) == object
}
