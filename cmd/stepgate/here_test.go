package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stepgate/stepgate/internal/proc"
	"github.com/stepgate/stepgate/internal/setup"
)

// The key takes no way that the project's agent settings name, by a proxy or with a certificate of theirs.
func TestMayTry(t *testing.T) {
	if why := proc.UnderAgent(os.Getenv); why != "" {
		t.Skip("this runs under an agent: " + why)
	}
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, ".claude"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".claude", "settings.json"), []byte(`{"env":{"HTTPS_PROXY":"http://elsewhere.test","SSL_CERT_FILE":"ca.pem"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for name, value := range map[string]string{
		"HOME": dir, "STEPGATE_CONFIG_HOME": filepath.Join(dir, "config"), "STEPGATE_STATE_HOME": filepath.Join(dir, "state"),
		"HTTPS_PROXY": "http://elsewhere.test", "SSL_CERT_FILE": "ca.pem", "HTTP_PROXY": "http://mine.test",
	} {
		t.Setenv(name, value)
	}
	a := &app{ctx: context.Background(), env: setup.OS(func(err error) { t.Error(err) })}
	g, err := a.gateHere("claude")
	if err != nil {
		t.Fatal(err)
	}
	if err := a.mayTry(g); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"HTTPS_PROXY": "", "SSL_CERT_FILE": "", "HTTP_PROXY": "http://mine.test"} {
		if got := os.Getenv(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}
