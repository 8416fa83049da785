package effect

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// maxIndex bounds an index that is read here, in bytes: about half a million entries.
const maxIndex = 64 << 20

// readIndex reads a work tree's index from its file, which is far quicker than to have git print it. It is false for
// what only git can tell: another hash than SHA-1, an index in parts, and one that is not whole.
func readIndex(root, under string) (files map[string]tracked, ok bool) {
	f, err := os.Open(filepath.Join(gitDir(root), "index"))
	if err != nil {
		return nil, false
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil || !fi.Mode().IsRegular() || fi.Size() > maxIndex || strings.Contains(readBounded(filepath.Join(commonDir(root), "config")), "sha256") {
		return nil, false
	}
	b := make([]byte, fi.Size()) // git never writes to it in place
	if _, err := io.ReadFull(f, b); err != nil || len(b) < 12+sha1.Size || string(b[:4]) != "DIRC" {
		return nil, false
	}
	body, sum := b[:len(b)-sha1.Size], b[len(b)-sha1.Size:]
	if real := sha1.Sum(body); !bytes.Equal(real[:], sum) && !bytes.Equal(sum, make([]byte, sha1.Size)) {
		return nil, false
	}
	prefix := ""
	if under != root {
		if prefix, err = filepath.Rel(root, under); err != nil {
			return nil, false
		}
	}
	return indexEntries(body, prefix)
}

// indexEntries reads the entries of an index at or below a path, all without one.
func indexEntries(b []byte, prefix string) (files map[string]tracked, ok bool) {
	version, n := binary.BigEndian.Uint32(b[4:]), binary.BigEndian.Uint32(b[8:])
	if version < 2 || version > 4 {
		return nil, false
	}
	const fixed = 62
	files = map[string]tracked{}
	if prefix == "" { // made as large as it gets at once, but never larger than the file can fill
		files = make(map[string]tracked, min(int(n), len(b)/fixed))
	}
	var name []byte
	b = b[12:]
	for ; n > 0; n-- {
		if len(b) < fixed+2 {
			return nil, false
		}
		flags, head := binary.BigEndian.Uint16(b[60:]), fixed
		if flags&0x4000 != 0 { // two more bytes of flags
			head += 2
		}
		rest := b[head:]
		if version == 4 { // the name begins as the one before
			drop, used := prefixDrop(rest)
			if used == 0 || drop > len(name) {
				return nil, false
			}
			name, rest = name[:len(name)-drop], rest[used:]
		} else {
			name = name[:0]
		}
		end := bytes.IndexByte(rest, 0)
		if end < 0 {
			return nil, false
		}
		name = append(name, rest[:end]...)
		size := len(b) - len(rest) + end + 1
		if version < 4 { // padded to eight bytes
			size = (head + end + 8) &^ 7
		}
		if size > len(b) {
			return nil, false
		}
		if p := string(name); prefix == "" || p == prefix || strings.HasPrefix(p, prefix+"/") {
			files[p] = indexEntry(b, flags)
		}
		b = b[size:]
	}
	return files, known(b)
}

func indexEntry(b []byte, flags uint16) tracked {
	u := func(at int) int64 { return int64(binary.BigEndian.Uint32(b[at:])) }
	t := tracked{mtime: [2]int64{u(8), u(12)}, size: u(36)}
	switch u(24) >> 12 {
	case 0xA:
		t.mode = "120000"
	case 0xE:
		t.mode = "160000"
	default:
		t.mode = "100644"
	}
	if flags&0x3000 == 0 { // an entry of an unfinished merge is never clean
		t.hash = hex.EncodeToString(b[40:60])
	}
	return t
}

// prefixDrop reads how many bytes a name of version 4 takes off the one before, and how long that number is.
func prefixDrop(b []byte) (n, used int) {
	for i := 0; i < len(b) && i < 5; i++ {
		n |= int(b[i] & 0x7f)
		if b[i] < 0x80 {
			return n, i + 1
		}
		n = (n + 1) << 7
	}
	return 0, 0
}

// known says that what follows the entries need not be understood: its names begin with a capital.
func known(b []byte) bool {
	for len(b) >= 8 {
		size := int64(binary.BigEndian.Uint32(b[4:]))
		if b[0] < 'A' || b[0] > 'Z' || size > int64(len(b)-8) {
			return false
		}
		b = b[8+size:]
	}
	return len(b) == 0
}
