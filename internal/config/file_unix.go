//go:build unix

package config

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// openFile never waits for the other end of a pipe.
func openFile(path string, follow bool) (*os.File, error) {
	flags := os.O_RDONLY | syscall.O_NONBLOCK
	if !follow {
		flags |= syscall.O_NOFOLLOW
	}
	f, err := os.OpenFile(path, flags, 0)
	if errors.Is(err, syscall.ELOOP) {
		return nil, errors.New("a link is not followed here")
	}
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, fs.ErrNotExist
	}
	return f, err
}

// trusted refuses a file that somebody else could have written.
func trusted(info fs.FileInfo, root bool) error {
	st, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok:
		return nil
	case st.Uid != 0 && root:
		return errors.New("not owned by root")
	case st.Uid != 0 && int(st.Uid) != os.Getuid():
		return errors.New("owned by another user")
	case info.Mode().Perm()&0o022 != 0:
		return errors.New("others may write to it (chmod go-w)")
	}
	return nil
}
