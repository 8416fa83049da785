package snapshot

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/stepgate/stepgate/internal/safefile"
	"github.com/stepgate/stepgate/policy/effect"
)

// taker takes one copy.
type taker struct {
	ctx   context.Context
	store *Store
	dir   string // of the copy
	root  string // of the project
	m     Manifest
	seen  map[string]bool
	// Small files go into one file: making one for each would take most of the time.
	data  *os.File
	small *bufio.Writer
	at    int64
}

const (
	// maxWalked bounds the entries of all folders that are looked through.
	maxWalked = 20_000
	// maxBuilt bounds the files that can be built again and are copied all the same, so that a small tree comes back
	// to the byte.
	maxBuilt = 500
	// maxSmall is the size up to which a file is small; sharing blocks pays above it.
	maxSmall = 256 << 10
	// chunk is how much is copied between two looks at the clock.
	chunk = 16 << 20
	// modeBits are what chmod can give back.
	modeBits = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky
)

func (t *taker) take(keeps []effect.Keep) error {
	for _, k := range keeps { // first what is lost otherwise
		for _, p := range k.Lost {
			if err := t.path(p); err != nil {
				return err
			}
		}
	}
	for _, k := range merged(keeps) {
		if err := t.repo(k); err != nil {
			return err
		}
	}
	return t.trees(keeps)
}

// merged joins the keeps that are about one repository.
func merged(keeps []effect.Keep) []effect.Keep {
	var out []effect.Keep
next:
	for _, k := range keeps {
		if k.Repo == "" {
			continue
		}
		for i := range out {
			if o := &out[i]; o.Repo == k.Repo && (o.To == k.To || o.To == "" || k.To == "") {
				o.Refs = append(o.Refs[:len(o.Refs):len(o.Refs)], k.Refs...)
				o.Changed = append(o.Changed[:len(o.Changed):len(o.Changed)], k.Changed...)
				if o.To == "" {
					o.To, o.Scope = k.To, k.Scope
				} else if k.To != "" && len(k.Scope) == 0 {
					o.Scope = nil
				} else if len(o.Scope) > 0 && k.To != "" {
					o.Scope = append(o.Scope[:len(o.Scope):len(o.Scope)], k.Scope...)
				}
				o.Head, o.Stash = o.Head || k.Head, o.Stash || k.Stash
				continue next
			}
		}
		out = append(out, k)
	}
	return out
}

// path copies one path that must be kept: a file, a link, or the absence of both.
func (t *taker) path(p string) error {
	if t.seen[p] {
		return nil
	}
	fi, err := os.Lstat(p)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errNotDir):
		t.add(Entry{Kind: Absent, Path: Path(p)})
		return nil
	case err != nil:
		return err
	case fi.IsDir():
		return t.folder(p, fi)
	}
	if err := t.entry(p, fi); err != nil {
		return err
	}
	return t.parents(p)
}

// parents notes the folders between the project's root and a path, which may go with the last file in them.
func (t *taker) parents(p string) error {
	for d := filepath.Dir(p); d != t.root && within(d, t.root) && !t.seen[d]; d = filepath.Dir(d) {
		fi, err := os.Lstat(d)
		if err != nil {
			return err
		}
		if err := t.folder(d, fi); err != nil {
			return err
		}
	}
	return nil
}

func (t *taker) add(e Entry) {
	t.seen[string(e.Path)] = true
	t.m.Entries = append(t.m.Entries, e)
}

func (t *taker) folder(p string, fi fs.FileInfo) error {
	if t.seen[p] {
		return nil
	}
	e, err := t.described(p, fi)
	if err != nil {
		return err
	}
	e.Kind = Folder
	t.add(e)
	return nil
}

// described fills in what all kinds of an entry have.
func (t *taker) described(p string, fi fs.FileInfo) (Entry, error) {
	owner, err := ownerOf(fi)
	if err != nil {
		return Entry{}, fmt.Errorf("%q: %w", p, err)
	}
	return Entry{Path: Path(p), Mode: fi.Mode() & modeBits, MTime: fi.ModTime().UnixNano(), Owner: owner}, nil
}

// entry copies a file or notes a link.
func (t *taker) entry(p string, fi fs.FileInfo) error {
	e, err := t.described(p, fi)
	if err != nil {
		return err
	}
	switch {
	case fi.Mode().IsRegular():
		e.Kind, e.Size = File, fi.Size()
		if err := t.copy(&e, fi); err != nil {
			return err
		}
		t.m.Files++
		t.m.Bytes += e.Size
	case fi.Mode()&fs.ModeSymlink != 0:
		to, err := os.Readlink(p)
		if err != nil {
			return err
		}
		e.Kind, e.To = Link, Path(to)
	default:
		return fmt.Errorf("%q is no file (%s)", p, fi.Mode().Type())
	}
	t.add(e)
	return nil
}

