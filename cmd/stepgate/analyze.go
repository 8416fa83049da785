package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/stepgate/stepgate/internal/report"
	"github.com/stepgate/stepgate/internal/setup"
	"github.com/stepgate/stepgate/redact"
)

type analyzeCmd struct {
	Paths   []string `arg:"" optional:"" name:"path" help:"Record files or folders of them; this project's sessions if not given."`
	Session string   `help:"Only this session." placeholder:"ID"`
	All     bool     `help:"All projects, archived sessions too."`
	At      string   `help:"Decide the recorded calls by other thresholds." placeholder:"deny=.8,flag=.5"`
	JSON    bool     `name:"json" help:"Print the report as JSON."`
}

// Help is printed below the flags.
func (analyzeCmd) Help() string {
	return `Examples:
  stepgate analyze
  stepgate analyze --at deny=.8,flag=.5 --json`
}

func (c analyzeCmd) Run(a *app) error {
	g, err := a.gateHere("claude")
	if err != nil {
		return err
	}
	paths, err := c.files(g)
	if err != nil {
		return err
	}
	at, err := parseAt(c.At, g)
	if err != nil {
		return err
	}
	r, err := report.Read(paths, at)
	if err != nil {
		return err
	}
	if r.Calls == 0 {
		return errors.New("no recorded calls to analyze\n" +
			"hint: stepgate install claude, work for a while, then look again; or name files: stepgate analyze PATH")
	}
	if c.JSON {
		return json.NewEncoder(a.out).Encode(r)
	}
	return showReport(a.out, r, at)
}

// files are the record files to read.
func (c analyzeCmd) files(g *setup.Gate) ([]string, error) {
	switch {
	case len(c.Paths) > 0:
		return walk(c.Paths)
	case c.Session != "":
		return g.Store.Files(c.Session)
	}
	list := g.Store.Sessions
	if !c.All {
		here, err := g.Store.Here(g.Root)
		if err != nil || len(here) == 0 {
			return nil, err
		}
		project := here[0].Project
		all, err := list()
		var files []string
		for _, l := range all {
			if l.Project == project {
				files = append(files, l.Files...)
			}
		}
		return files, err
	}
	all, err := list()
	var files []string
	for _, l := range all {
		files = append(files, l.Files...)
	}
	return files, err
}

// walk gives the files that are named and those in folders that are.
func walk(paths []string) ([]string, error) {
	var files []string
	for _, p := range paths {
		st, err := os.Stat(p)
		if err != nil {
			return nil, err
		}
		if !st.IsDir() {
			files = append(files, p)
			continue
		}
		err = filepath.WalkDir(p, func(f string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && filepath.Ext(f) == ".jsonl" {
				files = append(files, f)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// parseAt reads deny=.8,flag=.5; what is not named stays as configured.
func parseAt(text string, g *setup.Gate) (*report.At, error) {
	if text == "" {
		return nil, nil
	}
	at := &report.At{DenyAbove: g.Policy.DenyAbove, FlagAbove: g.Policy.FlagAbove}
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || v < 0 || v > 1 {
			return nil, &exitError{exitUsage, fmt.Errorf("--at %q: %q is not a number from 0 to 1", text, value)}
		}
		switch name {
		case "deny", "deny_above":
			at.DenyAbove = v
		case "flag", "flag_above":
			at.FlagAbove = v
		default:
			return nil, &exitError{exitUsage, fmt.Errorf("--at %q: %q is not one of deny, flag", text, name)}
		}
	}
	return at, nil
}

func showReport(w io.Writer, r report.Report, at *report.At) error {
	fmt.Fprintf(w, "%d calls in %d files; %d lines, %d of them unreadable\n", r.Calls, r.Files, r.Lines, r.Unparseable)
	for _, t := range []struct {
		title  string
		counts []report.Count
	}{
		{"would have", r.Would}, {"did", r.Did}, {"mode", r.Modes}, {"tool", r.Tools}, {"judge", r.Judges},
		{"asks", r.Outcomes}, {"rules that hit", r.Rules}, {"health", r.Health}, {"failures", r.Failures},
	} {
		if len(t.counts) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s\n", t.title)
		for _, c := range t.counts[:min(len(t.counts), 12)] {
			fmt.Fprintf(w, "  %6d  %5.1f %%  %s\n", c.N, 100*c.Share, clip(c.Name, 58))
		}
		if more := len(t.counts) - 12; more > 0 {
			fmt.Fprintf(w, "          and %d more\n", more)
		}
	}
	fmt.Fprintf(w, "\n%d calls would have been decided otherwise than they were\n", r.Divergent)
	showCalls(w, r.Divergences)
	if r.Score.N > 0 {
		fmt.Fprintf(w, "\n%-22s %6s %6s %6s %6s %6s\n", "judge's answers", "n", "p50", "p90", "p99", "max")
		for _, q := range append(r.Questions, r.Score) {
			fmt.Fprintf(w, "  %-20s %6d %6.2f %6.2f %6.2f %6.2f\n", q.Name, q.N, q.P50, q.P90, q.P99, q.Max)
		}
		fmt.Fprintf(w, "  %-20s %6d p10 %.2f, p50 %.2f of 4\n", "intent", r.Intent.N, r.Intent.P10, r.Intent.P50)
	}
	if r.TokensIn+r.TokensOut > 0 {
		fmt.Fprintf(w, "\ntokens: %d in, %d out\n", r.TokensIn, r.TokensOut)
	}
	if len(r.Stages) > 0 {
		fmt.Fprintf(w, "\n%-22s %6s %6s\n", "milliseconds", "p50", "p99")
		for _, s := range r.Stages {
			fmt.Fprintf(w, "  %-20s %6.0f %6.0f\n", clip(s.Name, 20), s.P50, s.P99)
		}
	}
	if at != nil && r.Changed != nil {
		fmt.Fprintf(w, "\nat deny_above %g and flag_above %g, %d calls are decided otherwise\n", at.DenyAbove, at.FlagAbove, *r.Changed)
		showCalls(w, r.Changes)
	}
	if len(r.Advice) > 0 {
		fmt.Fprintln(w)
		bullets(w, r.Advice)
	}
	return nil
}

func showCalls(w io.Writer, calls []report.Call) {
	for _, c := range calls {
		fmt.Fprintf(w, "  %-5s -> %-5s  %s %s\n", clip(c.Was, 5), clip(c.Is, 5), clip(c.Tool, 40), clip(c.Input, 54))
		if c.Why != "" {
			fmt.Fprintf(w, "                  %s\n", clip(c.Why, 62))
		}
	}
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
