package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/internal/safefile"
	"github.com/stepgate/stepgate/redact"
)

// tail is the end of a session's file, and of the generation before where the file is young.
type tail struct {
	file  fs.FileInfo // the file as it was when it was read
	agent string      // whose history was taken
	gen   int         // of the file; 0 for the one that is written now
	cur   piece
	old   piece
	lines []Line // decoded when first asked for
	read  int64  // bytes, for tests
}

// taken is the end of the piece, or the beginning of its last line where that cannot be read: it may be being written.
func (p piece) taken() int64 {
	if p.torn {
		for at, raw := range p.backward {
			if _, err := decode(raw); err != nil {
				return at
			}
			break
		}
	}
	return p.at + int64(len(p.buf))
}

// backward gives the lines of the tail, newest first.
func (t *tail) backward(yield func(at int64, line []byte) bool) {
	for at, line := range t.cur.backward {
		if !yield(at, line) {
			return
		}
	}
	t.old.backward(yield)
}

// decode reads one line.
func decode(raw []byte) (Line, error) {
	var l Line
	if err := json.Unmarshal(raw, &l); err != nil {
		return Line{}, err
	}
	if l.V != Version {
		return Line{}, fmt.Errorf("line has v %d, this program reads v %d", l.V, Version)
	}
	if l.Kind == "" {
		return Line{}, errors.New("line has no kind")
	}
	return l, nil
}

// chained says that a line stands in the chain: it was written under the lock.
func (l *Line) chained() bool { return !l.Unchained && l.Seq > 0 && l.Totals != nil }

// piece is the end of a file, from the beginning of a line on.
type piece struct {
	buf  []byte
	at   int64 // offset of buf in the file
	torn bool  // the last line has no end
}

// readEnd reads about the last n bytes of a file.
func readEnd(r io.ReaderAt, size, n int64) (piece, error) {
	at := max(0, size-n)
	buf := make([]byte, size-at)
	got, err := r.ReadAt(buf, at)
	if err != nil && err != io.EOF {
		return piece{}, err
	}
	p := piece{buf: buf[:got], at: at}
	if at > 0 {
		cut := bytes.IndexByte(p.buf, '\n') + 1
		if cut == 0 {
			cut = len(p.buf)
		}
		p.buf, p.at = p.buf[cut:], p.at+int64(cut)
	}
	p.torn = got > 0 && buf[got-1] != '\n'
	return p, nil
}

// backward gives the lines of a piece, newest first, each with its offset in the file.
func (p piece) backward(yield func(at int64, line []byte) bool) {
	for b := p.buf; len(b) > 0; {
		b = bytes.TrimSuffix(b, []byte{'\n'})
		i := bytes.LastIndexByte(b, '\n') + 1
		if line := b[i:]; len(line) > 0 && !yield(p.at+int64(i), line) {
			return
		}
		b = b[:i]
	}
}

// load reads the memory from the end of a file.
func (f *File) load(fh *os.File, gen int, agentID string) (Memory, error) {
	fi, err := fh.Stat()
	if err != nil {
		return Memory{Degraded: true}, err
	}
	if m := f.last; m != nil && m.tail.gen == gen && m.tail.agent == safeName(agentID) &&
		os.SameFile(m.tail.file, fi) && m.tail.file.Size() == fi.Size() {
		return *m, nil
	}
	t := &tail{file: fi, agent: safeName(agentID), gen: gen}
	var s scan
	for n := int64(tailBytes); ; n *= 4 {
		s = scan{agent: t.agent, history: make([]Past, 0, maxHistory)}
		whole, err := f.readTail(t, fh, n, &s)
		if err != nil {
			return Memory{Degraded: true}, err
		}
		enough := s.newest.raw != nil && (len(s.history) == maxHistory || n >= wideBytes)
		if whole || enough || n >= seekBytes {
			break
		}
	}
	m := s.memory(t)
	err = m.readPlan(fh)
	if fi.Size() > 0 && !m.Exists {
		err = fmt.Errorf("session file %q: no line of it can be read", fh.Name())
	}
	m.Degraded = err != nil
	return m, err
}

// readTail reads n bytes from the end of the file and, where it has fewer, of the generation before. It says whether
// that was all there is.
func (f *File) readTail(t *tail, fh *os.File, n int64, s *scan) (whole bool, err error) {
	size := t.file.Size()
	if t.cur, err = readEnd(fh, size, n); err != nil {
		return false, err
	}
	t.read += min(n, size)
	t.cur.backward(s.line)
	before := s.newest.totals.Gen
	if t.cur.at > 0 || before == 0 || size >= n {
		return t.cur.at == 0, nil
	}
	old, err := safefile.Open(f.path(before), os.O_RDONLY)
	if err != nil {
		return true, nil // taken away; the carried lines stand in for it
	}
	defer old.Close()
	fi, err := old.Stat()
	if err != nil {
		return false, err
	}
	if t.old, err = readEnd(old, fi.Size(), n-size); err != nil {
		return false, err
	}
	t.read += min(n-size, fi.Size())
	t.old.backward(s.line)
	return t.old.at == 0, nil
}

