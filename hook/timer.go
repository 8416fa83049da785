package hook

import "time"

// timer measures the stages of a line in milliseconds.
type timer struct {
	now  func() time.Time
	last time.Time
	ms   map[string]int64
}

func newTimer(now func() time.Time) *timer {
	return &timer{now: now, last: now(), ms: map[string]int64{}}
}

func (t *timer) lap(stage string) {
	n := t.now()
	t.ms[stage] += n.Sub(t.last).Milliseconds()
	t.last = n
}
