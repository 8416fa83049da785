package verifier

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var errDown = Errorf(Timeout, "down")

func breaker(path string, now *time.Time) Breaker {
	return Breaker{Path: path, Judge: "jev", BaseURL: "https://a.example", Now: func() time.Time { return *now }}
}

func TestBreaker(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	path := filepath.Join(t.TempDir(), "state", "health.json")
	b := breaker(path, &now)
	other := b
	other.BaseURL = "https://b.example"
	expect := func(step string, b Breaker, want bool) {
		t.Helper()
		if got := b.Allow(); got != want {
			t.Errorf("%s: Allow() = %v, want %v", step, got, want)
		}
	}
	expect("new", b, true)
	b.Record(nil)
	if _, err := os.Stat(path); err == nil {
		t.Error("a healthy judge leaves a file")
	}
	b.Record(errDown)
	expect("one failure", b, true)
	b.Record(nil)
	b.Record(errDown)
	expect("not in a row", b, true)
	b.Record(errDown)
	expect("two in a row", b, false)
	expect("another judge", other, true)
	now = now.Add(openFor - time.Millisecond)
	expect("just before the minute is over", b, false)
	now = now.Add(time.Millisecond)
	expect("one try", b, true)
	expect("a second process meanwhile", b, false)
	b.Record(errDown)
	expect("the try failed", b, false)
	now = now.Add(openFor)
	expect("next try", b, true)
	b.Record(nil)
	expect("recovered", b, true)
	b.Record(errDown)
	expect("counts from zero again", b, true)
}

func TestBreakerCountsOutagesOnly(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	b := breaker(filepath.Join(t.TempDir(), "health.json"), &now)
	for range 5 {
		b.Record(Errorf(NoKey, "no key"))
		b.Record(Errorf(Config, "no judge"))
	}
	if !b.Allow() {
		t.Error("a missing key opens the breaker")
	}
	b.Record(errors.New("anything else"))
	b.Record(Errorf(Auth, "refused"))
	if b.Allow() {
		t.Error("two outages leave it closed")
	}
}

func TestBreakerSurvivesItsFile(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	path := filepath.Join(t.TempDir(), "health.json")
	b := breaker(path, &now)
	for _, data := range []string{"", "{", "null", `[{"key":1}]`, strings.Repeat("[", 9000), `[{},{},{},{},{},{},{},{},{}]`} {
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		if !b.Allow() {
			t.Errorf("%.20q: open", data)
		}
		b.Record(errDown)
		b.Record(errDown)
		if b.Allow() {
			t.Errorf("%.20q: cannot be opened any more", data)
		}
	}
	now = now.Add(-24 * time.Hour)
	if !b.Allow() {
		t.Error("a clock that was set back keeps it open for a day")
	}
	b.Path = filepath.Join(path, "no", "folder")
	b.Record(errDown)
	if !b.Allow() {
		t.Error("a path that cannot be written opens it")
	}
}

func TestBreakerForgetsTheOldestJudge(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	b := breaker(filepath.Join(t.TempDir(), "health.json"), &now)
	for i := range 20 {
		b.BaseURL = strings.Repeat("x", i+1)
		b.Record(errDown)
		b.Record(errDown)
		if b.Allow() {
			t.Fatalf("judge %d is not kept", i)
		}
	}
	if n := len(b.load()); n != maxCircuits {
		t.Errorf("%d judges kept, want %d", n, maxCircuits)
	}
}

// TestBreakerAcrossProcesses lets two processes fail and a third find the breaker open.
func TestBreakerAcrossProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "health.json")
	if step := os.Getenv("BREAKER_STEP"); step != "" {
		b := Breaker{Path: os.Getenv("BREAKER_PATH"), Judge: "jev", BaseURL: "u"}
		if step == "fail" {
			b.Record(errDown)
		} else if b.Allow() {
			t.Error("closed")
		}
		return
	}
	for _, step := range []string{"fail", "fail", "look"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestBreakerAcrossProcesses$")
		cmd.Env = append(os.Environ(), "BREAKER_STEP="+step, "BREAKER_PATH="+path)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", step, err, out)
		}
	}
}
