//go:build amd64 || arm64

package prefault

import (
	"encoding/binary"
	"os"
	"syscall"
	"testing"
	"unsafe"
)

// present says how many of the pages of a range, one at each step, the process has mapped.
func present(t *testing.T, at, end, step uintptr) (there, all int) {
	t.Helper()
	f, err := os.Open("/proc/self/pagemap")
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	page := uintptr(os.Getpagesize())
	for ; at < end; at += step {
		var entry [8]byte
		if _, err := f.ReadAt(entry[:], int64(at/page*8)); err != nil {
			t.Skip(err)
		}
		all++
		there += int(binary.NativeEndian.Uint64(entry[:]) >> 63)
	}
	return there, all
}

func TestPopulate(t *testing.T) {
	const size = 4 * grain
	b, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(b)
	page := uintptr(os.Getpagesize())
	from := uintptr(unsafe.Pointer(&b[0]))
	if there, _ := present(t, from, from+size, page); there != 0 {
		t.Fatalf("%d pages are there before anything was asked for", there)
	}
	switch errno := syscall.Errno(populate(from, size/2, populateWrite)); errno {
	case 0:
	case syscall.EINVAL, syscall.ENOSYS:
		t.Skip("this system does not know the request:", errno)
	default:
		t.Fatal(errno)
	}
	if there, all := present(t, from, from+size/2, page); there != all {
		t.Errorf("%d of %d pages are there", there, all)
	}
	if there, _ := present(t, from+size/2, from+size, page); there != 0 {
		t.Errorf("%d pages are there that were not asked for", there)
	}
	for i := range b {
		if b[i] != 0 {
			t.Fatalf("byte %d is not zero", i)
		}
	}
}

// TestImage looks whether the code of this test is there: it is linked as the hook is.
func TestImage(t *testing.T) {
	call := rawSyscall
	code := **(**uintptr)(unsafe.Pointer(&call))
	end := uintptr(unsafe.Pointer(&behind))
	if code >= end || end-code > maxImage {
		t.Fatalf("code at %#x, variables at %#x: the program is laid out in another way than thought, or too large", code, end)
	}
	if errno := syscall.Errno(populate(code&^(grain-1), 1, populateRead)); errno != 0 {
		t.Skip("this system does not know the request:", errno)
	}
	Image()
	if there, all := present(t, code&^(grain-1), end, uintptr(os.Getpagesize())); there != all {
		t.Errorf("%d of %d pages of the program are there", there, all)
	}
}

// TestHeap asks from wherever a goroutine's stack happens to be; what follows may end in the middle of nowhere.
func TestHeap(t *testing.T) {
	Heap()
	var here byte
	from := uintptr(unsafe.Pointer(&here)) &^ (grain - 1)
	if errno := syscall.Errno(populate(from, 1, populateWrite)); errno != 0 {
		t.Skip("this system does not know the request:", errno)
	}
	if there, all := present(t, from, from+grain, uintptr(os.Getpagesize())); there != all {
		t.Errorf("%d of the %d pages around the stack are there", there, all)
	}
}
