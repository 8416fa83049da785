//go:build unix

package main

import (
	"os"
	"syscall"
)

// peakKB is the most memory that an ended process held.
func peakKB(p *os.ProcessState) int64 {
	if u, ok := p.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss
	}
	return 0
}
