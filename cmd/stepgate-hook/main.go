// Command stepgate-hook answers one hook event of a coding agent: the event on standard input, at most one JSON document
// on standard output.
//
// It has no network code, no key and no command-line library; what it imports is paid for on every call of the agent.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/internal/setup"
	"github.com/stepgate/stepgate/internal/version"
)

// Exit codes. 1 is never used: both agents take it for a hook that has nothing to say, and run the call.
const (
	exitOK    = 0
	exitBlock = 2 // with text on standard error, blocks the call in both agents
)

const usage = `usage: stepgate-hook AGENT

Answers one hook event of a coding agent (claude, codex) on standard input.
It is started by the agent; "stepgate install AGENT" sets that up.
`

// stdinDeadline is how long an agent may take to hand over an event.
const stdinDeadline = 4 * time.Second

func main() { os.Exit(run(os.Args[1:], os.Stdin, unsignalled(os.Stdout), unsignalled(os.Stderr))) }

func run(args []string, stdin *os.File, stdout, stderr io.Writer) (code int) {
	defer func() {
		if p := recover(); p != nil {
			// The value may hold parts of the call, so it is not printed.
			fmt.Fprintln(stderr, "stepgate has a bug and stopped this call to be safe; please report it (stepgate doctor)")
			code = exitBlock
		}
	}()
	if len(args) == 1 && args[0] == "version" {
		fmt.Fprintln(stdout, "stepgate-hook", version.String())
		return exitOK
	}
	var protocol agent.Protocol
	if len(args) == 1 {
		protocol, _ = setup.Protocol(args[0])
	}
	if protocol == nil {
		fmt.Fprint(stderr, usage)
		return exitBlock
	}
	out := answer(args[0], protocol, stdin, stderr)
	stderr.Write(out.Stderr)
	if _, err := stdout.Write(out.Stdout); err != nil {
		fmt.Fprintln(stderr, "stepgate could not write its answer")
		return exitBlock
	}
	return out.Exit
}

// answer reads one event and walks the line.
func answer(name string, protocol agent.Protocol, stdin *os.File, stderr io.Writer) agent.Output {
	payload, late := read(stdin, agent.MaxPayload+1, stdinDeadline)
	ev, err := protocol.Parse(payload)
	if late && errors.Is(err, agent.ErrEmpty) {
		err = fmt.Errorf("nothing came on standard input within %s", stdinDeadline)
	}
	cwd := ev.CWD
	if cwd == "" {
		cwd, _ = os.Getwd() // a folder that is gone leaves the project unknown, and paths in it unsure
	}
	complained := false
	gate := setup.New(setup.OS(func(err error) {
		if !complained {
			fmt.Fprintln(stderr, "stepgate:", err)
			complained = true
		}
	}), name, protocol, cwd)
	switch {
	case errors.Is(err, agent.ErrTooLarge):
		return gate.TooLarge(ev, agent.MaxPayload)
	case err != nil:
		return gate.Unreadable(err)
	}
	return gate.Handle(context.Background(), ev)
}
