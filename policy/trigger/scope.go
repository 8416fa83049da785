package trigger

import (
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/effect"
)

// Scope is the rule about writes outside the folders that the person named in the settings, PlanScope about those
// outside the only places that the person's prompts leave to be changed.
const (
	Scope     = "scope.write"
	PlanScope = "session.scope"
)

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

// beyond finds what a call changes outside the places that the prompts confine it to. What a prompt means is never
// certain, so it informs, as loud as the preset has it.
func (s *Seen) beyond(o *Options, c *Call) {
	if c.Confined == nil {
		return
	}
	var names []string
	for i := range c.Acts {
		a := &c.Acts[i]
		if class(a.Kind) != "change" && a.Kind != effect.Delete || !filepath.IsAbs(a.Target) || !governed(a) {
			continue
		}
		if names == nil {
			if names = c.Confined(); names == nil {
				return
			}
		}
		if c.named(names, a.Target) {
			continue
		}
		f := policy.Finding{Rule: PlanScope, Class: policy.State, Severity: policy.Low, Action: agent.Allow,
			Why:     "the person wants changes in " + policy.Quote(strings.Join(names, ", ")) + " alone, and this changes " + policy.Quote(a.Target),
			Instead: "leave it as it is, or ask the person whether it may be changed too"}
		if o.Voice == Asks {
			f.Action, f.Severity = agent.Ask, policy.Medium
		}
		s.Findings = append(s.Findings, f)
		return
	}
}

// governed says that a person who speaks of files to be changed may mean the act's: none in a temporary folder, on
// another machine, or of the agent's own.
func governed(a *effect.Act) bool {
	switch a.Place {
	case effect.InTemp, effect.Remote, effect.Device:
		return false
	}
	return !strings.Contains(filepath.ToSlash(a.Target), "/.claude/")
}

// named says that a path is what one of the names stands for, or lies below it. A name may be absolute, start at the
// root or in the folder of the call, or further down; one with a pattern in it stands for all below its first part.
func (c *Call) named(names []string, path string) bool {
	for _, n := range names {
		n = filepath.FromSlash(n)
		if i := strings.IndexAny(n, "*?[{"); i >= 0 {
			n = n[:i]
			if n = n[:strings.LastIndexByte(n, filepath.Separator)+1]; n == "" {
				return true
			}
		}
		switch n = filepath.Clean(n); {
		case filepath.IsAbs(n):
			if within([]string{n}, path) {
				return true
			}
		case within([]string{filepath.Join(c.Root, n), filepath.Join(c.CWD, n)}, path):
			return true
		default:
			part := string(filepath.Separator) + strings.TrimLeft(n, "~."+string(filepath.Separator)) + string(filepath.Separator)
			if strings.Contains(path+string(filepath.Separator), part) {
				return true
			}
		}
	}
	return false
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