// fits says that one more file of a size is within the limits.
func (t *taker) fits(size int64) bool {
	return t.m.Files < t.store.Limits.Files && t.m.Bytes+size <= t.store.Limits.Bytes
}

// copy copies a file's content. A file that changes meanwhile is an error: nobody knows which content the call will
// lose.
func (t *taker) copy(e *Entry, was fs.FileInfo) error {
	if !t.fits(e.Size) {
		return fmt.Errorf("%w: %d files, %d bytes", ErrLimit, t.store.Limits.Files, t.store.Limits.Bytes)
	}
	src, err := os.OpenFile(string(e.Path), os.O_RDONLY|safefile.FlagNoFollow, 0)
	if err != nil {
		return err
	}
	defer src.Close()
	if e.Size <= maxSmall {
		err = t.append(e, src)
	} else {
		err = t.clone(e, src)
	}
	if err != nil {
		return err
	}
	now, err := src.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(was, now) || now.Size() != was.Size() || !now.ModTime().Equal(was.ModTime()) {
		return fmt.Errorf("%q changes while it is copied", e.Path)
	}
	return nil
}

// append puts a small file's content behind the others.
func (t *taker) append(e *Entry, src *os.File) error {
	if err := t.ctx.Err(); err != nil {
		return err
	}
	if t.data == nil {
		f, err := os.OpenFile(filepath.Join(t.dir, dataFile), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		t.data, t.small = f, bufio.NewWriterSize(f, maxSmall)
	}
	e.Copy, e.At = dataFile, t.at
	t.at += e.Size
	_, err := io.CopyN(onlyWriter{t.small}, src, e.Size)
	return err
}

// onlyWriter keeps io.Copy to plain reads: the system's own way to copy between files is slow for small ones.
type onlyWriter struct{ io.Writer }

// clone copies a large file into one of its own. Where the disk can, the system shares the blocks instead.
func (t *taker) clone(e *Entry, src *os.File) error {
	e.Copy = strconv.Itoa(t.m.Files)
	dst, err := os.OpenFile(filepath.Join(t.dir, e.Copy), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	for left := e.Size; left > 0 && err == nil; left -= chunk {
		if err = t.ctx.Err(); err == nil {
			_, err = io.CopyN(dst, src, min(left, chunk))
		}
	}
	if e := dst.Close(); err == nil {
		err = e
	}
	return err
}

// flush writes what is left of the small files.
func (t *taker) flush() error {
	if t.data == nil {
		return nil
	}
	err := t.small.Flush()
	if e := t.data.Close(); err == nil {
		err = e
	}
	return err
}

// trees notes what goes along with the files that are lost: folders, links, and files that exist elsewhere, these as far
// as they fit.
func (t *taker) trees(keeps []effect.Keep) error {
	ctx, cancel := context.WithTimeout(t.ctx, t.store.Limits.Time/2) // these may be left out for want of time
	defer cancel()
	var rest, built []found
	n := 0
	for _, k := range keeps {
		for _, top := range k.Paths {
			err := filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error {
				if err != nil {
					if p == top && errors.Is(err, fs.ErrNotExist) {
						return nil
					}
					return err
				}
				if n++; n > maxWalked || ctx.Err() != nil {
					t.m.LeftOut++
					return fs.SkipAll
				}
				fi, err := d.Info()
				switch {
				case err != nil:
					return err
				case d.IsDir():
					if len(built) > maxBuilt && effect.Regenerable(t.root, p) {
						t.m.LeftOut++
						return fs.SkipDir
					}
					return t.folder(p, fi)
				case t.seen[p]:
				case fi.Mode()&fs.ModeSymlink != 0:
					return t.entry(p, fi)
				case !fi.Mode().IsRegular(): // a pipe or a socket holds nothing
				case effect.Regenerable(t.root, p):
					built = append(built, found{p, fi})
				default:
					rest = append(rest, found{p, fi})
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	if len(built) <= maxBuilt {
		rest = append(rest, built...)
	} else {
		t.m.LeftOut += len(built)
	}
	for _, f := range rest {
		if t.seen[f.path] || !t.fits(f.info.Size()) || ctx.Err() != nil {
			t.m.LeftOut++
			continue
		}
		if err := t.entry(f.path, f.info); err != nil {
			return err
		}
	}
	return nil
}

// found is a file of a tree.
type found struct {
	path string
	info fs.FileInfo
}
