package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/stepgate/stepgate/hook"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/internal/setup"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/snapshot"
)

type undoCmd struct {
	ID    string `arg:"" optional:"" help:"Which copy; the newest of this project that was not given back yet if not given."`
	List  bool   `help:"List the copies of this project and change nothing."`
	Force bool   `help:"Overwrite newer work too, after a copy of it was taken."`
	Yes   bool   `short:"y" help:"Do not ask at the terminal."`
	JSON  bool   `name:"json" help:"Print what is done as JSON."`
}

// Help is printed below the flags.
func (undoCmd) Help() string {
	return `Where a call would have lost work and a copy could hold it, the gate took the copy and let
the call run. This gives it back: files, what was staged, commits and stashes. Work that is
newer than the call is not overwritten without --force.

Examples:
  stepgate undo --list
  stepgate undo k3f9`
}

func (c undoCmd) Run(a *app) error {
	g, err := a.gateHere("claude")
	if err != nil {
		return err
	}
	store := copies(a, g)
	project := g.Store.Find("", g.Root).Project()
	if c.List {
		return c.list(a, store, project)
	}
	if err := a.needPerson("undo"); err != nil {
		return err
	}
	snap, err := c.find(a, store, project)
	if err != nil {
		return err
	}
	plan, err := store.Plan(a.ctx, snap)
	if err != nil {
		return err
	}
	if !c.JSON {
		c.show(a, plan)
	}
	if len(plan.Newer()) > 0 && !c.Force {
		return errors.Join(c.report(a, plan, snapshot.Snapshot{}, false), fmt.Errorf("%s was changed since the call; nothing was given back\nhint: stepgate undo --force %s keeps a copy of the newer work first",
			named(plan.Newer(), string(plan.Root)), snap.ID))
	}
	if !c.agreed(a) {
		_, err := fmt.Fprintln(a.out, "nothing was changed")
		return err
	}
	kept, err := plan.Apply(c.Force)
	if kept.ID != "" && !c.JSON {
		fmt.Fprintf(a.out, "the newer work is kept: stepgate undo %s\n", kept.ID)
	}
	if err != nil {
		return err
	}
	c.note(a, g, snap)
	return c.report(a, plan, kept, true)
}

// copies is where the copies are, whether or not new ones are taken.
func copies(a *app, g *setup.Gate) *snapshot.Store {
	if g.Snapshots != nil {
		return g.Snapshots
	}
	return &snapshot.Store{Dir: g.StateHome, Home: g.Env("HOME"), Limits: snapshot.DefaultLimits, Now: a.env.Now}
}

// find is the copy that was asked for.
func (c undoCmd) find(a *app, store *snapshot.Store, project string) (snapshot.Snapshot, error) {
	if c.ID != "" {
		snap, err := store.Find(project, strings.ToLower(c.ID))
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("there is no copy %q\nhint: stepgate undo --list", clip(c.ID, 16))
		}
		return snap, err
	}
	all, err := store.List(project)
	if err != nil {
		a.complain(err)
	}
	for _, snap := range all {
		if !snap.Undone() {
			return snap, nil
		}
	}
	return snapshot.Snapshot{}, errors.New("this project has no copy that was not given back\nhint: stepgate undo --list")
}

// maxShown bounds the steps that are printed one by one.
const maxShown = 20

func (c undoCmd) show(a *app, p *snapshot.Plan) {
	fmt.Fprintf(a.out, "copy %s of %s, taken %s before %s\n", p.ID, hook.Contents(p.Manifest), p.Time.Local().Format(time.DateTime),
		clip(cmp.Or(p.What.String(), p.Tool), 60))
	steps := p.Shown()
	for i, s := range steps {
		if i == maxShown {
			fmt.Fprintf(a.out, "  and %d more\n", len(steps)-i)
			break
		}
		newer := ""
		if s.Newer {
			newer = ", which was changed since"
		}
		fmt.Fprintf(a.out, "  %s %s%s\n", s.Does, below(s.What, string(p.Root)), newer)
	}
	if len(steps) == 0 {
		fmt.Fprintln(a.out, "  everything is there as it was")
	}
	if p.LeftOut > 0 {
		fmt.Fprintf(a.out, "  not in the copy: %s that can be had elsewhere or built again\n", policy.Many(p.LeftOut, "file"))
	}
}

