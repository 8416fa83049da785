package main

import (
	"fmt"

	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/internal/setup"
)

type logCmd struct {
	Show   logShowCmd   `cmd:"" default:"withargs" help:"Show the newest lines of a session, or of a time, an agent, a kind."`
	List   logListCmd   `cmd:"" help:"List the recorded sessions."`
	Path   logPathCmd   `cmd:"" help:"Print the path of a session's file."`
	Verify logVerifyCmd `cmd:"" help:"Check that no line of a session was changed, moved or removed."`
	Head   logHeadCmd   `cmd:"" help:"Print the hash of the newest line, to be kept elsewhere."`
	Keygen logKeygenCmd `cmd:"" help:"Make a key that heads are signed with."`
}

// Help is printed below the flags.
func (logCmd) Help() string {
	return `Examples:
  stepgate log
  stepgate log --since 'yesterday 14:00' --until 'yesterday 15:00' --agent codex
  stepgate log --stops --since 7d
  stepgate log list
  stepgate log verify --all`
}

type logPathCmd struct {
	Session string `help:"Which session; this project's newest if not given." placeholder:"ID"`
}

// logged finds a session that must be there.
func (a *app) logged(id string) (*setup.Gate, *running, error) {
	g, err := a.gateHere("claude")
	if err != nil {
		return nil, nil, err
	}
	r, err := a.session(g, id)
	if err == nil && r == nil {
		err = noSession(g)
	}
	return g, r, err
}

func noSession(g *setup.Gate) error {
	return fmt.Errorf("no session of this project (%s) is recorded\nhint: stepgate doctor tells whether the hook runs", g.Root)
}

func (c logPathCmd) Run(a *app) error {
	r, err := a.recorded(c.Session)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.out, r.files[len(r.files)-1])
	return err
}

// record is a session whose lines are read as they stand: what was done to them is no reason not to look.
type record struct {
	gate  *setup.Gate
	id    string
	file  *session.File
	files []string // oldest first, archived ones too
}

// recorded finds the files of a session, of this project's newest without an id.
func (a *app) recorded(id string) (record, error) {
	g, err := a.gateHere("claude")
	if err != nil {
		return record{}, err
	}
	if id == "" {
		here, err := g.Store.Here(g.Root)
		if err != nil {
			return record{}, fmt.Errorf("looking for sessions: %w", err)
		}
		if len(here) == 0 {
			return record{}, noSession(g)
		}
		id = here[0].Session()
	}
	r := record{gate: g, id: id, file: g.Store.Find(id, g.Root)}
	if r.files, err = g.Store.Files(id); err == nil && len(r.files) == 0 {
		err = fmt.Errorf("no session %q\nhint: stepgate log list names them", clip(id, 40))
	}
	return r, err
}
