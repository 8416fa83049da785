package report

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// finish turns what was collected into the report's lists.
func (c *counter) finish() {
	for i, to := range [...]*[]Count{
		would: &c.Would, did: &c.Did, tools: &c.Tools, acts: &c.Acts, modes: &c.Modes, agents: &c.Agents, judges: &c.Judges, outcomes: &c.Outcomes,
		ruleHits: &c.Rules, health: &c.Health, failures: &c.Failures,
	} {
		*to = counted(c.counts[i])
	}
	c.Sessions, c.Days = len(c.runs), len(c.days)
	for i, name := range questions[:intent] {
		c.Questions = append(c.Questions, c.samples.spreadOf(name, func(s *sample) float64 { return s.answers[i] }))
	}
	c.Score = c.samples.spreadOf("score", func(s *sample) float64 { return s.score })
	c.Intent = c.samples.spreadOf("intent", func(s *sample) float64 { return s.answers[intent] })
	c.Stages, c.Gate = []Spread{}, spreadOfCounts("gate", c.gate)
	for name, m := range c.stages {
		c.Stages = append(c.Stages, spreadOfCounts(name, m))
	}
	slices.SortFunc(c.Stages, func(a, b Spread) int {
		return cmp.Or(cmp.Compare(b.P99, a.P99), strings.Compare(a.Name, b.Name))
	})
	for _, r := range c.runs {
		c.ActiveMS += float64(r.active.Milliseconds())
		c.settle(r)
	}
	if c.ActiveMS > 0 {
		c.Share = c.GateMS / c.ActiveMS
	}
	c.Faults = []Fault{}
	for _, f := range c.faults {
		c.Faults = append(c.Faults, *f)
	}
	slices.SortFunc(c.Faults, func(a, b Fault) int { return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.Kind, b.Kind)) })
	c.Fired = []Rule{}
	for _, f := range c.fired {
		c.Fired = append(c.Fired, *f)
	}
	slices.SortFunc(c.Fired, func(a, b Rule) int {
		return cmp.Or(cmp.Compare(b.Asked+b.Denied, a.Asked+a.Denied), cmp.Compare(b.Hits, a.Hits), strings.Compare(a.Name, b.Name))
	})
	c.Curve = c.curve()
	c.Labels = c.labels()
	c.Gaps = []Gap{}
	c.modes()
	c.JudgeCosts = c.judgeCosts()
	for _, list := range [...]*[]Call{&c.Divergences, &c.TriedChanges} {
		if *list == nil {
			*list = []Call{}
		}
	}
	c.Advice = c.advice()
}

// counted sorts by number, then by name.
func counted(m map[string]*int) []Count {
	out := []Count{}
	sum := 0
	for name, n := range m {
		out = append(out, Count{Name: name, N: *n})
		sum += *n
	}
	for i := range out {
		out[i].Share = float64(out[i].N) / float64(sum)
	}
	slices.SortFunc(out, func(a, b Count) int { return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.Name, b.Name)) })
	return out
}

// rank is the p-th percentile by nearest rank of sorted numbers; 0 when there are none.
func rank(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[rankIndex(len(sorted), p)]
}

// rankIndex is the index of the p-th percentile by nearest rank among n sorted numbers.
func rankIndex(n int, p float64) int { return max(0, int(math.Ceil(p/100*float64(n)))-1) }
