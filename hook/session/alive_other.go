//go:build !unix

package session

import "os"

// alive says whether there is a process of this number, which may be another one by now.
func alive(pid int) bool {
	if pid <= 0 {
		return false
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	p.Release() // nothing is done with it
	return true
}
