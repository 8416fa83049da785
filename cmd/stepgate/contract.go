package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// contract is what a person wants to hold beside a plan. It becomes sentences of the plan, so a judge reads it as it reads
// any other words, and the gate reads from them where changes are wanted, as it does from words that were typed.
type contract struct {
	Allow      []string `help:"A file or folder that may be changed, and nothing else; may be given more than once." placeholder:"PATH" sep:"none"`
	Constraint []string `help:"What has to hold meanwhile; may be given more than once." placeholder:"TEXT" sep:"none"`
	Done       []string `help:"What tells that the work is done; may be given more than once." placeholder:"TEXT" sep:"none"`
}

// text gives the sentences. They stand in front of the plan, as a long one is cut at its end.
func (c contract) text(root string) (string, error) {
	var b strings.Builder
	for i, path := range c.Allow {
		name, err := place(root, path)
		if err != nil {
			return "", err
		}
		b.WriteString([...]string{"Only change ", " and "}[min(i, 1)] + name)
	}
	if len(c.Allow) > 0 {
		b.WriteString(".\n")
	}
	for _, text := range c.Constraint {
		fmt.Fprintf(&b, "Constraint: %s.\n", sentence(text))
	}
	for _, text := range c.Done {
		fmt.Fprintf(&b, "Done when: %s.\n", sentence(text))
	}
	return b.String(), nil
}

func sentence(text string) string {
	return strings.TrimRight(strings.Join(strings.Fields(text), " "), ".")
}

// place names a path as a person would in a sentence: from the project's root, and so that it reads as a path.
func place(root, path string) (string, error) {
	if path == "" || strings.ContainsAny(path, " \t\n,;=$<>|\"`") {
		return "", fmt.Errorf("--allow %q cannot be named in a sentence\nhint: name the folder that it is in, or set allow_write", path)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	target, err := filepath.EvalSymlinks(abs)
	if err != nil {
		target = abs // it need not be there yet
	}
	if filepath.Dir(target) == target {
		return "", fmt.Errorf("--allow %q is the whole disk, which confines nothing\nhint: name the folders that may be changed", path)
	}
	if whole, err := filepath.EvalSymlinks(root); err == nil && target == whole {
		return "", fmt.Errorf("--allow %q is the whole project, which needs no saying", path)
	}
	name := abs
	if rel, err := filepath.Rel(root, abs); err == nil && filepath.IsLocal(rel) {
		name = rel
	}
	name = filepath.ToSlash(name)
	if info, err := os.Stat(abs); err == nil && info.IsDir() || strings.HasSuffix(path, "/") {
		return name + "/", nil
	}
	if !strings.Contains(name, "/") {
		name = "./" + name
	}
	return name, nil
}
