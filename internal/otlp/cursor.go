package otlp

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"github.com/stepgate/stepgate/internal/safefile"
)

// exportDir is the folder of the state home that cursors are in.
const exportDir = "export"

// maxCursor bounds a cursor's file: some 300,000 session files.
const maxCursor = 32 << 20

// cursor remembers how far each session file was sent to one endpoint. It knows a file by its first line, which nothing
// changes: a file that is closed for a new one, or archived, keeps its place under the new name.
type cursor struct {
	endpoint Endpoint
	path     string
	unlock   func() error
	changed  bool
	files    map[string]mark
}

// mark is a place in a file, behind a line. The line's hash tells when the file is no longer what it was.
type mark struct {
	At   int64  `json:"at"`
	Len  int    `json:"len"`
	Hash string `json:"hash"`
}

type place struct {
	file string
	mark mark
}

// cursorFile is the cursor on disk.
type cursorFile struct {
	V        int             `json:"v"`
	Endpoint string          `json:"endpoint"`
	Files    map[string]mark `json:"files"`
}

// openCursor reads the cursor of an endpoint and keeps others from sending to it at the same time.
func openCursor(home string, e Endpoint) (*cursor, error) {
	dir, err := safefile.Dir(home, exportDir)
	if err != nil {
		return nil, err
	}
	base := filepath.Join(dir, hash([]byte(e.url)))
	lock := flock.New(base+".lock", flock.SetFlag(os.O_CREATE|os.O_RDWR|safefile.FlagNoFollow), flock.SetPermissions(0o600))
	if ok, err := lock.TryLock(); err != nil {
		return nil, fmt.Errorf("lock the cursor: %w", err)
	} else if !ok {
		return nil, fmt.Errorf("another export to %s is running", e.url)
	}
	c := &cursor{endpoint: e, path: base + ".json", unlock: lock.Close, files: map[string]mark{}}
	if err := c.load(); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return c, nil
}

func (c *cursor) load() error {
	b, err := safefile.Read(c.path, maxCursor)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var f cursorFile
	if err := json.Unmarshal(b, &f); err != nil || f.V != 1 {
		return fmt.Errorf("cursor %s cannot be read\nhint: rm it to send everything again", c.path)
	}
	if f.Files != nil {
		c.files = f.Files
	}
	return nil
}

func (c *cursor) close() {
	c.unlock() // the process's end does it otherwise
}

// save writes the cursor if it moved.
func (c *cursor) save() error {
	if !c.changed {
		return nil
	}
	b, err := json.Marshal(cursorFile{1, c.endpoint.url, c.files})
	if err == nil {
		err = safefile.Write(c.path, b)
	}
	if err != nil {
		return fmt.Errorf("keep how far was sent: %w", err)
	}
	c.changed = false
	return nil
}

func (c *cursor) set(p place) {
	c.files[p.file], c.changed = p.mark, true
}

// forget leaves out the files that are gone.
func (c *cursor) forget(seen map[string]bool) {
	for key := range c.files {
		if !seen[key] {
			delete(c.files, key)
			c.changed = true
		}
	}
}

// find says by which name the cursor knows a file, and up to where it was sent. A file that has no whole line yet has no
// name; one that shrank or was written anew begins at 0.
func (c *cursor) find(f *os.File) (key string, at int64, err error) {
	first, _, err := readLine(bufio.NewReaderSize(f, maxLine))
	if err == io.EOF {
		return "", 0, nil
	}
	if err != nil {
		return "", 0, err
	}
	key = hash(first)
	m, ok := c.files[key]
	if !ok || m.Len < 0 || m.Len > maxLine || m.At < int64(m.Len) {
		return key, 0, nil
	}
	last := make([]byte, m.Len)
	if _, err := f.ReadAt(last, m.At-int64(m.Len)); err != nil || hash(last) != m.Hash {
		return key, 0, nil
	}
	return key, m.At, nil
}

// markOf is the mark behind a line.
func markOf(line []byte, at int64) mark { return mark{at, len(line), hash(line)} }

func hash(b []byte) string {
	sum := sha256.Sum256(bytes.TrimSuffix(b, []byte{'\n'}))
	return hex.EncodeToString(sum[:12])
}
