package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stepgate/stepgate/internal/safefile"
	"github.com/stepgate/stepgate/policy/effect"
)

const (
	noMode     = "000000"
	noHash     = "0000000000000000000000000000000000000000"
	gitlink    = "160000"
	stashRef   = "refs/stash"
	maxRefs    = 10_000
	maxStashes = 200
	maxLog     = 1 << 20
)

// command is git's. Where a person waits and not an agent, a busy machine may take its time to hand over the answer.
func (s *Store) command(ctx context.Context, dir string, args ...string) (*exec.Cmd, error) {
	cmd, err := effect.GitCommand(ctx, s.Home, dir, args...)
	if _, hurry := ctx.Deadline(); err == nil && !hurry {
		cmd.WaitDelay = 10 * time.Second
	}
	return cmd, err
}

// git asks git about a repository; in, if any, is its standard input.
func (s *Store) git(ctx context.Context, dir, in string, args ...string) (string, error) {
	cmd, err := s.command(ctx, dir, args...)
	if err != nil {
		return "", err
	}
	if in != "" {
		cmd.Stdin = strings.NewReader(in)
	}
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %.200s: %w", strings.Join(args, " "), err)
	}
	return string(out), nil
}

// repo notes the state of a repository that a call would change, and copies what only that state holds.
func (t *taker) repo(k effect.Keep) error {
	r := Repo{Root: Path(k.Repo)}
	if name := effect.Busy(effect.GitFolder(k.Repo)); name != "" && k.To != "" {
		return fmt.Errorf("a merge or rebase is under way in %q (%s)", k.Repo, name)
	}
	for _, rel := range k.Changed {
		if err := t.path(filepath.Join(k.Repo, rel)); err != nil {
			return err
		}
	}
	var want []string // objects to pack
	to := ""
	if k.To != "" {
		head, target, err := t.targets(k)
		if err != nil {
			return err
		}
		to = target
		if k.Head {
			r.Head = head
		}
		if want, err = t.index(&r, k, target); err != nil {
			return err
		}
		if k.Head && !strings.HasPrefix(head, "refs/") {
			want = append(want, head)
		}
	}
	stash, err := t.stash(&r, k)
	if err != nil {
		return err
	}
	refs, kept, err := t.refs(k, to)
	if err != nil {
		return err
	}
	r.Refs = refs
	for _, ref := range refs {
		want = append(want, ref.Hash)
	}
	if err := t.pack(&r, append(want, stash...), kept); err != nil {
		return err
	}
	t.m.Repos = append(t.m.Repos, r)
	return nil
}

// targets gives what HEAD is, a branch or a commit, and the commit or tree that the call goes to.
func (t *taker) targets(k effect.Keep) (head, target string, err error) {
	if strings.HasPrefix(k.To, "-") {
		return "", "", fmt.Errorf("%q is no commit", k.To)
	}
	if head = effect.Head(k.Repo); head == "" {
		return "", "", fmt.Errorf("HEAD of %q cannot be read", k.Repo)
	}
	if k.To == "HEAD" && !k.Head {
		return head, k.To, nil // git need not be asked for what does not move
	}
	to := k.To + "^{commit}"
	if len(k.Refs) == 0 && !k.Head {
		to = k.To + "^{tree}"
	}
	out, err := t.store.git(t.ctx, k.Repo, "", "rev-parse", "-q", "--verify", to)
	return head, strings.TrimSpace(out), err
}

// index keeps the entries, and the files of the work tree, that differ from what the call goes to. It gives the objects
// that may be in the index alone.
func (t *taker) index(r *Repo, k effect.Keep, target string) ([]string, error) {
	out, err := t.staged(k, target)
	if err != nil {
		return nil, err
	}
	var want []string
	fields := strings.Split(out, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		f := strings.Fields(strings.TrimPrefix(fields[i], ":")) // modes and hashes before and now, and a letter
		if len(f) != 5 || f[4] == "U" || f[0] == gitlink || f[1] == gitlink {
			return nil, fmt.Errorf("%q: an entry that a copy cannot keep", fields[i+1])
		}
		r.Index = append(r.Index, IndexEntry{Path: Path(fields[i+1]), Mode: f[1], Hash: f[3], LeftMode: f[0], Left: f[2]})
		if f[1] != noMode {
			want = append(want, f[3])
		}
		if err := t.path(filepath.Join(k.Repo, fields[i+1])); err != nil {
			return nil, err
		}
	}
	if target != effect.EmptyTree {
		return want, nil
	}
	for _, p := range k.Scope { // what has no entry now has none afterwards either
		rel, err := filepath.Rel(k.Repo, p)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(r.Index, func(e IndexEntry) bool { return string(e.Path) == rel }) {
			r.Index = append(r.Index, IndexEntry{Path: Path(rel), Mode: noMode, Hash: noHash, LeftMode: noMode, Left: noHash})
		}
	}
	return want, nil
}

