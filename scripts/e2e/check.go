package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// line is what is checked of a line of the record.
type line struct {
	Kind   string `json:"kind"`
	CallID string `json:"call_id"`
	Mode   string `json:"mode"`
	Would  string `json:"would"`
	Did    string `json:"did"`
}

// check compares a run with its story and gives what is wrong.
func (s story) check(r result, state string) (faults []string) {
	fault := func(format string, a ...any) { faults = append(faults, fmt.Sprintf(format, a...)) }
	if r.Exit != 0.0 {
		fault("the client ended with %v", r.Exit)
	}
	lines, err := record(state)
	if err != nil {
		fault("record: %v", err)
	}
	var pending []hookCall
	for _, h := range r.HookCalls {
		if h.RC != 0.0 || h.Stderr != "" {
			fault("hook on %s ended with %v, %q", h.Event, h.RC, h.Stderr)
		}
		if h.pending() {
			pending = append(pending, h)
		}
	}
	if len(pending) != len(s.calls) {
		fault("the hook saw %d calls, want %d", len(pending), len(s.calls))
		return faults
	}
	if n := count(lines, func(l line) bool { return l.Kind == "call" }); n != len(s.calls) {
		fault("%d call lines in the record, want %d", n, len(s.calls))
	}
	for i, c := range s.calls {
		stop := c.dangerous && s.mode == "enforce"
		if ran := slices.Contains(r.Files, c.marker); ran == stop {
			fault("%s: ran %v, want %v", c.name, ran, !stop)
		}
		if denies := strings.Contains(pending[i].Stdout, `"permissionDecision":"deny"`); denies != stop {
			fault("%s: the hook answered %q", c.name, pending[i].Stdout)
		}
		if !stop && strings.Contains(pending[i].Stdout, "hookSpecificOutput") {
			fault("%s: the hook had an opinion: %q", c.name, pending[i].Stdout)
		}
		want := line{Kind: "call", CallID: pending[i].ID, Mode: s.mode, Would: "allow", Did: "allow"}
		if c.dangerous {
			want.Would = "deny"
		}
		if stop {
			want.Did = "deny"
		}
		if n := count(lines, func(l line) bool { return l == want }); n != 1 {
			fault("%s: %d lines are %+v, want 1; lines of the call: %+v", c.name, n, want,
				slices.DeleteFunc(slices.Clone(lines), func(l line) bool { return l.CallID != want.CallID }))
		}
	}
	return faults
}

func count(lines []line, is func(line) bool) (n int) {
	for _, l := range lines {
		if is(l) {
			n++
		}
	}
	return n
}

// record reads all lines of all sessions.
func record(state string) (lines []line, err error) {
	err = filepath.WalkDir(filepath.Join(state, "sessions"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".jsonl" {
			return err
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		in := bufio.NewScanner(f)
		in.Buffer(nil, 16<<20)
		for in.Scan() {
			var l line
			if err := json.Unmarshal(in.Bytes(), &l); err != nil {
				return fmt.Errorf("%s: %w", filepath.Base(name), err)
			}
			lines = append(lines, l)
		}
		return in.Err()
	})
	if err == nil && len(lines) == 0 {
		err = errors.New("it is empty")
	}
	return lines, err
}
