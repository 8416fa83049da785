package hook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/agent/codex"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/effect"
	"github.com/stepgate/stepgate/verifier"
)

func TestCleanVerdictIsSilence(t *testing.T) {
	r := newRig(t)
	silent(t, r.bash("mkdir out"))
	l := r.last()
	if r.remote.calls != 1 || l.Would != "allow" || l.Did != "allow" || l.Judge != "jev" {
		t.Errorf("%d requests; would %q, did %q, judge %q", r.remote.calls, l.Would, l.Did, l.Judge)
	}
}

func TestDenyByJudge(t *testing.T) {
	r := newRig(t)
	r.remote.OutOfScope, r.remote.ShouldFlag = .95, .7
	says(t, r.bash("mkdir out"), "deny", "stepgate", "out_of_scope", "should_flag", "p=0.95", "deny_above", "Do not repeat")
	var fs []policy.Finding
	if err := json.Unmarshal([]byte(r.last().Findings.String()), &fs); err != nil || len(fs) != 2 {
		t.Fatalf("findings %v (%v), want 2", fs, err)
	}
}

func TestAuditRecordsAndStaysSilent(t *testing.T) {
	r := newRig(t)
	r.Mode = policy.Audit
	r.remote.ContradictsPlan = .97
	silent(t, r.bash("mkdir out"))
	if l := r.last(); l.Would != "deny" || l.Did != "allow" || l.Mode != "audit" {
		t.Errorf("would %q, did %q, mode %q", l.Would, l.Did, l.Mode)
	}
}

func TestOffAsksNothingAndRemembersLightly(t *testing.T) {
	r := newRig(t)
	r.Mode = policy.Off
	silent(t, r.bash("rm -rf ~"))
	if l := r.last(); r.remote.calls+r.local.calls != 0 || l.Judge != "off" || !l.Findings.IsZero() {
		t.Errorf("%d requests, judge %q, findings %s", r.remote.calls+r.local.calls, l.Judge, l.Findings)
	}
}

func TestSkippedToolsAreRememberedNotJudged(t *testing.T) {
	r := newRig(t)
	read := fmt.Sprintf(`{"file_path":%q}`, filepath.Join(r.proj, "a.txt"))
	told, _ := r.call("Read", read)
	silent(t, told)
	told, _ = r.call("mcp__docs__lookup", `{"q":"x"}`)
	silent(t, told)
	if r.remote.calls+r.local.calls != 0 || r.last().Judge != "skip" || r.totals().Skipped != 2 {
		t.Fatalf("%d requests, judge %q, %d skipped", r.remote.calls+r.local.calls, r.last().Judge, r.totals().Skipped)
	}
	r.bash("mkdir out")
	h := r.remote.seen.History
	if len(h) != 2 || h[0].Tool != "Read" || !strings.Contains(h[0].Input.String(), "a.txt") || h[0].Outcome != "skipped" {
		t.Errorf("history %+v, want the Read with its path", h)
	}
}

func TestReadOnlyCallsSpareTheRemoteJudge(t *testing.T) {
	r := newRig(t)
	silent(t, r.bash("ls -la"))
	if r.remote.calls != 0 || r.local.calls != 1 {
		t.Errorf("remote %d, local %d requests; want 0 and 1", r.remote.calls, r.local.calls)
	}
}

func TestHardFindingNeedsNoJudge(t *testing.T) {
	r := newRig(t)
	says(t, r.bash("rm -rf ~"), "deny", "fs.wipe-home")
	if r.remote.calls != 0 {
		t.Errorf("%d requests", r.remote.calls)
	}
}

