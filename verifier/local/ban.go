package local

import (
	"slices"
	"strings"
)

// ban is one thing ruled out: a kind of work, everywhere or on some targets.
type ban struct {
	kind    class
	targets []string // paths; empty: everywhere
	// about narrows the ban to acts that speak of all words of one of these phrases; empty: everything.
	about [][]string
	weak  bool // gathered from the sense ("v2 is live"), not said
}

// limit is the only place where some kinds of work are wanted.
type limit struct {
	where []string
	kind  class
}

// limit adds the only place where what an order asks for is wanted. An order to delete says nothing about where code
// may be written.
func (w *wish) limit(k class, where []string) {
	kind := change | remove | discard
	if k&remove != 0 && k&make_ == 0 {
		kind = remove | discard
	}
	w.limits = append(w.limits, limit{where, kind})
}

// forbids reads "do not VERB OBJECTS". The objects go on to the end of the sentence: "do not touch a.go, b.go or c.go";
// so do verbs that have none of their own: "do not reset, drop or modify the data".
func (w *wish) forbids(c, rest []token, last string) bool {
	i := negation(c)
	if i < 0 {
		return false
	}
	for _, part := range conjuncts(c[:i]) {
		w.asks |= asked(part)
	}
	c = c[i:]
	for len(c) > 0 && (filler(c[0].word) || adverb(c[0].word) || c[0].word == "ever" || c[0].word == "even") {
		c = c[1:]
	}
	if len(c) == 0 {
		return true
	}
	kind := banned(c[0].word)
	if c[0].word == "make" && (has(c, "change") || has(c, "changes")) {
		kind = change | remove | discard
	}
	if kind == 0 {
		return true
	}
	c = sentence(c, rest)
	b := ban{kind: kind}
	objects := c[1:]
	if at := exception(objects); at >= 0 {
		if allowed := paths(objects[at:]); len(allowed) > 0 && len(contents(objects[:at])) == 0 {
			w.limit(change, allowed)
		}
		return true
	}
	b.targets = paths(objects)
	if len(b.targets) == 0 && last != "" && (has(objects, "it") || has(objects, "them")) {
		b.targets = []string{last}
	}
	everything := false
	if len(b.targets) == 0 {
		b.about, everything = about(objects)
		if everything {
			b.about = nil
		}
	}
	if kind == doing && len(b.targets) == 0 && len(b.about) == 0 {
		return true // "do not run anything" and the like say too little
	}
	w.bans = append(w.bans, b)
	w.frozen = w.frozen || kind&(change|remove) == change|remove && kind&(commit|install) == 0 && len(b.targets) == 0 && len(b.about) == 0
	w.names = append(w.names, b.targets[:min(len(b.targets), max(0, maxNames-len(w.names)))]...)
	return true
}

// banned is the kind of work that a verb behind "do not" rules out. Orders about what the code should do ("do not add
// retries") cannot be told from acts and are left alone.
func banned(w string) class {
	switch w {
	case "use", "run", "execute":
		return doing
	case "read", "open", "view":
		return look
	case "create", "creating", "write", "writing":
		return change
	}
	k := verb(w)
	switch {
	case k&make_ != 0 && k&remove == 0:
		return 0
	case k&change != 0:
		return (k | change | remove | discard) &^ (make_ | run | commit)
	}
	return k &^ (look | make_ | run | send)
}

// sentence gives the clause a ban begins in, with the clauses that go on with its list. A clause with objects ends where
// the next one gives a new order.
func sentence(c, rest []token) []token {
	out := slices.Clone(c)
	for len(rest) > 0 && !out[len(out)-1].stop {
		stop := 1
		for stop < len(rest) && !rest[stop-1].end {
			stop++
		}
		next := rest[:stop]
		if len(out) > 1 && next[0].word != "or" && next[0].word != "and" && verbAt(next)&doing != 0 && len(paths(next[:1])) == 0 {
			break
		}
		if next[0].word == "but" || next[0].word == "just" || next[0].word == "instead" {
			break
		}
		out = append(out, next...)
		rest = rest[stop:]
	}
	return out
}

