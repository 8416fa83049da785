package report

import (
	"slices"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
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

// labeller is who gave a label, by the source in its line.
func labeller(name string) source {
	if name == sources[byOutcome] {
		return byOutcome
	}
	return byPerson
}

// sample is what is kept of each call.
type sample struct {
	answers  [numQuestions]float64
	score    float64
	seq      int64
	judge    uint8 // index in counter.judgeNames
	base     agent.Action
	would    agent.Action
	did      agent.Action
	label    label
	source   source
	answered bool
	local    bool // the built-in judge, which asks at most
	lowAsked bool // the intent alone asked
	hard     bool
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
	last         time.Time
	seq          int64
	active       time.Duration
	calls        []int32 // indexes of its samples, in order of seq
	outcome      string  // how the task ended, as a person said
	agent        string
	root         string // of the project
	mixed        bool   // lines of two agents
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

// call finds the sample of a session by its seq, -1 when there is none.
func (r *run) call(s *samples, seq int64) int {
	i, ok := slices.BinarySearchFunc(r.calls, seq, func(i int32, seq int64) int {
		return int(s.at(int(i)).seq - seq)
	})
	if !ok {
		return -1
	}
	return int(r.calls[i])
}
