package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/internal/config"
	"github.com/stepgate/stepgate/internal/setup"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/rulebook"
	"github.com/stepgate/stepgate/policy/trigger"
	"github.com/stepgate/stepgate/verifier"
)

type policyAllowCmd struct {
	Rule   string `arg:"" optional:"" help:"The rule or policy, as a refusal names it."`
	Path   string `arg:"" optional:"" help:"The file or folder; the whole project if not given." type:"path"`
	List   bool   `help:"List what is allowed."`
	Remove bool   `help:"Take a permission back."`
	JSON   bool   `name:"json" help:"With --list, print JSON."`
}

// Help is printed below the flags.
func (policyAllowCmd) Help() string {
	return `It silences the rule for calls whose every target lies in the place. Hard rules and the
judge's answers cannot be silenced. What is allowed stands in your config folder.

Examples:
  stepgate policy allow fs.delete-only-copy ./scratch
  stepgate policy allow git.push-force
  stepgate policy allow --list
  stepgate policy allow --remove git.push-force`
}

func (c policyAllowCmd) Run(a *app) error {
	g, err := a.gateHere("claude")
	if err != nil {
		return err
	}
	if g.ConfigHome == "" {
		return config.ErrNoHome
	}
	list, err := rulebook.ReadAllowed(g.ConfigHome)
	if err != nil {
		return err
	}
	switch {
	case c.List:
		return c.show(a, list)
	case c.Rule == "":
		return &exitError{exitUsage, errors.New("policy allow: no rule given\nhint: a refusal names the rule; --list shows what is allowed")}
	}
	if err := a.needPerson("policy allow"); err != nil {
		return err
	}
	if c.Remove {
		return c.remove(a, g, list)
	}
	rule, err := allowable(g, c.Rule)
	if err != nil {
		return err
	}
	entry := c.entry(g, rule)
	entry.Time = a.env.Now().UTC().Truncate(time.Second)
	list = append(slices.DeleteFunc(list, func(o rulebook.Allowed) bool { return sameAllowed(o, entry) }), entry)
	if err := rulebook.WriteAllowed(g.ConfigHome, list); err != nil {
		return err
	}
	fmt.Fprintf(a.out, "allowed: %s\n", entryText(entry))
	return c.note(a, g, "policy_allowed", entry)
}

// entry is what the command line names: a place, or the project the command runs in.
func (c policyAllowCmd) entry(g *setup.Gate, rule string) rulebook.Allowed {
	if c.Path != "" {
		return rulebook.Allowed{Rule: rule, Path: filepath.Clean(c.Path)}
	}
	return rulebook.Allowed{Rule: rule, Root: g.Root}
}

func sameAllowed(x, y rulebook.Allowed) bool {
	return x.Rule == y.Rule && x.Root == y.Root && x.Path == y.Path
}

func (c policyAllowCmd) remove(a *app, g *setup.Gate, list []rulebook.Allowed) error {
	n := len(list)
	entry := c.entry(g, c.Rule)
	list = slices.DeleteFunc(list, func(o rulebook.Allowed) bool {
		return sameAllowed(o, entry) || o.Rule == rulebook.Prefix+c.Rule && o.Root == entry.Root && o.Path == entry.Path
	})
	if len(list) == n {
		return fmt.Errorf("%s is not allowed\nhint: stepgate policy allow --list", entryText(entry))
	}
	if err := rulebook.WriteAllowed(g.ConfigHome, list); err != nil {
		return err
	}
	fmt.Fprintf(a.out, "no longer allowed: %s\n", entryText(entry))
	return c.note(a, g, "policy_disallowed", entry)
}

func (c policyAllowCmd) show(a *app, list []rulebook.Allowed) error {
	if c.JSON {
		return json.NewEncoder(a.out).Encode(map[string]any{"allowed": append([]rulebook.Allowed{}, list...)})
	}
	if len(list) == 0 {
		fmt.Fprintln(a.out, "nothing is allowed")
	}
	for _, e := range list {
		fmt.Fprintf(a.out, "%s  %s\n", e.Time.Format(time.DateOnly), entryText(e))
	}
	return nil
}

func entryText(e rulebook.Allowed) string {
	if e.Path != "" {
		return fmt.Sprintf("%s below %s", clip(e.Rule, 80), clip(e.Path, 200))
	}
	return fmt.Sprintf("%s in the project %s", clip(e.Rule, 80), clip(cmp.Or(e.Root, "(none)"), 200))
}

// note leaves a line in the project's newest session, where there is one.
func (policyAllowCmd) note(a *app, g *setup.Gate, event string, e rulebook.Allowed) error {
	r, err := a.session(g, "")
	if err != nil || r == nil {
		return err
	}
	return r.note(session.Line{Kind: session.KindNote, Event: event, Detail: g.Masker(r.file, r.mem).String(entryText(e)).Line()}, nil)
}

// allowable gives the rule that a word names, where a person may silence it.
func allowable(g *setup.Gate, word string) (string, error) {
	var known []string
	for id, class := range policy.IDs {
		if id == word && class == policy.Hard {
			return "", fmt.Errorf("%s is a hard rule; nothing silences it\nhint: what a person means to do, a person can do at a terminal", id)
		}
		if class != policy.Hard {
			known = append(known, id)
		}
	}
	for _, id := range trigger.IDs() {
		if id == trigger.Scope && id == word {
			return "", fmt.Errorf("%s is a hard rule; nothing silences it\nhint: stepgate config set allow_write", id)
		}
		known = append(known, id)
	}
	for _, p := range g.Book.Policies {
		known = append(known, rulebook.Prefix+p.ID)
	}
	for _, id := range [...]string{word, rulebook.Prefix + word} {
		if slices.Contains(known, id) {
			return id, nil
		}
	}
	if slices.Contains(judgesOwn, word) {
		return "", fmt.Errorf("%s is the judge's answer; nothing silences it\nhint: stepgate config show flag_above", word)
	}
	hint := "a refusal names its rule; stepgate policy list names the policies"
	if near := nearest(word, known); len(near) > 0 {
		hint = "near it are " + strings.Join(near, ", ")
	}
	return "", &exitError{exitUsage, fmt.Errorf("there is no rule %q that can be silenced\nhint: %s", clip(word, 60), hint)}
}

// judgesOwn are the names of what a judge asks for, as a refusal tells them.
var judgesOwn = []string{
	verifier.ContradictsPlan, verifier.OutOfScope, verifier.ContradictsPrevious, verifier.ShouldFlag, verifier.IntentConsistency, "low_intent",
}

// maxNear bounds the names that are proposed for one that is not known.
const maxNear = 4

// nearest are the names that take the fewest changes to come to, fewer than half of their letters.
func nearest(word string, names []string) []string {
	names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return 2*distance(word, n) >= len(n) })
	slices.SortStableFunc(names, func(a, b string) int { return distance(word, a) - distance(word, b) })
	return names[:min(len(names), maxNear)]
}

// distance counts the letters to put in, take out or change; a shared beginning or a part of the name counts for less.
func distance(a, b string) int {
	a, b = a[:min(len(a), 64)], b[:min(len(b), 64)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := last
			if a[i] != b[j] {
				cost++
			}
			last = row[j+1]
			row[j+1] = min(cost, last+1, row[j]+1)
		}
	}
	if strings.Contains(b, a) {
		return row[len(b)] / 4
	}
	return row[len(b)]
}
