package session

import (
	"errors"
	"fmt"
	"strings"
)

// Chain is what Verify saw.
type Chain struct {
	Lines     int // that could be read
	Unchained int // of them written without the lock
	Bad       int // that could not be read: torn by a killed process, or damaged
	// First and Last are the sequence numbers of the first and the last chained line. First is more than 1 when older
	// generations are not there any more.
	First, Last int64
	// Hash is that of the last chained line.
	Hash string
}

// Verify checks the chain over the files of one session, oldest first: that every chained line counts on from the one
// before and holds its hash, and that the line which head names is there unchanged, unless head is zero. The first line
// that is not so is the error, a *LineError.
//
// It finds what was lost, changed or put in between. Whoever may write the record and the head can also write new ones:
// only a head that was kept elsewhere shows that.
func Verify(head Head, paths ...string) (Chain, error) {
	var c Chain
	var last []byte
	var end LineError // where the record ends
	for _, path := range paths {
		for raw, err := range rawLines(path) {
			l, err := raw.decode(err)
			var bad *LineError
			switch {
			case errors.As(err, &bad):
				c.Bad++
				continue
			case err != nil:
				return c, err
			}
			c.Lines++
			if !l.chained() {
				c.Unchained++
				continue
			}
			if err := c.next(l, last, head); err != nil {
				return c, &LineError{path, raw.n, err}
			}
			last, end = append(last[:0], raw.bytes...), LineError{Path: path, Line: raw.n}
			if l.Seq == head.Seq && !strings.EqualFold(head.Hash, lineHash(last)) {
				return c, &LineError{path, raw.n, fmt.Errorf("line %d is not the one that the head names: it was changed", l.Seq)}
			}
		}
	}
	if c.Last < head.Seq {
		if c.Lines == 0 && len(paths) > 0 {
			end.Path = paths[len(paths)-1]
		}
		end.Err = fmt.Errorf("the record ends at line %d and the head names line %d: the end was cut off", c.Last, head.Seq)
		return c, &end
	}
	c.Hash = lineHash(last)
	return c, nil
}

func (c *Chain) next(l Line, last []byte, head Head) error {
	switch {
	case last == nil && l.Seq == 1 && l.Prev != "":
		return errors.New("the first line names one before it")
	case last == nil:
		c.First = l.Seq
	case l.Seq > c.Last+1:
		return fmt.Errorf("seq is %d, want %d: line %d was removed or moved", l.Seq, c.Last+1, c.Last+1)
	case l.Seq <= c.Last:
		return fmt.Errorf("seq is %d, want %d: this line was moved or put in", l.Seq, c.Last+1)
	case !strings.EqualFold(l.Prev, lineHash(last)) && c.Last == head.Seq: // which was held against the head
		return fmt.Errorf("prev is not the hash of line %d, which is as the head names it: this line was put in", c.Last)
	case !strings.EqualFold(l.Prev, lineHash(last)):
		return fmt.Errorf("prev is not the hash of line %d: that line was changed", c.Last)
	}
	c.Last = l.Seq
	return nil
}
