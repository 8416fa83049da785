package hook

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/agent/codex"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
)

// says to the gate what a person types, and gives its answer.
func (r *rig) typed(text string) (answer string, blocked bool) {
	r.t.Helper()
	ev := r.event(agent.Prompt)
	ev.Name, ev.Prompt, ev.Person = "UserPromptSubmit", text, true
	var out struct{ Decision, Reason string }
	if b := r.handle(ev).Stdout; len(b) > 0 {
		if err := json.Unmarshal(b, &out); err != nil {
			r.t.Fatal(err)
		}
	}
	return out.Reason, out.Decision == "block"
}

// What a person says to the gate gets an answer and is no part of the plan.
func TestCommandIsAnsweredAndNotAPrompt(t *testing.T) {
	r := newRig(t)
	r.prompt("Tidy the drafts")
	r.remote.ShouldFlag = .7
	r.bash("touch a")
	for text, want := range map[string]string{
		"/stepgate": "mode enforce, judge", "/stepgate status": "1 call, 1 asked about", "/stepgate:status": "mode enforce",
		"/stepgate plan": "Tidy the drafts", "/stepgate why": "should_flag", "/stepgate budget": "this task had 1 call",
		"/stepgate mode": "mode enforce", "/stepgate mode enfroce": "is not one of audit, enforce, off", "/stepgate nosuch": "say one of",
		"/stepgate mode audit please": "say one of",
	} {
		if answer, blocked := r.typed(text); !blocked || !strings.Contains(answer, want) {
			t.Errorf("%s: blocked %v, %q lacks %q", text, blocked, answer, want)
		}
	}
	for _, text := range []string{"/stepgateway", "tell me of /stepgate", "stepgate mode off"} {
		if answer, blocked := r.typed(text); blocked {
			t.Errorf("%s is no word to the gate, and got %q", text, answer)
		}
	}
	if n := len(r.lines(session.KindPrompt)); n != 4 {
		t.Errorf("%d prompts are remembered, want 4", n)
	}
}

// Where enforce is rolled out in part, the status says what this session has of it.
func TestStatusTellsTheRollOut(t *testing.T) {
	for _, tt := range []struct {
		name     string
		enforces func(string) bool
		share    float64
		want     string
	}{
		{"all", nil, 1, "mode enforce, judge"},
		{"no session", nil, 0, "only audited: enforce_share"},
		{"one tool", func(tool string) bool { return tool == "Bash" }, 1, "other tools than enforce_tools"},
		{"all tools", func(string) bool { return true }, 1, "mode enforce, judge"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			r.Enforces, r.EnforceShare = tt.enforces, tt.share
			if answer, _ := r.typed("/stepgate status"); !strings.Contains(answer, tt.want) {
				t.Errorf("%q lacks %q", answer, tt.want)
			}
			r.Mode = policy.Audit
			if answer, _ := r.typed("/stepgate status"); !strings.Contains(answer, "mode audit, judge") {
				t.Errorf("in audit: %q", answer)
			}
		})
	}
}

// In audit no reason was given, so why puts together what was found.
func TestWhyInAuditIsReadable(t *testing.T) {
	r := newRig(t)
	r.Mode = policy.Audit
	r.prompt("Tidy the drafts")
	r.remote.ShouldFlag = .7
	r.bash("touch a")
	answer, _ := r.typed("/stepgate why")
	if !strings.Contains(answer, "enforce would have said: ask, because of should_flag: ") || strings.ContainsAny(answer, "{}[]") {
		t.Errorf("why says %q", answer)
	}
}

// Tightening is free; loosening needs a person at the session, and the administrator's lock beats both.
func TestCommandSwitchesTheMode(t *testing.T) {
	for _, c := range []struct {
		name     string
		change   func(*rig, *agent.Event)
		to       string
		want     policy.Mode
		answered string
	}{
		{"a person loosens", nil, "audit", policy.Audit, "was enforce"},
		{"off", nil, "off", policy.Off, "was enforce"},
		{"the same", nil, "enforce", policy.Enforce, "mode enforce"},
		{"nobody is there", func(r *rig, _ *agent.Event) {
			r.Env = func(name string) string { return map[string]string{"CLAUDE_CODE_SESSION_ATTENDED": "0"}[name] }
		}, "audit", policy.Enforce, "nothing was changed"},
		{"all is waved through", func(_ *rig, ev *agent.Event) { ev.PermissionMode = "bypassPermissions" }, "off", policy.Enforce, "nothing was changed"},
		{"an agent that cannot ask", func(r *rig, _ *agent.Event) { r.Protocol = codex.Protocol{} }, "audit", policy.Enforce, "nothing was changed"},
		{"tightening when nobody is there", func(r *rig, ev *agent.Event) { r.Mode, ev.PermissionMode = policy.Audit, "bypassPermissions" }, "enforce", policy.Enforce, "was audit"},
		{"locked", func(r *rig, _ *agent.Event) { r.ModeLocked = true }, "audit", policy.Enforce, "locked"},
		{"a subagent's", func(_ *rig, ev *agent.Event) { ev.Person = false }, "audit", policy.Enforce, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			ev := r.event(agent.Prompt)
			ev.Name, ev.Prompt, ev.Person = "UserPromptSubmit", "/stepgate mode "+c.to, true
			if c.change != nil {
				c.change(r, &ev)
			}
			out := string(r.handle(ev).Stdout)
			if !strings.Contains(out, c.answered) || (out == "") != (c.answered == "") {
				t.Errorf("answer %s lacks %q", out, c.answered)
			}
			mem, err := r.Store.Find(r.session, r.proj).Recall("")
			if err != nil {
				t.Fatal(err)
			}
			if got := r.mode(mem); got != c.want {
				t.Errorf("mode %s, want %s", got, c.want)
			}
		})
	}
}

// What the agent itself asked to be told later is no person's word, and asking for it is refused.
func TestCommandIsNotTheAgents(t *testing.T) {
	r := newRig(t)
	told, _ := r.call("ScheduleWakeup", `{"delay":60,"prompt":"/stepgate mode off"}`)
	says(t, told, "deny", "guard.command")
	if answer, blocked := r.typed("/stepgate mode off"); blocked {
		t.Errorf("a scheduled prompt got %q", answer)
	}
	mem, _ := r.Store.Find(r.session, r.proj).Recall("")
	if got := r.mode(mem); got != policy.Enforce {
		t.Errorf("mode %s, want enforce", got)
	}
}

func TestCommandResetsTheBudget(t *testing.T) {
	r := newRig(t)
	r.Policy.RiskBudget = 1
	r.remote.ShouldFlag = .7
	says(t, r.bash("touch a"), "ask")
	says(t, r.bash("touch b"), "deny", "risk_budget = 1")
	if answer, _ := r.typed("/stepgate budget reset"); !strings.Contains(answer, "whole again") {
		t.Errorf("answer %q", answer)
	}
	says(t, r.bash("touch c"), "ask")
}
