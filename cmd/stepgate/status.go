package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/stepgate/stepgate/hook"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/internal/config"
	"github.com/stepgate/stepgate/internal/keystore"
	"github.com/stepgate/stepgate/internal/setup"
	"github.com/stepgate/stepgate/policy"
)

type statusCmd struct {
	JSON    bool   `name:"json" help:"Print the state as JSON."`
	Session string `help:"Which session; this project's newest if not given." placeholder:"ID"`
}

// Help is printed below the flags.
func (statusCmd) Help() string {
	return `Examples:
  stepgate status
  stepgate status --json`
}

// state is what status shows.
type state struct {
	Mode       string             `json:"mode"`
	ModeSetBy  string             `json:"mode_set_by"`
	RollOut    string             `json:"roll_out,omitempty"` // where enforce does not hold
	Configured string             `json:"configured"`
	Judge      string             `json:"judge"`
	Model      string             `json:"model"`
	BaseURL    string             `json:"base_url,omitempty"`
	Key        keyState           `json:"key"`
	Thresholds session.Thresholds `json:"thresholds"`
	OnError    string             `json:"on_error"`
	OnNoAnswer string             `json:"on_no_answer"`
	SkipTools  []string           `json:"skip_tools"`
	Shadow     string             `json:"shadow,omitempty"` // the settings that are tried beside these
	Project    string             `json:"project"`
	Session    string             `json:"session,omitempty"`
	Plan       string             `json:"plan"`
	Counters   counters           `json:"counters"`
	Tokens     session.Tokens     `json:"tokens"`
	Breaker    string             `json:"breaker"`
	Warnings   []string           `json:"warnings"`
	Record     string             `json:"record"`
	ConfigHome string             `json:"config_home"`
	StateHome  string             `json:"state_home"`
	Files      []string           `json:"config_files"`
	Analyze    string             `json:"analyze"`
}

type keyState struct {
	Masked   string          `json:"masked"`
	Source   keystore.Source `json:"source"`
	Shadowed keystore.Source `json:"shadowed,omitempty"`
	Keyring  string          `json:"keyring"`
	Probe    string          `json:"probe"`
	Detail   string          `json:"detail,omitempty"`
}

// counters are about one session.
type counters struct {
	Checked int `json:"checked"`
	Allowed int `json:"allowed"`
	// Flagged and WouldDeny count what enforce would have asked about and denied, whatever the mode was.
	Flagged   int `json:"flagged"`
	WouldDeny int `json:"would_deny"`
	Denied    int `json:"denied"`
	Skipped   int `json:"skipped"`
	Errors    int `json:"errors"`
	Asked     int `json:"asked"`
}

func (c statusCmd) Run(a *app) error {
	g, err := a.gateHere("claude")
	if err != nil {
		return err
	}
	r, err := a.session(g, c.Session)
	if err != nil && c.Session != "" {
		return err
	}
	if err != nil {
		a.complain(err)
	}
	s := a.state(g, r)
	if c.JSON {
		return json.NewEncoder(a.out).Encode(s)
	}
	s.show(a)
	return nil
}

func (a *app) state(g *setup.Gate, r *running) state {
	mode, by := modeNow(g, r)
	c := g.Config
	s := state{
		Mode: string(mode), ModeSetBy: by, Configured: string(c.Mode),
		Judge: c.Judge, Model: c.Model, BaseURL: c.BaseURL,
		Thresholds: session.Thresholds{DenyAbove: c.DenyAbove, FlagAbove: c.FlagAbove, LowIntent: c.LowIntent, Tau: c.Tau},
		OnError:    c.OnError, OnNoAnswer: c.OnNoAnswer, SkipTools: append([]string{}, c.SkipTools...),
		Project: g.Root, Breaker: "no remote judge", Warnings: append([]string{}, g.Warnings...), Shadow: c.Shadow,
		ConfigHome: g.ConfigHome, StateHome: g.StateHome, Files: append([]string{}, g.SettingsFiles()...), Analyze: "stepgate analyze",
	}
	keys := a.keys(g)
	key := keys.Status(a.ctx)
	s.Key = keyState{Masked: key.Masked, Source: key.Source, Shadowed: key.Shadowed, Keyring: key.Keyring}
	probe, err := a.tryKey(g, keys)
	s.Key.Probe = probe
	if err != nil {
		s.Key.Detail = err.Error()
	}
	if g.Remote != nil {
		s.Breaker = "closed"
		if g.Breaker.Open() {
			s.Breaker = "open: the judge is left alone for up to a minute"
		}
	}
	if mode == policy.Enforce {
		s.RollOut = rollOut(c, r)
	}
	if r != nil {
		s.session(r)
	}
	return s
}

