package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/verifier"
)

func TestFaultsAreNamed(t *testing.T) {
	const good = `{"v":1,"kind":"call","time":"2026-03-01T12:00:01.000Z","seq":1,"session":"s","agent":"claude","tool":"Bash","would":"allow","did":"allow"}`
	second := strings.NewReplacer(`"seq":1`, `"seq":2`, `:01.000Z`, `:02.000Z`).Replace(good)
	for _, c := range []struct {
		name, lines, want string
		at, calls         int
	}{
		{"torn", good + "\n" + second[:40], "no JSON", 2, 1},
		{"foreign", good + "\n" + `{"hello":1}`, "no line of a record", 2, 1},
		{"a list", good + "\n" + `[1,2]`, "no JSON object", 2, 1},
		{"huge", good + "\n" + `{"v":1,"x":"` + strings.Repeat("x", 300<<10) + `"}` + "\n" + second, "too long", 2, 2},
		{"of many megabytes", good + "\n" + strings.Repeat("y", 9<<20) + "\n" + second, "too long", 2, 2},
		{"newer", strings.Replace(good, `"v":1`, `"v":2`, 1), "written by a newer version; read as far as known", 1, 1},
		{"a gap", good + "\n" + strings.Replace(second, `"seq":2`, `"seq":5`, 1), "lines are missing", 2, 2},
		{"twice", good + "\n" + good, "lines stand twice or out of order", 2, 2},
		{"no beginning", second, "the beginning of a session is missing", 1, 1},
		{"clock", second[:0] + good + "\n" + strings.Replace(second, "12:00:02", "11:00:02", 1), "the clock went backwards", 2, 2},
		{"a score beyond all numbers", good + "\n" + strings.Replace(second, "}", `,"score":1e999}`, 1), "a number that cannot be", 2, 1},
		{"a probability of 2", good + "\n" + strings.Replace(second, "}", `,"answers":{"should_flag":2}}`, 1), "a number that cannot be", 2, 1},
		{"a stage without end", good + "\n" + strings.Replace(second, "}", `,"ms":{"judge":1e999}}`, 1), "a number that cannot be", 2, 1},
		{"time that ran back", good + "\n" + strings.Replace(second, "}", `,"ms":{"judge":-1}}`, 1), "a number that cannot be", 2, 1},
		{"tokens past counting", good + "\n" + strings.Replace(second, "}", `,"tokens":{"in":9e18}}`, 1), "a number that cannot be", 2, 1},
		{"a seq past counting", good + "\n" + strings.Replace(second, `"seq":2`, `"seq":9223372036854775807`, 1), "a number that cannot be", 2, 1},
		{"a year past the calendar", good + "\n" + strings.Replace(second, "2026-03-01T12:00:02.000Z", "9999-12-31T23:59:59-23:59", 1), "no time", 2, 1},
		{"a year before it", good + "\n" + strings.Replace(second, "2026-03-01T12:00:02.000Z", "0000-01-01T00:00:00+23:59", 1), "no time", 2, 1},
		{"two agents", good + "\n" + strings.Replace(second, "claude", "codex", 1), "two agents on one session", 2, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s.jsonl")
			if err := os.WriteFile(path, []byte(c.lines+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			r, err := Read([]string{path}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Faults) != 1 || r.Faults[0].Kind != c.want || r.Faults[0].Line != c.at || r.Calls != c.calls {
				t.Errorf("%d calls, faults %+v; want %d calls and %q at line %d", r.Calls, r.Faults, c.calls, c.want, c.at)
			}
			if _, err := json.Marshal(r); err != nil {
				t.Error("the report cannot be told:", err)
			}
		})
	}
}

func TestOneIDInTwoFolders(t *testing.T) {
	const line = `{"v":1,"kind":"call","time":"2026-03-01T12:00:01.000Z","seq":1,"session":"s","tool":"Bash","would":"allow","did":"allow"}`
	var paths []string
	for range 2 {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		if err := os.WriteFile(path, []byte(line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	r, err := Read(paths, Options{})
	if err != nil || r.Sessions != 2 || len(r.Faults) != 1 || !strings.HasPrefix(r.Faults[0].Kind, "one session id in two folders") {
		t.Errorf("%d sessions, faults %+v, %v", r.Sessions, r.Faults, err)
	}
}

// TestNamesAreBounded: a record that names something new in each line costs no more than another.
func TestNamesAreBounded(t *testing.T) {
	r := record{t: t}
	for i := range 3 * maxNames {
		r.line(`"kind":"call","tool":"t%d","judge":"j%d","would":"allow","did":"allow","ms":{"s%d":1},"score":0.5,"answers":{"should_flag":0.5},"acts":[{"kind":"k%d"}],"findings":[{"rule":"r%d","action":"allow"}]`, i, i, i, i, i)
	}
	r.label(1, "safe")
	got := r.read(Options{})
	for what, n := range map[string]int{"tools": len(got.Tools), "acts": len(got.Acts), "rules": len(got.Rules), "fired": len(got.Fired), "judges": len(got.Judges), "stages": len(got.Stages)} {
		if n > maxNames+1 {
			t.Errorf("%d %s are told apart", n, what)
		}
	}
	if got.Tools[0] != (Count{others, 2 * maxNames, 2.0 / 3}) {
		t.Errorf("the rest is %+v", got.Tools[0])
	}
	if n := len(got.Labels.Calibration); n != numQuestions {
		t.Errorf("%d rows of calibration for one label", n)
	}
}

// TestNewestThresholds: files come in any order; the thresholds are those of the newest call.
func TestNewestThresholds(t *testing.T) {
	var paths []string
	for _, c := range []struct{ day, flag int }{{2, 5}, {1, 7}} {
		path := filepath.Join(t.TempDir(), fmt.Sprint(c.day, ".jsonl"))
		line := fmt.Sprintf(`{"v":1,"kind":"call","time":"2026-03-0%dT12:00:00Z","session":"s%d","seq":1,"thresholds":{"flag_above":0.%d}}`, c.day, c.day, c.flag)
		if err := os.WriteFile(path, []byte(line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	if r, err := Read(paths, Options{}); err != nil || r.Thresholds == nil || r.Thresholds.FlagAbove != .5 {
		t.Errorf("thresholds %+v, %v, want flag_above .5 of the second day", r.Thresholds, err)
	}
}

// TestCellsDecideAsTheHookDoes: the curve's short cut agrees with policy.Decide for any cell and thresholds.
func TestCellsDecideAsTheHookDoes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		cell := Cell{Base: agent.Action(rnd.IntN(3)).String(), Score: rnd.IntN(102) - 1, Local: rnd.IntN(2) == 0, Low: rnd.IntN(4) == 0}
		if cell.Score < 0 {
			cell.Low = false
		}
		flag, deny := rnd.IntN(101), rnd.IntN(101)
		c := policy.Case{Mode: policy.Enforce, Local: cell.Local}
		if a := action(cell.Base); a != agent.Allow {
			c.Findings = []policy.Finding{{Rule: "x", Class: policy.State, Action: a}}
		}
		if cell.Score >= 0 {
			a := verifier.Answers{ShouldFlag: float64(cell.Score) / 100, Intent: verifier.Intent{Score: 3}}
			if cell.Low {
				a.Intent.Score = 0
			}
			c.Verdict = &verifier.Verdict{Answers: a}
		}
		o := policy.Options{FlagAbove: float64(flag) / 100, DenyAbove: float64(deny) / 100, LowIntent: 1}
		if got, want := cell.decide(flag, deny), policy.Decide(o, c).Would; got != want {
			t.Fatalf("%+v at flag %d, deny %d: %v, the hook decides %v", cell, flag, deny, got, want)
		}
	}
}

// FuzzRecord takes any bytes for a record: it is read to its end, every line is counted, and what is told of it can be
// written down.
func FuzzRecord(f *testing.F) {
	b, err := os.ReadFile("testdata/session.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	for line := range bytes.Lines(b) {
		f.Add(line)
	}
	for _, s := range []string{
		`{"v":1,"kind":{},"time":[],"acts":{"a":[]},"findings":[[]],"ms":"x","answers":[1],"tokens":[],"thresholds":"x"}`,
		`{"v":1,"kind":"call","time":"2026-03-01T12:00:01.000Z","seq":1e999,"score":1e999,"ms":{"a":-1e300,"b":1e999},"tokens":{"in":9e18,"out":-1}}`,
		`{"v":1,"kind":"call","time":"9999-12-31T23:59:59-23:59","seq":-1}` + "\n" + `{"v":9,"kind":"dream","time":"0000-01-01T00:00:00+23:59"}`,
		`{"v":1,"kind":"call","time":"2026-03-01T12:00:01Z","thresholds":{"deny_above":1e300,"flag_above":-1e300},"answers":{"should_flag":0.5},"findings":[]}`,
		"\n\x00\n\xff[]\n{}", `{"v":1,`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Read([]string{path}, Options{Timeline: true, Again: &Other{Policy: AsRecorded}})
		if err != nil {
			t.Fatal(err)
		}
		lines := 0
		for l := range bytes.Lines(data) {
			if len(bytes.TrimSpace(l)) > 0 {
				lines++
			}
		}
		if r.Lines != lines || r.Unparseable > r.Lines || r.Calls > r.Lines-r.Unparseable || *r.Replayed+*r.Skipped > r.Calls {
			t.Errorf("%d lines of %d, %d unreadable, %d calls, %d replayed, %d skipped", r.Lines, lines, r.Unparseable, r.Calls, *r.Replayed, *r.Skipped)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Error(err)
		}
	})
}

// FuzzParseEntry takes one line, which is quicker than a whole record: what is taken for a line has what a line must have.
func FuzzParseEntry(f *testing.F) {
	b, err := os.ReadFile("testdata/session.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		f.Add(line)
	}
	f.Add(`{"v":1,"kind":{},"time":[],"acts":{"a":[]},"findings":[[]],"ms":"x","answers":[1],"tokens":[],"thresholds":"x"}`)
	f.Fuzz(func(t *testing.T, line string) {
		var e entry
		e.parse(line)
		if e.unfit == "" && (e.kind == "" || e.time.IsZero() || e.seq < 0 || !(e.score >= 0 && e.score <= 1)) {
			t.Errorf("taken for a line: %q", line)
		}
	})
}
