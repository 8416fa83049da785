package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// options bound the work of the cases.
type options struct {
	n    int // pairs
	fill int // calls of the long session
}

// result is one line of the table.
type result struct {
	Case string `json:"case"`
	figures
	PeakMiB float64 `json:"peak_mib,omitempty"`
	Goal    float64 `json:"goal"`
	Note    string  `json:"note,omitempty"`
}

// benchCase is one kind of call, with what it is compared to.
type benchCase struct {
	name string
	what string
	goal float64 // wall ratio the project aims at
	run  func(*world, options) (result, error)
}

var cases = []benchCase{
	{"ls", "an `ls` call, local judge, ÷ base", 1.7, func(w *world, o options) (result, error) {
		return plain(w, o, "ls", func(i int) (string, map[string]any) {
			return "Bash", map[string]any{"command": fmt.Sprintf("ls -la part%d", i), "description": "List a folder"}
		})
	}},
	{"write", "a Write of 8 KB, ÷ base", 2.0, func(w *world, o options) (result, error) {
		text := strings.Repeat("The price of an order is the sum of its lines, rounded once at the end.\n", 8192/72)
		return plain(w, o, "write", func(i int) (string, map[string]any) {
			return "Write", map[string]any{"file_path": filepath.Join(w.project, "notes", fmt.Sprintf("n%d.md", i)), "content": text}
		})
	}},
	{"read", "a Read, which the judge skips, ÷ base", 1.7, func(w *world, o options) (result, error) {
		return plain(w, o, "read", func(i int) (string, map[string]any) {
			return "Read", map[string]any{"file_path": filepath.Join(w.project, "main.go"), "offset": i}
		})
	}},
	{"growth", "call N of a session ÷ call 10", 1.1, growth},
	{"burst", "32 at once on one session ÷ 32 on sessions of their own", 1.25, parallel},
	{"snapshot", "a reset of 300 changed files, with a copy of them, ÷ git status", 4, snapshots},
	{"git2k", "a reset in a clean tree of 2,000 files, ÷ git status", 2, grounded(2_000)},
	{"git50k", "a reset in a clean tree of 50,000 files, ÷ git status", 1.5, grounded(50_000)},
	{"jev", "a call judged over plain HTTP on loopback, ÷ base", 4.5, jev},
}

// plain measures one kind of call against the base program, in a session of its own.
func plain(w *world, o options, session string, call func(i int) (tool string, input map[string]any), env ...string) (result, error) {
	if err := w.start(session); err != nil {
		return result{}, err
	}
	hook := func(i int) program {
		tool, input := call(i)
		return w.hookRun(w.call(session, tool, input), env...)
	}
	base := func(i int) program { return w.baseRun(hook(i).stdin) }
	f, err := pairs(o.n, base, hook)
	if err != nil {
		return result{}, err
	}
	rss, err := peakMiB(w.peak, hook(o.n+warmUp))
	if err != nil {
		return result{}, err
	}
	calls := o.n + warmUp
	if w.peak != "" {
		calls++
	}
	_, err = w.holds(session, calls)
	return result{figures: f, PeakMiB: rss}, err
}

// growth compares a session that has just begun with one that has run for long.
func growth(w *world, o options) (result, error) {
	ls := func(session string) func(i int) program {
		return func(i int) program {
			return w.hookRun(w.call(session, "Bash", map[string]any{"command": fmt.Sprintf("ls -la part%d", i)}))
		}
	}
	young, old := ls("young"), ls("old")
	for _, s := range []struct {
		name  string
		call  func(int) program
		calls int
	}{{"young", young, 10}, {"old", old, o.fill}} {
		if err := w.start(s.name); err != nil {
			return result{}, err
		}
		if err := fill(s.calls, s.call); err != nil {
			return result{}, err
		}
	}
	f, err := pairs(o.n, young, old)
	if err != nil {
		return result{}, err
	}
	r, err := w.holds("old", o.fill+o.n+warmUp)
	return result{figures: f, Note: fmt.Sprintf("call %d, file of %.1f MB", r.calls, float64(r.bytes)/1e6)}, err
}

// fill makes calls as fast as the machine can.
func fill(n int, call func(i int) program) error {
	var wg sync.WaitGroup
	workers := runtime.NumCPU()
	errs := make([]error, workers)
	for k := range workers {
		wg.Go(func() {
			for i := k; i < n && errs[k] == nil; i += workers {
				_, errs[k] = call(i).run()
				if k == 0 && i > 0 && i/workers%1000 == 0 {
					fmt.Fprintf(os.Stderr, "growth: %d of %d calls\n", i, n)
				}
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// parallel starts many hooks at once on one session and counts the lines that are there afterwards.
func parallel(w *world, o options) (result, error) {
	const atOnce = 32
	rounds := max(1, o.n/8)
	call := func(session string, i int) program {
		return w.hookRun(w.call(session, "Bash", map[string]any{"command": fmt.Sprintf("ls -la part%d", i)}))
	}
	if err := w.start("shared"); err != nil {
		return result{}, err
	}
	for i := range atOnce {
		if err := w.start(fmt.Sprintf("alone%02d", i)); err != nil {
			return result{}, err
		}
	}
	f, err := bursts(rounds, atOnce,
		func(i int) program { return call(fmt.Sprintf("alone%02d", i%atOnce), i) },
		func(i int) program { return call("shared", i) })
	if err != nil {
		return result{}, err
	}
	r, err := w.holds("shared", rounds*atOnce)
	return result{figures: f, Note: fmt.Sprintf("no line of %d lost, %d without the lock", r.calls, r.unchained)}, err
}

// jev measures a call that goes out to a judge, by way of the child process.
func jev(w *world, o options) (result, error) {
	if err := w.build("./cmd/stepgate"); err != nil { // the child that asks
		return result{}, err
	}
	srv, asked := newJudge()
	defer srv.Close()
	r, err := plain(w, o, "jev", func(i int) (string, map[string]any) {
		return "Bash", map[string]any{"command": fmt.Sprintf("mkdir -p out/part%d", i), "description": "Make a folder"}
	}, "STEPGATE_JUDGE=jev", "STEPGATE_BASE_URL="+srv.URL, "TYPESAFE_API_KEY=tsk-bench-0000000000000000")
	if err == nil && asked.Load() < int64(o.n) {
		err = fmt.Errorf("the judge was asked %d times in %d calls", asked.Load(), o.n)
	}
	r.Note = fmt.Sprintf("%d requests", asked.Load())
	return r, err
}
