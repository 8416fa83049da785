//go:build unix

package child

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup puts the child at the head of a process group of its own, so that all it starts can be ended with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(p *os.Process) {
	// No such group: all of it has ended.
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL)
}
