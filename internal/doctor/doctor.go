// Package doctor proves that the gate works: it looks at the settings, folders and programs, and runs the installed hook
// over a harmless and a dangerous call in a session of its own.
//
// It changes nothing of this user's: the canary has homes of its own. What a repository's own settings would start is
// looked at and not run, since whoever wrote the repository wrote them.
package doctor

import (
	"context"
	"path/filepath"
	"runtime"

	"github.com/stepgate/stepgate/hook/agent/claude"
	"github.com/stepgate/stepgate/install"
	"github.com/stepgate/stepgate/internal/keystore"
	"github.com/stepgate/stepgate/internal/setup"
	"github.com/stepgate/stepgate/redact"
)

// Status says how a check came out.
type Status string

const (
	OK   Status = "ok"
	Warn Status = "warn" // the gate works, but not as well as it could
	Fail Status = "fail" // calls go unguarded, or a setting does not hold
)

// Check is one thing that was looked at.
type Check struct {
	Name   string `json:"name"`
	Status Status `json:"status"`
	Detail string `json:"detail"`
	// Fix names what to do, empty where there is nothing.
	Fix string `json:"fix,omitempty"`
}

// Options say whose gate is examined.
type Options struct {
	Env     setup.Env
	CWD     string
	Keyring keystore.Keyring
	// Offline says why the judge's server is not asked; nil: it is.
	Offline error
}

// exam is one examination.
type exam struct {
	Options
	gate   *setup.Gate
	hook   string // the hook's program beside this one
	states []install.State
	found  []Check
}

func newExam(o Options) *exam {
	e := &exam{Options: o, gate: setup.New(o.Env, "claude", claude.Protocol{}, o.CWD)}
	e.hook = filepath.Join(filepath.Dir(o.Env.Program), "stepgate-hook")
	if runtime.GOOS == "windows" {
		e.hook += ".exe"
	}
	return e
}

// Run makes all checks, in the order they build on each other.
func Run(ctx context.Context, o Options) []Check {
	e := newExam(o)
	e.settings()
	e.folders()
	e.programs(ctx)
	e.judge(ctx)
	e.agents()
	e.canary(ctx)
	e.heartbeat()
	e.tokens()
	return e.found
}

// Failed says that a check failed.
func Failed(checks []Check) bool {
	for _, c := range checks {
		if c.Status == Fail {
			return true
		}
	}
	return false
}

func (e *exam) add(name string, s Status, detail, fix string) {
	e.found = append(e.found, Check{name, s, redact.New(redact.Options{}).String(detail).Line().String(), fix})
}