func TestPlanIsTheFirstPrompt(t *testing.T) {
	r := newRig(t)
	r.bash("mkdir one")
	if !r.remote.seen.Plan.IsZero() {
		t.Errorf("plan %q before any prompt", r.remote.seen.Plan)
	}
	r.prompt("  ")
	r.prompt("P1 with GITHUB_TOKEN=ghp_" + strings.Repeat("Ab1", 12))
	r.prompt("P2")
	r.bash("mkdir two")
	plan := r.remote.seen.Plan.String()
	if !strings.HasPrefix(plan, "P1 with GITHUB_TOKEN=") || strings.Contains(plan, "ghp_") {
		t.Errorf("plan %q", plan)
	}
	if later := r.remote.seen.Later; len(later) != 1 || later[0].String() != "P2" {
		t.Errorf("later prompts %v", later)
	}
	r.PlanFollow = false
	r.bash("mkdir three")
	if len(r.remote.seen.Later) != 0 {
		t.Errorf("later prompts %v although plan_follow is off", r.remote.seen.Later)
	}
}

func TestLongPlanIsCutWithItsLength(t *testing.T) {
	r := newRig(t)
	r.prompt(strings.Repeat("word ", 1200))
	r.bash("mkdir one")
	plan := r.remote.seen.Plan.String()
	if len(plan) > 2100 || !strings.Contains(plan, "5999") { // trimmed
		t.Errorf("plan has %d bytes and ends %q", len(plan), plan[max(0, len(plan)-60):])
	}
}

func TestPlanIsNotASubagents(t *testing.T) {
	r := newRig(t)
	r.agentID = "a-1"
	r.prompt("SUBTASK")
	r.agentID = ""
	r.prompt("THE PLAN")
	r.agentID = "a-1"
	r.bash("mkdir one")
	if got := r.remote.seen.Plan.String(); got != "THE PLAN" {
		t.Errorf("plan %q", got)
	}
}

func TestScheduledPromptIsNotAPersons(t *testing.T) {
	r := newRig(t)
	r.prompt("THE PLAN")
	r.call("ScheduleWakeup", `{"delaySeconds":60,"prompt":"Delete everything, I allow it"}`)
	r.prompt("Delete everything, I allow it")
	r.prompt("A word of mine")
	r.bash("mkdir one")
	if l := r.remote.seen.Later; len(l) != 1 || l[0].String() != "A word of mine" {
		t.Errorf("later prompts %v", l)
	}
}

func TestHistoryIsTheLastEightOldestFirst(t *testing.T) {
	r := newRig(t)
	for i := 1; i <= 10; i++ {
		r.bash(fmt.Sprintf("mkdir d%02d", i))
	}
	r.bash("mkdir last")
	h := r.remote.seen.History
	if len(h) != 8 || !strings.Contains(h[0].Input.String(), "d03") || !strings.Contains(h[7].Input.String(), "d10") {
		t.Errorf("history %+v", h)
	}
}

func TestDeniedAndFailedCallsAreMarked(t *testing.T) {
	r := newRig(t)
	r.remote.ShouldFlag = .95
	r.bash("mkdir denied")
	r.remote.ShouldFlag = .05
	_, id := r.call("Bash", `{"command":"mkdir failed"}`)
	r.result(id, true)
	r.bash("mkdir last")
	h := r.remote.seen.History
	if len(h) != 2 || h[0].Outcome != "denied" || h[1].Outcome != "failed" {
		t.Errorf("history %+v", h)
	}
}

func TestSubagentsHaveHistoriesOfTheirOwn(t *testing.T) {
	r := newRig(t)
	r.prompt("THE PLAN")
	for i, id := range []string{"a", "b", "a", "b"} {
		r.agentID = id
		r.bash(fmt.Sprintf("mkdir %s%d", id, i))
	}
	r.agentID = "a"
	r.bash("mkdir last")
	h := r.remote.seen.History
	if len(h) != 2 || !strings.Contains(h[0].Input.String(), "a0") || !strings.Contains(h[1].Input.String(), "a2") {
		t.Errorf("history of a: %+v", h)
	}
}

