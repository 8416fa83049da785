package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stepgate/stepgate/install"
	"github.com/stepgate/stepgate/internal/config"
	"github.com/stepgate/stepgate/internal/keystore"
	"github.com/stepgate/stepgate/internal/setup"
	"github.com/stepgate/stepgate/internal/version"
)

// ring is a keyring with one key, or none.
type ring string

func (r ring) Get() (string, error) {
	if r == "" {
		return "", keystore.ErrNotFound
	}
	return string(r), nil
}
func (ring) Set(string) error { return errors.New("not asked for") }
func (ring) Delete() error    { return errors.New("not asked for") }

// house is a home, a project and a folder of programs, all new.
type house struct {
	t               *testing.T
	home, proj, bin string
	vars            map[string]string
}

func newHouse(t *testing.T) *house {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, home: filepath.Join(dir, "home"), proj: filepath.Join(dir, "proj"), bin: filepath.Join(dir, "bin")}
	for _, d := range []string{h.home, filepath.Join(h.proj, ".git"), h.bin} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	h.vars = map[string]string{
		"HOME": h.home, "STEPGATE_CONFIG_HOME": filepath.Join(h.home, "config"), "STEPGATE_STATE_HOME": filepath.Join(h.home, "state"),
	}
	return h
}

func (h *house) write(path, text string, mode os.FileMode) {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		h.t.Fatal(err)
	}
}

// hook puts a script in the hook's place.
func (h *house) hook(body string) string {
	h.t.Helper()
	if runtime.GOOS == "windows" {
		h.t.Skip("the hook's stand-in is a shell script")
	}
	path := filepath.Join(h.bin, "stepgate-hook")
	h.write(path, "#!/bin/sh\nif [ \"$1\" = version ]; then echo stepgate-hook "+version.String()+"; exit; fi\n"+body+"\n", 0o700)
	return path
}

// good answers as the gate would, and needs homes of its own to do so.
const good = `in=$(cat)
case "$STEPGATE_STATE_HOME" in */stepgate-doctor-*) ;; *) exit 1;; esac
case "$in" in *"rm -rf /"*) echo '{"hookSpecificOutput":{"permissionDecision":"deny"}}';; esac`

func (h *house) env() setup.Env {
	env := setup.Env{
		Getenv: func(name string) string { return h.vars[name] }, Program: filepath.Join(h.bin, "stepgate"),
		Complain: func(err error) { h.t.Error(err) }, Now: time.Now, Managed: filepath.Join(h.home, "managed.toml"),
	}
	for k, v := range h.vars {
		env.Environ = append(env.Environ, k+"="+v)
	}
	return env
}

func (h *house) run(r ring) []Check {
	return Run(context.Background(), Options{Env: h.env(), CWD: h.proj, Keyring: r})
}

func (h *house) install(agent string, scope install.Scope) install.Change {
	h.t.Helper()
	o := install.Options{Getenv: h.env().Getenv, Root: h.proj, Program: filepath.Join(h.bin, "stepgate-hook"), State: h.vars["STEPGATE_STATE_HOME"]}
	c, err := install.Plan(agent, scope, o)
	if err == nil {
		err = c.Apply()
	}
	if err != nil {
		h.t.Fatal(err)
	}
	return c
}

// want looks for a check by name with a status and a part of its text.
func want(t *testing.T, checks []Check, name string, s Status, part string) {
	t.Helper()
	for _, c := range checks {
		if c.Name == name && c.Status == s && strings.Contains(c.Detail, part) {
			return
		}
	}
	t.Errorf("no check %q is %s with %q in it; got:", name, s, part)
	for _, c := range checks {
		t.Logf("%s %s: %s", c.Status, c.Name, c.Detail)
	}
}

func TestReady(t *testing.T) {
	h := newHouse(t)
	h.hook(good)
	h.install("claude", install.User)
	checks := h.run("")
	want(t, checks, "settings", OK, "defaults")
	want(t, checks, "programs", OK, version.String())
	want(t, checks, "judge", OK, "local")
	want(t, checks, "claude (user)", OK, "stepgate-hook")
	want(t, checks, "canary: claude (user)", OK, "refused")
	want(t, checks, "heartbeat", OK, "no session")
	if Failed(checks) {
		t.Error("a check failed")
	}
	if _, err := os.Stat(filepath.Join(h.vars["STEPGATE_STATE_HOME"], "sessions")); err == nil {
		t.Error("the canary wrote into this user's record")
	}
}

