//go:build unix

package session

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe in place of a folder holds nothing up.
func TestPipeForAFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sessions")
	if err := syscall.Mkfifo(dir, 0o600); err != nil {
		t.Skip("no pipes here:", err)
	}
	if entries, err := readDir(dir, -1); err == nil { // before it was opened without waiting, this never came back
		t.Errorf("a pipe has %d entries", len(entries))
	}
}
