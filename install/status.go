package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// State is what one settings file says of the hook.
type State struct {
	Agent string `json:"agent"`
	Scope Scope  `json:"scope"`
	Path  string `json:"path"`
	// Installed says that the deciding event has an entry; without it no call is guarded.
	Installed bool `json:"installed"`
	// Missing lists events without an entry, Extra entries beyond the one an event should have.
	Missing []string `json:"missing,omitempty"`
	Extra   []string `json:"extra,omitempty"`
	// Entry is the deciding entry as it stands in the file, for a canary to be run by; Command and Args are its parts,
	// Args empty where a shell runs Command.
	Command string   `json:"command,omitempty"`
	Args    []string `json:"args,omitempty"`
	// Program is the path the deciding entry starts, looked up on PATH where it is a bare name; empty when not found.
	Program    string `json:"program,omitempty"`
	Matcher    string `json:"matcher,omitempty"`
	FailClosed bool   `json:"fail_closed,omitempty"`
	// TrustKey is how Codex's config.toml names the deciding entry under hooks.state.
	TrustKey string `json:"trust_key,omitempty"`
	// Problems are what keeps the hook from working, one a line.
	Problems []string `json:"problems,omitempty"`
}

// Status reads what stands in the settings of a scope. A missing file is a State that is not Installed.
func Status(agent string, scope Scope, o Options) (State, error) {
	a, err := lookup(agent)
	if err != nil {
		return State{}, err
	}
	c, err := open(a, scope, o)
	s := State{Agent: agent, Scope: scope, Path: c.Path}
	if err != nil || strings.TrimSpace(string(c.Before)) == "" {
		return s, err
	}
	list, err := own(string(c.Before), agent)
	if err != nil {
		s.Problems = append(s.Problems, c.refuse(err).Error())
		return s, nil
	}
	s.read(a, list, o)
	if s.Installed {
		s.check(c, o)
	}
	return s, nil
}

func (s *State) read(a agentOf, list []found, o Options) {
	seen := map[string]int{}
	for _, f := range list {
		seen[f.event]++
		if f.event == decidingEvent && seen[f.event] == 1 {
			s.Installed = true
			s.Command, s.Args, s.Matcher, s.FailClosed = f.entry.Command, f.entry.Args, f.matcher, f.entry.failsClosed()
			s.Program = locate(f.entry.program(), o.Getenv("PATH"))
			if a.name == "codex" {
				s.TrustKey = trustKey(s.Path, f)
			}
		}
	}
	if len(list) == 0 {
		return
	}
	for _, w := range a.groups(program, false) {
		switch n := seen[w.event]; {
		case n == 0:
			s.Missing = append(s.Missing, w.event)
		case n > 1:
			s.Extra = append(s.Extra, w.event)
		}
		delete(seen, w.event)
	}
	for event := range seen {
		s.Extra = append(s.Extra, event)
	}
	slices.Sort(s.Extra)
}

// decidingEvent is the one that guards calls.
const decidingEvent = "PreToolUse"

func (s *State) check(c Change, o Options) {
	if s.Program == "" {
		s.Problems = append(s.Problems, "the program of the entry is not there or cannot be run: "+s.Command)
	} else if o.Program != "" && !sameFile(s.Program, o.Program) {
		s.Problems = append(s.Problems, "the entry starts "+s.Program+", not "+o.Program)
	}
	if s.Matcher != "" && s.Matcher != "*" && s.Matcher != ".*" {
		s.Problems = append(s.Problems, "the entry's matcher leaves tools out: "+s.Matcher)
	}
	if len(s.Missing) > 0 {
		s.Problems = append(s.Problems, "no entry for "+strings.Join(s.Missing, ", ")+": stepgate install "+s.Agent+" adds it")
	}
	if len(s.Extra) > 0 {
		s.Problems = append(s.Problems, "more than one entry for "+strings.Join(s.Extra, ", ")+": stepgate install "+s.Agent+" puts it in order")
	}
	root, err := parse(string(c.Before))
	if err != nil {
		return
	}
	if off, err := root.get("disableAllHooks"); err == nil && off != nil && string(c.Before[off.from:off.to]) == "true" {
		s.Problems = append(s.Problems, "disableAllHooks is true in this file")
	}
}

// locate gives the file a program's name stands for, as an agent would find it.
func locate(name, path string) string {
	if filepath.IsAbs(name) {
		if runnable(name) != nil {
			return ""
		}
		return name
	}
	if strings.ContainsAny(name, `/\`) {
		return "" // relative to wherever the agent's shell stands: never ours
	}
	for _, dir := range strings.Split(path, string(os.PathListSeparator)) {
		if full := filepath.Join(dir, name); filepath.IsAbs(dir) && runnable(full) == nil {
			return full
		}
	}
	return ""
}

func sameFile(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}
