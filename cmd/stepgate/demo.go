package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/internal/scenario"
)

type demoCmd struct {
	Keep bool `help:"Keep the folder with the records and say where it is."`
	JSON bool `name:"json" help:"Print the results as JSON."`
}

// Help is printed below the flags.
func (demoCmd) Help() string {
	return `It plays stories of an agent at work in a temporary folder, with the built-in judge, and runs none of their commands.

Examples:
  stepgate demo
  stepgate demo --keep`
}

// Run prints when the folder is gone already: a reader that hangs up, as head does, ends the program on the spot.
func (c demoCmd) Run(a *app) error {
	var text bytes.Buffer
	failed := c.play(a, &text)
	_, err := text.WriteTo(a.out)
	return errors.Join(err, failed)
}

func (c demoCmd) play(a *app, w io.Writer) error {
	dir, err := os.MkdirTemp("", "stepgate-demo-")
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	if !c.Keep {
		defer os.RemoveAll(dir)
	}
	// The gate looks names up as they are on disk, so a temporary folder behind a link is taken by its own name.
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	demo, err := scenario.Demo()
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	var results []scenario.Result
	for _, s := range demo {
		results = append(results, s.Run(a.ctx, dir, a.env))
	}
	if c.JSON {
		err = json.NewEncoder(w).Encode(results)
	} else {
		err = c.show(w, results, dir)
	}
	return errors.Join(err, failed(results))
}

// showScenario prints a story. The temporary folder dir is left out of names: it only makes them long.
func showScenario(w io.Writer, r scenario.Result, dir string) {
	word := "PASS"
	switch {
	case r.Skipped != "":
		word = "SKIP"
	case !r.Pass:
		word = "FAIL"
	}
	fmt.Fprintf(w, "%s  %s\n", word, r.Name)
	fmt.Fprintln(w, wrap(r.Shows, "      "))
	if r.Skipped != "" {
		fmt.Fprintf(w, "      %s\n\n", r.Skipped)
		return
	}
	fmt.Fprintln(w, wrap("The person asked: "+r.Plan, "      "))
	for _, t := range r.Steps {
		fmt.Fprintf(w, "    $ %s\n", t.Command)
		fmt.Fprintf(w, "      %s", said(t.Got))
		if t.Got != t.Want {
			fmt.Fprintf(w, ", but %s was expected", said(t.Want))
		}
		fmt.Fprintln(w)
		for _, text := range [...]string{t.Reason, t.Notice} {
			if text != "" {
				fmt.Fprintln(w, wrap(strings.ReplaceAll(text, dir, "…"), "        "))
			}
		}
	}
	if r.Problem != "" {
		fmt.Fprintln(w, wrap("problem: "+r.Problem, "      "))
	}
	fmt.Fprintln(w)
}

func said(a agent.Action) string {
	if a == agent.Allow {
		return "silence"
	}
	return a.String()
}

// show prints the stories, and at the end what was recorded.
func (c demoCmd) show(w io.Writer, results []scenario.Result, dir string) error {
	passed, skipped, lines := 0, 0, 0
	for _, r := range results {
		showScenario(w, r, dir)
		lines += r.Lines
		switch {
		case r.Skipped != "":
			skipped++
		case r.Pass:
			passed++
		}
	}
	fmt.Fprintf(w, "%d of %d passed", passed, len(results)-skipped)
	if skipped > 0 {
		fmt.Fprintf(w, ", %d skipped", skipped)
	}
	fmt.Fprintf(w, "; the records have %d lines. The last call, shortened:\n", lines)
	record := results[len(results)-1].Record
	var last session.Line
	for l, err := range session.Read(record) {
		if err == nil && l.Kind == session.KindCall {
			last = l
		}
	}
	fmt.Fprintln(w, wrap(fmt.Sprintf("%s %s %s would=%s did=%s findings=%s",
		last.Time.UTC().Format("15:04:05"), last.Tool, last.Input, last.Would, last.Did, rules(last)), "  "))
	if c.Keep {
		_, err := fmt.Fprintln(w, "kept:", record)
		return err
	}
	return nil
}

// rules names the rules that a line's findings come from.
func rules(l session.Line) string {
	var findings []struct {
		Rule string `json:"rule"`
	}
	if json.Unmarshal([]byte(l.Findings.String()), &findings) != nil {
		return "?" // cut short in the record
	}
	var ids []string
	for _, f := range findings {
		ids = append(ids, f.Rule)
	}
	return strings.Join(ids, ",")
}

func failed(results []scenario.Result) error {
	var names []string
	for _, r := range results {
		switch {
		case r.Pass:
		case r.Problem != "":
			names = append(names, r.Name+" ("+r.Problem+")")
		default:
			names = append(names, r.Name)
		}
	}
	if names == nil {
		return nil
	}
	return fmt.Errorf("demo: not as expected: %s", strings.Join(names, "; "))
}
