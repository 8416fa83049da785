package session

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stepgate/stepgate/redact"
)

// A lock wait that no load of the machine can use up.
const patient = time.Minute

func newStore(t testing.TB) *Store {
	t.Helper()
	tick := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return &Store{
		Dir:      filepath.Join(t.TempDir(), "state"),
		LockWait: patient,
		Now:      func() time.Time { tick = tick.Add(10 * time.Millisecond); return tick },
	}
}

// masked makes a Text as a reader of the gate's own files does.
func masked(s string) redact.Text {
	var t redact.Text
	b, err := json.Marshal(s)
	if err == nil {
		err = t.UnmarshalJSON(b)
	}
	if err != nil {
		panic(err)
	}
	return t
}

func maskedDoc(s string) redact.Doc {
	var d redact.Doc
	if err := d.UnmarshalJSON([]byte(s)); err != nil {
		panic(err)
	}
	return d
}

// call is a call line of about the usual size.
func call(id, agentID string) Line {
	score := 0.25
	return Line{
		Kind: KindCall, Agent: "claude", AgentID: agentID, CallID: id, Tool: "Bash", Capability: "shell",
		Input: maskedDoc(`{"command":"go test ./... # ` + id + `"}`), CWD: masked("/home/dev/project"), Mode: "enforce",
		Thresholds: &Thresholds{DenyAbove: .9, FlagAbove: .6, LowIntent: 1}, Score: &score, Judge: "local",
		Acts:    maskedDoc(`[{"kind":"test","program":"go"}]`),
		Answers: maskedDoc(`{"contradicts_plan":0.1,"out_of_scope":0.1,"contradicts_previous":0.1,"should_flag":0.25,"intent_consistency":{"score":3}}`),
		Would:   "allow", Did: "allow", MS: map[string]float64{"parse": .25, "judge": 2}, Fingerprint: "0123456789abcdef",
	}
}

func tag(n int) redact.Tag { return redact.Tag{Kind: "token", N: n, MAC: fmt.Sprintf("%016x", n)} }

func person(text string) Line { return Line{Kind: KindPrompt, Person: true, Text: masked(text)} }

// put appends lines and counts calls as the hook does.
func put(t testing.TB, f *File, lines ...Line) {
	t.Helper()
	for _, l := range lines {
		if _, err := f.Append(l.AgentID, counted(l)); err != nil {
			t.Fatalf("Append(%s %s): %v", l.Kind, l.CallID, err)
		}
	}
}

func counted(l Line) func(*Totals, Memory) (Line, bool) {
	return func(t *Totals, _ Memory) (Line, bool) {
		if l.Kind == KindCall {
			t.Calls++
			t.Was = l.Mode
		}
		return l, true
	}
}

func recall(t testing.TB, f *File, agentID string) Memory {
	t.Helper()
	m, err := f.Recall(agentID)
	if err != nil {
		t.Fatalf("Recall(%q): %v", agentID, err)
	}
	return m
}

func ids(m Memory) string {
	var ids []string
	for _, p := range m.History {
		ids = append(ids, p.CallID)
	}
	return strings.Join(ids, " ")
}

// readAll reads the files of a session and fails on any line that cannot be read.
func readAll(t testing.TB, s *Store, session string) []Line {
	t.Helper()
	files, err := s.Files(session)
	if err != nil {
		t.Fatal(err)
	}
	var lines []Line
	for _, path := range files {
		for l, err := range Read(path) {
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, l)
		}
	}
	return lines
}

func verified(t testing.TB, s *Store, session string) Chain {
	t.Helper()
	files, err := s.Files(session)
	if err != nil {
		t.Fatal(err)
	}
	head, err := s.Find(session, "").Head() // it is kept by session, whatever the project
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	c, err := Verify(head, files...)
	if err != nil {
		t.Fatalf("Verify: %v", err)
	}
	if c.Last > 0 && head != (Head{c.Last, c.Hash}) {
		t.Errorf("the head kept apart is %+v, the record ends in line %d, %s", head, c.Last, c.Hash)
	}
	c.Hash = ""
	return c
}

