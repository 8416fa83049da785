package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/internal/otlp"
)

const line = `{"v":1,"kind":"call","time":"2026-03-01T10:00:00.000Z","seq":1,"session":"s","tool":"Bash","would":"allow","did":"allow"}` + "\n"

func TestRun(t *testing.T) {
	took := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer took.Close()
	refused := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	defer refused.Close()
	for _, c := range []struct {
		name           string
		args           []string
		code           int
		stdout, stderr string // what each must hold
	}{
		{"sent", []string{"--all", took.URL}, exitOK, "1 records of 1 files sent to " + took.URL, "1 lines cannot be read"},
		{"sent, as JSON", []string{"--json", took.URL}, exitOK, `"sent":1,"rejected":0,"unreadable":1}`, ""},
		{"refused", []string{refused.URL}, exitFailed, "0 records", "403 Forbidden"},
		{"in the clear", []string{"http://collector.example"}, exitUsage, "", "--insecure"},
		{"nowhere", nil, exitUsage, "", "usage:"},
		{"help", []string{"--help"}, exitOK, "", "usage:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			home := t.TempDir()
			path := filepath.Join(home, "a.jsonl")
			if err := os.WriteFile(path, []byte(line+"{\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			var stdout, stderr strings.Builder
			code := run(context.Background(), append([]string{"--state", home}, c.args...), strings.NewReader(path+"\x00"), &stdout, &stderr)
			if code != c.code || !strings.Contains(stdout.String(), c.stdout) || !strings.Contains(stderr.String(), c.stderr) {
				t.Errorf("exit %d, want %d\nstdout: %s\nstderr: %s", code, c.code, &stdout, &stderr)
			}
			var sum otlp.Summary
			if strings.HasPrefix(c.name, "sent, as JSON") && json.Unmarshal([]byte(stdout.String()), &sum) != nil {
				t.Errorf("no JSON: %s", &stdout)
			}
		})
	}
}
