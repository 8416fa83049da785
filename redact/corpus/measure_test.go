package corpus

import (
	"strings"
	"testing"

	"github.com/stepgate/stepgate/redact"
)

func TestLeaks(t *testing.T) {
	const secret = "q7ZkT0vYb3NfXw9LsRc2HdGm5uJe8PaB" // 32 bytes: a third is eleven
	for _, tc := range []struct {
		name, secret, out string
		want              bool
	}{
		{"gone", secret, "x [redacted:token#1]", false},
		{"whole", secret, "x " + secret, true},
		{"a quarter", secret, secret[:8], false},
		{"a third", secret, secret[:11], true},
		{"a third in two places", secret, secret[:8] + " " + secret[20:28], true},
		{"short, half", "hunter2", "hunt", false},
		{"short, whole", "hunter2", "a hunter2 b", true},
		{"escaped", `abcd"efgh"ijkl`, `abcd\"efgh\"ijkl`, true},
		{"only the frame of a key", "-----BEGIN X-----\n" + secret + "\n-----END X-----", "-----BEGIN X-----", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Leaks(tc.secret, tc.out); got != tc.want {
				t.Errorf("Leaks(%q, %q) = %t", tc.secret, tc.out, got)
			}
		})
	}
}

func TestMeasure(t *testing.T) {
	var told []string
	f := Measure([]Row{
		{Source: Agent, Shape: "env", Group: "positives", Field: "command", Text: "deploy TOKEN=q1w2e3r4t5 && make", Secrets: []string{"q1w2e3r4t5"}},
		{Source: Agent, Shape: "word", Group: "positives", Field: "command", Text: "the word sesame", Secrets: []string{"sesame"}},
		{Source: "own", Shape: "ls", Kind: "names", Group: "own negatives", Field: "command", Text: "ls -la"},
		{Source: "own", Shape: "pw", Kind: "names", Group: "own negatives", Field: "*", Text: `{"password":"x1y2z3"}`},
	}, redact.Options{}, func(r Row, what, _ string) { told = append(told, what+" "+r.Shape) })
	if f.Hidden[Agent] != (Count{1, 2}) || f.Kept["own negatives"] != (Count{1, 2}) || f.Kinds["own negatives: names"] != (Count{1, 2}) || f.Words != 4 || f.Lost != 0 {
		t.Errorf("%+v", f)
	}
	if got := strings.Join(told, ", "); got != "leaks word, changed pw" {
		t.Errorf("told %q", got)
	}
}
