//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The test binary plays the hook when its environment says so.
func TestMain(m *testing.M) {
	if os.Getenv("STEPGATE_PLAY_HOOK") != "" {
		os.Args = []string{"stepgate-hook", "claude"}
		main()
	}
	os.Exit(m.Run())
}

// An agent that closed its end of a pipe does not lose the answer to a signal.
func TestBrokenPipes(t *testing.T) {
	for _, c := range []struct {
		name        string
		out, err    bool // broken
		code        int
		says, grunt string
	}{
		{"none", false, false, exitOK, `"deny"`, "stepgate: "},
		{"standard error", false, true, exitOK, `"deny"`, ""},
		{"standard output", true, false, exitBlock, "", "could not write its answer"},
		{"both", true, true, exitBlock, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "state") // no folder, so there is something to complain of
			if err := os.WriteFile(file, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			r, broken, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			r.Close()
			defer broken.Close()
			var stdout, stderr bytes.Buffer
			cmd := exec.Command(os.Args[0])
			cmd.Env = []string{"STEPGATE_PLAY_HOOK=1", "HOME=" + dir, "STEPGATE_CONFIG_HOME=" + dir, "STEPGATE_STATE_HOME=" + file, "STEPGATE_MODE=enforce"}
			cmd.Dir = dir
			cmd.Stdin = strings.NewReader(`{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_use_id":"t","tool_input":{"command":"rm -rf ~"}}`)
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if c.out {
				cmd.Stdout = broken
			}
			if c.err {
				cmd.Stderr = broken
			}
			var exit *exec.ExitError
			if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(stdout.String(), c.says) || !strings.Contains(stderr.String(), c.grunt) {
				t.Errorf("exit %d (%s)\nstdout %s\nstderr %s", code, cmd.ProcessState, &stdout, &stderr)
			}
		})
	}
}
