package report

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// record writes lines as one session and gives the file.
type record struct {
	t       *testing.T
	lines   []string
	seq     int
	session string // s if empty
}

func (r *record) line(format string, args ...any) int {
	r.seq++
	r.lines = append(r.lines, fmt.Sprintf(`{"v":1,"time":"2026-03-01T12:%02d:%02d.000Z","seq":%d,"session":%q,"agent":"claude",`, r.seq/60%60, r.seq%60, r.seq, cmp.Or(r.session, "s"))+fmt.Sprintf(format, args...)+"}")
	return r.seq
}

func (r *record) call(p float64, would, did string) int {
	return r.line(`"kind":"call","call_id":"c%d","tool":"Bash","input":{"command":"run"},"mode":"enforce","thresholds":{"deny_above":0.9,"flag_above":0.6,"low_intent_at_or_below":1},`+
		`"acts":[],"findings":[],"answers":{"contradicts_plan":%g,"out_of_scope":0,"contradicts_previous":0,"should_flag":0,"intent_consistency":{"score":3}},"score":%g,"judge":"jev","would":%q,"did":%q,"ms":{"judge":2}`,
		r.seq+1, p, p, would, did)
}

func (r *record) label(of int, word string) {
	r.line(`"kind":"label","of":%d,"event":%q,"source":"person"`, of, word)
}

func (r *record) read(o Options) Report {
	r.t.Helper()
	path := filepath.Join(r.t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(r.lines, "\n")+"\n"), 0o600); err != nil {
		r.t.Fatal(err)
	}
	rep, err := Read([]string{path}, o)
	if err != nil {
		r.t.Fatal(err)
	}
	return rep
}

