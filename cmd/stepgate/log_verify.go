package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
)

type logVerifyCmd struct {
	Session string `help:"Which session; this project's newest if not given." placeholder:"ID"`
	All     bool   `help:"All sessions of all projects, archived ones too."`
	Head    string `help:"A head that stepgate log head printed earlier, instead of the one kept beside the record." placeholder:"FILE"`
	Key     string `help:"The public key that the head must be signed with." placeholder:"HEX"`
	JSON    bool   `name:"json" help:"Print what was found as JSON, a session a line."`
}

// Help is printed below the flags.
func (logVerifyCmd) Help() string {
	return `It ends with exit code 1 and names the first line that was changed, moved, put in or removed. With --all it
also names sessions whose head is kept and whose record is gone.

Examples:
  stepgate log verify --all
  stepgate log verify --head head.json --key PUBLIC`
}

// verified is what was found of one session.
type verified struct {
	Session string `json:"session"`
	Whole   bool   `json:"whole"`
	Error   string `json:"error,omitempty"`
	First   int64  `json:"first"`
	Last    int64  `json:"last"`
	// Unchained counts lines written without the lock, Unreadable those that are none; Behind are lines after the one that
	// the head names, and NoHead says that there is no head, so that lines could be missing at the end.
	Unchained  int   `json:"unchained"`
	Unreadable int   `json:"unreadable"`
	Behind     int64 `json:"behind,omitempty"`
	NoHead     bool  `json:"no_head,omitempty"`
}

func (c logVerifyCmd) Run(a *app) error {
	switch {
	case c.Key != "" && c.Head == "":
		return &exitError{exitUsage, errors.New("log verify: --key checks the signature of a head; give --head FILE too")}
	case c.All && (c.Head != "" || c.Session != ""):
		return &exitError{exitUsage, errors.New("log verify: --all looks at every session; --session and --head are about one")}
	case c.All:
		return c.all(a)
	}
	r, err := a.recorded(c.Session)
	if err != nil {
		return err
	}
	head, err := c.headOf(r)
	if err != nil {
		return err
	}
	v, err := verify(r.id, r.file, head, r.files)
	if c.JSON {
		return errors.Join(json.NewEncoder(a.out).Encode(v), quiet(err))
	}
	v.tell(a)
	if c.Head != "" && c.Key == "" && v.Whole {
		fmt.Fprintln(a.out, "who printed the head was not checked: --key takes the public key that signed it")
	}
	return err
}

// quiet is the exit code alone, where what it is for was printed already.
func quiet(err error) error {
	if err == nil {
		return nil
	}
	return &exitError{code: exitFailed}
}

// verify holds the files of a session against a head.
func verify(id string, f *session.File, head session.Head, files []string) (verified, error) {
	v := verified{Session: id, NoHead: head.Seq == 0}
	chain, err := session.Verify(head, files...)
	v.First, v.Last, v.Unchained, v.Unreadable = chain.First, chain.Last, chain.Unchained, chain.Bad
	if err != nil {
		err = fmt.Errorf("the chain is broken: %w", err)
	} else if v.Behind = max(0, chain.Last-head.Seq); v.NoHead {
		v.Behind = 0
	}
	if err == nil {
		var cuts []session.Head
		if cuts, err = f.Cuts(); len(cuts) > 0 {
			err = fmt.Errorf("the record was cut: line %d was there (%.16s…) and was gone when the session went on", cuts[0].Seq, cuts[0].Hash)
		}
	}
	if err == nil && chain.First > 1 {
		err = fmt.Errorf("the beginning is missing: the first line is number %d", chain.First)
	}
	if v.Whole = err == nil; !v.Whole {
		v.Error = clean(err.Error())
	}
	return v, err
}

// tell says what was found, except for what the error says.
func (v verified) tell(a *app) {
	if v.Unreadable > 0 {
		fmt.Fprintf(a.err, "stepgate: %s cannot be read\n", policy.Many(v.Unreadable, "line"))
	}
	if !v.Whole {
		return
	}
	fmt.Fprintf(a.out, "whole: lines %d to %d, %d outside the chain\n", v.First, v.Last, v.Unchained)
	if v.NoHead {
		fmt.Fprintln(a.out, "no head was kept, so lines could be missing at the end")
	} else if v.Behind > 0 {
		fmt.Fprintf(a.out, "the head names line %d; what stands after it (%s) is held by the chain alone\n", v.Last-v.Behind, policy.Many(int(v.Behind), "line"))
	}
}

// doubtful says in words what of a whole session is not held by its chain and head; empty where all is.
func (v verified) doubtful() string {
	var parts []string
	if v.NoHead {
		parts = append(parts, "no head was kept, so lines could be missing at the end")
	}
	if v.Behind > 0 {
		parts = append(parts, policy.Many(int(v.Behind), "line")+" after the one that the head names")
	}
	if v.Unchained > 0 {
		parts = append(parts, policy.Many(v.Unchained, "line")+" outside the chain")
	}
	if v.Unreadable > 0 {
		parts = append(parts, policy.Many(v.Unreadable, "line")+" cannot be read")
	}
	return strings.Join(parts, ", ")
}

// all verifies each session, and names those of which only the head is left.
func (c logVerifyCmd) all(a *app) error {
	g, err := a.gateHere("claude")
	if err != nil {
		return err
	}
	sessions, err := g.Store.Sessions()
	if err != nil {
		return err
	}
	var found []verified
	there := map[string]bool{}
	for _, l := range sessions {
		there[l.Name] = true
		id := l.Session()
		f := g.Store.File(l)
		v := verified{Session: id}
		if head, err := headBeside(f); err != nil {
			v.Error = clean(err.Error())
		} else {
			v, _ = verify(id, f, head, l.Files) // the error stands in it
		}
		found = append(found, v)
	}
	gone, err := g.Store.Gone(there)
	if err != nil {
		return err
	}
	for _, name := range gone {
		found = append(found, verified{Session: name, Error: "the head is kept and the record is gone"})
	}
	return c.summary(a, found)
}

// summary tells what is wrong, and what is not held by chain and head, session by session.
func (c logVerifyCmd) summary(a *app, found []verified) error {
	enc := json.NewEncoder(a.out)
	whole := 0
	for _, v := range found {
		text := v.Error
		if v.Whole {
			whole++
			text = v.doubtful()
		}
		if c.JSON {
			if err := enc.Encode(v); err != nil {
				return err
			}
		} else if text != "" {
			hang(a.out, "- ", clip(v.Session, 100)+": "+text)
		}
	}
	if !c.JSON {
		fmt.Fprintf(a.out, "%s whole, %d not\n", policy.Many(whole, "session"), len(found)-whole)
	}
	if whole < len(found) {
		return &exitError{code: exitFailed}
	}
	return nil
}
