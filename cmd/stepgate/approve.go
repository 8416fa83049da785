package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"github.com/stepgate/stepgate/hook"
	"github.com/stepgate/stepgate/hook/session"
)

type approveCmd struct {
	Code    string `arg:"" optional:"" help:"The code that the refusal named; lists what waits if not given."`
	Session string `help:"Which session; this project's newest if not given." placeholder:"ID"`
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
	g, r, err := a.logged(c.Session)
	if err != nil {
		return err
	}
	waiting := hook.Waiting(r.mem, a.env.Now())
	if c.Code == "" {
		if len(waiting) == 0 {
			_, err = fmt.Fprintln(a.out, "nothing waits to be approved")
			return err
		}
		for _, l := range waiting {
			fmt.Fprintf(a.out, "%s  %s %s\n", hook.Code(l.Request), clip(l.Tool, 40), clip(l.Input.String(), 60))
		}
		return nil
	}
	if err := a.needPerson("approve"); err != nil {
		return err
	}
	if !atTerminal() {
		return errors.New("approve works at a terminal alone, so that no program can do it for you; nothing was approved")
	}
	i := slices.IndexFunc(waiting, func(l session.Line) bool { return strings.EqualFold(hook.Code(l.Request), c.Code) })
	if i < 0 {
		return fmt.Errorf("no call with the code %q waits in this session (they wait %v)\nhint: stepgate approve lists them", clip(c.Code, 16), hook.ApprovalFor)
	}
	l := session.Line{Kind: session.KindNote, Event: session.EventApproved, Agent: g.Agent, CallID: waiting[i].CallID, Request: waiting[i].Request}
	if err := r.note(l, nil); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.out, "approved once, for %v: %s %s\n", hook.ApprovalFor, clip(waiting[i].Tool, 40), clip(waiting[i].Input.String(), 60))
	return err
}

func atTerminal() bool {
	return term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stdout.Fd()))
}
