package local

import (
	"slices"
	"strings"

	"github.com/stepgate/stepgate/redact"
)

// TestsFirst says that a person's prompts, oldest first, want the tests run before anything is committed or pushed: "run
// the tests before you commit", "push only once the tests pass". A later prompt that does without them counts.
func TestsFirst(prompts []redact.Text) bool {
	wanted := false
	for _, t := range prompts {
		ts := tokens(t.String())
		for start := 0; start < len(ts); {
			stop := start + 1
			for stop < len(ts) && !ts[stop-1].stop {
				stop++
			}
			switch s := glossed(ts[start:stop]); {
			case waived(s):
				wanted = false
			case testsFirst(s):
				wanted = true
			}
			start = stop
		}
	}
	return wanted
}

// testsFirst reads one sentence.
func testsFirst(s []token) bool {
	test := slices.IndexFunc(s, func(t token) bool { return proof(t.word) })
	keep := slices.IndexFunc(s, func(t token) bool { return keeps(t.word) })
	if test < 0 || keep < 0 {
		return false
	}
	between := s[min(test, keep):max(test, keep)]
	if test < keep {
		return has(between, "before") || has(between, "prior")
	}
	only := has(s, "only") || negation(s) >= 0
	return only && slices.ContainsFunc(between, func(t token) bool {
		switch t.word {
		case "before", "until", "unless", "without", "once", "when", "after", "if":
			return true
		}
		return false
	})
}

// waived: a sentence that does without the tests.
func waived(s []token) bool {
	return has(s, "skip") && slices.ContainsFunc(s, func(t token) bool { return proof(t.word) }) ||
		negation(s) < 0 && (phrase(s, "without", "tests") >= 0 || phrase(s, "without", "testing") >= 0) || phrase(s, "commit", "anyway") >= 0 || phrase(s, "push", "anyway") >= 0
}

func proof(w string) bool {
	switch strings.TrimPrefix(w, "`") {
	case "test", "tests", "testsuite", "pytest", "jest", "vitest", "suite", "lint", "linter", "checks":
		return true
	}
	return false
}

func keeps(w string) bool {
	switch w {
	case "commit", "commits", "committing", "push", "pushing":
		return true
	}
	return false
}