func TestFaults(t *testing.T) {
	tests := []struct {
		name  string
		setUp func(*house)
		check string
		want  Status
		part  string
	}{
		{"no hook", func(*house) {}, "programs", Fail, "not there"},
		{"hook of another build", func(h *house) { h.write(h.hook(good), "#!/bin/sh\necho stepgate-hook 0.0.0\n", 0o700) }, "programs", Warn, "0.0.0"},
		{"hook that does not run", func(h *house) { h.write(h.hook(good), "#!/bin/sh\nexit 3\n", 0o700) }, "programs", Fail, "exit status 3"},
		{"nothing installed", func(h *house) { h.hook(good) }, "agent", Fail, "no agent"},
		{"nothing installed, hook tried", func(h *house) { h.hook(good) }, "canary", OK, "refused"},
		{"hook that lets all pass", func(h *house) { h.hook("cat >/dev/null") }, "canary", Fail, "dangerous call was not refused"},
		{"hook that stops all", func(h *house) { h.hook(`echo '{"hookSpecificOutput":{"permissionDecision":"deny"}}'`) }, "canary", Fail, "not met with silence"},
		{"hook that fails", func(h *house) { h.hook("echo broken >&2; exit 1") }, "canary", Fail, "broken"},
		{"program gone", func(h *house) {
			h.hook(good)
			h.install("claude", install.User)
			os.Remove(filepath.Join(h.bin, "stepgate-hook"))
		}, "claude (user)", Fail, "not there"},
		{"codex not trusting", func(h *house) { h.hook(good); h.install("codex", install.User) }, "codex (user)", Fail, "not been told to trust"},
		{"settings broken", func(h *house) { h.write(filepath.Join(h.home, "config", config.UserFile), "mode = \n", 0o600) }, "settings", Fail, "TOML"},
		{"setting unknown", func(h *house) { h.write(filepath.Join(h.home, "config", config.UserFile), "mood = 1\n", 0o600) }, "settings", Warn, "mood"},
		{"state folder is a file", func(h *house) { h.write(filepath.Join(h.home, "state"), "", 0o600) }, "state folder", Fail, "not a private file"},
		{"judge off", func(h *house) { h.vars["STEPGATE_JUDGE"] = "off" }, "judge", Warn, "only rules"},
		{"mode held", func(h *house) {
			h.write(filepath.Join(h.home, "managed.toml"), "mode = \"audit\"\nlocked = [\"mode\"]\n", 0o600)
		}, "canary", Warn, "holds the mode"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "mode held" && runtime.GOOS != "windows" && os.Getuid() != 0 {
				t.Skip("the administrator's file must be root's")
			}
			h := newHouse(t)
			tt.setUp(h)
			want(t, h.run(""), tt.check, tt.want, tt.part)
		})
	}
}

func TestCodexTrust(t *testing.T) {
	h := newHouse(t)
	h.hook(good)
	c := h.install("codex", install.User)
	h.write(filepath.Join(h.home, ".codex", "config.toml"), fmt.Sprintf("[hooks.state.%q]\ntrusted_hash = \"sha256:0\"\n", c.Path+":pre_tool_use:0:0"), 0o600)
	want(t, h.run(""), "codex (user)", OK, "trusted in Codex")
}

// A repository's settings are written by whoever wrote the repository: what they name must not be started.
func TestRepositoryIsNotRun(t *testing.T) {
	h := newHouse(t)
	h.hook(good)
	evil, mark := filepath.Join(h.proj, "stepgate-hook"), filepath.Join(h.home, "was-run")
	h.write(evil, "#!/bin/sh\ntouch '"+mark+"'\n", 0o700)
	h.write(filepath.Join(h.proj, ".claude", "settings.json"),
		`{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"`+evil+`","args":["claude"]}]}]}}`, 0o600)
	checks := h.run("")
	if _, err := os.Stat(mark); err == nil {
		t.Error("the repository's program was run")
	}
	want(t, checks, "claude (project)", Fail, "not "+filepath.Join(h.bin, "stepgate-hook"))
}

