//go:build !unix

package config

import (
	"errors"
	"io/fs"
	"os"
)

func openFile(path string, follow bool) (*os.File, error) {
	if !follow {
		info, err := os.Lstat(path)
		if err != nil {
			return nil, err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return nil, errors.New("a link is not followed here")
		}
	}
	return os.Open(path)
}

// trusted has nothing to ask where files have no owner in this sense.
func trusted(fs.FileInfo, bool) error { return nil }
