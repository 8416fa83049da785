package effect

import (
	"path/filepath"
	"reflect"
	"testing"
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
				out, err := (gitRepo{home: l.home}).Git(l.root, "ls-files", "-s", "-z", "--debug", "--", rel)
				if err != nil {
					t.Fatal(err)
				}
				want := &state{files: map[string]tracked{}}
				want.parse(out)
				for n, e := range want.files {
					if e.mode == "100755" {
						e.mode = "100644" // the difference is never asked for
					}
					want.files[n] = e
				}
				if !reflect.DeepEqual(got, want.files) {
					t.Errorf("%s: got  %v\nwant %v", rel, got, want.files)
				}
			}
		})
	}
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x01"), "")
	f.Add([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x02"+string(make([]byte, 200))), "a")
	f.Fuzz(func(t *testing.T, b []byte, prefix string) {
		if len(b) < 12 {
			return
		}
		files, ok := indexEntries(b, prefix)
		if ok && len(files) > len(b)/62 {
			t.Errorf("%d entries in %d bytes", len(files), len(b))
		}
	})
}
