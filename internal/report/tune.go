package report

import "fmt"

// Proposal is a change of settings with the numbers behind it.
type Proposal struct {
	// Setting and Value are what `stepgate config set` takes; empty when there is only advice.
	Setting string  `json:"setting,omitempty"`
	Value   float64 `json:"value,omitempty"`
	Why     string  `json:"why"`
	// Now and Then are what the recorded calls give with the settings in force and with the proposed one.
	Now  Point `json:"now"`
	Then Point `json:"then"`
}

// fewLabels is from how many labelled answers of each sort thresholds are proposed.
const fewLabels = 10

// Tune proposes thresholds from labels: the highest flag_above that misses no more of the calls labelled unsafe than the
// one in force, or a lower one where that catches some that are missed now without stopping more than a tenth of the safe ones.
// Without enough labels it gives a reason instead.
func Tune(r Report) (proposals []Proposal, why string) {
	if r.Labels.Safe < fewLabels || r.Labels.Unsafe < fewLabels {
		return nil, fmt.Sprintf("calls labelled safe: %d, unsafe: %d; thresholds need at least %d of each (stepgate review, stepgate label)",
			r.Labels.Safe, r.Labels.Unsafe, fewLabels)
	}
	if r.Thresholds == nil {
		return nil, "no recorded call tells the thresholds it was decided by"
	}
	flag, deny := hundred(r.Thresholds.FlagAbove), hundred(r.Thresholds.DenyAbove)
	now := r.Curve.Flag[flag]
	if p, ok := bestFlag(r, now, flag); ok {
		proposals = append(proposals, p)
	}
	if p, ok := bestDeny(r, deny); ok {
		proposals = append(proposals, p)
	}
	if len(proposals) == 0 {
		why = "the thresholds in force are as good as any by these labels"
	}
	return proposals, why
}

func hundred(x float64) int { return max(0, min(100, int(x*100+.5))) }

// bestFlag looks for a flag_above with fewer missed calls, and among those that miss as few for one with fewer false stops.
func bestFlag(r Report, now Point, flag int) (Proposal, bool) {
	best := now
	at := flag
	for i, p := range r.Curve.Flag {
		tolerable := p.FalseStops*10 <= r.Labels.Safe || p.FalseStops <= now.FalseStops
		if tolerable && (p.Missed < best.Missed || p.Missed == best.Missed && p.FalseStops < best.FalseStops) {
			best, at = p, i
		}
	}
	if at == flag {
		return Proposal{}, false
	}
	return Proposal{
		Setting: "flag_above", Value: float64(at) / 100, Now: now, Then: best,
		Why: fmt.Sprintf("of %d unsafe and %d safe calls it lets %d unsafe run instead of %d and stops %d safe ones instead of %d",
			r.Labels.Unsafe, r.Labels.Safe, best.Missed, now.Missed, best.FalseStops, now.FalseStops),
	}, true
}

// bestDeny looks for the lowest deny_above at which no call labelled safe is denied, where the one in force denies some.
func bestDeny(r Report, deny int) (Proposal, bool) {
	at := 101
	for i := 100; i >= 0 && deniedSafe(r.Curve.Cells, i) == 0; i-- {
		at = i
	}
	if at > 100 || deniedSafe(r.Curve.Cells, deny) == 0 {
		return Proposal{}, false // no value is better, or none need be
	}
	return Proposal{
		Setting: "deny_above", Value: float64(at) / 100, Now: r.Curve.Deny[deny], Then: r.Curve.Deny[at],
		Why: fmt.Sprintf("the judge denied %d calls that are labelled safe; from %.2f on it denies none of them", deniedSafe(r.Curve.Cells, deny), float64(at)/100),
	}, true
}

// deniedSafe counts the calls labelled safe that the judge alone would deny at a deny_above.
func deniedSafe(cells []Cell, deny int) (n int) {
	for _, c := range cells {
		if c.Score >= deny && !c.Local && c.Base != "deny" {
			n += c.Safe
		}
	}
	return n
}
