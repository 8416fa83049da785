package policy

import (
	"slices"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/redact"
	"github.com/stepgate/stepgate/verifier"
)

var defaults = Options{DenyAbove: .9, FlagAbove: .6, LowIntent: 1, AskLimit: 50, NoPromptDenies: true, Tau: 10}

// answers makes a judge's verdict of the four yes-probabilities and the intent score.
func answers(plan, scope, previous, flag, intent float64) *verifier.Verdict {
	return &verifier.Verdict{Judge: "jev", Answers: verifier.Answers{
		ContradictsPlan: plan, OutOfScope: scope, ContradictsPrevious: previous, ShouldFlag: flag,
		Intent: verifier.Intent{Score: intent},
	}}
}

func TestDecideThresholds(t *testing.T) {
	for _, c := range []struct {
		name string
		v    *verifier.Verdict
		want agent.Action
	}{
		{"clean", answers(.05, .05, .05, .05, 4), agent.Allow},
		{"flag is inclusive", answers(.60, .05, .05, .05, 4), agent.Ask},
		{"below flag", answers(.5999, .05, .05, .05, 4), agent.Allow},
		{"deny is inclusive, plan", answers(.90, .05, .05, .05, 4), agent.Deny},
		{"deny is inclusive, scope", answers(.05, .90, .05, .05, 4), agent.Deny},
		{"deny is inclusive, previous", answers(.05, .05, .90, .05, 4), agent.Deny},
		{"deny is inclusive, flag", answers(.05, .05, .05, .90, 4), agent.Deny},
		{"below deny", answers(.8999, .05, .05, .05, 4), agent.Ask},
		{"low intent is inclusive", answers(.05, .05, .05, .05, 1.0), agent.Ask},
		{"intent above", answers(.05, .05, .05, .05, 1.01), agent.Allow},
		{"intent alone never denies", answers(.05, .05, .05, .05, 0), agent.Ask},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Decide(defaults, Case{Mode: Enforce, Verdict: c.v})
			if d.Would != c.want || d.Did != c.want {
				t.Errorf("would %v, did %v, want %v", d.Would, d.Did, c.want)
			}
			if (d.Reason == "") != (c.want == agent.Allow) {
				t.Errorf("reason %q beside %v", d.Reason, c.want)
			}
		})
	}
}

func TestDecideNamesAllSignalsInOrder(t *testing.T) {
	d := Decide(defaults, Case{Mode: Enforce, Verdict: answers(.7, .8, .1, .95, 0)})
	var rules []string
	for _, f := range d.Findings {
		rules = append(rules, f.Rule)
	}
	want := []string{"contradicts_plan", "out_of_scope", "should_flag", "low_intent"}
	if !slices.Equal(rules, want) {
		t.Fatalf("findings %v, want %v", rules, want)
	}
	for _, s := range append(want, "p=0.70", "p=0.80", "p=0.95", "stepgate", "deny_above = 0.9", "Do not repeat this call") {
		if !strings.Contains(d.Reason, s) {
			t.Errorf("reason lacks %q: %s", s, d.Reason)
		}
	}
}

// The judge's words are about its highest answer: they stand beside that one, and once.
func TestDecideExplainsTheHighestAnswer(t *testing.T) {
	v := answers(.7, .95, .1, .95, 4)
	v.Why = redact.Verbatim("throws data away")
	d := Decide(defaults, Case{Mode: Enforce, Verdict: v})
	if want := "reaches beyond what the plan covers (p=0.95): throws data away; should_flag: a person should look at it (p=0.95)."; !strings.Contains(d.Reason, want) {
		t.Errorf("reason lacks %q: %s", want, d.Reason)
	}
	if n := strings.Count(d.Reason, "throws data away"); n != 1 {
		t.Errorf("the judge's words are said %d times: %s", n, d.Reason)
	}
}

func TestDecideFractionalIntentThreshold(t *testing.T) {
	o := defaults
	o.LowIntent = 1.5
	if d := Decide(o, Case{Mode: Enforce, Verdict: answers(0, 0, 0, 0, 1.5)}); d.Would != agent.Ask {
		t.Errorf("intent 1.5 at threshold 1.5: %v, want ask", d.Would)
	}
}

