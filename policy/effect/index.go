package effect

import (
	"crypto/sha1"
	"encoding/hex"
	"io"
	"path/filepath"
	"strconv"
	"strings"
)

// maxIndex bounds an index that is read here, in bytes: about half a million entries.
const maxIndex = 64 << 20

// tracked is one entry of the index, as far as it is looked at.
type tracked struct {
	name  string
	hash  string    // in bytes; empty for an entry of an unfinished merge, which is never clean
	mtime [2]uint32 // seconds, nanoseconds
	size  uint32
	kind  kind
}

// kind is what an entry is: the upper four bits of its mode.
type kind uint8

const (
	symlink kind = 0xA
	gitlink kind = 0xE
)

// index is what a work tree's index holds at or below a path.
type index struct {
	entries []tracked // by name
	tree    string    // the tree that the whole index makes, where it is known; in hexadecimal
}

// add appends an entry; the stages of an unfinished merge become one. It is false for an entry out of git's order.
func (x *index) add(t tracked) bool {
	if n := len(x.entries); n > 0 {
		switch last := &x.entries[n-1]; strings.Compare(last.name, t.name) {
		case 0:
			*last = t
			return true
		case 1:
			return false
		}
	}
	x.entries = append(x.entries, t)
	return true
}

// find looks an entry up by its name.
func (x *index) find(name string) (tracked, bool) {
	lo, hi := 0, len(x.entries)
	for lo < hi {
		if mid := (lo + hi) / 2; x.entries[mid].name < name {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == len(x.entries) || x.entries[lo].name != name {
		return tracked{}, false
	}
	return x.entries[lo], true
}

// readIndex reads a work tree's index from its file, which is far quicker than to have git print it. It is false for
// what only git can tell: another hash than SHA-1, an index in parts, and one that is not whole.
func readIndex(root, under string) (x index, ok bool) {
	f, size, err := openFile(filepath.Join(gitDir(root), "index"))
	if err != nil {
		return index{}, false
	}
	defer f.Close()
	if size > maxIndex || strings.Contains(readBounded(filepath.Join(commonDir(root), "config")), "sha256") {
		return index{}, false
	}
	body, ok := readSummed(f, int(size))
	if !ok {
		return index{}, false
	}
	prefix := ""
	if under != root {
		if prefix, err = filepath.Rel(root, under); err != nil {
			return index{}, false
		}
	}
	return indexEntries(body, prefix)
}

// readSummed reads a file of a size whose last bytes are the SHA-1 of those before, or nought. Git never writes to it in
// place.
func readSummed(f io.Reader, size int) (body string, ok bool) {
	if size < 12+sha1.Size {
		return "", false
	}
	var text strings.Builder // the names of the entries stay where they are read
	text.Grow(size)
	h := sha1.New()
	if _, err := io.CopyN(&text, io.TeeReader(f, h), int64(size-sha1.Size)); err != nil {
		return "", false
	}
	var sum [sha1.Size]byte
	if _, err := io.ReadFull(f, sum[:]); err != nil || sum != [sha1.Size]byte{} && sum != [sha1.Size]byte(h.Sum(nil)) {
		return "", false
	}
	return text.String(), true
}

// u32 reads a number as the index has it.
func u32(s string, at int) uint32 {
	return uint32(s[at])<<24 | uint32(s[at+1])<<16 | uint32(s[at+2])<<8 | uint32(s[at+3])
}

// indexEntries reads the entries of an index at or below a path, all without one. Their texts are parts of b.
func indexEntries(b, prefix string) (x index, ok bool) {
	const header, fixed = 12, 62
	if len(b) < header || b[:4] != "DIRC" {
		return index{}, false
	}
	version, n := u32(b, 4), u32(b, 8)
	if version < 2 || version > 4 {
		return index{}, false
	}
	if prefix == "" { // made as large as it gets at once, but never larger than the file can fill
		x.entries = make([]tracked, 0, min(int(n), len(b)/fixed))
	}
	var name []byte // of the entry before, in version 4
	b = b[header:]
	for range n {
		if len(b) < fixed+2 {
			return index{}, false
		}
		flags, head := uint16(b[60])<<8|uint16(b[61]), fixed
		if flags&0x4000 != 0 { // two more bytes of flags
			head += 2
		}
		rest, drop := b[head:], 0
		if version == 4 { // the name begins as the one before
			n, used := prefixDrop(rest)
			if used == 0 || n > len(name) {
				return index{}, false
			}
			rest, drop = rest[used:], n
		}
		end := strings.IndexByte(rest, 0)
		if end < 0 {
			return index{}, false
		}
		p, size := rest[:end], len(b)-len(rest)+end+1
		if version == 4 {
			name = append(name[:len(name)-drop], p...)
			p = string(name)
		} else {
			size = (head + end + 8) &^ 7 // padded to eight bytes
		}
		if size > len(b) {
			return index{}, false
		}
		if prefix == "" || p == prefix || len(p) > len(prefix) && p[len(prefix)] == '/' && p[:len(prefix)] == prefix {
			if !x.add(indexEntry(p, b, flags)) {
				return index{}, false
			}
		}
		b = b[size:]
	}
	x.tree, ok = extensions(b, int(n))
	return x, ok
}

func indexEntry(name, b string, flags uint16) tracked {
	t := tracked{name: name, mtime: [2]uint32{u32(b, 8), u32(b, 12)}, size: u32(b, 36), kind: kind(b[26] >> 4)}
	if flags&0x3000 == 0 {
		t.hash = b[40:60]
	}
	return t
}

// prefixDrop reads how many bytes a name of version 4 takes off the one before, and how long that number is.
func prefixDrop(b string) (n, used int) {
	for i := 0; i < len(b) && i < 5; i++ {
		n |= int(b[i] & 0x7f)
		if b[i] < 0x80 {
			return n, i + 1
		}
		n = (n + 1) << 7
	}
	return 0, 0
}

// extensions reads what follows the entries. It is false for what must be understood, whose name does not begin with a
// capital. Of the rest, only the tree that the n entries make is of use.
func extensions(b string, n int) (tree string, ok bool) {
	for len(b) >= 8 {
		size := int64(u32(b, 4))
		if b[0] < 'A' || b[0] > 'Z' || size > int64(len(b)-8) {
			return "", false
		}
		if b[:4] == "TREE" {
			tree = wholeTree(b[8:8+size], n)
		}
		b = b[8+size:]
	}
	return tree, len(b) == 0
}

// wholeTree reads the tree of the root out of git's memory of written trees, which is there until an entry changes. Git
// goes by the same memory when it compares.
func wholeTree(b string, n int) string {
	counts, rest, ok := strings.Cut(b, "\n")
	counts, isRoot := strings.CutPrefix(counts, "\x00")
	entries, _, _ := strings.Cut(counts, " ")
	if !ok || !isRoot || entries != strconv.Itoa(n) || len(rest) < sha1.Size {
		return ""
	}
	return hex.EncodeToString([]byte(rest[:sha1.Size]))
}
