package snapshot

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stepgate/stepgate/internal/safefile"
)

const (
	maxManifest  = 16 << 20
	maxProjects  = 4096
	maxSnapshots = 10_000
	// staleAfter is how old a copy that is not whole must be to be left over from a hook that died.
	staleAfter = time.Hour
	// maxLeft bounds the file that is read to learn what a call left.
	maxLeft = 64 << 20
	// firstPrefix begins the names of files that hold the id of a copy of a file's first version.
	firstPrefix = "first-"
)

// Open reads a copy of a project.
func (s *Store) Open(project, id string) (Snapshot, error) {
	if !validID(id) {
		return Snapshot{}, fmt.Errorf("snapshot: %q is no id", clip(id))
	}
	dir, err := safefile.CheckDir(s.Dir, dirName, project, id)
	if err != nil {
		return Snapshot{}, err
	}
	b, err := safefile.Read(filepath.Join(dir, manifestFile), maxManifest)
	if err != nil {
		return Snapshot{}, err
	}
	snap := Snapshot{Dir: dir}
	if err := json.Unmarshal(b, &snap.Manifest); err != nil {
		return Snapshot{}, fmt.Errorf("snapshot %s: %w", id, err)
	}
	if snap.V != 1 || snap.ID != id {
		return Snapshot{}, fmt.Errorf("snapshot %s: its list is of another one or of a later version", id)
	}
	return snap, nil
}

func validID(id string) bool {
	return len(id) >= 4 && len(id) <= 8 && strings.Trim(id, letters) == ""
}

func clip(s string) string { return s[:min(len(s), 16)] }

// Undone says that a copy has been given back.
func (s Snapshot) Undone() bool {
	_, err := os.Lstat(filepath.Join(s.Dir, undoneFile))
	return err == nil
}

// List gives the copies of a project, newest first. One that cannot be read is left out, and the error says so.
func (s *Store) List(project string) ([]Snapshot, error) {
	names, err := readDir(filepath.Join(s.Dir, dirName, project))
	var out []Snapshot
	errs := []error{err}
	for _, n := range names {
		if !validID(n) {
			continue
		}
		snap, err := s.Open(project, n)
		if err == nil {
			out = append(out, snap)
		}
		errs = append(errs, err)
	}
	slices.SortFunc(out, func(a, b Snapshot) int { return b.Time.Compare(a.Time) })
	return out, errors.Join(errs...)
}

// Find gives the copy of an id, in this project or, if it has none of that id, in any.
func (s *Store) Find(project, id string) (Snapshot, error) {
	snap, err := s.Open(project, id)
	if !errors.Is(err, fs.ErrNotExist) {
		return snap, err
	}
	projects, _ := readDir(filepath.Join(s.Dir, dirName)) // what can be read is looked through
	for _, p := range projects {
		if other, e := s.Open(p, id); e == nil {
			return other, nil
		}
	}
	return snap, err
}

// readDir gives the names in a folder that need not exist.
func readDir(dir string) ([]string, error) {
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(maxSnapshots)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return names, err
}

// Left notes what a call has left in the place of what was kept, so that giving it back can tell the call's own work
// from newer work. It reads within the limits of a copy; what it does not note counts as newer.
func (s *Store) Left(project, id string) error {
	snap, err := s.Open(project, id)
	if err != nil {
		return err
	}
	end := s.Now().Add(s.Limits.Time)
	var out []byte
	read := int64(0)
	for _, e := range snap.Entries {
		if e.Kind != File && e.Kind != Absent {
			continue
		}
		fi, err := os.Lstat(string(e.Path))
		if err != nil || !fi.Mode().IsRegular() || fi.Size() > maxLeft {
			continue
		}
		if read += fi.Size(); read > s.Limits.Bytes || s.Now().After(end) {
			break
		}
		b, err := os.ReadFile(string(e.Path))
		if err != nil {
			continue
		}
		out = appendHash(out, b)
	}
	return snap.addLeft(out)
}