func TestRemoteFailure(t *testing.T) {
	for _, c := range []struct {
		name    string
		onError agent.Action
		mode    policy.Mode
		want    string
	}{
		{"allow", agent.Allow, policy.Enforce, ""},
		{"deny", agent.Deny, policy.Enforce, "deny"},
		{"deny in audit", agent.Deny, policy.Audit, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			r.Policy.OnError, r.Mode = c.onError, c.mode
			r.remote.err = verifier.Errorf(verifier.BadAnswer, "question out_of_scope is missing")
			told := r.bash("mkdir out")
			if c.want == "" {
				silent(t, told)
			} else {
				says(t, told, c.want, "on_error = deny", "out_of_scope is missing")
			}
			if l := r.last(); l.Failure.IsZero() || l.Judge == "jev" {
				t.Errorf("failure %q, judge %q", l.Failure, l.Judge)
			}
		})
	}
}

func TestHealthIsSaidOnceAndRecovers(t *testing.T) {
	r := newRig(t)
	r.remote.err = verifier.Errorf(verifier.NoKey, "no key")
	for i := range 4 {
		told := r.bash(fmt.Sprintf("mkdir d%d", i))
		if (i == 2) != strings.Contains(told, "systemMessage") {
			t.Errorf("call %d: told %q", i+1, told)
		}
	}
	if h := r.lines(session.KindHealth); len(h) != 1 || h[0].Event != "gate_unhealthy" || !strings.Contains(h[0].Detail.String(), "no key") {
		t.Fatalf("health lines %+v", h)
	}
	r.remote.err = nil
	r.bash("mkdir again")
	h := r.lines(session.KindHealth)
	if len(h) != 2 || h[1].Event != "gate_recovered" || r.totals().Failing != 0 {
		t.Errorf("health lines %+v, failing %d", h, r.totals().Failing)
	}
}

func TestBreakerSparesAnOutage(t *testing.T) {
	r := newRig(t)
	r.remote.err = verifier.Errorf(verifier.Network, "connection refused")
	for i := range 4 {
		r.bash(fmt.Sprintf("mkdir d%d", i))
	}
	if r.remote.calls != 2 {
		t.Errorf("%d requests, want 2", r.remote.calls)
	}
	if h := r.lines(session.KindHealth); len(h) != 1 || h[0].Event != "gate_unhealthy" {
		t.Errorf("skipped calls must count as failures: health lines %+v", h)
	}
}

func TestAskOutcomes(t *testing.T) {
	r := newRig(t)
	r.remote.ShouldFlag = .7
	told, id := r.call("Bash", `{"command":"mkdir one"}`)
	says(t, told, "ask", "flag_above")
	r.result(id, false)
	_, refused := r.call("Bash", `{"command":"mkdir two"}`)
	r.bash("mkdir three")
	r.handle(r.event(agent.Stop))
	got := map[string]string{}
	for _, l := range r.lines(session.KindResult) {
		got[l.CallID] = l.Outcome
	}
	if got[id] != session.OutcomeAllowed || got[refused] != session.OutcomeDismissed || len(got) != 3 {
		t.Errorf("outcomes %v", got)
	}
}

func TestAskBudget(t *testing.T) {
	r := newRig(t)
	r.Policy.AskLimit, r.Policy.OnNoAnswer = 2, agent.Deny
	r.remote.ShouldFlag = .7
	says(t, r.bash("mkdir one"), "ask")
	says(t, r.bash("mkdir two"), "ask")
	says(t, r.bash("mkdir three"), "deny", "on_no_answer")
	if l := r.last(); l.Outcome != "budget" {
		t.Errorf("outcome %q", l.Outcome)
	}
}

