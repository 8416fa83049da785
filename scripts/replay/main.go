// Command replay plays recorded agent sessions through the real hook, event by event, and tells how often it would have
// been in the way.
//
//	go run ./scripts/replay [-hook PROGRAM] [-v] [FILE]
//
// FILE holds one call a line: {"session","plan","tool","input","cwd"}, in order; the default is
// ../shared/cases/real-calls.jsonl. No command is run. Each session gets a clean repository with the files that its
// calls read and edit; results are taken as successful, and the same command prints the same until a file is edited. It
// ends with status 1 where the figures are worse than ordinary work can bear.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// What ordinary work can bear, as shares of all calls.
const (
	mostAsks    = .005
	mostDenies  = .0005
	mostNotices = 1.0 / 200
)

// call is one line of the file.
type call struct {
	Session string         `json:"session"`
	Plan    string         `json:"plan"`
	Tool    string         `json:"tool"`
	Input   map[string]any `json:"input"`
	CWD     string         `json:"cwd"`
}

func main() {
	hook := flag.String("hook", "", "the stepgate-hook to replay through; built from this folder if not given")
	verbose := flag.Bool("v", false, "tell each interruption")
	flag.Parse()
	if err := run(*hook, *verbose, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "replay:", err)
		os.Exit(1)
	}
}

func run(hook string, verbose bool, path string) error {
	if path == "" {
		path = filepath.Join("..", "shared", "cases", "real-calls.jsonl")
	}
	sessions, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		fmt.Printf("SKIP: %s is not there\n", path)
		return nil
	} else if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "stepgate-replay-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if hook == "" {
		hook = filepath.Join(dir, "stepgate-hook")
		build := exec.Command("go", "build", "-o", hook, "./cmd/stepgate-hook")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("build the hook: %w", err)
		}
	}
	var sum tally
	for i, calls := range sessions {
		p, err := newPlayer(hook, filepath.Join(dir, fmt.Sprint(i)), calls)
		if err != nil {
			return err
		}
		p.verbose = verbose
		if err := p.play(calls, &sum); err != nil {
			return err
		}
		os.RemoveAll(p.dir)
	}
	return sum.report(len(sessions))
}

// read gives the calls of each session.
func read(path string) ([][]call, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var sessions [][]call
	in := bufio.NewScanner(f)
	in.Buffer(nil, 64<<20)
	for n := 1; in.Scan(); n++ {
		var c call
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		if k := len(sessions); k == 0 || sessions[k-1][0].Session != c.Session {
			sessions = append(sessions, nil)
		}
		sessions[len(sessions)-1] = append(sessions[len(sessions)-1], c)
	}
	return sessions, in.Err()
}

// tally counts what the hook said.
type tally struct {
	calls, asks, denies, notices int
	bothered                     int // sessions with an interruption
	rules, found, told           map[string]int
}

func (t *tally) report(sessions int) error {
	share := func(n int) float64 { return float64(n) / float64(max(1, t.calls)) }
	fmt.Printf("%d calls in %d sessions: %d asks (%.2f %%), %d denies (%.3f %%), %d notices (1 in %d calls); %d sessions interrupted\n",
		t.calls, sessions, t.asks, 100*share(t.asks), t.denies, 100*share(t.denies), t.notices, t.calls/max(1, t.notices), t.bothered)
	list("decided by", t.rules)
	list("told the person", t.told)
	list("found and told the judge alone, or asked about", t.found)
	if share(t.asks) > mostAsks || share(t.denies) > mostDenies || share(t.notices) > mostNotices {
		return fmt.Errorf("more than ordinary work can bear: at most %g %% asks, %g %% denies, 1 notice in %g calls", 100*mostAsks, 100*mostDenies, 1/mostNotices)
	}
	return nil
}

func list(title string, counts map[string]int) {
	if len(counts) == 0 {
		return
	}
	fmt.Println(title + ":")
	for _, k := range slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(counts[b]-counts[a], cmp.Compare(a, b)) }) {
		fmt.Printf("%6d  %s\n", counts[k], k)
	}
}
