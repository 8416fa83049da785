// Package snapshot keeps a copy of what a call is about to lose, and gives it back.
//
// A copy lies in the state folder, readable by this user alone: plain files with their mode and times, and of a
// repository the index entries, refs and stash with the objects that only they hold. Nothing is written into the
// repository or the project, and nothing of theirs runs, so a hook that dies half-way has changed nothing. What cannot
// be kept whole within the limits is not kept at all. Owners other than this user, extended attributes and hard links
// are not kept; a file of another user makes the copy fail.
package snapshot

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/stepgate/stepgate/internal/safefile"
	"github.com/stepgate/stepgate/policy/effect"
	"github.com/stepgate/stepgate/redact"
)

// Limits of one copy. One that would pass them is not taken.
type Limits struct {
	Files int
	Bytes int64
	Time  time.Duration
}

// DefaultLimits hold a day's work and are short enough to wait for.
var DefaultLimits = Limits{Files: 2000, Bytes: 200 << 20, Time: 500 * time.Millisecond}

// Limits of all copies together.
const (
	keepFor   = 14 * 24 * time.Hour
	keepBytes = 2 << 30
)

// Names inside the state folder and inside one copy.
const (
	dirName      = "snapshots"
	partial      = ".partial" // ends the name of a copy that is not whole yet
	manifestFile = "manifest.json"
	dataFile     = "data"   // the contents of small files, one after another
	leftFile     = "left"   // hashes of the contents that the call is known to have left
	undoneFile   = "undone" // the copy has been given back
)

// ErrLimit is wrapped when a copy would pass a limit.
var ErrLimit = errors.New("more than a copy holds")

// Store is where the copies of a user are.
type Store struct {
	// Dir is the state home, Home the person's, for git.
	Dir, Home string
	Limits    Limits
	Now       func() time.Time
}

// Call is what a copy is taken for.
type Call struct {
	// Project names the project's folder, Root is its root.
	Project, Root string
	Session, ID   string
	Tool          string
	// What is the call in a few words.
	What redact.Text
}

// Snapshot is one copy.
type Snapshot struct {
	Manifest
	Dir string
}

// Manifest says what a copy holds.
type Manifest struct {
	V       int         `json:"v"`
	ID      string      `json:"id"`
	Time    time.Time   `json:"time"`
	Root    Path        `json:"root"`
	Session string      `json:"session,omitempty"`
	CallID  string      `json:"call_id,omitempty"`
	Tool    string      `json:"tool,omitempty"`
	What    redact.Text `json:"what,omitzero"`
	// Files and Bytes count the copied files; LeftOut counts those that went with them and exist elsewhere or can be
	// built again, and were not copied.
	Files   int     `json:"files"`
	Bytes   int64   `json:"bytes"`
	LeftOut int     `json:"left_out,omitempty"`
	Entries []Entry `json:"entries,omitempty"`
	Repos   []Repo  `json:"repos,omitempty"`
	// Sources are files that the call copies over others.
	Sources []Path `json:"sources,omitempty"`
}

// Kinds of an Entry.
const (
	File   = "file"
	Link   = "link"
	Folder = "folder"
	Absent = "absent" // nothing was there
)

// Entry is one path as it was.
type Entry struct {
	Kind string `json:"kind"`
	Path Path   `json:"path"`
	// Mode holds the permission bits and set-id bits as fs.FileMode has them.
	Mode fs.FileMode `json:"mode,omitempty"`
	// MTime is in nanoseconds since 1970.
	MTime int64 `json:"mtime,omitempty"`
	Size  int64 `json:"size,omitempty"`
	// Copy is the file of the snapshot that holds the content, from At on; To is where a link leads.
	Copy string `json:"copy,omitempty"`
	At   int64  `json:"at,omitempty"`
	To   Path   `json:"to,omitempty"`
	// Owner is "uid:gid" where that is not this process's.
	Owner string `json:"owner,omitempty"`
}

// Repo is a repository's state as it was, as far as the call would change it.
type Repo struct {
	Root Path `json:"root"`
	// Head is the branch checked out, with refs/heads/, or a commit; kept only where the call moves HEAD.
	Head string `json:"head,omitempty"`
	Refs []Ref  `json:"refs,omitempty"`
	// Index are the entries that the call would change.
	Index []IndexEntry `json:"index,omitempty"`
	// Stash are the stash's entries, newest first; StashLog is the log that orders them.
	Stash    []string `json:"stash,omitempty"`
	StashLog []byte   `json:"stash_log,omitempty"`
	// Pack is the file of the snapshot with the objects that may go.
	Pack string `json:"pack,omitempty"`
}

