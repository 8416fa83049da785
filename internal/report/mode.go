package report

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/stepgate/stepgate/policy"
)

// maxSwitches bounds the switches of the mode, and the times the gate was off, that a report lists.
const maxSwitches = 200

// notAskable is the outcome of a call that was refused because its agent cannot ask.
const notAskable = "not askable"

// Switch is a change of the mode as a session's record tells it, or one that was refused.
type Switch struct {
	Time    time.Time `json:"time"`
	Session string    `json:"session"`
	Event   string    `json:"event"` // mode_changed, mode_change_refused
	Detail  string    `json:"detail"`
	Source  string    `json:"source,omitempty"` // prompt: typed into the agent
}

// Off is a time in which the gate of a session was off.
type Off struct {
	Session string `json:"session"`
	// From is when it was switched off, or the first call that ran without it; To is when it was switched on again, or the
	// last such call.
	From  time.Time `json:"from"`
	To    time.Time `json:"to"`
	Calls int       `json:"calls"`
}

// mode follows the mode of a session through its lines.
func (c *counter) mode(r *run, e *entry, isCall bool) {
	off := e.mode == string(policy.Off)
	switch {
	case r.off == nil && off && len(c.off) < maxSwitches:
		r.off = &Off{Session: r.name, From: e.time, To: e.time}
		c.off = append(c.off, r.off)
	case r.off != nil:
		r.off.To = e.time
	}
	if r.off != nil && off && isCall {
		r.off.Calls++
	}
	if !off {
		r.off = nil
	}
}

// switched takes a line that tells of a switch.
func (c *counter) switched(r *run, e *entry) {
	if e.event == "mode_changed" {
		c.mode(r, e, false)
	}
	if len(c.Switches) < maxSwitches {
		c.Switches = append(c.Switches, Switch{e.time, r.name, keep(e.event), keep(short(e.text, 60)), keep(short(e.source, 20))})
	}
}

// modes sorts what was followed by time.
func (c *counter) modes() {
	c.Off = []Off{}
	for _, o := range c.off {
		if o.Calls > 0 {
			c.Off = append(c.Off, *o)
		}
	}
	if c.Switches == nil {
		c.Switches = []Switch{}
	}
	slices.SortStableFunc(c.Off, func(a, b Off) int { return a.From.Compare(b.From) })
	slices.SortStableFunc(c.Switches, func(a, b Switch) int { return a.Time.Compare(b.Time) })
}

// Judged is what one judge was asked and what that cost.
type Judged struct {
	Name      string  `json:"name"`
	N         int     `json:"n"` // calls it answered
	Cached    int     `json:"cached"`
	TokensIn  int     `json:"tokens_in"`
	TokensOut int     `json:"tokens_out"`
	MS        float64 `json:"ms"` // waited for it, all calls together
}

// asked adds a call to what its judge cost.
func (c *counter) asked(i uint8, e *entry) {
	for int(i) >= len(c.judged) {
		c.judged = append(c.judged, Judged{})
	}
	j := &c.judged[i]
	j.TokensIn += int(e.in)
	j.TokensOut += int(e.out)
	if e.answered {
		j.N++
	}
	if e.cached {
		j.Cached++
	}
	for _, s := range e.stages {
		if s.name == "judge" {
			j.MS += s.ms
		}
	}
}

// judgeCosts are those of the judges that answered, most asked first.
func (c *counter) judgeCosts() []Judged {
	out := []Judged{}
	for i, j := range c.judged {
		if j.Name = c.judges[i]; j.N > 0 && j.Name != "" {
			out = append(out, j)
		}
	}
	slices.SortFunc(out, func(a, b Judged) int { return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.Name, b.Name)) })
	return out
}
