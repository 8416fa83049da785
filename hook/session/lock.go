package session

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/stepgate/stepgate/internal/safefile"
)

// errLocked says that another process held the lock all through the wait.
var errLocked = errors.New("session is locked by another process")

// lock takes the session's lock, alone or together with other readers, and waits for it no longer than LockWait. After
// one wait in vain it tries once each time: whoever holds the lock so long is not about to give it up, and a call has
// several lines.
//
// It is one of 256 files that all sessions share, picked by the session's name: a file of its own would have to be
// cleared away some day, and that cannot be done without a race; the session file itself is renamed by a rotation, and
// on Windows a locked file cannot even be read. A lock dies with its process, so nothing is ever stuck.
func (f *File) lock(alone bool) (unlock func(), err error) {
	if f.store.Dir == "" {
		return nil, errNoHome
	}
	h := sha256.Sum256([]byte(f.name))
	path := filepath.Join(f.store.Dir, locksDir, hex.EncodeToString(h[:1])+".lock")
	fl := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR|safefile.FlagNoFollow), flock.SetPermissions(0o600))
	try := fl.TryRLock
	if alone {
		try = fl.TryLock
	}
	end := time.Now().Add(f.store.lockWait())
	if f.late {
		end = time.Time{}
	}
	for pause := time.Millisecond; ; pause = min(2*pause, 5*time.Millisecond) {
		f.tries++
		ok, err := try()
		switch {
		case ok:
			return func() { fl.Close() }, nil
		case errors.Is(err, errors.ErrUnsupported):
			return func() {}, nil // a file system without locks: better a memory that two hooks at once may tear
		case err != nil:
			return nil, fmt.Errorf("lock the session: %w", err)
		case time.Now().After(end):
			f.late = true
			return nil, errLocked
		}
		time.Sleep(pause)
	}
}
