package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/stepgate/stepgate/internal/report"
	"github.com/stepgate/stepgate/policy"
)

type exportCmd struct {
	Session  string `help:"Only this session; all of this project if not given." placeholder:"ID"`
	All      bool   `help:"All projects, archived sessions too."`
	OTLP     string `name:"otlp" help:"Send OpenTelemetry logs to this address instead." placeholder:"ENDPOINT"`
	Insecure bool   `help:"With --otlp: allow plain http to another machine."`
	JSON     bool   `name:"json" help:"With --otlp: print what was sent as JSON."`
}

// Help is printed below the flags.
func (exportCmd) Help() string {
	return `It prints a sample a call, one JSON object a line: the names of the arguments and never their values, what
the rules and the judge said, the decision, and the label where there is one.

With --otlp it sends what was recorded since the last time, without the input of any call, to an OpenTelemetry
collector. Keys for it go into OTEL_EXPORTER_OTLP_HEADERS.

Examples:
  stepgate export > samples.jsonl
  stepgate export --all --otlp http://127.0.0.1:4318`
}

func (c exportCmd) Run(a *app) error {
	if c.OTLP == "" && (c.Insecure || c.JSON) {
		return &exitError{exitUsage, errors.New("--insecure and --json belong to --otlp")}
	}
	if c.OTLP != "" {
		if err := a.needPerson("export --otlp"); err != nil { // it sends something out
			return err
		}
	}
	sessions, err := a.sessionFiles(c.Session, c.All)
	if err != nil {
		return err
	}
	if len(sessions) == 0 {
		return errors.New("no recorded sessions to export\nhint: stepgate install claude, work for a while, then look again")
	}
	if c.OTLP != "" {
		return c.ship(a, slices.Concat(sessions...))
	}
	out := bufio.NewWriter(a.out)
	for _, files := range sessions {
		unreadable, err := report.Export(out, files)
		if err != nil {
			return err
		}
		if unreadable > 0 {
			fmt.Fprintf(a.err, "stepgate: %s of %s cannot be read\n", policy.Many(unreadable, "line"), files[0])
		}
	}
	return out.Flush()
}

// ship has stepgate-otlp send what the files hold that was not sent yet. Its output is ours.
func (c exportCmd) ship(a *app, files []string) error {
	g, err := a.gateHere("claude")
	if err != nil {
		return err
	}
	program := filepath.Join(filepath.Dir(a.env.Program), "stepgate-otlp"+filepath.Ext(a.env.Program))
	if _, err := os.Stat(program); err != nil {
		return fmt.Errorf("stepgate-otlp is not beside stepgate: %w\nhint: go install ./cmd/... puts all programs into one folder", err)
	}
	args := []string{"--state", g.Store.Dir}
	for _, flag := range []struct {
		name string
		on   bool
	}{{"--all", c.All && c.Session == ""}, {"--insecure", c.Insecure}, {"--json", c.JSON}} {
		if flag.on {
			args = append(args, flag.name)
		}
	}
	cmd := exec.CommandContext(a.ctx, program, append(args, "--", c.OTLP)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(strings.Join(files, "\x00")), a.out, a.err
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it keeps how far it got
	cmd.WaitDelay = 5 * time.Second
	err = cmd.Run()
	var ended *exec.ExitError
	if errors.As(err, &ended) && ended.Exited() {
		return &exitError{ended.ExitCode(), nil} // it said why
	}
	return err
}

// sessionFiles gives the files of each session, oldest first: of one, of this project's, or of all.
func (a *app) sessionFiles(id string, all bool) ([][]string, error) {
	g, err := a.gateHere("claude")
	if err != nil {
		return nil, err
	}
	if id != "" {
		files, err := g.Store.Files(id)
		if err == nil && len(files) == 0 {
			err = fmt.Errorf("no session %q\nhint: stepgate log list names them", clip(id, 40))
		}
		return [][]string{files}, err
	}
	listed, err := g.Store.Sessions()
	if err != nil {
		return nil, err
	}
	project := ""
	if !all {
		here, err := g.Store.Here(g.Root)
		if err != nil || len(here) == 0 {
			return nil, err
		}
		project = here[0].Project
	}
	var out [][]string
	for _, l := range listed {
		if project == "" || l.Project == project {
			out = append(out, l.Files)
		}
	}
	return out, nil
}
