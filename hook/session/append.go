package session

import (
	"bytes"
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
	missed := w.locked && exists(f.missedPath())
	if missed || w.locked && f.cut(&w.memory) {
		totals.MissPrompt()
	}
	line, ok := build(&totals, w.memory)
	if !ok {
		return line, nil, nil
	}
	f.last = nil
	if f.store.Light && line.Kind == KindEnd && w.locked {
		return line, nil, f.remove()
	}
	line, raw, err = w.append(line, totals)
	if err == nil && w.locked {
		w.keepHead()
	}
	if err == nil && missed {
		err = os.Remove(f.missedPath()) // left there, it would make each call cautious
	}
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
	torn   bool  // the last line has no end
	taken  int64 // up to where lines are in the memory; less than size where the end cannot be read, or not yet
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
	if errors.Is(err, fs.ErrNotExist) && locked {
		if back, _ := f.revive(); back { // failing that, the session begins anew
			fh, gen, err = f.open(os.O_RDWR | os.O_APPEND)
		}
	}
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
	w.taken = w.memory.tail.cur.taken()
	lost := w.memory.raw == nil && w.memory.tail.cur.at > 0
	if locked && (gen > 0 || lost || w.size >= f.store.maxBytes()) {
		w.rotate(gen)
	}
	return w, nil
}

// maxLate bounds how often lines that come in between are taken in by one Append.
const maxLate = 50

// append writes a line with one write. Should lines from outside the chain have come between what was read and what is
// written, another line follows that takes them in.
func (w *writer) append(line Line, totals Totals) (Line, []byte, error) {
	line, raw, err := w.compose(line, totals)
	if err == nil {
		err = w.write(raw)
	}
	if err != nil || !w.locked {
		return line, raw, err
	}
	late, err := w.settle(line, raw, &totals)
	all := raw
	for n := 0; late && err == nil && n < maxLate; n++ {
		note := Line{Kind: KindNote, Event: EventLate}
		if note, raw, err = w.compose(note, totals); err != nil {
			break
		}
		if err = w.write(raw); err != nil {
			break
		}
		all = append(all, raw...)
		late, err = w.settle(note, raw, &totals)
	}
	return line, all, err
}

func (w *writer) write(raw []byte) (err error) {
	if w.fh == nil {
		if w.fh, err = w.create(); err != nil {
			return err
		}
	}
	if w.torn {
		raw = append([]byte{'\n'}, raw...)
	}
	_, err = w.fh.Write(raw)
	return err
}

// settle brings the writer to the state after a line that it has written, the totals among it, and says whether there
// were lines before it that nobody had taken in. Those after it are for the next writer.
func (w *writer) settle(line Line, raw []byte, totals *Totals) (late bool, err error) {
	fi, err := w.fh.Stat()
	if err != nil {
		return false, err
	}
	at := w.next()
	if fi.Size() > at+int64(len(raw)) && fi.Size()-w.taken <= seekBytes {
		buf := make([]byte, fi.Size()-w.taken)
		if _, err := w.fh.ReadAt(buf, w.taken); err != nil {
			return false, err
		}
		before := buf[:max(0, bytes.Index(buf, raw))]
		own := w.taken + int64(len(before))
		late, at = own > at, own
		totals.foldAll(piece{buf: before, at: w.taken})
	}
	totals.remember(line, at)
	w.memory.seq, w.memory.raw = line.Seq, raw[:len(raw)-1]
	w.size, w.torn = at+int64(len(raw)), false
	w.taken = w.size
	return late, nil
}

// next is where the next line will stand.
func (w *writer) next() int64 {
	if w.torn {
		return w.size + 1
	}
	return w.size
}

// create makes the file of a new session.
func (f *File) create() (*os.File, error) {
	const flag = os.O_RDWR | os.O_APPEND | os.O_CREATE
	fh, err := safefile.Open(f.path(0), flag)
	if !errors.Is(err, fs.ErrNotExist) {
		return fh, err
	}
	// Retire removes empty folders, and did so since this one was prepared.
	if err := f.prepare(); err != nil {
		return nil, err
	}
	return safefile.Open(f.path(0), flag)
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
	at := w.next()
	return encode(line, func(l *Line) {
		if w.locked {
			t := totals.clone()
			t.remember(*l, at)
			t.fit()
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
