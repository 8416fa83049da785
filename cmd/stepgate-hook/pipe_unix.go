//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// unsignalled gives standard output or error under another number. A write to a broken pipe then fails; under 1 and 2 Go
// ends the process with a signal, which both agents take for a hook that has nothing to say.
func unsignalled(f *os.File) *os.File {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return f
	}
	return os.NewFile(uintptr(fd), f.Name())
}
