//go:build unix

package snapshot

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"syscall"
)

const errNotDir = syscall.ENOTDIR

// ownerOf is a file's "uid:gid" where it is not this process's. Only the super-user could give such a file back.
func ownerOf(fi fs.FileInfo) (string, error) {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok || int(st.Uid) == os.Geteuid() && int(st.Gid) == os.Getegid() {
		return "", nil
	}
	if os.Geteuid() == 0 {
		return strconv.Itoa(int(st.Uid)) + ":" + strconv.Itoa(int(st.Gid)), nil
	}
	if int(st.Uid) != os.Geteuid() {
		return "", errors.New("the file of another user")
	}
	return "", nil
}
