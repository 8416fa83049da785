package main

import (
	"bytes"
	"os"
	"testing"
	"time"
)

func TestRead(t *testing.T) {
	big := bytes.Repeat([]byte("0123456789abcdef"), 20_000)
	for _, tc := range []struct {
		name        string
		write       []byte
		open        bool // the other end stays open
		limit, want int
		late        bool
	}{
		{name: "nothing", limit: 100},
		{name: "short", write: big[:50], limit: 100, want: 50},
		{name: "grows", write: big, limit: 1 << 20, want: len(big)},
		{name: "up to the limit, held open", write: big[:100], open: true, limit: 100, want: 100},
		{name: "held open", write: big[:50], open: true, limit: 100, want: 50, late: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			defer w.Close()
			wrote := make(chan struct{})
			go func() {
				defer close(wrote)
				w.Write(tc.write)
				if !tc.open {
					w.Close()
				}
			}()
			wait := time.Minute
			if tc.late {
				<-wrote // it fits into the pipe
				wait = time.Millisecond
			}
			got, late := read(r, tc.limit, wait)
			<-wrote
			if late != tc.late || !bytes.Equal(got, tc.write[:tc.want]) {
				t.Errorf("%d bytes, late %v; want %d, late %v", len(got), late, tc.want, tc.late)
			}
		})
	}
}

// TestReadFile reads from what cannot be waited for.
func TestReadFile(t *testing.T) {
	f, err := os.Open("read_test.go")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, late := read(f, 1<<20, time.Minute); late || !bytes.HasPrefix(got, []byte("package main")) {
		t.Errorf("%d bytes, late %v", len(got), late)
	}
}
