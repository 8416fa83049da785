package report

import (
	"math"
	"strconv"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
)

// Labels are what is known about whether calls were harmful, and how well the gate and its judges did by that.
type Labels struct {
	// Person, Answer and Outcome count the labels by who gave them: a person afterwards, a person's answer to an ask, the
	// end of the task. Blocked counts calls that were stopped and that nobody has judged since: they are no labels.
	Person  int `json:"person"`
	Answer  int `json:"answer"`
	Outcome int `json:"outcome"`
	Blocked int `json:"blocked_unverified"`
	Safe    int `json:"safe"`
	Unsafe  int `json:"unsafe"`
	// Calibration has a row for each judge and question with a labelled answer.
	Calibration []Calibration `json:"calibration"`
	Steps       Steps         `json:"steps"`
}

// Calibration compares the probabilities of one judge for one question with labels (1 for unsafe).
type Calibration struct {
	Judge    string `json:"judge"`
	Question string `json:"question"`
	N        int    `json:"n"`
	// ECE is the expected calibration error over ten bins of equal width; Brier the mean squared error, with the half
	// width of its 95 % interval.
	ECE      float64 `json:"ece"`
	Brier    float64 `json:"brier"`
	BrierErr float64 `json:"brier_err"`
	Bins     []Bin   `json:"bins"`
}

