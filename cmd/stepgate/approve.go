package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/stepgate/stepgate/hook"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/internal/setup"
)

type approveCmd struct {
	Code    string `arg:"" optional:"" help:"The code that the refusal named; lists what waits if not given."`
	Session string `help:"Which session; all of this project if not given." placeholder:"ID"`
}

// Help is printed below the flags.
func (approveCmd) Help() string {
	return `An agent that cannot ask is refused and told a code. Approving it lets exactly that call
run once, within ten minutes. It works at a terminal alone.

Examples:
  stepgate approve
  stepgate approve 1a2b3c4d`
}

func (c approveCmd) Run(a *app) error {
	waiting, err := a.waiting(c.Session)
	if err != nil {
		return err
	}
	if c.Code == "" {
		return a.listWaiting(waiting)
	}
	if err := a.needPerson("approve"); err != nil {
		return err
	}
	if !atTerminal() {
		return errors.New("approve works at a terminal alone, so that no program can do it for you; nothing was approved")
	}
	i := slices.IndexFunc(waiting, func(w request) bool { return strings.EqualFold(hook.Code(w.Request), c.Code) })
	if i < 0 {
		return fmt.Errorf("no call with the code %q waits here (they wait %s)\nhint: stepgate approve lists them", clip(c.Code, 16), spoken(float64(hook.ApprovalFor.Milliseconds())))
	}
	w := waiting[i]
	l := session.Line{Kind: session.KindNote, Event: session.EventApproved, Agent: w.Agent, CallID: w.CallID, Request: w.Request}
	if err := w.in.note(l, nil); err != nil {
		return err
	}
	hang(a.out, fmt.Sprintf("approved once, for %s: ", spoken(float64(hook.ApprovalFor.Milliseconds()))), callText(w.Line))
	return nil
}

// request is a refused call that a person can approve.
type request struct {
	session.Line
	in *running
}

// waiting are the requests of a session, or, without one, of all sessions of this project.
func (a *app) waiting(id string) ([]request, error) {
	g, newest, err := a.logged(id)
	if err != nil {
		return nil, err
	}
	sessions := []*running{newest}
	if id == "" {
		if sessions, err = a.recent(g); err != nil {
			return nil, err
		}
	}
	var out []request
	for _, r := range sessions {
		for _, l := range hook.Waiting(r.mem, a.env.Now()) {
			out = append(out, request{l, r})
		}
	}
	slices.SortStableFunc(out, func(x, y request) int { return x.Time.Compare(y.Time.Time) })
	return out, nil
}

// recent are the project's sessions that can hold a request. One that cannot be read is told and passed over.
func (a *app) recent(g *setup.Gate) ([]*running, error) {
	here, err := g.Store.Here(g.Root)
	if err != nil {
		return nil, err
	}
	var out []*running
	for _, l := range here {
		if a.env.Now().Sub(l.Last) > hook.ApprovalFor {
			break // the others are older
		}
		r, err := a.session(g, l.Session())
		if err != nil {
			a.complain(err)
			continue
		}
		out = append(out, r)
	}
	return out, nil
}

func (a *app) listWaiting(waiting []request) error {
	if len(waiting) == 0 {
		_, err := fmt.Fprintln(a.out, "nothing waits to be approved")
		return err
	}
	for _, w := range waiting {
		ago := a.env.Now().Sub(w.Time.Time).Truncate(time.Second)
		hang(a.out, fmt.Sprintf("%s  %7s ago  ", hook.Code(w.Request), ago), callText(w.Line))
	}
	return nil
}

func atTerminal() bool {
	return term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stdout.Fd()))
}
