package safefile

import "os"

// Owned says that a file or folder is there and belongs to the user; where owners mean nothing, that it is there.
func Owned(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && owned(fi)
}
