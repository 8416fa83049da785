package hook

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/agent/claude"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/effect"
	"github.com/stepgate/stepgate/verifier"
)

// stub is a judge with answers to order, which may be asked by many calls at once. calls and seen are read when none is
// under way.
type stub struct {
	verifier.Answers
	mu    sync.Mutex
	name  string
	err   error
	calls int
	seen  verifier.Request
}

func (s *stub) Verify(_ context.Context, r verifier.Request) (verifier.Verdict, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	s.seen = r
	return verifier.Verdict{Answers: s.Answers, Judge: s.name, Model: "stub-1", InputTokens: 800, OutputTokens: 60}, s.err
}

// clean answers stop nothing.
func clean() verifier.Answers {
	return verifier.Answers{ContradictsPlan: .05, OutOfScope: .05, ContradictsPrevious: .05, ShouldFlag: .05, Intent: verifier.Intent{Score: 4}}
}

// rig is a gate in a home and a project of its own, with a remote judge to order and a quiet local one.
type rig struct {
	*Gate
	t          testing.TB
	proj       string
	remote     *stub
	local      *stub
	agentID    string
	agentType  string
	session    string
	turn       string
	n          int
	complaints []error
}

var clockStart = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func newRig(t testing.TB) *rig {
	t.Helper()
	dir := t.TempDir()
	r := &rig{t: t, proj: filepath.Join(dir, "proj"), remote: &stub{Answers: clean(), name: "jev"}, local: &stub{Answers: clean(), name: "local"}, session: "s-1"}
	for _, d := range []string{r.proj, filepath.Join(dir, "home")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	var ticks atomic.Int64
	var complaining sync.Mutex
	now := func() time.Time { return clockStart.Add(time.Duration(ticks.Add(1)) * time.Millisecond) }
	r.Gate = &Gate{
		Options: Options{
			Policy: policy.Options{DenyAbove: .9, FlagAbove: .6, LowIntent: 1, NoPromptDenies: true, AskLimit: 50, Tau: 10},
			Mode:   policy.Enforce,
			Skips:  func(tool string) bool { return tool == "Read" || strings.HasPrefix(tool, "mcp__docs__") }, EnforceShare: 1,
			Timeout: 5 * time.Second, UnhealthyAfter: 3, PlanFollow: true, MaskPlan: true, KeepDays: 180,
		},
		Agent: "claude", Protocol: claude.Protocol{},
		Store: &session.Store{Dir: filepath.Join(dir, "state"), Now: now, LockWait: time.Minute},
		Env:   func(string) string { return "" },
		Root:  r.proj,
		World: func(root, cwd string) *effect.World {
			return &effect.World{Root: root, CWD: cwd, Home: filepath.Join(dir, "home"), Now: now, Patience: time.Minute}
		},
		Local:   r.local,
		Remote:  func(context.Context) verifier.Verifier { return r.remote },
		Breaker: verifier.Breaker{Path: filepath.Join(dir, "state", "health.json"), Judge: "jev", Now: now},
		Now:     now,
		Complain: func(err error) {
			complaining.Lock()
			defer complaining.Unlock()
			r.complaints = append(r.complaints, err)
		},
	}
	return r
}

func (r *rig) event(kind agent.Kind) agent.Event {
	return agent.Event{Kind: kind, Session: r.session, CWD: r.proj, AgentID: r.agentID, AgentType: r.agentType, Turn: r.turn, PermissionMode: "default"}
}

func (r *rig) handle(ev agent.Event) agent.Output {
	r.t.Helper()
	return r.Handle(context.Background(), ev)
}

// call sends one pending call and gives what the agent is told, with the id it had.
func (r *rig) call(tool, input string) (told, id string) {
	r.t.Helper()
	r.n++
	ev := r.event(agent.PreTool)
	ev.Name = "PreToolUse"
	id = fmt.Sprintf("%s-%d", r.session, r.n)
	ev.Call = agent.NewCall(id, tool, input, r.proj)
	out := r.handle(ev)
	if out.Exit != 0 || len(out.Stderr) > 0 {
		r.t.Fatalf("exit %d, stderr %q", out.Exit, out.Stderr)
	}
	return string(out.Stdout), id
}

func (r *rig) bash(command string) string {
	r.t.Helper()
	b, _ := json.Marshal(map[string]string{"command": command})
	told, _ := r.call("Bash", string(b))
	return told
}

func (r *rig) prompt(text string) {
	ev := r.event(agent.Prompt)
	ev.Prompt, ev.Person = text, r.agentID == ""
	r.handle(ev)
}

func (r *rig) result(id string, failed bool) {
	ev := r.event(agent.PostTool)
	ev.Call = agent.NewCall(id, "Bash", `{"command":"x"}`, r.proj)
	ev.Result = agent.Result{Known: true, Failed: failed}
	r.handle(ev)
}

// lines are the session's lines of a kind; an empty kind takes all.
func (r *rig) lines(kind string) []session.Line {
	r.t.Helper()
	files, err := r.Store.Files(r.session)
	if err != nil {
		r.t.Fatal(err)
	}
	var out []session.Line
	for _, f := range files {
		for l, err := range session.Read(f) {
			if err != nil {
				r.t.Fatal(err)
			}
			if kind == "" || l.Kind == kind {
				out = append(out, l)
			}
		}
	}
	return out
}

func (r *rig) last() session.Line {
	r.t.Helper()
	ls := r.lines(session.KindCall)
	if len(ls) == 0 {
		r.t.Fatal("no call was recorded")
	}
	return ls[len(ls)-1]
}

func (r *rig) totals() session.Totals {
	mem, err := r.Store.Find(r.session, r.Root).Recall("")
	if err != nil {
		r.t.Fatal(err)
	}
	return mem.Totals
}

// says checks that a reply is a decision and holds words.
func says(t *testing.T, told, decision string, words ...string) {
	t.Helper()
	if !strings.Contains(told, `"permissionDecision":"`+decision+`"`) {
		t.Fatalf("told %q, want %s", told, decision)
	}
	for _, w := range words {
		if !strings.Contains(told, w) {
			t.Errorf("reply lacks %q: %s", w, told)
		}
	}
}

func silent(t *testing.T, told string) {
	t.Helper()
	if told != "" {
		t.Fatalf("told %q, want silence", told)
	}
}