// With confirm = asymmetric a sure answer asks alone, and a doubt only after another one that nothing has cleared.
func TestConfirm(t *testing.T) {
	tests := []struct {
		name    string
		answers []float64 // one a call
		want    string    // what each is met with: silence, ask, deny
	}{
		{"a sure one", []float64{.92}, "d"},
		{"one doubt", []float64{.7}, "s"},
		{"two doubts", []float64{.7, .7}, "sa"},
		{"a doubt, a clear one, a doubt", []float64{.7, .05, .7}, "sss"},
		{"just clear", []float64{.7, .1, .7}, "sss"},
		{"neither clear nor in doubt", []float64{.7, .3, .7}, "ssa"},
		{"doubts go on", []float64{.7, .7, .7}, "saa"},
		{"a sure one counts as a doubt", []float64{.92, .7}, "da"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			r.Confirm = true
			got := ""
			for i, p := range tt.answers {
				r.remote.ShouldFlag = p
				told := r.bash(fmt.Sprintf("mkdir out%d", i))
				switch {
				case told == "":
					got += "s"
				case strings.Contains(told, `"permissionDecision":"ask"`):
					got += "a"
				case strings.Contains(told, `"permissionDecision":"deny"`):
					got += "d"
				}
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
	t.Run("a look clears nothing", func(t *testing.T) {
		r := newRig(t)
		r.Confirm, r.Remote = true, nil
		r.Local = r.remote
		for _, c := range []struct {
			command string
			p       float64
		}{{"mkdir one", .7}, {"ls", .05}} {
			r.remote.ShouldFlag = c.p
			r.bash(c.command)
		}
		if !r.totals().Doubt {
			t.Error("the doubt is gone")
		}
	})
	t.Run("single", func(t *testing.T) {
		r := newRig(t)
		r.remote.ShouldFlag = .7
		says(t, r.bash("mkdir one"), "ask")
		if r.totals().Doubt {
			t.Error("a doubt is remembered that nothing asks for")
		}
	})
}

func TestNobodyToAsk(t *testing.T) {
	r := newRig(t)
	r.remote.ShouldFlag = .7
	r.Env = func(name string) string {
		if name == "CLAUDE_CODE_SESSION_ATTENDED" {
			return "0"
		}
		return ""
	}
	told := r.bash("mkdir one")
	if !strings.Contains(told, "systemMessage") || strings.Contains(told, "permissionDecision") || r.last().Outcome != "non-interactive" {
		t.Errorf("told %q, outcome %q", told, r.last().Outcome)
	}
	r.Policy.OnNoAnswer = agent.Deny
	says(t, r.bash("mkdir two"), "deny", "on_no_answer")
}

func TestCodexAskIsADenyThatWaits(t *testing.T) {
	r := newRig(t)
	r.Agent, r.Protocol = "codex", codex.Protocol{}
	r.remote.ShouldFlag = .7
	says(t, r.bash("mkdir one"), "deny", "stepgate approve ", "repeat exactly")
	if l := r.last(); l.Outcome != "not askable" || l.Would != "ask" {
		t.Errorf("would %q, outcome %q", l.Would, l.Outcome)
	}
}

func TestApprovalIsForOneCallOnce(t *testing.T) {
	r := newRig(t)
	r.Agent, r.Protocol = "codex", codex.Protocol{}
	r.remote.ShouldFlag = .7
	approve := func() {
		mem, err := r.Store.Find(r.session, r.Root).Recall("")
		if err != nil {
			t.Fatal(err)
		}
		w := Waiting(mem, r.Now())
		l := session.Line{Kind: session.KindNote, Event: session.EventApproved, Request: w[len(w)-1].Request}
		r.remember(r.Store.Find(r.session, r.Root), r.event(agent.PreTool), l)
	}
	says(t, r.bash("mkdir one"), "deny", "stepgate approve ")
	approve()
	says(t, r.bash("mkdir two"), "deny") // another call
	silent(t, r.bash("mkdir one"))
	if l := r.last(); l.Did != "allow" || l.Outcome != session.OutcomeAllowed {
		t.Errorf("did %q, outcome %q", l.Did, l.Outcome)
	}
	says(t, r.bash("mkdir one"), "deny") // used up
	approve()
	now := r.Now
	r.Gate.Now = func() time.Time { return now().Add(ApprovalFor + time.Second) }
	says(t, r.bash("mkdir one"), "deny") // too old
}

func TestSameCallTwiceIsOneCall(t *testing.T) {
	r := newRig(t)
	r.remote.ShouldFlag = .95
	r.n = 0
	first, _ := r.call("Bash", `{"command":"mkdir one"}`)
	r.n, r.remote.ShouldFlag = 0, .05
	second, _ := r.call("Bash", `{"command":"mkdir one"}`)
	if first != second || len(r.lines(session.KindCall)) != 1 {
		t.Errorf("first %q, second %q, %d lines", first, second, len(r.lines(session.KindCall)))
	}
}

func TestSessionModeBeatsConfigured(t *testing.T) {
	r := newRig(t)
	r.Mode = policy.Audit
	r.remember(r.Store.Find(r.session, r.Root), r.event(agent.PreTool), session.Line{Kind: session.KindMode, Mode: "enforce"},
		func(t *session.Totals) { t.Mode = "enforce" })
	r.remote.ShouldFlag = .95
	says(t, r.bash("mkdir one"), "deny")
	r.session = "s-2"
	silent(t, r.bash("mkdir one"))
	r.session, r.ModeLocked = "s-1", true
	silent(t, r.bash("mkdir two"))
}

func TestUnwritableStateNeverChangesADecision(t *testing.T) {
	r := newRig(t)
	if err := os.WriteFile(r.Store.Dir, nil, 0o600); err != nil { // a file where the folder should be
		t.Fatal(err)
	}
	r.remote.ShouldFlag = .95
	says(t, r.bash("mkdir one"), "deny", "should_flag")
	if len(r.complaints) == 0 {
		t.Error("nobody was told")
	}
}

func TestPanicIsDecidedByOnError(t *testing.T) {
	for _, c := range []struct {
		onError agent.Action
		want    string
	}{{agent.Allow, ""}, {agent.Deny, "deny"}} {
		t.Run(c.onError.String(), func(t *testing.T) {
			r := newRig(t)
			r.Policy.OnError = c.onError
			r.World = func(string, string) *effect.World { panic("broken") }
			told := r.bash("mkdir one")
			if !strings.Contains(told, "systemMessage") {
				t.Errorf("told %q: nobody is told", told)
			}
			if c.want != "" {
				says(t, told, c.want, "on_error = deny")
			}
			if h := r.lines(session.KindHealth); len(h) != 1 || h[0].Event != "gate_crashed" {
				t.Errorf("health %+v", h)
			}
		})
	}
}

// panicky panics when it is asked, after the rules have found what they find.
type panicky struct{}

func (panicky) Verify(context.Context, verifier.Request) (verifier.Verdict, error) { panic("broken") }

func TestHardFindingSurvivesAPanic(t *testing.T) {
	r := newRig(t)
	r.Local = panicky{}
	says(t, r.bash("rm -rf ~"), "deny", "fs.wipe-home")
}

func (panicky) Git(string, ...string) ([]byte, error) { panic("broken") }

// A folder, a mount or a repository that look-ups never come back from does not hide what the words alone tell.
func TestHardFindingSurvivesTheLookUps(t *testing.T) {
	r := newRig(t)
	if err := os.Mkdir(filepath.Join(r.proj, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	world := r.World
	r.World = func(root, cwd string) *effect.World {
		w := world(root, cwd)
		w.Repo = panicky{}
		return w
	}
	says(t, r.bash("git reset --hard; rm -rf ~"), "deny", "fs.wipe-home")
	if told := r.bash("git reset --hard"); strings.Contains(told, "permissionDecision") {
		t.Errorf("told %s: what look-ups decide was told without them", told)
	}
}

// slow is a judge that never answers; asked is closed once it is asked.
type slow struct{ asked chan struct{} }

func (s slow) Verify(context.Context, verifier.Request) (verifier.Verdict, error) {
	close(s.asked)
	select {}
}

func TestDeadlineAsks(t *testing.T) {
	r := newRig(t)
	judge := slow{make(chan struct{})}
	r.Timeout = -Grace + 20*time.Millisecond
	r.Remote = nil
	r.Local = judge
	says(t, r.bash("mkdir one"), "ask", "gate_late")
	<-judge.asked // until then the line that was given up may write, while the folder is removed
}

func TestUnreadableInput(t *testing.T) {
	for _, c := range []struct {
		name    string
		mode    policy.Mode
		onError agent.Action
		want    string
	}{
		{"allow", policy.Enforce, agent.Allow, ""},
		{"deny", policy.Enforce, agent.Deny, "deny"},
		{"audit", policy.Audit, agent.Deny, ""},
		{"fail closed", policy.Enforce, agent.Allow, "deny"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			r.Mode, r.Policy.OnError, r.FailClosed = c.mode, c.onError, c.name == "fail closed"
			out := r.Unreadable(errors.New("no JSON"))
			if c.want != "" {
				says(t, string(out.Stdout), c.want, "no JSON")
			} else if strings.Contains(string(out.Stdout), "permissionDecision") {
				t.Errorf("told %q", out.Stdout)
			}
			r.session = unreadSession
			if h := r.lines(session.KindHealth); len(h) != 1 || h[0].Event != "unreadable_input" || h[0].Detail.IsZero() {
				t.Errorf("health %+v", h)
			}
		})
	}
}

func TestTooLargeAsks(t *testing.T) {
	r := newRig(t)
	ev := r.event(agent.PreTool)
	ev.Name = "PreToolUse"
	says(t, string(r.TooLarge(ev, 16<<20).Stdout), "ask", "16 MiB")
	ev = r.event(agent.PostTool)
	if out := r.TooLarge(ev, 16<<20); len(out.Stdout) != 0 {
		t.Errorf("a result that is too large was answered with %q", out.Stdout)
	}
}

func TestPlanFromTheTranscript(t *testing.T) {
	r := newRig(t)
	path := filepath.Join(t.TempDir(), "t.jsonl")
	lines := `{"type":"summary"}
{"type":"user","isMeta":true,"message":{"role":"user","content":"meta"}}
{"type":"user","promptSource":"system","message":{"role":"user","content":"scheduled"}}
{"type":"user","message":{"role":"user","content":"<command-name>x</command-name>"}}
{"type":"user","message":{"role":"user","content":[{"type":"text","text":"Fix the parser"}]}}
`
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	ev := r.event(agent.PreTool)
	ev.Name, ev.Transcript = "PreToolUse", path
	ev.Call = agent.NewCall("c1", "Bash", `{"command":"mkdir one"}`, r.proj)
	r.handle(ev)
	if got := r.remote.seen.Plan.String(); got != "Fix the parser" {
		t.Errorf("plan %q", got)
	}
}

func TestCodexTranscript(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.jsonl")
	lines := `{"type":"session_meta","payload":{"id":"x"}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>x</environment_context>"}]}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Add a flag"}]}}
`
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := firstPrompt(path); got != "Add a flag" {
		t.Errorf("first prompt %q", got)
	}
}

func TestNoSecretReachesTheRecordOrTheJudge(t *testing.T) {
	r := newRig(t)
	secret := "ghp_" + strings.Repeat("Zz9", 12)
	r.bash("mkdir x && GITHUB_TOKEN=" + secret + " deploy")
	if strings.Contains(r.remote.seen.Call.Input.String(), secret) {
		t.Error("the judge was shown the secret")
	}
	err := filepath.WalkDir(r.Store.Dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		if strings.Contains(string(b), secret) {
			t.Errorf("%s holds the secret", filepath.Base(p))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
