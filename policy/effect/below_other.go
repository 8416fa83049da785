//go:build !(linux || darwin || freebsd || netbsd || openbsd)

package effect

import (
	"io/fs"
	"os"
	"path/filepath"
)

// lookBelow gives what says of an entry that its file plainly stands as the index has it.
func (s *state) lookBelow() (look func(*tracked) bool, done func()) {
	look = func(t *tracked) bool {
		fi, err := os.Lstat(filepath.Join(s.root, t.name))
		if err != nil || !fi.Mode().IsRegular() {
			return false
		}
		m := fi.ModTime()
		return s.untouched(fi.Size(), m.Unix(), int64(m.Nanosecond()), t)
	}
	return look, func() {}
}

// links gives a file, and how many names it has: one, as far as can be told here.
func links(fs.FileInfo) (inode, uint64) { return inode{}, 1 }
