//go:build unix

package session

import "syscall"

// alive says whether there is a process of this number, which may be another one by now.
func alive(pid int) bool {
	if pid <= 0 {
		return false
	}
	err := syscall.Kill(pid, 0)
	return err == nil || err == syscall.EPERM
}
