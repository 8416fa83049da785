package hook

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/rulebook"
	"github.com/stepgate/stepgate/verifier"
)

func inWords(id string, s policy.Severity) rulebook.Policy {
	return rulebook.Policy{ID: id, Description: "No file is made without a test beside it.", Severity: s, Alternative: "write the test first"}
}

// Without a person's own policies there are five questions and no more.
func TestNoPolicyNoQuestion(t *testing.T) {
	r := newRig(t)
	silent(t, r.bash("touch a"))
	if q := r.remote.seen; len(q.Policies) > 0 || q.Outlook {
		t.Errorf("asked %+v, outlook %v", q.Policies, q.Outlook)
	}
}

// Policies in words are asked in the same request, count through their weight, and stand in the record.
func TestPoliciesInWords(t *testing.T) {
	r := newRig(t)
	r.Book = rulebook.New(inWords("tests", policy.High), inWords("docs", policy.High))
	r.remote.Policies = map[string]float64{"tests": .61, "docs": .2}
	r.remote.Trajectory = map[string]float64{verifier.Neutral: 1}
	silent(t, r.bash("touch a"))
	if r.remote.calls != 1 || len(r.remote.seen.Policies) != 2 || !r.remote.seen.Outlook {
		t.Fatalf("%d requests, %d policies", r.remote.calls, len(r.remote.seen.Policies))
	}
	l := r.last()
	if *l.Risk != 7 || l.Thresholds.Tau != 10 || !strings.Contains(l.Findings.String(), `"policy_tests"`) || !strings.Contains(l.Answers.String(), `"docs":0.2`) {
		t.Errorf("risk %v, findings %s, answers %s", *l.Risk, l.Findings, l.Answers)
	}
	r.remote.Policies["docs"] = .6
	says(t, r.bash("touch b"), "deny", "policy_tests", "policy_docs", "write the test first", "tau = 10, against a risk of 14", "Do not repeat")

	r.remote.Policies["docs"] = .1
	r.remote.Trajectory = map[string]float64{verifier.Irreversible: .7, verifier.Neutral: .3}
	says(t, r.bash("touch c"), "deny", "policy_tests", "no way back", "risk of 15")
}

// What is certain needs no judge; a read-only call asks none.
func TestPolicyBeforeTheJudge(t *testing.T) {
	r := newRig(t)
	r.Book = rulebook.New(inWords("tests", policy.High))
	says(t, r.bash("sudo pip install requests"), "deny", "policy_system-packages", "venv")
	silent(t, r.bash("ls"))
	if r.remote.calls != 0 {
		t.Errorf("the judge was asked %d times", r.remote.calls)
	}
}

// More policies than one request holds: the gravest are asked, and the person is told at the start.
func TestManyPolicies(t *testing.T) {
	r := newRig(t)
	var own []rulebook.Policy
	for i := range 199 {
		own = append(own, inWords(fmt.Sprint("p", i), policy.Low))
	}
	r.Book = rulebook.New(append(own, inWords("grave", policy.Critical))...)
	r.remote.Policies = map[string]float64{"grave": .95}
	says(t, r.bash("touch a"), "deny", "policy_grave")
	if n := len(r.remote.seen.Policies); n == 200 || n < 20 || r.remote.seen.Policies[0].ID != "grave" {
		t.Errorf("%d asked, first %s", n, r.remote.seen.Policies[0].ID)
	}
	if notes := r.policyNotes(r.Masker(r.Store.Find("x", r.proj), session.Memory{})); len(notes) != 1 || !strings.Contains(notes[0], "have no room") {
		t.Errorf("notes %q", notes)
	}
	r.Remote = nil
	if notes := r.policyNotes(r.Masker(r.Store.Find("x", r.proj), session.Memory{})); len(notes) != 1 || !strings.Contains(notes[0], "200 policies are in words alone") {
		t.Errorf("notes %q", notes)
	}
}

