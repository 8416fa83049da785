package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// program is one run of a program to come.
type program struct {
	argv  []string
	env   []string
	stdin []byte
	// silent: an answer on stdout means that something else than wanted was measured.
	silent bool
}

// sample is what one process took.
type sample struct {
	wall, cpu time.Duration
	faults    int64
}

func (p program) run() (sample, error) {
	var stdout, stderr bytes.Buffer
	c := exec.Command(p.argv[0], p.argv[1:]...)
	c.Env, c.Stdin, c.Stdout, c.Stderr = p.env, bytes.NewReader(p.stdin), &stdout, &stderr
	start := time.Now()
	err := c.Run()
	wall := time.Since(start)
	if err != nil {
		return sample{}, fmt.Errorf("%s: %w\n%s", strings.Join(p.argv, " "), err, stderr.Bytes())
	}
	if p.silent && stdout.Len() > 0 {
		return sample{}, fmt.Errorf("%s: wanted silence, got %.500s", strings.Join(p.argv, " "), stdout.Bytes())
	}
	return sample{wall, c.ProcessState.UserTime() + c.ProcessState.SystemTime(), pageFaults(c.ProcessState)}, nil
}

// figures are the medians of many runs of two programs in turn; the ratios are those of each pair, so a machine that
// gets slower meanwhile slows both.
type figures struct {
	Pairs      int     `json:"pairs"`
	BaseMS     float64 `json:"base_ms"`
	MS         float64 `json:"ms"`
	Wall       float64 `json:"wall_ratio"`
	CPU        float64 `json:"cpu_ratio"`
	PageFaults float64 `json:"page_fault_ratio"`
}

// warmUp are pairs that are not counted: the first runs read the programs from disk.
const warmUp = 3

// pairs runs two programs in turn, n times and a few before. Which goes first changes, for what one leaves in the
// processor's caches serves the other.
func pairs(n int, a, b func(i int) program) (figures, error) {
	var as, bs []sample
	for i := range n + warmUp {
		both := [2]program{a(i), b(i)}
		var took [2]sample
		for k := range both {
			k = (k + i) % 2
			var err error
			if took[k], err = both[k].run(); err != nil {
				return figures{}, err
			}
		}
		if i >= warmUp {
			as, bs = append(as, took[0]), append(bs, took[1])
		}
	}
	return compare(as, bs), nil
}

// bursts runs n of a at once, then n of b at once, rounds times.
func bursts(rounds, n int, a, b func(i int) program) (figures, error) {
	var as, bs []sample
	for r := range rounds {
		x, err := burst(r*n, n, a)
		if err != nil {
			return figures{}, err
		}
		y, err := burst(r*n, n, b)
		if err != nil {
			return figures{}, err
		}
		as, bs = append(as, x...), append(bs, y...)
	}
	// Within a burst no two processes belong together, so they are paired by rank.
	byWall := func(a, b sample) int { return cmp.Compare(a.wall, b.wall) }
	slices.SortFunc(as, byWall)
	slices.SortFunc(bs, byWall)
	return compare(as, bs), nil
}

func burst(from, n int, p func(i int) program) ([]sample, error) {
	samples, errs := make([]sample, n), make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { samples[i], errs[i] = p(from + i).run() })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return samples, nil
}

func compare(as, bs []sample) figures {
	ms := func(s sample) float64 { return float64(s.wall) / float64(time.Millisecond) }
	ratio := func(of func(sample) float64) float64 {
		var r []float64
		for i := range as {
			if d := of(as[i]); d > 0 {
				r = append(r, of(bs[i])/d)
			}
		}
		return median(r)
	}
	each := func(s []sample) (v []float64) {
		for _, x := range s {
			v = append(v, ms(x))
		}
		return v
	}
	return figures{
		Pairs:      len(as),
		BaseMS:     median(each(as)),
		MS:         median(each(bs)),
		Wall:       ratio(ms),
		CPU:        ratio(func(s sample) float64 { return float64(s.cpu) }),
		PageFaults: ratio(func(s sample) float64 { return float64(s.faults) }),
	}
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return v[len(v)/2]
}

// peakMiB is the most memory of one run, 0 where the system does not tell.
func peakMiB(peak string, p program) (float64, error) {
	if peak == "" {
		return 0, nil
	}
	c := exec.Command(peak, p.argv...)
	c.Env, c.Stdin = p.env, bytes.NewReader(p.stdin)
	out, err := c.Output()
	if err != nil {
		return 0, fmt.Errorf("peak: %w", err)
	}
	kib, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	return kib / 1024, err
}
