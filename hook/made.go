package hook

import (
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
	var out []redact.Text
	for _, a := range acts {
		if !writes(a) || movesTo(acts, a, own) {
			continue
		}
		path := mask.String(a.Target)
		if path.String() != a.Target {
			continue // a name that is masked cannot be looked up again
		}
		if own(a.Target) || effect.Absent(a.Target) {
			out = append(out, path)
		}
	}
	return session.Creates(out)
}

// writes: the act leaves a file of this disk with a content that the call gave it.
func writes(a effect.Act) bool {
	switch a.Kind {
	case effect.Write, effect.Overwrite, effect.Edit, effect.Persist:
		return a.Target != "" && (a.Place == effect.InProject || a.Place == effect.InHome || a.Place == effect.Outside)
	}
	return false
}

// movesTo says that the write may be the end of a move of something that the session did not make.
func movesTo(acts []effect.Act, a effect.Act, own func(path string) bool) bool {
	for _, b := range acts {
		if b.Kind == effect.Move && b.Command == a.Command && !own(b.Target) {
			return true
		}
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
