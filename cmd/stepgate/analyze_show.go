package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/internal/report"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/redact"
)

// shownRows bounds each table on the screen.
const shownRows = 12

func showReport(w screen, r report.Report, c analyzeCmd) {
	fmt.Fprintf(w, "%s in %s, %s on %s; %s\n", policy.Many(r.Calls, "call"), policy.Many(r.Files, "file"), policy.Many(r.Sessions, "session"), policy.Many(r.Days, "day"), policy.Many(r.Lines, "line"))
	if !r.First.IsZero() {
		fmt.Fprintf(w, "%s to %s UTC\n", r.First.Format("2006-01-02 15:04"), r.Last.Format("2006-01-02 15:04"))
	}
	showFaults(w, r)
	showVerdicts(w, r)
	showFacts(w, r)
	showModes(w, r)
	showBeside(w, "tools", r.Tools, "acts", r.Acts)
	showRules(w, r.Fired)
	showDivergences(w, r)
	showAnswers(w, r)
	showLabels(w, r.Labels)
	showCost(w, r)
	if r.Tried > 0 {
		fmt.Fprintf(w, "\n%s\n", w.bold(fmt.Sprintf("the shadow configuration decides %d of %s otherwise", r.TriedChanged, policy.Many(r.Tried, "call"))))
		showCalls(w, r.TriedChanges)
	}
	if r.Changed != nil {
		showAgain(w, r, c)
	}
	if len(r.Advice) > 0 {
		fmt.Fprintf(w, "\n%s\n", w.bold("what to do"))
		bullets(w, r.Advice)
	}
}

func showFaults(w screen, r report.Report) {
	if len(r.Faults)+len(r.Gaps) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", w.bold("the record itself"))
	for _, g := range r.Gaps {
		fmt.Fprintln(w, wrap(fmt.Sprintf("session %s made %s by the agent's own log, the record has %d", clean(g.Session), policy.Many(g.Made, "call"), g.Recorded), "  "))
	}
	for _, f := range r.Faults[:min(len(r.Faults), shownRows)] {
		fmt.Fprintln(w, wrap(fmt.Sprintf("%6d  %s, first at %s:%d", f.N, f.Kind, ending(clean(f.File)), f.Line), "          ")[2:])
	}
}

// ending is a path, or as much of its end as fits a line.
func ending(path string) string {
	const most = columns - len("          ") - len(":1234567")
	if r := []rune(path); len(r) > most {
		return "…" + string(r[len(r)-most+1:])
	}
	return path
}

// showVerdicts shows what enforce would have decided beside what was done.
func showVerdicts(w screen, r report.Report) {
	if r.Calls == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", w.bold(fmt.Sprintf("%-7s %7s %45s", "verdict", "would", "did")))
	for _, a := range [...]agent.Action{agent.Allow, agent.Ask, agent.Deny} {
		would, did := r.WouldBe(a), r.DidBe(a)
		share := float64(would) / float64(r.Calls)
		fmt.Fprintf(w, "  %s  %7d %6.1f %%   %s %7d %6.1f %%\n", w.verdict(fmt.Sprintf("%-5s", a)), would, 100*share,
			w.dim(fmt.Sprintf("%-26s", bar(share, 24))), did, 100*float64(did)/float64(r.Calls))
	}
}

// showFacts shows the short lists, a paragraph each.
func showFacts(w screen, r report.Report) {
	first := true
	for _, f := range []struct {
		title  string
		counts []report.Count
	}{{"mode", r.Modes}, {"agent", r.Agents}, {"judge", r.Judges}, {"asks", r.Outcomes}, {"health", r.Health}, {"failures", r.Failures}} {
		if len(f.counts) == 0 {
			continue
		}
		var parts []string
		for _, c := range f.counts[:min(len(f.counts), shownRows)] {
			parts = append(parts, fmt.Sprintf("%s %d", clip(c.Name, 140), c.N))
		}
		if more := len(f.counts) - shownRows; more > 0 {
			parts = append(parts, fmt.Sprintf("and %d more", more))
		}
		if first {
			first = false
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, w.bold(fmt.Sprintf("%-9s", f.title))+wrap(strings.Join(parts, ", "), "         ")[9:])
	}
}

// showModes tells when the gate was off and when its mode was switched.
func showModes(w screen, r report.Report) {
	const form = "2006-01-02 15:04"
	var off, switched []string
	for _, o := range r.Off {
		off = append(off, fmt.Sprintf("%s to %s UTC, %s in session %s", o.From.Format(form), o.To.Format(form), policy.Many(o.Calls, "call"), clip(o.Session, 40)))
	}
	for _, s := range r.Switches {
		text := s.Time.Format(form) + " " + clip(s.Detail, 40)
		if s.Event != "mode_changed" {
			text += " (refused)"
		}
		switched = append(switched, text)
	}
	for _, f := range []struct {
		title string
		parts []string
	}{{"was off", off}, {"switched", switched}} {
		if n := len(f.parts); n > 0 {
			parts := f.parts[max(0, n-shownRows):]
			hang(w, w.bold(fmt.Sprintf("%-9s", f.title)), strings.Join(parts, "; "))
		}
	}
}

