package session

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stepgate/stepgate/internal/safefile"
)

// TestDamage damages the end of a session file in many ways and then goes on with it.
func TestDamage(t *testing.T) {
	appended := func(s string) func(testing.TB, string) {
		return func(t testing.TB, path string) {
			t.Helper()
			fh, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err == nil {
				_, err = fh.WriteString(s)
				fh.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	cut := func(n int) func(testing.TB, string) {
		return func(t testing.TB, path string) {
			t.Helper()
			b, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(path, b[:len(b)-n], 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, tc := range []struct {
		name   string
		damage func(testing.TB, string)
		calls  int // still known of 20
		bad    int // lines that readers pass over
	}{
		{"none", func(testing.TB, string) {}, 20, 0},
		{"end of line lost", cut(1), 20, 0},
		{"last line torn in the middle", cut(100), 19, 1},
		{"beginning of a line", appended(`{"v":1,"kind":"ca`), 20, 1},
		{"beginning of a result", appended(`{"v":1,"kind":"result","call_id":"c19","ok":false`), 20, 1},
		{"text", appended("Segmentation fault\n"), 20, 1},
		{"empty lines", appended("\n\n\n"), 20, 0},
		{"zeros", appended(strings.Repeat("\x00", 5000)), 20, 1},
		{"other json", appended("[]\n7\n{}\n" + `{"v":2,"kind":"call"}` + "\n"), 20, 4},
		{"line of 300 KB", appended(strings.Repeat("x", 300<<10) + "\n"), 20, 1},
		{"line of 300 KB without an end", appended(strings.Repeat("[", 300<<10)), 20, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newStore(t)
			f := s.Find("session-1", "/p")
			put(t, f, person("the plan"))
			for i := range 20 {
				put(t, f, call(fmt.Sprint("c", i), ""))
			}
			tc.damage(t, f.Path())
			if m := recall(t, f, ""); m.Totals.Calls != tc.calls || m.Plan.String() != "the plan" || len(m.History) != 8 || m.Degraded {
				t.Errorf("%d calls, plan %q, %d in the history, want %d calls and all else", m.Totals.Calls, m.Plan, len(m.History), tc.calls)
			}
			put(t, f, call("next", ""))
			m := recall(t, f, "")
			if m.Totals.Calls != tc.calls+1 || !strings.HasSuffix(ids(m), "next") {
				t.Errorf("then %d calls, history %q", m.Totals.Calls, ids(m))
			}
			if c := verified(t, s, "session-1"); c.Bad != tc.bad || c.Last != int64(tc.calls)+2 {
				t.Errorf("chain %+v, want %d bad lines and %d good", c, tc.bad, tc.calls+2)
			}
		})
	}
}

func TestNothingButGarbage(t *testing.T) {
	for _, tc := range []struct {
		name, content string
		degraded      bool
	}{
		{"empty file", "", true},
		{"short garbage", "garbage\n", true},
		{"plan that is not there", `{"v":1,"kind":"note","seq":1,"totals":{"plan":{"at":12345,"hash":"00"}}}` + "\n", true},
		{"plan at a negative offset", `{"v":1,"kind":"note","seq":1,"totals":{"plan":{"at":-5,"hash":"00"}}}` + "\n", true},
		{"plan that was changed", `{"v":1,"kind":"note","text":"x","seq":1,"totals":{"plan":{"at":0,"hash":"00"}}}` + "\n", true},
		{"garbage past all bounds", strings.Repeat(strings.Repeat("g", 1000)+"\n", seekBytes/1000+10), true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newStore(t)
			f := s.Find("session-1", "/p")
			put(t, f, Line{Kind: KindNote})
			if err := os.WriteFile(f.Path(), []byte(tc.content), 0o600); err != nil {
				t.Fatal(err)
			}
			m, err := f.Recall("")
			if m.Degraded != tc.degraded || (err != nil) != (tc.degraded && tc.content != "") {
				t.Errorf("Recall: degraded %v, %v, want %v", m.Degraded, err, tc.degraded)
			}
			put(t, f, call("a", ""), call("b", ""))
			if m, _ := f.Recall(""); ids(m) != "a b" || m.Totals.Calls != 2 {
				t.Errorf("then history %q, %d calls", ids(m), m.Totals.Calls)
			}
			if size := int64(len(tc.content)); size > seekBytes {
				if m := recall(t, f, ""); m.tail.read > tailBytes+wideBytes {
					t.Errorf("a call goes on reading %d bytes of garbage", m.tail.read)
				}
			}
		})
	}
}

func TestLongLines(t *testing.T) {
	long := strings.Repeat(`\u0001"x" `, 20_000)
	doc := maskedDoc(`{"command":"` + strings.Repeat("x", 100_000) + `"}`)
	quoted := strings.ReplaceAll(long, `"`, "'")
	nan := 0.0
	nan /= nan
	for _, tc := range []struct {
		name string
		line Line
	}{
		{"prompt", person(quoted)},
		{"input", Line{Kind: KindCall, Input: doc}},
		{"findings", Line{Kind: KindCall, Findings: doc, Input: maskedDoc(`{"command":"ls"}`)}},
		{"all texts", Line{Kind: KindCall, CWD: masked(long), Reason: masked(long), Failure: masked(long), Detail: masked(long), Root: masked(long)}},
		{"root of a start", Line{Kind: KindStart, Root: masked(long)}},
		{"names", Line{Kind: KindCall, Tool: long, CallID: long, AgentID: long, Model: long, Agent: long, Source: long}},
		{"document that is none", Line{Kind: KindCall, Input: maskedDoc(`{"command`)}},
		{"number that JSON has not", Line{Kind: KindCall, Score: &nan}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newStore(t)
			f := s.Find(long, "/p")
			put(t, f, Line{Kind: KindStart, Root: masked("/p")})
			l, err := f.Append(tc.line.AgentID, func(tot *Totals, _ Memory) (Line, bool) {
				for i := range 400 {
					tot.Open = append(tot.Open, OpenAsk{CallID: fmt.Sprint(i)})
					tot.Tags = append(tot.Tags, tag(i))
				}
				return tc.line, true
			})
			if err != nil {
				t.Fatal(err)
			}
			if l.Kind != tc.line.Kind || l.Seq != 2 {
				t.Errorf("line %+v", l)
			}
			put(t, f, call("next", ""))
			b, err := os.ReadFile(f.Path())
			if err != nil {
				t.Fatal(err)
			}
			for _, raw := range bytes.Split(b, []byte{'\n'}) {
				if len(raw) >= MaxLine {
					t.Errorf("a line of %d bytes", len(raw))
				}
			}
			if got := len(readAll(t, s, long)); got != 3 {
				t.Errorf("%d lines, want 3", got)
			}
			verified(t, s, long)
			m := recall(t, f, "")
			if n := len(m.Totals.Open); n != maxOpen || m.Totals.Open[n-1].CallID != "399" {
				t.Errorf("%d open asks, want the newest %d", n, maxOpen)
			}
			if n := len(m.Totals.Tags); n != maxTags || m.Totals.Tags[n-1] != tag(399) {
				t.Errorf("%d tags, want the newest %d", n, maxTags)
			}
		})
	}
}

func TestUnwritable(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links and modes work differently on windows")
	}
	type place struct{ state, project, file string }
	for _, tc := range []struct {
		name    string
		prepare func(t *testing.T, p place) error
		want    error
	}{
		{"no state folder", nil, errNoHome},
		{"link in place of the file", func(t *testing.T, p place) error {
			return os.Symlink(filepath.Join(t.TempDir(), "victim"), p.file)
		}, safefile.ErrNotOurs},
		{"folder in place of the file", func(_ *testing.T, p place) error { return os.Mkdir(p.file, 0o700) }, safefile.ErrNotOurs},
		{"link in place of the project's folder", func(t *testing.T, p place) error {
			return errors.Join(os.Remove(p.project), os.Symlink(t.TempDir(), p.project))
		}, safefile.ErrNotOurs},
		{"link in place of the state folder", func(t *testing.T, p place) error {
			return errors.Join(os.RemoveAll(p.state), os.Symlink(t.TempDir(), p.state))
		}, safefile.ErrNotOurs},
		{"file in place of the state folder", func(_ *testing.T, p place) error {
			return errors.Join(os.RemoveAll(p.state), os.WriteFile(p.state, nil, 0o600))
		}, safefile.ErrNotOurs},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newStore(t)
			f := s.Find("session-1", "/p")
			if tc.prepare == nil {
				s.Dir = ""
				f = s.Find("session-1", "/p")
			} else {
				if err := f.prepare(); err != nil {
					t.Fatal(err)
				}
				if err := tc.prepare(t, place{s.Dir, filepath.Dir(f.Path()), f.Path()}); err != nil {
					t.Fatal(err)
				}
			}
			if m, err := f.Recall(""); !errors.Is(err, tc.want) || !m.Degraded {
				t.Errorf("Recall: degraded %v, %v, want %v", m.Degraded, err, tc.want)
			}
			built := 0
			l, err := f.Append("", func(*Totals, Memory) (Line, bool) { built++; return call("a", ""), true })
			if !errors.Is(err, tc.want) || built != 1 || l.CallID != "a" {
				t.Errorf("Append: %q, %v after %d builds, want the line, %v and 1", l.CallID, err, built, tc.want)
			}
		})
	}
}