func TestDecideAuditChangesNothing(t *testing.T) {
	hard := []Finding{{Rule: "fs.wipe-home", Class: Hard, Action: agent.Deny, Why: "x"}}
	d := Decide(defaults, Case{Mode: Audit, Findings: hard, Verdict: answers(.97, 0, 0, 0, 4)})
	if d.Would != agent.Deny || d.Did != agent.Allow || d.Reason != "" || d.Notice != "" {
		t.Errorf("audit: would %v, did %v, reason %q, notice %q", d.Would, d.Did, d.Reason, d.Notice)
	}
}

func TestDecideLocalAnswersAskAtMost(t *testing.T) {
	d := Decide(defaults, Case{Mode: Enforce, Local: true, Verdict: answers(.99, .99, .99, .99, 0)})
	if d.Would != agent.Ask {
		t.Errorf("local judge alone: %v, want ask", d.Would)
	}
}

func TestDecideFailure(t *testing.T) {
	deny := defaults
	deny.OnError = agent.Deny
	for _, c := range []struct {
		name string
		o    Options
		c    Case
		want agent.Action
	}{
		{"on_error allow", defaults, Case{Mode: Enforce, Failure: "no key", Local: true, Verdict: answers(0, 0, 0, 0, 4)}, agent.Allow},
		{"on_error allow, local answers stand", defaults, Case{Mode: Enforce, Failure: "no key", Local: true, Verdict: answers(.7, 0, 0, 0, 4)}, agent.Ask},
		{"on_error deny", deny, Case{Mode: Enforce, Failure: "no key"}, agent.Deny},
		{"on_error deny in audit", deny, Case{Mode: Audit, Failure: "no key"}, agent.Allow},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Decide(c.o, c.c)
			if d.Did != c.want {
				t.Errorf("did %v, want %v", d.Did, c.want)
			}
			if d.Did == agent.Deny && (!strings.Contains(d.Reason, "on_error = deny") || !strings.Contains(d.Reason, "no key")) {
				t.Errorf("reason %q does not name on_error and the cause", d.Reason)
			}
		})
	}
}

// An ask takes the form that the agent, the session and the settings leave it.
func TestDecideAskByAbility(t *testing.T) {
	deny := defaults
	deny.OnNoAnswer = agent.Deny
	unattended := defaults
	unattended.NoPromptDenies = false
	headless := agent.Abilities{Ask: agent.AskNobody, Why: "non-interactive session"}
	waved := agent.Abilities{Ask: agent.AskWaved, Why: "bypassPermissions may let it run unasked"}
	codex := agent.Abilities{Ask: agent.AskUnsupported, Why: "this agent cannot ask"}
	rule := []Finding{{Rule: "git.push-force", Class: State, Action: agent.Ask, Why: "drops 2 commits"}}
	signal := answers(.7, 0, 0, 0, 4)
	for _, c := range []struct {
		name    string
		o       Options
		c       Case
		want    agent.Action
		outcome string
		says    []string
	}{
		{"a person", defaults, Case{Verdict: signal}, agent.Ask, "", []string{"flag_above = 0.6"}},
		{"headless, allow", defaults, Case{Verdict: signal, Agent: headless}, agent.Allow, "non-interactive", nil},
		{"headless, deny", deny, Case{Verdict: signal, Agent: headless}, agent.Deny, "non-interactive", []string{"on_no_answer = deny", "non-interactive"}},
		{"waved, allow", defaults, Case{Verdict: signal, Agent: waved}, agent.Ask, "", nil},
		{"waved, deny", deny, Case{Verdict: signal, Agent: waved}, agent.Deny, "not askable", []string{"on_no_answer = deny"}},
		{"no ask, approve", defaults, Case{Verdict: signal, Agent: codex, Request: "1a2b3c4d"}, agent.Deny, "not askable", []string{"stepgate approve 1a2b3c4d", "repeat exactly"}},
		{"no ask, no code", defaults, Case{Verdict: signal, Agent: codex}, agent.Deny, "not askable", []string{"cannot be approved", "stepgate doctor", "Do not repeat"}},
		{"no ask, no_answer", unattended, Case{Verdict: signal, Agent: codex}, agent.Allow, "not askable", nil},
		{"limit, judge", deny, Case{Verdict: signal, Asked: 50}, agent.Deny, "budget", []string{"on_no_answer = deny", "50 asks"}},
		{"under the limit", deny, Case{Verdict: signal, Asked: 49}, agent.Ask, "", nil},
		{"limit, rule goes on", deny, Case{Findings: rule, Asked: 50}, agent.Ask, "", nil},
		{"limit, rule and judge", deny, Case{Findings: rule, Verdict: signal, Asked: 50}, agent.Ask, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.c.Mode = Enforce
			d := Decide(c.o, c.c)
			if d.Would != agent.Ask || d.Did != c.want || d.Outcome != c.outcome {
				t.Fatalf("would %v, did %v (%q), want ask, %v (%q)", d.Would, d.Did, d.Outcome, c.want, c.outcome)
			}
			for _, s := range c.says {
				if !strings.Contains(d.Reason, s) {
					t.Errorf("reason lacks %q: %s", s, d.Reason)
				}
			}
			if d.Did == agent.Deny && d.Setting == "on_no_answer" && strings.Contains(d.Reason, "_above") {
				t.Errorf("reason names a threshold although on_no_answer decided: %s", d.Reason)
			}
			if ran := d.Did == agent.Allow; ran != (d.Notice != "") {
				t.Errorf("notice %q beside %v", d.Notice, d.Did)
			}
		})
	}
}

