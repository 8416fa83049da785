package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/stepgate/stepgate/internal/safefile"
)

const (
	// idleFor is how long a session is left where it is after its last line.
	idleFor = 7 * 24 * time.Hour
	// idleAlive is the same while the agent's process seems to be there; a number can be another process by then.
	idleAlive = 30 * 24 * time.Hour
	// maxRetired bounds the sessions that one start moves, and those that it removes; maxVisited the files it looks at
	// for either.
	maxRetired = 64
	maxVisited = 20_000
)

// Retire moves sessions without a line for seven days to the archive, never one whose agent still runs, and removes
// from there what has been idle for keepDays; 0 keeps it for good. It does a bounded part of the work that there is and
// goes on past what cannot be moved; the errors are joined.
func (s *Store) Retire(now time.Time, keepDays int) error {
	if s.Dir == "" {
		return errNoHome
	}
	err := s.retire(sessionsDir, now.Add(-idleFor), func(l Listed) error { return s.archive(l, now) })
	if keepDays > 0 {
		err = errors.Join(err, s.retire(archiveDir, now.AddDate(0, 0, -keepDays), s.purge))
	}
	return err
}

// retire does something to each session below a folder whose last line is from before a time.
func (s *Store) retire(top string, before time.Time, do func(Listed) error) error {
	projects, err := readDir(filepath.Join(s.Dir, top), maxProjects)
	var errs []error
	done, visits := 0, maxVisited
	for _, p := range projects {
		if !p.IsDir() || visits <= 0 || done == maxRetired {
			continue
		}
		dir := filepath.Join(s.Dir, top, p.Name())
		found, n, err := listProject(dir, visits)
		errs = append(errs, err)
		visits -= n
		for _, l := range found {
			if done < maxRetired && l.Last.Before(before) {
				l.Project = p.Name()
				errs = append(errs, do(l))
				done++
			}
		}
		if fi, err := p.Info(); n == 0 && err == nil && fi.ModTime().Before(before) {
			os.Remove(dir) // fails, as it should, when a session has just begun in it
		}
	}
	return errors.Join(err, errors.Join(errs...))
}

// archive moves a session's files, oldest first, so that a move that is cut short leaves the newest, which knows all.
func (s *Store) archive(l Listed, now time.Time) error {
	busy := *s
	busy.LockWait = time.Millisecond // who has the lock is alive
	f := &File{store: &busy, project: l.Project, name: l.Name}
	unlock, err := f.lock(true)
	if errors.Is(err, errLocked) {
		return nil
	}
	if err != nil {
		return err
	}
	defer unlock()
	fh, gen, err := f.open(os.O_RDONLY)
	if err != nil {
		return err
	}
	defer fh.Close()
	m, err := f.load(fh, gen, "")
	if m.tail == nil {
		return err
	} // a file that cannot be understood is idle all the same
	idle := now.Sub(m.tail.file.ModTime())
	if idle < idleFor || idle < idleAlive && alive(m.Totals.PID) {
		return nil
	}
	dir, err := safefile.Dir(s.Dir, archiveDir, l.Project)
	if err != nil {
		return err
	}
	return moveAll(l.Files, dir)
}

// moveAll moves files into a folder and replaces none there.
func moveAll(files []string, dir string) error {
	for _, from := range files {
		to := filepath.Join(dir, filepath.Base(from))
		if exists(to) {
			return fmt.Errorf("move %q to %q: there is one of that name", from, dir)
		}
		if err := os.Rename(from, to); err != nil {
			return err
		}
	}
	return nil
}

// purge removes an archived session, and its secret unless the session goes on.
func (s *Store) purge(l Listed) error {
	var errs []error
	for _, path := range l.Files {
		errs = append(errs, os.Remove(path))
	}
	if f := (&File{store: s, project: l.Project, name: l.Name}); !f.exists() {
		for _, path := range [...]string{f.keyPath(), f.headPath(), f.missedPath()} {
			if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}

// revive brings a session back from the archive when it goes on after all (an agent can resume what is months old).
func (f *File) revive() (bool, error) {
	dir := filepath.Join(f.store.Dir, archiveDir, f.project)
	if !exists(filepath.Join(dir, f.name+ext)) {
		return false, nil
	}
	found, _, err := listProject(dir, maxVisited)
	for _, l := range found {
		if l.Name == f.name {
			slices.Reverse(l.Files) // the newest first: should the move be cut short, it can do without the others
			return true, moveAll(l.Files, filepath.Dir(f.path(0)))
		}
	}
	return false, err
}

// readDir reads at most n entries of a folder that need not exist, sorted by name.
func readDir(dir string, n int) ([]fs.DirEntry, error) {
	d, err := os.OpenFile(dir, os.O_RDONLY|safefile.FlagNoFollow, 0) // does not wait for a pipe in its place
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	entries, err := d.ReadDir(n)
	if err == io.EOF {
		err = nil
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}
