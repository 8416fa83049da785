// Package install makes, shows and undoes one change of a coding agent's settings: an entry for the hook on each of the
// agent's events.
//
// A settings file belongs to a person. All that is not ours stays as it is to the byte, key order and layout included;
// a file that is not plain JSON is refused and not touched; a plan is shown before it is carried out, and carried out
// only on the file that it was made for. Uninstalling gives back the very bytes from before where nothing else has
// changed since, and otherwise takes out our entries alone.
package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Scope says whose settings are changed.
type Scope string

const (
	User    Scope = "user"    // this user's, for all projects
	Project Scope = "project" // the repository's, shared with whoever works on it
	Local   Scope = "local"   // this user's in one repository; Claude Code only
)

// Options say what to install and where things are.
type Options struct {
	// Getenv answers for HOME, CLAUDE_CONFIG_DIR, CODEX_HOME and their like.
	Getenv func(string) string
	// Root is the repository, for the scopes project and local.
	Root string
	// Program is the hook's path, absolute; see Find.
	Program string
	// FailClosed makes the agent block a call when the hook itself breaks.
	FailClosed bool
	// State is the gate's state folder; the file from before is kept in it.
	State string
	// Sends says where calls go, for the text that is shown.
	Sends Sends
}

var (
	errNoHome = errors.New("no home folder: HOME is not set")
	errNoRoot = errors.New("no repository given for this scope")
	// ErrChanged says that the file is another one than the plan was made for.
	ErrChanged = errors.New("the file was changed meanwhile; nothing was written\nhint: run the command again")
)

// agentOf is what differs between agents.
type agentOf struct {
	name   string
	path   func(Options, Scope) (string, error)
	groups func(path string, failClosed bool) []wanted
}

var agents = [...]agentOf{
	{"claude", claudePath, claudeGroups},
	{"codex", codexPath, codexGroups},
}

// Agents names the agents that can be installed into.
func Agents() []string {
	var names []string
	for _, a := range agents {
		names = append(names, a.name)
	}
	return names
}

func lookup(name string) (agentOf, error) {
	for _, a := range agents {
		if a.name == name {
			return a, nil
		}
	}
	return agentOf{}, fmt.Errorf("agent %q is not one of %s", name, strings.Join(Agents(), ", "))
}

func badScope(agent string, scope Scope, may ...Scope) error {
	words := make([]string, len(may))
	for i, s := range may {
		words[i] = string(s)
	}
	return fmt.Errorf("scope %q is not one that %s has: %s", scope, agent, strings.Join(words, ", "))
}

// Change is one change of one settings file, not made yet.
type Change struct {
	// Agent is empty for a file that is no agent's, which Apply keeps nothing of.
	Agent string
	Scope Scope
	// Path is the settings file; Real is where it is when Path is reached through a link, and equals Path otherwise.
	Path, Real string
	// Existed says whether there was a file; Before and After are its text. A nil After removes the file.
	Existed       bool
	Before, After []byte
	// Notes are what a person should know of the change, one a line.
	Notes []string

	state string
	mode  fs.FileMode
	undo  bool
}

// Plan works out the change that puts the hook into an agent's settings. A change that is Empty is installed already.
func Plan(agent string, scope Scope, o Options) (Change, error) {
	a, err := lookup(agent)
	if err != nil {
		return Change{}, err
	}
	path, err := startPath(a, scope, o)
	if err != nil {
		return Change{}, err
	}
	c, err := open(a, scope, o)
	if err != nil {
		return c, err
	}
	text := string(c.Before)
	if strings.TrimSpace(text) == "" {
		text = "{}\n"
	}
	after, err := put(text, a.name, a.groups(path, o.FailClosed))
	if err != nil {
		return c, c.refuse(err)
	}
	c.After = []byte(after)
	c.Notes = append(c.Notes, notes(a, scope, c, o)...)
	return c, nil
}

// startPath is how the settings name the hook's program.
func startPath(a agentOf, scope Scope, o Options) (string, error) {
	if scope == Project {
		if o.FailClosed {
			return "", errors.New("--fail-closed is not for the scope project: it would stop everyone who has no stepgate\nhint: use the scope user or local")
		}
		return program, nil
	}
	if o.FailClosed && a.name == "codex" && runtime.GOOS == "windows" {
		return "", errors.New("--fail-closed for Codex needs a POSIX shell, which it does not use on Windows")
	}
	if !filepath.IsAbs(o.Program) {
		return "", fmt.Errorf("program %q is not an absolute path", o.Program)
	}
	if strings.Contains(filepath.ToSlash(o.Program), "/go-build") {
		return "", fmt.Errorf("program %s goes away with go run\nhint: go install ./cmd/... first, and run the installed stepgate", o.Program)
	}
	return o.Program, runnable(o.Program)
}