// Bin is a row of a reliability table.
type Bin struct {
	From float64 `json:"from"`
	To   float64 `json:"to"`
	N    int     `json:"n"`
	// Said is the mean probability, Was the share that was unsafe, with its 95 % interval (Wilson).
	Said float64 `json:"said"`
	Was  float64 `json:"was"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Steps are StepGuard's measures. One that is not defined on the record is null.
type Steps struct {
	Precision *float64 `json:"precision"` // of the stopped and labelled calls, the share that was unsafe
	Recall    *float64 `json:"recall"`    // of the unsafe calls, the share that was stopped
	// Latency is the mean number of calls from the first unsafe one of a session to the first stop at or after it.
	Latency *float64 `json:"detection_latency"`
	// Depth is how far into its session a denied call stood, 0 at the start and 1 at the end, in the mean.
	Depth *float64 `json:"blocked_depth"`
	// Confirmations are asks per 100 sessions, PerCalls those per 100 calls.
	Confirmations *float64 `json:"confirmations_per_100"`
	PerCalls      *float64 `json:"confirmations_per_100_calls"`
	Delay         *float64 `json:"mean_delay_ms"` // milliseconds a call
	// Completed is the share of sessions in enforce whose task succeeded, Baseline that of those in audit.
	Completed *float64 `json:"completed"`
	Baseline  *float64 `json:"completed_baseline"`
	// Gain is the incidents the gate prevented for each percent of completed tasks it cost; null when it cost none.
	Gain *float64 `json:"balance_gain"`
}

// Measure is one of the step measures with its name for people.
type Measure struct {
	Name  string
	Value string // n/a where it is not defined
}

// Measures are all of them in words.
func (s Steps) Measures() []Measure {
	var out []Measure
	for _, m := range [...]struct {
		name  string
		value *float64
	}{
		{"precision of stops", s.Precision}, {"recall of unsafe calls", s.Recall}, {"calls from first unsafe one to a stop", s.Latency},
		{"depth of denied calls, 0 to 1", s.Depth}, {"asks per 100 sessions", s.Confirmations}, {"asks per 100 calls", s.PerCalls},
		{"milliseconds a call", s.Delay}, {"tasks done, enforce", s.Completed}, {"tasks done, audit", s.Baseline}, {"incidents prevented per percent lost", s.Gain},
	} {
		text := "n/a"
		if m.value != nil {
			unit := 1000.0
			if math.Abs(*m.value) >= 10 {
				unit = 10
			}
			text = strconv.FormatFloat(math.Round(*m.value*unit)/unit, 'f', -1, 64)
		}
		out = append(out, Measure{m.name, text})
	}
	return out
}

const bins = 10

// z is the quantile for intervals of 95 %.
const z = 1.96

// settle gives the calls of a session the labels that were said of them, and weak ones by how its task ended.
func (c *counter) settle(r *run) {
	r.heed(&c.samples)
	for _, i := range r.calls {
		c.samples.at(int(i)).backTrace(r.outcome)
	}
}

// labels counts labels and what follows from them.
func (c *counter) labels() Labels {
	var l Labels
	for s := range c.samples.all {
		switch s.source {
		case byPerson:
			l.Person++
		case byAnswer:
			l.Answer++
		case byOutcome:
			l.Outcome++
		case byNobody:
			if s.blocked() {
				l.Blocked++
			}
		}
		switch s.label {
		case wasSafe:
			l.Safe++
		case wasUnsafe:
			l.Unsafe++
		}
	}
	l.Calibration = c.calibrations()
	l.Steps = c.steps()
	return l
}

func (c *counter) calibrations() []Calibration {
	out := []Calibration{}
	for j, judge := range c.judges {
		for q := range intent + 1 { // the score comes last
			name := "score"
			number := func(s *sample) float64 { return s.score }
			if q < intent {
				name, number = questions[q], func(s *sample) float64 { return s.answers[q] }
			}
			row := Calibration{Judge: judge, Question: name}
			var x calibrator
			for s := range c.samples.all {
				if s.answered && int(s.judge) == j && s.label != noLabel {
					x.add(number(s), s.label == wasUnsafe)
				}
			}
			if x.n > 0 {
				x.fill(&row)
				out = append(out, row)
			}
		}
	}
	return out
}

// calibrator sums up pairs of a probability and whether it came true.
type calibrator struct {
	n            int
	sum, squares float64 // of the squared errors
	count        [bins]int
	said, came   [bins]float64
}

func (x *calibrator) add(p float64, yes bool) {
	y := 0.0
	if yes {
		y = 1
	}
	b := min(bins-1, max(0, int(p*bins)))
	x.n++
	x.count[b]++
	x.said[b] += p
	x.came[b] += y
	err := (p - y) * (p - y)
	x.sum += err
	x.squares += err * err
}

func (x *calibrator) fill(row *Calibration) {
	n := float64(x.n)
	row.N, row.Brier = x.n, x.sum/n
	if x.n > 1 {
		variance := max(0, x.squares/n-row.Brier*row.Brier) * n / (n - 1)
		row.BrierErr = z * math.Sqrt(variance/n)
	}
	for b, count := range x.count {
		if count == 0 {
			continue
		}
		bin := Bin{From: float64(b) / bins, To: float64(b+1) / bins, N: count, Said: x.said[b] / float64(count), Was: x.came[b] / float64(count)}
		bin.Low, bin.High = wilson(bin.Was, count)
		row.ECE += float64(count) / n * math.Abs(bin.Said-bin.Was)
		row.Bins = append(row.Bins, bin)
	}
}

// wilson is the 95 % interval of a share p of n.
func wilson(p float64, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	m := float64(n)
	centre := p + z*z/(2*m)
	half := z * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(0, (centre-half)/(1+z*z/m)), min(1, (centre+half)/(1+z*z/m))
}

// tally is a share in the making.
type tally struct{ sum, of float64 }

func (t tally) share() *float64 {
	if t.of == 0 {
		return nil
	}
	v := t.sum / t.of
	return &v
}

func (t *tally) add(yes bool) {
	t.of++
	if yes {
		t.sum++
	}
}

// steps computes StepGuard's measures.
func (c *counter) steps() Steps {
	var precision, recall, latency, depth, guarded, baseline tally
	asks, unsafeRan, unsafeAll := 0, 0, 0
	for _, r := range c.runs {
		enforced, first, found := false, -1, false
		for step, i := range r.calls {
			s := c.samples.at(int(i))
			stopped := s.would != agent.Allow
			enforced = enforced || s.did != agent.Allow
			if s.did == agent.Ask {
				asks++
			}
			if s.did == agent.Deny && len(r.calls) > 1 {
				depth.sum += float64(step) / float64(len(r.calls)-1)
				depth.of++
			}
			if stopped && s.label != noLabel {
				precision.add(s.label == wasUnsafe)
			}
			if s.label == wasUnsafe {
				recall.add(stopped)
				unsafeAll++
				if s.ran {
					unsafeRan++
				}
				if first < 0 {
					first = step
				}
			}
			if first >= 0 && stopped && !found {
				found = true
				latency.sum += float64(step - first)
				latency.of++
			}
		}
		if r.outcome != "" && enforced {
			guarded.add(r.outcome == session.LabelSuccess)
		} else if r.outcome != "" {
			baseline.add(r.outcome == session.LabelSuccess)
		}
	}
	out := Steps{
		Precision: precision.share(), Recall: recall.share(), Latency: latency.share(), Depth: depth.share(),
		Confirmations: tally{100 * float64(asks), float64(len(c.runs))}.share(),
		PerCalls:      tally{100 * float64(asks), float64(c.Calls)}.share(),
		Delay:         tally{c.GateMS, float64(c.Gate.N)}.share(),
		Completed:     guarded.share(), Baseline: baseline.share(),
	}
	if out.Completed != nil && out.Baseline != nil && *out.Completed < *out.Baseline {
		out.Gain = tally{float64(unsafeAll - unsafeRan), 100 * (*out.Baseline - *out.Completed)}.share()
	}
	return out
}
