package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/internal/config"
	"github.com/stepgate/stepgate/internal/setup"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/redact"
)

type modeCmd struct {
	Mode    string `arg:"" optional:"" help:"audit, enforce, off or toggle; shows the mode if not given."`
	Session string `help:"Switch this session alone." placeholder:"ID"`
	Once    bool   `help:"Switch the newest session of this project alone; nothing is remembered."`
	JSON    bool   `name:"json" help:"Print the mode as JSON."`
}

// Help is printed below the flags.
func (modeCmd) Help() string {
	return `A switch is remembered and holds in running sessions from their next call on. It is
forgotten when the configured mode changes.

Examples:
  stepgate mode enforce
  stepgate mode audit --once`
}

func (c modeCmd) Run(a *app) error {
	g, err := a.gateHere("claude")
	if err != nil {
		return err
	}
	r, err := a.session(g, c.Session)
	if err != nil {
		return err
	}
	now, by := modeNow(g, r)
	if c.Mode == "" {
		return c.show(a, now, by)
	}
	to, err := wanted(c.Mode, now)
	if err != nil {
		return err
	}
	if g.Config.Locked("mode") {
		refused := fmt.Errorf("the mode is locked to %s by %s; nothing was changed", g.Config.Mode, config.ManagedFile)
		return errors.Join(refused, c.record(r, "mode_change_refused", now, to, nil))
	}
	if rank(to) < rank(now) {
		if err := a.needPerson("mode " + string(to)); err != nil {
			return errors.Join(err, c.record(r, "mode_change_refused", now, to, nil))
		}
	}
	if err := c.apply(a, g, r, now, to); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.out, "mode %s (was %s); sessions obey at their next call\n", to, now)
	return err
}

// modeNow is the mode in force here and who set it.
func modeNow(g *setup.Gate, r *running) (policy.Mode, string) {
	own := policy.Mode("")
	if r != nil {
		own = policy.Mode(r.mem.Totals.Mode)
	}
	return g.Config.Now(g.ConfigHome, own)
}

func (c modeCmd) show(a *app, now policy.Mode, by string) error {
	if c.JSON {
		return json.NewEncoder(a.out).Encode(map[string]string{"mode": string(now), "set_by": by})
	}
	_, err := fmt.Fprintf(a.out, "%s (%s)\n", now, by)
	return err
}

// wanted reads the word that was given.
func wanted(word string, now policy.Mode) (policy.Mode, error) {
	if strings.EqualFold(word, "toggle") {
		if now == policy.Audit {
			return policy.Enforce, nil
		}
		return policy.Audit, nil
	}
	to, ok := config.ParseMode(word)
	if !ok {
		return "", &exitError{exitUsage, fmt.Errorf("mode %q is not one of audit, enforce, off, toggle; nothing was changed", word)}
	}
	return to, nil
}

func rank(m policy.Mode) int {
	switch m {
	case policy.Enforce:
		return 2
	case policy.Audit:
		return 1
	}
	return 0
}

// apply saves the switch first and then notes it in the record, where the project has one.
func (c modeCmd) apply(a *app, g *setup.Gate, r *running, from, to policy.Mode) error {
	if c.Session != "" || c.Once {
		if r == nil {
			return errors.New("this project has no session to switch\nhint: without --once the switch is remembered")
		}
		return c.record(r, "mode_changed", from, to, func(t *session.Totals) { t.Mode = string(to) })
	}
	if err := config.Remember(g.ConfigHome, to, g.Config.Mode, a.env.Now()); err != nil {
		return fmt.Errorf("the switch could not be saved; nothing was changed: %w", err)
	}
	// The newest word counts, so a switch of the session's own falls.
	return c.record(r, "mode_changed", from, to, func(t *session.Totals) { t.Mode = "" })
}

func (c modeCmd) record(r *running, event string, from, to policy.Mode, change func(*session.Totals)) error {
	if r == nil {
		return nil
	}
	detail := redact.New(redact.Options{}).String(string(from) + " to " + string(to))
	return r.note(session.Line{Kind: session.KindMode, Event: event, Mode: string(to), Detail: detail}, change)
}