// Ref is a ref with what it points at; To is where the call moves it, if known.
type Ref struct {
	Name Path   `json:"name"`
	Hash string `json:"hash"`
	To   string `json:"to,omitempty"`
}

// IndexEntry is one entry of an index; Mode "000000" stands for none. Left and LeftMode are what the call puts there.
type IndexEntry struct {
	Path     Path   `json:"path"`
	Mode     string `json:"mode"`
	Hash     string `json:"hash"`
	LeftMode string `json:"left_mode"`
	Left     string `json:"left"`
}

// Take copies what the keeps name. It is whole when it returns without an error, and otherwise leaves nothing behind.
func (s *Store) Take(ctx context.Context, c Call, keeps []effect.Keep) (Snapshot, error) {
	ctx, cancel := context.WithTimeout(ctx, s.Limits.Time)
	defer cancel()
	top, err := safefile.Dir(s.Dir, dirName, c.Project)
	if err != nil {
		return Snapshot{}, err
	}
	for _, k := range keeps {
		for _, p := range k.Paths {
			if within(s.Dir, p) {
				return Snapshot{}, fmt.Errorf("snapshot: the state folder lies in %q, which goes", p)
			}
		}
	}
	id, dir, err := begin(top)
	if err != nil {
		return Snapshot{}, err
	}
	t := taker{ctx: ctx, store: s, dir: dir, root: c.Root, seen: map[string]bool{}, m: Manifest{
		V: 1, ID: id, Time: s.Now().UTC(), Root: Path(c.Root), Session: c.Session, CallID: c.ID, Tool: c.Tool, What: c.What,
	}}
	if err := t.finish(keeps); err != nil {
		os.RemoveAll(dir) // what is left is cleared away later
		return Snapshot{}, fmt.Errorf("snapshot: %w", err)
	}
	whole := filepath.Join(top, id)
	if err := os.Rename(dir, whole); err != nil {
		os.RemoveAll(dir)
		return Snapshot{}, err
	}
	return Snapshot{t.m, whole}, nil
}

// finish copies everything and writes the manifest.
func (t *taker) finish(keeps []effect.Keep) error {
	err := t.take(keeps)
	if e := t.flush(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	if err := t.ctx.Err(); err != nil {
		return fmt.Errorf("%w: it takes longer than %v", ErrLimit, t.store.Limits.Time)
	}
	var left []byte
	for _, k := range keeps {
		for _, p := range k.From {
			t.m.Sources = append(t.m.Sources, Path(p))
		}
		for _, text := range k.Text {
			left = appendHash(left, []byte(text))
		}
	}
	if len(left) > 0 {
		if err := os.WriteFile(filepath.Join(t.dir, leftFile), left, 0o600); err != nil {
			return err
		}
	}
	b, err := json.Marshal(t.m)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(t.dir, manifestFile), b, 0o600)
}

func appendHash(b, text []byte) []byte {
	sum := sha256.Sum256(text)
	return append(hex.AppendEncode(b, sum[:]), '\n')
}

// letters of an id: none that looks like another.
const letters = "23456789abcdefghjkmnpqrstuvwxyz"

// begin makes the folder of a copy that is not whole yet, under an id that no other copy of the project has.
func begin(top string) (id, dir string, err error) {
	for n := range 20 {
		b := make([]byte, 4+n/10)
		rand.Read(b) // never fails
		for i := range b {
			b[i] = letters[int(b[i])%len(letters)]
		}
		id = string(b)
		if _, err := os.Lstat(filepath.Join(top, id)); err == nil {
			continue
		}
		dir = filepath.Join(top, id+partial)
		if err = os.Mkdir(dir, 0o700); !errors.Is(err, fs.ErrExist) {
			return id, dir, err
		}
	}
	return "", "", errors.New("snapshot: no free id")
}

// within says that p is dir or lies below it.
func within(p, dir string) bool {
	rest, ok := cutDir(p, dir)
	return ok && (rest == "" || rest[0] == '/')
}

func cutDir(p, dir string) (string, bool) {
	if dir == "/" {
		return p, true
	}
	if len(p) >= len(dir) && p[:len(dir)] == dir {
		return p[len(dir):], true
	}
	return "", false
}
