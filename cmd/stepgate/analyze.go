package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/internal/doctor"
	"github.com/stepgate/stepgate/internal/report"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/rulebook"
)

type analyzeCmd struct {
	Paths    []string `arg:"" optional:"" name:"path" help:"Record files or folders of them; this project's sessions if not given."`
	Session  string   `help:"Only this session." placeholder:"ID"`
	All      bool     `help:"All projects, archived sessions too."`
	At       string   `help:"Decide the recorded calls by other thresholds." placeholder:"deny=.8,flag=.5"`
	Config   string   `help:"Decide the recorded calls by the configuration in this file, over the one in force." placeholder:"FILE"`
	Policies string   `help:"Decide the recorded calls by the policies in this file." placeholder:"FILE"`
	Replay   bool     `help:"Decide the recorded calls again by the settings they were decided by; none may change."`
	JSON     bool     `name:"json" help:"Print the report as JSON."`
	HTML     string   `name:"html" help:"Write the report as a page into this file." placeholder:"FILE"`
}

// Help is printed below the flags.
func (analyzeCmd) Help() string {
	return `Examples:
  stepgate analyze
  stepgate analyze --at deny=.8,flag=.5 --json`
}

func (c analyzeCmd) Run(a *app) error {
	paths, err := c.files(a)
	if err != nil {
		return err
	}
	o := report.Options{Timeline: true}
	if o.Again, err = c.again(a); err != nil {
		return err
	}
	p := newProgress(a.err, size(paths), a.env.Now)
	o.Progress = p.set
	r, err := report.Read(paths, o)
	p.done()
	if err != nil {
		return err
	}
	nothing := errors.New("no recorded calls to analyze\n" +
		"hint: stepgate install claude, work for a while, then look again;\n      or name files: stepgate analyze PATH")
	if r.Lines == 0 {
		return nothing
	}
	if len(c.Paths) == 0 && c.Session == "" {
		if err := a.gaps(&r); err != nil {
			return err
		}
	}
	if c.HTML != "" {
		if err := writePage(c.HTML, r); err != nil {
			return err
		}
		fmt.Fprintln(a.err, "the page is in", c.HTML)
	}
	switch {
	case c.JSON:
		if err := json.NewEncoder(a.out).Encode(r); err != nil {
			return err
		}
	case c.HTML == "":
		showReport(newScreen(a.out), r, c)
	}
	if r.Calls == 0 { // there were other lines, which may tell why
		return nothing
	}
	if c.Replay && *r.Changed > 0 {
		return fmt.Errorf("%d recorded calls are decided otherwise by the settings they were decided by; the first are named above", *r.Changed)
	}
	return nil
}

// gaps compares the agents' own logs of this project with the record.
func (a *app) gaps(r *report.Report) error {
	cwd, err := os.Getwd()
	if err != nil {
		return err
	}
	gaps, _ := doctor.Gaps(doctor.Options{Env: a.env, CWD: cwd})
	for _, g := range gaps {
		r.Gaps = append(r.Gaps, report.Gap(g))
	}
	return nil
}

// writePage writes the report as a page.
func writePage(path string, r report.Report) error {
	var b bytes.Buffer
	if err := r.HTML(&b); err != nil {
		return err
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	return nil
}

// size is how many bytes the files hold; one that is gone by now counts nothing.
func size(paths []string) (n int64) {
	for _, p := range paths {
		if st, err := os.Stat(p); err == nil {
			n += st.Size()
		}
	}
	return n
}

// again gives the other settings to decide by, nil when none are asked for. What is not named stays as it was recorded.
func (c analyzeCmd) again(a *app) (*report.Other, error) {
	change, err := parseAt(c.At)
	if err != nil || c.At == "" && !c.Replay && c.Config == "" && c.Policies == "" {
		return nil, err
	}
	other := report.Other{Policy: report.AsRecorded}
	if c.Config != "" {
		if err := c.configured(a, &other); err != nil {
			return nil, err
		}
	}
	if c.Policies != "" {
		b, err := os.ReadFile(c.Policies)
		if err != nil {
			return nil, fmt.Errorf("--policies: %w", err)
		}
		own, warnings, err := rulebook.Read(c.Policies, b)
		if err != nil {
			return nil, fmt.Errorf("--policies: %w", err)
		}
		a.warn(warnings)
		book := rulebook.New(own...)
		other.Book = &book
	}
	base := other.Policy
	other.Policy = func(t session.Thresholds) policy.Options {
		o := base(t)
		for _, set := range change {
			set(&o)
		}
		return o
	}
	return &other, nil
}

// configured takes the settings and policies of a configuration that is only tried.
func (c analyzeCmd) configured(a *app, other *report.Other) error {
	if _, err := os.Stat(c.Config); err != nil {
		return fmt.Errorf("--config: %w", err)
	}
	file, err := filepath.Abs(c.Config)
	if err != nil {
		return err
	}
	g, err := a.gateHere("claude")
	if err != nil {
		return err
	}
	tried, warnings := g.Try(file)
	a.warn(warnings)
	other.Policy = func(session.Thresholds) policy.Options { return tried.Policy }
	other.Book = &tried.Book
	return nil
}

// warn tells what is wrong with settings that are tried.
func (a *app) warn(warnings []string) {
	for _, w := range warnings {
		fmt.Fprintln(a.err, "stepgate:", w)
	}
}

// files are the record files to read.
func (c analyzeCmd) files(a *app) ([]string, error) {
	if len(c.Paths) > 0 {
		return walk(c.Paths)
	}
	sessions, err := a.sessionFiles(c.Session, c.All)
	return slices.Concat(sessions...), err
}

// walk gives the files that are named and those in folders that are, those of one session in the order they were written.
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
	session.Order(files)
	return files, nil
}

// parseAt reads deny=.8,flag=.5 as changes of the settings.
func parseAt(text string) ([]func(*policy.Options), error) {
	if text == "" {
		return nil, nil
	}
	wrong := func(format string, args ...any) error {
		return &exitError{exitUsage, fmt.Errorf("--at %q: "+format, append([]any{text}, args...)...)}
	}
	var out []func(*policy.Options)
	for part := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok {
			return nil, wrong("%q is not NAME=NUMBER, as in deny=.8", part)
		}
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || v < 0 || v > 1 {
			return nil, wrong("%q is not a number from 0 to 1", value)
		}
		switch name {
		case "deny", "deny_above":
			out = append(out, func(o *policy.Options) { o.DenyAbove = v })
		case "flag", "flag_above":
			out = append(out, func(o *policy.Options) { o.FlagAbove = v })
		default:
			return nil, wrong("%q is not one of deny, flag", name)
		}
	}
	return out, nil
}
