package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/stepgate/stepgate/install"
	"github.com/stepgate/stepgate/internal/setup"
	"github.com/stepgate/stepgate/verifier/jev"
)

// target is what install and uninstall have in common.
type target struct {
	Agent  string        `arg:"" help:"The agent: ${enum}." enum:"claude,codex"`
	Scope  install.Scope `help:"Whose settings: ${enum}." enum:"user,project,local" default:"user"`
	DryRun bool          `help:"Show the change and make none."`
}

type installCmd struct {
	target
	FailClosed *bool `negatable:"" help:"Have the agent refuse calls when the hook itself breaks; the setting fail_closed decides if not given."`
	Gitignore  bool  `help:"Add the log folder to the project's .gitignore, where log_dir lies inside the project."`
}

// Help is printed below the flags.
func (installCmd) Help() string {
	return `One entry for each event is put into the agent's own settings, and for Claude Code a command file, so that it knows
/stepgate. The change is shown before it is made.

Examples:
  stepgate install claude --dry-run
  stepgate install codex --scope project`
}

type uninstallCmd struct{ target }

// Help is printed below the flags.
func (uninstallCmd) Help() string {
	return `Where nothing else has changed since the install, the settings file is as it was before, to the byte.

Examples:
  stepgate uninstall claude
  stepgate uninstall codex --scope project --dry-run`
}

func (c installCmd) Run(a *app) error {
	g, err := a.gateHere(c.Agent)
	if err != nil {
		return err
	}
	o := a.installOptions(g)
	o.FailClosed = g.Config.FailClosed && c.Scope != install.Project
	if c.FailClosed != nil {
		o.FailClosed = *c.FailClosed
	}
	if o.Program, err = install.Find(a.env.Program, a.env.Getenv("PATH")); err != nil {
		return err
	}
	change, err := install.Plan(c.Agent, c.Scope, o)
	if err != nil {
		return err
	}
	changes := []step{{change, "installed"}}
	if command, ok, err := install.Command(c.Agent, c.Scope, o); err != nil {
		return err
	} else if ok {
		changes = append(changes, step{command, "installed"})
	}
	if c.Gitignore {
		ignore, err := ignored(g)
		if err != nil {
			return fmt.Errorf("--gitignore: %w; nothing was changed", err)
		}
		changes = append(changes, step{ignore, "ignored"})
	}
	return c.applyAll(a, changes)
}

// step is one of the changes of a command, and the word for it once it is made.
type step struct {
	install.Change
	done string
}

func (t target) applyAll(a *app, steps []step) error {
	for _, s := range steps {
		if err := t.apply(a, s.Change, s.done); err != nil {
			return err
		}
	}
	return nil
}

func ignored(g *setup.Gate) (install.Change, error) {
	if g.Config.LogDir == "" {
		return install.Change{}, errors.New("log_dir is not set, so no record lies inside the project")
	}
	c, err := install.Ignore(g.Root, g.Config.LogDir)
	if err != nil {
		return c, fmt.Errorf("log_dir: %w", err)
	}
	return c, nil
}

func (c uninstallCmd) Run(a *app) error {
	if err := a.needPerson("uninstall"); err != nil && !c.DryRun {
		return err
	}
	g, err := a.gateHere(c.Agent)
	if err != nil {
		return err
	}
	o := a.installOptions(g)
	change, err := install.Remove(c.Agent, c.Scope, o)
	if err != nil {
		return err
	}
	changes := []step{{change, "uninstalled"}}
	if command, ok, err := install.RemoveCommand(c.Agent, c.Scope, o); err != nil {
		return err
	} else if ok && command.Existed {
		changes = append(changes, step{command, "uninstalled"})
	}
	return c.applyAll(a, changes)
}

// apply shows a change and makes it.
func (t target) apply(a *app, c install.Change, done string) error {
	if c.Empty() {
		fmt.Fprintf(a.out, "%s already: nothing to change in %s\n", done, c.Path)
		bullets(a.out, c.Notes)
		return nil
	}
	fmt.Fprint(a.out, c.Diff())
	bullets(a.out, c.Notes)
	if t.DryRun {
		_, err := fmt.Fprintln(a.out, "nothing was changed (--dry-run)")
		return err
	}
	if err := c.Apply(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.out, "%s: %s\n", done, c.Path)
	return err
}

func (a *app) installOptions(g *setup.Gate) install.Options {
	log := g.Config.LogDir
	if g.StateHome != "" {
		log = filepath.Join(g.StateHome, "sessions")
		if g.Config.LogDir != "" {
			log += " and " + g.Config.LogDir
		}
	}
	host := g.Config.BaseURL
	if host == "" && g.Config.Judge == "jev" {
		host = jev.DefaultBaseURL
	}
	return install.Options{
		Getenv: a.env.Getenv, Root: g.Root, State: g.StateHome,
		Sends: install.Sends{Judge: g.Config.Judge, Host: host, Log: log},
	}
}
