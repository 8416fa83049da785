package effect

import (
	"path/filepath"

	"github.com/stepgate/stepgate/policy/shell"
)

// Keep says what a copy must hold to give back all that an effect loses. The zero Keep stands for what no copy can: the
// loss is elsewhere, or not known whole.
type Keep struct {
	// Paths are taken or replaced whole; Lost are the files among or below them that exist nowhere else.
	Paths, Lost []string
	// Text is what the act puts in place of a path, where that is known, and From are the files that it copies there.
	Text, From []string
	// Repo is the work tree that the fields below are about.
	Repo string
	// To is what index and work tree are set to, a commit or tree, for the paths in Scope, or all without any; empty
	// when only the work tree changes.
	To    string
	Scope []string
	// Staged is what git diff-index said of index and HEAD, as a whole; nil where it was not asked.
	Staged *[]byte
	// Changed are the tracked files with uncommitted changes, those that are gone among them; from Repo.
	Changed []string
	// Refs go or are moved; HEAD stands for the branch that is checked out. Head says that HEAD itself is moved.
	Refs []string
	Head bool
	// Stash says that the stash goes, whole or in part.
	Stash bool
}

// IsZero says that no copy can give back what is lost.
func (k Keep) IsZero() bool { return len(k.Paths) == 0 && k.Repo == "" }

// keep notes what a delete takes. Where tests choose the files, those alone are taken; rsync, which keeps some names,
// also replaces what no look-up sees.
func (e *Effect) keep(paths []string, files []entry, f filter) {
	switch {
	case e.AtLeast || e.Unknown != "" || len(f.except) > 0:
		return
	case f.zero():
		e.Keep.Paths = paths
	default:
		for _, x := range files {
			e.Keep.Paths = append(e.Keep.Paths, x.path)
		}
	}
}

// keeping has a look-up's effects say more about what a copy must hold.
//
//go:noinline
func keeping(es []Effect, more func(*Keep)) []Effect {
	for i := range es {
		if e := &es[i]; e.Unknown == "" && !e.AtLeast {
			more(&e.Keep)
		}
	}
	return es
}

// keepWorktree: a linked work tree goes with git's own folder for it.
//
//go:noinline
func keepWorktree(es []Effect, path string) []Effect {
	return keeping(es, func(k *Keep) {
		lost := k.Lost
		for _, rel := range k.Changed {
			lost = append(lost, filepath.Join(path, rel))
		}
		*k = Keep{Paths: []string{path}, Lost: lost}
		if own := gitDir(path); own != commonDir(path) { // a submodule's stays
			k.Paths = append(k.Paths, own)
		}
	})
}

// EmptyTree is the tree without entries, in repositories of the usual kind: a Keep that goes to it takes the entries of its
// Scope as they are, whatever the call makes of them.
const EmptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// keepIndex: with the files below a path their entries go.
//
//go:noinline
func keepIndex(es []Effect, root, path string) []Effect {
	return keeping(es, func(k *Keep) { k.Repo, k.To, k.Scope = root, EmptyTree, []string{path} })
}

//go:noinline
func orHead(to string) string {
	if to == "" {
		return "HEAD"
	}
	return to
}

// unread says that a command, whose acts begin at before, may change what none of them tells of.
func (r *reader) unread(c *shell.Command, before int) bool {
	plain := *c
	plain.Redirects = nil // they make acts of their own
	if c.Name == "mkdir" || r.readOnly(&plain) {
		return false
	}
	return isInterpreter(c.Name) || !changing(r.acts[before:])
}

// Regenerable says that a path can be made anew by its name: build output, caches, installed packages.
func Regenerable(root, path string) bool { return regenerable(within(root, path), true) }

// GitFolder is a work tree's own git folder, and CommonFolder the one that linked work trees share.
func GitFolder(root string) string    { return gitDir(root) }
func CommonFolder(root string) string { return commonDir(root) }

// RepoRoot is the work tree that a path lies in; empty when there is none.
func RepoRoot(path string) string { return repoRoot(path) }