func TestRecallNothing(t *testing.T) {
	s := newStore(t)
	m := recall(t, s.Find("session-1", "/home/dev/project"), "")
	if m.Exists || m.Degraded || len(m.History) != 0 || m.Lines() != nil {
		t.Errorf("memory of a session that never was: %+v", m)
	}
	if _, err := os.Lstat(s.Dir); !os.IsNotExist(err) {
		t.Errorf("looking created the state folder (%v)", err)
	}
}

func TestHistory(t *testing.T) {
	s := newStore(t)
	f := s.Find("session-1", "/home/dev/project")
	put(t, f, person("fix the parser"))
	for i := 1; i <= 10; i++ {
		put(t, f, call(fmt.Sprint("m", i), ""))
		if i%3 == 0 {
			put(t, f, call(fmt.Sprint("s", i), "sub"))
		}
	}
	for _, tc := range []struct{ agent, want string }{
		{"", "m3 m4 m5 m6 m7 m8 m9 m10"},
		{"sub", "s3 s6 s9"},
		{"other", ""},
	} {
		t.Run("agent "+tc.agent, func(t *testing.T) {
			m := recall(t, s.Find("session-1", "/home/dev/project"), tc.agent)
			if got := ids(m); got != tc.want {
				t.Errorf("history %q, want %q", got, tc.want)
			}
			if m.Plan.String() != "fix the parser" || m.Totals.Calls != 13 || !m.Exists {
				t.Errorf("plan %q, %d calls, want the plan and 13", m.Plan, m.Totals.Calls)
			}
			if got := len(m.Lines()); got != 14 {
				t.Errorf("%d lines in the tail, want 14", got)
			}
		})
	}
	if c := verified(t, s, "session-1"); c != (Chain{Lines: 14, First: 1, Last: 14}) {
		t.Errorf("chain %+v", c)
	}
}

func TestOutcomes(t *testing.T) {
	yes, no := true, false
	with := func(l Line, change func(*Line)) Line { change(&l); return l }
	for _, tc := range []struct {
		name    string
		lines   []Line
		want    string
		outcome string
	}{
		{"ran", []Line{call("c", ""), {Kind: KindResult, CallID: "c", OK: &yes}}, "", ""},
		{"no result yet", []Line{call("c", "")}, "", ""},
		{"failed", []Line{call("c", ""), {Kind: KindResult, CallID: "c", OK: &no}}, Failed, ""},
		{"result of another call", []Line{call("c", ""), {Kind: KindResult, CallID: "d", OK: &no}}, "", ""},
		{"denied", []Line{with(call("c", ""), func(l *Line) { l.Did = "deny" })}, Denied, ""},
		{"skipped", []Line{with(call("c", ""), func(l *Line) { l.Judge = JudgeSkip })}, Skipped, ""},
		{"asked and allowed", []Line{with(call("c", ""), func(l *Line) { l.Did = "ask" }),
			{Kind: KindResult, CallID: "c", OK: &yes, Outcome: "human"}}, "", "human"},
		{"asked and dismissed", []Line{with(call("c", ""), func(l *Line) { l.Did = "ask" }),
			{Kind: KindResult, CallID: "c", Outcome: OutcomeDismissed}}, Denied, OutcomeDismissed},
		{"no ids", []Line{call("", ""), {Kind: KindResult, OK: &no}}, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newStore(t).Find("session-1", "/p")
			put(t, f, tc.lines...)
			m := recall(t, f, "")
			if len(m.History) != 1 {
				t.Fatalf("%d calls in the history, want 1", len(m.History))
			}
			if p := m.History[0]; p.Outcome != tc.want || p.Human != tc.outcome {
				t.Errorf("outcome %q (%q), want %q (%q)", p.Outcome, p.Human, tc.want, tc.outcome)
			}
		})
	}
}

