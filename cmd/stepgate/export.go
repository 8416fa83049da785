package main

import (
	"bufio"
	"errors"
	"fmt"

	"github.com/stepgate/stepgate/internal/report"
)

type exportCmd struct {
	Session string `help:"Only this session; all of this project if not given." placeholder:"ID"`
	All     bool   `help:"All projects, archived sessions too."`
}

// Help is printed below the flags.
func (exportCmd) Help() string {
	return `It prints a sample a call, one JSON object a line: the names of the arguments and never their values, what
the rules and the judge said, the decision, and the label where there is one.

Examples:
  stepgate export > samples.jsonl
  stepgate export --session 5f0c --all`
}

func (c exportCmd) Run(a *app) error {
	sessions, err := a.sessionFiles(c.Session, c.All)
	if err != nil {
		return err
	}
	if len(sessions) == 0 {
		return errors.New("no recorded sessions to export\nhint: stepgate install claude, work for a while, then look again")
	}
	out := bufio.NewWriter(a.out)
	for _, files := range sessions {
		unreadable, err := report.Export(out, files)
		if err != nil {
			return err
		}
		if unreadable > 0 {
			fmt.Fprintf(a.err, "stepgate: %d lines of %s cannot be read\n", unreadable, files[0])
		}
	}
	return out.Flush()
}

// sessionFiles gives the files of each session, oldest first: of one, of this project's, or of all.
func (a *app) sessionFiles(id string, all bool) ([][]string, error) {
	g, err := a.gateHere("claude")
	if err != nil {
		return nil, err
	}
	if id != "" {
		files, err := g.Store.Files(id)
		if err == nil && len(files) == 0 {
			err = fmt.Errorf("no session %q\nhint: stepgate log path names the newest", clip(id, 40))
		}
		return [][]string{files}, err
	}
	listed, err := g.Store.Sessions()
	if err != nil {
		return nil, err
	}
	project := ""
	if !all {
		here, err := g.Store.Here(g.Root)
		if err != nil || len(here) == 0 {
			return nil, err
		}
		project = here[0].Project
	}
	var out [][]string
	for _, l := range listed {
		if project == "" || l.Project == project {
			out = append(out, l.Files)
		}
	}
	return out, nil
}
