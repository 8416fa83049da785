package policy

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/stepgate/stepgate/policy/effect"
)

// putting verbs ask for something to be in a file: it is named behind them, not as what goes.
const putting = "add append put insert set edit change write save copy export render store"

// goes are the words behind a thing that give it away: "tmp/ can go".
var goes = [...]string{
	"can go", "may go", "can all go", "can both go", "can be deleted", "can be removed", "can be dropped", "can be wiped", "can be thrown away", "may be deleted", "may be removed", "may be dropped",
}

// reporting verbs stand before somebody else's words.
const reporting = "say says said saying think thinks thought believe believes claim claims claimed suggest suggests suggested tell tells told write writes wrote hope hopes according per"

// givenAway reads a clause that names things first: what stands before the verb is its object.
func givenAway(c []word) (statement, bool) {
	for i := range c {
		for _, p := range goes {
			n := matches(c[i:], p)
			if n == 0 || i == 0 || len(c) > i+n && !oneOf("now too please completely entirely afterwards again", c[i+n].low) {
				continue
			}
			if slices.ContainsFunc(c[:i], func(w word) bool { return !w.quoted && oneOf(reporting, w.low) }) {
				return statement{}, false // somebody's words
			}
			s := statement{verb: "delete", after: c[i:]}
			s.take(c[:i])
			return s, true
		}
	}
	return statement{}, false
}

// putsInto: the person asks for something in a start-up file of the shell, and names it: by its path, or as people call
// it, "my zshrc".
func (sub subject) putsInto(s *statement) bool {
	a := &sub.p.Acts[sub.act]
	if a.Kind == effect.Delete || a.Kind == effect.Overwrite || away(s.group) {
		return false
	}
	for _, e := range sub.p.Effects {
		if e.Act == sub.act && e.Loses() {
			return false // it is replaced
		}
	}
	base := strings.TrimPrefix(filepath.Base(a.Target), ".")
	for _, w := range s.after {
		if strings.TrimPrefix(w.low, ".") == strings.ToLower(base) || contains(sub.places(w.text), a.Target) {
			return true
		}
	}
	return false
}

// savesTo: the person names the very file outside the project that something is to be written to. Inside it, a copy is
// kept of what is replaced, and need not be given away.
func (sub subject) savesTo(s *statement) bool {
	a := &sub.p.Acts[sub.act]
	if a.Place == effect.InProject || away(s.group) || !oneOf("write save copy export render store put", s.after[0].low) {
		return false
	}
	for i, w := range s.after[:len(s.after)-1] {
		if !w.quoted && oneOf("to as at over", w.low) && contains(sub.places(s.after[i+1].text), a.Target) {
			return true
		}
	}
	return false
}

// theFileIn: a single file is to go, and where it is said to be is its own path: "the old state file in ~/.x/state.db".
func (sub subject) theFileIn(s *statement) bool {
	a := &sub.p.Acts[sub.act]
	if a.Recursive || s.itself == "" {
		return false
	}
	return contains(sub.places(s.itself), a.Target)
}
