package proc

import (
	"os"
	"strconv"
	"strings"
)

// Get looks a process up in /proc.
func Get(pid int) (Process, bool) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return Process{}, false
	}
	return parseStat(pid, string(b))
}

// parseStat reads proc_pid_stat(5): the name stands in parentheses and may hold any character, so the last one ends it.
func parseStat(pid int, stat string) (Process, bool) {
	open, end := strings.IndexByte(stat, '('), strings.LastIndexByte(stat, ')')
	if open < 0 || end < open {
		return Process{}, false
	}
	f := strings.Fields(stat[end+1:])
	if len(f) < 20 {
		return Process{}, false
	}
	parent, err1 := strconv.Atoi(f[1])
	start, err2 := strconv.ParseInt(f[19], 10, 64)
	return Process{PID: pid, Parent: parent, Name: stat[open+1 : end], Start: start}, err1 == nil && err2 == nil
}
