//go:build unix

package session

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
)

// init adds the children that need limits and users of a unix system.
func init() {
	children["full"] = appendUntilFull
	children["locked out"] = appendLockedOut
}

// appendUntilFull writes until the file may grow no further, as on a full disk, and then twice again.
func appendUntilFull(_ *Store, f *File, name string) error {
	signal.Ignore(syscall.SIGXFSZ)
	const most = 10_000
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
		return err
	}
	for i := 0; ; i++ {
		id := fmt.Sprint(name, "-", i)
		l, err := f.Append("", counted(call(id, "")))
		if l.CallID != id {
			return fmt.Errorf("call %s gave line %q", id, l.CallID)
		}
		if err != nil {
			break
		}
	}
	for range 2 {
		if _, err := f.Append("", counted(call("more", ""))); err == nil {
			return errors.New("a line was written past the limit")
		}
	}
	if m, err := f.Recall(""); err != nil || len(m.History) == 0 {
		return fmt.Errorf("recall of %d calls: %w", len(m.History), err)
	}
	return nil
}

func TestFullDisk(t *testing.T) {
	s := newStore(t)
	f := s.Find("session-1", "/p")
	put(t, f, person("the plan"))
	if out, err := child(t, s, "full", "f").Output(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	before := recall(t, f, "").Totals.Calls
	put(t, f, call("after", "")) // there is room again
	m := recall(t, f, "")
	if m.Totals.Calls != before+1 || m.Plan.String() != "the plan" {
		t.Errorf("%d calls after %d, plan %q", m.Totals.Calls, before, m.Plan)
	}
	if c := verified(t, s, "session-1"); c.Bad > 1 {
		t.Errorf("chain %+v", c)
	}
}

// appendLockedOut can read the session but not write to it.
func appendLockedOut(_ *Store, f *File, _ string) error {
	m, err := f.Recall("")
	if err != nil || m.Plan.String() != "the plan" {
		return fmt.Errorf("recall of plan %q: %w", m.Plan, err)
	}
	if l, err := f.Append("", counted(call("a", ""))); !errors.Is(err, os.ErrPermission) || l.CallID != "a" {
		return fmt.Errorf("append gave line %q and %w", l.CallID, err)
	}
	return nil
}

// TestReadOnly takes the right to write away. Root has it all the same, so the writer is nobody then.
func TestReadOnly(t *testing.T) {
	s := newStore(t)
	f := s.Find("session-1", "/p")
	put(t, f, person("the plan"))
	cmd := child(t, s, "locked out", "")
	project := filepath.Dir(f.Path())
	dirs := []string{project, filepath.Dir(project), filepath.Join(s.Dir, locksDir), s.Dir}
	locks, err := filepath.Glob(filepath.Join(s.Dir, locksDir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		// The folder of all tests is the root user's; let nobody through to this one.
		for dir := filepath.Dir(s.Dir); dir != filepath.Dir(os.TempDir()) && dir != "/"; dir = filepath.Dir(dir) {
			if fi, err := os.Stat(dir); err != nil || fi.Mode().Perm()&1 == 0 && os.Chmod(dir, fi.Mode().Perm()|1) != nil {
				t.Skip("no way to a temporary folder for another user")
			}
		}
		exe, err := os.ReadFile(cmd.Path)
		if err != nil {
			t.Fatal(err)
		}
		cmd.Path = filepath.Join(filepath.Dir(s.Dir), "writer")
		if err := os.WriteFile(cmd.Path, exe, 0o755); err != nil {
			t.Fatal(err)
		}
		const nobody = 65534
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		for _, path := range append(append([]string{f.Path()}, locks...), dirs...) {
			if err := os.Chown(path, nobody, nobody); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Chmod(f.Path(), 0o400); err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { // so that they can be removed
		for _, dir := range dirs {
			os.Chmod(dir, 0o700)
		}
	})
	if out, err := cmd.Output(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
