package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/internal/config"
	"github.com/stepgate/stepgate/internal/report"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/rulebook"
)

type policyCmd struct {
	List     policyListCmd     `cmd:"" default:"withargs" help:"Show the policies in force."`
	Lint     policyLintCmd     `cmd:"" help:"Say what is wrong with a policy file."`
	Template policyTemplateCmd `cmd:"" help:"Print a commented policy file to begin with."`
	Test     policyTestCmd     `cmd:"" help:"Try the examples, hit and miss, of policies."`
	Allow    policyAllowCmd    `cmd:"" help:"Silence one rule or policy, for one place or this project."`
	Path     policyPathCmd     `cmd:"" help:"Print the path of the policy file."`
}

// Help is printed below the flags.
func (policyCmd) Help() string {
	return `Examples:
  stepgate policy template > "$(stepgate policy path)"
  stepgate policy allow fs.delete-only-copy ./scratch`
}

type policyListCmd struct {
	JSON     bool `name:"json" help:"Print them as JSON."`
	Examples bool `help:"Show the newest calls of this project that broke each, as the record has them."`
}

func (c policyListCmd) Run(a *app) error {
	g, err := a.gateHere("claude")
	if err != nil {
		return err
	}
	var broken report.Examples
	if c.Examples {
		if broken, err = a.violations(); err != nil {
			return err
		}
	}
	if c.JSON {
		err = json.NewEncoder(a.out).Encode(struct {
			Policies []rulebook.Policy `json:"policies"`
			Tau      float64           `json:"tau"`
			Error    string            `json:"error,omitempty"`
			Examples report.Examples   `json:"examples,omitempty"`
		}{g.Book.Policies, g.Policy.Tau, g.PolicyFault, broken})
	} else {
		for _, p := range g.Book.Policies {
			showPolicy(a.out, p)
			for _, text := range broken[p.ID] {
				fmt.Fprintln(a.out, wrap("broken by: "+clip(text, 200), "    "))
			}
		}
		fmt.Fprintf(a.out, "\nA call is denied when what it breaks weighs more than %g (tau) together.\n", g.Policy.Tau)
	}
	if g.PolicyFault != "" {
		return errors.New(g.PolicyFault + "\nhint: stepgate policy lint")
	}
	return err
}

// violations are the calls of this project's sessions that broke policies, as far as their records can be read.
func (a *app) violations() (report.Examples, error) {
	sessions, err := a.sessionFiles("", false)
	out := report.Examples{}
	slices.Reverse(sessions) // they come with the newest first
	for _, path := range slices.Concat(sessions...) {
		for l, err := range session.Read(path) {
			if err == nil {
				out.Add(l)
			}
		}
	}
	return out, err
}

func showPolicy(w io.Writer, p rulebook.Policy) {
	by := "decided without a judge"
	if p.When == nil {
		by = "asked of the judge"
	}
	fmt.Fprintf(w, "%s  %s, %s [%s]\n", p.ID, p.Severity, by, clip(cmp.Or(p.From, "built in"), 200))
	fmt.Fprintln(w, wrap(clip(p.Description, 400), "    "))
	if p.Alternative != "" {
		fmt.Fprintln(w, wrap("instead: "+clip(p.Alternative, 400), "    "))
	}
}

type policyLintCmd struct {
	File string `arg:"" optional:"" help:"The file, TOML or JSON; the one in the config folder if not given." type:"path"`
	JSON bool   `name:"json" help:"Print what is found as JSON."`
}

func (c policyLintCmd) Run(a *app) error {
	own, warnings, err := a.policyFile(c.File)
	warnings = append(warnings, rulebook.Lint(own)...)
	if c.JSON {
		found := struct {
			Policies int      `json:"policies"`
			Warnings []string `json:"warnings"`
			Error    string   `json:"error,omitempty"`
		}{len(own), append([]string{}, warnings...), ""}
		if err != nil {
			found.Error, _, _ = strings.Cut(err.Error(), "\n")
		}
		return errors.Join(json.NewEncoder(a.out).Encode(found), quiet(err))
	}
	for _, w := range warnings {
		fmt.Fprintln(a.out, wrap("warning: "+w, ""))
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.out, "%s, no error\n", policy.Many(len(own), "policy"))
	return err
}

// policyFile reads a policy file as the gate would.
func (a *app) policyFile(path string) ([]rulebook.Policy, []string, error) {
	if path == "" {
		var err error
		if path, err = a.policyPath(); err != nil {
			return nil, nil, err
		}
	}
	b, err := readFile(path, rulebook.MaxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("there is no policy file %s\nhint: stepgate policy template prints one to begin with", path)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("policy file: %w", err)
	}
	return rulebook.Read(path, b)
}

// policyPath is where the person's policies stand, or would.
func (a *app) policyPath() (string, error) {
	g, err := a.gateHere("claude")
	if err != nil {
		return "", err
	}
	if g.ConfigHome == "" {
		return "", config.ErrNoHome
	}
	toml, other := filepath.Join(g.ConfigHome, config.PolicyFile), filepath.Join(g.ConfigHome, config.PolicyFileJSON)
	if _, err := os.Lstat(toml); errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(other); err == nil {
			return other, nil
		}
	}
	return toml, nil
}

type policyPathCmd struct{}

func (policyPathCmd) Run(a *app) error {
	path, err := a.policyPath()
	if err == nil {
		_, err = fmt.Fprintln(a.out, path)
	}
	return err
}

type policyTemplateCmd struct {
	Preset string `help:"How strict: conservative, balanced or aggressive." default:"balanced" placeholder:"NAME"`
}

func (c policyTemplateCmd) Run(a *app) error {
	text, ok := rulebook.Template(strings.ToLower(c.Preset))
	if !ok {
		return &exitError{exitUsage, fmt.Errorf("preset %q is not one of %s", c.Preset, strings.Join(rulebook.Presets[:], ", "))}
	}
	_, err := io.WriteString(a.out, text)
	return err
}
