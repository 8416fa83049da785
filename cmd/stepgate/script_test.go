package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/stepgate/stepgate/internal/setup"
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
			a := &app{ctx: context.Background(), stdin: os.Stdin, out: os.Stdout, err: os.Stderr}
			a.env = setup.OS(func(err error) { fmt.Fprintln(os.Stderr, "stepgate:", err) })
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
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"event": event},
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
	cmd := exec.Command(hookProgram, args[0])
	cmd.Stdin, cmd.Dir = stdin, ts.MkAbs(".")
	for _, name := range []string{"HOME", "PATH", "STEPGATE_MODE", "STEPGATE_ON_ERROR", "STEPGATE_ON_NO_ANSWER", "CLAUDE_CODE_SESSION_ATTENDED"} {
		if v := ts.Getenv(name); v != "" {
			cmd.Env = append(cmd.Env, name+"="+v)
		}
	}
	cmd.Stdout, cmd.Stderr = ts.Stdout(), ts.Stderr()
	if err := cmd.Run(); (err != nil) != neg {
		ts.Fatalf("stepgate-hook %s: %v", args[0], err)
	}
}
