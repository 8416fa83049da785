//go:build unix

package child

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// alive tells a process that runs from one that is gone or waits to be buried.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}
