//go:build unix

// Command peak runs a program, drops its output and prints the most memory it had, in KiB.
//
// On Linux a new process takes over the peak of the one that started it, so it is started from this small one: what is
// below some 3 MiB cannot be told, all above is the program's own.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

func main() {
	c := exec.Command(os.Args[1], os.Args[2:]...)
	c.Stdin, c.Stderr = os.Stdin, os.Stderr
	if err := c.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "peak:", err)
		os.Exit(1)
	}
	kib := int64(c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
	if runtime.GOOS == "darwin" {
		kib /= 1024 // there it is in bytes
	}
	fmt.Println(kib)
}
