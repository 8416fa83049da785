package snapshot

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/stepgate/stepgate/internal/safefile"
	"github.com/stepgate/stepgate/policy/effect"
)

// ask asks git about a repository of the copy.
func (p *Plan) ask(r *Repo, in string, args ...string) (string, error) {
	out, err := p.store.git(p.ctx, string(r.Root), in, args...)
	return strings.TrimSpace(out), err
}

// change has git change a repository. Its hooks do not run.
func (p *Plan) change(r *Repo, in string, args ...string) func() error {
	return func() error {
		_, err := p.ask(r, in, args...)
		return err
	}
}

// needsGit says that the copy holds more of a repository than files.
func (r *Repo) needsGit() bool {
	return r.Pack != "" || r.Head != "" || len(r.Refs)+len(r.Index)+len(r.Stash) > 0
}

// refs compares refs, HEAD and stash. The objects come first, as all the rest needs them.
func (p *Plan) refs(r *Repo) error {
	if root := string(r.Root); r.needsGit() && effect.Absent(filepath.Join(effect.GitFolder(root), "HEAD")) {
		// git would take a repository around it for this one
		return fmt.Errorf("snapshot %s: there is no repository in %q any more\nhint: clone it there, or git init %q, and try again", p.ID, root, root)
	}
	if r.Pack != "" {
		p.add(Step{Does: unpacks, What: string(r.Root), repo: r, do: func() error { return p.unpack(r) }})
	}
	for _, ref := range r.Refs {
		if err := p.ref(r, ref); err != nil {
			return err
		}
	}
	if now := currentRef(string(r.Root)); r.Head != "" && now != r.Head {
		step := Step{Does: MovesRef, What: "HEAD to " + r.Head, repo: r, do: p.change(r, "", "symbolic-ref", "-m", "stepgate undo", "HEAD", r.Head)}
		if !strings.HasPrefix(r.Head, "refs/") {
			step.do = p.change(r, "", "update-ref", "--no-deref", "-m", "stepgate undo", "HEAD", r.Head)
		}
		if hash, err := p.ask(r, "", "rev-parse", "-q", "--verify", "HEAD^{commit}"); err != nil {
			return err
		} else if now == "HEAD" && hash != r.Head {
			step.Newer = !p.held(r, hash, "")
			p.add(step)
		} else if now != "HEAD" {
			p.add(step)
		}
	}
	if len(r.Stash) > 0 {
		return p.stash(r)
	}
	return nil
}

// ref compares one ref with what it pointed at.
func (p *Plan) ref(r *Repo, ref Ref) error {
	name := string(ref.Name)
	if name != "HEAD" && !strings.HasPrefix(name, "refs/") {
		return fmt.Errorf("snapshot %s: %q is no ref", p.ID, name)
	}
	now, err := p.ask(r, "", "rev-parse", "-q", "--verify", name) // an error is a ref that is not there
	if now == ref.Hash {
		return nil
	}
	step := Step{Does: MovesRef, What: name, repo: r, do: p.change(r, "", "update-ref", "--no-deref", "-m", "stepgate undo", name, ref.Hash)}
	if err != nil {
		step.Does = Restores
	} else if now != ref.To {
		step.Newer = !p.held(r, now, name)
	}
	p.add(step)
	return nil
}

// held says that nothing but known commits is reachable from one: those that other refs hold, and those of the copy.
func (p *Plan) held(r *Repo, hash, except string) bool {
	args := []string{"rev-list", "--count", hash, "--not"}
	for _, ref := range r.Refs {
		if _, err := p.ask(r, "", "cat-file", "-e", ref.Hash); err == nil {
			args = append(args, ref.Hash)
		}
	}
	switch {
	case strings.HasPrefix(except, "refs/heads/"):
		args = append(args, "--exclude="+strings.TrimPrefix(except, "refs/heads/"), "--branches", "--tags", "--remotes")
	case strings.HasPrefix(except, "refs/tags/"):
		args = append(args, "--exclude="+strings.TrimPrefix(except, "refs/tags/"), "--tags", "--branches", "--remotes")
	default:
		args = append(args, "--branches", "--tags", "--remotes")
	}
	n, err := p.ask(r, "", append(args, "--")...)
	return err == nil && n == "0"
}

