package report

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"github.com/stepgate/stepgate/internal/safefile"
)

// A record is read in blocks of whole lines. Several are parsed at once and handed on in order, so the counting itself
// needs no locks and gives the same report on any machine. The blocks are used again and again, so what they take does
// not grow with the record, and what outlives a line must be copied out of it.
const (
	blockBytes = 1 << 20
	maxLine    = 256 << 10 // a longer line is none that the gate wrote
	maxEntries = 4096      // parsed of a block at once
)

// block is a run of lines of one file.
type block struct {
	file     int // index in the list of files
	from, to int64
	buf      []byte // lines, and the beginning of one more
	size     int    // of the lines
	rest     string // lines that are not parsed yet
	entries  []entry
	err      error
	parsed   chan struct{}
}

// place is where a line stands.
type place struct {
	file     int
	line     int   // from 1, where reading begins
	from, to int64 // of its block in the file
}

// part is what is read of one file.
type part struct {
	path     string
	file     int
	from, to int64
}

// whole are all lines of files.
func whole(paths []string) []part {
	parts := make([]part, len(paths))
	for i, p := range paths {
		parts[i] = part{path: p, file: i, to: math.MaxInt64}
	}
	return parts
}

// stream reads parts of different files and gives their entries in order to each, which may keep no text of them.
// progress is told the bytes that were read so far.
func stream(parts []part, progress func(int64), each func(place, *entry)) error {
	workers := max(1, runtime.GOMAXPROCS(0))
	blocks := 2*workers + 2
	order, work, free := make(chan *block, blocks), make(chan *block, blocks), make(chan *block, blocks)
	for range blocks {
		free <- &block{parsed: make(chan struct{}, 1)}
	}
	for range workers {
		go func() {
			for b := range work {
				b.parse()
				b.parsed <- struct{}{}
			}
		}()
	}
	quit := make(chan struct{})
	defer close(quit)
	next := func() *block {
		select {
		case b := <-free:
			return b
		case <-quit:
			return nil
		}
	}
	give := func(b *block) { // never waits: a channel takes all the blocks there are
		work <- b
		order <- b
	}
	go func() {
		defer close(order)
		defer close(work)
		for _, p := range parts {
			if !p.read(next, give) {
				return
			}
		}
	}()
	var read int64
	at := place{file: -1}
	for b := range order {
		<-b.parsed
		if b.file != at.file {
			at.line = 0
		}
		at = place{b.file, at.line, b.from, b.to}
		for len(b.entries) > 0 {
			for i := range b.entries {
				at.line++
				each(at, &b.entries[i])
			}
			b.parse() // only lines that are very short leave something
		}
		if b.err != nil {
			return b.err
		}
		if read += int64(b.size); progress != nil {
			progress(read)
		}
		free <- b
	}
	return nil
}

// parse reads the next lines of the block; empty ones are passed over but counted.
func (b *block) parse() {
	b.entries = b.entries[:0]
	for b.rest != "" && len(b.entries) < maxEntries {
		line, rest, _ := strings.Cut(b.rest, "\n")
		b.rest = rest
		e := b.entry()
		switch {
		case strings.TrimSpace(line) == "":
			e.unfit = empty
		case len(line) > maxLine:
			e.unfit = "too long"
		default:
			e.parse(line)
		}
	}
}

// entry is one more of the block, with nothing in it.
func (b *block) entry() *entry {
	n := len(b.entries)
	if n == cap(b.entries) {
		b.entries = slices.Grow(b.entries, n+blockBytes/2048)
	}
	b.entries = b.entries[:n+1]
	b.entries[n].clear()
	return &b.entries[n]
}

// empty stands for an empty line, which is no fault.
const empty = "empty"

// read cuts the part into blocks of whole lines, which it gets from next. It ends early when there is none, and then gives
// false.
func (p part) read(next func() *block, give func(*block)) bool {
	fh, err := safefile.Open(p.path, os.O_RDONLY)
	if err == nil {
		defer fh.Close()
	}
	in := io.NewSectionReader(fh, p.from, p.to-p.from)
	pos := p.from
	var carry []byte // what is read of a line without its end
	for last := false; !last; {
		b := next()
		if b == nil {
			return false
		}
		b.file, b.from, b.size, b.err = p.file, pos-int64(len(carry)), 0, err
		b.buf = append(b.buf[:0], carry...)
		for last = err != nil; !last && b.size == 0; {
			var n int
			n, last, b.err = b.fill(in)
			pos += int64(n)
		}
		carry = append(carry[:0], b.buf[b.size:]...)
		b.to = pos - int64(len(carry))
		b.rest = unsafe.String(unsafe.SliceData(b.buf), b.size) // nobody writes to it before the block comes back
		give(b)
	}
	return true
}

// fill reads n more bytes of the part, and tells whether they were the last.
func (b *block) fill(in io.Reader) (n int, last bool, err error) {
	held := len(b.buf)
	if held > 4*blockBytes { // one line of many megabytes: what is held of it is given up, its number is kept
		held = maxLine + 1
	}
	b.buf = slices.Grow(b.buf[:held], blockBytes)
	n, err = io.ReadFull(in, b.buf[held:held+blockBytes])
	b.buf = b.buf[:held+n]
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		b.size = len(b.buf)
		return n, true, nil
	case err != nil:
		return n, true, err
	}
	b.size = bytes.LastIndexByte(b.buf, '\n') + 1
	return n, false, nil
}
