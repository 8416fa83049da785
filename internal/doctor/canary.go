package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/install"
	"github.com/stepgate/stepgate/policy"
)

// canary runs the hook over two calls as the agent would: by the entry of each agent, or, where none is installed, by
// the program beside this one.
func (e *exam) canary(ctx context.Context) {
	if c := e.gate.Config; c.Locked("mode") && c.Mode != policy.Enforce {
		e.add("canary", Warn, "the administrator's file holds the mode at "+string(c.Mode)+", so no call can be refused", "")
		return
	}
	done := map[string]bool{}
	for _, s := range e.states {
		if !s.Installed || s.Program == "" || done[s.Agent+s.Command] {
			continue
		}
		done[s.Agent+s.Command] = true
		e.tryHook(ctx, "canary: "+s.Agent+" ("+string(s.Scope)+")", s.Agent, e.command(s))
	}
	if len(done) == 0 {
		if _, err := os.Stat(e.hook); err == nil {
			e.tryHook(ctx, "canary", "claude", []string{e.hook, "claude"})
		}
	}
}

// command is how an entry is run. The user's own entry runs as it stands, through a shell where it has no arguments of
// its own; of a repository's only our own program does.
func (e *exam) command(s install.State) []string {
	switch {
	case s.Scope != install.User || runtime.GOOS == "windows" && len(s.Args) == 0:
		return []string{e.hook, s.Agent}
	case len(s.Args) > 0:
		return append([]string{s.Command}, s.Args...)
	}
	return []string{"/bin/sh", "-c", s.Command}
}

func (e *exam) tryHook(ctx context.Context, name, agent string, command []string) {
	const fix = "run stepgate install again; should that not help, please report it"
	took, err := probeHook(ctx, agent, command)
	if err != nil {
		e.add(name, Fail, err.Error(), fix)
		return
	}
	e.add(name, OK, fmt.Sprintf("a harmless call passed in silence, a dangerous one was refused, %d ms each", took.Milliseconds()/2), "")
}

// probeHook runs a hook over a harmless and a dangerous call in a home of its own.
func probeHook(ctx context.Context, agent string, command []string) (time.Duration, error) {
	dir, err := os.MkdirTemp("", "stepgate-doctor-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	start := time.Now()
	reply, err := runHook(ctx, dir, agent, command, "echo stepgate")
	switch {
	case err != nil:
		return 0, fmt.Errorf("harmless call: %w", err)
	case reply != "":
		return 0, errors.New("a harmless call was not met with silence")
	}
	reply, err = runHook(ctx, dir, agent, command, "rm -rf /")
	switch {
	case err != nil:
		return 0, fmt.Errorf("dangerous call: %w", err)
	case gjson.Get(reply, "hookSpecificOutput.permissionDecision").String() != "deny":
		return 0, errors.New("a dangerous call was not refused")
	}
	return time.Since(start), nil
}

// runHook hands one pending call over and gives what the agent would read.
func runHook(ctx context.Context, dir, agent string, command []string, call string) (string, error) {
	payload, err := json.Marshal(map[string]any{
		"hook_event_name": "PreToolUse", "session_id": "doctor-canary", "cwd": dir, "permission_mode": "default",
		"tool_name": "Bash", "tool_input": map[string]string{"command": call}, "tool_use_id": "canary-" + call,
		"turn_id": "1",
	})
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, programTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.WaitDelay = dir, canaryEnviron(dir), bytes.NewReader(payload), time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		return "", fmt.Errorf("the hook of %s failed: %w %s", agent, err, first)
	}
	return strings.TrimSpace(stdout.String()), nil
}

// canaryEnviron has homes in dir, so that neither this user's settings nor record take part, and enforces.
func canaryEnviron(dir string) []string {
	env := []string{
		"HOME=" + dir, "STEPGATE_MODE=enforce", "STEPGATE_JUDGE=local",
		"STEPGATE_CONFIG_HOME=" + filepath.Join(dir, "config"), "STEPGATE_STATE_HOME=" + filepath.Join(dir, "state"),
	}
	for _, name := range [...]string{"PATH", "SystemRoot", "TMPDIR", "TEMP"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}
