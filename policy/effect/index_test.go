package effect

import (
	"crypto/sha1"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// What is read of an index is what git prints of it, in every form that git writes.
func TestIndexIsWhatGitPrints(t *testing.T) {
	t.Parallel()
	const files = committed + ` && ln -s a.go src/link && mkdir -p deep/er && echo x > deep/er/x && printf y > 'deep/odd
name' && git add -A && git commit -qm two && echo late > late && git add -N late && echo z > zz && git add zz`
	for _, c := range []struct {
		name, more string
		reads      bool
	}{
		{"plain", "true", true},
		{"version 4", "git update-index --index-version 4", true},
		{"version 3", "git update-index --skip-worktree zz", true},
		{"with extensions", "git update-index --untracked-cache; git commit -qm three", true},
		{"in conflict", "git commit -qm three; git checkout -qb o HEAD~1; echo o > src/a.go; git commit -qam o; git checkout -q main; echo m > src/a.go; git commit -qam m; git merge -q o || true", true},
		{"no checksum", "git config index.skipHash true; git commit -qm three; git add -A; git commit -qm four", true},
		{"in parts", "git update-index --split-index", false},
		{"cut off", "head -c 200 .git/index > x && mv x .git/index", false},
		{"one byte changed", "printf X | dd of=.git/index bs=1 seek=100 conv=notrunc 2>/dev/null", false},
		{"another hash", "rm -rf .git; git init -q --object-format=sha256 && git add -A", false},
		{"none", "rm .git/index", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, files+" && { "+c.more+"; }")
			for _, under := range [...]string{l.root, filepath.Join(l.root, "deep"), filepath.Join(l.root, "zz")} {
				got, ok := readIndex(l.root, under)
				if ok != c.reads {
					t.Fatalf("read %v, want %v", ok, c.reads)
				}
				if !ok {
					continue
				}
				rel, err := filepath.Rel(l.root, under)
				if err != nil {
					t.Fatal(err)
				}
				out, err := (gitRepo{home: l.home, wait: time.Minute}).Git(l.root, "ls-files", "-s", "-z", "--debug", "--", rel)
				if err != nil {
					t.Fatal(err)
				}
				var want index
				if !want.parse(out) {
					t.Fatalf("%s: git's own answer is out of order: %q", rel, out)
				}
				if !slices.Equal(got.entries, want.entries) {
					t.Errorf("%s: got  %v\nwant %v", rel, got.entries, want.entries)
				}
			}
		})
	}
}

// What is staged is what git finds when it compares index and HEAD, also where only their trees were compared.
func TestStagedIsWhatGitFinds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, setup string
		knowsTree   bool
	}{
		{"nothing", committed, true},
		{"a change", committed + " && echo b >> src/a.go && git add .", false},
		{"a change whose tree is written", committed + " && echo b >> src/a.go && git add . && git write-tree", true},
		{"a commit that HEAD left", committed + " && echo b >> src/a.go && git commit -qam two && git reset -q --soft HEAD~1", true},
		{"a file to come", committed + " && echo n > late && git add -N late", false},
		{"taken back", committed + " && echo b >> src/a.go && git add . && git reset -q --hard", true},
		{"before the first commit", "echo a > a && git add .", false},
		{"on a branch without a commit", committed + " && git symbolic-ref HEAD refs/heads/none", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, c.setup)
			git := gitRepo{home: l.home, wait: time.Minute}
			x, ok := readIndex(l.root, l.root)
			if knows := x.tree != ""; !ok || knows != c.knowsTree {
				t.Fatalf("read %t, tree %q; want it known: %t", ok, x.tree, c.knowsTree)
			}
			want, wantErr := git.Git(l.root, "diff-index", "--cached", "--raw", "-z", "--no-renames", "HEAD", "--")
			got, err := (&looker{repo: git}).diffIndex(&state{root: l.root, index: x})
			if string(got) != string(want) || (err == nil) != (wantErr == nil) {
				t.Errorf("staged %q, %v; git finds %q, %v", got, err, want, wantErr)
			}
			if c.knowsTree {
				if tree, err := l.run("git write-tree"); err != nil || strings.TrimSpace(tree) != x.tree {
					t.Errorf("tree %q, git writes %q, %v", x.tree, tree, err)
				}
			}
		})
	}
}

// Git does not look whether an index is in order, and the look-up by name needs it.
func TestIndexOutOfOrder(t *testing.T) {
	t.Parallel()
	l := newLab(t, "echo 1 > a && echo 2 > b && git add .")
	p := filepath.Join(l.root, ".git", "index")
	b, err := os.ReadFile(p)
	if err != nil {
		t.Fatal(err)
	}
	const header, size = 12, 72 // of an entry with a short name
	first := string(b[header : header+size])
	copy(b[header:], b[header+size:header+2*size])
	copy(b[header+size:], first)
	sum := sha1.Sum(b[:len(b)-sha1.Size])
	copy(b[len(b)-sha1.Size:], sum[:])
	if err := os.WriteFile(p, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if x, ok := readIndex(l.root, l.root); ok {
		t.Errorf("read as %v", x.entries)
	}
	es := l.predict("git checkout -- a b").Effects
	if len(es) == 0 || es[0].Unknown == "" {
		t.Errorf("got %+v, want unsure", es)
	}
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x01"), "")
	f.Add([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x02"+string(make([]byte, 200))), "a")
	f.Fuzz(func(t *testing.T, b []byte, prefix string) {
		x, ok := indexEntries(string(b), prefix)
		if !ok {
			return
		}
		if len(x.entries) > len(b)/62 {
			t.Errorf("%d entries in %d bytes", len(x.entries), len(b))
		}
		for _, e := range x.entries {
			if got, found := x.find(e.name); !found || got != e {
				t.Errorf("%q is not found again", e.name)
			}
		}
	})
}
