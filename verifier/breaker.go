package verifier

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"slices"
	"time"

	"github.com/stepgate/stepgate/internal/safefile"
)

const (
	// openAfter failures in a row the breaker opens, so that an outage costs two deadlines and not one a call.
	openAfter = 2
	// openFor is how long it stays open before one call tries again.
	openFor = time.Minute
	// maxCircuits bounds the judges remembered; more than a few are not in use on one machine.
	maxCircuits = 8
	// maxHealth bounds the state file, in bytes.
	maxHealth = 4 << 10
)

// Breaker keeps calls away from a judge that is down. Its state is a small file that all processes of a user share; two
// that write at the same moment can lose a count, which costs one more deadline. An unreadable file is a closed breaker.
type Breaker struct {
	// Path is the state file. It is replaced as a whole.
	Path string
	// Judge and BaseURL say whose health this is.
	Judge, BaseURL string
	// Now is the clock; nil is the real one.
	Now func() time.Time
}

// circuit is one judge's health; a healthy judge has none.
type circuit struct {
	// Key is a hash, because an address can hold more than a host.
	Key      string `json:"key"`
	Failures int    `json:"failures"`
	// Until is when the next try is due, in Unix milliseconds; 0 while the breaker is closed.
	Until int64 `json:"until,omitempty"`
}

// Allow tells whether the judge may be asked. After openFor the first process that asks gets to try, the others go on
// waiting for its result.
func (b Breaker) Allow() bool {
	all := b.load()
	i := b.find(all)
	if i < 0 || all[i].Until == 0 {
		return true
	}
	now := b.now()
	until := time.UnixMilli(all[i].Until)
	if now.Before(until) && until.Sub(now) <= openFor { // further ahead: the clock was set back
		return false
	}
	all[i].Until = now.Add(openFor).UnixMilli()
	b.save(all)
	return true
}

// Open tells whether calls are kept away now, without taking a try.
func (b Breaker) Open() bool {
	all := b.load()
	i := b.find(all)
	return i >= 0 && all[i].Until != 0 && b.now().Before(time.UnixMilli(all[i].Until))
}

// Record takes the result of a call that was allowed. It writes only when the state changes.
func (b Breaker) Record(err error) {
	all := b.load()
	i := b.find(all)
	switch {
	case err == nil && i < 0, err != nil && !Outage(err):
		return
	case err == nil:
		all = slices.Delete(all, i, i+1)
	default:
		if i < 0 {
			all = append(all[max(0, len(all)-maxCircuits+1):], circuit{Key: b.key()})
			i = len(all) - 1
		}
		if all[i].Failures++; all[i].Failures >= openAfter {
			all[i].Failures = openAfter
			all[i].Until = b.now().Add(openFor).UnixMilli()
		}
	}
	b.save(all)
}

func (b Breaker) now() time.Time {
	if b.Now != nil {
		return b.Now()
	}
	return time.Now()
}

func (b Breaker) key() string {
	sum := sha256.Sum256([]byte(b.Judge + "\x00" + b.BaseURL))
	return hex.EncodeToString(sum[:8])
}

func (b Breaker) find(all []circuit) int {
	key := b.key()
	return slices.IndexFunc(all, func(c circuit) bool { return c.Key == key })
}

func (b Breaker) load() []circuit {
	data, err := safefile.Read(b.Path, maxHealth)
	if err != nil {
		return nil
	}
	var all []circuit
	if json.Unmarshal(data, &all) != nil || len(all) > maxCircuits {
		return nil
	}
	return all
}

func (b Breaker) save(all []circuit) {
	data, err := json.Marshal(all)
	if err != nil {
		return
	}
	// A state that cannot be kept costs time on the next call and never changes a decision.
	if _, err := safefile.Dir(filepath.Dir(b.Path)); err == nil {
		_ = safefile.Write(b.Path, data)
	}
}
