package doctor

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/knadh/koanf/parsers/toml/v2"

	"github.com/stepgate/stepgate/install"
	"github.com/stepgate/stepgate/internal/config"
	"github.com/stepgate/stepgate/internal/keystore"
	"github.com/stepgate/stepgate/internal/safefile"
	"github.com/stepgate/stepgate/internal/version"
)

// settings looks at the files the settings come from.
func (e *exam) settings() {
	detail := cmp.Or(strings.Join(e.gate.SettingsFiles(), ", "), "no file, so the defaults")
	if e.gate.Config.Unreadable {
		e.add("settings", Fail, "a settings file cannot be used: "+strings.Join(e.gate.Config.Warnings, "; "), "correct the file; until then the mode last recorded counts")
		return
	}
	e.add("settings", OK, detail, "")
	for _, w := range e.gate.Config.Warnings {
		e.add("settings", Warn, w, "stepgate config show")
	}
	if names := e.gate.ProjectEnv.Names(); len(names) > 0 {
		e.add("settings", Warn, "the project's agent settings name "+strings.Join(names, ", ")+"; such a value can only make the gate stricter", "")
	}
}

// folders looks at the two that are the gate's own.
func (e *exam) folders() {
	for _, f := range [...]struct{ name, path string }{{"config folder", e.gate.ConfigHome}, {"state folder", e.gate.StateHome}} {
		if f.path == "" {
			e.add(f.name, Fail, config.ErrNoHome.Error(), "")
			continue
		}
		status, detail := folder(f.path)
		fix := ""
		if status != OK {
			fix = "make it a folder of yours alone: chmod 700 " + f.path
		}
		e.add(f.name, status, detail, fix)
	}
}

func folder(path string) (Status, string) {
	if _, err := safefile.CheckDir(path); errors.Is(err, fs.ErrNotExist) {
		return OK, path + " (not there yet; made when it is needed)"
	} else if err != nil {
		return Fail, err.Error()
	}
	tmp, err := safefile.Temp(path, nil)
	if err != nil {
		return Fail, "cannot be written: " + err.Error()
	}
	os.Remove(tmp) // left behind, it is cleared away with the other temporary files
	return OK, path
}

// programTime bounds a start of one of our own programs.
const programTime = 10 * time.Second

// programs looks for the hook beside stepgate and has it say its version.
func (e *exam) programs(ctx context.Context) {
	const fix = "put stepgate and stepgate-hook of one build into one folder: go install ./cmd/..."
	if _, err := os.Stat(e.hook); err != nil {
		e.add("programs", Fail, e.hook+" is not there", fix)
		return
	}
	theirs, err := say(ctx, e.hook, "version")
	if err != nil {
		e.add("programs", Fail, fmt.Sprintf("%s does not run: %v", e.hook, err), fix)
		return
	}
	_, its, _ := strings.Cut(theirs, " ")
	if ours := version.String(); its != ours {
		e.add("programs", Warn, fmt.Sprintf("stepgate is %s, stepgate-hook %s", ours, its), fix)
		return
	}
	e.add("programs", OK, filepath.Dir(e.hook)+", version "+its, "")
}

func say(ctx context.Context, program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, programTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	return string(bytes.TrimSpace(out)), err
}

// judge tries the remote judge where there is one.
func (e *exam) judge(ctx context.Context) {
	c := e.gate.Config
	keys := keystore.Store{Keyring: e.Keyring, Getenv: e.gate.Env}
	switch c.Judge {
	case "off":
		e.add("judge", Warn, "judge = off: only rules decide", "stepgate config set judge auto")
		return
	case "local":
		e.add("judge", OK, "local: nothing is sent anywhere", "")
		return
	}
	detail := "judge " + c.Judge
	if key := keys.Status(ctx); key.Masked != "" {
		detail += fmt.Sprintf(", key %s (%s)", key.Masked, key.Source)
	}
	if e.Offline != nil {
		first, _, _ := strings.Cut(e.Offline.Error(), "\n")
		e.add("judge", OK, detail+": not tried: "+first, "")
		return
	}
	answer, err := Probe(ctx, c, keys)
	if answer == Accepted {
		e.add("judge", OK, detail+": accepted", "")
		return
	}
	if err != nil && answer != NoKey {
		first, _, _ := strings.Cut(err.Error(), "\n")
		answer += " (" + first + ")"
	}
	e.add("judge", Fail, detail+": "+answer+"; the local judge stands in, by on_error = "+c.OnError, "stepgate key set, or stepgate config set judge local")
}

// installed finds the entries in the agents' settings.
func (e *exam) installed() {
	for _, name := range install.Agents() {
		for _, scope := range [...]install.Scope{install.User, install.Project, install.Local} {
			s, err := install.Status(name, scope, install.Options{Getenv: e.Env.Getenv, Root: e.gate.Root, Program: e.hook, State: e.gate.StateHome})
			switch {
			case s.Path == "", slices.ContainsFunc(e.states, func(o install.State) bool { return o.Path == s.Path }):
				// The agent has no such scope, or in the home folder two scopes are one file.
			case err != nil:
				e.add(name+" ("+string(scope)+")", Warn, err.Error(), "")
			case s.Installed || len(s.Problems) > 0:
				e.states = append(e.states, s)
			}
		}
	}
}

// agents looks at what is installed where.
func (e *exam) agents() {
	e.installed()
	if len(e.states) == 0 {
		e.add("agent", Fail, "the hook is installed in no agent, so no call is guarded", "stepgate install claude, or stepgate install codex")
		return
	}
	for _, s := range e.states {
		label := s.Agent + " (" + string(s.Scope) + ")"
		if len(s.Problems) > 0 {
			e.add(label, Fail, s.Path+": "+strings.Join(s.Problems, "; "), fmt.Sprintf("stepgate install %s --scope %s", s.Agent, s.Scope))
			continue
		}
		e.add(label, OK, s.Path+" starts "+s.Program, "")
		if s.Agent == "codex" {
			e.trust(label, s)
		}
	}
}

// trust looks whether Codex was ever told to trust the entry. Whether it still is the one that was trusted only Codex
// knows.
func (e *exam) trust(label string, s install.State) {
	home := e.Env.Getenv("CODEX_HOME")
	if !filepath.IsAbs(home) {
		home = filepath.Join(e.Env.Getenv("HOME"), ".codex")
	}
	if trusted(filepath.Join(home, "config.toml"), s.TrustKey) {
		e.add(label, OK, "trusted in Codex; after a change of the entry, /hooks in Codex shows whether it still is", "")
		return
	}
	e.add(label, Fail, "Codex has not been told to trust the hook and skips it without a word", "start codex and answer its question, or open /hooks there")
}

// maxSettings bounds the agent's settings file.
const maxSettings = 4 << 20

func trusted(path, key string) bool {
	if st, err := os.Stat(path); err != nil || !st.Mode().IsRegular() || st.Size() > maxSettings {
		return false
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	values, err := toml.Parser().Unmarshal(b)
	if err != nil {
		return false
	}
	hooks, _ := values["hooks"].(map[string]any)
	state, _ := hooks["state"].(map[string]any)
	entry, _ := state[key].(map[string]any)
	hash, _ := entry["trusted_hash"].(string)
	return hash != ""
}
