// Command bench measures stepgate-hook as an agent feels it: the whole process, run by run in turn with a program that
// copies stdin to stdout. Ratios carry over from machine to machine, milliseconds do not.
//
//	go run ./scripts/bench
//	go run ./scripts/bench -case ls -max 2.5
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
)

func main() {
	var (
		o       options
		only    = flag.String("case", "", "run these cases only, comma between them")
		limit   = flag.Float64("max", 0, "exit 1 when a case's wall ratio is above this")
		asJSON  = flag.Bool("json", false, "print one JSON object a case")
		listing = flag.Bool("list", false, "list the cases")
	)
	flag.IntVar(&o.n, "n", 60, "pairs of runs a case")
	flag.IntVar(&o.fill, "fill", 10_000, "calls of the long session in growth")
	flag.Parse()
	if *listing {
		for _, c := range cases {
			fmt.Printf("%-8s %s, goal %.2f\n", c.name, c.what, c.goal)
		}
		return
	}
	over, err := measure(o, *only, *limit, *asJSON)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
	if len(over) > 0 {
		fmt.Fprintf(os.Stderr, "bench: above %.2f: %s\n", *limit, strings.Join(over, ", "))
		os.Exit(1)
	}
}

// measure runs the cases and prints their lines; it returns the cases above the limit.
func measure(o options, only string, limit float64, asJSON bool) (over []string, err error) {
	chosen, err := choose(only)
	if err != nil {
		return nil, err
	}
	if flag.NArg() > 0 || o.n < 1 || o.fill < 1 {
		return nil, errors.New("-n and -fill are at least 1, and there are no arguments; -h shows the flags")
	}
	dir, err := os.MkdirTemp("", "stepgate-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	w, err := newWorld(dir)
	if err != nil {
		return nil, err
	}
	show := printRow
	if asJSON {
		show = func(_ benchCase, r result) error { return json.NewEncoder(os.Stdout).Encode(r) }
	} else {
		fmt.Printf("%-8s %8s %8s %6s %6s %6s %8s %5s\n", "case", "base ms", "ms", "wall", "cpu", "faults", "peak MiB", "goal")
	}
	for _, c := range chosen {
		r, err := c.run(w, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		r.Case, r.Goal = c.name, c.goal
		if err := show(c, r); err != nil {
			return nil, err
		}
		if limit > 0 && r.Wall > limit {
			over = append(over, c.name)
		}
	}
	return over, nil
}

// choose gives the cases of a list of names, all for an empty one.
func choose(names string) ([]benchCase, error) {
	if names == "" {
		return cases, nil
	}
	var chosen []benchCase
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(cases, func(c benchCase) bool { return c.name == name })
		if i < 0 {
			return nil, fmt.Errorf("no case %q; -list shows them", name)
		}
		chosen = append(chosen, cases[i])
	}
	return chosen, nil
}

func printRow(c benchCase, r result) error {
	peak := "-"
	if r.PeakMiB > 0 {
		peak = fmt.Sprintf("%.1f", r.PeakMiB)
	}
	note := c.what
	if r.Note != "" {
		note += "; " + r.Note
	}
	_, err := fmt.Printf("%-8s %8.2f %8.2f %6.2f %6.2f %6.2f %8s %5.2f  %s\n", r.Case, r.BaseMS, r.MS, r.Wall, r.CPU, r.PageFaults, peak, r.Goal, note)
	return err
}
