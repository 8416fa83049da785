package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
)

// grounded measures a call that would discard changes in a clean repository of so many files, which git has to be asked
// about, against one git status of that tree.
func grounded(files int) func(*world, options) (result, error) {
	return func(w *world, o options) (result, error) {
		git, err := exec.LookPath("git")
		if err != nil {
			return result{}, err
		}
		tree := filepath.Join(filepath.Dir(w.project), fmt.Sprintf("clean%d", files))
		if err := sources(tree, files, "var a = 1\n"); err != nil {
			return result{}, err
		}
		if err := commit(git, tree, w.env); err != nil {
			return result{}, err
		}
		status := func(int) program {
			return program{argv: []string{git, "-C", tree, "status", "--porcelain"}, env: w.env}
		}
		if _, err := status(0).run(); err != nil { // it brings the index up to date, once
			return result{}, err
		}
		session := fmt.Sprintf("clean%d", files)
		hook := func(i int) program {
			call := w.event(session, "PreToolUse", map[string]any{
				"tool_name": "Bash", "tool_input": map[string]any{"command": "git reset --hard"}, "tool_use_id": fmt.Sprintf("toolu_%s_%d", session, i), "cwd": tree,
			})
			return w.hookRun(call, "CLAUDE_PROJECT_DIR="+tree)
		}
		f, err := pairs(min(o.n, 200), status, hook)
		return result{figures: f, Note: fmt.Sprintf("%d files, nothing changed: silent", files)}, err
	}
}
