package session

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Folders of the state home.
const (
	sessionsDir = "sessions"
	archiveDir  = "archive"
	locksDir    = "locks"
	keysDir     = "keys"
	headsDir    = "heads"
)

// ext ends the name of every session file, of every generation.
const ext = ".jsonl"

// maxProjects bounds the project folders that are looked through for a session.
const maxProjects = 4096

// Store is where the session files of a user are.
type Store struct {
	// Dir is the state home.
	Dir string
	// Now is the clock for the lines; nil for time.Now.
	Now func() time.Time
	// LockWait bounds the wait for another process; 0 for one second.
	LockWait time.Duration
	// MaxBytes is the size from which a file is closed and a new generation begun; 0 for 50 MB.
	MaxBytes int64
	// Light keeps only what memory needs, and that until the session ends (audit_log = false).
	Light bool
	// CopyTo is a folder that gets every line too, or empty (log_dir).
	CopyTo string
}

const (
	defaultLockWait = time.Second // 32 hooks at once wait their turn even where the machine is busy
	defaultMaxBytes = 50 << 20
	lightMaxBytes   = 256 << 10
)

func (s *Store) now() time.Time {
	if s.Now == nil {
		return time.Now()
	}
	return s.Now()
}

func (s *Store) lockWait() time.Duration {
	if s.LockWait == 0 {
		return defaultLockWait
	}
	return s.LockWait
}

func (s *Store) maxBytes() int64 {
	n := s.MaxBytes
	if n == 0 {
		n = defaultMaxBytes
	}
	if s.Light {
		n = min(n, lightMaxBytes)
	}
	return n
}

// File is one session's file: the generation that is written now and the older ones beside it. It is not safe for
// concurrent use; several of them, in any number of processes, are.
type File struct {
	store   *Store
	session string
	project string // name of the project's folder
	name    string // the session's id, made safe for a path
	secret  []byte
	late    bool    // the lock was waited for in vain
	tries   int     // to take the lock, for tests
	last    *Memory // what was read last; good as long as the file has not changed
}

// Find gives the file of a session: the one in the folder of this project, or else the one in any other project's
// folder, because a session may be told of by a changed root; or else the first, which need not exist. It creates
// nothing.
func (s *Store) Find(session, root string) *File {
	f := &File{store: s, session: safeName(session), project: projectName(root), name: fileName(session)}
	if s.Dir == "" || f.exists() {
		return f
	}
	projects, _ := readDir(filepath.Join(s.Dir, sessionsDir), maxProjects) // what could be read is looked through
	for _, p := range projects {
		other := *f
		other.project = p.Name()
		if p.IsDir() && other.exists() {
			return &other
		}
	}
	return f
}

// Path is the file that is written now.
func (f *File) Path() string { return f.path(0) }

// Project is the name of the project's folder.
func (f *File) Project() string { return f.project }

// path is the file of a generation, 1 the oldest; 0 is the one that is written now.
func (f *File) path(gen int) string {
	name := f.name + ext
	if gen > 0 {
		name = f.name + "." + strconv.Itoa(gen) + ext
	}
	return filepath.Join(f.store.Dir, sessionsDir, f.project, name)
}

// exists says whether there is a file of the session here. The first older generation counts: between a rename and the
// next there is no other.
func (f *File) exists() bool { return exists(f.path(0)) || exists(f.path(1)) }

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// fileName makes a session id safe as a name in a folder of any system. An id of small letters, digits, '-' and '_', as
// all agents send, stays as it is; any other, and one short enough to be a device on Windows, gets a hash behind what
// can be kept of it, so that no two ids share a name. A '.' never stays: it parts the name from the generation.
func fileName(id string) string {
	const longest = 100
	clean, same := slug(id, longest), len(id) > 4 && len(id) <= longest
	for i := 0; same && i < len(id); i++ {
		same = id[i] == clean[i] && (id[i] < 'A' || id[i] > 'Z')
	}
	if same {
		return clean
	}
	return strings.TrimLeft(clean+"-"+shortHash(id), "-")
}

// projectName is a readable name of a project's folder: the last element of its root and a hash of the whole.
func projectName(root string) string {
	if root == "" {
		return "no-project"
	}
	return strings.TrimLeft(slug(filepath.Base(root), 40)+"-"+shortHash(root), "-")
}

// slug keeps letters, digits, '-' and '_' of the first n bytes of s and puts '-' for every other byte.
func slug(s string, n int) string {
	b := []byte(s[:min(len(s), n)])
	for i, c := range b {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_') {
			b[i] = '-'
		}
	}
	return string(b)
}

func shortHash(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:4])
}

// maxName bounds a name in a line: a tool, an id, a model.
const maxName = 160

// safeName gives a name that costs no more bytes in a line than it has and cannot upset a terminal: printable ASCII
// without quotes and backslashes, not too long. Any other keeps what can be kept and gets a hash behind it, so that
// two names stay two.
func safeName(s string) string {
	clean := len(s) <= maxName
	for i := 0; clean && i < len(s); i++ {
		clean = printable(s[i])
	}
	if clean {
		return s
	}
	b := []byte(s[:min(len(s), maxName-10)])
	for i, c := range b {
		if !printable(c) {
			b[i] = '?'
		}
	}
	return string(b) + "~" + shortHash(s)
}

func printable(c byte) bool { return ' ' <= c && c <= '~' && c != '"' && c != '\\' }
