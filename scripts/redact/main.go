// Command redact measures the masker: what share of secrets it hides, what it changes that is harmless, and what it
// costs, in a process that runs and in a fresh one. Run it from the root of the repository:
//
//	go run ./scripts/redact [-v] [-entropy] [-corpus DIR]
//
// It reads the rows of redact/testdata, and public scanners' own examples where the corpus folder is there.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stepgate/stepgate/redact"
	"github.com/stepgate/stepgate/redact/corpus"
)

func main() {
	verbose := flag.Bool("v", false, "show each row that went wrong, and the figures of each shape that is not wholly hidden")
	entropy := flag.Bool("entropy", false, "also mask text that only looks random, as redact_entropy does")
	dir := flag.String("corpus", "../shared/redaction", "folder of public scanners' examples; skipped when it is not there")
	testdata := flag.String("testdata", "redact/testdata", "folder of this repository's rows")
	runs := flag.Int("runs", 41, "fresh processes for each cold time")
	cold := flag.String("cold", "", "used by the program itself: mask one call and print what that cost")
	grown := flag.Bool("grown", false, "used by the program itself: let the stack grow first, as the hook's earlier steps do")
	flag.Parse()
	if *cold != "" {
		if *grown {
			grow(32)
		}
		coldRun(*cold)
		return
	}
	if err := run(*testdata, *dir, *runs, *verbose, redact.Options{Entropy: *entropy}); err != nil {
		fmt.Fprintln(os.Stderr, "redact:", err)
		os.Exit(1)
	}
}

func run(testdata, dir string, runs int, verbose bool, opt redact.Options) error {
	rows, err := corpus.Own(testdata)
	if err != nil {
		return err
	}
	if _, err := os.Stat(dir); err == nil {
		others, err := corpus.Others(dir)
		if err != nil {
			return err
		}
		rows = append(rows, others...)
	} else {
		fmt.Printf("no corpus at %s: only this repository's rows\n\n", dir)
	}
	var wrong func(corpus.Row, string, string)
	if verbose {
		wrong = func(r corpus.Row, what, out string) {
			fmt.Printf("%s: %s %s\n  %s\n  => %s\n", what, r.Source, r.Shape, r.Text, out)
		}
	}
	show(corpus.Measure(rows, opt, wrong), verbose)
	warm()
	return coldTimes(runs)
}

func show(f corpus.Figures, verbose bool) {
	fmt.Println("rows whose secrets are all hidden, by source")
	table(f.Hidden)
	line("gitleaks and betterleaks", f.Hidden.Sum(func(g string) bool { return g == "gitleaks" || g == "betterleaks" }))
	line("all foreign", f.Hidden.Sum(func(g string) bool { return g != corpus.Agent && g != "own" }))
	whole := corpus.Counts{}
	for _, name := range f.Shapes.Names() {
		source, _, _ := strings.Cut(name, ": ")
		c := f.Shapes[name]
		n := whole[source]
		n.All++
		if c.Good == c.All {
			n.Good++
		} else if verbose {
			line("  "+name, c)
		}
		whole[source] = n
	}
	fmt.Println("\nshapes wholly hidden, by source")
	table(whole)
	fmt.Println("\ntexts without secrets left as they were, by kind of file")
	table(f.Kept)
	fmt.Println("\nfalse positives, by class")
	for _, name := range f.Kinds.Names() {
		if c := f.Kinds[name]; c.Good < c.All && !strings.HasPrefix(name, "negatives-foreign") {
			line(name, c)
		}
	}
	fmt.Printf("\nwords lost outside secrets: %.2f %% of %d\n", f.LostPercent(), f.Words)
}

func table(c corpus.Counts) {
	for _, name := range c.Names() {
		line(name, c[name])
	}
}

func line(name string, c corpus.Count) { fmt.Printf("  %-44s %v\n", name, c) }

// sample is a call whose masking is timed.
type sample struct {
	name, budget string
	doc          string
}

