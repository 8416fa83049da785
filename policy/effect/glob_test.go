package effect

import "testing"

// What a pattern takes, and what it leaves.
func TestPatterns(t *testing.T) {
	t.Parallel()
	const dotted = committed + " && echo only > .notes"
	tellApart(t, []sides{
		{"a star", "rm -rf -- *", committed + " && echo only > n.md", dotted},
		{"a star in a folder", "rm -rf src/*", committed + " && echo only > src/n.md", committed + " && echo only > src/.notes"},
		{"a star of a shell that takes hidden names", "bash -c 'shopt -s dotglob; rm -rf src/*'", committed + " && echo only > src/.notes", committed},
		{"hidden names", "rm -rf src/.*", committed + " && echo only > src/.notes", committed + " && echo only > src/n.md"},
		{"hidden names but the folder's own", "rm -f src/.[!.]*", committed + " && echo only > src/.notes", committed + " && echo only > src/n.md"},
		{"folders alone", "rm -rf */", committed + " && echo only > src/n.md", committed + " && echo only > n.md"},
		{"a folder below any", "rm -rf */*", committed + " && echo only > src/n.md", committed + " && echo only > n.md"},
		{"the files below any", "rm -f */*/*", committed + " && mkdir src/in && echo only > src/in/n.md", committed + " && echo only > src/n.md"},
		{"but one letter", "rm -f src/[!n]*", committed + " && echo only > src/m.md", committed + " && echo only > src/n.md"},
		{"any folders", "rm -f src/**/*.md", committed + " && mkdir -p src/in/two && echo only > src/in/n.md", committed + " && echo only > src/n.txt"},
		{"all that is listed", "ls -A src | (cd src && xargs rm -rf)", committed + " && echo only > src/.notes", committed},
		{"found below a pattern", "find s*/ -name '*.md' -delete", committed + " && echo only > src/n.md", committed + " && echo only > src/n.txt"},
		{"copied by a star", "cp -r src/* docs/", committed + " && echo a > src/n.md && echo only > docs/n.md", committed + " && echo a > src/.notes && echo only > docs/.notes"},
	}, true)
}
