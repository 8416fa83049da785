//go:build !linux || (!amd64 && !arm64)

package prefault

// Image has nothing to do.
func Image() {}

// Heap has nothing to do.
func Heap() {}
