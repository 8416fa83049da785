// Command e2e runs the built hook in the real Claude Code and the real Codex, against a scripted model, and checks what
// came of each call: in enforce a dangerous one is refused and did not run and a harmless one ran untouched, in audit
// all run, and each has its line in the record.
//
// It needs the driver of the clients (STEPGATE_CLIENTS, or ../shared/clients beside the repository), node and the
// clients themselves (AGENT_CLIENTS_DIR). Where one is missing it says so and does nothing.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	keep := flag.Bool("keep", false, "keep the folders of the runs")
	only := flag.String("only", "", "run only those whose name holds this text")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "usage: go run ./scripts/e2e [-keep] [-only TEXT]")
		os.Exit(2)
	}
	ok, err := e2e(*keep, *only)
	var skip skipped
	switch {
	case errors.As(err, &skip):
		fmt.Println("SKIP:", skip)
	case err != nil:
		fmt.Fprintln(os.Stderr, "e2e:", err)
		os.Exit(1)
	case !ok:
		os.Exit(1)
	}
}

// skipped says what is missing to run at all.
type skipped string

func (s skipped) Error() string { return string(s) }

func e2e(keep bool, only string) (ok bool, err error) {
	root, err := moduleRoot()
	if err != nil {
		return false, err
	}
	drive, err := driver(root)
	if err != nil {
		return false, err
	}
	tmp, err := os.MkdirTemp("", "stepgate-e2e-")
	if err != nil {
		return false, err
	}
	if keep {
		fmt.Println("runs are kept in", tmp)
	} else {
		defer os.RemoveAll(tmp)
	}
	bin := filepath.Join(tmp, "bin")
	build := exec.Command("go", "build", "-o", bin+string(filepath.Separator), "./cmd/stepgate", "./cmd/stepgate-hook")
	build.Dir, build.Env, build.Stderr = root, append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	if err := build.Run(); err != nil {
		return false, fmt.Errorf("go build: %w", err)
	}
	failed, ran := 0, 0
	for i, s := range stories {
		if !strings.Contains(s.name(), only) {
			continue
		}
		dir := filepath.Join(tmp, fmt.Sprint(i))
		got, err := drive.run(s, dir, filepath.Join(bin, "stepgate-hook"))
		if err != nil {
			return false, fmt.Errorf("%s: %w", s.name(), err)
		}
		faults := s.check(got, filepath.Join(dir, "state"))
		for _, f := range faults {
			fmt.Printf("FAIL  %s: %s\n", s.name(), f)
		}
		if len(faults) == 0 {
			fmt.Printf("ok    %s: %d calls, hook %d ms at most\n", s.name(), len(s.calls), got.slowest())
		}
		failed += len(faults)
		ran++
	}
	if ran == 0 {
		return false, fmt.Errorf("no run's name holds %q", only)
	}
	fmt.Printf("%d runs, %d faults\n", ran, failed)
	return failed == 0, nil
}

// moduleRoot is the repository.
func moduleRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOMOD: %w", err)
	}
	mod := strings.TrimSpace(string(out))
	if filepath.Base(mod) != "go.mod" {
		return "", errors.New("run it inside the repository")
	}
	return filepath.Dir(mod), nil
}

// driver finds the program that runs the clients.
func driver(root string) (clients, error) {
	dir := os.Getenv("STEPGATE_CLIENTS")
	if dir == "" {
		dir = filepath.Join(filepath.Dir(root), "shared", "clients")
	}
	c := clients{script: filepath.Join(dir, "drive.mjs")}
	if _, err := os.Stat(c.script); err != nil {
		return c, skipped("no " + c.script + "; STEPGATE_CLIENTS names the folder of drive.mjs")
	}
	var err error
	if c.node, err = exec.LookPath("node"); err != nil {
		return c, skipped("node is not on PATH")
	}
	return c, nil
}