// stash compares the stash. Where it only lost entries it becomes what it was; where others came since, the lost ones
// are put on top.
func (p *Plan) stash(r *Repo) error {
	path := filepath.Join(effect.CommonFolder(string(r.Root)), "logs", stashRef)
	now, err := safefile.Read(path, maxLog)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	have := stashEntries(now)
	missing := slices.DeleteFunc(slices.Clone(r.Stash), func(h string) bool { return slices.Contains(have, h) })
	if len(missing) == 0 {
		return nil
	}
	step := Step{Does: Restashes, What: string(r.Root), repo: r}
	if len(have)+len(missing) == len(r.Stash) {
		step.do = func() error {
			if err := p.change(r, "", "update-ref", stashRef, r.Stash[0])(); err != nil {
				return err
			}
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				return err
			}
			return replace(path, r.StashLog)
		}
	} else {
		step.do = func() error {
			for _, h := range slices.Backward(missing) {
				if err := p.change(r, "", "stash", "store", "-m", message(r.StashLog, h), h)(); err != nil {
					return err
				}
			}
			return nil
		}
	}
	p.add(step)
	return nil
}

// message is what a stash's log says of an entry.
func message(log []byte, hash string) string {
	for line := range strings.Lines(string(log)) {
		if f := strings.Fields(line); len(f) > 1 && f[1] == hash {
			_, text, _ := strings.Cut(strings.TrimSpace(line), "\t")
			return text
		}
	}
	return "stepgate undo"
}

// replace writes a file of git's whole, with the mode that others of its kind have.
func replace(path string, data []byte) error {
	mode := os.FileMode(0o644)
	if fi, err := os.Lstat(path); err == nil {
		mode = fi.Mode().Perm()
	}
	tmp, err := os.OpenFile(path+".stepgate", os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	if e := tmp.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		os.Remove(tmp.Name()) // the first error is the one to tell
	}
	return err
}

// unpack brings the kept objects back into the repository.
func (p *Plan) unpack(r *Repo) error {
	f, err := safefile.Open(filepath.Join(p.Dir, filepath.Base(r.Pack)), os.O_RDONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	cmd, err := p.store.command(p.ctx, string(r.Root), "unpack-objects", "-q")
	if err != nil {
		return err
	}
	cmd.Stdin = f
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git unpack-objects: %w: %.200s", err, out)
	}
	return nil
}

// index compares the index with what it was, for the entries that the call changes.
func (p *Plan) index(r *Repo) error {
	if len(r.Index) == 0 {
		return nil
	}
	t := p.tree(string(r.Root))
	var in strings.Builder
	newer := 0
	none := IndexEntry{Mode: noMode}
	for _, e := range r.Index {
		if strings.ContainsRune(string(e.Path), 0) || strings.ContainsAny(e.Mode+e.Hash, " \t\n\x00") {
			return fmt.Errorf("snapshot %s: an index entry that cannot be read", p.ID)
		}
		now, ok := t.index[string(e.Path)]
		if !ok {
			now = none
		}
		if now.Mode == e.Mode && (now.Hash == e.Hash || e.Mode == noMode) {
			continue
		}
		head, ok := t.head[string(e.Path)]
		if !ok {
			head = none
		}
		left := IndexEntry{Mode: e.LeftMode, Hash: e.Left}
		if !sameEntry(now, left) && !sameEntry(now, head) && !slices.ContainsFunc(r.Index, func(k IndexEntry) bool { return k.Hash == now.Hash }) {
			newer++
		}
		hash := e.Hash
		if e.Mode == noMode {
			hash = strings.Repeat("0", len(e.Hash))
		}
		in.WriteString(e.Mode + " " + hash + "\t" + string(e.Path) + "\x00")
	}
	if in.Len() > 0 {
		n := strings.Count(in.String(), "\x00")
		p.add(Step{Does: Stages, What: fmt.Sprintf("%d entries of %s", n, r.Root), Newer: newer > 0, repo: r,
			do: func() error { return p.stage(r, in.String()) }})
	}
	return nil
}

// stage writes entries into the index. Git looks at no file of the work tree, for it would run the repository's filters
// over each that is as new as the index (git's technical/racy-git); the index keeps its time instead, so that the next
// look of the person's own git compares those.
func (p *Plan) stage(r *Repo, entries string) error {
	folder := effect.GitFolder(string(r.Root))
	index := filepath.Join(folder, "index")
	old, err := os.Stat(index)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	empty, err := os.MkdirTemp(p.Dir, "tree")
	if err != nil {
		return err
	}
	defer os.Remove(empty)
	if _, err := p.store.git(p.ctx, empty, entries, "--git-dir="+folder, "--work-tree=.", "update-index", "-z", "--index-info"); err != nil || old == nil {
		return err
	}
	return os.Chtimes(index, time.Time{}, old.ModTime())
}

func sameEntry(a, b IndexEntry) bool {
	return a.Mode == b.Mode && (a.Hash == b.Hash || a.Mode == noMode)
}
