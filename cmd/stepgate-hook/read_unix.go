//go:build unix

package main

import (
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// read takes standard input to its end, to a limit, or to the deadline: an agent that holds it open must not hold the
// call. It tells whether the deadline came first.
//
// It asks the system whether there is something to read, as a goroutine that reads and another that waits for it cost a
// thread more.
func read(f *os.File, limit int, wait time.Duration) (payload []byte, late bool) {
	payload = make([]byte, 0, 8<<10)
	for end := time.Now().Add(wait); len(payload) < limit; {
		if !readable(f, end) {
			return payload, true
		}
		if len(payload) == cap(payload) {
			payload = slices.Grow(payload, len(payload))
		}
		n, err := f.Read(payload[len(payload):cap(payload)])
		payload = payload[:len(payload)+n]
		if err != nil || n == 0 {
			break // what there is must do; most often this is the end
		}
	}
	return payload, false
}

// readable waits until a read would not wait, or the end. A file that cannot be waited for counts as readable.
func readable(f *os.File, end time.Time) bool {
	for {
		left := max(0, time.Until(end))
		fds := []unix.PollFd{{Fd: int32(f.Fd()), Events: unix.POLLIN}}
		switch n, err := unix.Poll(fds, int((left+time.Millisecond-1)/time.Millisecond)); {
		case err == unix.EINTR:
		case err != nil || n > 0:
			return true
		case left == 0:
			return false
		}
	}
}
