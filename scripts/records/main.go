// Command records makes a year of records from the stories of the demo, counts them as it writes, and holds the report
// of the same files against those counts. It also tells what the analysis costs: its time as a ratio to a plain pass over
// the same file (counting lines and walking each with gjson), measured in turn in one run, and its memory. Of the two
// ratios the one by the clock says little on a machine that is busy.
//
//	go run ./scripts/records -lines 1000000
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/hook/session"
)

func main() {
	lines := flag.Int("lines", 200_000, "how many lines, over a year")
	dir := flag.String("dir", "", "keep the records in this folder; a temporary one if not given")
	plain := flag.String("pass", "", "only pass over this file as the analysis is compared with")
	flag.Parse()
	err := error(nil)
	if *plain != "" {
		err = pass(*plain)
	} else {
		err = run(*lines, *dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "records:", err)
		os.Exit(1)
	}
}

func run(lines int, dir string) error {
	work, err := os.MkdirTemp("", "stepgate-records-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if dir == "" {
		dir = filepath.Join(work, "year")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	program := filepath.Join(work, "stepgate")
	for _, name := range []string{"stepgate", "stepgate-hook"} {
		build := exec.Command("go", "build", "-o", filepath.Join(work, name), "./cmd/"+name)
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("build %s: %w\n%s", name, err, out)
		}
	}
	stories, err := tell(program, work)
	if err != nil {
		return err
	}
	want, err := year(dir, stories, lines)
	if err != nil {
		return err
	}
	got, err := analyze(program, dir)
	if err != nil {
		return err
	}
	if err := compare(want, got); err != nil {
		return err
	}
	fmt.Printf("%d lines in %d files: the report agrees with the count in all %d numbers\n", want["lines"], want["files"], len(want))
	return cost(program, dir)
}

// tell plays the stories of the demo and gives the lines of each of their records.
func tell(program, work string) ([][]map[string]json.RawMessage, error) {
	cmd := exec.Command(program, "demo", "--keep", "--json")
	cmd.Env = []string{"HOME=" + work, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + work}
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("stepgate demo: %w", err)
	}
	var told []struct{ Record string }
	if err := json.Unmarshal(out, &told); err != nil {
		return nil, fmt.Errorf("stepgate demo: %w", err)
	}
	var stories [][]map[string]json.RawMessage
	for _, r := range told {
		if r.Record == "" {
			continue
		}
		b, err := os.ReadFile(r.Record)
		if err != nil {
			return nil, err
		}
		var story []map[string]json.RawMessage
		for l := range bytes.Lines(b) {
			var m map[string]json.RawMessage
			if err := json.Unmarshal(l, &m); err != nil {
				return nil, err
			}
			story = append(story, m)
		}
		stories = append(stories, story)
	}
	if len(stories) == 0 {
		return nil, errors.New("the demo told no story")
	}
	return stories, nil
}

// year writes the stories over and over, each time as a session of its own on its own day, and counts what it writes.
func year(dir string, stories [][]map[string]json.RawMessage, lines int) (map[string]int, error) {
	count := map[string]int{}
	begin := time.Date(2025, 1, 1, 8, 0, 0, 0, time.UTC)
	days := map[string]bool{}
	for n := 0; count["lines"] < lines; n++ {
		at := begin.AddDate(0, 0, n%365).Add(time.Duration(n/365) * time.Second)
		name := fmt.Sprintf("s-%06d", n)
		f, err := os.Create(filepath.Join(dir, name+".jsonl"))
		if err != nil {
			return nil, err
		}
		w := bufio.NewWriter(f)
		for seq, line := range stories[n%len(stories)] {
			at = at.Add(1500 * time.Millisecond)
			if err := write(w, line, name, seq+1, at); err != nil {
				return nil, err
			}
			tally(count, line)
			if text(line["kind"]) == session.KindCall {
				days[at.Format(time.DateOnly)] = true
			}
		}
		count["files"]++
		count["sessions"]++
		if err := errors.Join(w.Flush(), f.Close()); err != nil {
			return nil, err
		}
	}
	count["days"] = len(days)
	return count, nil
}

// write writes a line of a story as one of another session.
func write(w *bufio.Writer, line map[string]json.RawMessage, name string, seq int, at time.Time) error {
	line["session"] = json.RawMessage(strconv.Quote(name))
	line["seq"] = json.RawMessage(strconv.Itoa(seq))
	line["time"] = json.RawMessage(at.Format(`"2006-01-02T15:04:05.000Z"`))
	b, err := json.Marshal(line)
	if err != nil {
		return err
	}
	w.Write(b)
	return w.WriteByte('\n')
}

