package hook

import (
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
)

// BenchmarkLine walks the whole line for an ordinary call, with the built-in judge alone.
func BenchmarkLine(b *testing.B) {
	r := newRig(b)
	r.Remote = nil
	ev := r.event(agent.PreTool)
	ev.Name = "PreToolUse"
	for b.Loop() {
		ev.Call = agent.NewCall("", "Bash", `{"command":"ls"}`, r.proj)
		r.handle(ev)
	}
	b.ReportAllocs()
}
