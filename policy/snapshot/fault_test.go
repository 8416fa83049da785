package snapshot

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stepgate/stepgate/policy/effect"
)

// nothingLeft: a copy that failed leaves no file behind.
func (b *bench) nothingLeft() {
	b.Helper()
	names, err := readDir(filepath.Join(b.store.Dir, dirName, "p"))
	if err != nil || len(names) > 0 {
		b.Errorf("left behind: %q, %v", names, err)
	}
}

func TestLimits(t *testing.T) {
	for _, tc := range []struct {
		name   string
		setup  string
		line   string
		limits Limits
		fits   bool
	}{
		{"files at the limit", "mkdir out; for i in 1 2 3; do echo $i > out/$i; done", "rm -rf out", Limits{3, 1000, time.Minute}, true},
		{"one file too many", "mkdir out; for i in 1 2 3; do echo $i > out/$i; done", "rm -rf out", Limits{2, 1000, time.Minute}, false},
		{"bytes at the limit", "mkdir out; for i in 1 2 3; do echo $i > out/$i; done", "rm -rf out", Limits{10, 6, time.Minute}, true},
		{"one byte too many", "mkdir out; for i in 1 2 3; do echo $i > out/$i; done", "rm -rf out", Limits{10, 5, time.Minute}, false},
		{"no time", "mkdir out; echo 1 > out/1", "rm -rf out", Limits{10, 1000, 0}, false},
		{"commits too large", "echo 1 > a; git add a; git commit -qm 1; head -c 100000 /dev/urandom > b; git add b; git commit -qm 2", "git reset --hard HEAD~1", Limits{10, 50_000, time.Minute}, false},
		{"what exists elsewhere is left out", "mkdir out; for i in 1 2 3; do echo $i > out/$i; done; git add out; git commit -qm 1; echo new > out/4", "rm -rf out", Limits{2, 1000, time.Minute}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := newBench(t)
			b.sh(tc.setup)
			b.store.Limits = tc.limits
			before := b.state()
			snap, err := b.take(b.predict(b.bash(tc.line)))
			b.compare(before, b.state())
			switch {
			case tc.fits && err != nil:
				t.Fatal(err)
			case !tc.fits && err == nil:
				t.Errorf("a copy of %d files, %d bytes was taken", snap.Files, snap.Bytes)
			case !tc.fits:
				b.nothingLeft()
			}
			if tc.name == "what exists elsewhere is left out" && (snap.LeftOut != 2 || snap.Files != 2) {
				t.Errorf("%d files, %d left out, want 2 and 2", snap.Files, snap.LeftOut)
			}
		})
	}
}

