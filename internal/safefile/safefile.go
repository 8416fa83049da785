// Package safefile opens and creates the files and folders that must be the gate's own: folders 0700, files 0600, of
// this user, and never reached through a link in place of the file or of the folder.
//
// It promises nothing about the folders above the gate's own, and nothing against a process of the same user. On
// Windows, where a file in the profile is private by inheritance, owner and mode are not looked at.
package safefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrNotOurs is wrapped by every refusal: a link, a folder, a pipe or a device where a file should be, another owner.
var ErrNotOurs = errors.New("not a private file of this user")

// ErrTooBig is wrapped when a file is larger than its reader allows.
var ErrTooBig = errors.New("larger than its limit")

// Dir makes root and, inside it, one folder for each further element, and gives the path of the last. Each must be a
// real folder of this user; permissions for others are taken away.
func Dir(root string, elem ...string) (string, error) {
	if _, err := os.Lstat(root); errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(root, 0o700); err != nil {
			return "", err
		}
	}
	return walk(root, elem, ensureDir)
}

func ensureDir(path string) (fs.FileInfo, error) {
	fi, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		fi, err = os.Lstat(path)
	}
	if private && err == nil && fi.IsDir() && owned(fi) && fi.Mode().Perm()&0o077 != 0 {
		err = os.Chmod(path, 0o700)
	}
	return fi, err
}

// CheckDir is Dir for a reader: it makes and changes nothing, and a folder that is not there is an error.
func CheckDir(root string, elem ...string) (string, error) { return walk(root, elem, os.Lstat) }

func walk(root string, elem []string, stat func(string) (fs.FileInfo, error)) (string, error) {
	if root == "" {
		return "", errors.New("no folder given")
	}
	path := root
	for i := 0; ; i++ {
		fi, err := stat(path)
		if err == nil {
			err = checkDir(path, fi)
		}
		if err != nil {
			return "", err
		}
		if i == len(elem) {
			return path, nil
		}
		path = filepath.Join(path, elem[i])
	}
}

func checkDir(path string, fi fs.FileInfo) error {
	switch {
	case !fi.IsDir():
		return fmt.Errorf("folder %q: %w (%s)", path, ErrNotOurs, fi.Mode().Type())
	case !owned(fi):
		return fmt.Errorf("folder %q: %w (other owner)", path, ErrNotOurs)
	}
	return nil
}

// Open opens a file of this user, with 0600 when flag creates it. It follows no link in place of the file and does not
// wait for a pipe; what is not a plain file of this user is refused before anything is read or written.
func Open(path string, flag int) (*os.File, error) {
	f, _, err := open(path, flag)
	return f, err
}

func open(path string, flag int) (*os.File, fs.FileInfo, error) {
	if !private { // no O_NOFOLLOW there
		if fi, err := os.Lstat(path); err == nil && !fi.Mode().IsRegular() {
			return nil, nil, fmt.Errorf("file %q: %w (%s)", path, ErrNotOurs, fi.Mode().Type())
		}
	}
	f, err := os.OpenFile(path, flag|FlagNoFollow, 0o600)
	if err != nil {
		return nil, nil, openError(path, err)
	}
	fi, err := f.Stat()
	if err == nil {
		err = check(path, fi)
	}
	if err == nil && private && flag&(os.O_WRONLY|os.O_RDWR) != 0 && fi.Mode().Perm()&0o077 != 0 {
		err = f.Chmod(0o600)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, fi, nil
}

func check(path string, fi fs.FileInfo) error {
	switch {
	case !fi.Mode().IsRegular():
		return fmt.Errorf("file %q: %w (%s)", path, ErrNotOurs, fi.Mode().Type())
	case !owned(fi):
		return fmt.Errorf("file %q: %w (other owner)", path, ErrNotOurs)
	}
	return nil
}

// Read reads a whole file of this user, at most limit bytes of it.
func Read(path string, limit int64) ([]byte, error) {
	f, fi, err := open(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if fi.Size() > limit {
		return nil, fmt.Errorf("file %q: %d bytes: %w (%d)", path, fi.Size(), ErrTooBig, limit)
	}
	// One more than the size, so that a file that grows meanwhile is read in one piece and noticed.
	b := make([]byte, 0, fi.Size()+1)
	for {
		n, err := f.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		switch {
		case int64(len(b)) > limit:
			return nil, fmt.Errorf("file %q: %w (%d)", path, ErrTooBig, limit)
		case err == io.EOF:
			return b, nil
		case err != nil:
			return nil, err
		case len(b) == cap(b):
			b = append(b, 0)[:len(b)]
		}
	}
}

// Write puts data in place of a file, whole or not at all: a new file beside it, on disk before it takes the name. A
// link in place of the file is replaced, not followed. The folder must exist.
func Write(path string, data []byte) error {
	tmp, err := Temp(filepath.Dir(path), data)
	if err != nil {
		return err
	}
	if err := os.Rename(tmp, path); err != nil {
		os.Remove(tmp) // the rename's error is the one to tell
		return err
	}
	return nil
}

// TempPrefix begins the name of every file that Write or Temp has not yet given its place; one that is hours old was
// left behind by a killed process.
const TempPrefix = ".tmp-"

// Temp writes data, to the disk, into a new 0600 file of dir and gives its path, for callers that link or rename it.
func Temp(dir string, data []byte) (path string, err error) {
	f, err := os.CreateTemp(dir, TempPrefix)
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		os.Remove(f.Name()) // the write's error is the one to tell
		return "", err
	}
	return f.Name(), nil
}
