package effect

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// hooksOff are variables by which the programs that bring hooks let a commit by.
const hooksOff = "HUSKY=0 HUSKY_SKIP_HOOKS=1 HUSKY_SKIP_HOOKS=true LEFTHOOK=0 LEFTHOOK=false OVERCOMMIT_DISABLE=1 SKIP_SIMPLE_GIT_HOOKS=1 SKIP_YORKIE=1"

// switchesOff: such a variable stands before the command, or was exported earlier in the line.
func (r *reader) switchesOff(c *shell.Command) bool {
	off := func(ws []shell.Word) bool {
		for _, w := range ws {
			if in(w.Text, hooksOff) {
				return true
			}
		}
		return false
	}
	for i := 0; i < r.at && i < len(r.cmds); i++ {
		if r.cmds[i].Name == "export" && off(r.cmds[i].Args) {
			return true
		}
	}
	return off(c.Env)
}

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
