// Command collector holds "stepgate export --otlp" against a real OpenTelemetry collector, built from its own modules and
// run on loopback. It makes a year of records, sends them in three runs, and compares what the collector wrote to its file
// with a count of the records by another reader. It is a module of its own, because a collector needs much.
//
//	cd scripts/collector && go run . -lines 20000 -keep /tmp/year
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

func main() {
	lines := flag.Int("lines", 20_000, "how many lines of records")
	keep := flag.String("keep", "", "keep the records and the collector's file in this folder")
	flag.Parse()
	if err := run(*lines, *keep); err != nil {
		fmt.Fprintln(os.Stderr, "collector:", err)
		os.Exit(1)
	}
}

// sent are the kinds of lines that are shipped.
var sent = map[string]bool{"call": true, "result": true, "mode": true, "health": true, "label": true}

// world is the folder that everything happens in.
type world struct{ dir, root string }

func run(lines int, keep string) error {
	w := world{dir: keep}
	if keep == "" {
		tmp, err := os.MkdirTemp("", "stepgate-collector-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(tmp)
		w.dir = tmp
	}
	var err error
	if w.dir, err = filepath.Abs(w.dir); err != nil {
		return err
	}
	if w.root, err = filepath.Abs("../.."); err != nil {
		return err
	}
	for _, name := range []string{"stepgate", "stepgate-otlp"} {
		if err := w.command(w.root, "go", "build", "-o", filepath.Join(w.dir, name), "./cmd/"+name).Run(); err != nil {
			return fmt.Errorf("build %s: %w", name, err)
		}
	}
	if err := w.command(w.root, "go", "run", "./scripts/records", "-lines", strconv.Itoa(lines), "-dir", w.records()).Run(); err != nil {
		return fmt.Errorf("make records: %w", err)
	}
	address, err := free()
	if err != nil {
		return err
	}
	file := filepath.Join(w.dir, "logs.jsonl")
	stop, err := start(address, file)
	if err != nil {
		return err
	}
	err = w.send("http://"+address, lines)
	if err := errors.Join(err, stop()); err != nil {
		return err
	}
	return w.compare(file)
}

func (w world) records() string { return filepath.Join(w.dir, "state", "sessions", "year") }

// command is one whose complaints are seen.
func (w world) command(dir, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	return cmd
}

// lateLines come in after the first run; their kinds are those that the stories lack.
const lateLines = `{"v":1,"kind":"call","time":"2026-01-01T08:00:00.000Z","seq":1,"session":"late","agent":"codex","tool":"shell","mode":"audit","would":"deny","did":"allow"}
{"v":1,"kind":"health","time":"2026-01-01T08:00:01.000Z","seq":2,"session":"late","agent":"codex","event":"no_api_key","detail":"no key is set"}
{"v":1,"kind":"label","time":"2026-01-01T08:00:02.000Z","seq":3,"session":"late","event":"unsafe","of":1,"source":"person"}
`

// send ships the records, then nothing, then what was written meanwhile.
func (w world) send(endpoint string, lines int) error {
	want, err := w.count()
	if err != nil {
		return err
	}
	first, err := w.export(endpoint)
	if err != nil {
		return err
	}
	again, err := w.export(endpoint)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(w.records(), "late.jsonl"), []byte(lateLines), 0o600); err != nil {
		return err
	}
	late, err := w.export(endpoint)
	if err != nil {
		return err
	}
	fmt.Printf("of %d lines %d were sent, then %d, then %d\n", lines, first, again, late)
	if first != want["records"] || again != 0 || late != 3 {
		return fmt.Errorf("sent %d, %d and %d records, want %d, 0 and 3", first, again, late, want["records"])
	}
	return nil
}

