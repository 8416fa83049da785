package snapshot

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// once and again: each copy gives back what it holds, and a second time there is nothing left to do.
func TestUndoTwice(t *testing.T) {
	b := newBench(t)
	b.sh("echo 1 > a; git add a; git commit -qm 1; echo 2 > a; echo n > n")
	before := b.state()
	first, err := b.take(b.predict(b.bash("git checkout -- a")))
	if err != nil {
		t.Fatal(err)
	}
	b.sh("git checkout -- a")
	between := b.state()
	second, err := b.take(b.predict(b.bash("rm n")))
	if err != nil {
		t.Fatal(err)
	}
	b.sh("rm n")
	b.undo(second)
	b.compare(between, b.state())
	b.undo(second)
	b.compare(between, b.state())
	b.undo(first)
	b.compare(before, b.state())
	b.undo(first)
	b.compare(before, b.state())
}

// takeTwo takes a copy of a folder of notes and one of a repository's changes.
func (b *bench) takeTwo() (files, repo Snapshot) {
	b.Helper()
	b.sh("echo 1 > a; git add a; git commit -qm 1; echo 2 > a; git add a; mkdir notes; echo n > notes/n")
	files, err := b.take(b.predict(b.bash("rm -rf notes")))
	if err != nil {
		b.Fatal(err)
	}
	if repo, err = b.take(b.predict(b.bash("git reset --hard"))); err != nil {
		b.Fatal(err)
	}
	return files, repo
}

// A project that has another place now keeps its files, and nothing is written where it stood but what was lost.
func TestUndoInAMovedProject(t *testing.T) {
	b := newBench(t)
	files, repo := b.takeTwo()
	b.sh("rm -rf notes; git reset -q --hard")
	moved := b.root + "-moved"
	if err := os.Rename(b.root, moved); err != nil {
		t.Fatal(err)
	}
	if snap, err := b.store.Open("p", repo.ID); err != nil {
		t.Fatal(err)
	} else if _, err := b.store.Plan(t.Context(), snap); err == nil {
		t.Error("a repository that is not there was to be given back its state")
	}
	b.undo(files)
	if got, err := os.ReadFile(filepath.Join(b.root, "notes/n")); err != nil || string(got) != "n\n" {
		t.Errorf("notes/n = %q, %v", got, err)
	}
	if _, err := os.Lstat(filepath.Join(moved, "notes")); err == nil {
		t.Error("the moved project was written to")
	}
}

// Where the repository is gone its files still come back, and what only git could give back is refused.
func TestUndoOfADeletedRepository(t *testing.T) {
	b := newBench(t)
	files, repo := b.takeTwo()
	b.sh("rm -rf notes; git reset -q --hard; rm -rf .git")
	b.undo(files)
	if got := b.sh("cat notes/n"); got != "n\n" {
		t.Errorf("notes/n = %q", got)
	}
	snap, err := b.store.Open("p", repo.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.store.Plan(t.Context(), snap); err == nil {
		t.Error("a repository that is not there was to be given back its state")
	}
}

// A disk that fills up while a copy is given back loses nothing that was there, and the copy can be given back later.
func TestUndoOnAFullDisk(t *testing.T) {
	b := newBench(t)
	small := filepath.Join(b.root, "small")
	if err := os.Mkdir(small, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=512k,mode=700", "tmpfs", small).CombinedOutput(); err != nil {
		t.Skipf("no small disk can be made here: %s", out)
	}
	t.Cleanup(func() { exec.Command("umount", small).Run() })
	b.sh("head -c 300000 /dev/urandom > small/big; cp small/big ../was")
	snap, err := b.take(b.predict(b.bash("echo new > small/big")))
	if err != nil {
		t.Fatal(err)
	}
	b.sh("echo new > small/big; head -c 400000 /dev/zero > small/other")
	if _, err := b.plan(snap).Apply(false); err == nil {
		t.Fatal("given back on a full disk")
	}
	if got := b.sh("cat small/big; ls -A small"); got != "new\nbig\nother\n" {
		t.Errorf("on the full disk stands %q", got)
	}
	b.sh("rm small/other")
	b.undo(snap)
	b.sh("cmp small/big ../was")
}
