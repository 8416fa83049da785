// Package proc tells which process started which, so that a command can see that it runs under an agent.
//
// It promises no more than the system shows: a process that detached itself has no ancestors to be found.
package proc

import (
	"fmt"
	"os"
	"strings"
)

// Process is one running process.
type Process struct {
	PID, Parent int
	// Name is the program's name as the system shows it, cut short by some.
	Name string
	// Start tells this process from a later one with the same number; 0 where the system does not say.
	Start int64
}

// maxDepth bounds a walk over ancestors.
const maxDepth = 64

// Ancestors are the processes above pid, its parent first.
func Ancestors(pid int) []Process {
	var out []Process
	p, ok := Get(pid)
	for ok && p.Parent > 1 && len(out) < maxDepth {
		if p, ok = Get(p.Parent); ok {
			out = append(out, p)
		}
	}
	return out
}

// Agent is the process that started a hook: the parent, or, where that is the shell the hook was started through, the
// one above it.
func Agent(hook int) Process {
	var last Process
	for _, p := range Ancestors(hook) {
		if last = p; !shell(p.Name) {
			break
		}
	}
	return last
}

// OfAgent says that a process goes by the name of a coding agent.
func (p Process) OfAgent() bool {
	switch strings.ToLower(p.Name) {
	case "claude", "codex":
		return true
	}
	return false
}

// UnderAgent says why this process seems to run under a coding agent, empty if it does not: by the agent's variables, or
// by the name of a process above it, whatever the environment was set to.
func UnderAgent(getenv func(string) string) (why string) {
	for _, mark := range [...]string{"CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CODEX_SANDBOX", "CODEX_THREAD_ID"} {
		if getenv(mark) != "" {
			return mark + " is set"
		}
	}
	for _, p := range Ancestors(os.Getpid()) {
		if p.OfAgent() {
			return fmt.Sprintf("process %d is %s", p.PID, p.Name)
		}
	}
	return ""
}

func shell(name string) bool {
	switch name {
	case "sh", "bash", "dash", "zsh", "ksh", "fish", "busybox":
		return true
	}
	return false
}