// staged is what git says of the entries in which index and target differ. Of HEAD, the look-up has asked already.
func (t *taker) staged(k effect.Keep, target string) (string, error) {
	if target == "HEAD" && len(k.Scope) == 0 && k.Staged != nil {
		return string(*k.Staged), nil
	}
	args := []string{"diff-index", "--cached", "--raw", "-z", "--no-renames", target, "--"}
	for _, p := range k.Scope {
		rel, err := filepath.Rel(k.Repo, p)
		if err != nil {
			return "", err
		}
		args = append(args, rel)
	}
	return t.store.git(t.ctx, k.Repo, "", args...)
}

// refs are those that the call moves or deletes, with the commits that other refs hold; to is where it moves HEAD's.
func (t *taker) refs(k effect.Keep, to string) (gone []Ref, kept []string, err error) {
	if !k.Stash && (len(k.Refs) == 0 || k.To == "HEAD") {
		return nil, []string{to}, nil
	}
	out, err := t.store.git(t.ctx, k.Repo, "", "for-each-ref", "--count="+strconv.Itoa(maxRefs), "--format=%(objectname) %(refname)")
	if err != nil {
		return nil, nil, err
	}
	current := currentRef(k.Repo)
	goes := map[string]string{} // ref to what it is moved to
	for _, name := range k.Refs {
		if name == "HEAD" {
			goes[current] = to
		} else {
			goes[name] = ""
		}
	}
	if k.Stash {
		goes[stashRef] = ""
	}
	for line := range strings.Lines(out) {
		hash, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		target, ok := goes[name]
		switch {
		case !ok || hash == target:
			kept = append(kept, hash)
		case name != stashRef:
			gone = append(gone, Ref{Name: Path(name), Hash: hash, To: target})
		}
	}
	if _, ok := goes["HEAD"]; ok { // detached: no ref holds it
		hash, err := t.store.git(t.ctx, k.Repo, "", "rev-parse", "-q", "--verify", "HEAD^{commit}")
		if err != nil {
			return nil, nil, err
		}
		if hash = strings.TrimSpace(hash); hash != to {
			gone = append(gone, Ref{Name: "HEAD", Hash: hash, To: to})
		}
	}
	return gone, append(kept, to), nil
}

// stash keeps the stash's entries in their order.
func (t *taker) stash(r *Repo, k effect.Keep) ([]string, error) {
	if !k.Stash {
		return nil, nil
	}
	log, err := safefile.Read(filepath.Join(effect.CommonFolder(k.Repo), "logs", stashRef), maxLog)
	if err != nil {
		return nil, errors.New("the stash has no log that can be read")
	}
	r.StashLog = log
	r.Stash = stashEntries(log)
	if len(r.Stash) == 0 || len(r.Stash) > maxStashes {
		return nil, fmt.Errorf("%w: %d stashes", ErrLimit, len(r.Stash))
	}
	return r.Stash, nil
}

// stashEntries are the commits of a stash's log, newest first.
func stashEntries(log []byte) []string {
	var out []string
	for line := range strings.Lines(string(log)) {
		if f := strings.Fields(line); len(f) > 1 {
			out = append([]string{f[1]}, out...)
		}
	}
	return out
}

// pack copies objects, with all that they need and no kept commit holds, into one file of the snapshot.
func (t *taker) pack(r *Repo, want, kept []string) error {
	if len(want) == 0 {
		return nil
	}
	var in strings.Builder
	for _, h := range want {
		in.WriteString(h + "\n")
	}
	for _, h := range kept {
		if h != "" {
			in.WriteString("^" + h + "\n")
		}
	}
	cmd, err := t.store.command(t.ctx, string(r.Root), "pack-objects", "--revs", "--stdout", "-q", "--window=0")
	if err != nil {
		return err
	}
	r.Pack = "pack" + strconv.Itoa(len(t.m.Repos))
	f, err := os.OpenFile(filepath.Join(t.dir, r.Pack), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	out := &capped{w: f, left: t.store.Limits.Bytes - t.m.Bytes}
	cmd.Stdin, cmd.Stdout = strings.NewReader(in.String()), out
	err = cmd.Run()
	if e := f.Close(); err == nil {
		err = e
	}
	if out.err != nil {
		err = out.err
	}
	if err != nil {
		return fmt.Errorf("git pack-objects: %w", err)
	}
	t.m.Bytes += out.n
	return nil
}

// capped writes until a limit.
type capped struct {
	w       io.Writer
	n, left int64
	err     error
}

func (c *capped) Write(p []byte) (int, error) {
	if c.left -= int64(len(p)); c.left < 0 {
		c.err = fmt.Errorf("%w: the commits", ErrLimit)
		return 0, c.err
	}
	n, err := c.w.Write(p)
	c.n += int64(n)
	if err != nil {
		c.err = err
	}
	return n, err
}

// currentRef is the branch that is checked out, or HEAD.
func currentRef(root string) string {
	if name := effect.Head(root); strings.HasPrefix(name, "refs/") {
		return name
	}
	return "HEAD"
}
