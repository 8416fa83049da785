package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stepgate/stepgate/policy"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// at is a configuration whose user's file sets the mode.
func at(mode policy.Mode) Config { return Config{Mode: mode, base: mode, baseFrom: User} }

func TestRemember(t *testing.T) {
	home := filepath.Join(t.TempDir(), "config")
	path := filepath.Join(home, ModeFile)
	check := func(configured, want policy.Mode, file bool) {
		t.Helper()
		if got, ok := at(configured).Remembered(home); got != want || ok != (want != "") {
			t.Errorf("configured %s: remembered %q, want %q", configured, got, want)
		}
		if _, err := os.Lstat(path); (err == nil) != file {
			t.Errorf("configured %s: mode file: %v", configured, err)
		}
	}
	remember := func(mode, configured policy.Mode) {
		t.Helper()
		if err := at(configured).Remember(home, mode, noon); err != nil {
			t.Fatal(err)
		}
	}
	check(policy.Audit, "", false)
	remember(policy.Enforce, policy.Audit)
	check(policy.Audit, policy.Enforce, true)
	check(policy.Off, "", false) // stale, and deleted
	check(policy.Audit, "", false)
	remember(policy.Enforce, policy.Audit)
	remember(policy.Audit, policy.Audit) // back to what is configured
	check(policy.Audit, "", false)
	remember(policy.Audit, policy.Audit)
	check(policy.Audit, "", false)

	for _, bad := range []string{"", "{", `{"mode":"loud","based_on":"audit"}`, `{"based_on":"audit"}`, `[]`, strings.Repeat(" ", 5000)} {
		if err := os.WriteFile(path, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, ok := at(policy.Audit).Remembered(home); ok {
			t.Errorf("%q is taken for %q", bad, got)
		}
		_ = os.Remove(path)
	}
	if err := at(policy.Audit).Remember("", policy.Off, noon); err == nil {
		t.Error("remembered without a home")
	}
}

func TestNow(t *testing.T) {
	w := newWorld(t)
	w.user(`mode = "off"`)
	c := w.load()
	want := func(session, mode policy.Mode, by string) {
		t.Helper()
		if gotMode, gotBy := c.Now(w.home, session); gotMode != mode || gotBy != by {
			t.Errorf("%s by %s, want %s by %s", gotMode, gotBy, mode, by)
		}
	}
	want("", policy.Off, "user file")
	if err := c.Remember(w.home, policy.Enforce, noon); err != nil {
		t.Fatal(err)
	}
	want("", policy.Enforce, "remembered switch")
	want(policy.Audit, policy.Audit, "this session")
	want("loud", policy.Enforce, "remembered switch")
}
