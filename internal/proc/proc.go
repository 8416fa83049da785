// Package proc tells which process started which, so that a command can see that it runs under an agent.
//
// It promises no more than the system shows: a process that detached itself has no ancestors to be found.
package proc

import "strings"

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

func shell(name string) bool {
	switch name {
	case "sh", "bash", "dash", "zsh", "ksh", "fish", "busybox":
		return true
	}
	return false
}
