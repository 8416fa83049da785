package trigger

import (
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/effect"
)

// Scope is the rule about writes outside the folders that the person named.
const Scope = "scope.write"

// outside finds what a call changes outside the folders that may be written to. It is hard: the person drew the line.
func outside(allowed []string, c *Call) []policy.Finding {
	if len(allowed) == 0 {
		return nil
	}
	for _, a := range c.Acts {
		if class(a.Kind) != "change" && a.Kind != effect.Delete || a.Place == effect.Remote || a.Place == effect.Device || within(allowed, a.Target) {
			continue
		}
		what := policy.Quote(a.Target)
		if a.Target == "" {
			what = "a place that cannot be known beforehand"
		}
		return []policy.Finding{{Rule: Scope, Class: policy.Hard, Severity: policy.High, Action: agent.Ask,
			Why: "it writes to " + what + ", outside allow_write", Instead: "write below " + policy.Quote(strings.Join(allowed, ", "))}}
	}
	return nil
}

// within says that a path, links already resolved, is one of the folders or below it.
func within(folders []string, path string) bool {
	if !filepath.IsAbs(path) {
		return false
	}
	for _, f := range folders {
		for _, dir := range [...]string{f, real(f)} {
			if rel, err := filepath.Rel(dir, path); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
				return true
			}
		}
	}
	return false
}

// real is a folder with its links resolved, or as it is where it is not there yet.
func real(dir string) string {
	if p, err := filepath.EvalSymlinks(dir); err == nil {
		return p
	}
	return dir
}
