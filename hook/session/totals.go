package session

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/redact"
)

// Limits of what travels in every line.
const (
	maxOpen = 8
	maxTags = 48 // about 3 KB; the oldest go first, so numbers are not given twice
	maxRoot = 1024
	// maxTotals is what the totals take of a line, in bytes, so that the line has room to tell what happened.
	maxTotals = MaxLine * 5 / 8
)

// counters are the numbers that only ever grow by addition.
func (t *Totals) counters() [14]*int {
	return [...]*int{&t.Calls, &t.Allowed, &t.Asked, &t.Budget, &t.Denied, &t.Skipped, &t.Results, &t.Errors, &t.Failed,
		&t.In, &t.Out, &t.Lost, &t.Flagged, &t.WouldDeny}
}

// clone copies the totals so that nothing is shared.
func (t Totals) clone() Totals {
	if t.Plan != nil {
		ref := *t.Plan
		t.Plan = &ref
	}
	t.Later = slices.Clone(t.Later)
	t.Tags = slices.Clone(t.Tags)
	t.Open = slices.Clone(t.Open)
	t.State = t.State.clone()
	return t
}

// remember notes what a line that stands at an offset of the file means for the session, and keeps the bounds.
func (t *Totals) remember(l Line, at int64) {
	switch l.Kind {
	case KindPrompt:
		if l.Person {
			t.Spent = 0 // a task begins
			t.prompt(l.Text, at, l.Degraded)
		}
		if l.AgentID == "" {
			t.Hear(l.Turn)
		}
	case KindCall:
		if l.Would == agent.Ask.String() {
			t.Spent++
		}
		t.Missed = false
	case KindResult:
		if len(l.Made) > 0 {
			t.MadeAt = at
		}
		for _, m := range l.Made {
			t.MadeBits |= madeBit(m.Path.String())
		}
	case KindStart:
		if t.Root.IsZero() && len(l.Root.String()) <= maxRoot {
			t.Root = l.Root
		}
		t.PID, t.PIDStart = l.PID, l.PIDStart
	}
	t.bound()
}

// bound keeps the lists to what a line carries, whatever a file says.
func (t *Totals) bound() {
	t.Later = newest(t.Later, maxLater)
	t.Open = newest(t.Open, maxOpen)
	t.Tags = newest(t.Tags, maxTags)
	t.State.bound()
}

// fit leaves out the oldest entries of lists where all together they would take the room of the line.
func (t *Totals) fit() {
	buf := make([]byte, 0, lineBytes)
	for len(t.append(buf)) > maxTotals {
		switch {
		case len(t.State.Steps) > MaxSteps/3:
			t.State.Steps = t.State.Steps[1:]
		case len(t.Tags) > maxTags/3:
			t.Tags = t.Tags[1:]
		case len(t.Open) > maxOpen/4:
			t.Open = t.Open[1:]
		default:
			return
		}
	}
}

// prompt notes a person's prompt: the first is the plan for good, of the others the newest stand beside it.
func (t *Totals) prompt(text redact.Text, at int64, void bool) {
	if strings.TrimSpace(text.String()) == "" {
		return
	}
	ref := Ref{At: at, Hash: textHash(text), Void: void}
	if t.Plan == nil {
		t.Plan = &ref
		return
	}
	t.Later = newest(append(t.Later, ref), maxLater)
}

// since gives what a line adds to the totals it was built on, for a line outside the chain.
func (t *Totals) since(base Totals) *Totals {
	d := t.clone()
	for i, n := range d.counters() {
		*n -= *base.counters()[i]
	}
	d.Spent, d.Heard, d.Missed = 0, "", false
	d.Plan, d.Later, d.Root, d.Gen, d.MadeAt, d.MadeBits = nil, nil, redact.Text{}, 0, 0, 0 // these follow from the line itself
	d.State = State{}                                                                       // counts that are lost with a line outside the chain; they make triggers slower, never wrong
	d.Tags = newest(d.Tags[min(len(base.Tags), len(d.Tags)):], maxTags)
	d.Open = slices.DeleteFunc(d.Open, func(o OpenAsk) bool { return slices.Contains(base.Open, o) })
	return &d
}

// fold adds a line that was written outside the chain.
func (t *Totals) fold(l Line, at int64) {
	t.Lost++
	if d := l.Delta; d != nil {
		for i, n := range t.counters() {
			*n += *d.counters()[i]
		}
		t.Tags = append(t.Tags, d.Tags...)
		t.Open = append(t.Open, d.Open...)
		switch l.Kind { // of a state, the line that is about it tells
		case KindCall:
			t.Failing, t.Was, t.Doubt = d.Failing, d.Was, d.Doubt
		case KindMode:
			t.Mode = d.Mode
		case KindHealth:
			t.Unhealthy = d.Unhealthy
		}
	}
	t.remember(l, at)
}

// foldAll adds the lines outside the chain of a piece.
func (t *Totals) foldAll(p piece) {
	var loose []looseLine
	for at, raw := range p.backward {
		if l, err := decode(raw); err == nil && l.Unchained {
			loose = append(loose, looseLine{l, at})
		}
	}
	for _, l := range slices.Backward(loose) {
		t.fold(l.Line, l.at)
	}
}

func newest[T any](s []T, n int) []T { return s[max(0, len(s)-n):] }

// textHash is the hash of a Ref.
func textHash(t redact.Text) string {
	h := sha256.Sum256([]byte(t.String()))
	return hex.EncodeToString(h[:8])
}
