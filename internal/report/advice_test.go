package report

import (
	"strings"
	"testing"

	"github.com/stepgate/stepgate/hook/session"
)

// TestAdviceIsSafeToType: a rule that people allow in one place is allowed there, by words that a shell takes as they are
// meant; what a record holds that cannot be typed is not advised.
func TestAdviceIsSafeToType(t *testing.T) {
	for _, c := range []struct{ name, rule, folder, want string }{
		{"plain", "fs.delete", "/home/ann/out", "stepgate policy allow fs.delete /home/ann/out"},
		{"a space", "fs.delete", "/home/ann/my out", "stepgate policy allow fs.delete '/home/ann/my out'"},
		{"a command", "fs.delete", "/home/ann/$(touch x)", "stepgate policy allow fs.delete '/home/ann/$(touch x)'"},
		{"quotes", "fs.delete", "/home/ann/it's", `stepgate policy allow fs.delete '/home/ann/it'\''s'`},
		{"control characters", "fs.delete", `/home/ann/\u001b[2J`, ""},
		{"text that runs backwards", "fs.delete", `/home/ann/\u202eout`, ""},
		{"a rule that is none", "x;id", "/home/ann/out", ""},
		{"a rule like a flag", "--all", "/home/ann/out", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := record{t: t}
			for range fewAnswers {
				r.line(`"kind":"call","call_id":"c","tool":"Bash","would":"ask","did":"ask","acts":[{"kind":"delete","target":"%s/a"}],"findings":[{"rule":%q,"class":"state","action":"ask"}]`, c.folder, c.rule)
				r.line(`"kind":"result","call_id":"c","outcome":%q`, session.OutcomeAllowed)
			}
			advice := strings.Join(r.read(Options{}).Advice, "\n")
			if c.want == "" && strings.Contains(advice, "policy allow") || !strings.HasSuffix(advice, c.want) {
				t.Errorf("advice %q, want %q", advice, c.want)
			}
		})
	}
}
