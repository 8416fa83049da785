package session

import (
	"hash/fnv"
	"os"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/internal/jsonw"
	"github.com/stepgate/stepgate/internal/safefile"
	"github.com/stepgate/stepgate/redact"
)

// Bounds of what a session remembers of the files it made.
const (
	MaxCreates   = 16  // files a call
	maxMadePath  = 256 // bytes a path
	maxMadeLines = 256 // lines that are looked back at
)

// Made is a file that a call of the session made, as it stood when the call had ended.
type Made struct {
	Path  redact.Text `json:"path"`
	Inode int64       `json:"inode,omitempty"`
	Size  int64       `json:"size"`
	MTime int64       `json:"mtime"` // nanoseconds since 1970
}

// Stand gives a file as it stands now; false where there is no plain file.
func Stand(path redact.Text) (Made, bool) {
	fi, err := os.Lstat(path.String())
	if err != nil || !fi.Mode().IsRegular() {
		return Made{}, false
	}
	return Made{Path: path, Inode: inode(fi), Size: fi.Size(), MTime: fi.ModTime().UnixNano()}, true
}

// Creates bounds the paths that a call's line keeps.
func Creates(paths []redact.Text) []redact.Text {
	var out []redact.Text
	for _, p := range paths {
		if n := len(p.String()); n > 0 && n <= maxMadePath && len(out) < MaxCreates {
			out = append(out, p)
		}
	}
	return out
}

// MayHaveMade says that the session may have made a file: false is certain, and costs nothing.
func (t *Totals) MayHaveMade(path string) bool { return t.MadeBits&madeBit(path) != 0 }

// madeBit is a path's bit in the totals' filter.
func madeBit(path string) int64 {
	h := fnv.New64a()
	h.Write([]byte(path))
	return 1 << (h.Sum64() % 63)
}

// Made gives the files that calls of the session made, the newest first. Each line that tells some points at the one
// before, so that they are found wherever they stand. What cannot be read was not made.
func (f *File) Made(m Memory) []Made {
	if m.Totals.MadeAt == 0 || m.tail == nil {
		return nil
	}
	fh, err := safefile.Open(f.path(m.tail.gen), os.O_RDONLY)
	if err != nil {
		return nil
	}
	defer fh.Close()
	if fi, err := fh.Stat(); err != nil || !os.SameFile(fi, m.tail.file) {
		return nil // a new generation began
	}
	var out []Made
	for at, n := m.Totals.MadeAt, 0; at > 0 && n < maxMadeLines; n++ {
		raw, err := m.tail.lineAt(fh, at)
		if err != nil || !gjson.ValidBytes(raw) {
			break
		}
		v := gjson.GetManyBytes(raw, "kind", "made", "made_before")
		if v[0].Str != KindResult {
			break
		}
		var line []Made
		if !readList(v[1], &line, readMade) {
			break
		}
		out = append(out, line...)
		if v[2].Int() >= at {
			break
		}
		at = v[2].Int()
	}
	return out
}

func readMade(v gjson.Result, m *Made) bool {
	return readObject(v, func(name string, v gjson.Result) bool {
		switch name {
		case "path":
			return m.Path.UnmarshalJSON([]byte(v.Raw)) == nil
		case "inode":
			return readNumber(v, &m.Inode)
		case "size":
			return readNumber(v, &m.Size)
		case "mtime":
			return readNumber(v, &m.MTime)
		}
		return true
	})
}

func (m *Made) append(b []byte) []byte {
	o := jsonw.Begin(b)
	o.Str("path", m.Path.String())
	o.OptInt("inode", m.Inode)
	o.Int("size", m.Size)
	o.Int("mtime", m.MTime)
	return o.End()
}
