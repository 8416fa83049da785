package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
)

// world is a machine with nothing on it but the gate: a home, a project without a repository, and the built programs.
type world struct {
	bin              string
	hook, base, peak string
	project, state   string
	env              []string
	calls            atomic.Int64
}

// newWorld builds the programs below dir.
func newWorld(dir string) (*world, error) {
	bin := filepath.Join(dir, "bin")
	w := &world{
		bin:     bin,
		hook:    filepath.Join(bin, "stepgate-hook"),
		base:    filepath.Join(bin, "base"),
		project: filepath.Join(dir, "home", "shop"),
		state:   filepath.Join(dir, "state"),
	}
	programs := []string{"./cmd/stepgate-hook", "./scripts/bench/base"}
	if runtime.GOOS != "windows" {
		w.peak = filepath.Join(bin, "peak")
		programs = append(programs, "./scripts/bench/peak")
	}
	for _, d := range []string{bin, w.project} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return nil, err
		}
	}
	if err := w.build(programs...); err != nil {
		return nil, err
	}
	for name, text := range map[string]string{"README.md": "# Shop\n", "go.mod": "module shop\n", "main.go": "package main\n\nfunc main() {}\n"} {
		if err := os.WriteFile(filepath.Join(w.project, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	w.env = []string{
		"HOME=" + filepath.Dir(w.project),
		"PATH=" + os.Getenv("PATH"),
		"STEPGATE_CONFIG_HOME=" + filepath.Join(dir, "config"),
		"STEPGATE_STATE_HOME=" + w.state,
		"STEPGATE_MODE=enforce",
		"STEPGATE_JUDGE=local",
		"CLAUDE_PROJECT_DIR=" + w.project,
	}
	return w, nil
}

// build makes programs as they are released.
func (w *world) build(programs ...string) error {
	args := append([]string{"build", "-trimpath", "-ldflags=-s -w", "-o", w.bin + string(filepath.Separator)}, programs...)
	c := exec.Command("go", args...)
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("go build (bench runs in the root of the module): %w\n%s", err, out)
	}
	return nil
}

// event is a payload as Claude Code sends it.
func (w *world) event(session, name string, fields map[string]any) []byte {
	doc := map[string]any{
		"session_id": session, "hook_event_name": name, "cwd": w.project, "permission_mode": "default",
		"transcript_path": filepath.Join(w.project, "..", session+".jsonl"),
		"prompt_id":       "00000000-0000-4000-8000-000000000002",
	}
	for k, v := range fields {
		doc[k] = v
	}
	b, err := json.Marshal(doc)
	if err != nil {
		panic(err) // strings and numbers only
	}
	return b
}

// call is a pending call with an id of its own: the gate answers the same call once only.
func (w *world) call(session, tool string, input map[string]any) []byte {
	return w.event(session, "PreToolUse", map[string]any{
		"tool_name": tool, "tool_input": input, "tool_use_id": fmt.Sprintf("toolu_%06d", w.calls.Add(1)),
	})
}

func (w *world) hookRun(stdin []byte, env ...string) program {
	return program{argv: []string{w.hook, "claude"}, env: append(w.env[:len(w.env):len(w.env)], env...), stdin: stdin, silent: true}
}

func (w *world) baseRun(stdin []byte) program {
	return program{argv: []string{w.base}, env: w.env, stdin: stdin}
}

// start opens a session with a prompt that asks for what the cases do.
func (w *world) start(session string) error {
	const prompt = "Walk through this project: list its folders, read the code, write notes about it under notes/ and make folders for the build under out/."
	for _, ev := range [][]byte{
		w.event(session, "SessionStart", map[string]any{"source": "startup"}),
		w.event(session, "UserPromptSubmit", map[string]any{"prompt": prompt}),
	} {
		p := w.hookRun(ev)
		p.silent = false // a notice to the person is fine
		if _, err := p.run(); err != nil {
			return err
		}
	}
	return nil
}

// record is what a session's files hold.
type record struct {
	calls     int   // whole call lines
	broken    int   // lines that are no JSON object
	gaps      int   // places where seq does not go on by one
	unchained int   // lines written without the lock; they have no seq
	bytes     int64 // of all files
}

// read counts the lines of a session, all its files together.
func (w *world) read(session string) (record, error) {
	var r record
	var last int64
	err := filepath.WalkDir(w.state, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(d.Name(), session) || filepath.Ext(name) != ".jsonl" {
			return err
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		r.bytes += int64(len(b))
		for line := range strings.Lines(string(b)) {
			var l struct {
				Kind      string
				Seq       int64
				Unchained bool
			}
			if json.Unmarshal([]byte(line), &l) != nil {
				r.broken++
				continue
			}
			if l.Kind == "call" {
				r.calls++
			}
			switch {
			case l.Unchained:
				r.unchained++
				continue
			case l.Seq != last+1:
				r.gaps++
			}
			last = l.Seq
		}
		return nil
	})
	return r, err
}

// holds is an error when the session does not hold so many whole call lines, in order and without a gap.
func (w *world) holds(session string, calls int) (record, error) {
	r, err := w.read(session)
	if err == nil && (r.calls != calls || r.broken > 0 || r.gaps > 0) {
		err = fmt.Errorf("session %s holds %d of %d call lines, %d broken lines and %d gaps", session, r.calls, calls, r.broken, r.gaps)
	}
	return r, err
}
