package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/internal/setup"
	"github.com/stepgate/stepgate/policy"
)

type logCmd struct {
	Show   logShowCmd   `cmd:"" default:"withargs" help:"Show the newest lines of a session."`
	Path   logPathCmd   `cmd:"" help:"Print the path of a session's file."`
	Verify logVerifyCmd `cmd:"" help:"Check that no line of a session was changed, moved or removed."`
	Head   logHeadCmd   `cmd:"" help:"Print the hash of the newest line, to be kept elsewhere."`
	Keygen logKeygenCmd `cmd:"" help:"Make a key that heads are signed with."`
}

// Help is printed below the flags.
func (logCmd) Help() string {
	return `Examples:
  stepgate log
  stepgate log verify`
}

type logShowCmd struct {
	Session string `help:"Which session; this project's newest if not given." placeholder:"ID"`
	Lines   int    `short:"n" default:"20" help:"How many lines."`
	JSON    bool   `name:"json" help:"Print the lines as they are."`
}

type logPathCmd struct {
	Session string `help:"Which session; this project's newest if not given." placeholder:"ID"`
}

type logVerifyCmd struct {
	Session string `help:"Which session; this project's newest if not given." placeholder:"ID"`
	Head    string `help:"A head that stepgate log head printed earlier, instead of the one kept beside the record." placeholder:"FILE"`
	Key     string `help:"The public key that the head must be signed with." placeholder:"HEX"`
}

// logged finds a session that must be there.
func (a *app) logged(id string) (*setup.Gate, *running, error) {
	g, err := a.gateHere("claude")
	if err != nil {
		return nil, nil, err
	}
	r, err := a.session(g, id)
	if err == nil && r == nil {
		err = fmt.Errorf("no session of this project (%s) is recorded\nhint: stepgate doctor tells whether the hook runs", g.Root)
	}
	return g, r, err
}

func (c logShowCmd) Run(a *app) error {
	g, r, err := a.logged(c.Session)
	if err != nil {
		return err
	}
	files, err := g.Store.Files(r.id)
	if err != nil {
		return err
	}
	var lines []session.Line
	for _, f := range files {
		for l, err := range session.Read(f) {
			if err != nil {
				a.complain(err)
				continue
			}
			if lines = append(lines, l); len(lines) > max(c.Lines, 1) {
				lines = lines[1:]
			}
		}
	}
	for _, l := range lines {
		if c.JSON {
			b, err := json.Marshal(l)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.out, "%s\n", b)
			continue
		}
		line := fmt.Sprintf("%s  %4d  %s", l.Time.Local().Format("15:04:05"), l.Seq, told(l))
		fmt.Fprintln(a.out, clip(strings.TrimRight(line, " "), columns))
	}
	return nil
}

// told says in a line what a line of the record tells.
func told(l session.Line) string {
	switch l.Kind {
	case session.KindCall:
		what := l.Did
		if l.Would != l.Did {
			what += " (would " + l.Would + ")"
		}
		return fmt.Sprintf("%-18s %s", clip(what, 40), callText(l))
	case session.KindPrompt:
		return fmt.Sprintf("%-18s %s", "prompt", clip(l.Text.String(), 60))
	case session.KindResult:
		what := "result"
		if l.OK != nil {
			what = map[bool]string{true: "worked", false: "failed"}[*l.OK]
		}
		return fmt.Sprintf("%-18s %s %s", what, clip(l.Tool, 40), clip(l.Outcome, 60))
	}
	return fmt.Sprintf("%-18s %s %s", clip(l.Kind, 18), clip(l.Event+l.Source, 40), clip(l.Detail.String(), 60))
}

func (c logPathCmd) Run(a *app) error {
	_, r, err := a.logged(c.Session)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.out, r.file.Path())
	return err
}

func (c logVerifyCmd) Run(a *app) error {
	g, r, err := a.logged(c.Session)
	if err != nil {
		return err
	}
	files, err := g.Store.Files(r.id)
	if err != nil {
		return err
	}
	if c.Key != "" && c.Head == "" {
		return &exitError{exitUsage, errors.New("log verify: --key checks the signature of a head; give --head FILE too")}
	}
	head, err := c.headOf(r)
	if err != nil {
		return err
	}
	chain, err := session.Verify(head, files...)
	if err != nil {
		return fmt.Errorf("the chain is broken: %w", err)
	}
	cuts, err := r.file.Cuts()
	if err != nil {
		return err
	}
	if len(cuts) > 0 {
		return fmt.Errorf("the record was cut: line %d was there (%.16s…) and was gone when the session went on", cuts[0].Seq, cuts[0].Hash)
	}
	if chain.Bad > 0 {
		fmt.Fprintf(a.err, "stepgate: %s cannot be read\n", policy.Many(chain.Bad, "line"))
	}
	if chain.First > 1 {
		return fmt.Errorf("the beginning is missing: the first line is number %d", chain.First)
	}
	fmt.Fprintf(a.out, "whole: lines %d to %d, %d outside the chain\n", chain.First, chain.Last, chain.Unchained)
	if head.Seq == 0 {
		fmt.Fprintln(a.out, "no head was kept, so lines could be missing at the end")
	} else if behind := chain.Last - head.Seq; behind > 0 {
		fmt.Fprintf(a.out, "the head names line %d; the %d lines after it are held by the chain alone\n", head.Seq, behind)
	}
	return nil
}
