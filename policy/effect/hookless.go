package effect

import (
	"os"
	"path/filepath"
	"strings"
)

// hookless says that a repository has no hook which a commit would run, nor names one that an installation brings: there
// is nothing that --no-verify skips. What cannot be read has some.
func (r *reader) hookless(dir string) bool {
	root := repoRoot(r.w.base(dir))
	own := filepath.Join(root, ".git")
	if root == "" || !isDir(own) {
		return false // a worktree or a submodule keeps them elsewhere
	}
	for _, p := range [...]string{"/etc/gitconfig", filepath.Join(r.w.Home, ".gitconfig"), filepath.Join(r.w.Home, ".config/git/config"), filepath.Join(own, "config")} {
		if text := strings.ToLower(smallFile(p)); strings.Contains(text, "hookspath") || strings.Contains(text, "[include") || text == "" && !Absent(p) {
			return false
		}
	}
	hooks, err := os.ReadDir(filepath.Join(own, "hooks"))
	if err != nil && !os.IsNotExist(err) {
		return false
	}
	for _, h := range hooks {
		if !strings.HasSuffix(h.Name(), ".sample") {
			return false
		}
	}
	for _, n := range [...]string{".husky", ".pre-commit-config.yaml", "lefthook.yml", ".lefthook.yml", ".overcommit.yml", ".githooks"} {
		if !Absent(filepath.Join(root, n)) {
			return false
		}
	}
	text := smallFile(filepath.Join(root, "package.json"))
	for _, n := range [...]string{"husky", "git-hooks", "pre-commit", "lefthook", "yorkie"} {
		if strings.Contains(text, n) {
			return false
		}
	}
	return true
}
