//go:build unix

package hook

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe in place of the agent's log holds nothing up.
func TestTranscriptPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.jsonl")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip("no pipes here:", err)
	}
	if got := firstPrompt(path); got != "" { // before it was opened without waiting, this never came back
		t.Errorf("first prompt %q", got)
	}
}