// showDivergences shows the calls that were decided otherwise than enforce does. That an agent which cannot ask refuses
// instead is how its asks look.
func showDivergences(w screen, r report.Report) {
	if r.Calls == 0 {
		return
	}
	head := policy.Many(r.Divergent-r.NotAskable, "call") + " would have been decided otherwise than they were"
	fmt.Fprintf(w, "\n%s\n", w.bold(head))
	if r.NotAskable > 0 {
		fmt.Fprintln(w, wrap(policy.Many(r.NotAskable, "more call")+" would have asked and were refused, as the agent cannot ask (stepgate approve)", "  "))
	}
	showCalls(w, r.Divergences)
}

// showBeside shows two lists side by side.
func showBeside(w screen, left string, l []report.Count, right string, r []report.Count) {
	if len(l)+len(r) == 0 {
		return
	}
	const half = 40
	cell := func(counts []report.Count, i int) string {
		switch {
		case i < min(len(counts), shownRows):
			c := counts[i]
			return fmt.Sprintf("  %-16s %6d %3.0f %% %s", clip(c.Name, 16), c.N, 100*c.Share, w.dim(fmt.Sprintf("%-7s", bar(c.Share, 7))))
		case i == shownRows && len(counts) > shownRows:
			return fmt.Sprintf("  %-*s", half-3, fmt.Sprintf("and %d more", len(counts)-shownRows))
		}
		return strings.Repeat(" ", half-1)
	}
	fmt.Fprintf(w, "\n%s\n", w.bold(fmt.Sprintf("%-*s%s", half, left, right)))
	for i := range min(shownRows+1, max(len(l), len(r))) {
		fmt.Fprintln(w, strings.TrimRight(cell(l, i)+" "+cell(r, i), " "))
	}
}

func showRules(w screen, rules []report.Rule) {
	if len(rules) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", w.bold(fmt.Sprintf("%-28s %7s %7s %7s %8s %8s", "rules that hit", "hits", "asked", "denied", "allowed", "refused")))
	for _, f := range rules[:min(len(rules), shownRows)] {
		fmt.Fprintf(w, "  %-26s %7d %7d %7d %8d %8d\n", clip(f.Name, 26), f.Hits, f.Asked, f.Denied, f.Allowed, f.Dismissed)
		if len(f.Examples) > 0 {
			e := f.Examples[0]
			fmt.Fprintln(w, w.dim(fmt.Sprintf("      %s %s", clip(e.Tool, 12), clip(report.Shown(e.Input), 58))))
		}
	}
	if more := len(rules) - shownRows; more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
	if slices.ContainsFunc(rules, func(f report.Rule) bool { return f.Asked > 0 }) {
		fmt.Fprintln(w, "  their calls: stepgate log --stops; to silence one in one place: stepgate\n  policy allow RULE PATH")
	}
}

func showCalls(w screen, calls []report.Call) {
	for _, c := range calls {
		fmt.Fprintf(w, "  %s -> %s  %s\n", w.verdict(fmt.Sprintf("%-5s", clip(c.Was, 5))), w.verdict(fmt.Sprintf("%-5s", clip(c.Is, 5))), clip(c.Tool+" "+report.Shown(c.Input), 60))
		if c.Why != "" {
			fmt.Fprintf(w, "                  %s\n", clip(c.Why, 62))
		}
	}
}

func showAnswers(w screen, r report.Report) {
	if r.Score.N == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", w.bold(fmt.Sprintf("%-22s %7s %6s %6s %6s %6s", "judge's answers", "n", "p50", "p90", "p99", "max")))
	for _, q := range append(r.Questions, r.Score) {
		fmt.Fprintf(w, "  %-20s %7d %6.2f %6.2f %6.2f %6.2f\n", q.Name, q.N, q.P50, q.P90, q.P99, q.Max)
	}
	fmt.Fprintf(w, "  %-20s %7d p10 %.2f, p50 %.2f of 4\n", "intent", r.Intent.N, r.Intent.P10, r.Intent.P50)
	showCurve(w, "flag_above", r, r.Curve.Flag, func(p report.Point) int { return p.Asks })
	if slices.ContainsFunc(r.Curve.Cells, func(c report.Cell) bool { return c.Score >= 0 && !c.Local }) { // the built-in judge never denies
		showCurve(w, "deny_above", r, r.Curve.Deny, func(p report.Point) int { return p.Deny })
	}
	fmt.Fprintln(w, "  stepgate tune proposes both from labels; stepgate review asks for labels")
}

