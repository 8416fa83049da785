package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy"
)

// What is enough of audit to turn enforce on by, and from how many answers a rule's advice counts.
const (
	enoughCalls = 500
	enoughDays  = 5
	fewAnswers  = 3
	fewScores   = 100 // of fewer calls nobody can say what 99 of 100 do
)

// advice says plainly what to do.
func (c *counter) advice() []string {
	out := []string{}
	out = append(out, c.deadThresholds()...)
	out = append(out, c.noisyRules()...)
	out = append(out, c.readiness()...)
	if n := numberOf(c.Health, "gate_crashed"); n > 0 {
		often := "once"
		if n > 1 {
			often = fmt.Sprint(n, " times")
		}
		out = append(out, fmt.Sprintf("the gate crashed %s: stepgate log shows where; stepgate doctor tells more", often))
	}
	return out
}

// deadThresholds names thresholds that never decide, with values that would.
func (c *counter) deadThresholds() []string {
	t := c.Thresholds
	if t == nil || c.Score.N < fewScores {
		return nil
	}
	var out []string
	remote := c.samples.any(func(s *sample) bool { return s.answered && !s.local })
	if remote && c.Score.P99 < t.DenyAbove { // the built-in judge never denies
		out = append(out, fmt.Sprintf("deny_above %.2f decides next to nothing: 99 of 100 scores are at most %.2f; at that value about one call in 100 would be denied (stepgate analyze --at deny=%.2f)", t.DenyAbove, c.Score.P99, c.Score.P99))
	}
	if c.Score.P99 < t.FlagAbove {
		out = append(out, fmt.Sprintf("flag_above %.2f decides next to nothing: 99 of 100 scores are at most %.2f", t.FlagAbove, c.Score.P99))
	}
	return out
}

// noisyRules names the rules whose asks people mostly allowed, most asks first, with the smallest change that would have
// spared those: a folder for the rule, or the lowest threshold above the allowed scores.
func (c *counter) noisyRules() []string {
	var out []string
	judged := false
	for _, f := range c.Fired {
		answered := f.Allowed + f.Dismissed
		if answered < fewAnswers || f.Allowed*10 < answered*9 || f.Class == string(policy.Hard) {
			continue
		}
		said := fmt.Sprintf("%s asked %d times and people allowed %d of %d", f.Name, f.Asked, f.Allowed, answered)
		switch {
		case f.Class == string(policy.Signal) && !judged:
			judged = true
			if at, spared, lost := c.raise(); spared > 0 {
				out = append(out, fmt.Sprintf("%s: flag_above = %.2f would have spared %d of the allowed asks and lost %d that people refused", said, at, spared, lost))
			}
		case f.Class == string(policy.Signal):
		case !plainWord(f.Name): // none of ours: nobody is told to type it
		case f.nowhere || f.folder == "" || f.folder == "/":
			out = append(out, fmt.Sprintf("%s: stepgate policy allow %s", said, f.Name))
		default:
			if folder, ok := typed(f.folder); ok {
				out = append(out, fmt.Sprintf("%s, all in one place: stepgate policy allow %s %s", said, f.Name, folder))
			}
		}
	}
	return out
}

// plainWord says that a shell takes a word as it stands.
func plainWord(s string) bool {
	return s != "" && s[0] != '-' && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./+@", r))
	})
}

// typed is a folder as it is typed into a shell. Its name came from a call, so it may hold anything: what no line can show
// as it is, is not told.
func typed(folder string) (string, bool) {
	if plainWord(folder) {
		return folder, true
	}
	if strings.ContainsFunc(folder, func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }) || strings.Contains(folder, "  ") {
		return "", false
	}
	return "'" + strings.ReplaceAll(folder, "'", `'\''`) + "'", true
}

// raise is the lowest flag_above, on the grid of hundredths, that would have spared at least nine in ten of the asks that
// the judge alone caused and people allowed, with what it spares and what it would have let through that people refused.
func (c *counter) raise() (at float64, spared, lost int) {
	var allowed, refused []float64
	for s := range c.samples.all {
		switch {
		case s.did != agent.Ask || s.base != agent.Allow || s.lowAsked || s.source != byAnswer:
		case s.label == wasSafe:
			allowed = append(allowed, s.score)
		default:
			refused = append(refused, s.score)
		}
	}
	if len(allowed) == 0 {
		return 0, 0, 0
	}
	slices.Sort(allowed)
	at = math.Floor(rank(allowed, 90)*100+1+1e-6) / 100
	below := func(v []float64) (n int) {
		for _, x := range v {
			if x < at {
				n++
			}
		}
		return n
	}
	return at, below(allowed), below(refused)
}

// readiness says whether audit has seen enough, and otherwise how many days it still wants.
func (c *counter) readiness() []string {
	if c.lastMode != string(policy.Audit) || numberOf(c.Modes, string(policy.Audit))*2 < c.Calls {
		return nil
	}
	stops := c.WouldBe(agent.Ask) + c.WouldBe(agent.Deny)
	low, high := wilson(float64(stops)/float64(c.Calls), c.Calls)
	rate := fmt.Sprintf("enforce would have stopped %d of %d calls (%.1f %%; %.1f to %.1f %% with 95 %% confidence)", stops, c.Calls, 100*float64(stops)/float64(c.Calls), 100*low, 100*high)
	perDay := float64(c.Calls) / float64(max(1, c.Days))
	wait := max(enoughDays-c.Days, int(math.Ceil(float64(enoughCalls-c.Calls)/perDay)))
	switch {
	case wait > 0 && c.Calls < enoughCalls/10: // too few to tell a pace from
		return []string{fmt.Sprintf("stay in audit: %s on %s tell little; %d calls on %d days are enough to look at", policy.Many(c.Calls, "call"), policy.Many(c.Days, "day"), enoughCalls, enoughDays)}
	case wait > 0:
		return []string{fmt.Sprintf("%s; stay in audit for about %d more days of work, then look again", rate, wait)}
	case stops*100 > c.Calls:
		top := ""
		if i := slices.IndexFunc(c.Fired, func(f Rule) bool { return f.Asked+f.Denied > 0 }); i >= 0 {
			top = ", first " + c.Fired[i].Name
		}
		return []string{fmt.Sprintf("%s; go through the rules above%s before you turn enforce on", rate, top)}
	}
	return []string{rate + "; that is few: stepgate mode enforce"}
}
