package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"github.com/stepgate/stepgate/internal/config"
	"github.com/stepgate/stepgate/internal/setup"
)

// TestKeySet stores a key in a stand-in for the keyring, and takes it out again.
func TestKeySet(t *testing.T) {
	keyring.MockInit()
	const key = "ts_test_0123456789abcdefWXYZ"
	dir := t.TempDir()
	vars := map[string]string{
		"HOME": dir, "STEPGATE_CONFIG_HOME": filepath.Join(dir, "config"), "STEPGATE_STATE_HOME": filepath.Join(dir, "state"),
		"DBUS_SESSION_BUS_ADDRESS": "unix:path=" + filepath.Join(dir, "bus"),
	}
	if err := os.WriteFile(filepath.Join(dir, "bus"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	a := &app{ctx: context.Background(), out: &out, err: &errs, env: setup.Env{
		Getenv: func(name string) string { return vars[name] }, Program: filepath.Join(dir, "stepgate"),
		Complain: func(err error) { t.Error(err) }, Now: time.Now, Managed: filepath.Join(dir, "none.toml"),
	}}
	run := func(stdin string, args ...string) int {
		out.Reset()
		errs.Reset()
		a.stdin = strings.NewReader(stdin)
		return a.run(args)
	}
	health := filepath.Join(dir, "state", "health.json")
	if err := os.MkdirAll(filepath.Dir(health), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(health, []byte(`{}`), 0o600); err != nil {
		t.Fatal(err)
	}

	if code := run("two words\n", "key", "set"); code != exitFailed || strings.Contains(errs.String(), "two words") {
		t.Errorf("a key with a space: exit %d, %s", code, errs.String())
	}
	if code := run("\n", "key", "set"); code != exitFailed || config.KeyMarked(vars["STEPGATE_CONFIG_HOME"]) {
		t.Errorf("a blank key: exit %d, %s", code, errs.String())
	}
	if code := run(key+"\n", "key", "set"); code != exitOK {
		t.Fatalf("exit %d, %s", code, errs.String())
	}
	if got, err := keyring.Get("stepgate", "typesafe"); got != key || err != nil {
		t.Errorf("the keyring has another key, or none: %v", err)
	}
	if want := "stored in the keyring: ts_test…WXYZ\njudge: jev (judge = auto, default)\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	if !config.KeyMarked(vars["STEPGATE_CONFIG_HOME"]) {
		t.Error("judge = auto would not see the key")
	}
	if _, err := os.Stat(health); err == nil {
		t.Error("the judge's health is that of the key before")
	}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if bytes.Contains(b, []byte(key)) {
			t.Errorf("%s holds the key", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}

	if code := run("", "key", "delete"); code != exitOK || out.String() != "deleted\n" {
		t.Errorf("delete: exit %d, %s%s", code, out.String(), errs.String())
	}
	if config.KeyMarked(vars["STEPGATE_CONFIG_HOME"]) {
		t.Error("the mark stays without a key")
	}
}
