package main

import (
	"fmt"
	"io"
	"os"

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

// bullets prints texts as a list that fits 80 columns.
func bullets(w io.Writer, texts []string) {
	for _, t := range texts {
		fmt.Fprintln(w, "- "+wrap(t, "  ")[2:])
	}
}

// needPerson refuses what only a person may do when the command runs under an agent.
func (a *app) needPerson(what string) error {
	for _, mark := range [...]string{"CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CODEX_SANDBOX", "CODEX_THREAD_ID"} {
		if a.env.Getenv(mark) != "" {
			return fmt.Errorf("%s is for a person, and this runs under an agent (%s is set); nothing was changed\nhint: run it in a terminal of your own", what, mark)
		}
	}
	return nil
}
