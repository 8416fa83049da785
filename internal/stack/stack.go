// Package stack makes a goroutine's stack large in one step.
//
// A stack begins small and is doubled, and copied, whenever it is full. Each size on the way is cut out of a block of
// its own, all of which a new process then touches. The hook is such a process at every call.
package stack

import "github.com/stepgate/stepgate/internal/prefault"

// size is about what a call needs from the event to the reply, found by measuring.
const size = 24 << 10

// The first goroutine runs what all packages do at the start, some of which needs much. This package imports nothing that
// does anything then, so it is among the first that are initialised, and all after it finds its memory ready.
func init() {
	prefault.Image()
	Grow()
	prefault.Heap()
}

// Grow makes room on the stack of its goroutine.
func Grow() { frame(false) }

// frame has room for all when it is entered, whether that is used or not.
//
//go:noinline
func frame(use bool) {
	if use {
		var room [size]byte
		touch(&room)
	}
}

//go:noinline
func touch(*[size]byte) {}
