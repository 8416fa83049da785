package report

import (
	"bytes"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"unsafe"

	"github.com/stepgate/stepgate/internal/safefile"
)

// A record is read in blocks of whole lines. Several are parsed at once and handed on in order, so the counting itself
// needs no locks and gives the same report on any machine.
const (
	blockBytes = 1 << 20
	maxLine    = 256 << 10 // a longer line is none that the gate wrote
)

// block is a run of lines of one file.
type block struct {
	file    int // index in the list of files
	line    int // number of the first line in the file, from 1
	text    string
	entries []entry
	last    bool // no more of this file
	err     error
	done    chan struct{}
}

// stream reads files and gives their entries in order to each; each is also told when a file ends, with a nil entry.
// progress is told the bytes that were read so far.
func stream(paths []string, progress func(int64), each func(file, line int, e *entry)) error {
	workers := max(1, runtime.GOMAXPROCS(0))
	order := make(chan *block, 2*workers)
	work := make(chan *block, workers)
	for range workers {
		go func() {
			for b := range work {
				b.parse()
				close(b.done)
			}
		}()
	}
	quit := make(chan struct{})
	go func() {
		defer close(order)
		defer close(work)
		for i, p := range paths {
			if !readBlocks(p, i, func(b *block) bool {
				select {
				case order <- b:
				case <-quit:
					return false
				}
				work <- b
				return true
			}) {
				return
			}
		}
	}()
	defer close(quit)
	var read int64
	for b := range order {
		<-b.done
		for i := range b.entries {
			each(b.file, b.line+i, &b.entries[i])
		}
		if b.err != nil {
			return b.err
		}
		if read += int64(len(b.text)); progress != nil {
			progress(read)
		}
		if b.last {
			each(b.file, 0, nil)
		}
	}
	return nil
}

// parse reads the block's lines; empty ones are passed over but counted.
func (b *block) parse() {
	b.entries = make([]entry, 0, len(b.text)/600+1)
	for rest := b.text; rest != ""; {
		line := rest
		if i := strings.IndexByte(rest, '\n'); i >= 0 {
			line, rest = rest[:i], rest[i+1:]
		} else {
			rest = ""
		}
		switch {
		case strings.TrimSpace(line) == "":
			b.entries = append(b.entries, entry{unfit: empty})
		case len(line) > maxLine:
			b.entries = append(b.entries, entry{unfit: "too long"})
		default:
			b.entries = append(b.entries, parseEntry(line))
		}
	}
}

// empty stands for an empty line, which is no fault.
const empty = "empty"

// readBlocks cuts a file into blocks of whole lines. It ends early when give says so, and then gives false.
func readBlocks(path string, file int, give func(*block) bool) bool {
	send := func(line int, text string, last bool, err error) bool {
		return give(&block{file: file, line: line, text: text, last: last, err: err, done: make(chan struct{})})
	}
	fh, err := safefile.Open(path, os.O_RDONLY)
	if err != nil {
		return send(1, "", true, err)
	}
	defer fh.Close()
	line, carry := 1, []byte(nil)
	for {
		buf := make([]byte, len(carry)+blockBytes)
		n, err := io.ReadFull(fh, buf[copy(buf, carry):])
		buf = buf[:len(carry)+n]
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return send(line, text(buf), true, nil)
		case err != nil:
			return send(line, "", true, err)
		}
		end := bytes.LastIndexByte(buf, '\n') + 1
		if end == 0 && len(buf) > 4*blockBytes {
			// A line of many megabytes: what is held of it is given up, its number is kept.
			carry = buf[:maxLine+1]
			continue
		}
		if end > 0 {
			if !send(line, text(buf[:end]), false, nil) {
				return false
			}
			line += bytes.Count(buf[:end], []byte{'\n'})
		}
		carry = buf[end:]
	}
}

// text gives bytes that nobody writes to any more as a string.
func text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
