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

// headForm has a fixed length, so that a new head replaces an old one with one write.
const headForm = "%020d %064s\n"

const headBytes = 20 + 1 + 64 + 1

func (f *File) headPath() string { return filepath.Join(f.store.Dir, headsDir, f.name+".head") }

// keepHead notes the line that was written last. A head that cannot be written stays behind, which Verify can tell from
// a record that was cut; so the line it belongs to stands all the same.
func (w *writer) keepHead() {
	flag := os.O_WRONLY | os.O_CREATE
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
	fmt.Fprintf(fh, headForm, w.memory.seq, lineHash(w.memory.raw))
}

// Head reads what keepHead wrote; fs.ErrNotExist when there is none.
func (f *File) Head() (Head, error) {
	b, err := safefile.Read(f.headPath(), headBytes)
	if err != nil {
		return Head{}, err
	}
	seq, hash, _ := strings.Cut(strings.TrimSuffix(string(b), "\n"), " ")
	h := Head{Hash: hash}
	if h.Seq, err = strconv.ParseInt(seq, 10, 64); err != nil || len(hash) != 64 {
		return Head{}, fmt.Errorf("head file %q of %d bytes cannot be read", f.headPath(), len(b))
	}
	return h, nil
}