func TestProbe(t *testing.T) {
	const key = "ts_test_0123456789abcdefghij"
	tests := []struct {
		name   string
		key    ring
		status int
		want   string
	}{
		{"accepted", key, 200, Accepted},
		{"rejected", key, 401, Rejected},
		{"no answer", key, 500, NoAnswer},
		{"no key", "", 200, NoKey},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(tt.status)
				fmt.Fprint(w, `{"models":[]}`)
			}))
			defer srv.Close()
			c := config.Config{Judge: "jev", BaseURL: srv.URL}
			got, err := Probe(context.Background(), c, keystore.Store{Keyring: tt.key, Getenv: func(string) string { return "" }})
			if got != tt.want {
				t.Errorf("got %q (%v), want %q", got, err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), key) {
				t.Error("the error holds the key")
			}
		})
	}
	if got, _ := Probe(context.Background(), config.Config{Judge: "local"}, keystore.Store{}); got != Skipped {
		t.Errorf("local: got %q, want %q", got, Skipped)
	}
}

func TestHeartbeat(t *testing.T) {
	const id = "0f8fad5b-d9cb-469f-a165-70867728950e"
	stamp := time.Now().Add(time.Minute).UTC().Format(time.RFC3339)
	claudeLog := `{"type":"user","timestamp":"` + stamp + `"}
not json
{"type":"assistant","message":{"content":[{"type":"text"},{"type":"tool_use"}]}}
`
	h := newHouse(t)
	h.hook(good)
	h.install("claude", install.User)
	c := h.install("codex", install.User)
	h.write(filepath.Join(h.home, ".codex", "config.toml"), fmt.Sprintf("[hooks.state.%q]\ntrusted_hash = \"sha256:0\"\n", c.Path+":pre_tool_use:0:0"), 0o600)
	slug := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:._`, r) {
			return '-'
		}
		return r
	}, h.proj)
	log := filepath.Join(h.home, ".claude", "projects", slug, id+".jsonl")
	record := filepath.Join(h.home, "state", "sessions", "proj", id+".jsonl")

	want(t, h.run(""), "tokens", OK, "until then session.tokens is off")
	h.write(log, claudeLog, 0o600)
	want(t, h.run(""), "heartbeat", Fail, id+" made 1 call")
	want(t, h.run(""), "tokens", Warn, id+" does not tell how many tokens are used")
	h.write(log, strings.Replace(claudeLog, `"message":{`, `"message":{"usage":{"input_tokens":900,"output_tokens":20},`, 1), 0o600)
	want(t, h.run(""), "tokens", OK, "newest 1 sessions tell")
	h.vars["STEPGATE_TRIGGERS"] = "off"
	for _, c := range h.run("") {
		if c.Name == "tokens" {
			t.Errorf("with no budget: %s %s", c.Status, c.Detail)
		}
	}
	delete(h.vars, "STEPGATE_TRIGGERS")
	h.write(log, claudeLog, 0o600)

	h.write(record, `{"v":1,"kind":"call","time":"`+time.Now().UTC().Format("2006-01-02T15:04:05.000Z")+`","seq":1,"session":"`+id+"\"}\n", 0o600)
	want(t, h.run(""), "heartbeat", OK, "newest 1 sessions")

	h.write(log, strings.Replace(claudeLog, stamp, "2020-01-01T00:00:00Z", 1), 0o600)
	want(t, h.run(""), "heartbeat", OK, "no session") // it began before the install

	rollout := filepath.Join(h.home, ".codex", "sessions", time.Now().Format("2006/01/02"), "rollout-2026-03-01T12-00-00-"+strings.Replace(id, "0f", "1f", 1)+".jsonl")
	h.write(rollout, `{"timestamp":"`+stamp+`","type":"session_meta","payload":{"cwd":"`+h.proj+`"}}
{"type":"response_item","payload":{"type":"function_call"}}
{"type":"response_item","payload":{"type":"custom_tool_call"}}
`, 0o600)
	want(t, h.run(""), "heartbeat", Fail, "1f8fad5b-d9cb-469f-a165-70867728950e made 2 calls")

	// A subagent's log has an id of its own in its name, and its calls stand in the record of the session it belongs to.
	h.write(rollout, `{"timestamp":"`+stamp+`","type":"session_meta","payload":{"session_id":"`+id+`","cwd":"`+h.proj+`"}}
{"type":"response_item","payload":{"type":"function_call"}}
`, 0o600)
	want(t, h.run(""), "heartbeat", OK, "newest 1 sessions")
}