// export runs the program and gives how many records it sent.
func (w world) export(endpoint string) (int, error) {
	cmd := w.command(w.dir, filepath.Join(w.dir, "stepgate"), "export", "--all", "--json", "--otlp", endpoint)
	cmd.Env = append(os.Environ(), "HOME="+w.dir, "STEPGATE_STATE_HOME="+filepath.Join(w.dir, "state"))
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("stepgate export: %w", err)
	}
	var sum struct{ Sent, Rejected, Unreadable int }
	if err := json.Unmarshal(out, &sum); err != nil {
		return 0, fmt.Errorf("stepgate export: %w", err)
	}
	if sum.Rejected > 0 || sum.Unreadable > 0 {
		return 0, fmt.Errorf("stepgate export: %s", out)
	}
	return sum.Sent, nil
}

// count reads the records with code of its own.
func (w world) count() (map[string]int, error) {
	paths, err := filepath.Glob(filepath.Join(w.records(), "*.jsonl"))
	if err != nil {
		return nil, err
	}
	sum := map[string]int{}
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			return nil, err
		}
		for line := range bytes.Lines(b) {
			var l struct {
				Kind, Tool, Mode, Would, Did, Judge, Outcome, Agent string
				Findings                                            []struct{ Rule string }
			}
			if err := json.Unmarshal(line, &l); err != nil {
				return nil, fmt.Errorf("%s: %w", p, err)
			}
			if !sent[l.Kind] {
				continue
			}
			sum["records"]++
			seen := map[string]bool{}
			for _, f := range l.Findings {
				if !seen[f.Rule] {
					sum["rules "+f.Rule]++
				}
				seen[f.Rule] = true
			}
			tally(sum, map[string]string{"kind": l.Kind, "tool": l.Tool, "mode": l.Mode, "would": l.Would, "did": l.Did,
				"judge": l.Judge, "outcome": l.Outcome, "agent": l.Agent})
		}
	}
	return sum, nil
}

func tally(sum map[string]int, fields map[string]string) {
	for name, v := range fields {
		if v != "" {
			sum[name+" "+v]++
		}
	}
}

// compare holds what the collector wrote against the count.
func (w world) compare(file string) error {
	want, err := w.count()
	if err != nil {
		return err
	}
	got, err := written(file)
	if err != nil {
		return err
	}
	if maps.Equal(got, want) {
		fmt.Printf("the collector's file agrees with the records in all %d numbers\n%d passed, 0 failed\n", len(want), len(want))
		return nil
	}
	var wrong []string
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if got[key] != want[key] {
			wrong = append(wrong, fmt.Sprintf("%s: %d in the records, %d in the file", key, want[key], got[key]))
		}
	}
	return fmt.Errorf("the file differs: %q", wrong)
}

// free is an address on loopback that nobody listens on.
func free() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// batch is a line of the collector's file, as far as it is read here.
type batch struct {
	ResourceLogs []struct {
		ScopeLogs []struct {
			LogRecords []struct {
				Attributes []struct {
					Key   string
					Value struct {
						StringValue string
						IntValue    string
						ArrayValue  struct {
							Values []struct{ StringValue string }
						}
					}
				}
			}
		}
	}
}

// written counts the collector's file; a record that stands in it twice is an error.
func written(file string) (map[string]int, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sum, seen := map[string]int{}, map[string]bool{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var b batch
		if err := json.Unmarshal(lines.Bytes(), &b); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, rl := range b.ResourceLogs {
			for _, sl := range rl.ScopeLogs {
				for _, r := range sl.LogRecords {
					sum["records"]++
					fields := map[string]string{}
					for _, a := range r.Attributes {
						fields[a.Key] = a.Value.StringValue + a.Value.IntValue
						for _, v := range a.Value.ArrayValue.Values {
							if a.Key == "stepgate.rules" {
								sum["rules "+v.StringValue]++
							}
						}
					}
					id := fields["stepgate.trace_id"] + " " + fields["stepgate.seq"]
					if seen[id] {
						return nil, fmt.Errorf("record %s was sent twice", id)
					}
					seen[id] = true
					told := map[string]string{}
					for _, name := range []string{"kind", "tool", "mode", "would", "did", "judge", "outcome", "agent"} {
						told[name] = fields["stepgate."+name]
					}
					tally(sum, told)
				}
			}
		}
	}
	return sum, lines.Err()
}