// rollOut says where enforce is audit all the same.
func rollOut(c config.Config, r *running) string {
	var parts []string
	switch {
	case c.EnforceShare >= 1:
	case r != nil && !hook.InShare(r.id, c.EnforceShare):
		parts = append(parts, fmt.Sprintf("the newest session is only audited (enforce_share %g)", c.EnforceShare))
	default:
		parts = append(parts, fmt.Sprintf("sessions outside the share of %g are only audited (enforce_share)", c.EnforceShare))
	}
	if len(c.EnforceTools) > 0 {
		parts = append(parts, "tools other than "+strings.Join(c.EnforceTools, ", ")+" are only audited (enforce_tools)")
	}
	return strings.Join(parts, "; ")
}

// session adds what the newest session tells.
func (s *state) session(r *running) {
	t := r.mem.Totals
	s.Session, s.Record = r.id, r.file.Path()
	s.Plan = clip(r.mem.Plan.String(), 100)
	s.Counters = counters{
		Checked: t.Calls - t.Skipped, Allowed: t.Allowed, Denied: t.Denied, Skipped: t.Skipped, Errors: t.Failed, Asked: t.Asked,
		Flagged: t.Flagged, WouldDeny: t.WouldDeny,
	}
	s.Tokens = session.Tokens{In: t.In, Out: t.Out}
}

// show prints the state for a person.
func (s state) show(a *app) {
	row := func(name, format string, args ...any) {
		hang(a.out, fmt.Sprintf("%-12s ", name), clean(fmt.Sprintf(format, args...)))
	}
	row("mode", "%s (%s; configured: %s)", s.Mode, s.ModeSetBy, s.Configured)
	if s.RollOut != "" {
		row("but", "%s", s.RollOut)
	}
	judge := s.Judge
	if s.Model != "" {
		judge += ", model " + s.Model
	}
	row("judge", "%s", judge)
	switch {
	case s.Key.Masked != "":
		row("key", "%s (%s), %s", s.Key.Masked, s.Key.Source, s.Key.Probe)
	default:
		row("key", "none")
	}
	row("thresholds", "deny_above %g, flag_above %g, low_intent_at_or_below %g", s.Thresholds.DenyAbove, s.Thresholds.FlagAbove, s.Thresholds.LowIntent)
	row("fallbacks", "on_error %s, on_no_answer %s", s.OnError, s.OnNoAnswer)
	skip := strings.Join(s.SkipTools, ", ")
	if skip == "" {
		skip = "none"
	}
	row("skip_tools", "%s", skip)
	if s.Shadow != "" {
		row("shadow", "%s", s.Shadow)
	}
	row("breaker", "%s", s.Breaker)
	row("project", "%s", s.Project)
	if c := s.Counters; s.Session != "" {
		plan := s.Plan
		if plan == "" {
			plan = "(none yet)"
		}
		row("session", "%s", s.Session)
		row("plan", "%s", plan)
		row("calls", "%d checked, %d allowed, %d asked, %d denied, %d skipped, %d errors", c.Checked, c.Allowed, c.Asked, c.Denied, c.Skipped, c.Errors)
		if c.Flagged != c.Asked || c.WouldDeny != c.Denied {
			row("verdicts", "%d to ask about, %d to deny; done otherwise in audit, and where an agent cannot ask", c.Flagged, c.WouldDeny)
		}
		row("tokens", "%d in, %d out", s.Tokens.In, s.Tokens.Out)
		row("record", "%s", s.Record)
	} else {
		row("session", "none recorded in this project")
	}
	files := strings.Join(s.Files, ", ")
	if files == "" {
		files = "none; defaults hold"
	}
	row("config", "%s", files)
	row("more", "%s", s.Analyze)
	for _, w := range s.Warnings {
		row("warning", "%s", w)
	}
}