// exception finds "outside X", "except X", "other than X" and gives where, or -1.
func exception(c []token) int {
	for _, ws := range [...][]string{{"outside"}, {"except"}, {"besides"}, {"other", "than"}, {"apart", "from"}, {"beyond"}} {
		if i := phrase(c, ws...); i >= 0 {
			return i
		}
	}
	return -1
}

// about reads the objects of a ban as phrases, one for each alternative. everything says that one of them leaves nothing
// out: "any files or tests".
func about(c []token) (phrases [][]string, everything bool) {
	if i := slices.IndexFunc(c, func(t token) bool { return timely(t.word) }); i >= 0 {
		c = c[:i]
	}
	for _, part := range alternatives(c) {
		if ws := contents(part); len(ws) > 0 {
			phrases = append(phrases, ws)
		} else if slices.ContainsFunc(part, func(t token) bool { return broad(t.word) }) {
			everything = true
		}
	}
	return phrases, everything
}

// alternatives splits objects at "or", "and" and commas.
func alternatives(c []token) [][]token {
	var out [][]token
	start := 0
	for i, t := range c {
		switch {
		case t.word == "or" || t.word == "and":
			out = append(out, c[start:i])
			start = i + 1
		case t.end:
			out = append(out, c[start:i+1])
			start = i + 1
		}
	}
	return append(out, c[start:])
}

// contents gives the words of a phrase that narrow it.
func contents(c []token) []string {
	var out []string
	for i, t := range c {
		switch {
		case determiner(t.word), broad(t.word):
		case i == 0 && verb(t.word)&(change|remove|discard) != 0 && verb(t.word)&run == 0:
			// a further verb: "modify or delete tests"
		case len(out) < 8:
			out = append(out, t.word)
		}
	}
	return out
}

// timely words begin what says when or why a ban holds; it holds meanwhile.
func timely(w string) bool {
	switch w {
	case "after", "before", "until", "unless", "when", "while", "if", "because", "since", "as", "instead", "without", "so", "yet", "but", "just":
		return true
	}
	return false
}

// broad nouns leave nothing out.
func broad(w string) bool {
	switch w {
	case "anything", "nothing", "everything", "all", "file", "files", "code", "codebase", "source", "sources", "change", "changes",
		"project", "repo", "repository", "folder", "directory", "tree", "it", "them", "package", "packages", "dependencies",
		"dependency", "command", "commands", "flag", "flags", "else":
		return true
	}
	return false
}

func determiner(w string) bool {
	switch w {
	case "the", "a", "an", "any", "my", "our", "your", "this", "that", "these", "those", "new", "more", "existing", "actual", "working",
		"whatsoever", "of", "to", "in", "at", "on", "for", "from", "with", "please", "now", "ever", "directly", "here", "me", "i":
		return true
	}
	return false
}

// speaksOf says that an act names all words of one of the phrases, in its target, its program or its manner.
func (a *act) speaksOf(phrases [][]string) bool {
	said := append(words(a.target), words(a.how)...)
	said = append(said, words(a.program)...)
	for i := range said {
		said[i] = singular(said[i])
	}
	return slices.ContainsFunc(phrases, func(ws []string) bool {
		for _, w := range ws {
			for _, part := range words(w) {
				if !slices.Contains(said, singular(part)) {
					return false
				}
			}
		}
		return true
	})
}

func singular(w string) string {
	if len(w) > 3 {
		return strings.TrimSuffix(w, "s")
	}
	return w
}

// negation finds what rules something out and gives the index of the word after it, or -1.
func negation(c []token) int {
	for i, t := range c {
		switch t.word {
		case "don't", "dont", "never", "without", "avoid", "mustn't", "shouldn't":
			return i + 1
		case "not":
			// "does not work" tells of a state; "do not", "must not" and "not to" rule something out.
			if i == 0 {
				continue
			}
			switch c[i-1].word {
			case "do", "must", "should", "may", "but", "shall", "please":
				return i + 1
			}
		case "no":
			if i+1 < len(c) && verb(c[i+1].word)&doing != 0 && len(c) <= 4 {
				return i + 1
			}
		}
	}
	return -1
}