func TestDecideRisk(t *testing.T) {
	p := func(s Severity) Finding { return Finding{Rule: "p", Class: Policy, Severity: s, Why: "x"} }
	for _, c := range []struct {
		name string
		fs   []Finding
		risk float64
		want agent.Action
	}{
		{"two high and a critical", []Finding{p(High), p(High), p(Critical)}, 29, agent.Deny},
		{"one critical", []Finding{p(Critical)}, 15, agent.Deny},
		{"at tau", []Finding{p(High), p(Medium)}, 10, agent.Allow},
		{"over tau", []Finding{p(High), p(Medium), p(Low)}, 11, agent.Deny},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Decide(defaults, Case{Mode: Enforce, Findings: c.fs})
			if d.Risk != c.risk || d.Would != c.want {
				t.Errorf("risk %g, would %v; want %g, %v", d.Risk, d.Would, c.risk, c.want)
			}
		})
	}
}

func TestDecideHardBeatsAll(t *testing.T) {
	hard := []Finding{{Rule: "fs.wipe-home", Class: Hard, Action: agent.Deny, Why: "wipes the home folder"}}
	d := Decide(defaults, Case{Mode: Enforce, Findings: hard, Verdict: answers(0, 0, 0, 0, 4)})
	if d.Did != agent.Deny || d.Setting != "fs.wipe-home" {
		t.Errorf("did %v by %q, want deny by fs.wipe-home", d.Did, d.Setting)
	}
}

// What weighs too much together is denied, and the reason names each policy, the sum and a safer way.
func TestDecideRiskNamesThePolicies(t *testing.T) {
	fs := []Finding{
		{Rule: "policy_a", Class: Policy, Severity: High, Why: "breaks a", Instead: "use a venv"},
		{Rule: "policy_b", Class: Policy, Severity: Medium, Why: "breaks b"},
		{Rule: "policy_c", Class: Policy, Severity: Critical, Why: "breaks c", Lifted: "policy allow"},
	}
	light := Decide(defaults, Case{Mode: Enforce, Findings: fs})
	if light.Risk != 10 || light.Would != agent.Allow || light.Reason != "" {
		t.Errorf("risk %g, would %v, reason %q; want 10, allow, silence", light.Risk, light.Would, light.Reason)
	}
	degraded := Decide(defaults, Case{Mode: Enforce, Findings: fs, Degraded: true})
	if degraded.Would != agent.Deny || degraded.Tau != 5 {
		t.Fatalf("degraded: would %v at tau %g, want deny at 5", degraded.Would, degraded.Tau)
	}
	for _, s := range []string{"policy_a: breaks a", "policy_b: breaks b", "Instead: use a venv", "tau = 5, against a risk of 10", "Do not repeat"} {
		if !strings.Contains(degraded.Reason, s) {
			t.Errorf("reason lacks %q: %s", s, degraded.Reason)
		}
	}
	if strings.Contains(degraded.Reason, "breaks c") {
		t.Errorf("reason names what a person lifted: %s", degraded.Reason)
	}
	if fs[0].Action != agent.Allow {
		t.Error("the caller's findings were changed")
	}
}