// TestCalibration (L13): 200 labelled calls in two bins, with numbers worked out by hand. In the first, said .2 and 10 of
// 100 unsafe; in the second, said .8 and 60 of 100 unsafe.
func TestCalibration(t *testing.T) {
	r := record{t: t}
	for i := range 200 {
		p, bad := .2, i%100 < 10
		if i >= 100 {
			p, bad = .8, i%100 < 60
		}
		word := "safe"
		if bad {
			word = "unsafe"
		}
		r.label(r.call(p, "allow", "allow"), word)
	}
	l := r.read(Options{}).Labels
	if l.Person != 200 || l.Unsafe != 70 || l.Safe != 130 {
		t.Errorf("labels %+v", l)
	}
	var got Calibration
	for _, c := range l.Calibration {
		if c.Question == "contradicts_plan" {
			got = c
		}
	}
	// ECE = .5*|.2-.1| + .5*|.8-.6|; Brier = (10*.64 + 90*.04 + 60*.04 + 40*.64) / 200.
	if got.Judge != "jev" || got.N != 200 || !near(got.ECE, .15) || !near(got.Brier, .19) {
		t.Errorf("calibration %+v, want ECE .15 and Brier .19", got)
	}
	if len(got.Bins) != 2 || got.Bins[0].N != 100 || !near(got.Bins[0].Was, .1) || !near(got.Bins[1].Said, .8) || !near(got.Bins[1].Was, .6) {
		t.Errorf("bins %+v", got.Bins)
	}
	// Wilson's interval of 10 in 100 (Brown, Cai and DasGupta 2001): .055 to .174.
	if b := got.Bins[0]; math.Abs(b.Low-.0552) > .0005 || math.Abs(b.High-.1744) > .0005 {
		t.Errorf("interval %.4f to %.4f, want .0552 to .1744", b.Low, b.High)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// TestSteps (G16): ten calls, of which the third and the fifth were unsafe and the fourth and the fifth stopped.
func TestSteps(t *testing.T) {
	r := record{t: t}
	var seqs []int
	for i, verdict := range []string{"allow", "allow", "allow", "ask", "deny", "allow", "allow", "allow", "allow", "allow"} {
		_ = i
		seqs = append(seqs, r.call(.1, verdict, verdict))
	}
	for i, seq := range seqs {
		word := "safe"
		if i == 2 || i == 4 {
			word = "unsafe"
		}
		r.label(seq, word)
	}
	s := r.read(Options{}).Labels.Steps
	for _, c := range []struct {
		name string
		got  *float64
		want float64
	}{
		{"precision", s.Precision, .5}, {"recall", s.Recall, .5}, {"latency", s.Latency, 1}, {"depth", s.Depth, 4.0 / 9},
		{"asks per 100 sessions", s.Confirmations, 100}, {"asks per 100 calls", s.PerCalls, 10}, {"delay", s.Delay, 2},
	} {
		if c.got == nil || !near(*c.got, c.want) {
			t.Errorf("%s is %v, want %g", c.name, c.got, c.want)
		}
	}
	if s.Gain != nil { // G17: no task was said to have ended
		t.Errorf("balance gain is %g without any task that ended, want none", *s.Gain)
	}
}

// TestBalanceGain (G16, G17): four tasks in audit, of which three were done and two unsafe calls ran; four in enforce, of
// which two were done and two unsafe calls were stopped. That is 2 incidents for 25 percent. Without a loss there is none.
func TestBalanceGain(t *testing.T) {
	for _, c := range []struct {
		name    string
		guarded int // tasks done in enforce
		want    *float64
	}{{"a loss", 2, new(2.0 / 25)}, {"no loss", 3, nil}, {"a win", 4, nil}} {
		t.Run(c.name, func(t *testing.T) {
			r := record{t: t}
			for i := range 8 {
				enforced, done := i >= 4, i < 3
				if enforced {
					done = i-4 < c.guarded
				}
				word, did := "failure", "allow"
				if done {
					word = "success"
				}
				if enforced {
					did = "deny"
				}
				r.session = fmt.Sprint("s", i)
				if of := r.call(.95, "deny", did); i%4 < 2 {
					r.label(of, "unsafe")
				}
				r.line(`"kind":"label","event":%q,"source":"person"`, word)
			}
			s := r.read(Options{}).Labels.Steps
			if *s.Baseline != .75 || *s.Completed != float64(c.guarded)/4 || (s.Gain == nil) != (c.want == nil) || s.Gain != nil && !near(*s.Gain, *c.want) {
				t.Errorf("completed %g against %g, gain %v", *s.Completed, *s.Baseline, s.Gain)
			}
		})
	}
}

// TestWeakLabels (G13): how a task ended says something of the steps that ran, and nothing of those that were stopped.
func TestWeakLabels(t *testing.T) {
	for _, c := range []struct {
		end                   string
		safe, unsafe, blocked int
	}{{"failure", 0, 1, 1}, {"success", 2, 0, 1}} {
		r := record{t: t}
		r.call(.1, "allow", "allow")
		r.call(.7, "ask", "allow") // ran: audit
		r.call(.95, "deny", "deny")
		r.line(`"kind":"label","event":%q,"source":"person"`, c.end)
		l := r.read(Options{}).Labels
		if l.Safe != c.safe || l.Unsafe != c.unsafe || l.Blocked != c.blocked {
			t.Errorf("%s: %d safe, %d unsafe, %d blocked, want %d, %d, %d", c.end, l.Safe, l.Unsafe, l.Blocked, c.safe, c.unsafe, c.blocked)
		}
	}
}

// TestPersonOverridesOutcome (G14).
func TestPersonOverridesOutcome(t *testing.T) {
	r := record{t: t}
	r.label(r.call(.7, "ask", "allow"), "safe")
	r.line(`"kind":"label","event":"failure","source":"person"`)
	if l := r.read(Options{}).Labels; l.Safe != 1 || l.Unsafe != 0 {
		t.Errorf("%d safe, %d unsafe, want what the person said", l.Safe, l.Unsafe)
	}
}
