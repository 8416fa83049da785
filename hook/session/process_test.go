package session

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// The test binary starts itself as a process that writes to a session.
const (
	childEnv = "STEPGATE_TEST_CHILD" // what to do
	dirEnv   = "STEPGATE_TEST_DIR"
	nameEnv  = "STEPGATE_TEST_NAME"
	waitEnv  = "STEPGATE_TEST_WAIT" // LockWait
)

func TestMain(m *testing.M) {
	what := os.Getenv(childEnv)
	if what == "" {
		os.Exit(m.Run())
	}
	wait, err := time.ParseDuration(os.Getenv(waitEnv))
	if err == nil {
		s := &Store{Dir: os.Getenv(dirEnv), LockWait: wait}
		if wait == patient {
			s.MaxBytes = 100 << 10 // so that there are rotations, too
		}
		err = children[what](s, s.Find("session-1", "/p"), os.Getenv(nameEnv))
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// children are what a child process does, by name.
var children = map[string]func(s *Store, f *File, name string) error{
	"some":    appendSome,
	"forever": appendForever,
}

const someCalls = 5

func appendSome(_ *Store, f *File, name string) error {
	for i := range someCalls {
		if _, err := f.Recall(name); err != nil {
			return err
		}
		if _, err := f.Append(name, counted(call(name+"-"+strconv.Itoa(i), name))); err != nil {
			return err
		}
	}
	return nil
}

// appendForever tells the id of each call once Append has returned.
func appendForever(_ *Store, f *File, name string) error {
	for i := 0; ; i++ {
		id := name + "-" + strconv.Itoa(i)
		if _, err := f.Append(name, counted(call(id, name))); err != nil {
			return err
		}
		fmt.Println(id)
	}
}

func child(t *testing.T, s *Store, what, name string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), childEnv+"="+what, dirEnv+"="+s.Dir, nameEnv+"="+name, waitEnv+"="+s.LockWait.String())
	cmd.Stderr = os.Stderr
	return cmd
}

// TestProcesses lets many processes write at once, with all the time they need for the lock, and with none.
func TestProcesses(t *testing.T) {
	for _, tc := range []struct {
		name string
		wait time.Duration
	}{{"in the chain", patient}, {"beside the chain", time.Nanosecond}} {
		t.Run(tc.name, func(t *testing.T) {
			const processes = 32
			s := newStore(t)
			s.LockWait = tc.wait
			put(t, s.Find("session-1", "/p"), person("the plan"))
			var all sync.WaitGroup
			for i := range processes {
				all.Go(func() {
					if out, err := child(t, s, "some", fmt.Sprint("p", i)).Output(); err != nil {
						t.Errorf("process %d: %v: %s", i, err, out)
					}
				})
			}
			all.Wait()
			s.LockWait = patient
			put(t, s.Find("session-1", "/p"), call("last", ""))

			seen := map[string]int{}
			for _, l := range readAll(t, s, "session-1") {
				if l.Kind == KindCall {
					seen[l.CallID]++
				}
			}
			for i := range processes {
				for j := range someCalls {
					if id := fmt.Sprintf("p%d-%d", i, j); seen[id] != 1 {
						t.Errorf("call %s stands there %d times", id, seen[id])
					}
				}
			}
			c := verified(t, s, "session-1")
			m := recall(t, s.Find("session-1", "/p"), "p7")
			if c.Bad != 0 || c.First != 1 || m.Totals.Lost != c.Unchained {
				t.Errorf("chain %+v, %d lines counted as unlocked", c, m.Totals.Lost)
			}
			if tc.wait == patient && c.Unchained != 0 {
				t.Errorf("%d lines outside the chain", c.Unchained)
			}
			if m.Totals.Calls != processes*someCalls+1 || m.Plan.String() != "the plan" {
				t.Errorf("%d calls counted, want %d; plan %q", m.Totals.Calls, processes*someCalls+1, m.Plan)
			}
			if ids(m) != "p7-0 p7-1 p7-2 p7-3 p7-4" {
				t.Errorf("history of one of them: %q", ids(m))
			}
		})
	}
}

// TestKill kills writers in the middle of their work. What they were told is written stays, at most the last line of
// one is torn, and nobody is left waiting for a lock.
func TestKill(t *testing.T) {
	s := newStore(t)
	said := map[string]bool{}
	rounds := 8
	if testing.Short() {
		rounds = 3
	}
	for round := range rounds {
		var all sync.WaitGroup
		var mu sync.Mutex
		for i := range 3 {
			cmd := child(t, s, "forever", fmt.Sprintf("r%dp%d", round, i))
			out, err := cmd.StdoutPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			all.Go(func() {
				kill := 1 + rand.IntN(40) // lines
				for in := bufio.NewScanner(out); in.Scan(); kill-- {
					if kill == 0 {
						cmd.Process.Kill() // goes on reading what it had said by then
					}
					mu.Lock()
					said[in.Text()] = true
					mu.Unlock()
				}
				cmd.Wait() // it was killed, so there is an error
			})
		}
		all.Wait()
		put(t, s.Find("session-1", "/p"), call(fmt.Sprint("after-", round), ""))
	}
	calls := 0
	files, err := s.Files("session-1")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		for l, err := range Read(path) {
			if err != nil {
				t.Logf("torn: %v", err)
				continue
			}
			if l.Kind == KindCall {
				calls++
				delete(said, l.CallID)
			}
		}
	}
	if len(said) != 0 {
		t.Errorf("%d lines that were written are gone: %v", len(said), said)
	}
	c := verified(t, s, "session-1")
	if c.Unchained != 0 || c.Bad > 3*rounds {
		t.Errorf("chain %+v", c)
	}
	if m := recall(t, s.Find("session-1", "/p"), ""); m.Totals.Calls != calls || !strings.HasPrefix(ids(m), "after-") {
		t.Errorf("%d calls counted of %d, history %q", m.Totals.Calls, calls, ids(m))
	}
}
