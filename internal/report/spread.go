package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/verifier"
)

// finish turns what was collected into the report's lists.
func (c *counter) finish() {
	for i, to := range [...]*[]Count{&c.Would, &c.Did, &c.Tools, &c.Modes, &c.Agents, &c.Judges, &c.Outcomes, &c.Rules, &c.Health, &c.Failures} {
		*to = counted(c.counts[i])
	}
	for question := range (verifier.Answers{}).YesNo {
		c.Questions = append(c.Questions, spreadOf(question, c.spread[question]))
	}
	c.Score, c.Intent = spreadOf("score", c.spread["score"]), spreadOf("intent", c.spread["intent"])
	for name, v := range c.spread {
		if stage, ok := strings.CutPrefix(name, "ms "); ok {
			c.Stages = append(c.Stages, spreadOf(stage, v))
		}
	}
	slices.SortFunc(c.Stages, func(a, b Spread) int {
		return cmp.Or(cmp.Compare(b.P99, a.P99), strings.Compare(a.Name, b.Name))
	})
	c.Advice = c.advice()
}

// counted sorts by number, then by name.
func counted(m map[string]int) []Count {
	out := []Count{}
	sum := 0
	for name, n := range m {
		out = append(out, Count{Name: name, N: n})
		sum += n
	}
	for i := range out {
		out[i].Share = float64(out[i].N) / float64(sum)
	}
	slices.SortFunc(out, func(a, b Count) int { return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.Name, b.Name)) })
	return out
}

func spreadOf(name string, v []float64) Spread {
	slices.Sort(v)
	return Spread{Name: name, N: len(v), P10: rank(v, 10), P50: rank(v, 50), P90: rank(v, 90), P99: rank(v, 99), Max: rank(v, 100)}
}

// rank is the p-th percentile by nearest rank of sorted numbers; 0 when there are none.
func rank(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	i := int(math.Ceil(p/100*float64(len(sorted)))) - 1
	return sorted[max(0, i)]
}

// advice says which thresholds never decide, and what would.
func (c *counter) advice() []string {
	out := []string{}
	t := c.Thresholds
	if t == nil || c.Score.N == 0 {
		return out
	}
	if c.Score.P99 < t.DenyAbove {
		out = append(out, fmt.Sprintf("deny_above %.2f decides next to nothing: 99 of 100 scores are at most %.2f; at that value about one call in 100 would be denied", t.DenyAbove, c.Score.P99))
	}
	if c.Score.P99 < t.FlagAbove {
		out = append(out, fmt.Sprintf("flag_above %.2f decides next to nothing: 99 of 100 scores are at most %.2f", t.FlagAbove, c.Score.P99))
	}
	if n := c.WouldBe(agent.Ask); n*10 > c.Calls {
		out = append(out, fmt.Sprintf("%d of %d calls would be asked about; look at the rules above before you enforce", n, c.Calls))
	}
	return out
}

// WouldBe counts the calls that enforce would have decided so.
func (r Report) WouldBe(action agent.Action) int { return numberOf(r.Would, action.String()) }

func numberOf(counts []Count, name string) int {
	for _, c := range counts {
		if c.Name == name {
			return c.N
		}
	}
	return 0
}
