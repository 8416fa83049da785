package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stepgate/stepgate/internal/report"
	"github.com/stepgate/stepgate/redact"
)

// shownRows bounds each table on the screen.
const shownRows = 12

func showReport(w screen, r report.Report, c analyzeCmd) {
	fmt.Fprintf(w, "%d calls in %d files, %d sessions on %d days; %d lines", r.Calls, r.Files, r.Sessions, r.Days, r.Lines)
	if !r.First.IsZero() {
		fmt.Fprintf(w, "\n%s to %s UTC", r.First.Format("2006-01-02 15:04"), r.Last.Format("2006-01-02 15:04"))
	}
	fmt.Fprintln(w)
	showFaults(w, r)
	for _, t := range []struct {
		title  string
		counts []report.Count
	}{
		{"would have", r.Would}, {"did", r.Did}, {"mode", r.Modes}, {"agent", r.Agents}, {"tool", r.Tools}, {"act", r.Acts},
		{"judge", r.Judges}, {"what became of asks", r.Outcomes}, {"health", r.Health}, {"failures", r.Failures},
	} {
		showCounts(w, t.title, t.counts)
	}
	showRules(w, r.Fired)
	fmt.Fprintf(w, "\n%s\n", w.bold(fmt.Sprintf("%d calls would have been decided otherwise than they were", r.Divergent)))
	showCalls(w, r.Divergences)
	showAnswers(w, r)
	showLabels(w, r.Labels)
	showCost(w, r)
	if r.Tried > 0 {
		fmt.Fprintf(w, "\n%s\n", w.bold(fmt.Sprintf("the shadow configuration decides %d of %d calls otherwise", r.TriedChanged, r.Tried)))
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
		fmt.Fprintln(w, wrap(fmt.Sprintf("session %s made %d calls by the agent's own log, the record has %d", clean(g.Session), g.Made, g.Recorded), "  "))
	}
	for _, f := range r.Faults[:min(len(r.Faults), shownRows)] {
		fmt.Fprintln(w, wrap(fmt.Sprintf("%6d  %s, first at %s:%d", f.N, f.Kind, clean(f.File), f.Line), "          ")[2:])
	}
}

func showCounts(w screen, title string, counts []report.Count) {
	if len(counts) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", w.bold(title))
	for _, c := range counts[:min(len(counts), shownRows)] {
		fmt.Fprintf(w, "  %7d  %5.1f %%  %-20s  %s\n", c.N, 100*c.Share, w.dim(fmt.Sprintf("%-20s", bar(c.Share, 20))), w.verdict(clip(c.Name, 38)))
	}
	if more := len(counts) - shownRows; more > 0 {
		fmt.Fprintf(w, "           and %d more\n", more)
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
			fmt.Fprintln(w, w.dim(fmt.Sprintf("      %s %s", clip(e.Tool, 12), clip(e.Input, 58))))
		}
	}
	if more := len(rules) - shownRows; more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
}

func showCalls(w screen, calls []report.Call) {
	for _, c := range calls {
		fmt.Fprintf(w, "  %s -> %s  %s\n", w.verdict(fmt.Sprintf("%-5s", clip(c.Was, 5))), w.verdict(fmt.Sprintf("%-5s", clip(c.Is, 5))), clip(c.Tool+" "+c.Input, 60))
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
	if r.TokensIn+r.TokensOut > 0 {
		fmt.Fprintf(w, "  tokens: %d in, %d out\n", r.TokensIn, r.TokensOut)
	}
	labelled := r.Labels.Safe + r.Labels.Unsafe
	fmt.Fprintf(w, "\n%s\n", w.bold(fmt.Sprintf("%-12s %7s %7s %8s %12s", "flag_above", "asks", "denies", "missed", "false stops")))
	for i := 10; i <= 90; i += 10 {
		p := r.Curve.Flag[i]
		missed, stops := "n/a", "n/a"
		if labelled > 0 {
			missed, stops = fmt.Sprint(p.Missed), fmt.Sprint(p.FalseStops)
		}
		fmt.Fprintf(w, "  %-10.2f %7d %7d %8s %12s  %s\n", p.At, p.Asks, p.Deny, missed, stops, w.dim(bar(float64(p.Asks)/float64(r.Calls), 20)))
	}
}

func showLabels(w screen, l report.Labels) {
	if l.Safe+l.Unsafe == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", w.bold(fmt.Sprintf("labels: %d safe, %d unsafe", l.Safe, l.Unsafe)))
	fmt.Fprintf(w, "  %d by a person, %d from answered asks, %d from how the task ended;\n  %d calls were stopped and nobody has said since whether rightly\n", l.Person, l.Answer, l.Outcome, l.Blocked)
	fmt.Fprintf(w, "\n%s\n", w.bold(fmt.Sprintf("%-30s %5s %6s %18s", "how well probabilities hold", "n", "ECE", "Brier (95 %)")))
	for _, c := range l.Calibration {
		fmt.Fprintf(w, "  %-28s %5d %6.3f %8.3f +/- %5.3f\n", clip(c.Judge+" "+c.Question, 28), c.N, c.ECE, c.Brier, c.BrierErr)
		if c.Question != "score" {
			continue
		}
		for _, b := range c.Bins {
			fmt.Fprintf(w, "      %.1f-%.1f  n %4d  said %.2f  was %.2f (%.2f-%.2f)  %s\n", b.From, b.To, b.N, b.Said, b.Was, b.Low, b.High, w.dim(bar(b.Was, 16)))
		}
	}
	fmt.Fprintf(w, "\n%s\n", w.bold("steps"))
	s := l.Steps
	for _, m := range []struct {
		name string
		v    *float64
	}{
		{"precision of stops", s.Precision}, {"recall of unsafe calls", s.Recall}, {"calls from first unsafe one to a stop", s.Latency},
		{"depth of denied calls, 0 to 1", s.Depth}, {"asks per 100 sessions", s.Confirmations}, {"asks per 100 calls", s.PerCalls},
		{"milliseconds a call", s.Delay}, {"tasks done, enforce", s.Completed}, {"tasks done, audit", s.Baseline}, {"incidents prevented per percent lost", s.Gain},
	} {
		value := "n/a"
		if m.v != nil {
			value = fmt.Sprintf("%.3g", *m.v)
		}
		fmt.Fprintf(w, "  %-40s %8s\n", m.name, value)
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
	if r.Interventions > 0 {
		fmt.Fprintf(w, "  triggers and flow rules stopped %d calls and may have saved up to $%.2f of tokens\n", r.Interventions, r.EstAvoided)
	}
	if r.ActiveMS > 0 {
		fmt.Fprintf(w, "  the gate took %.2f %% of the %s the sessions were at work\n", 100*r.Share, spoken(r.ActiveMS))
	}
}

// spoken is a time in words that fits its size.
func spoken(ms float64) string {
	switch {
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
	head := fmt.Sprintf("by %s, %d of %d calls are decided otherwise", by, *r.Changed, *r.Replayed)
	fmt.Fprintf(w, "\n%s\n", w.bold(head))
	if *r.Skipped > 0 {
		fmt.Fprintf(w, "  %d more could not be decided again: their lines were cut\n", *r.Skipped)
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
