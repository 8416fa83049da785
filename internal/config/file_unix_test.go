//go:build unix

package config

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe nobody writes to, in place of any file a project can put there, holds nothing up.
func TestPipes(t *testing.T) {
	w := newWorld(t)
	for _, path := range []string{filepath.Join(w.root, ProjectFile), filepath.Join(w.home, UserFile), w.managed, w.agentFile()} {
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Skip("no pipes here:", err)
		}
	}
	c := w.load()
	w.warned(c, filepath.Join(w.root, ProjectFile)+": not a regular file")
	w.want(c, "mode", "audit", Default)
}

func TestProjectLinkIsNotFollowed(t *testing.T) {
	w := newWorld(t)
	secret := filepath.Join(t.TempDir(), "secret")
	w.write(secret, "password = \"hunter2\"\n")
	if err := os.Symlink(secret, filepath.Join(w.root, ProjectFile)); err != nil {
		t.Skip("no links here:", err)
	}
	w.warned(w.load(), "a link is not followed here")
}

// HOME set by a project does not move the person's settings.
func TestAccountHome(t *testing.T) {
	if _, err := os.Stat("/etc/passwd"); err != nil {
		t.Skip("no account list here")
	}
	if home := AccountHome(); home != "" && !filepath.IsAbs(home) {
		t.Errorf("home %q", home)
	}
}
