package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/stepgate/stepgate/internal/eval"
	"github.com/stepgate/stepgate/internal/scenario"
)

type evalCmd struct {
	Suite string `help:"What to measure on: ${enum}." enum:"scenarios,stepshield" default:"scenarios"`
	Data  string `help:"The pairs of runs for stepshield, one step a line." placeholder:"FILE"`
	JSON  bool   `name:"json" help:"Print the figures as JSON."`
}

// Help is printed below the flags.
func (evalCmd) Help() string {
	return `It uses the built-in judge and no settings of this machine, and runs no command of what it plays. With scenarios it
ends with status 1 where a wrong step was missed or a right one was spoken up about.

Examples:
  stepgate eval --suite scenarios
  stepgate eval --suite stepshield --data stepshield-dev.jsonl --json`
}

func (c evalCmd) Run(a *app) error {
	if (c.Data != "") != (c.Suite == "stepshield") {
		return &exitError{exitUsage, errors.New("eval: --data FILE goes with --suite stepshield, and with no other")}
	}
	dir, err := os.MkdirTemp("", "stepgate-eval-")
	if err != nil {
		return fmt.Errorf("eval: %w", err)
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.EvalSymlinks(dir); err != nil { // as in demo
		return fmt.Errorf("eval: %w", err)
	}
	if c.Suite == "scenarios" {
		err = c.scenarios(a, dir)
	} else {
		err = c.stepshield(a, dir)
	}
	if err != nil {
		return fmt.Errorf("eval: %w", err)
	}
	return nil
}

func (c evalCmd) scenarios(a *app, dir string) error {
	all, err := scenario.All()
	if err != nil {
		return err
	}
	var results []scenario.Result
	for _, s := range all {
		results = append(results, s.Run(a.ctx, dir, a.env))
	}
	sum := eval.OfScenarios(results)
	if c.JSON {
		err = json.NewEncoder(a.out).Encode(sum)
	} else {
		err = showScenarios(a.out, sum)
	}
	if err == nil && !sum.Pass {
		err = errors.New("not all scenarios went as expected")
	}
	return err
}

func showScenarios(w io.Writer, sum eval.Scenarios) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\tscenario\tkind\tcalls\tfound after\tfalse alarms")
	for _, s := range sum.Results {
		word, kind, until := "PASS", "honest", "-"
		switch {
		case s.Skipped != "":
			word = "SKIP"
		case !s.Pass:
			word = "FAIL"
		}
		if s.Harmful {
			kind = "harmful"
		}
		if s.Detected {
			until = fmt.Sprint(s.Until)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%s\t%d\n", word, s.Name, kind, s.Calls, until, s.FalseAlarms)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, s := range sum.Results {
		if s.Problem != "" {
			fmt.Fprintln(w, wrap(s.Name+": "+s.Problem, ""))
		}
	}
	_, err := fmt.Fprintf(w, "\nfound %d of %d harmful scenarios (%s), after %.1f calls on average;\nfalse alarms on %d of %d calls (%s)\n",
		sum.Detected, sum.Harmful, percent(sum.Detection), sum.Until, sum.FalseAlarms, sum.Quiet, percent(sum.FalseRate))
	return err
}

func (c evalCmd) stepshield(a *app, dir string) error {
	f, err := os.Open(c.Data)
	if err != nil {
		return err
	}
	defer f.Close()
	steps, err := eval.ReadSteps(f)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Data, err)
	}
	home, project := filepath.Join(dir, "home"), filepath.Join(dir, "project")
	for _, d := range [...]string{home, project} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return err
		}
	}
	gate := scenario.Gate(a.env, project, home, nil)
	sum, err := eval.OfStepShield(steps, func(s *eval.Step) bool {
		return a.ctx.Err() == nil && eval.Stops(a.ctx, gate, s, project) // once interrupted, come to the end
	})
	if err = cmp.Or(a.ctx.Err(), err); err != nil {
		return fmt.Errorf("%s: %w", c.Data, err)
	}
	if c.JSON {
		return json.NewEncoder(a.out).Encode(sum)
	}
	return showStepShield(a.out, sum)
}

func showStepShield(w io.Writer, sum eval.StepShield) error {
	whether := func(f eval.Figures) string {
		return percents(f.Recall, f.FPR, f.Precision, f.F1, f.Exact, f.Strict) + fmt.Sprintf("%.2f\t", 100*f.StepFPR)
	}
	when := func(f eval.Figures) string {
		return percents(f.EIR1, f.EIR3, f.EIR5, f.Premature) + fmt.Sprintf("%.2f\t%.1f\t", f.GapMean, f.GapMedian)
	}
	if err := stepShieldTable(w, sum, "recall\tFPR\tprecision\tF1\texact\tstrict\tstep FPR\t", whether); err != nil {
		return err
	}
	fmt.Fprintln(w)
	if err := stepShieldTable(w, sum, "EIR 1\tEIR 3\tEIR 5\tpremature\tgap\tmedian gap\t", when); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nall in percent but the pairs and the gaps, in steps; the parts are of the\njudgeable pairs; %d steps\n", sum.Steps)
	return err
}

// stepShieldTable prints some of the figures of all sets.
func stepShieldTable(w io.Writer, sum eval.StepShield, head string, cells func(eval.Figures) string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(name string, f eval.Figures) { fmt.Fprintf(t, "%s\t%d\t%s\n", name, f.Pairs, cells(f)) }
	fmt.Fprintln(t, "set\tpairs\t"+head)
	row("judgeable", sum.Figures)
	row("all", sum.All)
	for _, part := range [...]map[string]eval.Figures{sum.Categories, sum.Levels} {
		for _, name := range slices.Sorted(maps.Keys(part)) {
			row(name, part[name])
		}
	}
	return t.Flush()
}

// percents are shares as cells of a table.
func percents(shares ...float64) string {
	var b strings.Builder
	for _, s := range shares {
		fmt.Fprintf(&b, "%.1f\t", 100*s)
	}
	return b.String()
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }
