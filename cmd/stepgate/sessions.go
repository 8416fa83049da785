package main

import (
	"fmt"

	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/internal/setup"
)

// running is a session that a command looks at or changes.
type running struct {
	id   string
	file *session.File
	mem  session.Memory
}

// session finds the session of an id, or, without one, the project's newest; nil when the project has none.
func (a *app) session(g *setup.Gate, id string) (*running, error) {
	asked := id != ""
	if !asked {
		here, err := g.Store.Here(g.Root)
		if err != nil {
			return nil, fmt.Errorf("looking for sessions: %w", err)
		}
		if len(here) == 0 {
			return nil, nil
		}
		id = here[0].Session()
	}
	f := g.Store.Find(id, g.Root)
	mem, err := f.Recall("")
	if err != nil {
		return nil, err
	}
	if !mem.Exists {
		return nil, fmt.Errorf("no session %q\nhint: stepgate log list names them", id)
	}
	return &running{id: id, file: f, mem: mem}, nil
}

// note appends a line to a session; change, if given, brings its totals up to the line.
func (r *running) note(l session.Line, change func(*session.Totals)) error {
	l.Session = r.id
	_, err := r.file.Append("", func(t *session.Totals, _ session.Memory) (session.Line, bool) {
		if change != nil {
			change(t)
		}
		return l, true
	})
	return err
}
