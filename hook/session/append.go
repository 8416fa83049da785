package session

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/stepgate/stepgate/internal/safefile"
)

// Append adds one line. Under the lock it hands build the memory as it is at that moment and a copy of the totals to
// change; build gives the line, or false for none. Append itself fills in v, time, seq, session, prev and totals, and
// notes in the totals a person's prompt, the root and the process of a start.
//
// When the lock cannot be had in time the line is written all the same, outside the chain and marked so, and with what
// it adds to the totals; the next line in the chain takes that in. Build must be quick: others wait.
//
// With an error nothing, or part of a line that readers pass over, was written; the Line tells what was to be.
func (f *File) Append(agentID string, build func(t *Totals, m Memory) (Line, bool)) (Line, error) {
	line, raw, err := f.append(agentID, build)
	if raw != nil {
		f.copyLine(raw)
	}
	if err != nil {
		return line, fmt.Errorf("append to the session: %w", err)
	}
	return line, nil
}

func (f *File) append(agentID string, build func(*Totals, Memory) (Line, bool)) (line Line, raw []byte, err error) {
	if err := f.prepare(); err != nil {
		line, _ := build(&Totals{}, Memory{Degraded: true})
		return line, nil, err
	}
	unlock, lockErr := f.lock(true)
	if lockErr == nil {
		defer unlock()
	}
	w, err := f.writer(agentID, lockErr == nil)
	defer w.close()
	if err != nil {
		line, _ := build(&Totals{}, Memory{Degraded: true})
		return line, nil, err
	}
	totals := w.memory.Totals.clone()
	line, ok := build(&totals, w.memory)
	if !ok {
		return line, nil, nil
	}
	f.last = nil
	if f.store.Light && line.Kind == KindEnd && w.locked {
		return line, nil, f.remove()
	}
	line, raw, err = w.append(line, totals)
	return line, raw, err
}

// prepare makes the folders a line needs.
func (f *File) prepare() error {
	if f.store.Dir == "" {
		return errNoHome
	}
	_, err := safefile.Dir(f.store.Dir, sessionsDir, f.project)
	if err == nil {
		_, err = safefile.Dir(filepath.Join(f.store.Dir, locksDir))
	}
	return err
}

// writer is a session file that is open for lines, with the memory that the next line builds on.
type writer struct {
	*File
	fh     *os.File // nil until the first line of a new file
	memory Memory
	locked bool
	size   int64
	torn   bool // the last line has no end
}

func (w *writer) close() {
	if w.fh != nil {
		w.fh.Close()
	}
}

// writer opens the file, reads the memory and, under the lock, begins a new generation where that is due.
func (f *File) writer(agentID string, locked bool) (*writer, error) {
	w := &writer{File: f, locked: locked}
	fh, gen, err := f.open(os.O_RDWR | os.O_APPEND)
	if errors.Is(err, fs.ErrNotExist) {
		return w, nil
	}
	if err != nil {
		return w, err
	}
	w.fh = fh
	w.memory, err = f.load(fh, gen, agentID)
	if w.memory.tail == nil {
		return w, err // could not be read at all
	}
	// Other errors leave a memory that is degraded and says so; the file goes on.
	w.size, w.torn = w.memory.tail.file.Size(), w.memory.tail.cur.torn
	lost := w.memory.raw == nil && w.memory.tail.cur.at > 0
	if locked && (gen > 0 || lost || w.size >= f.store.maxBytes()) {
		w.rotate(gen)
	}
	return w, nil
}

// append writes a line with one write.
func (w *writer) append(line Line, totals Totals) (Line, []byte, error) {
	line, raw, err := w.compose(line, totals)
	if err != nil {
		return line, nil, err
	}
	if w.fh == nil {
		if w.fh, err = safefile.Open(w.path(0), os.O_RDWR|os.O_APPEND|os.O_CREATE); err != nil {
			return line, nil, err
		}
	}
	out := raw
	if w.torn {
		out = append([]byte{'\n'}, raw...)
	}
	_, err = w.fh.Write(out)
	return line, raw, err
}

// compose finishes the next line of the file.
func (w *writer) compose(line Line, totals Totals) (Line, []byte, error) {
	line.V, line.Session = Version, w.session
	line.Time = Stamp{w.store.now().UTC().Truncate(time.Millisecond)}
	if w.store.Light {
		line = light(line)
	}
	line.Unchained = !w.locked
	if w.locked {
		line.Seq, line.Prev = w.memory.seq+1, lineHash(w.memory.raw)
	}
	at := w.size
	if w.torn {
		at++
	}
	return encode(line, func(l *Line) {
		if w.locked {
			t := totals.clone()
			t.remember(*l, at)
			l.Totals = &t
		} else {
			l.Delta = totals.since(w.memory.Totals)
		}
	})
}

// lineHash is what the next line says of this one; the first line of a session says nothing.
func lineHash(raw []byte) string {
	if raw == nil {
		return ""
	}
	h := sha256.Sum256(raw)
	return hex.EncodeToString(h[:])
}

// copyLine adds the line to the file of the session in CopyTo. It is a copy for others to read: when it fails, the
// session file has the line all the same, so there is nobody to tell.
func (f *File) copyLine(raw []byte) {
	if f.store.CopyTo == "" || f.store.Light {
		return
	}
	if os.MkdirAll(f.store.CopyTo, 0o700) != nil {
		return
	}
	fh, err := safefile.Open(filepath.Join(f.store.CopyTo, f.name+ext), os.O_WRONLY|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return
	}
	defer fh.Close()
	fh.Write(raw) // see above
}
