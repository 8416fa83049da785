package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// clients drives the real programs.
type clients struct{ node, script string }

// events the hook is registered on; a client is only told of those it has.
const events = "SessionStart,UserPromptSubmit,PreToolUse,PreSkillShellCommand,PostToolUse,PostToolUseFailure,Stop,SubagentStart,SubagentStop,SessionEnd"

// result is what the driver tells about a run.
type result struct {
	Exit      any        `json:"exit"`
	HookCalls []hookCall `json:"hookCalls"`
	Files     []string   `json:"files"`
}

// hookCall is one process of the hook.
type hookCall struct {
	Event  string `json:"event"`
	ID     string `json:"id"` // of the tool call
	RC     any    `json:"rc"`
	MS     int    `json:"ms"`
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"`
}

func (h hookCall) pending() bool { return h.Event == "PreToolUse" || h.Event == "PreSkillShellCommand" }

func (r result) slowest() (ms int) {
	for _, h := range r.HookCalls {
		ms = max(ms, h.MS)
	}
	return ms
}

// run plays a story in dir, with homes of its own for the client and the gate.
func (c clients) run(s story, dir, hook string) (result, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return result{}, err
	}
	scenario := filepath.Join(dir, "scenario.json")
	b, err := json.Marshal(s.scenario())
	if err != nil {
		return result{}, err
	}
	if err := os.WriteFile(scenario, b, 0o600); err != nil {
		return result{}, err
	}
	cmd := exec.Command(c.node, c.script, "--client", s.client, "--scenario", scenario, "--mode", "bypass",
		"--hook", "'"+strings.ReplaceAll(hook, "'", `'\''`)+"' "+s.client, "--events", events, "--timeout", "30",
		"--env", "STEPGATE_MODE="+s.mode, "--env", "STEPGATE_JUDGE=local",
		"--env", "STEPGATE_STATE_HOME="+filepath.Join(dir, "state"), "--env", "STEPGATE_CONFIG_HOME="+filepath.Join(dir, "config"),
		"--no-record", "--json", "--dir", filepath.Join(dir, "run"))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	if why, ok := strings.CutPrefix(stdout.String(), "SKIP: "); ok {
		return result{}, skipped(strings.TrimSpace(why))
	}
	if err != nil {
		return result{}, fmt.Errorf("drive.mjs: %w\n%s", err, stderr.Bytes())
	}
	var r result
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		return result{}, fmt.Errorf("output of drive.mjs: %w", err)
	}
	return r, nil
}