// showCurve shows what one threshold gives from 0.10 to 0.90, and by a bar what it is for.
func showCurve(w screen, name string, r report.Report, points []report.Point, drawn func(report.Point) int) {
	labelled := r.Labels.Safe + r.Labels.Unsafe
	fmt.Fprintf(w, "\n%s\n", w.bold(fmt.Sprintf("%-12s %7s %7s %8s %12s", name, "asks", "denies", "missed", "false stops")))
	for i := 10; i <= 90; i += 10 {
		p := points[i]
		missed, stops := "n/a", "n/a"
		if labelled > 0 {
			missed, stops = fmt.Sprint(p.Missed), fmt.Sprint(p.FalseStops)
		}
		w.barred(fmt.Sprintf("  %-10.2f %7d %7d %8s %12s", p.At, p.Asks, p.Deny, missed, stops), float64(drawn(p))/float64(r.Calls), 20)
	}
}

func showLabels(w screen, l report.Labels) {
	if l.Safe+l.Unsafe == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", w.bold(fmt.Sprintf("labels: %d safe, %d unsafe", l.Safe, l.Unsafe)))
	fmt.Fprintf(w, "  %d by a person, %d from answered asks, %d from how the task ended;\n  of %s that were stopped nobody has said whether rightly\n", l.Person, l.Answer, l.Outcome, policy.Many(l.Blocked, "call"))
	showCalibration(w, l.Calibration)
	showSteps(w, l.Steps)
}

func showCalibration(w screen, rows []report.Calibration) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", w.bold(fmt.Sprintf("%-30s %5s %6s %18s", "how well probabilities hold", "n", "ECE", "Brier (95 %)")))
	for _, c := range rows {
		fmt.Fprintf(w, "  %-28s %5d %6.3f %8.3f +/- %5.3f\n", clip(c.Judge+" "+c.Question, 28), c.N, c.ECE, c.Brier, c.BrierErr)
		if c.Question != "score" {
			continue
		}
		for _, b := range c.Bins {
			w.barred(fmt.Sprintf("      %.1f-%.1f  n %4d  said %.2f  was %.2f (%.2f-%.2f)", b.From, b.To, b.N, b.Said, b.Was, b.Low, b.High), b.Was, 16)
		}
	}
}

func showSteps(w screen, s report.Steps) {
	fmt.Fprintf(w, "\n%s\n", w.bold("steps"))
	for _, m := range s.Measures() {
		fmt.Fprintf(w, "  %-40s %8s\n", m.Name, m.Value)
	}
}

func showCost(w screen, r report.Report) {
	if len(r.Stages) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", w.bold(fmt.Sprintf("%-22s %7s %8s %8s", "milliseconds", "n", "p50", "p99")))
	for _, s := range append(r.Stages, r.Gate) {
		name := s.Name
		if name == "gate" {
			name = "all of the gate"
		}
		fmt.Fprintf(w, "  %-20s %7d %8.2f %8.2f\n", clip(name, 20), s.N, s.P50, s.P99)
	}
	for _, j := range r.JudgeCosts {
		if j.TokensIn+j.TokensOut > 0 {
			fmt.Fprintln(w, wrap(fmt.Sprintf("%s answered %s, %d from its cache, in %s; it took %d tokens and gave %d", clip(j.Name, 20), policy.Many(j.N, "call"), j.Cached, spoken(j.MS), j.TokensIn, j.TokensOut), "  "))
		}
	}
	if r.Interventions > 0 {
		fmt.Fprintf(w, "  triggers and flow rules stopped %s and may have saved up to\n  $%.2f of tokens\n", policy.Many(r.Interventions, "call"), r.EstAvoided)
	}
	if r.ActiveMS > 0 {
		fmt.Fprintf(w, "  the gate took %.2f %% of the %s the sessions were at work\n", 100*r.Share, spoken(r.ActiveMS))
	}
}

// spoken is a time in words that fits its size.
func spoken(ms float64) string {
	switch {
	case ms < 9_500:
		return fmt.Sprintf("%.1f seconds", ms/1000)
	case ms < 120_000:
		return fmt.Sprintf("%.0f seconds", ms/1000)
	case ms < 7_200_000:
		return fmt.Sprintf("%.0f minutes", ms/60_000)
	}
	return fmt.Sprintf("%.1f hours", ms/3_600_000)
}

func showAgain(w screen, r report.Report, c analyzeCmd) {
	by := "the settings they were decided by"
	if named := slices.DeleteFunc([]string{c.Config, c.Policies, c.At}, func(s string) bool { return s == "" }); len(named) > 0 {
		by = strings.Join(named, " and ")
	}
	head := fmt.Sprintf("by %s, %d of %s are decided otherwise", by, *r.Changed, policy.Many(*r.Replayed, "call"))
	fmt.Fprintf(w, "\n%s\n", w.bold(head))
	if *r.Skipped > 0 {
		fmt.Fprintf(w, "  %s more could not be decided again: their lines were cut\n", policy.Many(*r.Skipped, "call"))
	}
	showCalls(w, r.Changes)
}

// clean makes text from outside one line that is safe to show.
func clean(s string) string { return redact.Verbatim(s).Line().String() }

// clip cleans a text and cuts it to n characters.
func clip(s string, n int) string {
	s = clean(s)
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