// A set that cannot be read: decided by on_error, marked, said once, and half of tau holds.
func TestPolicyFault(t *testing.T) {
	r := newRig(t)
	r.PolicyFault = "policy file p.toml:3: id is not text"
	told := r.bash("touch a")
	if !strings.Contains(told, "p.toml:3") || strings.Contains(told, "deny") {
		t.Errorf("told %s", told)
	}
	l := r.last()
	if !l.Degraded || !strings.Contains(l.Failure.String(), "p.toml:3") || l.Thresholds.Tau != 5 {
		t.Errorf("degraded %v, failure %q, tau %g", l.Degraded, l.Failure, l.Thresholds.Tau)
	}
	silent(t, r.bash("touch b"))
	r.Policy.OnError = 2 // deny
	says(t, r.bash("touch c"), "deny", "p.toml:3", "on_error = deny")
	if n := r.totals().Failing; n != 0 {
		t.Errorf("%d failures of the judge", n)
	}
}

func TestAllowedIsLifted(t *testing.T) {
	r := newRig(t)
	r.Book = rulebook.New()
	r.Allowed = func() ([]rulebook.Allowed, error) {
		return []rulebook.Allowed{{Rule: "policy_foreign-code-as-root", Root: r.proj}, {Rule: "policy_unneeded-root", Root: r.proj}}, nil
	}
	silent(t, r.bash("sudo pip install requests")) // 7 of 29 are left
	if l := r.last(); *l.Risk != 7 || !strings.Contains(l.Findings.String(), "a person allowed it") {
		t.Errorf("risk %v, findings %s", *l.Risk, l.Findings)
	}
	r.Allowed = func() ([]rulebook.Allowed, error) { return nil, errors.New("torn") }
	says(t, r.bash("sudo pip install flask"), "deny")
	if len(r.complaints) == 0 {
		t.Error("a list that cannot be read is not complained of")
	}
}

// A shadow sees the same case and changes nothing.
func TestShadow(t *testing.T) {
	r := newRig(t)
	o := r.Policy
	o.FlagAbove, o.DenyAbove = .3, .5
	r.Shadow = &Shadow{Policy: o, Book: rulebook.New(inWords("tests", policy.Critical)), Config: "abc"}
	r.remote.ShouldFlag = .55
	r.remote.Policies = map[string]float64{"tests": .1}
	silent(t, r.bash("touch a"))
	l := r.last()
	if l.Would != "allow" || l.Shadow == nil || l.Shadow.Would != "deny" || l.Shadow.By != "deny_above = 0.5" || l.Shadow.Config != "abc" {
		t.Errorf("would %s, shadow %+v", l.Would, l.Shadow)
	}
	if len(r.remote.seen.Policies) != 1 || r.remote.calls != 1 {
		t.Errorf("%d policies in %d requests", len(r.remote.seen.Policies), r.remote.calls)
	}
	r.remote.Policies["tests"] = .9
	silent(t, r.bash("touch b"))
	if l := r.last(); l.Shadow.Risk != 15 || *l.Risk != 0 {
		t.Errorf("risk %v, shadow's %v", *l.Risk, l.Shadow.Risk)
	}
}

func TestHistoryWindow(t *testing.T) {
	r := newRig(t)
	r.HistoryWindow = 5
	for i := range 9 {
		r.bash(fmt.Sprint("touch f", i))
	}
	if n := len(r.remote.seen.History); n != 5 {
		t.Errorf("%d earlier calls are shown, want 5", n)
	}
}

// A doubt of the built-in judge is asked about and marked for review.
func TestDoubtIsMarked(t *testing.T) {
	r := newRig(t)
	r.Remote = nil
	r.local.ShouldFlag = .64
	says(t, r.bash("touch a"), "ask", "only just")
	if !r.last().Doubtful {
		t.Error("the line is not marked")
	}
}

// What was found before a panic weighs as it does wherever something could not be read.
func TestPolicyWeighsDoubleAfterAPanic(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Remote = nil
	r.Policy.Tau = 10
	r.Book = rulebook.New(rulebook.Policy{ID: "no-folders", Description: "No folder is called one.", Severity: policy.High, When: &rulebook.When{Words: []string{"one"}}})
	silent(t, r.bash("mkdir one"))
	r.Local = panicky{}
	says(t, r.bash("mkdir ./one"), "deny", "no-folders")
}
