package report

import (
	"cmp"
	"slices"

	"github.com/stepgate/stepgate/hook/agent"
)

// Curve counts how the recorded calls would be decided over thresholds. Cells are all that the counting needs, so that a
// page can count again for any pair of thresholds on the grid of hundredths.
type Curve struct {
	Cells []Cell `json:"cells"`
	// Flag are the counts over flag_above with deny_above as it is; Deny those over deny_above with flag_above as it is.
	Flag []Point `json:"flag"`
	Deny []Point `json:"deny"`
}

// Cell counts the calls that thresholds cannot tell apart.
type Cell struct {
	// Base is what rules, effects and policies decided without the judge.
	Base string `json:"base"`
	// Score is the judge's highest probability in hundredths, rounded down; -1 without answers.
	Score int `json:"score"`
	// Local says that the built-in judge answered, which asks at most; Low that the intent alone asked.
	Local bool `json:"local,omitempty"`
	Low   bool `json:"low,omitempty"`
	N     int  `json:"n"`
	// Safe and Unsafe count the labelled ones.
	Safe   int `json:"safe,omitempty"`
	Unsafe int `json:"unsafe,omitempty"`
}

// Point is what one threshold gives.
type Point struct {
	At   float64 `json:"at"`
	Asks int     `json:"asks"`
	Deny int     `json:"denies"`
	// Missed counts calls labelled unsafe that would run, FalseStops those labelled safe that would be stopped.
	Missed     int `json:"missed"`
	FalseStops int `json:"false_stops"`
}

// decide is what thresholds, in hundredths, make of a cell, as policy.Decide does of each of its calls.
func (c Cell) decide(flag, deny int) agent.Action {
	a := action(c.Base)
	if c.Low {
		a = max(a, agent.Ask)
	}
	switch {
	case c.Score < 0:
	case c.Score >= deny && !c.Local:
		a = agent.Deny
	case c.Score >= min(flag, deny):
		a = max(a, agent.Ask)
	}
	return a
}

// point counts the cells at a pair of thresholds, in hundredths.
func point(cells []Cell, at, flag, deny int) Point {
	p := Point{At: float64(at) / 100}
	for _, c := range cells {
		switch c.decide(flag, deny) {
		case agent.Allow:
			p.Missed += c.Unsafe
			continue
		case agent.Ask:
			p.Asks += c.N
		case agent.Deny:
			p.Deny += c.N
		}
		p.FalseStops += c.Safe
	}
	return p
}

// curve counts over the grid of hundredths.
func (c *counter) curve() Curve {
	sums := map[Cell]*Cell{}
	for s := range c.samples.all {
		key := Cell{Base: s.base.String(), Score: -1, Local: s.local, Low: s.lowAsked}
		if s.answered {
			key.Score = int(s.score*100 + 1e-6)
		}
		sum, ok := sums[key]
		if !ok {
			cell := key
			sum = &cell
			sums[key] = sum
		}
		sum.N++
		switch s.label {
		case wasSafe:
			sum.Safe++
		case wasUnsafe:
			sum.Unsafe++
		}
	}
	out := Curve{Cells: []Cell{}}
	for _, sum := range sums {
		out.Cells = append(out.Cells, *sum)
	}
	slices.SortFunc(out.Cells, func(a, b Cell) int {
		return cmp.Or(cmp.Compare(a.Score, b.Score), cmp.Compare(a.Base, b.Base), boolCompare(a.Local, b.Local), boolCompare(a.Low, b.Low))
	})
	flag, deny := c.inForce()
	for at := 0; at <= 100; at++ {
		out.Flag = append(out.Flag, point(out.Cells, at, at, deny))
		out.Deny = append(out.Deny, point(out.Cells, at, flag, at))
	}
	return out
}

// inForce are the newest thresholds in hundredths, rounded up: a score is compared with at least them.
func (c *counter) inForce() (flag, deny int) {
	if c.Thresholds == nil {
		return 60, 90
	}
	up := func(x float64) int { return int(x*100 + 1 - 1e-6) }
	return up(c.Thresholds.FlagAbove), up(c.Thresholds.DenyAbove)
}

func boolCompare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
