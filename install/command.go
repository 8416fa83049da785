package install

import (
	"path/filepath"
	"strings"
)

// commandMark is the line by which a command file is known to be ours.
const commandMark = "<!-- written by stepgate install; stepgate uninstall removes this file -->\n"

// commandText is what Claude Code knows /stepgate by. The hook answers before a model is asked; the text is what the
// model reads where the hook did not run. A line with !`…` would run without the person's word and is none of it.
const commandText = `---
description: Ask the stepgate gate, or switch it for this session
argument-hint: "[status | plan | why | budget | mode audit|enforce|off]"
disable-model-invocation: true
---
` + commandMark + `
The stepgate hook answers this command itself, and no model sees it. If you read this, the hook did not run: do nothing
but tell the person so, and that stepgate doctor says why.
`

// Command works out the change that makes an agent know /stepgate: Claude Code 2.1 sends a word that begins with a slash
// to its hooks only where a command file of that name is there, and otherwise says that it is unknown. False: the
// agent, or the scope, has no such file.
func Command(agent string, scope Scope, o Options) (c Change, ok bool, err error) {
	if c, ok, err = openCommand(agent, scope, o); !ok || err != nil {
		return c, ok, err
	}
	if c.Existed && !ours(c.Before) {
		c.After = c.Before
		c.Notes = append(c.Notes, c.Path+" is a command of your own, and stays: what is typed as /stepgate is answered by the gate all the same.")
		return c, true, nil
	}
	c.After = []byte(commandText)
	return c, true, nil
}

// RemoveCommand works out the change that takes the command file away again, if it is ours.
func RemoveCommand(agent string, scope Scope, o Options) (c Change, ok bool, err error) {
	if c, ok, err = openCommand(agent, scope, o); !ok || err != nil {
		return c, ok, err
	}
	c.undo = true
	if c.Existed && !ours(c.Before) {
		c.After = c.Before
	}
	return c, true, nil
}

func ours(text []byte) bool { return strings.Contains(string(text), commandMark) }

// openCommand reads the file. A repository's is shared with its settings; what is one person's in it has none, as
// nothing would keep that from being committed.
func openCommand(agent string, scope Scope, o Options) (Change, bool, error) {
	if agent != "claude" || scope == Local {
		return Change{}, false, nil
	}
	settings, err := claudePath(o, scope)
	if err != nil {
		return Change{}, false, err
	}
	path := filepath.Join(filepath.Dir(settings), "commands", "stepgate.md")
	c := Change{Scope: scope, Path: path, mode: 0o644}
	if c.Real, err = resolve(path); err != nil {
		return c, true, err
	}
	c.Before, c.mode, c.Existed, err = read(c.Real, c.mode)
	return c, true, err
}