func TestLinkIsNotFollowed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege on windows")
	}
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("keep"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newStore(t)
	s.LockWait, s.CopyTo = time.Millisecond, filepath.Join(t.TempDir(), "copies")
	f := s.Find("session-1", "/p")
	put(t, f, call("a", ""))
	locks, err := filepath.Glob(filepath.Join(s.Dir, locksDir, "*"))
	if err != nil || len(locks) != 1 {
		t.Fatalf("locks %q, %v", locks, err)
	}
	key := f.keyPath()
	if _, err := f.Key(); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{locks[0], key, filepath.Join(s.CopyTo, "session-1.jsonl")} {
		if err := errors.Join(os.Remove(path), os.Symlink(victim, path)); err != nil {
			t.Fatal(err)
		}
	}
	f = s.Find("session-1", "/p")
	if l, err := f.Append("", counted(call("b", ""))); err != nil || !l.Unchained {
		t.Errorf("Append beside a linked lock: unchained %v, %v", l.Unchained, err)
	}
	if _, err := f.Key(); !errors.Is(err, safefile.ErrNotOurs) {
		t.Errorf("Key through a link: %v", err)
	}
	if got, err := os.ReadFile(victim); err != nil || string(got) != "keep" {
		t.Errorf("the links' target holds %q, %v", got, err)
	}
}

