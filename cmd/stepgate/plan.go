package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/redact"
)

type planCmd struct {
	Show  planShowCmd  `cmd:"" default:"withargs" help:"Show what the gate takes your request to be."`
	Set   planSetCmd   `cmd:"" help:"Put another plan in place of the first prompt."`
	Add   planAddCmd   `cmd:"" help:"Put a prompt beside the plan."`
	Clear planClearCmd `cmd:"" help:"Forget the plan; your next prompt becomes it."`
}

// Help is printed below the flags.
func (planCmd) Help() string {
	return `Examples:
  stepgate plan
  stepgate plan add 'You may delete the old/ folder.'
  stepgate plan set 'Make the parser faster.' --allow src/parser --allow docs --constraint 'no new dependencies' --done 'make bench is green'`
}

type planShowCmd struct {
	Session string `help:"Which session; this project's newest if not given." placeholder:"ID"`
	JSON    bool   `name:"json" help:"Print it as JSON."`
}

type planSetCmd struct {
	Text string `arg:"" help:"The plan."`
	contract
	Session string `help:"Which session; this project's newest if not given." placeholder:"ID"`
}

type planAddCmd struct {
	Text string `arg:"" optional:"" help:"The prompt."`
	contract
	Session string `help:"Which session; this project's newest if not given." placeholder:"ID"`
}

type planClearCmd struct {
	Session string `help:"Which session; this project's newest if not given." placeholder:"ID"`
}

func (c planShowCmd) Run(a *app) error {
	_, r, err := a.logged(c.Session)
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(a.out).Encode(struct {
			Session string        `json:"session"`
			Plan    redact.Text   `json:"plan"`
			Later   []redact.Text `json:"later"`
		}{r.id, r.mem.Plan, append([]redact.Text{}, r.mem.Later...)})
	}
	if r.mem.Plan.IsZero() {
		_, err = fmt.Fprintln(a.out, "no plan yet: nobody has given this session a prompt")
		return err
	}
	showText(a.out, "", r.mem.Plan)
	for _, l := range r.mem.Later {
		fmt.Fprintln(a.out)
		showText(a.out, "later: ", l)
	}
	return nil
}

func (c planSetCmd) Run(a *app) error {
	return a.changePlan("plan set", c.Session, c.Text, c.contract, func(t *session.Totals) { t.Plan, t.Later = nil, nil })
}

func (c planAddCmd) Run(a *app) error {
	return a.changePlan("plan add", c.Session, c.Text, c.contract, nil)
}

func (c planClearCmd) Run(a *app) error {
	if err := a.needPerson("plan clear"); err != nil {
		return err
	}
	_, r, err := a.logged(c.Session)
	if err != nil {
		return err
	}
	err = r.note(session.Line{Kind: session.KindNote, Event: "plan_cleared"}, func(t *session.Totals) { t.Plan, t.Later = nil, nil })
	if err == nil {
		_, err = fmt.Fprintln(a.out, "the next prompt becomes the plan")
	}
	return err
}

// showText prints a text with its line ends, and nothing else in it that a terminal obeys.
func showText(w io.Writer, head string, t redact.Text) {
	for line := range strings.Lines(t.String()) {
		line = head + clean(strings.TrimRight(line, "\r\n"))
		if utf8.RuneCountInString(line) > columns {
			line = wrap(line, "")
		}
		fmt.Fprintln(w, line)
		head = ""
	}
}

// changePlan writes a person's words into the session as a prompt. Who may do that can widen what the gate lets pass.
func (a *app) changePlan(what, id, text string, with contract, change func(*session.Totals)) error {
	if err := a.needPerson(what); err != nil {
		return err
	}
	g, r, err := a.logged(id)
	if err != nil {
		return err
	}
	terms, err := with.text(g.Root)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if text = terms + text; text == "" {
		return errors.New(what + ": the text is empty")
	}
	mask := g.Masker(r.file, r.mem)
	l := session.Line{Kind: session.KindPrompt, Person: true, Source: "cli", Text: g.PromptText(mask, text)}
	if err := r.note(l, change); err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.out, "noted; the judge is shown it from the next call on")
	return err
}
