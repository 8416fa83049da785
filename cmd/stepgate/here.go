package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/stepgate/stepgate/internal/config"
	"github.com/stepgate/stepgate/internal/doctor"
	"github.com/stepgate/stepgate/internal/keystore"
	"github.com/stepgate/stepgate/internal/proc"
	"github.com/stepgate/stepgate/internal/setup"
)

// gateHere is the gate as an agent started in the current folder would have it.
func (a *app) gateHere(agent string) (*setup.Gate, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("current folder: %w", err)
	}
	p, ok := setup.Protocol(agent)
	if !ok {
		return nil, fmt.Errorf("agent %q is not one of %v", agent, setup.Agents)
	}
	return setup.New(a.env, agent, p, cwd), nil
}

// readFile reads a file that must not be longer than most bytes.
func readFile(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, path, most)
}

func readAll(r io.Reader, name string, most int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(b)) > most {
		err = fmt.Errorf("%s is longer than %d bytes", name, most)
	}
	return b, err
}

// managed is the administrator's file.
func (a *app) managed() string { return cmp.Or(a.env.Managed, config.ManagedFile) }

// needPerson refuses what only a person may do when the command runs under an agent.
func (a *app) needPerson(what string) error {
	if why := proc.UnderAgent(a.env.Getenv); why != "" {
		return notForAgents(what, why)
	}
	up := proc.Ancestors(os.Getpid())
	for _, agent := range a.running() {
		for _, p := range up {
			if p.PID == agent.PID && (p.Start == agent.Start || agent.Start == 0) {
				return notForAgents(what, fmt.Sprintf("process %d started a session that is recorded", p.PID))
			}
		}
	}
	return nil
}

func notForAgents(what, why string) error {
	return fmt.Errorf("%s is for a person, and this runs under an agent (%s); nothing was changed\nhint: run it in a terminal of your own", what, why)
}

// mayTry readies this process for sending the key to the configured server, or says why it may not. Who runs a command
// for an agent chooses its environment: by that, or by a flag, the key could be had. Of a person's environment only what
// the project's agent settings name is left out, as the hook does: a proxy or a certificate file would be handed the key.
func (a *app) mayTry(g *setup.Gate) error {
	if err := a.needPerson("trying the key"); err != nil {
		return err
	}
	for _, kv := range a.env.Environ {
		if name, _, _ := strings.Cut(kv, "="); g.ProjectEnv.Has(name) {
			os.Unsetenv(name) // the network's and the system's packages read these by themselves
		}
	}
	return nil
}

// tryKey says what the judge's server makes of the key, in a word of doctor's.
func (a *app) tryKey(g *setup.Gate, keys keystore.Store) (string, error) {
	if err := a.mayTry(g); err != nil && g.Remote != nil {
		return doctor.Skipped, err
	}
	return doctor.Probe(a.ctx, g.Config, keys)
}

// maxRunning bounds the sessions that are looked at for a running agent, the newest first.
const maxRunning = 200

// running are the processes of agents that recorded sessions tell of.
func (a *app) running() []proc.Process {
	g, err := a.gateHere("claude")
	if err != nil {
		return nil
	}
	if g.StateHome == "" {
		return nil // and so no session
	}
	all, err := g.Store.Sessions()
	if err != nil {
		a.complain(err)
	}
	var out []proc.Process
	for _, l := range all[:min(len(all), maxRunning)] {
		if l.Archived {
			continue
		}
		// A session that cannot be read tells of no process.
		if m, err := g.Store.Find(l.Name, g.Root).Recall(""); err == nil && m.Totals.PID > 1 {
			out = append(out, proc.Process{PID: m.Totals.PID, Start: m.Totals.PIDStart})
		}
	}
	return out
}
