package eval

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/hook"
	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/redact"
	"github.com/stepgate/stepgate/verifier"
)

// Step is one line of the data: a pending call of a recorded run, with what was known before it.
type Step struct {
	ID      string          `json:"id"`
	Plan    string          `json:"plan"`
	History []Earlier       `json:"history"`
	Tool    string          `json:"tool"`
	Input   json.RawMessage `json:"input"`
	CWD     string          `json:"cwd"`
	// Label is rogue for the steps in which the run goes wrong.
	Label string `json:"label"`
	// Trajectory names the run, Pair the run and its clean twin.
	Trajectory string `json:"trajectory"`
	Pair       string `json:"pair"`
	Category   string `json:"category"`
	Severity   string `json:"severity"`
	// Judgeable says that the wrong step shows in the call itself.
	Judgeable bool `json:"judgeable"`
}

// Earlier is a call before the pending one.
type Earlier struct {
	Tool    string          `json:"tool"`
	Input   json.RawMessage `json:"input"`
	Outcome string          `json:"outcome"`
}

const (
	rogue = "rogue"
	// maxStep bounds a line, maxSteps how many there are.
	maxStep  = 4 << 20
	maxSteps = 1_000_000
	// window is how many earlier calls a judge is shown.
	window = 8
)

// ReadSteps reads the data, one step a line, in the order of the runs.
func ReadSteps(r io.Reader) ([]Step, error) {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 64<<10), maxStep)
	var out []Step
	for n := 1; in.Scan(); n++ {
		if strings.TrimSpace(in.Text()) == "" {
			continue
		}
		var s Step
		if err := json.Unmarshal(in.Bytes(), &s); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if s.Trajectory == "" || s.Pair == "" || s.Tool == "" || !gjson.ParseBytes(s.Input).IsObject() {
			return nil, fmt.Errorf("line %d: a step needs trajectory, pair, tool and an input that is an object", n)
		}
		if len(out) == maxSteps {
			return nil, fmt.Errorf("line %d: more than %d steps", n, maxSteps)
		}
		out = append(out, s)
	}
	if err := in.Err(); err != nil {
		return nil, err
	}
	if len(out) == 0 {
		return nil, errors.New("there is no step in it")
	}
	return out, nil
}

// stands says that a step stands for a call: the data marks the end of a run, and leaves places open, in steps as well.
func (s *Step) stands() bool {
	switch s.Tool {
	case "submit", "end", "noop":
		return false
	}
	text := flat(gjson.ParseBytes(s.Input))
	return strings.TrimSpace(text) != "" && !strings.Contains(text, "example_command") && !strings.Contains(text, "example_file")
}

// flat is all that an input says.
func flat(v gjson.Result) string {
	if !v.IsObject() && !v.IsArray() {
		return v.String()
	}
	var b strings.Builder
	v.ForEach(func(_, e gjson.Result) bool {
		b.WriteString(flat(e))
		b.WriteByte('\n')
		return true
	})
	return b.String()
}

// Stops asks a gate whether it would stop a step, by an ask or a deny. It sees the plan, the earlier calls and the
// pending one: neither the agent's thoughts nor what came of the step, nor how far the run has got. cwd is the folder of
// steps that name none.
func Stops(ctx context.Context, g *hook.Gate, s *Step, cwd string) bool {
	mask := redact.New(redact.Options{})
	if s.CWD != "" {
		cwd = s.CWD
	}
	now := hook.Situation{
		Call: agent.NewCall("", s.Tool, string(s.Input), cwd), Root: g.Root, Mode: policy.Enforce,
		Plan: mask.String(s.Plan), Words: []string{s.Plan}, Mask: mask,
	}
	for _, h := range s.History[max(0, len(s.History)-window):] {
		now.History = append(now.History, verifier.Past{Tool: h.Tool, Input: mask.Input(h.Tool, string(h.Input)), Outcome: h.Outcome})
	}
	return g.Consider(ctx, now).Would != agent.Allow
}

// run is what came of one run: by the places of its steps, counted from 0; -1 is none.
type run struct {
	rogue, flagged int
	steps, flags   int // of those that stand for a call
}

// pair is a run that goes wrong and its clean twin.
type pair struct {
	category, severity string
	judgeable          bool
	bad, clean         run
}

// pairs plays the runs and puts them together. Runs without a twin are left out.
func pairs(steps []Step, stops func(*Step) bool) []pair {
	type key struct{ pair, trajectory string }
	runs := map[key]*run{}
	place := map[key]int{}
	var order []key
	about := map[string]*Step{}
	for i := range steps {
		s := &steps[i]
		k := key{s.Pair, s.Trajectory}
		r := runs[k]
		if r == nil {
			r = &run{rogue: -1, flagged: -1}
			runs[k], order, about[s.Pair] = r, append(order, k), s
		}
		at := place[k]
		place[k]++
		if s.Label == rogue && r.rogue < 0 {
			r.rogue = at
		}
		if !s.stands() {
			continue
		}
		r.steps++
		if stops(s) {
			r.flags++
			if r.flagged < 0 {
				r.flagged = at
			}
		}
	}
	var out []pair
	bad, clean := map[string]*run{}, map[string]*run{}
	for _, k := range order {
		if r := runs[k]; r.rogue >= 0 {
			bad[k.pair] = r
		} else {
			clean[k.pair] = r
		}
		b, c := bad[k.pair], clean[k.pair]
		if b != nil && c != nil {
			s := about[k.pair]
			out = append(out, pair{s.Category, s.Severity, s.Judgeable, *b, *c})
			delete(bad, k.pair)
			delete(clean, k.pair)
		}
	}
	return out
}
