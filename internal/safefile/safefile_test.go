package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func needUnix(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("modes and links work differently on windows")
	}
}

func perm(t *testing.T, path string) fs.FileMode {
	t.Helper()
	fi, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return fi.Mode().Perm()
}

func TestDir(t *testing.T) {
	needUnix(t)
	t.Run("makes every level private", func(t *testing.T) {
		base := filepath.Join(t.TempDir(), "a", "b")
		got, err := Dir(base, "c", "d")
		if err != nil || got != filepath.Join(base, "c", "d") {
			t.Fatalf("Dir = %q, %v", got, err)
		}
		for _, p := range []string{base, filepath.Join(base, "c"), got} {
			if m := perm(t, p); m != 0o700 {
				t.Errorf("%s has mode %o, want 700", p, m)
			}
		}
	})
	t.Run("takes permissions away", func(t *testing.T) {
		base := t.TempDir()
		if err := os.Chmod(base, 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := Dir(base); err != nil {
			t.Fatal(err)
		}
		if m := perm(t, base); m != 0o700 {
			t.Errorf("mode %o, want 700", m)
		}
	})
	refused := map[string]func(t *testing.T, base string){
		"link in place of the root": func(t *testing.T, base string) { link(t, t.TempDir(), base) },
		"link in place of a folder inside": func(t *testing.T, base string) {
			mkdir(t, base)
			link(t, t.TempDir(), filepath.Join(base, "sub"))
		},
		"dangling link": func(t *testing.T, base string) { link(t, "nowhere", base) },
		"file in place of the folder": func(t *testing.T, base string) {
			mkdir(t, base)
			write(t, filepath.Join(base, "sub"), "")
		},
	}
	for name, prepare := range refused {
		t.Run(name, func(t *testing.T) {
			base := filepath.Join(t.TempDir(), "state")
			prepare(t, base)
			if _, err := CheckDir(base, "sub"); !errors.Is(err, ErrNotOurs) {
				t.Errorf("CheckDir = %v, want ErrNotOurs", err)
			}
			if _, err := Dir(base, "sub"); !errors.Is(err, ErrNotOurs) {
				t.Errorf("Dir = %v, want ErrNotOurs", err)
			}
		})
	}
	t.Run("a check changes nothing", func(t *testing.T) {
		base := t.TempDir()
		if err := os.Chmod(base, 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := CheckDir(base); err != nil || perm(t, base) != 0o755 {
			t.Errorf("CheckDir = %v, mode %o, want 755", err, perm(t, base))
		}
		if _, err := CheckDir(base, "sub"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("CheckDir = %v, want ErrNotExist", err)
		}
	})
	t.Run("no folder given", func(t *testing.T) {
		if _, err := Dir(""); err == nil {
			t.Error("Dir(\"\") gave no error")
		}
	})
}

func TestOpen(t *testing.T) {
	needUnix(t)
	t.Run("creates 0600 whatever the umask lets through", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "f")
		f, err := Open(path, os.O_RDWR|os.O_CREATE|os.O_APPEND)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if m := perm(t, path); m != 0o600 {
			t.Errorf("mode %o, want 600", m)
		}
	})
	t.Run("takes permissions away when it may write", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "f")
		write(t, path, "x")
		if err := os.Chmod(path, 0o664); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path, os.O_RDWR)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if m := perm(t, path); m != 0o600 {
			t.Errorf("mode %o, want 600", m)
		}
	})
	refused := map[string]func(t *testing.T, path string){
		"link to a file": func(t *testing.T, path string) {
			to := filepath.Join(t.TempDir(), "victim")
			write(t, to, "keep")
			link(t, to, path)
		},
		"dangling link": func(t *testing.T, path string) { link(t, filepath.Join(t.TempDir(), "made"), path) },
		"folder":        func(t *testing.T, path string) { mkdir(t, path) },
		"pipe":          func(t *testing.T, path string) { fifo(t, path) },
		"device":        func(t *testing.T, path string) { link(t, os.DevNull, path) },
	}
	for name, prepare := range refused {
		for flagName, flag := range map[string]int{"read": os.O_RDONLY, "append": os.O_WRONLY | os.O_APPEND | os.O_CREATE} {
			t.Run(name+", "+flagName, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "f")
				prepare(t, path)
				f, err := Open(path, flag)
				if !errors.Is(err, ErrNotOurs) {
					t.Errorf("Open = %v, want ErrNotOurs", err)
				}
				if err == nil {
					f.Close()
				}
			})
		}
	}
	t.Run("missing file keeps its error", func(t *testing.T) {
		if _, err := Open(filepath.Join(t.TempDir(), "f"), os.O_RDONLY); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Open = %v, want ErrNotExist", err)
		}
	})
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	for _, tc := range []struct {
		name  string
		size  int
		limit int64
		want  error
	}{
		{"empty", 0, 10, nil},
		{"below the limit", 9, 10, nil},
		{"at the limit", 10, 10, nil},
		{"above the limit", 11, 10, ErrTooBig},
		{"no room at all", 1, 0, ErrTooBig},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path, data := filepath.Join(dir, tc.name), strings.Repeat("x", tc.size)
			write(t, path, data)
			got, err := Read(path, tc.limit)
			if !errors.Is(err, tc.want) || err == nil && string(got) != data {
				t.Errorf("Read = %q, %v, want %d bytes and %v", got, err, tc.size, tc.want)
			}
		})
	}
}

func TestWrite(t *testing.T) {
	needUnix(t)
	dir := t.TempDir()
	victim, path := filepath.Join(dir, "victim"), filepath.Join(dir, "f")
	write(t, victim, "keep")
	link(t, victim, path)
	for _, data := range []string{"first", "", "second"} {
		if err := Write(path, []byte(data)); err != nil {
			t.Fatal(err)
		}
		got, err := Read(path, 100)
		if err != nil || string(got) != data {
			t.Errorf("Read after Write = %q, %v, want %q", got, err, data)
		}
		if m := perm(t, path); m != 0o600 {
			t.Errorf("mode %o, want 600", m)
		}
	}
	if got, err := os.ReadFile(victim); err != nil || string(got) != "keep" {
		t.Errorf("the link's target is now %q, %v", got, err)
	}
	if err := Write(filepath.Join(dir, "none", "f"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Write into a missing folder = %v, want ErrNotExist", err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, TempPrefix+"*")); err != nil || len(left) != 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

func write(t *testing.T, path, data string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
}

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
}