func (s Snapshot) addLeft(hashes []byte) error {
	if len(hashes) == 0 {
		return nil
	}
	f, err := safefile.Open(filepath.Join(s.Dir, leftFile), os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return err
	}
	_, err = f.Write(hashes)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// Wrote says that a file still has the content which the session's calls gave it since a copy of it was taken, and that
// a call is about to give it another: the first version is kept already. The id is that of the copy.
func (s *Store) Wrote(c Call, path, text string) (id string, ok bool) {
	b, err := safefile.Read(filepath.Join(s.Dir, dirName, c.Project, firstName(c.Session, path)), 16)
	if err != nil {
		return "", false
	}
	snap, err := s.Open(c.Project, string(b))
	if err != nil || snap.Undone() {
		return "", false
	}
	fi, err := os.Lstat(path)
	if err != nil || !fi.Mode().IsRegular() || fi.Size() > maxLeft {
		return "", false
	}
	now, err := os.ReadFile(path)
	if err != nil || !snap.left()[string(appendHash(nil, now))] {
		return "", false
	}
	return snap.ID, snap.addLeft(appendHash(nil, []byte(text))) == nil
}

// First remembers that a copy holds the version of a file that the session found.
func (s *Store) First(c Call, snap Snapshot, path string) error {
	return safefile.Write(filepath.Join(filepath.Dir(snap.Dir), firstName(c.Session, path)), []byte(snap.ID))
}

// firstName is the file, beside a project's copies, that names the copy of the first version of a file.
func firstName(session, path string) string {
	sum := sha256.Sum256([]byte(session + "\x00" + path))
	return firstPrefix + hex.EncodeToString(sum[:8])
}

// left are the contents, by hash, that the call is known to have left. An empty file always is: it holds no work.
func (s Snapshot) left() map[string]bool {
	out := map[string]bool{string(appendHash(nil, nil)): true}
	b, err := safefile.Read(filepath.Join(s.Dir, leftFile), maxManifest)
	if err != nil {
		return out
	}
	for line := range strings.Lines(string(b)) {
		out[line] = true
	}
	return out
}

// Prune removes copies that are older than fourteen days, the oldest of those that are larger than 2 GB together, and
// what hooks that died have left. The newest copy of a project stays.
func (s *Store) Prune() error {
	top := filepath.Join(s.Dir, dirName)
	projects, err := readDir(top)
	errs := []error{err}
	sizes := map[string]int64{}
	var old []string // all but the newest of each project
	var total int64
	for _, p := range projects[:min(len(projects), maxProjects)] {
		all, err := s.sizes(filepath.Join(top, p), sizes)
		errs = append(errs, err)
		old = append(old, all[:max(0, len(all)-1)]...)
	}
	for _, n := range sizes {
		total += n
	}
	slices.Sort(old)
	limit := stamped(s.Now().Add(-keepFor), "")
	for _, k := range old {
		if k > limit && total <= keepBytes {
			break
		}
		total -= sizes[k]
		errs = append(errs, os.RemoveAll(k[stampLen:]))
	}
	return errors.Join(errs...)
}

// stamped is a folder's path after a time, so that paths sort by it. The time has stampLen digits.
func stamped(t time.Time, path string) string {
	n := strconv.FormatInt(max(0, t.UnixNano()), 10)
	return strings.Repeat("0", stampLen-len(n)) + n + path
}

const stampLen = 20

// sizes lists the copies of one project, stamped and oldest first, notes their sizes, and removes what is left of those
// that were never whole.
func (s *Store) sizes(dir string, sizes map[string]int64) ([]string, error) {
	names, err := readDir(dir)
	var out []string
	for _, n := range names {
		path := filepath.Join(dir, n)
		if id, err := firstOf(path); err == nil && !slices.Contains(names, string(id)) {
			os.Remove(path) // its copy is gone; tried again at the next start
		}
		fi, err := os.Lstat(path)
		if err != nil || !fi.IsDir() {
			continue
		}
		if strings.HasSuffix(n, partial) && s.Now().Sub(fi.ModTime()) > staleAfter {
			os.RemoveAll(path) // tried again at the next start
		}
		if !validID(n) {
			continue
		}
		taken := fi.ModTime()
		if m, err := os.Lstat(filepath.Join(path, manifestFile)); err == nil {
			taken = m.ModTime() // the folder's changes when the copy is given back
		}
		k := stamped(taken, path)
		files, _ := readDir(path) // what cannot be read counts as nothing
		for _, f := range files {
			if fi, err := os.Lstat(filepath.Join(path, f)); err == nil {
				sizes[k] += fi.Size()
			}
		}
		out = append(out, k)
	}
	slices.Sort(out)
	return out, err
}

// firstOf is the id in a file that firstName names.
func firstOf(path string) ([]byte, error) {
	if !strings.HasPrefix(filepath.Base(path), firstPrefix) {
		return nil, fs.ErrInvalid
	}
	return safefile.Read(path, 16)
}
