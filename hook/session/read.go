package session

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stepgate/stepgate/internal/safefile"
)

// maxReadLine bounds a line for a reader; a writer's bound is lower.
const maxReadLine = 4 * MaxLine

// LineError tells of a line that could not be read, or that does not fit the chain.
type LineError struct {
	Path string
	Line int // from 1
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %v", e.Path, e.Line, e.Err) }
func (e *LineError) Unwrap() error { return e.Err }

// Read gives the lines of one file in order. A line that cannot be read is given as a *LineError, and reading goes on
// behind it; any other error is the last. Empty lines are passed over.
func Read(path string) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		for raw, err := range rawLines(path) {
			l, err := raw.decode(err)
			if !yield(l, err) {
				return
			}
		}
	}
}

// rawLine is a line as it stands in a file.
type rawLine struct {
	path  string
	n     int
	bytes []byte // good until the next line is read
}

func (r rawLine) decode(err error) (Line, error) {
	var l Line
	if err == nil {
		if l, err = decode(r.bytes); err != nil {
			err = &LineError{r.path, r.n, err}
		}
	}
	return l, err
}

var errLong = errors.New("line is longer than 64 KiB") // maxReadLine

func rawLines(path string) iter.Seq2[rawLine, error] {
	return func(yield func(rawLine, error) bool) {
		fh, err := safefile.Open(path, os.O_RDONLY)
		if err != nil {
			yield(rawLine{path: path}, err)
			return
		}
		defer fh.Close()
		scanLines(path, fh, yield)
	}
}

// scanLines gives the lines of r, with none longer than the buffer.
func scanLines(path string, r io.Reader, yield func(rawLine, error) bool) {
	b := bufio.NewReaderSize(r, maxReadLine)
	for n := 1; ; n++ {
		line, err := b.ReadSlice('\n')
		long := errors.Is(err, bufio.ErrBufferFull)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = b.ReadSlice('\n')
		}
		if err != nil && err != io.EOF {
			yield(rawLine{path: path, n: n}, err)
			return
		}
		raw, bad := rawLine{path, n, bytes.TrimSuffix(line, []byte{'\n'})}, error(nil)
		if long {
			raw.bytes, bad = nil, &LineError{path, n, errLong}
		}
		if (long || len(raw.bytes) > 0) && !yield(raw, bad) || err == io.EOF {
			return
		}
	}
}

// Listed is one session of a store.
type Listed struct {
	// Name is the session's id as its file's name has it.
	Name string
	// Project is the name of the project's folder.
	Project  string
	Archived bool
	// Files are the generations, oldest first.
	Files []string
	// Last is when the last line was written; Bytes is the size of all generations.
	Last  time.Time
	Bytes int64
}

// Sessions lists all sessions, archived ones too, the one that was active last first.
func (s *Store) Sessions() ([]Listed, error) {
	if s.Dir == "" {
		return nil, errNoHome
	}
	var all []Listed
	for _, top := range [...]string{sessionsDir, archiveDir} {
		projects, err := readDir(filepath.Join(s.Dir, top), -1)
		if err != nil {
			return all, err
		}
		for _, p := range projects {
			if !p.IsDir() {
				continue
			}
			found, _, err := listProject(filepath.Join(s.Dir, top, p.Name()), -1)
			if err != nil {
				return all, err
			}
			for _, l := range found {
				l.Project, l.Archived = p.Name(), top == archiveDir
				all = append(all, l)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Listed) int { return b.Last.Compare(a.Last) })
	return all, nil
}

// Files gives the files of one session in the order they were written.
func (s *Store) Files(session string) ([]string, error) {
	all, err := s.Sessions()
	if err != nil {
		return nil, err
	}
	name := fileName(session)
	var files []string
	for _, l := range slices.Backward(all) { // oldest first
		if l.Name == name {
			files = append(files, l.Files...)
		}
	}
	return files, nil
}

// listProject lists the sessions of one folder, of which it reads at most n entries, or all; visited says how many.
func listProject(dir string, n int) (all []Listed, visited int, err error) {
	entries, err := readDir(dir, n)
	if err != nil {
		return nil, len(entries), err
	}
	var gens []generation
	for _, e := range entries {
		name, gen, ok := parseName(e.Name())
		if !ok {
			continue
		}
		if fi, err := e.Info(); err == nil && fi.Mode().IsRegular() { // otherwise not ours, or moved away meanwhile
			gens = append(gens, generation{name, gen, fi})
		}
	}
	slices.SortFunc(gens, generation.compare)
	for i, g := range gens {
		if i == 0 || g.name != gens[i-1].name {
			all = append(all, Listed{Name: g.name})
		}
		l := &all[len(all)-1]
		l.Files = append(l.Files, filepath.Join(dir, g.info.Name()))
		l.Bytes += g.info.Size()
		if t := g.info.ModTime(); t.After(l.Last) {
			l.Last = t
		}
	}
	return all, len(entries), nil
}

// generation is one file of a session.
type generation struct {
	name string
	gen  int // 0 for the one that is written now
	info fs.FileInfo
}

// compare sorts by session and age; 0 less one is the largest number there is, so it comes last.
func (g generation) compare(o generation) int {
	return cmp.Or(cmp.Compare(g.name, o.name), cmp.Compare(uint(g.gen)-1, uint(o.gen)-1))
}

// Order sorts files by folder, session and age: a name's order would have the tenth generation behind the first.
func Order(paths []string) {
	key := func(path string) generation {
		name, gen, ok := parseName(filepath.Base(path))
		if !ok {
			name = filepath.Base(path)
		}
		return generation{name: name, gen: gen}
	}
	slices.SortStableFunc(paths, func(a, b string) int {
		return cmp.Or(cmp.Compare(filepath.Dir(a), filepath.Dir(b)), key(a).compare(key(b)))
	})
}

// parseName takes a file's name apart: the session's name and the generation, 0 for the one that is written now.
func parseName(file string) (name string, gen int, ok bool) {
	name, ok = strings.CutSuffix(file, ext)
	if !ok || name == "" || name[0] == '.' {
		return "", 0, false
	}
	name, number, old := strings.Cut(name, ".")
	if !old {
		return name, 0, true
	}
	gen, err := strconv.Atoi(number)
	return name, gen, err == nil && gen > 0
}

// Here lists the sessions of one project that are not archived, the one that was active last first.
func (s *Store) Here(root string) ([]Listed, error) {
	all, err := s.Sessions()
	if err != nil {
		return nil, err
	}
	name := projectName(root)
	return slices.DeleteFunc(all, func(l Listed) bool { return l.Project != name || l.Archived }), nil
}

// File is the record of a listed session. It goes by the name of the files, which their lines cannot change.
func (s *Store) File(l Listed) *File {
	return &File{store: s, session: safeName(l.Name), project: l.Project, name: l.Name}
}

// Session is the session's id as its lines have it; the name of the file where no line can be read.
func (l Listed) Session() string {
	for _, path := range slices.Backward(l.Files) {
		for line, err := range Read(path) {
			if err == nil && line.Session != "" {
				return line.Session
			}
		}
	}
	return l.Name
}