func TestDiskFaults(t *testing.T) {
	setup := func(t *testing.T) (*bench, effect.Prediction) {
		b := newBench(t)
		b.sh("mkdir out; head -c 300000 /dev/zero > out/1; echo 2 > out/2")
		return b, b.predict(b.bash("rm -rf out"))
	}
	t.Run("full disk", func(t *testing.T) {
		b, p := setup(t)
		if err := os.MkdirAll(b.store.Dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs", b.store.Dir).CombinedOutput(); err != nil {
			t.Skipf("no small disk can be made here: %s", out)
		}
		t.Cleanup(func() { exec.Command("umount", b.store.Dir).Run() })
		if _, err := b.take(p); err == nil {
			t.Error("taken on a full disk")
		}
		b.nothingLeft()
	})
	t.Run("a file in place of the state folder", func(t *testing.T) {
		b, p := setup(t)
		if err := os.WriteFile(b.store.Dir, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := b.take(p); err == nil {
			t.Error("taken without a state folder")
		}
	})
	t.Run("a link in place of the project's folder", func(t *testing.T) {
		b, p := setup(t)
		other := t.TempDir()
		if err := os.MkdirAll(filepath.Join(b.store.Dir, dirName), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(other, filepath.Join(b.store.Dir, dirName, "p")); err != nil {
			t.Fatal(err)
		}
		if _, err := b.take(p); err == nil {
			t.Error("the link was followed")
		}
	})
	t.Run("the state folder goes with what is lost", func(t *testing.T) {
		b, p := setup(t)
		b.store.Dir = filepath.Join(b.root, "out/state")
		if _, err := b.take(p); err == nil {
			t.Error("a copy was put where it is deleted")
		}
	})
	t.Run("a folder that cannot be read", func(t *testing.T) {
		if os.Geteuid() == 0 {
			t.Skip("the super-user reads all folders")
		}
		b, _ := setup(t)
		p := b.predict(b.bash("rm -rf out"))
		b.sh("mkdir out/no; echo 1 > out/no/1; chmod 0 out/no")
		t.Cleanup(func() { b.sh("chmod 700 out/no") })
		if _, err := b.take(p); err == nil {
			t.Error("taken without what cannot be read")
		}
	})
	t.Run("a lost file that is now a pipe", func(t *testing.T) {
		b, p := setup(t)
		b.sh("rm out/2; mkfifo out/2")
		if _, err := b.take(p); err == nil {
			t.Error("a pipe was kept")
		}
		b.nothingLeft()
	})
}

// A hook that died has left a copy that is not whole: nobody takes it for one, and it goes.
func TestHalfACopy(t *testing.T) {
	b := newBench(t)
	b.sh("echo 1 > notes")
	snap, err := b.take(b.predict(b.bash("rm notes")))
	if err != nil {
		t.Fatal(err)
	}
	half := filepath.Join(filepath.Dir(snap.Dir), "abcd"+partial)
	if err := os.Mkdir(half, 0o700); err != nil {
		t.Fatal(err)
	}
	all, err := b.store.List("p")
	if err != nil || len(all) != 1 {
		t.Errorf("%d copies, %v, want 1", len(all), err)
	}
	for _, step := range []struct {
		after time.Duration
		stays bool
	}{{time.Minute, true}, {2 * time.Hour, false}} {
		b.store.Now = func() time.Time { return time.Now().Add(step.after) }
		if err := b.store.Prune(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Lstat(half); (err == nil) != step.stays {
			t.Errorf("after %v: %v", step.after, err)
		}
	}
}

func TestPrune(t *testing.T) {
	b := newBench(t)
	start := time.Now()
	age := func(s Snapshot, d time.Duration, size int64) {
		b.Helper()
		when := start.Add(-d)
		if err := os.Chtimes(filepath.Join(s.Dir, manifestFile), when, when); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(filepath.Join(s.Dir, s.Entries[0].Copy), size); err != nil { // a hole takes no room
			t.Fatal(err)
		}
	}
	take := func(project string) Snapshot {
		b.Helper()
		b.sh("echo 1 > notes")
		keeps, _ := cover(b.predict(b.bash("rm notes")), b.root)
		s, err := b.store.Take(t.Context(), Call{Project: project, Root: b.root}, keeps)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	const day, gb = 24 * time.Hour, 1 << 30
	cases := map[string]struct {
		Snapshot
		stays bool
	}{}
	for _, c := range []struct {
		name, project string
		age           time.Duration
		size          int64
		stays         bool
	}{
		{"old, and the newest of its project", "a", 100 * day, 10, true},
		{"new", "b", day, 10, true},
		{"old", "b", 15 * day, 10, false},
		{"large and newer", "c", 2 * day, gb, true},
		{"large and oldest", "c", 4 * day, gb, false},
		{"large", "c", 3 * day, gb - 1000_000, true},
		{"newest", "c", time.Hour, 10, true},
	} {
		s := take(c.project)
		age(s, c.age, c.size)
		cases[c.name] = struct {
			Snapshot
			stays bool
		}{s, c.stays}
	}
	first := Call{Project: "b", Session: "s"}
	if err := b.store.First(first, cases["old"].Snapshot, "/x"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := b.store.Prune(); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range cases {
		if _, err := os.Lstat(c.Dir); (err == nil) != c.stays {
			t.Errorf("%s: %v, want to stay %v", name, err, c.stays)
		}
	}
	if _, err := os.Lstat(filepath.Join(b.store.Dir, dirName, "b", firstName("s", "/x"))); err == nil {
		t.Error("the name of a copy that is gone is kept")
	}
}

func TestNewerWork(t *testing.T) {
	for _, tc := range []struct {
		name, setup, line, newer string
		tells                    bool // that the call has ended, before the newer work
		want                     bool // it counts as newer work
	}{
		{"file written anew", "echo 1 > notes", "rm notes", "echo 2 > notes", false, true},
		{"the call's own result", "echo 1 > notes", "sh -c 'date > notes'", "", true, false},
		{"the call's own result, changed since", "echo 1 > notes", "date > notes", "echo more >> notes", true, true},
		{"text that the call is known to write", "echo 1 > notes", "echo hello > notes", "", false, false},
		{"changed after a reset", "echo 1 > a; git add a; git commit -qm 1; echo 2 > a", "git reset --hard", "echo 3 > a", false, true},
		{"committed since", "echo 1 > a; git add a; git commit -qm 1; echo 2 > a", "git reset --hard", "echo 3 > a; git commit -qam 3", false, false},
		{"staged since", "echo 1 > a; git add a; git commit -qm 1; echo 2 > a; git add a", "git reset --hard", "echo 3 > a; git add a; echo 1 > a", false, true},
		{"commits on the branch since", "echo 1 > a; git add a; git commit -qm 1; echo 2 > a; git commit -qam 2", "git reset --hard HEAD~1", "echo 3 > a; git commit -qam 3", false, true},
		{"branch made anew at a known commit", "echo 1 > a; git add a; git commit -qm 1; git checkout -qb x; echo 2 > b; git add b; git commit -qm 2; git checkout -q main", "git branch -D x", "git branch x", false, false},
		{"branch made anew with work", "echo 1 > a; git add a; git commit -qm 1; git checkout -qb x; echo 2 > b; git add b; git commit -qm 2; git checkout -q main", "git branch -D x", "git checkout -qb x; echo 4 > d; git add d; git commit -qm 4; git checkout -q main", false, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := newBench(t)
			b.sh(tc.setup)
			p := b.predict(b.bash(tc.line))
			keeps, ok := cover(p, b.root)
			if !ok { // a line that is not covered, for the sake of its result
				keeps = []effect.Keep{{Paths: []string{filepath.Join(b.root, "notes")}, Lost: []string{filepath.Join(b.root, "notes")}}}
			}
			snap, err := b.store.Take(t.Context(), Call{Project: "p", Root: b.root}, keeps)
			if err != nil {
				t.Fatal(err)
			}
			before := b.state()
			b.sh(tc.line)
			if tc.tells {
				if err := b.store.Left("p", snap.ID); err != nil {
					t.Fatal(err)
				}
			}
			if tc.newer != "" {
				b.sh(tc.newer)
			}
			now := b.state()
			plan := b.plan(snap)
			if got := len(plan.Newer()) > 0; got != tc.want {
				t.Fatalf("newer work %v, want %v: %+v", got, tc.want, plan.Steps)
			}
			if !tc.want {
				b.undo(snap)
				return
			}
			if _, err := plan.Apply(false); !errors.Is(err, ErrNewer) {
				t.Errorf("Apply = %v, want ErrNewer", err)
			}
			b.compare(now, b.state())
			kept, err := plan.Apply(true)
			if err != nil {
				t.Fatal(err)
			}
			b.compare(before, b.state())
			if kept.ID == "" {
				t.Fatal("the newer work was not kept")
			}
			back := b.plan(kept)
			if _, err := back.Apply(true); err != nil {
				t.Fatal(err)
			}
			again := b.state()
			if strings.Contains(tc.newer, "commit") { // the branch comes back; what it holds is not checked out
				now, again = map[string]string{"refs": now["git for-each-ref"]}, map[string]string{"refs": again["git for-each-ref"]}
			}
			b.compare(now, again)
		})
	}
}

// What is given back lands where it was and nowhere else.
func TestLinkInPlaceOfAFolder(t *testing.T) {
	b := newBench(t)
	b.sh("mkdir out; echo 1 > out/1; mkdir ../../other")
	snap, err := b.take(b.predict(b.bash("rm -rf out")))
	if err != nil {
		t.Fatal(err)
	}
	b.sh("rm -rf out; ln -s ../../other out")
	snap, err = b.store.Open("p", snap.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.store.Plan(t.Context(), snap); err == nil {
		t.Error("the link would be followed")
	}
	if b.sh("ls ../../other") != "" {
		t.Error("something was written behind the link")
	}
}

func TestStashedSince(t *testing.T) {
	b := newBench(t)
	b.sh("echo 1 > a; git add a; git commit -qm 1; echo 2 > a; git stash -q; echo 3 > a; git stash -q")
	snap, err := b.take(b.predict(b.bash("git stash clear")))
	if err != nil {
		t.Fatal(err)
	}
	lost := b.sh("git stash list --format=%H")
	b.sh("git stash clear; echo 4 > a; git stash -q")
	newer := b.sh("git stash list --format=%H")
	b.undo(snap)
	if got := b.sh("git stash list --format=%H"); got != lost+newer {
		t.Errorf("the stash is %q, want %q on top of %q", got, lost, newer)
	}
}

// Objects that only the dropped commits hold come back though git forgot them at once.
func TestObjectsComeBack(t *testing.T) {
	b := newBench(t)
	b.sh("echo 1 > a; git add a; git commit -qm 1; echo 2 > b; git add b; git commit -qm 2; echo 3 > c; git add c")
	before := b.state()
	snap, err := b.take(b.predict(b.bash("git reset --hard HEAD~1")))
	if err != nil {
		t.Fatal(err)
	}
	b.sh("git reset -q --hard HEAD~1; git reflog expire --expire=now --all; git gc -q --prune=now")
	b.undo(snap)
	b.compare(before, b.state())
	b.sh("git fsck --strict")
}

// Neither taking nor giving back runs anything of the repository's.
func TestHostileRepository(t *testing.T) {
	b := newBench(t)
	mark := filepath.Join(b.home, "mark")
	b.sh(dirty + "\ngit stash -q; git stash apply -q --index; echo only > src/only")
	evil := filepath.Join(b.home, "evil.sh")
	if err := os.WriteFile(evil, []byte("#!/bin/sh\ntouch "+mark+"\ncat\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	b.sh(`for k in filter.evil.clean filter.evil.smudge diff.evil.command diff.evil.textconv core.fsmonitor core.pager core.editor core.sshCommand gpg.program diff.external credential.helper core.askPass sequence.editor uploadpack.packObjectsHook; do git config $k ` + evil + `; done
git config filter.evil.required true; git config commit.gpgsign true; git config extensions.partialClone origin; git config remote.origin.url 'ext::` + evil + `'
for h in post-index-change reference-transaction post-checkout pre-commit post-rewrite pre-auto-gc post-update update fsmonitor-watchman; do cp ` + evil + ` .git/hooks/$h; done
echo '* filter=evil diff=evil' > .git/info/attributes; rm -f ` + mark)
	for _, line := range []string{"git reset --hard HEAD~1", "git clean -fdx", "git stash clear", "rm -rf src"} {
		b.sh("touch -d @1 .git/index; rm -f " + mark) // no entry is older, so git compares what the files hold
		snap, err := b.take(b.predict(b.bash(line)))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if _, err := os.Lstat(mark); err == nil {
			t.Errorf("%s: a program of the repository ran at the look", line)
		}
		b.sh(line)
		b.sh("touch -d @1 .git/index; rm -f " + mark)
		p := b.plan(snap)
		if _, err := p.Apply(true); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if _, err := os.Lstat(mark); err == nil {
			t.Errorf("%s: a program of the repository ran", line)
		}
		os.Remove(mark)
	}
}

// A file that was changed in the instant of the index, which only its content shows, is still seen as changed.
func TestIndexKeepsItsTime(t *testing.T) {
	b := newBench(t)
	b.sh("git config core.trustctime false; echo 1 > a; echo 1 > b; git add .; git commit -qm 1; echo 2 > b; git add b")
	snap, err := b.take(b.predict(b.bash("git reset --hard")))
	if err != nil {
		t.Fatal(err)
	}
	b.sh("git reset -q --hard; touch -d @1000 a; git update-index --refresh; echo 2 > a; touch -d @1000 a .git/index")
	b.undo(snap)
	if got := b.sh("git diff --name-only; git diff --cached --name-only"); got != "a\nb\n" {
		t.Errorf("git sees changes of %q, want those of a and b", got)
	}
}

func TestIDs(t *testing.T) {
	for id, want := range map[string]bool{"k3f9": true, "abcdefgh": true, "": false, "abc": false, "../x": false, "a/b2": false, "ABCD": false, "abcdefghj": false, "l0o1": false} {
		if got := validID(id); got != want {
			t.Errorf("validID(%q) = %v, want %v", id, got, want)
		}
	}
}

func TestPathText(t *testing.T) {
	for _, p := range []string{"", "/a/b", "a\nb", "bad\xff\xfe", `"quoted"`, "ünïcode", "a\x00b", "\u2028", "<&>"} {
		b, err := json.Marshal(Path(p))
		if err != nil {
			t.Fatal(err)
		}
		var got Path
		if err := json.Unmarshal(b, &got); err != nil || string(got) != p {
			t.Errorf("%q was written %s and read %q, %v", p, b, got, err)
		}
	}
}

// A list that somebody else wrote leads to an error or to steps below whole paths, never to a panic.
func FuzzManifest(f *testing.F) {
	f.Add(`{"v":1,"id":"k3f9","entries":[{"kind":"file","path":"/nowhere/x","copy":"0"},{"kind":"absent","path":"/nowhere/y"}]}`)
	f.Add(`{"v":1,"id":"k3f9","entries":[{"kind":"file","path":"../x","copy":"../../0"}]}`)
	f.Add(`{"v":1,"id":"k3f9","entries":[{"kind":"link","path":"\"\\\"\"","to":"/"}],"repos":[{"root":"/nowhere","refs":[{"name":"-d","hash":"x"}],"index":[{"path":"a","mode":"1 2","hash":"\n"}]}]}`)
	f.Add(`{"v":2}`)
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		s := &Store{Dir: dir, Home: dir, Limits: DefaultLimits, Now: time.Now}
		at := filepath.Join(dir, dirName, "p", "k3f9")
		if err := os.MkdirAll(at, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(at, manifestFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		snap, err := s.Open("p", "k3f9")
		if err != nil {
			return
		}
		snap.Repos = nil // git is asked elsewhere
		snap.Entries = slices.DeleteFunc(snap.Entries, func(e Entry) bool {
			return !strings.HasPrefix(string(e.Path), "/nowhere") && filepath.IsAbs(string(e.Path))
		})
		p, err := s.Plan(context.Background(), snap)
		if err != nil {
			return
		}
		for _, step := range p.Steps {
			if !filepath.IsAbs(step.What) || filepath.Clean(step.What) != step.What {
				t.Errorf("a step at %q", step.What)
			}
		}
	})
}
