package local

import (
	"testing"

	"github.com/stepgate/stepgate/redact"
)

func TestTestsFirst(t *testing.T) {
	for _, tt := range []struct {
		name    string
		prompts []string
		want    bool
	}{
		{"before you commit", []string{"Rewrite the module. Run the tests before you commit."}, true},
		{"before each commit", []string{"Fix it; pytest must be green before each commit."}, true},
		{"before pushing", []string{"Make sure all tests pass before pushing."}, true},
		{"only once they pass", []string{"Commit only once the tests pass."}, true},
		{"not until they pass", []string{"Don't push until the linter is happy."}, true},
		{"a later prompt", []string{"Fix it.", "And run the checks prior to committing."}, true},
		{"no word of it", []string{"Fix the tests and commit."}, false},
		{"the other order", []string{"Commit, then run the tests."}, false},
		{"in two sentences", []string{"The tests take long. Before you commit, format it."}, false},
		{"waived later", []string{"Run the tests before you commit.", "Skip the tests, they are slow."}, false},
		{"committed anyway", []string{"Run the tests before you commit.", "They fail for another reason, commit anyway."}, false},
		{"nothing", nil, false},
	} {
		var prompts []redact.Text
		for _, p := range tt.prompts {
			prompts = append(prompts, text(p))
		}
		if got := TestsFirst(prompts); got != tt.want {
			t.Errorf("%s: got %v", tt.name, got)
		}
	}
}
