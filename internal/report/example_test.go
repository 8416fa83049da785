package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/redact"
)

// broke is the line of a call that broke a policy.
func broke(command string, s policy.Severity, lifted string) session.Line {
	mask := redact.New(redact.Options{})
	return session.Line{
		Kind: session.KindCall, Input: mask.JSON(fmt.Sprintf(`{"command":%q}`, command)),
		Findings: mask.JSON(policy.FindingsJSON([]policy.Finding{
			{Rule: "policy_mine", Class: policy.Policy, Severity: s, Lifted: lifted}, {Rule: "git.push-force", Severity: s},
		})),
	}
}

// distinct commands have next to nothing in common.
func distinct(n int) string { return strings.Repeat(string(rune('a'+n)), 12) }

func TestExamples(t *testing.T) {
	for _, tt := range []struct {
		severity policy.Severity
		most     int
	}{{policy.Critical, 10}, {policy.High, 10}, {policy.Medium, 7}, {policy.Low, 5}} {
		x := Examples{}
		for n := range tt.most + 1 {
			x.Add(broke(distinct(n), tt.severity, ""))
		}
		if got := x["mine"]; len(got) != tt.most || got[0] != distinct(1) || got[tt.most-1] != distinct(tt.most) {
			t.Errorf("%s: got %q, want the newest %d", tt.severity, got, tt.most)
		}
		if len(x) != 1 {
			t.Errorf("examples of what is no policy: %v", x)
		}
	}
}

func TestExamplesAreDistinct(t *testing.T) {
	tests := []struct {
		name     string
		commands []string
		want     []string
	}{
		{"the same", []string{"sudo pip install flask", "sudo pip install flask"}, []string{"sudo pip install flask"}},
		{"a near copy", []string{"sudo pip install flask==2.1", "sudo pip install flask==2.2"}, []string{"sudo pip install flask==2.1"}},
		{"another", []string{"sudo pip install flask", "kubectl apply -f prod.yaml"}, []string{"sudo pip install flask", "kubectl apply -f prod.yaml"}},
		{"one letter", []string{"a", "b"}, []string{"a", "b"}},
	}
	for _, tt := range tests {
		x := Examples{}
		for _, c := range tt.commands {
			x.Add(broke(c, policy.High, ""))
		}
		if !slices.Equal(x["mine"], tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, x["mine"], tt.want)
		}
	}
}

func TestNoExamples(t *testing.T) {
	x := Examples{}
	x.Add(session.Line{Kind: session.KindPrompt})
	x.Add(session.Line{Kind: session.KindCall})
	x.Add(broke("rm x", policy.High, "allowed here"))
	if len(x) != 0 {
		t.Errorf("got %v, want none", x)
	}
}
