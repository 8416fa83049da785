package effect

import (
	"slices"
	"strings"
	"sync"
)

// Bounds of what is remembered of one call.
const (
	maxFound  = 4000     // look-ups
	maxRecall = 64 << 10 // bytes of an answer of git
)

// once looks something up the first time it is asked for, as nothing changes while a call is looked at. The key names the
// look-up and all that its answer depends on.
func (l *looker) once(key string, look func() []Effect) []Effect {
	found, known := l.found[key]
	if !known {
		found = look()
		if l.found == nil {
			l.found = map[string][]Effect{}
		}
		if len(l.found) < maxFound {
			l.found[key] = found
		}
	}
	out := slices.Clone(found) // whoever asks may add to what a copy must hold
	for i := range out {
		k := &out[i].Keep
		k.Paths, k.Lost, k.Changed = slices.Clip(k.Paths), slices.Clip(k.Lost), slices.Clip(k.Changed)
	}
	return out
}

// recalled puts each question to git once. Two may be put at a time.
type recalled struct {
	repo Repo
	mu   sync.Mutex
	said map[string]answer
}

type answer struct {
	out []byte
	err error
}

func (r *recalled) Git(dir string, args ...string) ([]byte, error) {
	key := dir + "\x00" + strings.Join(args, "\x00")
	r.mu.Lock()
	a, known := r.said[key]
	r.mu.Unlock()
	if known {
		return a.out, a.err
	}
	a.out, a.err = r.repo.Git(dir, args...)
	if len(a.out) <= maxRecall {
		r.mu.Lock()
		if r.said == nil {
			r.said = map[string]answer{}
		}
		if len(r.said) <= 2*maxAsked {
			r.said[key] = a
		}
		r.mu.Unlock()
	}
	return a.out, a.err
}
