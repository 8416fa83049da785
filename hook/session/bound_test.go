package session

import (
	"strings"
	"testing"

	"github.com/stepgate/stepgate/redact"
)

// The largest totals that the lists may hold leave room for the line they travel in.
func TestLargestTotalsFitALine(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	f := s.Find("s", "/p")
	put(t, f, Line{Kind: KindStart, Root: redact.Verbatim("/" + strings.Repeat(`"`, maxRoot-1))})
	id := func(i int) string { return strings.Repeat(string(rune('a'+i)), maxName) }
	l, err := f.Append("", func(tot *Totals, _ Memory) (Line, bool) {
		for i := range maxTags {
			tot.Tags = append(tot.Tags, tag(i))
		}
		for i := range maxOpen {
			tot.Open = append(tot.Open, OpenAsk{CallID: id(i), AgentID: id(i), Seq: 1 << 40})
		}
		for i := range MaxThreads {
			th := Thread{AgentID: id(i), Calls: 1 << 30, Results: strings.Repeat("s", MaxResults), Ended: 1 << 30, Looks: 1 << 30, Writes: 1 << 30, Said: 1 << 45}
			for j := range MaxRuns {
				th.On = append(th.On, "session.unverified")
				th.SetRun(Run{Near: string(rune('a'+j)) + "2345678", Exact: "12345678", Same: 1 << 30, Result: "s12345678", Refused: 1 << 30, At: 1 << 30, Time: 1 << 45, Is: "lwxftcpovnd"})
			}
			tot.State.SetThread(th)
		}
		for i := range MaxSteps {
			tot.State.Note(Step{Kind: "destroys", Target: redact.Verbatim(strings.Repeat(string(rune('a'+i))+`"`, 120)), Detail: "database destroy-all", By: "person shell", Call: 1 << 30})
		}
		tot.Calls++
		return call("c1", ""), true
	})
	if err != nil || l.Cut || l.Totals == nil {
		t.Fatalf("cut %v, error %v", l.Cut, err)
	}
	m := recall(t, f, "")
	if n := len(m.Totals.State.Steps); n == 0 || m.Totals.State.Steps[n-1].Target != l.Totals.State.Steps[n-1].Target || m.Totals.Calls != 1 {
		t.Errorf("%d steps, %d calls", n, m.Totals.Calls)
	}
}