// The seed's run of a budget of two: ask, ask, deny; a blocked call costs nothing.
func TestDecideRiskBudget(t *testing.T) {
	o := defaults
	o.RiskBudget = 2
	warning := []Finding{{Rule: "fs.delete-outside", Class: State, Action: agent.Ask, Why: "x"}}
	blocked := []Finding{{Rule: "fs.wipe-home", Class: Hard, Action: agent.Deny, Why: "x"}}
	for _, c := range []struct {
		name  string
		fs    []Finding
		spent int
		want  agent.Action
		by    string
	}{
		{"the first warning", warning, 0, agent.Ask, "fs.delete-outside"},
		{"the second warning", warning, 1, agent.Ask, "fs.delete-outside"},
		{"the third warning", warning, 2, agent.Deny, "risk_budget = 2"},
		{"a blocked call", blocked, 2, agent.Deny, "fs.wipe-home"},
		{"a safe call", nil, 2, agent.Allow, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Decide(o, Case{Mode: Enforce, Findings: c.fs, Spent: c.spent})
			if d.Would != c.want || d.Setting != c.by {
				t.Errorf("would %v by %q, want %v by %q", d.Would, d.Setting, c.want, c.by)
			}
		})
	}
	if d := Decide(defaults, Case{Mode: Enforce, Findings: warning, Spent: 99}); d.Would != agent.Ask {
		t.Errorf("no budget: would %v, want ask", d.Would)
	}
}

// More weight never makes a gate more lenient, and the neutral one changes nothing.
func TestWeightedIsMonotone(t *testing.T) {
	last := Options{DenyAbove: 2, FlagAbove: 2}
	for w := 0.0; w <= 1; w += .05 {
		o := defaults.Weighted(w)
		if o.DenyAbove > last.DenyAbove || o.FlagAbove > last.FlagAbove || o.DenyAbove < 0 || o.DenyAbove > 1 || o.FlagAbove < 0 {
			t.Errorf("weight %.2f: deny %g, flag %g after %g, %g", w, o.DenyAbove, o.FlagAbove, last.DenyAbove, last.FlagAbove)
		}
		last = o
	}
	for w, want := range map[float64]Options{0: {DenyAbove: 1, FlagAbove: .95}, .7: {DenyAbove: .9, FlagAbove: .6}, .8: {DenyAbove: .85, FlagAbove: .55}, 1: {DenyAbove: .75, FlagAbove: .45}} {
		if o := defaults.Weighted(w); o.DenyAbove != want.DenyAbove || o.FlagAbove != want.FlagAbove {
			t.Errorf("weight %g: deny %g, flag %g; want %g, %g", w, o.DenyAbove, o.FlagAbove, want.DenyAbove, want.FlagAbove)
		}
	}
	d := Decide(defaults.Weighted(.8), Case{Mode: Enforce, Verdict: answers(.56, 0, 0, 0, 4)})
	if d.Would != agent.Ask || !strings.Contains(d.Reason, "flag_above = 0.55 (moved by safety_weight = 0.8)") {
		t.Errorf("would %v, reason %q", d.Would, d.Reason)
	}
}

// A doubt of the built-in judge is asked about and marked; what anybody else says is no doubt of its.
func TestDecideMarksADoubt(t *testing.T) {
	rule := []Finding{{Rule: "x", Class: State, Action: agent.Ask, Why: "x"}}
	for _, c := range []struct {
		name string
		c    Case
		want bool
	}{
		{"just over", Case{Local: true, Verdict: answers(.64, 0, 0, 0, 4)}, true},
		{"well over", Case{Local: true, Verdict: answers(.8, 0, 0, 0, 4)}, false},
		{"under", Case{Local: true, Verdict: answers(.5, 0, 0, 0, 4)}, false},
		{"a remote judge", Case{Verdict: answers(.64, 0, 0, 0, 4)}, false},
		{"a rule asks too", Case{Local: true, Verdict: answers(.64, 0, 0, 0, 4), Findings: rule}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.c.Mode = Enforce
			d := Decide(defaults, c.c)
			if d.Doubtful != c.want || c.want && !strings.Contains(d.Reason, "only just") {
				t.Errorf("doubtful %v, want %v; reason %q", d.Doubtful, c.want, d.Reason)
			}
		})
	}
}