// below writes a path from the project's root, fit to be shown.
func below(path, root string) string {
	if rel, err := filepath.Rel(root, path); err == nil && filepath.IsAbs(path) && !strings.HasPrefix(rel, "..") {
		path = rel
	}
	return clip(path, 70)
}

// named names the first of the steps.
func named(steps []snapshot.Step, root string) string {
	name := below(steps[0].What, root)
	if more := len(steps) - 1; more > 0 {
		return fmt.Sprintf("%s, +%d", name, more)
	}
	return name
}

// agreed asks at a terminal; elsewhere the command itself is the answer, as it overwrites nothing that is newer.
func (c undoCmd) agreed(a *app) bool {
	if c.Yes || c.JSON || !term.IsTerminal(int(os.Stdin.Fd())) {
		return true
	}
	fmt.Fprint(a.out, "give it back? [y/N] ")
	line, err := bufio.NewReader(a.stdin).ReadString('\n')
	answer := strings.ToLower(strings.TrimSpace(line))
	return err == nil && (answer == "y" || answer == "yes")
}

// report says what was done.
func (c undoCmd) report(a *app, p *snapshot.Plan, kept snapshot.Snapshot, done bool) error {
	if !c.JSON {
		if done && len(p.Shown()) > 0 {
			_, err := fmt.Fprintf(a.out, "given back: %s\n", hook.Contents(p.Manifest))
			return err
		}
		return nil
	}
	type step struct {
		Does  string `json:"does"`
		What  string `json:"what"`
		Newer bool   `json:"newer,omitempty"`
	}
	steps := []step{}
	for _, s := range p.Shown() {
		steps = append(steps, step{s.Does, s.What, s.Newer})
	}
	return json.NewEncoder(a.out).Encode(struct {
		ID      string `json:"id"`
		Done    bool   `json:"done"`
		Steps   []step `json:"steps"`
		LeftOut int    `json:"left_out,omitempty"`
		Kept    string `json:"kept,omitempty"`
	}{p.ID, done, steps, p.LeftOut, kept.ID})
}

// note records it in the session that the copy is of, where that is still there.
func (c undoCmd) note(a *app, g *setup.Gate, snap snapshot.Snapshot) {
	r, err := a.session(g, snap.Session)
	if err != nil || r == nil {
		return // archived or removed: the copy itself says that it was given back
	}
	if err := r.note(session.Line{Kind: session.KindNote, Event: "undone", Snapshot: snap.ID, CallID: snap.CallID}, nil); err != nil {
		fmt.Fprintln(a.err, "stepgate: not recorded:", err)
	}
}

func (c undoCmd) list(a *app, store *snapshot.Store, project string) error {
	all, err := store.List(project)
	if err != nil {
		a.complain(err)
	}
	if c.JSON {
		return listJSON(a, all)
	}
	if len(all) == 0 {
		_, err := fmt.Fprintln(a.out, "no copies here")
		return err
	}
	for _, s := range all {
		state := ""
		if s.Undone() {
			state = "  given back"
		}
		fmt.Fprintf(a.out, "%-5s %s  %-20s %s%s\n", s.ID, s.Time.Local().Format(time.DateTime), hook.Contents(s.Manifest), clip(cmp.Or(s.What.String(), s.Tool), 40), state)
	}
	return nil
}

func listJSON(a *app, all []snapshot.Snapshot) error {
	type row struct {
		ID      string    `json:"id"`
		Time    time.Time `json:"time"`
		Session string    `json:"session,omitempty"`
		Tool    string    `json:"tool"`
		What    string    `json:"what"`
		Files   int       `json:"files"`
		Bytes   int64     `json:"bytes"`
		Undone  bool      `json:"undone"`
	}
	rows := []row{}
	for _, s := range all {
		rows = append(rows, row{s.ID, s.Time, s.Session, s.Tool, s.What.String(), s.Files, s.Bytes, s.Undone()})
	}
	return json.NewEncoder(a.out).Encode(rows)
}
