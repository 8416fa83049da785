package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/stepgate/stepgate/internal/safefile"
)

// KeyFile marks, in the config folder, that a person stored a key with stepgate key set. It holds no key.
const KeyFile = "key.set"

// KeyMarked says that the mark is there. The hook asks it instead of a keyring.
func KeyMarked(home string) bool {
	if home == "" {
		return false
	}
	info, err := os.Lstat(filepath.Join(home, KeyFile))
	return err == nil && info.Mode().IsRegular()
}

// MarkKey sets the mark or takes it away.
func MarkKey(home string, set bool) error {
	if home == "" {
		return ErrNoHome
	}
	path := filepath.Join(home, KeyFile)
	if !set {
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	if _, err := safefile.Dir(home); err != nil {
		return err
	}
	return safefile.Write(path, []byte("a key is in this user's keyring\n"))
}
