package session

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/stepgate/stepgate/internal/safefile"
	"github.com/stepgate/stepgate/redact"
)

// How much of a file a call reads.
const (
	tailBytes = 64 << 10  // always
	wideBytes = 256 << 10 // where the tail has fewer calls of this agent than the history holds
	seekBytes = 4 << 20   // where it has not one chained line
)

// maxHistory is how many earlier calls are remembered, maxLater how many prompts after the first.
const (
	maxHistory = 8
	maxLater   = 3
)

// Memory is what a session knows at one moment.
type Memory struct {
	// Exists says that the session has a line already.
	Exists bool
	// Plan is the first prompt of a person, zero when there was none; PlanHash is a hash of its text. Later are up to
	// three prompts after it, oldest first.
	Plan     redact.Text
	PlanHash string
	// PlanSource says where the plan was found when no prompt told it, or is empty.
	PlanSource string
	Later      []redact.Text
	// History are up to eight calls of the same agent id, oldest first.
	History []Past
	Totals  Totals
	// Root is the project's root as the session's start fixed it, or empty.
	Root string
	// Degraded says that something of the memory could not be read.
	Degraded bool

	seq  int64  // of the newest chained line
	raw  []byte // that line
	tail *tail
}

// Past is an earlier call with what came of it, joined from its result.
type Past struct {
	CallID, Tool string
	Input        redact.Doc
	// Human is what a person did with an ask: the Outcome of the line of its result, or else of its own.
	Human string
	// Outcome is "", "denied", "failed" or "skipped".
	Outcome string
}

// Words of Past.Outcome.
const (
	Denied  = "denied"
	Failed  = "failed"
	Skipped = "skipped"
)

// Words are the prompts that a person typed, oldest first and without a gap up to now: what consent is read from. A plan
// that was found elsewhere is none of them, nor one after which prompts may have been forgotten.
func (m Memory) Words() []redact.Text {
	if m.Degraded {
		return nil
	}
	later := m.Later
	for len(later) > 0 && m.void(len(m.Later)-len(later)+1) {
		later = later[1:]
	}
	if m.Plan.IsZero() || m.PlanSource != "" || m.void(0) || len(m.Later) == maxLater {
		return later
	}
	return append([]redact.Text{m.Plan}, later...)
}

// void says that a prompt gives no consent any more: 0 is the plan, from 1 on those after it.
func (m *Memory) void(i int) bool {
	if i > 0 {
		return i <= len(m.Totals.Later) && m.Totals.Later[i-1].Void
	}
	return m.Totals.Plan != nil && m.Totals.Plan.Void
}

// Lines decodes the tail: about the newest 64 KiB of lines of all kinds and agents, oldest first. It is done once, when
// first asked for.
func (m Memory) Lines() []Line {
	if m.tail == nil {
		return nil
	}
	if m.tail.lines == nil {
		for _, raw := range m.tail.backward {
			if l, err := decode(raw); err == nil && !l.Carried {
				m.tail.lines = append(m.tail.lines, l)
			}
		}
		slices.Reverse(m.tail.lines)
	}
	return m.tail.lines
}

// Call finds the newest call line with this id in the tail.
func (m Memory) Call(id string) (Line, bool) { return m.find(id, false) }

// Pending finds the call line with this id in the tail, if nothing has come of the call yet: some model servers count
// their calls from 1 in each turn, and a call that is over says nothing of the next.
func (m Memory) Pending(id string) (Line, bool) { return m.find(id, true) }

func (m Memory) find(id string, pending bool) (Line, bool) {
	if id == "" || m.tail == nil {
		return Line{}, false
	}
	id = safeName(id)
	key := []byte(`"call_id":"` + id + `"`)
	for _, raw := range m.tail.backward {
		if !bytes.Contains(raw, key) {
			continue
		}
		l, err := decode(raw)
		switch {
		case err != nil || l.CallID != id:
		case l.Kind == KindCall:
			return l, true
		case l.Kind == KindResult && pending:
			return Line{}, false
		}
	}
	return Line{}, false
}

// Recall reads what the session knows, with the history of one agent id. A missing file is an empty Memory. With an
// error the Memory holds what could be read and is Degraded.
func (f *File) Recall(agentID string) (Memory, error) {
	unlock, err := f.lock(false)
	locked := err == nil
	if locked {
		defer unlock()
	} // without the lock a line that is being written may be missed, no more
	fh, gen, err := f.open(os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return Memory{Degraded: exists(f.missedPath()) || locked && f.cut(&Memory{})}, nil
	}
	if err != nil {
		return Memory{Degraded: true}, fmt.Errorf("recall the session: %w", err)
	}
	defer fh.Close()
	m, err := f.load(fh, gen, agentID)
	if err != nil {
		return m, fmt.Errorf("recall the session: %w", err)
	}
	f.last = &m
	m.Degraded = m.Degraded || m.Totals.Missed || exists(f.missedPath()) || locked && f.cut(&m)
	return m, nil
}

// open opens the generation that is written now or, when a rotation was cut short, the newest there is.
func (f *File) open(flag int) (fh *os.File, gen int, err error) {
	if f.store.Dir == "" {
		return nil, 0, errNoHome
	}
	if _, err := safefile.CheckDir(f.store.Dir, sessionsDir, f.project); err != nil {
		return nil, 0, err
	}
	fh, err = safefile.Open(f.path(0), flag)
	if !errors.Is(err, fs.ErrNotExist) || !exists(f.path(1)) {
		return fh, 0, err
	}
	gen = f.freeGen(1) - 1
	fh, err = safefile.Open(f.path(gen), flag)
	return fh, gen, err
}

// freeGen is the first number from n on that no generation has.
func (f *File) freeGen(n int) int {
	for exists(f.path(n)) {
		n++
	}
	return n
}

var errNoHome = errors.New("no state folder (neither STEPGATE_STATE_HOME nor a home folder is set)")
