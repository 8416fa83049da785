package local

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// keepsHistory reads that nothing may be pushed over what is pushed: "do not force-push", "never rewrite history".
func (w *wish) keepsHistory(c []token) bool {
	no := negation(c) - 1
	if no < 0 { // "no force pushes", and not "if there are no conflicts then force-push"
		no = slices.IndexFunc(c, func(t token) bool { return t.word == "no" })
		if no < 0 || no+1 == len(c) || !forces(c[no+1].word) && !strings.HasPrefix(c[no+1].word, "force") && !strings.HasPrefix(c[no+1].word, "rewrit") {
			return false
		}
	}
	said := c[no+1:]
	rewrites := slices.ContainsFunc(said, func(t token) bool { return strings.HasPrefix(t.word, "rewrit") }) &&
		(has(said, "history") || has(said, "pushed") || has(said, "published"))
	if !rewrites && !slices.ContainsFunc(said, func(t token) bool { return forces(t.word) }) &&
		!slices.ContainsFunc([]string{"push", "pushes", "pushing"}, func(p string) bool { return phrase(said, "force", p) >= 0 }) {
		return false
	}
	w.addBan(ban{history: true})
	return true
}

// forces: a word for a push by force, as people write it in one.
func forces(w string) bool {
	w = strings.TrimPrefix(w, "`")
	return strings.HasPrefix(w, "force-push") || strings.HasPrefix(w, "--force")
}

// overwritten: the person ruled out pushing over what is pushed, and the call does so, with or without a look at the
// remote first.
func overwritten(s *scene) {
	for i, w := range s.wishes {
		if !slices.ContainsFunc(w.bans, func(b ban) bool { return b.history }) {
			continue
		}
		if slices.ContainsFunc(s.wishes[i+1:], func(later wish) bool { return later.says("force") }) {
			continue // it was spoken of again
		}
		if pushesOver(gjson.Get(s.deed.input, "command").Str) {
			s.say(plan, ruled, "the person ruled out pushing over what is pushed")
		}
	}
}

// pushesOver says that a command line holds a push that replaces what is there.
func pushesOver(line string) bool {
	for _, c := range simple(line) {
		at := slices.Index(c, "push")
		if c[0] != "git" || at < 0 {
			continue
		}
		for _, word := range c[at+1:] {
			if word == "-f" || word == "--mirror" || strings.HasPrefix(word, "--force") || strings.HasPrefix(word, "+") && len(word) > 1 {
				return true
			}
		}
	}
	return false
}
