package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/stepgate/stepgate/internal/keystore"
	"github.com/stepgate/stepgate/internal/version"
	"github.com/stepgate/stepgate/verifier/judge"
)

// judgeUsage is the help of judge.
const judgeUsage = `Usage: stepgate judge [flags]

Ask the remote judge about one request: JSON on standard input, JSON on standard
output. The hook starts this; people use --probe and --list-models.

Flags:
  --judge=NAME        jev, openai or scorer (jev)
  --model=NAME        the judge's model; empty is its own default
  --base-url=URL      address of the judge's server; empty is its own default,
                      with --probe and --list-models the configured one
  --deadline-ms=N     milliseconds for everything (5000)
  --probe             only try the key against the server
  --list-models       only list the models the server offers

Examples:
  stepgate judge --probe
  stepgate judge --list-models
`

// judgeCmd is read by the standard library's flags: the hook waits for this command, and the table of the whole command
// line costs a tenth of the wait.
type judgeCmd struct {
	judge, model, baseURL string
	deadlineMS            int
	probe, listModels     bool
}

// judgeEntry stands for the command in the list of commands.
type judgeEntry struct{}

// judge runs the command and gives its exit code.
func (a *app) judge(args []string) int {
	var c judgeCmd
	f := flag.NewFlagSet("judge", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&c.judge, "judge", "jev", "")
	f.StringVar(&c.model, "model", "", "")
	f.StringVar(&c.baseURL, "base-url", "", "")
	f.IntVar(&c.deadlineMS, "deadline-ms", 5000, "")
	f.BoolVar(&c.probe, "probe", false, "")
	f.BoolVar(&c.listModels, "list-models", false, "")
	err := f.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(a.out, judgeUsage)
		return exitOK
	case err == nil && f.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if err != nil {
		return a.ended(&exitError{exitUsage, fmt.Errorf("judge: %w\nhint: stepgate judge --help", err)})
	}
	return a.ended(c.Run(a))
}

// Run asks the judge.
func (c judgeCmd) Run(a *app) error {
	o := judge.Options{
		Judge: c.judge, Model: c.model, BaseURL: c.baseURL, Version: version.String(),
		Deadline: time.Duration(c.deadlineMS) * time.Millisecond,
		Key: func() (string, error) {
			key, _, err := keystore.Store{Keyring: keystore.System{Getenv: a.env.Getenv}, Getenv: a.env.Getenv}.Key(a.ctx)
			return key, err
		},
	}
	if c.probe || c.listModels {
		return c.models(a, o)
	}
	if code := judge.Serve(a.ctx, a.stdin, a.out, o); code != judge.OK {
		return &exitError{code: code}
	}
	return nil
}

// models asks the server for its models, which also proves the key.
func (c judgeCmd) models(a *app, o judge.Options) error {
	g, err := a.gateHere("claude")
	if err != nil {
		return err
	}
	if err := a.mayTry(g); err != nil {
		return err
	}
	if o.BaseURL == "" { // the key must not go to another server than the one that is configured
		o.BaseURL = cmp.Or(g.Config.BaseURL, g.Env("TYPESAFE_BASE_URL")) // not one that the project's agent settings name
	}
	if o.Judge != "jev" {
		if _, err := judge.New(a.ctx, o); err != nil {
			return err
		}
		return fmt.Errorf("judge %s has no list of models", o.Judge)
	}
	client, err := judge.NewJev(o)
	if err != nil {
		return err
	}
	models, err := client.ListModels(a.ctx)
	if err != nil {
		return err
	}
	if c.probe {
		_, err = fmt.Fprintln(a.out, "accepted")
		return err
	}
	enc := json.NewEncoder(a.out)
	for _, m := range models {
		if err := enc.Encode(m); err != nil {
			return err
		}
	}
	return nil
}
