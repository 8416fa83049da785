package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/stepgate/stepgate/internal/safefile"
)

// Head names the newest chained line of a session: what a record must end in that nobody has cut. It is kept in a file of
// its own, in another folder than the record.
type Head struct {
	Seq int64
	// Hash is the SHA-256 of the line, without its end, in hex.
	Hash string
}

// A head has a fixed length, so that a new one replaces an old one with one write: the number, filled up with zeros, a
// blank, the hash and an end of line.
const (
	seqDigits  = 20
	hashDigits = 64
	headBytes  = seqDigits + 1 + hashDigits + 1
)

func (h Head) append(b []byte) []byte {
	seq := strconv.FormatInt(h.Seq, 10)
	for range seqDigits - len(seq) {
		b = append(b, '0')
	}
	b = append(append(b, seq...), ' ')
	return append(append(b, h.Hash...), '\n')
}

func (f *File) headPath() string { return filepath.Join(f.store.Dir, headsDir, f.name+".head") }

// keepHead notes the line that was written last. Where the head names a line that is not before it, the record was cut
// since: the old head is kept behind the new one, so that going on does not hide that. A head that cannot be written
// stays behind, which Verify can tell from a record that was cut; so the line it belongs to stands all the same.
func (w *writer) keepHead() {
	flag := os.O_RDWR | os.O_CREATE
	fh, err := safefile.Open(w.headPath(), flag)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err = safefile.Dir(w.store.Dir, headsDir); err == nil {
			fh, err = safefile.Open(w.headPath(), flag)
		}
	}
	if err != nil {
		return
	}
	defer fh.Close()
	old := make([]byte, headBytes)
	if n, _ := fh.ReadAt(old, 0); n == headBytes { // a new file has none
		if h, ok := parseHead(string(old)); ok && h.Seq >= w.memory.seq {
			if fi, err := fh.Stat(); err == nil && fi.Size() < maxHeads*headBytes {
				fh.WriteAt(old, fi.Size())
			}
		}
	}
	now := Head{w.memory.seq, lineHash(w.memory.raw)}
	fh.WriteAt(now.append(make([]byte, 0, headBytes)), 0)
}

// maxHeads bounds a head file: the head, and those that the record was found cut behind.
const maxHeads = 64

func parseHead(s string) (Head, bool) {
	seq, hash, _ := strings.Cut(strings.TrimSuffix(s, "\n"), " ")
	n, err := strconv.ParseInt(seq, 10, 64)
	return Head{n, hash}, err == nil && len(hash) == hashDigits
}

// Cuts are the heads of lines that were there once and were gone when the session went on.
func (f *File) Cuts() ([]Head, error) {
	b, err := safefile.Read(f.headPath(), maxHeads*headBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []Head
	for i := headBytes; i+headBytes <= len(b); i += headBytes {
		if h, ok := parseHead(string(b[i : i+headBytes])); ok {
			out = append(out, h)
		}
	}
	return out, err
}

// cut says that the head names a line that is gone: lines were taken away, maybe a person's prompts. That the newest was
// torn is no more than a crash. It is asked under the lock, as a line and its head are two writes.
func (f *File) cut(m *Memory) bool {
	h, err := f.Head()
	newest := m.seq
	if m.tail != nil && m.tail.cur.torn {
		newest++
	}
	return err == nil && h.Seq > newest
}

// Head reads what keepHead wrote; fs.ErrNotExist when there is none.
func (f *File) Head() (Head, error) {
	b, err := safefile.Read(f.headPath(), maxHeads*headBytes)
	if err != nil {
		return Head{}, err
	}
	h, ok := parseHead(string(b[:min(len(b), headBytes)]))
	if !ok {
		return Head{}, fmt.Errorf("head file %q of %d bytes cannot be read", f.headPath(), len(b))
	}
	return h, nil
}

// Gone are the names of sessions whose head is kept and that are not among those that are there: their files were taken
// away, and not by Retire, which takes the head too.
func (s *Store) Gone(there map[string]bool) ([]string, error) {
	heads, err := readDir(filepath.Join(s.Dir, headsDir), -1)
	var out []string
	for _, h := range heads {
		if name, ok := strings.CutSuffix(h.Name(), ".head"); ok && !there[name] {
			out = append(out, name)
		}
	}
	return out, err
}
