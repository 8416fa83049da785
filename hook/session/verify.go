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
}

// Verify checks the chain over the files of one session, oldest first: that every chained line counts on from the one
// before and holds its hash. The first line that does not is the error, a *LineError.
//
// It finds what was lost, changed or put in between by accident. Whoever may write the file can also write a new chain.
func Verify(paths ...string) (Chain, error) {
	var c Chain
	var last []byte
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
			if err := c.next(l, last); err != nil {
				return c, &LineError{path, raw.n, err}
			}
			last = append(last[:0], raw.bytes...)
		}
	}
	return c, nil
}

func (c *Chain) next(l Line, last []byte) error {
	switch {
	case last == nil && l.Seq == 1 && l.Prev != "":
		return errors.New("the first line names one before it")
	case last == nil:
		c.First = l.Seq
	case l.Seq != c.Last+1:
		return fmt.Errorf("seq is %d, want %d", l.Seq, c.Last+1)
	case !strings.EqualFold(l.Prev, lineHash(last)):
		return fmt.Errorf("prev is not the hash of line %d: that line was changed", c.Last)
	}
	c.Last = l.Seq
	return nil
}
