package local

import (
	"path"
	"slices"
	"strings"
)

// dirs are the folders a relative name may start from.
func dirs(cwd, root string) []string {
	var out []string
	for _, d := range []string{cwd, root} {
		if d = clean(d); strings.HasPrefix(d, "/") && !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	return out
}

// clean brings a path to one spelling: slashes forward, no dots inside, no slash at the end, no glob for "all of it".
func clean(p string) string {
	if p == "" {
		return ""
	}
	if strings.IndexByte(p, '\\') >= 0 {
		p = strings.ReplaceAll(p, `\`, "/")
	}
	for strings.HasSuffix(p, "/*") || strings.HasSuffix(p, "/**") {
		p = strings.TrimRight(p[:strings.LastIndexByte(p, '/')], "/")
	}
	return path.Clean(p)
}

// relation is how a call's target lies to a path that a person named.
type relation uint8

const (
	apart  relation = iota
	same            // the very thing
	inside          // the target lies in what was named
	around          // the target holds what was named
)

// relate compares an absolute target with a name, which may be absolute, relative or cut short at the front.
func (s *scene) relate(target, name string) relation {
	target, name = clean(target), clean(name)
	if target == "" || name == "" || name == "." || name == ".." {
		return apart
	}
	if drive(name) {
		return compare(strings.ToLower(target), strings.ToLower(name))
	}
	if strings.HasPrefix(name, "/") {
		return compare(target, name)
	}
	if home, ok := strings.CutPrefix(name, "~/"); ok {
		name = home
	} else {
		for _, d := range s.dirs {
			if r := compare(target, path.Join(d, name)); r != apart {
				return r
			}
		}
	}
	if strings.HasPrefix(name, "../") {
		return apart
	}
	// The name may start further down: "lib/a.go" for app/lib/a.go.
	if target == name || strings.HasSuffix(target, "/"+name) {
		return same
	}
	if strings.Contains(target, "/"+name+"/") || strings.HasPrefix(target, name+"/") {
		return inside
	}
	return apart
}

// drive tells a path that begins with the letter of a disk, C:\ or C:/.
func drive(p string) bool {
	return len(p) > 2 && p[1] == ':' && (p[2] == '/' || p[2] == '\\') && (p[0]|0x20) >= 'a' && (p[0]|0x20) <= 'z'
}

func compare(target, name string) relation {
	switch {
	case target == name:
		return same
	case under(target, name):
		return inside
	case under(name, target):
		return around
	}
	return apart
}

func under(p, dir string) bool {
	return dir == "/" || strings.HasPrefix(p, dir) && len(p) > len(dir) && p[len(dir)] == '/'
}

// among gives the closest relation of a target to any of several names.
func (s *scene) among(target string, names []string) (relation, string) {
	best, which := apart, ""
	for _, n := range names {
		switch r := s.relate(target, n); r {
		case same, inside:
			return r, n
		case around:
			best, which = r, n
		}
	}
	return best, which
}

// rebuilt tells a path that is made again by a build or an install: losing it costs time only.
// Only what lies below the project counts: a project in a folder named build is no build.
func (s *scene) rebuilt(p string) bool {
	p = clean(p)
	for _, d := range s.dirs {
		if under(p, d) {
			p = p[len(d):]
			break
		}
	}
	for part := range strings.SplitSeq(p, "/") {
		switch part {
		case "node_modules", "dist", "build", "target", "out", "bin", "obj", "coverage", "__pycache__", ".cache", ".next", ".nuxt",
			".venv", "venv", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".tox", ".turbo", ".parcel-cache", ".gradle", "tmp", "temp":
			return true
		}
	}
	switch path.Ext(p) {
	case ".log", ".pyc", ".o", ".tmp", ".bak", ".orig", ".swp", ".out":
		return true
	}
	return false
}

// lockFile tells a file that a package manager writes and nobody edits by hand.
func lockFile(p string) bool {
	switch path.Base(clean(p)) {
	case "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "Cargo.lock", "poetry.lock", "Pipfile.lock",
		"uv.lock", "pdm.lock", "composer.lock", "Gemfile.lock", "go.sum", "flake.lock", "mix.lock", "pubspec.lock", "Podfile.lock":
		return true
	}
	return false
}

// sourceFile tells a file of code.
func sourceFile(p string) bool {
	switch path.Ext(p) {
	case ".c", ".cc", ".clj", ".cpp", ".cs", ".css", ".cjs", ".dart", ".ex", ".exs", ".go", ".h", ".hpp", ".hs", ".java", ".jl", ".js", ".jsx", ".kt", ".lua", ".m", ".mjs",
		".php", ".pl", ".py", ".r", ".rb", ".rs", ".scala", ".scss", ".sh", ".sql", ".svelte", ".swift", ".ts", ".tsx", ".vue", ".zig":
		return true
	}
	return false
}

// testFile tells a test by the names that test tools look for.
func testFile(p string) bool {
	for part := range strings.SplitSeq(clean(p), "/") {
		switch part {
		case "test", "tests", "__tests__", "spec", "e2e":
			return true
		}
	}
	base := path.Base(p)
	return strings.HasPrefix(base, "test_") || strings.Contains(base, "_test.") || strings.Contains(base, ".test.") || strings.Contains(base, ".spec.")
}

// agentNotes tells the agent's own plan and memory files, which it keeps even when it may change nothing.
func agentNotes(p string) bool {
	p = clean(p)
	return strings.Contains(p, "/.claude/plans/") || strings.Contains(p, "/.claude/todos/") || strings.Contains(p, "/.claude/projects/")
}
