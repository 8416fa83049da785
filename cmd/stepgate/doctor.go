package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/stepgate/stepgate/internal/doctor"
	"github.com/stepgate/stepgate/internal/keystore"
)

type doctorCmd struct {
	JSON   bool `name:"json" help:"Print the checks as JSON."`
	Strict bool `help:"End with exit code 1 when a check failed."`
}

// Help is printed below the flags.
func (doctorCmd) Help() string {
	return `It proves that the gate works: settings, folders, key, what is installed where, and the installed hook itself over a harmless and a dangerous call.

Examples:
  stepgate doctor
  stepgate doctor --strict --json`
}

// doctorReport is what doctor --json prints.
type doctorReport struct {
	Ready  bool           `json:"ready"`
	Checks []doctor.Check `json:"checks"`
}

func (c doctorCmd) Run(a *app) error {
	cwd, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("current folder: %w", err)
	}
	g, err := a.gateHere("claude")
	if err != nil {
		return err
	}
	checks := doctor.Run(a.ctx, doctor.Options{Env: a.env, CWD: cwd, Keyring: keystore.System{Getenv: a.env.Getenv}, Offline: a.mayTry(g)})
	failed := doctor.Failed(checks)
	if c.JSON {
		err = json.NewEncoder(a.out).Encode(doctorReport{!failed, checks})
	} else {
		for _, k := range checks {
			hang(a.out, fmt.Sprintf("%-6s", k.Status), k.Name+": "+k.Detail)
			if k.Fix != "" {
				fmt.Fprintln(a.out, wrap("do: "+k.Fix, "      "))
			}
		}
		word := "ready"
		if failed {
			word = "degraded"
		}
		_, err = fmt.Fprintln(a.out, word)
	}
	if err == nil && failed && c.Strict {
		return &exitError{code: exitFailed}
	}
	return err
}
