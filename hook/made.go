package hook

import (
	"slices"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy/effect"
	"github.com/stepgate/stepgate/redact"
)

// made tells which files calls of this session made and nothing has changed since. The record is read when it is first
// asked about a file that may be one.
func made(file *session.File, mem session.Memory) func(path string) bool {
	var known map[string]session.Made
	return func(path string) bool {
		if !mem.Totals.MayHaveMade(path) {
			return false
		}
		if known == nil {
			known = map[string]session.Made{}
			for _, m := range file.Made(mem) {
				if _, newer := known[m.Path.String()]; !newer {
					known[m.Path.String()] = m
				}
			}
		}
		was, ok := known[path]
		if !ok {
			return false
		}
		now, ok := session.Stand(was.Path)
		return ok && now == was
	}
}

// creates lists the files that a call would make: what it writes is not there yet, or is the session's own already.
// What a call moves to a new name it has not made.
func creates(acts []effect.Act, own func(path string) bool, mask *redact.Masker) []redact.Text {
	var moves []int // commands that move what the session did not make
	for i := range acts {
		if a := &acts[i]; a.Kind == effect.Move && !own(a.Target) {
			moves = append(moves, a.Command)
		}
	}
	var out []redact.Text
	for i := 0; i < len(acts) && len(out) < session.MaxCreates; i++ {
		a := &acts[i]
		if !writes(a) || slices.Contains(moves, a.Command) || !own(a.Target) && !effect.Absent(a.Target) {
			continue
		}
		if path := mask.String(a.Target); path.String() == a.Target { // a name that is masked cannot be looked up again
			out = append(out, path)
		}
	}
	return session.Creates(out)
}

// writes: the act leaves a file of this disk with a content that the call gave it.
func writes(a *effect.Act) bool {
	switch a.Kind {
	case effect.Write, effect.Overwrite, effect.Edit, effect.Persist:
		return a.Target != "" && (a.Place == effect.InProject || a.Place == effect.InHome || a.Place == effect.Outside)
	}
	return false
}

// madeBy gives the files that a call made, once it has ended.
func madeBy(call session.Line, r agent.Result) []session.Made {
	if r.Known && r.Failed {
		return nil
	}
	var out []session.Made
	for _, path := range call.Creates {
		if m, ok := session.Stand(path); ok {
			out = append(out, m)
		}
	}
	return out
}
