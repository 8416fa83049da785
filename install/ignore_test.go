package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestIgnore(t *testing.T) {
	const none = "\x00" // no file
	tests := []struct {
		name, before, dir, after string
	}{
		{"no file", none, "logs", "/logs/\n"},
		{"others kept", "*.o\n", "logs", "*.o\n/logs/\n"},
		{"no newline at the end", "*.o", "a/logs", "*.o\n/a/logs/\n"},
		{"there already", "/logs/\n*.o\n", "logs", "/logs/\n*.o\n"},
		{"there without slashes", "logs/\r\n", "logs", "logs/\r\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			path := filepath.Join(root, ".gitignore")
			if tt.before != none {
				if err := os.WriteFile(path, []byte(tt.before), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			c, err := Ignore(root, filepath.Join(root, filepath.FromSlash(tt.dir)))
			if err != nil {
				t.Fatal(err)
			}
			if c.Empty() != (tt.before == tt.after) {
				t.Errorf("Empty() = %t for %q to %q", c.Empty(), tt.before, tt.after)
			}
			if err := c.Apply(); err != nil {
				t.Fatal(err)
			}
			if got, _ := os.ReadFile(path); string(got) != tt.after {
				t.Errorf("got %q, want %q", got, tt.after)
			}
			if again, err := Ignore(root, filepath.Join(root, filepath.FromSlash(tt.dir))); err != nil || !again.Empty() {
				t.Errorf("a second time: %v, empty %t", err, again.Empty())
			}
		})
	}
}

func TestIgnoreRefuses(t *testing.T) {
	root := t.TempDir()
	for _, tt := range []struct{ name, root, dir string }{
		{"outside", root, filepath.Join(root, "..", "logs")},
		{"the project itself", root, root},
		{"no project", "", "/logs"},
		{"a pattern", root, filepath.Join(root, "a*")},
		{"a line break", root, filepath.Join(root, "a\nb")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if c, err := Ignore(tt.root, tt.dir); err == nil {
				t.Errorf("got %q, want an error", strings.TrimSpace(string(c.After)))
			}
		})
	}
}