// TestLockTaken writes while another process has the lock: the lines stand outside the chain, and nothing they say is
// lost.
func TestLockTaken(t *testing.T) {
	s := newStore(t)
	other := s.Find("session-1", "/p")
	put(t, other, Line{Kind: KindStart, Root: masked("/p")}, call("a", ""))

	hurried := *s
	hurried.LockWait = time.Nanosecond
	f := hurried.Find("session-1", "/p")
	unlock, err := other.lock(true)
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range []Line{
		person("the plan"), call("b", ""), person("more"), call("c", "sub"),
		{Kind: KindMode, Mode: "audit"}, {Kind: KindHealth, Event: "gate_unhealthy"},
	} {
		got, err := f.Append(l.AgentID, func(tot *Totals, m Memory) (Line, bool) {
			if l.Kind == KindCall {
				tot.Calls++
				tot.Failing = 7
				tot.Tags = append(tot.Tags, tag(i))
				tot.Open = append(tot.Open, OpenAsk{CallID: l.CallID})
			}
			tot.Unhealthy = l.Kind == KindHealth
			if l.Kind == KindMode {
				tot.Mode = l.Mode
			}
			return l, true
		})
		if err != nil || !got.Unchained || got.Seq != 0 || got.Totals != nil || got.Prev != "" {
			t.Fatalf("Append beside a lock: %+v, %v", got, err)
		}
	}
	check := func(t *testing.T, m Memory, calls int) {
		t.Helper()
		tot := m.Totals
		if m.Plan.String() != "the plan" || len(m.Later) != 1 || tot.Calls != calls || tot.Lost != 6 || tot.Failing != 7 ||
			tot.Mode != "audit" || !tot.Unhealthy || len(tot.Tags) != 2 || len(tot.Open) != 2 || m.Root != "/p" {
			t.Errorf("plan %q, later %q, totals %+v", m.Plan, m.Later, tot)
		}
	}
	// The lock of others does not keep a reader from reading either.
	check(t, recall(t, f, ""), 3)
	unlock()
	put(t, other, call("d", ""))
	m := recall(t, other, "")
	check(t, m, 4)
	if ids(m) != "a b d" {
		t.Errorf("history %q", ids(m))
	}
	if c := verified(t, s, "session-1"); c.Unchained != 6 || c.Last != 3 || c.Bad != 0 {
		t.Errorf("chain %+v", c)
	}
}

func TestCopy(t *testing.T) {
	s := newStore(t)
	s.CopyTo = filepath.Join(t.TempDir(), "made", "when needed")
	f := s.Find("session-1", "/p")
	put(t, f, person("plan"), call("a", ""))
	want, err := os.ReadFile(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(s.CopyTo, "session-1.jsonl"))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("copy %q, %v, want %q", got, err, want)
	}
	s.CopyTo = filepath.Join(f.Path(), "not a folder")
	put(t, f, call("b", "")) // does not fail
}

// A lock that is never given up is waited for once, not at every line.
func TestHeldLockIsWaitedForOnce(t *testing.T) {
	s := &Store{Dir: t.TempDir(), LockWait: time.Millisecond}
	f := s.Find("s-held", "/p")
	if _, err := f.Append("", func(*Totals, Memory) (Line, bool) { return Line{Kind: KindNote}, true }); err != nil {
		t.Fatal(err)
	}
	unlock, err := s.Find("s-held", "/p").lock(true)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if _, err := f.lock(true); !errors.Is(err, errLocked) || f.tries < 2 {
		t.Fatalf("error %v after %d tries", err, f.tries)
	}
	f.tries = 0
	if _, err := f.lock(true); !errors.Is(err, errLocked) || f.tries != 1 {
		t.Errorf("error %v after %d tries, want one try", err, f.tries)
	}
}
