package session

import (
	"errors"

	"github.com/stepgate/stepgate/redact"
)

// MaxLine bounds a line, its end included, in bytes. It keeps a tail of 64 KiB long enough for the history of a session
// whose every call is big.
const MaxLine = 16 << 10

// lineBytes is room enough for most lines.
const lineBytes = 2 << 10

// shorter bounds the texts of a line that was too long, lightInput the input that is kept in light mode.
var (
	shorter    = redact.Limits{Head: 1200, Tail: 400, Items: 8, Keys: 16, Depth: 3}
	lightInput = redact.Limits{Head: 160, Tail: 40, Items: 4, Keys: 8, Depth: 2}
)

// reductions are taken one after another until a line fits.
var reductions = [...]func(*Line){
	func(*Line) {},
	func(l *Line) {
		l.Cut = true
		l.Input = l.Input.Cut(shorter)
		for _, t := range l.texts() {
			*t = t.Cut(shorter)
		}
	},
	func(l *Line) {
		l.Acts, l.Effects, l.Findings, l.Answers = redact.Doc{}, redact.Doc{}, redact.Doc{}, redact.Doc{}
		l.MS, l.Thresholds, l.Tokens, l.Score, l.Risk = nil, nil, nil, nil, nil
		l.Creates, l.Made = nil, nil
	},
	func(l *Line) {
		l.Input = redact.Doc{}
		for _, t := range l.texts() {
			*t = redact.Text{}
		}
	},
}

func (l *Line) texts() []*redact.Text {
	return []*redact.Text{&l.CWD, &l.Reason, &l.Failure, &l.Text, &l.Root, &l.Detail}
}

func (l *Line) names() []*string {
	return []*string{&l.Kind, &l.Agent, &l.AgentID, &l.AgentType, &l.CallID, &l.Tool, (*string)(&l.Capability),
		&l.PlanHash, &l.ConfigHash, &l.Mode, &l.Judge, &l.Model, &l.Would, &l.Did, &l.Outcome, &l.Snapshot, &l.Fingerprint,
		&l.Source, &l.Turn, &l.Event}
}

// encode writes a line as JSON with its end, in a reduced form when the whole is too long or cannot be written; finish
// sets what depends on the form it gets.
func encode(l Line, finish func(*Line)) (Line, []byte, error) {
	for _, name := range l.names() {
		*name = safeName(*name)
	}
	var raw []byte
	var err error
	for _, reduce := range reductions {
		reduce(&l)
		finish(&l)
		if raw, err = appendLine(make([]byte, 0, lineBytes), &l); err == nil && len(raw) <= MaxLine {
			return l, raw, nil
		}
	}
	if err == nil {
		err = errors.New("line is too long in its shortest form")
	}
	return l, nil, err
}

// light leaves of a call what memory needs. Lines that are not calls are memory, or are told in full on purpose: a
// switch of the mode is.
func light(l Line) Line {
	if l.Kind != KindCall {
		return l
	}
	return Line{
		Kind: l.Kind, V: l.V, Time: l.Time, Session: l.Session, Agent: l.Agent, AgentID: l.AgentID,
		CallID: l.CallID, Tool: l.Tool, Capability: l.Capability, Input: l.Input.Cut(lightInput), Mode: l.Mode,
		Did: l.Did, Outcome: l.Outcome, Snapshot: l.Snapshot, Fingerprint: l.Fingerprint, Degraded: l.Degraded,
		Creates: l.Creates,
	}
}
