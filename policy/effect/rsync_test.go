package effect

import "testing"

// What rsync --delete takes of a folder, and what it is told to leave.
func TestRsyncLeaves(t *testing.T) {
	t.Parallel()
	at := func(p string) string {
		return committed + " && mkdir -p pub && cd pub && install -D /dev/null " + p + " && echo only > " + p
	}
	tellApart(t, []sides{
		{"all", "rsync -a --delete src/ pub/", at("n.md"), committed},
		{"a folder is left", "rsync -a --delete --exclude=keep/ src/ pub/", at("n.md"), at("keep/n.md")},
		{"a folder at any depth", "rsync -a --delete --exclude keep src/ pub/", at("in/n.md"), at("in/keep/two/n.md")},
		{"a folder at the top alone", "rsync -a --delete --exclude=/keep src/ pub/", at("in/keep/n.md"), at("keep/n.md")},
		{"a folder's content", "rsync -a --delete --exclude='keep/**' src/ pub/", at("kept/n.md"), at("keep/in/n.md")},
		{"files of a name", "rsync -a --delete --exclude='*.md' src/ pub/", at("n.txt"), at("in/n.md")},
		{"a folder that is no file", "rsync -a --delete --exclude='keep/' src/ pub/", at("keep"), at("keep/n.md")},
		{"the first rule decides", "rsync -a --delete --include='*.txt' --exclude='*' src/ pub/", at("n.txt"), at("n.md")},
		{"a folder that is taken whole", "rsync -a --delete --include='in/***' --exclude='*' src/ pub/", at("in/n.md"), at("out/n.md")},
		{"what is left is deleted all the same", "rsync -a --delete-excluded --exclude=keep/ src/ pub/", at("keep/n.md"), committed},
		{"a filter", "rsync -a --delete --filter='- keep/' src/ pub/", at("n.md"), at("keep/n.md")},
		{"a filter that protects", "rsync -a --delete-excluded --filter='P keep/' src/ pub/", at("n.md"), at("keep/n.md")},
		{"what is protected", "rsync -a --del -f 'protect keep/' src/ pub/", at("n.md"), at("keep/n.md")},
		{"rules of a folder that are not read", "rsync -a --delete --filter=':- .rules' --exclude=keep src/ pub/", at("keep/n.md"), committed},
		{"rules of a file", "rsync -a --delete --exclude-from=left src/ pub/", at("n.md") + " && cd .. && echo keep/ > left", at("keep/n.md") + " && cd .. && printf '# own\n\nkeep/\n' > left"},
		{"a folder into another", "rsync -a --delete src pub/", at("src/n.md"), at("n.md")},
		{"a replaced file", "rsync -a --exclude=b.go src/ pub/", at("a.go"), at("b.go")},
		{"a replaced file that is left", "rsync -a --exclude=a.go src/ pub/", at("in/a.go") + " && install -D /dev/null ../src/in/b.go && echo b > ../src/in/b.go && echo only > in/b.go", at("a.go")},
	}, false)
}
