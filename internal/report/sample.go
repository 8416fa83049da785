package report

import (
	"cmp"
	"slices"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/verifier"
)

// Indexes of a sample's answers.
const (
	contradictsPlan = iota
	outOfScope
	contradictsPrevious
	shouldFlag
	intent
	numQuestions
)

var questions = [numQuestions]string{
	verifier.ContradictsPlan, verifier.OutOfScope, verifier.ContradictsPrevious, verifier.ShouldFlag, verifier.IntentConsistency,
}

// label is what is known about whether a call was harmful.
type label uint8

const (
	noLabel label = iota
	wasSafe
	wasUnsafe
)

// source is who said so; a stronger one is larger.
type source uint8

const (
	byNobody  source = iota
	byOutcome        // weak: the end of the task
	byAnswer         // a person answered the ask
	byPerson         // a person labelled it afterwards
)

var sources = [...]string{byNobody: "", byOutcome: "outcome", byAnswer: "answer", byPerson: "person"}

var labels = [...]string{noLabel: "", wasSafe: session.LabelSafe, wasUnsafe: session.LabelUnsafe}

// fate is what was decided of a call and what is known of whether that was right.
type fate struct {
	would  agent.Action
	did    agent.Action
	label  label
	source source
	ran    bool // at once, or when a person had allowed it
}

func newFate(would, did string) fate {
	f := fate{would: action(would), did: action(did)}
	f.ran = f.did == agent.Allow
	return f
}

// mark labels the call unless somebody with more authority has.
func (f *fate) mark(l label, by source) {
	if by >= f.source {
		f.label, f.source = l, by
	}
}

// answer takes what a person said when asked. A word of a later version says nothing.
func (f *fate) answer(outcome string) {
	switch outcome {
	case session.OutcomeAllowed:
		f.ran = true
		f.mark(wasSafe, byAnswer)
	case session.OutcomeDismissed:
		f.mark(wasUnsafe, byAnswer)
	}
}

// backTrace gives a weak label, where there is none, by how the task ended. Of a failed one, a suspicious step that ran is
// unsafe; of a successful one, a step that ran is safe. A step that was stopped gets no label from either.
func (f *fate) backTrace(outcome string) {
	switch {
	case !f.ran || f.source != byNobody:
	case outcome == session.LabelSuccess:
		f.mark(wasSafe, byOutcome)
	case outcome == session.LabelFailure && f.would != agent.Allow:
		f.mark(wasUnsafe, byOutcome)
	}
}

// blocked says that the call was stopped and that nobody has said whether rightly.
func (f *fate) blocked() bool { return !f.ran && f.source == byNobody }

// said is a label of a line: what was said of which call, and by whom.
type said struct {
	of    int64 // seq
	label label
	by    source
}

// saidOf reads the label of a call; the word of none gives noLabel.
func saidOf(of int64, word, who string) said {
	s := said{of: of, by: byPerson}
	if who == sources[byOutcome] {
		s.by = byOutcome
	}
	switch word {
	case session.LabelSafe:
		s.label = wasSafe
	case session.LabelUnsafe:
		s.label = wasUnsafe
	}
	return s
}

// sample is what is kept of each call.
type sample struct {
	fate
	answers  [numQuestions]float64
	score    float64
	seq      int64
	judge    uint8 // index in counter.judges
	base     agent.Action
	answered bool
	local    bool // the built-in judge, which asks at most
	lowAsked bool // the intent alone asked
}

// samples is a list that grows without being copied.
type samples struct {
	chunks [][]sample
	n      int
}

const chunk = 4096

func (s *samples) add(v sample) int {
	if s.n%chunk == 0 {
		s.chunks = append(s.chunks, make([]sample, 0, chunk))
	}
	last := &s.chunks[len(s.chunks)-1]
	*last = append(*last, v)
	s.n++
	return s.n - 1
}

func (s *samples) at(i int) *sample { return &s.chunks[i/chunk][i%chunk] }

// all gives each sample in the order of the record.
func (s *samples) all(yield func(*sample) bool) {
	for _, c := range s.chunks {
		for i := range c {
			if !yield(&c[i]) {
				return
			}
		}
	}
}

// any says that one of the samples is so.
func (s *samples) any(so func(*sample) bool) bool {
	for x := range s.all {
		if so(x) {
			return true
		}
	}
	return false
}

// spreadOf describes one number of each sample that was answered.
func (s *samples) spreadOf(name string, number func(*sample) float64) Spread {
	v := make([]float64, 0, s.n)
	for x := range s.all {
		if x.answered {
			v = append(v, number(x))
		}
	}
	return spread(name, v)
}

func spread(name string, v []float64) Spread {
	slices.Sort(v)
	return Spread{Name: name, N: len(v), P10: rank(v, 10), P50: rank(v, 50), P90: rank(v, 90), P99: rank(v, 99), Max: rank(v, 100)}
}

// run is what is known of one session while its lines go by.
type run struct {
	name, folder string
	alike        *run     // one with the same id in another folder
	begin, end   position // of the blocks that have its lines
	first, last  time.Time
	seq          int64
	active       time.Duration
	calls        []int32 // indexes of its samples, as they came
	said         []said  // labels of its calls
	outcome      string  // how the task ended, as a person said
	agent        string
	root         string // of the project
	mixed        bool   // lines of two agents
	off          *Off   // since when the gate is
}

// position is a byte of the files.
type position struct {
	file int
	at   int64
}

// openKey names a call that a result may still answer.
type openKey struct {
	run  *run
	call string
}

// openCall is an ask that nobody has answered yet.
type openCall struct {
	sample  int32
	rules   []string
	targets []string
}

// heed labels the calls as was said of them. A record may hold calls out of order and without a number, so they are
// looked up in an order of their own; of two with one number the later one is meant.
func (r *run) heed(s *samples) {
	if len(r.said) == 0 {
		return
	}
	bySeq := slices.Clone(r.calls)
	slices.SortStableFunc(bySeq, func(a, b int32) int { return cmp.Compare(s.at(int(a)).seq, s.at(int(b)).seq) })
	for _, l := range r.said {
		after, _ := slices.BinarySearchFunc(bySeq, l.of, func(i int32, seq int64) int {
			if s.at(int(i)).seq <= seq {
				return -1
			}
			return 1
		})
		if after > 0 && l.of > 0 {
			if call := s.at(int(bySeq[after-1])); call.seq == l.of {
				call.mark(l.label, l.by)
			}
		}
	}
}
