package hook

import "time"

// timer measures the stages of a line.
type timer struct {
	now  func() time.Time
	last time.Time
	took map[string]time.Duration
}

func newTimer(now func() time.Time) *timer {
	return &timer{now: now, last: now(), took: map[string]time.Duration{}}
}

func (t *timer) lap(stage string) {
	n := t.now()
	t.took[stage] += n.Sub(t.last)
	t.last = n
}

// millis gives the milliseconds of each stage, to a hundredth: most stages take less than one.
func millis(took map[string]time.Duration) map[string]float64 {
	ms := make(map[string]float64, len(took))
	for stage, d := range took {
		ms[stage] = float64(d.Round(10*time.Microsecond)/(10*time.Microsecond)) / 100
	}
	return ms
}
