package session

import (
	"os"
	"path/filepath"

	"github.com/stepgate/stepgate/internal/safefile"
	"github.com/stepgate/stepgate/redact"
)

// rotate closes the file as a generation of its own and begins a new one that carries on the chain, the totals and the
// prompts. gen is not 0 when the closing was done already, by a process that got no further. When it cannot be done the
// file simply goes on, whatever its name.
func (w *writer) rotate(gen int) {
	closed := gen
	if gen == 0 {
		closed = w.freeGen(w.memory.Totals.Gen + 1)
		if w.store.Light {
			closed = 1 // the beginning is not kept
		}
		if os.Rename(w.path(0), w.path(closed)) != nil {
			return // Windows, while somebody reads the file
		}
	}
	next := &writer{File: w.File, locked: true, memory: w.memory}
	if next.begin(closed) != nil {
		if gen == 0 {
			os.Rename(w.path(closed), w.path(0)) // failing that, the next writer begins the new generation
		}
		return
	}
	w.close()
	*w = *next
}

// begin writes the head of a new generation, whole or not at all, and opens it.
func (w *writer) begin(before int) error {
	var file []byte
	head := carried(w.memory)
	w.memory.Totals = w.memory.Totals.clone()
	w.memory.Totals.Plan, w.memory.Totals.Later, w.memory.Totals.Gen = nil, nil, before
	w.memory.Totals.MadeAt, w.memory.Totals.MadeBits = 0, 0 // what the session made is asked about again
	for _, l := range head {
		l, raw, err := w.compose(l, w.memory.Totals)
		if err != nil {
			return err
		}
		file = append(file, raw...)
		w.size, w.taken = int64(len(file)), int64(len(file))
		w.memory.seq, w.memory.raw, w.memory.Totals = l.Seq, raw[:len(raw)-1], *l.Totals
	}
	tmp, err := safefile.Temp(filepath.Dir(w.path(0)), file)
	if err != nil {
		return err
	}
	if err := os.Rename(tmp, w.path(0)); err != nil {
		os.Remove(tmp) // the rename's error is the one to tell
		return err
	}
	w.fh, err = safefile.Open(w.path(0), os.O_RDWR|os.O_APPEND)
	return err
}

// carried are the lines at the head of a new generation.
func carried(m Memory) []Line {
	event := EventRotated
	if m.raw == nil {
		event = EventLost
	}
	lines := []Line{{Kind: KindNote, Event: event}}
	for i, text := range append([]redact.Text{m.Plan}, m.Later...) {
		if !text.IsZero() {
			lines = append(lines, Line{Kind: KindPrompt, Person: true, Text: text, Carried: true, Degraded: m.void(i)})
		}
		if i == 0 && len(lines) > 1 {
			lines[1].Source = m.PlanSource
		}
	}
	return lines
}

// remove takes away all of a session: the files, the generations and the secret.
func (f *File) remove() error {
	for gen := 1; exists(f.path(gen)); gen++ {
		if err := os.Remove(f.path(gen)); err != nil {
			return err
		}
	}
	for _, path := range [...]string{f.keyPath(), f.headPath(), f.missedPath(), f.path(0)} {
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}
