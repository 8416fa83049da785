package effect

import (
	"path/filepath"
	"strings"
)

// always are names of folders that a package manager, compiler or test runner makes anew, whoever keeps them where.
const always = "node_modules __pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .nox .venv venv .next .nuxt .svelte-kit .turbo .parcel-cache .gradle .terraform .cache .eggs .ipynb_checkpoints .nyc_output .angular .dart_tool .stack-work .bundle bower_components .pnpm-store htmlcov .hypothesis DerivedData .output"

// built are names that are build output in most projects and something else in a few: they count only where the
// repository ignores them.
const built = "build dist out target bin obj lib coverage tmp temp logs log cache _build public site docs-build output generated gen artifacts release debug Debug Release vendor Pods deps .expo test-results playwright-report storybook-static reports"

// regenerable says that a file, written from its repository's root, can be made anew. ignored tells that the repository
// does not keep it on purpose.
func regenerable(p string, ignored bool) bool {
	base := filepath.Base(p)
	if p == ".git" || strings.HasPrefix(p, ".git/") {
		return false
	}
	if strings.HasPrefix(base, ".env") || isState(base) {
		return false
	}
	for d := p; ; {
		name := filepath.Base(d)
		if in(name, always) || strings.HasSuffix(name, ".egg-info") {
			return true
		}
		if ignored && d != p && in(name, built) {
			return true
		}
		up := filepath.Dir(d)
		if up == d {
			break
		}
		d = up
	}
	if hasSuffix(base, ".pyc", ".pyo", ".o", ".class", ".tsbuildinfo", ".swp") || in(base, ".DS_Store Thumbs.db .eslintcache") {
		return true
	}
	return ignored && hasSuffix(base, ".log", ".tmp", ".a", ".so", ".dylib", ".exe", ".out", ".cover", ".prof", ".map", ".pid", ".cache", ".coverage", ".bak~", "~", ".test")
}

// isState: files that a program keeps its data in, which no build brings back.
func isState(base string) bool {
	return hasSuffix(base, ".sqlite", ".sqlite3", ".db", ".tfstate", ".mdb", ".rdb", ".pem", ".key", ".p12", ".keystore")
}

func hasSuffix(s string, ends ...string) bool {
	for _, e := range ends {
		if strings.HasSuffix(s, e) {
			return true
		}
	}
	return false
}
