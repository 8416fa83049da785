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
	return `A switch is remembered and holds in running sessions from their next call on, but for
those with a switch of their own. It is forgotten when the configured mode changes.

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
	if !c.one() {
		now, _ = modeNow(g, nil) // what sessions without a switch of their own obey
	}
	to, err := wanted(c.Mode, now)
	if err != nil {
		return err
	}
	if err := c.allowed(a, g, r, now, to); err != nil {
		return errors.Join(err, c.record(r, "mode_change_refused", now, to, nil))
	}
	if err := c.apply(a, g, r, now, to); err != nil {
		return err
	}
	fmt.Fprintf(a.out, "mode %s (was %s); sessions obey at their next call\n", to, now)
	if own := ownMode(r); !c.one() && own != "" && own != to {
		fmt.Fprintf(a.out, "session %s keeps its own switch to %s; with --once it is switched, too\n", clip(r.id, 40), own)
	}
	return nil
}

// one says that the switch is for one session.
func (c modeCmd) one() bool { return c.Session != "" || c.Once }

// allowed says whether this mode may be set, here and by whoever asks.
func (c modeCmd) allowed(a *app, g *setup.Gate, r *running, now, to policy.Mode) error {
	if g.Config.Locked("mode") {
		return fmt.Errorf("the mode is locked to %s by %s; nothing was changed", g.Config.Mode, a.managed())
	}
	if c.mayLoosen(g, r, to, now) {
		return a.needPerson("mode " + string(to))
	}
	return nil
}

// ownMode is the switch of a session's own; empty where there is none.
func ownMode(r *running) policy.Mode {
	if r == nil {
		return ""
	}
	return policy.Mode(r.mem.Totals.Mode)
}

// modeNow is the mode in force here and who set it.
func modeNow(g *setup.Gate, r *running) (policy.Mode, string) {
	return g.Config.Now(g.ConfigHome, ownMode(r))
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

// mayLoosen says whether a switch could make the gate less strict somewhere: here, where a switch that is remembered
// holds too, or in a session that has been stricter than this process is told. An agent chooses the environment of its
// commands, so a configured mode from there proves nothing.
func (c modeCmd) mayLoosen(g *setup.Gate, r *running, to, now policy.Mode) bool {
	floor := now.Strictness()
	if r != nil {
		floor = max(floor, policy.Mode(r.mem.Totals.Was).Strictness())
	}
	if c.Session == "" && !c.Once {
		held, _ := g.Config.Now(g.ConfigHome, "")
		floor = max(floor, held.Strictness())
	}
	return to.Strictness() < floor || g.Config.PassingMode()
}

// apply saves the switch first and then notes it in the record, where the project has one.
func (c modeCmd) apply(a *app, g *setup.Gate, r *running, from, to policy.Mode) error {
	if c.one() {
		if r == nil {
			return errors.New("this project has no session to switch\nhint: without --once the switch is remembered")
		}
		return c.record(r, "mode_changed", from, to, func(t *session.Totals) { t.Mode = string(to) })
	}
	if err := g.Config.Remember(g.ConfigHome, to, a.env.Now()); err != nil {
		return fmt.Errorf("the switch could not be saved; nothing was changed: %w", err)
	}
	return c.record(r, "mode_changed", from, to, nil)
}

func (c modeCmd) record(r *running, event string, from, to policy.Mode, change func(*session.Totals)) error {
	if r == nil {
		return nil
	}
	detail := redact.New(redact.Options{}).String(string(from) + " to " + string(to))
	return r.note(session.Line{Kind: session.KindMode, Event: event, Mode: string(to), Detail: detail}, change)
}
