//go:build linux || darwin || freebsd || netbsd || openbsd

package effect

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// lookBelow gives what says of an entry that its file plainly stands as the index has it. Each file is looked at from the
// root, so that the path which leads there is not walked for every one; may be called from several goroutines until done.
func (s *state) lookBelow() (look func(*tracked) bool, done func()) {
	root, err := os.Open(s.root)
	if err != nil {
		return func(*tracked) bool { return false }, func() {}
	}
	fd := int(root.Fd())
	look = func(t *tracked) bool {
		var st unix.Stat_t
		if unix.Fstatat(fd, t.name, &st, unix.AT_SYMLINK_NOFOLLOW) != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
			return false
		}
		sec, nsec := st.Mtim.Unix()
		return s.untouched(st.Size, sec, nsec, t)
	}
	return look, func() { root.Close() }
}

// links gives a file, and how many names it has.
func links(fi fs.FileInfo) (inode, uint64) {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return inode{}, 1
	}
	return inode{uint64(st.Dev), uint64(st.Ino)}, uint64(st.Nlink)
}
