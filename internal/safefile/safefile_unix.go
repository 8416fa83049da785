//go:build unix

package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// FlagNoFollow is added to the flags of an open: fail on a link in place of the file, and do not wait for a pipe's
// other end.
const FlagNoFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// private says that owners and modes have a meaning here.
const private = true

func owned(fi fs.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

// openError gives the errors that stand for a link (ELOOP, on some systems EMLINK or EFTYPE) and for a pipe or socket
// (ENXIO) their meaning.
func openError(path string, err error) error {
	if errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.EMLINK) || errors.Is(err, syscall.ENXIO) || errors.Is(err, syscall.EISDIR) {
		return fmt.Errorf("file %q: %w (%w)", path, ErrNotOurs, err)
	}
	return err
}