func runnable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return fmt.Errorf("program %s is not there\nhint: stepgate and %s must stay in one folder", path, program)
	case !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode().Perm()&0o111 == 0:
		return fmt.Errorf("program %s cannot be run", path)
	}
	return nil
}

// open reads the settings file of a scope.
func open(a agentOf, scope Scope, o Options) (Change, error) {
	path, err := a.path(o, scope)
	if err != nil {
		return Change{}, err
	}
	c := Change{Agent: a.name, Scope: scope, Path: path, Real: path, state: o.State, mode: 0o600}
	if scope == Project {
		c.mode = 0o644
	}
	if c.Real, err = resolve(path); err != nil {
		return c, err
	}
	c.Before, c.mode, c.Existed, err = read(c.Real, c.mode)
	if err != nil {
		return c, err
	}
	if c.Real != path {
		c.Notes = append(c.Notes, fmt.Sprintf("%s is reached through a link; the file changed is %s", path, c.Real))
	}
	return c, nil
}

// resolve follows links to the file, which need not be there; a link that leads nowhere is refused.
func resolve(path string) (string, error) {
	if _, err := os.Lstat(path); err == nil {
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return "", fmt.Errorf("settings file %s: the link leads nowhere", path)
		}
		return real, nil
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path)), nil
	}
	return path, nil
}

func read(path string, mode fs.FileMode) ([]byte, fs.FileMode, bool, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, mode, false, nil
	case err != nil:
		return nil, 0, false, err
	case !info.Mode().IsRegular():
		return nil, 0, false, fmt.Errorf("settings file %s is not a regular file", path)
	case info.Size() > maxSettings:
		return nil, 0, false, fmt.Errorf("settings file %s is larger than %d MiB", path, maxSettings>>20)
	}
	b, err := os.ReadFile(path)
	return b, info.Mode().Perm(), true, err
}

func (c Change) refuse(err error) error {
	return fmt.Errorf("settings file %s: %w; nothing was written", c.Real, err)
}

// Remove works out the change that takes the hook out again. A change that is Empty has nothing to take.
func Remove(agent string, scope Scope, o Options) (Change, error) {
	a, err := lookup(agent)
	if err != nil {
		return Change{}, err
	}
	c, err := open(a, scope, o)
	if err != nil {
		return c, err
	}
	c.undo, c.After = true, c.Before
	if !c.Existed {
		return c, nil
	}
	if r, ok := c.recall(); ok && bytes.Equal(c.Before, r.After) {
		if r.Existed {
			c.After = r.Before
		} else {
			c.After = nil
		}
		c.Notes = append(c.Notes, "nothing else has changed since the install: the file from before comes back")
		return c, nil
	}
	if strings.TrimSpace(string(c.Before)) == "" {
		return c, nil
	}
	after, err := take(string(c.Before), a.name)
	if err != nil {
		return c, c.refuse(err)
	}
	c.After = []byte(after)
	return c, nil
}

// Empty says that there is nothing to do.
func (c Change) Empty() bool {
	if c.After == nil {
		return !c.Existed
	}
	return c.Existed && bytes.Equal(c.Before, c.After)
}

// Apply makes the change: keeps the file from before, and puts the new text in its place whole or not at all.
func (c Change) Apply() error {
	if c.Empty() {
		return nil
	}
	if err := c.unchanged(); err != nil {
		return err
	}
	if !c.undo && c.Agent != "" {
		// Before the file itself: a change that cannot be undone is not made.
		if err := c.remember(); err != nil {
			return fmt.Errorf("keeping the settings from before: %w; nothing was written", err)
		}
	}
	var err error
	if c.After == nil {
		if err = os.Remove(c.Real); err == nil && c.Agent == "" {
			os.Remove(filepath.Dir(c.Real)) // fails, as it should, where something else is in it
		}
	} else {
		err = c.write()
	}
	if err == nil && c.undo {
		c.forget()
	}
	return err
}

// unchanged says that the file still is what the plan was made for.
func (c Change) unchanged() error {
	now, _, existed, err := read(c.Real, c.mode)
	if err != nil {
		return err
	}
	if existed != c.Existed || !bytes.Equal(now, c.Before) {
		return fmt.Errorf("settings file %s: %w", c.Real, ErrChanged)
	}
	return nil
}

func (c Change) write() error {
	dir := filepath.Dir(c.Real)
	perm := fs.FileMode(0o700)
	if c.Scope == Project {
		perm = 0o755
	}
	if err := os.MkdirAll(dir, perm); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".stepgate-*")
	if err != nil {
		return err
	}
	_, err = f.Write(c.After)
	if err == nil {
		err = f.Chmod(c.mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = c.unchanged()
	}
	if err == nil {
		err = os.Rename(f.Name(), c.Real)
	}
	if err != nil {
		os.Remove(f.Name()) // the error before is the one to tell
	}
	return err
}
