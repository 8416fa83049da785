package effect

import "testing"

// Where no hook stands, --no-verify skips nothing.
func TestHookless(t *testing.T) {
	t.Parallel()
	heeded(t, newLab(t, committed+` && for d in plain hook husky tool elsewhere; do git init -q $d; done && touch hook/.git/hooks/pre-commit && mkdir husky/.husky && printf '{"scripts":{"prepare":"husky"}}' > tool/package.json && git -C elsewhere config core.hooksPath ../hook && mkdir -p plain/sub`), []string{
		"cd hook && git commit --no-verify -m x", "git -C husky commit -n -m x", "cd tool && git commit -nm x", "cd elsewhere && git commit --no-verify -m x", "cd plain && git -c core.hooksPath=/dev/null commit --no-verify -m x",
		"cd /nowhere && git commit --no-verify -m x", "cd husky && HUSKY=0 git commit -m x", "cd husky && export HUSKY=0 && git commit -am x", "cd hook && LEFTHOOK=0 git merge topic", "cd husky && HUSKY=0 git push origin main",
	}, []string{"cd plain && HUSKY=0 git commit -m x", "cd husky && HUSKY=1 git commit -m x", "cd husky && HUSKY=0 npm ci", "cd husky && HUSKY=0 git status", "cd husky && echo HUSKY=0 && git commit -m x", "cd plain && git commit --no-verify -m x", "cd plain/sub && git commit -am x -n", "git -C plain merge --no-verify topic"})
}
