package session

import (
	"bytes"
	"fmt"
	"os"
	"testing"
)

// longSession makes a session of n calls without going through the lock n times: the middle of the file is a copy of
// itself, which no call ever reads.
func longSession(t testing.TB, n int) *File {
	t.Helper()
	s := newStore(t)
	s.MaxBytes = 1 << 40
	f := s.Find("session-1", "/p")
	const real = 100
	put(t, f, person("the plan"))
	addCalls := func(from, to int) {
		for i := from; i < to; i++ {
			put(t, f, call(fmt.Sprint("c", i), ""), Line{Kind: KindResult, CallID: fmt.Sprint("c", i)})
		}
	}
	if n <= 2*real {
		addCalls(0, n)
		return f
	}
	addCalls(0, real)
	b, err := os.ReadFile(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := bytes.Cut(b, []byte{'\n'}) // without the plan's line
	fh, err := os.OpenFile(f.Path(), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer fh.Close()
	for range n/real - 2 {
		if _, err := fh.Write(block); err != nil {
			t.Fatal(err)
		}
	}
	addCalls(n-real, n)
	return f
}

// TestCostDoesNotGrow counts what a call reads and allocates; time would depend on the machine.
func TestCostDoesNotGrow(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 150 MB")
	}
	type cost struct {
		read   int64
		allocs float64
	}
	var costs []cost
	for _, n := range []int{10, 1000, 100_000} {
		f := longSession(t, n)
		m := recall(t, f, "")
		if m.Plan.String() != "the plan" || len(m.History) != maxHistory || m.History[maxHistory-1].CallID != fmt.Sprint("c", n-1) {
			t.Fatalf("after %d calls: plan %q, history %q", n, m.Plan, ids(m))
		}
		again := func() {
			f := f.store.Find("session-1", "/p")
			recall(t, f, "")
			put(t, f, call("next", ""))
		}
		costs = append(costs, cost{m.tail.read, testing.AllocsPerRun(20, again)})
	}
	t.Logf("bytes read and allocations of Recall and Append at 10, 1,000 and 100,000 calls: %v", costs)
	for i, c := range costs {
		if c.read > tailBytes+MaxLine {
			t.Errorf("cost %d: %d bytes read", i, c.read)
		}
		if c.allocs > 1.1*costs[0].allocs+10 {
			t.Errorf("cost %d: %.0f allocations, %.0f at first", i, c.allocs, costs[0].allocs)
		}
	}
	if costs[1].read != costs[2].read {
		t.Errorf("%d bytes read after 1,000 calls, %d after 100,000", costs[1].read, costs[2].read)
	}
}

func BenchmarkCall(b *testing.B) {
	f := longSession(b, 1000)
	b.Run("Recall", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			recall(b, f.store.Find("session-1", "/p"), "")
		}
	})
	b.Run("Recall and Append", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			f := f.store.Find("session-1", "/p")
			recall(b, f, "")
			put(b, f, call("next", ""))
		}
	})
	b.Run("Lines", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if len(recall(b, f.store.Find("session-1", "/p"), "").Lines()) == 0 {
				b.Fatal("no lines")
			}
		}
	})
}