// tally counts a line, by another reader and with other code than the report.
func tally(count map[string]int, line map[string]json.RawMessage) {
	count["lines"]++
	switch text(line["kind"]) {
	case session.KindCall:
		count["calls"]++
		for field, list := range map[string]string{"would": "would", "did": "did", "tool": "tools", "mode": "modes", "judge": "judges"} {
			if v := text(line[field]); v != "" {
				count[list+" "+v]++
			}
		}
		if text(line["would"]) != text(line["did"]) {
			count["divergent"]++
		}
		var findings []struct{ Rule string }
		if json.Unmarshal(line["findings"], &findings) == nil {
			for _, f := range findings {
				count["rules "+f.Rule]++
			}
		}
	case session.KindResult:
		if text(line["outcome"]) != session.OutcomeDismissed {
			count["results"]++
		}
		if string(line["ok"]) == "false" {
			count["errors"]++
		}
	}
}

func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return "" // absent
	}
	return s
}

// analyze runs the program over the records.
func analyze(program, dir string) (gjson.Result, error) {
	out, err := exec.Command(program, "analyze", "--json", dir).Output()
	if err != nil {
		return gjson.Result{}, fmt.Errorf("stepgate analyze: %w", err)
	}
	return gjson.ParseBytes(out), nil
}

// compare holds every number of the count against the report.
func compare(want map[string]int, got gjson.Result) error {
	var wrong []string
	for key, n := range want {
		list, name, inList := strings.Cut(key, " ")
		v := got.Get(list)
		if inList {
			for _, c := range v.Array() {
				if c.Get("name").String() == name {
					v = c.Get("n")
				}
			}
		}
		if !v.Exists() || int(v.Int()) != n {
			wrong = append(wrong, fmt.Sprintf("%s: counted %d, reported %s", key, n, v.Raw))
		}
	}
	slices.Sort(wrong)
	if wrong != nil {
		return errors.New("the report differs from the count:\n" + strings.Join(wrong, "\n"))
	}
	return nil
}

// cost compares the analysis with a plain pass over the same bytes, the two in turn.
func cost(program, dir string) error {
	all := filepath.Join(filepath.Dir(program), "all.jsonl")
	if err := join(dir, all); err != nil {
		return err
	}
	defer os.Remove(all)
	self, err := os.Executable()
	if err != nil {
		return err
	}
	const rounds = 5
	var ratios, cpu []float64
	peak := int64(0)
	for range rounds {
		plain, err := timed(self, "-pass", all)
		if err != nil {
			return err
		}
		ours, err := timed(program, "analyze", "--json", all)
		if err != nil {
			return err
		}
		ratios = append(ratios, float64(ours.clock)/float64(plain.clock))
		cpu = append(cpu, float64(ours.cpu)/float64(plain.cpu))
		peak = max(peak, ours.peak)
	}
	slices.Sort(ratios)
	slices.Sort(cpu)
	st, err := os.Stat(all)
	if err != nil {
		return err
	}
	fmt.Printf("%d MB on %d processors: %.2f x the plain pass by the clock (goal 2.0), %.2f x in processor time, peak %d MB (goal 200)\n",
		st.Size()>>20, runtime.GOMAXPROCS(0), ratios[rounds/2], cpu[rounds/2], peak>>10)
	return nil
}

// spent is what a program took, with the programs it started.
type spent struct {
	clock, cpu time.Duration
	peak       int64 // KB
}

func timed(program string, args ...string) (spent, error) {
	cmd := exec.Command(program, args...)
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return spent{}, fmt.Errorf("%s %s: %w", filepath.Base(program), args[0], err)
	}
	p := cmd.ProcessState
	return spent{time.Since(start), p.UserTime() + p.SystemTime(), peakKB(p)}, nil
}

// pass counts the lines of a file as wc does, and walks each with gjson.
func pass(path string) error {
	if err := exec.Command("wc", "-l", path).Run(); err != nil {
		return fmt.Errorf("wc: %w", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	fields := 0
	s := bufio.NewScanner(f)
	s.Buffer(make([]byte, 1<<20), 1<<20)
	for s.Scan() {
		gjson.ParseBytes(s.Bytes()).ForEach(func(_, _ gjson.Result) bool {
			fields++
			return true
		})
	}
	return s.Err()
}

// join writes all records into one file.
func join(dir, to string) error {
	paths, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		if _, err := out.Write(b); err != nil {
			return err
		}
	}
	return out.Close()
}
