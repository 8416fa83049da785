package scenario

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// errNoGit says that a story about a repository cannot be told here.
var errNoGit = errors.New("there is no git on this machine")

// stage is the folder of one story.
type stage struct{ dir string }

func (s *stage) project() string { return filepath.Join(s.dir, "project") }
func (s *stage) home() string    { return filepath.Join(s.dir, "home") }

// stages are what a project can be when its story begins; without one it is empty.
var stages = map[string]func(*stage) error{"": func(*stage) error { return nil }, "files": files, "repository": repository, "colleague": colleague}

// set makes the folders and what the story finds in them.
func (s *stage) set(on string) error {
	prepare, ok := stages[on]
	if !ok {
		return fmt.Errorf("there is no stage %q", on)
	}
	for _, dir := range [...]string{s.project(), s.home()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	return prepare(s)
}

// here puts the folders into a text that is JSON.
func (s *stage) here(input string) string {
	return strings.NewReplacer("{project}", filepath.ToSlash(s.project()), "{home}", filepath.ToSlash(s.home())).Replace(input)
}

// write puts a file into the project, or into the home folder.
func (s *stage) write(name, text string) error {
	dir, local := s.project(), filepath.FromSlash(name)
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		dir, local = s.home(), filepath.FromSlash(rest)
	}
	if !filepath.IsLocal(local) {
		return fmt.Errorf("file %q lies outside the story's folders", name)
	}
	path := filepath.Join(dir, local)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o600)
}

// git runs git commands in a folder, stopping at the first that fails. They see no settings of this machine and have a
// name of their own, so they work for someone who has never set git up.
func (s *stage) git(dir string, commands ...string) error {
	bin, err := exec.LookPath("git")
	if err != nil {
		return errNoGit
	}
	for _, c := range commands {
		cmd := exec.Command(bin, strings.Fields(c)...)
		cmd.Dir = dir
		cmd.Env = append(ownEnviron(),
			"HOME="+s.home(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_TERMINAL_PROMPT=0",
			"GIT_AUTHOR_NAME=demo", "GIT_AUTHOR_EMAIL=demo@example.com", "GIT_COMMITTER_NAME=demo", "GIT_COMMITTER_EMAIL=demo@example.com")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w: %s", c, err, strings.TrimSpace(string(out)))
		}
	}
	return nil
}

// ownEnviron is the environment without what would point git at another repository.
func ownEnviron() []string {
	return slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "GIT_") })
}

// files puts a small program into the project.
func files(s *stage) error {
	for _, f := range [...]struct{ name, text string }{
		{"go.mod", "module example.com/sum\n"}, {"sum.go", "package sum\n"}, {"docs/usage.md", "# Usage\n"}, {"build/sum", "binary\n"},
		{".gitignore", "/build/\n"}, {"deploy.sh", "#!/bin/sh\n"},
	} {
		if err := s.write(f.name, f.text); err != nil {
			return err
		}
	}
	return nil
}

// repository makes the project a repository with one commit of that program.
func repository(s *stage) error {
	if err := files(s); err != nil {
		return err
	}
	return s.git(s.project(), "init -q", "symbolic-ref HEAD refs/heads/main", "add -A", "commit -q -m first")
}

// colleague gives the project a remote on which somebody else has pushed a commit since; the project knows of it.
func colleague(s *stage) error {
	if err := repository(s); err != nil {
		return err
	}
	theirs := filepath.Join(s.dir, "colleague")
	if err := s.git(s.dir, "init -q --bare origin.git"); err != nil {
		return err
	}
	if err := s.git(s.project(), "remote add origin ../origin.git", "push -q -u origin main"); err != nil {
		return err
	}
	if err := s.git(s.dir, "clone -q -b main origin.git colleague"); err != nil {
		return err
	}
	if err := s.git(theirs, "commit -q --allow-empty -m theirs", "push -q origin main"); err != nil {
		return err
	}
	return s.git(s.project(), "commit -q --allow-empty -m ours", "fetch -q origin")
}
