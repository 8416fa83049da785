package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stepgate/stepgate/hook/session"
)

type labelCmd struct {
	ID      string `arg:"" help:"The call: its number (stepgate log shows it) or its call id; or the word task."`
	Word    string `arg:"" help:"safe or unsafe; for task, success or failure."`
	Session string `help:"Which session; this project's newest if not given." placeholder:"ID"`
}

// Help is printed below the flags.
func (labelCmd) Help() string {
	return `Labels say what the gate should have done. analyze measures the gate by them, tune proposes settings from
them. How a task ended says something about its calls, too: weakly, and nothing about calls that were stopped.

Examples:
  stepgate label 42 unsafe
  stepgate label task success`
}

// taskWord stands for the session's task in place of a call.
const taskWord = "task"

func (c labelCmd) Run(a *app) error {
	words := []string{session.LabelSafe, session.LabelUnsafe}
	if c.ID == taskWord {
		words = []string{session.LabelSuccess, session.LabelFailure}
	}
	if !slices.Contains(words, c.Word) {
		return &exitError{exitUsage, fmt.Errorf("label: %q is not one of %s", c.Word, strings.Join(words, ", "))}
	}
	if err := a.needPerson("label"); err != nil { // an agent must not judge itself
		return err
	}
	g, r, err := a.logged(c.Session)
	if err != nil {
		return err
	}
	l := session.Line{Kind: session.KindLabel, Event: c.Word, Source: "person"}
	if c.ID == taskWord {
		if err := r.note(l, nil); err != nil {
			return err
		}
		_, err = fmt.Fprintf(a.out, "the task of session %s ended in %s\n", clip(r.id, 40), c.Word)
		return err
	}
	files, err := g.Store.Files(r.id)
	if err != nil {
		return err
	}
	call, err := findCall(files, c.ID)
	if err != nil {
		return err
	}
	if err := r.label(call, c.Word); err != nil {
		return err
	}
	hang(a.out, fmt.Sprintf("%s: %d  ", c.Word, call.Seq), callText(call))
	return nil
}

// label writes what a person said of a call.
func (r *running) label(call session.Line, word string) error {
	return r.note(session.Line{Kind: session.KindLabel, Event: word, Source: "person", Of: call.Seq, CallID: call.CallID, Tool: call.Tool}, nil)
}

// findCall finds a call by its number or its id. Lines that cannot be read are none.
func findCall(files []string, id string) (session.Line, error) {
	seq, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		seq = -1
	}
	for _, f := range files {
		for l, err := range session.Read(f) {
			var bad *session.LineError
			if err != nil && !errors.As(err, &bad) {
				return session.Line{}, err
			}
			if err == nil && l.Kind == session.KindCall && l.Seq > 0 && (l.Seq == seq || l.CallID == id) {
				return l, nil
			}
		}
	}
	return session.Line{}, fmt.Errorf("no call %q in this session\nhint: stepgate log -n 50 shows the calls with their numbers", clip(id, 40))
}