func samples() []sample {
	text := func(n int) string {
		code := "\tif err := s.store.Save(ctx, user.ID, name); err != nil {\n\t\treturn fmt.Errorf(\"save %s: %w\", name, err)\n\t}\n"
		return `{"file_path":"/w/a.go","content":` + strconv.Quote(strings.Repeat(code, n/len(code)+1)[:n]) + `}`
	}
	return []sample{
		{"typical", "10 µs warm, 200 µs cold", `{"command":"git -C /home/u/app diff --stat HEAD~3 -- src/ && go test ./... 2>&1 | tail -20","description":"Show what changed and run the tests"}`},
		{"four secrets", "300 µs cold", `{"command":"curl -s -u ci:hunter2Quiet https://api.example.com/v1 -H 'X-Api-Key: FAKEabcdef0123456789abcdef' && DB_PASSWORD=FAKEpw99 psql postgres://app:FAKEpw98@db/app"}`},
		{"8 KB", "120 µs warm", text(8 << 10)},
		{"64 KB", "1 ms warm", text(64 << 10)},
	}
}

func sessionKey() []byte { return []byte("a key that is used for measuring alone") }

// warm times a masker that has run before; the best of many runs is what the code costs, the rest is the machine.
func warm() {
	fmt.Println("\nwarm, best run")
	for _, s := range samples() {
		m := redact.New(redact.Options{Key: sessionKey})
		best := time.Hour
		for start := time.Now(); time.Since(start) < 500*time.Millisecond; {
			t := time.Now()
			m.Input("Bash", s.doc)
			best = min(best, time.Since(t))
		}
		fmt.Printf("  %-14s %9.1f µs  (budget %s)\n", s.name, float64(best.Nanoseconds())/1e3, s.budget)
	}
}

// coldRun masks one call as the first thing that the process does, and prints the nanoseconds and page faults.
func coldRun(name string) {
	for _, s := range samples() {
		if s.name != name {
			continue
		}
		before, start := pageFaults(), time.Now()
		redact.New(redact.Options{Key: sessionKey}).Input("Bash", s.doc)
		took := time.Since(start)
		fmt.Println(took.Nanoseconds(), pageFaults()-before)
	}
}

// grow makes the stack n KB large. The runtime takes pages for each size that a stack grows through; in the hook, reading the
// call and judging it by rules has paid for them before anything is masked.
//
//go:noinline
func grow(n int) byte {
	var b [1024]byte
	if n > 1 {
		b[n] = grow(n - 1)
	}
	return b[n]
}

// coldTimes starts this program again and again, as the hook is started for each call.
func coldTimes(runs int) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	fmt.Printf("\nfirst call of a fresh process, a quarter of %d runs is faster\n", runs)
	for _, s := range samples()[:2] {
		ns, faults, err := coldQuarter(self, runs, "-cold", s.name)
		if err != nil {
			return err
		}
		_, inHook, err := coldQuarter(self, runs, "-grown", "-cold", s.name)
		if err != nil {
			return err
		}
		fmt.Printf("  %-14s %9.1f µs, %d page faults, %d where the stack has grown before, as in the hook  (budget %s, 12 faults)\n", s.name, float64(ns)/1e3, faults, inHook, s.budget)
	}
	return nil
}

// coldQuarter is the lower quartile of the time and of the page faults over many fresh processes.
func coldQuarter(self string, runs int, args ...string) (ns, faults int64, err error) {
	var times, counts []int64
	for range runs {
		out, err := exec.Command(filepath.Clean(self), args...).Output()
		if err != nil {
			return 0, 0, err
		}
		var t, n int64
		if _, err := fmt.Sscan(string(out), &t, &n); err != nil {
			return 0, 0, err
		}
		times, counts = append(times, t), append(counts, n)
	}
	slices.Sort(times)
	slices.Sort(counts)
	return times[len(times)/4], counts[len(counts)/4], nil
}
