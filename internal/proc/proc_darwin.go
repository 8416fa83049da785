package proc

import (
	"bytes"

	"golang.org/x/sys/unix"
)

// Get asks the kernel about one process.
func Get(pid int) (Process, bool) {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(k.Proc.P_pid) != pid {
		return Process{}, false
	}
	comm := make([]byte, 0, len(k.Proc.P_comm))
	for _, c := range k.Proc.P_comm {
		comm = append(comm, byte(c))
	}
	name, _, _ := bytes.Cut(comm, []byte{0})
	start := k.Proc.P_starttime
	return Process{
		PID: pid, Parent: int(k.Eproc.Ppid), Name: string(name), Start: int64(start.Sec)*1_000_000 + int64(start.Usec),
	}, true
}
