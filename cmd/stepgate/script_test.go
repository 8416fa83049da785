package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/tidwall/gjson"
)

// hookProgram is the built stepgate-hook; the stories run the real one.
var hookProgram string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "stepgate-test")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	hookProgram = filepath.Join(dir, "stepgate-hook")
	if os.Getenv("TESTSCRIPT_COMMAND") == "" && filepath.Base(os.Args[0]) != "stepgate" {
		b := exec.Command("go", "build", "-o", hookProgram, "../stepgate-hook")
		if out, err := b.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "building stepgate-hook: %v\n%s", err, out)
			os.Exit(1)
		}
	}
	testscript.Main(withCleanup{m, dir}, map[string]func(){
		"stepgate": func() {
			a := newApp(context.Background())
			a.env.Managed = os.Getenv("MANAGED") // never this machine's own
			if a.env.Managed == "" {
				a.env.Managed = filepath.Join(os.Getenv("HOME"), "no-managed.toml")
			}
			os.Exit(a.run(os.Args[1:]))
		},
	})
}

// withCleanup removes the built program when all stories are told.
type withCleanup struct {
	m   *testing.M
	dir string
}

func (w withCleanup) Run() int {
	defer os.RemoveAll(w.dir)
	return w.m.Run()
}

// TestScript tells the stories of testdata, each in a home and a project of its own.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			e.Vars = append(e.Vars,
				"HOME="+home, "DBUS_SESSION_BUS_ADDRESS=", "NO_COLOR=1",
			)
			if err := beside(filepath.SplitList(e.Getenv("PATH"))[0]); err != nil {
				return err
			}
			return errors.Join(os.MkdirAll(filepath.Join(e.WorkDir, "proj"), 0o700), os.MkdirAll(home, 0o700))
		},
		Condition: func(c string) (bool, error) {
			if c == "root" {
				return os.Getuid() == 0, nil
			}
			return false, fmt.Errorf("unknown condition %q", c)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"event": event, "server": server},
	})
}

// beside puts the hook where the stories' stepgate is; the two look for each other in one folder.
func beside(dir string) error {
	b, err := os.ReadFile(hookProgram)
	if err != nil {
		return err
	}
	placed.Do(func() { err = os.WriteFile(filepath.Join(dir, "stepgate-hook"), b, 0o700) })
	return err
}

var placed sync.Once

// handed are the variables that a hook gets of a story's.
var handed = [...]string{
	"HOME", "PATH", "CLAUDE_CODE_SESSION_ATTENDED", "TYPESAFE_API_KEY", "TYPESAFE_BASE_URL",
	"STEPGATE_JUDGE", "STEPGATE_MODE", "STEPGATE_ON_ERROR", "STEPGATE_ON_NO_ANSWER", "STEPGATE_SNAPSHOT", "STEPGATE_TIMEOUT_MS",
}

// event AGENT FILE feeds the payload of a file to the hook, with $WORK in it replaced; what it answers is compared by
// stdout and stderr. It fails on any exit code but 0.
func event(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: event AGENT FILE")
	}
	payload := os.Expand(ts.ReadFile(args[1]), func(name string) string {
		if name == "WORK" {
			return ts.Getenv("WORK")
		}
		return "$" + name
	})
	ts.Check(os.WriteFile(ts.MkAbs("payload.json"), []byte(payload), 0o600))
	stdin, err := os.Open(ts.MkAbs("payload.json"))
	ts.Check(err)
	defer stdin.Close()
	cmd := exec.Command(filepath.Join(filepath.SplitList(ts.Getenv("PATH"))[0], "stepgate-hook"), args[0])
	cmd.Stdin, cmd.Dir = stdin, ts.MkAbs(".")
	for _, name := range handed {
		if v := ts.Getenv(name); v != "" {
			cmd.Env = append(cmd.Env, name+"="+v)
		}
	}
	cmd.Stdout, cmd.Stderr = ts.Stdout(), ts.Stderr()
	if err := cmd.Run(); (err != nil) != neg {
		ts.Fatalf("stepgate-hook %s: %v", args[0], err)
	}
}

// server P|STATUS is a remote judge on this machine, and sets TYPESAFE_BASE_URL to it: it answers that a call is to be
// flagged with the probability P, or fails with the HTTP status; it offers two models. What it was asked last stands in
// $WORK/asked.
func server(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: server P|STATUS")
	}
	v, err := strconv.ParseFloat(args[0], 64)
	ts.Check(err)
	asked := filepath.Join(ts.Getenv("WORK"), "asked")
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && v <= 1 {
			io.WriteString(w, `{"models":[{"name":"stub-1"},{"name":"stub-2","description":"a larger one"}]}`)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = os.WriteFile(asked, body, 0o600)
		}
		if err != nil || v > 1 {
			w.WriteHeader(max(int(v), http.StatusInternalServerError))
			return
		}
		w.Write(judged(body, v))
	}))
	ts.Defer(s.Close)
	ts.Setenv("TYPESAFE_BASE_URL", s.URL)
}

// judged answers each question of a request: should_flag with p, policy_broken as broken, all others without a worry.
func judged(body []byte, p float64) []byte {
	answers := map[string]any{}
	for name, q := range gjson.GetBytes(body, "questions").Map() {
		switch {
		case q.Get("type").Str == "score":
			answers[name] = map[string]any{"type": "score", "score": 4, "probabilities": map[string]int{"0": 0, "1": 0, "2": 0, "3": 0, "4": 1}}
		case q.Get("type").Str == "choice":
			answers[name] = map[string]any{"type": "choice", "choice": "neutral", "probabilities": map[string]float64{"advances": 0.2, "neutral": 0.7, "obstacle": 0.06, "irreversible": 0.04}}
		case name == "policy_broken":
			answers[name] = map[string]any{"type": "noul", "noul": 0.93}
		case name == "should_flag":
			answers[name] = map[string]any{"type": "noul", "noul": p}
		default:
			answers[name] = map[string]any{"type": "noul", "noul": 0.01}
		}
	}
	b, err := json.Marshal(map[string]any{"model": "stub-1", "answers": answers, "usage": map[string]int{"input_tokens": 80, "output_tokens": 6}})
	if err != nil {
		panic(err) // numbers and words marshal
	}
	return b
}
