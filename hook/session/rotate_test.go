package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRotation(t *testing.T) {
	s := newStore(t)
	s.MaxBytes = 20 << 10
	f := s.Find("session-1", "/p")
	put(t, f, Line{Kind: KindStart, Root: masked("/p"), PID: 42}, person("the plan"), person("later"))
	const calls = 150
	for i := range calls {
		put(t, f, call(fmt.Sprint("c", i), ""))
		if m := recall(t, f, ""); len(m.History) != min(i+1, maxHistory) || m.History[len(m.History)-1].CallID != fmt.Sprint("c", i) {
			t.Fatalf("after call %d the history is %q", i, ids(m))
		}
	}
	m := recall(t, s.Find("session-1", "/p"), "")
	if m.Plan.String() != "the plan" || len(m.Later) != 1 || m.Later[0].String() != "later" || m.Totals.Calls != calls || m.Root != "/p" || m.Totals.PID != 42 {
		t.Errorf("plan %q, later %q, totals %+v", m.Plan, m.Later, m.Totals)
	}
	files, err := s.Files("session-1")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d generations, %v, want more of 150 calls in files of 20 KB", len(files), err)
	}
	dir := filepath.Dir(f.Path())
	for i, path := range files[:len(files)-1] {
		if want := filepath.Join(dir, fmt.Sprintf("session-1.%d.jsonl", i+1)); path != want {
			t.Errorf("generation %d is %q, want %q", i+1, path, want)
		}
	}
	if files[len(files)-1] != f.Path() {
		t.Errorf("the newest is %q, want %q", files[len(files)-1], f.Path())
	}
	seen, prompts := 0, 0
	for _, l := range readAll(t, s, "session-1") {
		switch {
		case l.Kind == KindCall:
			if want := fmt.Sprint("c", seen); l.CallID != want {
				t.Errorf("call %q, want %q", l.CallID, want)
			}
			seen++
		case l.Kind == KindPrompt && !l.Carried:
			prompts++
		}
	}
	if seen != calls || prompts != 2 {
		t.Errorf("%d calls and %d prompts, want %d and 2", seen, prompts, calls)
	}
	if c := verified(t, s, "session-1"); c.First != 1 || c.Bad != 0 || c.Last != int64(c.Lines) {
		t.Errorf("chain %+v", c)
	}
	if c, err := Verify(Head{}, files[1:]...); err != nil || c.First == 1 {
		t.Errorf("chain without its beginning: %+v, %v", c, err)
	}
	if _, err := Verify(Head{}, files[0], files[2]); err == nil {
		t.Error("a missing generation in the middle went unseen")
	}
}

// TestRotationCutShort kills the writer between the two renames.
func TestRotationCutShort(t *testing.T) {
	s := newStore(t)
	f := s.Find("session-1", "/p")
	put(t, f, person("the plan"), call("a", ""))
	if err := os.Rename(f.path(0), f.path(1)); err != nil {
		t.Fatal(err)
	}
	f = s.Find("session-1", "/other")
	if got := filepath.Base(filepath.Dir(f.Path())); !strings.HasPrefix(got, "p-") {
		t.Errorf("found in %q", got)
	}
	m := recall(t, f, "")
	if m.Plan.String() != "the plan" || ids(m) != "a" {
		t.Errorf("plan %q, history %q", m.Plan, ids(m))
	}
	put(t, f, call("b", ""))
	m = recall(t, f, "")
	if m.Plan.String() != "the plan" || ids(m) != "a b" || m.Totals.Gen != 1 || m.Totals.Calls != 2 {
		t.Errorf("plan %q, history %q, totals %+v", m.Plan, ids(m), m.Totals)
	}
	verified(t, s, "session-1")
}

// TestRotationNotPossible goes on with the file that there is.
func TestRotationNotPossible(t *testing.T) {
	s := newStore(t)
	s.MaxBytes = 1
	f := s.Find("session-1", "/p")
	put(t, f, person("the plan"))
	dir := filepath.Dir(f.Path())
	if err := os.Mkdir(filepath.Join(dir, "session-1.1.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, f, call("a", "")) // the first number is taken
	if exists(f.path(1)) && !exists(f.path(2)) {
		t.Error("a folder was taken for a generation")
	}
	if os.Geteuid() == 0 {
		t.Skip("root may write into a folder that is read-only")
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir, 0o700) })
	put(t, f, call("b", ""))
	if m := recall(t, f, ""); ids(m) != "a b" || m.Plan.String() != "the plan" {
		t.Errorf("plan %q, history %q", m.Plan, ids(m))
	}
}

func TestLight(t *testing.T) {
	s := newStore(t)
	s.Light = true
	s.CopyTo = filepath.Join(t.TempDir(), "copies")
	f := s.Find("session-1", "/p")
	secretive := call("a", "")
	secretive.Reason, secretive.Findings = masked("a reason"), maskedDoc(`[{"rule":"x"}]`)
	put(t, f, person("the plan"), secretive, Line{Kind: KindMode, Mode: "enforce", Detail: masked("by a person")})
	b, err := os.ReadFile(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"reason", "findings", "acts", "answers", "score", "judge", "thresholds", "cwd", `"ms"`} {
		if strings.Contains(string(b), word) {
			t.Errorf("the file holds %q", word)
		}
	}
	if !strings.Contains(string(b), "by a person") {
		t.Error("the switch of the mode is not told in full")
	}
	if exists(s.CopyTo) {
		t.Error("lines were copied")
	}
	m := recall(t, f, "")
	if m.Plan.String() != "the plan" || ids(m) != "a" || m.History[0].Tool != "Bash" || m.History[0].Input.IsZero() {
		t.Errorf("plan %q, history %+v", m.Plan, m.History)
	}
	for range 1500 {
		put(t, f, call("b", ""))
	}
	if files, err := s.Files("session-1"); err != nil || len(files) != 2 {
		t.Errorf("files %q, %v, want the newest two", files, err)
	}
	if m := recall(t, f, ""); m.Plan.String() != "the plan" || m.Totals.Calls != 1501 {
		t.Errorf("plan %q, %d calls", m.Plan, m.Totals.Calls)
	}
	if _, err := f.Key(); err != nil {
		t.Fatal(err)
	}
	put(t, f, Line{Kind: KindEnd})
	if files, err := s.Files("session-1"); err != nil || len(files) != 0 || exists(f.keyPath()) {
		t.Errorf("left behind: %q, %v", files, err)
	}
}
