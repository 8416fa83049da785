package session

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/stepgate/stepgate/internal/safefile"
)

const keyBytes = 32

func (f *File) keyPath() string { return filepath.Join(f.store.Dir, keysDir, f.name+".key") }

// Key is the session's secret: 32 random bytes in a file of their own, made when first asked for. Processes that ask at
// once get the same.
func (f *File) Key() ([]byte, error) {
	if f.secret != nil {
		return f.secret, nil
	}
	if f.store.Dir == "" {
		return nil, errNoHome
	}
	path := f.keyPath()
	key, err := safefile.Read(path, keyBytes)
	if errors.Is(err, fs.ErrNotExist) {
		if err := f.makeKey(path); err != nil {
			return nil, fmt.Errorf("make the session's key: %w", err)
		}
		key, err = safefile.Read(path, keyBytes)
	}
	if err == nil && len(key) != keyBytes {
		err = fmt.Errorf("key file %q has %d bytes, not %d\nhint: delete it, and the session gets a new one", path, len(key), keyBytes)
	}
	if err != nil {
		return nil, fmt.Errorf("read the session's key: %w", err)
	}
	f.secret = key
	return key, nil
}

// makeKey puts a whole new key in place unless there is one: a link, unlike a rename, does not replace.
func (f *File) makeKey(path string) error {
	dir, err := safefile.Dir(f.store.Dir, keysDir)
	if err != nil {
		return err
	}
	key := make([]byte, keyBytes)
	rand.Read(key) // never fails
	tmp, err := safefile.Temp(dir, key)
	if err != nil {
		return err
	}
	defer os.Remove(tmp)
	err = os.Link(tmp, path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	// A file system without links. Two processes that come here at once may get two keys, one of which is kept.
	if exists(path) {
		return nil
	}
	return os.Rename(tmp, path)
}

// Fingerprint tells whether two calls of a session are the same without telling what they were: the tool, its input in
// a normal form, and what else makes it that call. Without a key there is none: a plain hash of a short input can be
// guessed.
func Fingerprint(key []byte, tool string, parts ...string) string {
	if len(key) == 0 {
		return ""
	}
	h := hmac.New(sha256.New, key)
	buf := make([]byte, 1<<10) // an input may be large, and a conversion would copy it whole
	for i, part := range append([]string{tool}, parts...) {
		if i > 0 {
			h.Write([]byte{0})
		}
		for len(part) > 0 {
			n := copy(buf, part)
			h.Write(buf[:n])
			part = part[n:]
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
