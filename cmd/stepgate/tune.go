package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/stepgate/stepgate/internal/report"
)

type tuneCmd struct {
	Session string `help:"Only this session; all of this project if not given." placeholder:"ID"`
	All     bool   `help:"All projects, archived sessions too."`
	Apply   bool   `help:"Write the proposed thresholds into your configuration."`
	JSON    bool   `name:"json" help:"Print the proposals as JSON."`
}

// Help is printed below the flags.
func (tuneCmd) Help() string {
	return `It proposes thresholds from labelled calls (answered asks, stepgate label, stepgate review) and says which
rules ask for nothing. Nothing is written without --apply.

Examples:
  stepgate tune
  stepgate tune --all --apply`
}

func (c tuneCmd) Run(a *app) error {
	if c.JSON && c.Apply {
		return &exitError{exitUsage, errors.New("tune: --json prints proposals and --apply takes them; give one of the two")}
	}
	sessions, err := a.sessionFiles(c.Session, c.All)
	if err != nil {
		return err
	}
	r, err := report.Read(slices.Concat(sessions...), report.Options{})
	if err != nil {
		return err
	}
	if r.Calls == 0 {
		return errors.New("no recorded calls to tune by\nhint: stepgate install claude, work for a while, then look again")
	}
	proposals, why := report.Tune(r)
	if c.JSON {
		return json.NewEncoder(a.out).Encode(struct {
			Proposals []report.Proposal `json:"proposals"`
			Why       string            `json:"why,omitempty"`
			Advice    []string          `json:"advice"`
		}{append([]report.Proposal{}, proposals...), why, r.Advice})
	}
	w := newScreen(a.out)
	if why != "" {
		fmt.Fprintln(w, wrap(why, ""))
	}
	for _, p := range proposals {
		fmt.Fprintln(w, w.bold(fmt.Sprintf("%s = %.2f", p.Setting, p.Value)))
		fmt.Fprintln(w, wrap(p.Why, "  "))
		fmt.Fprintf(w, "  now: %d asks, %d denies; then: %d asks, %d denies\n", p.Now.Asks, p.Now.Deny, p.Then.Asks, p.Then.Deny)
	}
	if len(r.Advice) > 0 {
		fmt.Fprintln(w)
		bullets(w, r.Advice)
	}
	return c.apply(a, proposals)
}

// apply writes what was proposed, where a person has asked for it.
func (c tuneCmd) apply(a *app, proposals []report.Proposal) error {
	for _, p := range proposals {
		set := configSetCmd{Key: p.Setting, Value: strconv.FormatFloat(p.Value, 'f', 2, 64)}
		if !c.Apply {
			fmt.Fprintf(a.out, "\nto take it: stepgate config set %s %s\n", set.Key, set.Value)
			continue
		}
		if err := set.Run(a); err != nil {
			return err
		}
	}
	return nil
}
