package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// dirtyFiles is how many changed files the tree of the snapshot case has.
const dirtyFiles = 300

// snapshots measures a call that would discard changes, of which the hook keeps a copy, against one git status of that
// tree. The call itself is not run, so each pair finds the tree as it was.
func snapshots(w *world, o options) (result, error) {
	git, err := exec.LookPath("git")
	if err != nil {
		return result{}, err
	}
	tree := filepath.Join(filepath.Dir(w.project), "dirty")
	if err := dirty(git, tree, w.env); err != nil {
		return result{}, err
	}
	status := func(int) program {
		return program{argv: []string{git, "-C", tree, "status", "--porcelain"}, env: w.env}
	}
	copies := 0
	hook := func(i int) program {
		copies++
		call := w.event("dirty", "PreToolUse", map[string]any{
			"tool_name": "Bash", "tool_input": map[string]any{"command": "git reset --hard"}, "tool_use_id": fmt.Sprintf("toolu_dirty%d", i), "cwd": tree,
		})
		p := w.hookRun(call, "CLAUDE_PROJECT_DIR="+tree)
		p.silent = false // the notice about the copy
		return p
	}
	f, err := pairs(o.n, status, hook)
	if err != nil {
		return result{}, err
	}
	kept, err := filepath.Glob(filepath.Join(w.state, "snapshots", "dirty-*", "*", "manifest.json"))
	if err == nil && len(kept) == 0 {
		err = fmt.Errorf("%d calls and no copy", copies)
	}
	return result{figures: f, Note: fmt.Sprintf("%d of %d calls got a copy of %d files in time", len(kept), copies, dirtyFiles)}, err
}

// dirty makes a repository whose every file has uncommitted changes.
func dirty(git, tree string, env []string) error {
	if err := sources(tree, dirtyFiles, "var a = 1\n"); err != nil {
		return err
	}
	if err := commit(git, tree, env); err != nil {
		return err
	}
	return sources(tree, dirtyFiles, "var a = 2 // changed\n")
}

// sources writes so many files with a text, 100 to a folder.
func sources(tree string, files int, text string) error {
	for i := range files {
		p := filepath.Join(tree, fmt.Sprintf("pkg%03d/file%05d.go", i/100, i))
		if i%100 == 0 {
			if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
				return err
			}
		}
		if err := os.WriteFile(p, fmt.Appendf(nil, "package p // %d\n\n%s", i, text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// commit makes a repository of a tree.
func commit(git, tree string, env []string) error {
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=bench", "-c", "user.email=bench@example.com", "-c", "commit.gpgsign=false", "commit", "-qm", "one"},
	} {
		c := exec.Command(git, append([]string{"-C", tree}, args...)...)
		c.Env = env
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w\n%s", args[0], err, out)
		}
	}
	return nil
}
