package report

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/stepgate/stepgate/hook/session"
)

// maxMoments bounds the timeline.
const maxMoments = 400

// timeline reads the lines of a session again, call by call. Which session is the newest is only known at the end, and it
// would be dear to keep the steps of every one.
func (r *run) timeline(paths []string) ([]Moment, error) {
	parts := whole(paths[:r.end.file+1])[r.begin.file:]
	parts[0].from, parts[len(parts)-1].to = r.begin.at, r.end.at
	parts = slices.DeleteFunc(parts, func(p part) bool { return filepath.Dir(p.path) != r.folder })
	moments := moments{}
	err := stream(parts, nil, func(_ place, e *entry) {
		if e.unfit == "" && e.session == r.name {
			moments.add(e)
		}
	})
	return moments, err
}

// moments are the last steps of a session.
type moments []Moment

func (ms *moments) add(e *entry) {
	m := Moment{Seq: e.seq, Time: e.time, Kind: keep(e.kind), Agent: keep(e.agentID), id: keep(e.callID)}
	switch e.kind {
	case session.KindCall:
		m.Tool, m.Text, m.Would, m.Did, m.Outcome = keep(e.tool), keep(short(e.input, 200)), keep(e.would), keep(e.did), keep(e.outcome)
		m.Snapshot, m.Why = keep(e.snapshot), strongest(e)
		for _, s := range e.stages {
			m.MS += s.ms
		}
	case session.KindResult:
		ms.close(e)
		return
	case session.KindPrompt, session.KindMode, session.KindHealth, session.KindNote:
		m.Text = keep(short(strings.TrimSpace(e.event+" "+e.text), 200))
	default:
		return
	}
	if len(*ms) == maxMoments {
		*ms = slices.Delete(*ms, 0, 1)
	}
	*ms = append(*ms, m)
}

// close tells a call what came of it.
func (ms moments) close(e *entry) {
	for i := len(ms) - 1; i >= 0 && e.outcome != ""; i-- {
		if ms[i].id == e.callID {
			ms[i].Outcome = keep(e.outcome)
			return
		}
	}
}