// scan takes from lines, newest first, what a memory is made of.
type scan struct {
	agent   string
	good    bool // a line could be read
	newest  chainEnd
	loose   []looseLine // unchained ones after the newest chained line, newest first
	history []Past      // newest first
	results []result
}

// chainEnd is the newest chained line.
type chainEnd struct {
	head
	raw []byte
}

type looseLine struct {
	Line
	at int64
}

// result is what a result line says of its call.
type result struct {
	call    string
	failed  bool
	outcome string
}

// line takes one line and says whether more are needed.
func (s *scan) line(at int64, raw []byte) bool {
	if s.newest.raw == nil {
		if h, ok := readHead(raw); ok {
			s.newest = chainEnd{h, raw}
		} else if l, err := decode(raw); err != nil {
			return true
		} else if l.chained() { // as another program of ours wrote it
			s.newest = chainEnd{head{l.Seq, *l.Totals}, raw}
		} else {
			s.loose = append(s.loose, looseLine{l, at})
		}
		s.good = true
	}
	switch gjson.GetBytes(raw, "kind").Str {
	case KindCall:
		s.call(raw)
	case KindResult:
		s.result(raw)
	}
	return s.newest.raw == nil || len(s.history) < maxHistory
}

func (s *scan) call(raw []byte) {
	if len(s.history) == maxHistory || gjson.GetBytes(raw, "agent_id").Str != s.agent {
		return
	}
	p, did, judge, ok := readPast(raw)
	if !ok {
		return
	}
	failed := false
	for _, r := range s.results { // newest first, so the last word on an outcome comes first
		if r.call == p.CallID && p.CallID != "" {
			failed = failed || r.failed
			if p.Human == "" || r.outcome != "" {
				p.Human = r.outcome
			}
		}
	}
	switch {
	case did == "deny" || p.Human == OutcomeDismissed:
		p.Outcome = Denied
	case judge == JudgeSkip || judge == JudgeOff:
		p.Outcome = Skipped
	case failed:
		p.Outcome = Failed
	}
	s.history = append(s.history, p)
}

func (s *scan) result(raw []byte) {
	if !gjson.ValidBytes(raw) {
		return
	}
	v := gjson.GetManyBytes(raw, "call_id", "ok", "outcome")
	s.results = append(s.results, result{v[0].Str, v[1].Type == gjson.False, v[2].Str})
}

// memory puts together what was found.
func (s *scan) memory(t *tail) Memory {
	m := Memory{Exists: s.good, Totals: s.newest.totals, History: s.history, seq: s.newest.seq, raw: s.newest.raw, tail: t}
	for _, l := range slices.Backward(s.loose) {
		m.Totals.fold(l.Line, l.at)
	}
	m.Totals.bound()
	slices.Reverse(m.History)
	m.Root = m.Totals.Root.String()
	return m
}

// readPlan reads the prompts that the totals point at.
func (m *Memory) readPlan(r io.ReaderAt) error {
	var errs []error
	read := func(ref Ref) (redact.Text, string) {
		text, source, err := m.tail.textAt(r, ref)
		if err != nil {
			errs = append(errs, err)
		}
		return text, source
	}
	if ref := m.Totals.Plan; ref != nil {
		if m.Plan, m.PlanSource = read(*ref); !m.Plan.IsZero() {
			m.PlanHash = ref.Hash
		}
	}
	for _, ref := range m.Totals.Later {
		if text, _ := read(ref); !text.IsZero() {
			m.Later = append(m.Later, text)
		}
	}
	return errors.Join(errs...)
}

// textAt reads the text of the prompt line at a reference, and where it was found.
func (t *tail) textAt(r io.ReaderAt, ref Ref) (text redact.Text, source string, err error) {
	raw, err := t.lineAt(r, ref.At)
	if err != nil {
		return redact.Text{}, "", err
	}
	if !gjson.ValidBytes(raw) || text.UnmarshalJSON([]byte(gjson.GetBytes(raw, "text").Raw)) != nil || textHash(text) != ref.Hash {
		return redact.Text{}, "", fmt.Errorf("no prompt at offset %d, where the totals say there is one", ref.At)
	}
	return text, gjson.GetBytes(raw, "source").Str, nil
}

// lineAt reads the line at an offset. Most are far shorter than they may be.
func (t *tail) lineAt(r io.ReaderAt, at int64) ([]byte, error) {
	if i := at - t.cur.at; i >= 0 && i <= int64(len(t.cur.buf)) {
		line, _, _ := bytes.Cut(t.cur.buf[i:], []byte{'\n'})
		return line, nil
	}
	if at < 0 || at >= t.file.Size() {
		return nil, nil
	}
	for _, n := range [...]int{MaxLine / 4, MaxLine} {
		buf := make([]byte, n)
		n, err := r.ReadAt(buf, at)
		if err != nil && err != io.EOF {
			return nil, err
		}
		t.read += int64(n)
		if line, _, whole := bytes.Cut(buf[:n], []byte{'\n'}); whole {
			return line, nil
		}
	}
	return nil, nil
}
