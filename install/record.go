package install

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/stepgate/stepgate/internal/safefile"
)

// record is what was there before an install, kept in the state folder: agent settings can hold secrets, so it is as
// private as the rest of it.
type record struct {
	Path    string `json:"path"`
	Existed bool   `json:"existed"`
	Before  []byte `json:"before"` // base64 in the file
	After   []byte `json:"after"`
}

func (c Change) recordPath() string {
	sum := sha256.Sum256([]byte(c.Real))
	return filepath.Join(c.state, "installed", c.Agent+"-"+hex.EncodeToString(sum[:6])+".json")
}

// recall reads the record of the last install into this file.
func (c Change) recall() (record, bool) {
	if c.state == "" {
		return record{}, false
	}
	b, err := safefile.Read(c.recordPath(), 4*maxSettings)
	if err != nil {
		return record{}, false
	}
	var r record
	return r, json.Unmarshal(b, &r) == nil && r.Path == c.Real
}

// remember keeps the file from before. A second install over the first keeps the first one's, as long as nothing else
// has changed in between; otherwise before is what the file would be without us.
func (c Change) remember() error {
	r := record{Path: c.Real, Existed: c.Existed, Before: c.Before, After: c.After}
	if old, ok := c.recall(); ok && c.Existed && string(old.After) == string(c.Before) {
		r.Existed, r.Before = old.Existed, old.Before
	} else if without, err := take(string(c.Before), c.Agent); c.Existed && err == nil {
		r.Before = []byte(without)
	}
	if _, err := safefile.Dir(c.state, "installed"); err != nil {
		return err
	}
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return safefile.Write(c.recordPath(), b)
}

func (c Change) forget() {
	// A record left behind is used only while the file still is what it describes.
	_ = os.Remove(c.recordPath())
}

// Backup is where Apply keeps the file from before.
func (c Change) Backup() string { return c.recordPath() }
