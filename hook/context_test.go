package hook

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
)

// TestStepContext: the record of a call says which step it is, what kind of tool it used, what it does, with what, and
// for whom (G1), and how long each stage of the decision took (G18).
func TestStepContext(t *testing.T) {
	r := newRig(t)
	r.prompt("Tidy up.")
	r.agentID, r.agentType = "a-1", "Explore"
	r.put("old/a", "x")
	r.bash("rm -r old")
	l := r.last()
	for what, ok := range map[string]bool{
		"step":       l.Seq > 0 && l.Totals != nil && l.Totals.Calls == 1,
		"tool type":  l.Tool == "Bash" && l.Capability == agent.Shell,
		"action":     strings.Contains(l.Acts.String(), `"kind":"delete"`) && strings.Contains(l.Acts.String(), "old"),
		"parameters": l.Input.String() == `{"command":"rm -r old"}`,
		"role":       l.Agent == "claude" && l.AgentID == "a-1" && l.AgentType == "Explore",
		"where":      l.CWD.String() == r.proj,
		"which call": l.CallID != "",
		"decision":   l.Would != "" && l.Did != "",
		"time":       l.MS["predict"] > 0 && l.MS["rules"] > 0 && l.MS["judge"] > 0 && l.MS["decide"] > 0, // their sum is the gate's
	} {
		if !ok {
			t.Errorf("the record lacks the %s: %+v", what, l)
		}
	}
	r.call("Write", `{"file_path":"a","content":"`+strings.Repeat("x", 5000)+`"}`)
	if got := r.last().Input.String(); len(got) > 1000 || !strings.Contains(got, "5000 bytes") {
		t.Errorf("the summary of a long input has %d bytes", len(got))
	}
}

// TestStepsAreCounted: however many hooks run at once, the steps of a session are numbered 1 to n, each once (G2).
func TestStepsAreCounted(t *testing.T) {
	r := newRig(t)
	r.Remote = nil
	const calls = 24
	var all sync.WaitGroup
	for i := range calls {
		all.Go(func() {
			ev := r.event(agent.PreTool)
			ev.Name = "PreToolUse"
			ev.Call = agent.NewCall(fmt.Sprint("c-", i), "Bash", fmt.Sprintf(`{"command":"ls d%d"}`, i), r.proj)
			r.handle(ev)
		})
	}
	all.Wait()
	for i, l := range r.lines(session.KindCall) {
		if l.Seq != int64(i+1) || l.Totals.Calls != i+1 {
			t.Errorf("line %d has seq %d and is call %d", i+1, l.Seq, l.Totals.Calls)
		}
	}
	if n := len(r.lines(session.KindCall)); n != calls {
		t.Errorf("%d calls in the record, want %d", n, calls)
	}
}