func TestPlan(t *testing.T) {
	task := Line{Kind: KindPrompt, Text: masked("a subagent's task")}
	for _, tc := range []struct {
		name        string
		prompts     []Line
		plan, later string
	}{
		{"none", nil, "", ""},
		{"first that is not blank", []Line{person("  \n"), person("P1"), person("P2")}, "P1", "P2"},
		{"the last three stand beside it", []Line{person("P1"), person("P2"), person("P3"), person("P4"), person("P5")}, "P1", "P3 P4 P5"},
		{"not a person's", []Line{task, person("P1"), task}, "P1", ""},
		{"the same again", []Line{person("P1"), person("P1")}, "P1", "P1"},
		{"text of all kinds", []Line{person("a \"b\" \\ <c> \u2028 \u00e9\n\x01")}, "a \"b\" \\ <c> \u2028 \u00e9\n\x01", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newStore(t).Find("session-1", "/p")
			put(t, f, Line{Kind: KindStart, Root: masked("/p"), PID: 42}) // so that offsets are not 0
			put(t, f, tc.prompts...)
			for range 120 { // out of the tail
				put(t, f, call("c", ""))
			}
			m := recall(t, f, "")
			var later []string
			for _, l := range m.Later {
				later = append(later, l.String())
			}
			if m.Plan.String() != tc.plan || strings.Join(later, " ") != tc.later {
				t.Errorf("plan %q, later %q, want %q and %q", m.Plan, later, tc.plan, tc.later)
			}
			if (m.PlanHash == "") != (tc.plan == "") {
				t.Errorf("plan hash %q of plan %q", m.PlanHash, tc.plan)
			}
			if m.Root != "/p" || m.Totals.PID != 42 {
				t.Errorf("root %q, pid %d, want what the start line said", m.Root, m.Totals.PID)
			}
		})
	}
}

func TestCall(t *testing.T) {
	f := newStore(t).Find("session-1", "/p")
	odd := `x"}` + "\n" + strings.Repeat("long", 100)
	put(t, f, call("a", ""), call("b", "sub"), call(odd, ""), Line{Kind: KindResult, CallID: "r"})
	m := recall(t, f, "")
	for _, tc := range []struct {
		name, id string
		want     bool
	}{
		{"own", "a", true}, {"another agent's", "b", true}, {"odd id", odd, true},
		{"result only", "r", false}, {"none", "zz", false}, {"empty", "", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if l, ok := m.Call(tc.id); ok != tc.want || ok && l.CallID != safeName(tc.id) {
				t.Errorf("Call = %q, %v, want %v", l.CallID, ok, tc.want)
			}
		})
	}
}

func TestBuildSaysNo(t *testing.T) {
	s := newStore(t)
	f := s.Find("session-1", "/p")
	if _, err := f.Append("", func(*Totals, Memory) (Line, bool) { return Line{}, false }); err != nil {
		t.Fatal(err)
	}
	if m := recall(t, f, ""); m.Exists {
		t.Error("a line was written")
	}
	if _, err := os.Lstat(f.Path()); !os.IsNotExist(err) {
		t.Errorf("an empty file was made (%v)", err)
	}
}

func TestBuildSeesTheNewestState(t *testing.T) {
	s := newStore(t)
	mine, other := s.Find("session-1", "/p"), s.Find("session-1", "/p")
	put(t, mine, call("a", ""))
	recall(t, mine, "")
	put(t, other, call("b", "")) // meanwhile
	_, err := mine.Append("", func(tot *Totals, m Memory) (Line, bool) {
		if _, ok := m.Call("b"); !ok || tot.Calls != 2 || ids(m) != "a b" {
			t.Errorf("build sees %d calls, history %q", tot.Calls, ids(m))
		}
		tot.Calls = 99 // a copy: no line, no change
		return Line{}, false
	})
	if err != nil {
		t.Fatal(err)
	}
	if m := recall(t, mine, ""); m.Totals.Calls != 2 {
		t.Errorf("%d calls, want 2", m.Totals.Calls)
	}
}

func TestLineForm(t *testing.T) {
	s := newStore(t)
	s.Now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 120_999_999, time.FixedZone("", 3600)) }
	f := s.Find("session-1", "/p")
	put(t, f, Line{Kind: KindNote, Detail: masked("a < b && c")})
	got, err := os.ReadFile(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	const head = `{"v":1,"kind":"note","time":"2026-01-02T02:04:05.120Z","seq":1,"session":"session-1",`
	if !strings.HasPrefix(string(got), head) || !strings.HasSuffix(string(got), "}\n") {
		t.Errorf("line %s, want it to begin with %s", got, head)
	}
}
