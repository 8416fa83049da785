//go:build !unix

package main

import (
	"os"
	"time"
)

// read takes standard input to its end, to a limit, or to the deadline: an agent that holds it open must not hold the
// call. It tells whether the deadline came first.
func read(f *os.File, limit int, wait time.Duration) (payload []byte, late bool) {
	chunks := make(chan []byte, 16)
	go func() {
		defer close(chunks)
		for {
			buf := make([]byte, 64<<10)
			n, err := f.Read(buf)
			if n > 0 {
				chunks <- buf[:n]
			}
			if err != nil {
				return
			}
		}
	}()
	deadline := time.NewTimer(wait)
	defer deadline.Stop()
	for {
		select {
		case c, more := <-chunks:
			if !more {
				return payload, false
			}
			if payload == nil {
				payload = c
			} else {
				payload = append(payload, c...)
			}
			if len(payload) >= limit {
				return payload, false
			}
		case <-deadline.C:
			return payload, true
		}
	}
}
