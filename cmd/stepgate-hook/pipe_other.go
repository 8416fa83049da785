//go:build !unix

package main

import "os"

// unsignalled has nothing to do where there are no signals.
func unsignalled(f *os.File) *os.File { return f }
