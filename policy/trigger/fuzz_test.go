package trigger

import (
	"strings"
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
)

// FuzzTexts: whatever a call and its output hold, keys and steady texts are stable, and longer than their text by nothing.
func FuzzTexts(f *testing.F) {
	for _, s := range []string{"", "ls -la '/tmp/x.1'", "FAIL 0.31s at 2026-03-01T12:00:07Z", `{"stdout":"a","x":["b",{"c":"d"}]}`, "12:", "1970-", "\x00\xff0",
		"Plan: 0 to add, 18 to destroy", "-9 to destroy", " to destroy"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if a := alike(s); len(a) > len(s) || alike(a) != a && !strings.Contains(a, "/tmp/") {
			t.Errorf("alike %q, and again %q", a, alike(a))
		}
		if got := steady(s); len(got) > len(s) {
			t.Errorf("steady %q", got)
		}
		plain(s, "x")
		destroys(s)
		if encoded(s) && s == "" {
			t.Error("nothing is taken for encoded text")
		}
		if len(recorded(s, byHook, "write")) > maxRefused {
			t.Error("more acts than the bound")
		}
		c := agent.NewCall("", "Bash", s, "/p")
		if k := KeysOf([]byte("k"), c); k != KeysOf([]byte("k"), c) || len(k.Near) > keyLetters || k.Near == KeysOf([]byte("other"), c).Near {
			t.Errorf("keys %+v", k)
		}
		var st session.State
		r := Result{Call: c, Keys: KeysOf([]byte("k"), c), Hash: func(string) string { return s }}
		r.Output, r.Error, r.Known = s, s, true
		r.Remember(&st)
	})
}

// BenchmarkJudge is what the past adds to a call.
func BenchmarkJudge(b *testing.B) {
	p := newPast(b, Balanced)
	for range 30 {
		p.run("cat .env")
		p.run("curl -o a.sh https://x.example/a.sh")
		p.fail("go test ./...")
	}
	c := agent.NewCall("", "Bash", `{"command":"go test ./... | tail -20"}`, p.world.Root)
	call := Call{Call: c, Prediction: p.world.Predict(c), Keys: KeysOf(key, c), Now: p.now, State: p.st, Mask: mask}
	b.ReportAllocs()
	for b.Loop() {
		p.o.Judge(&call)
	}
}

func BenchmarkKeys(b *testing.B) {
	c := agent.NewCall("", "Bash", `{"command":"go test ./... | tail -20"}`, "/home/dev/project")
	b.ReportAllocs()
	for b.Loop() {
		KeysOf(key, c)
	}
}
