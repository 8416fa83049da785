//go:build amd64 || arm64

package prefault

import (
	"runtime"
	"unsafe"
)

// The requests of madvise(2), known to Linux since 5.14.
const (
	populateRead  = 22
	populateWrite = 23
)

const (
	// grain is a multiple of every size that pages have.
	grain = 64 << 10
	// maxImage is about the size of the hook's code and constants. A larger program uses less of its own.
	maxImage = 8 << 20
	// heap is what a call takes in all, to the nearest 128 KiB, found by measuring.
	heap = 640 << 10
)

// rawSyscall is taken by its name, as package syscall does much when it is initialised, and this one comes before it.
//
//go:linkname rawSyscall syscall.RawSyscall
func rawSyscall(trap, a1, a2, a3 uintptr) (r1, r2, errno uintptr)

// behind stands where variables do, which is behind code and constants.
var behind byte = 1

// Image maps the code and the constants of the program. Those of the runtime stand before the system call's and have
// been touched by then.
func Image() {
	call := rawSyscall
	code := **(**uintptr)(unsafe.Pointer(&call)) // a function's value points to where its address stands
	end := uintptr(unsafe.Pointer(&behind))
	if code >= end || end-code > maxImage {
		return
	}
	from := code &^ (grain - 1)
	populate(from, end-from, populateRead)
}

// Heap makes room where the heap grows next: behind the stack that this runs on, when that was made a moment ago.
func Heap() {
	var here byte
	populate(uintptr(unsafe.Pointer(&here))&^(grain-1), heap, populateWrite)
}

// populate makes the pages from a multiple of grain on ready.
func populate(at, size, how uintptr) (errno uintptr) {
	madvise := uintptr(28)
	if runtime.GOARCH == "arm64" {
		madvise = 233
	}
	_, _, errno = rawSyscall(madvise, at, size, how)
	return errno
}
