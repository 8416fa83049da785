//go:build unix

package main

import (
	"os"
	"syscall"
)

// pageFaults are those that needed no disk: each is a page the process touched for the first time, or asked for.
func pageFaults(p *os.ProcessState) int64 {
	if u, ok := p.SysUsage().(*syscall.Rusage); ok {
		return int64(u.Minflt)
	}
	return 0
}
