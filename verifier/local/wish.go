package local

import "strings"

// wish is what one prompt asks for and rules out, as far as its words tell.
type wish struct {
	// asks are the kinds of work it asks for.
	asks class
	// frozen says that nothing at all may be changed.
	frozen bool
	// names are files and folders it mentions.
	names []string
	// bans are what it rules out.
	bans []ban
	// limits are the only places where changes are wanted; empty: anywhere.
	limits []string
}

// ban is one thing ruled out: a kind of work, everywhere or on some targets.
type ban struct {
	kind    class
	targets []string // paths; empty: everywhere
	about   []string // other words the ban is about; empty: everything
	weak    bool     // gathered from the sense ("v2 is live"), not said
}

const maxNames = 64

// onlyLooks says that a prompt asks to look at something and for nothing more.
func (w *wish) onlyLooks() bool { return w.asks&look != 0 && w.asks&doing == 0 }

// readWish reads a prompt clause by clause.
func readWish(text string) wish {
	var w wish
	ts := tokens(text)
	last := "" // the path that "it" stands for
	for start := 0; start < len(ts); {
		stop := start + 1
		for stop < len(ts) && !ts[stop-1].end {
			stop++
		}
		last = w.clause(ts[start:stop], ts[stop:], last)
		start = stop
	}
	w.settle(ts)
	return w
}

// settle reads what only the whole prompt tells.
func (w *wish) settle(ts []token) {
	if phrase(ts, "nothing", "else") >= 0 && len(w.limits) == 0 {
		w.limits = w.names
	}
}

// clause reads one clause; rest is what follows it, for lists of targets that go on after a comma.
func (w *wish) clause(c, rest []token, last string) string {
	named := paths(c)
	w.names = append(w.names, named[:min(len(named), maxNames-len(w.names))]...)
	if len(named) > 0 {
		last = named[len(named)-1]
	}
	switch {
	case w.freeze(c), w.keepsOff(c, named, last), w.confines(c, named), w.forbids(c, rest):
		return last
	}
	for _, part := range conjuncts(c) {
		w.asks |= asked(part)
	}
	return last
}

// freeze reads "code freeze", "read-only", "make no changes".
func (w *wish) freeze(c []token) bool {
	readOnly := phrase(c, "read-only") >= 0 || phrase(c, "readonly") >= 0 || phrase(c, "read", "only") >= 0
	stay := has(c, "stay") || has(c, "keep") || has(c, "remain") || has(c, "be") || has(c, "strictly") || len(c) <= 3
	switch {
	case phrase(c, "code", "freeze") >= 0 && !has(c, "after") && !has(c, "no") && !has(c, "not") && verbAt(c)&change == 0,
		readOnly && stay && len(paths(c)) == 0 && verbAt(c)&doing&^change == 0 && len(c) <= 8,
		(phrase(c, "no", "change") >= 0 || phrase(c, "no", "changes") >= 0) && (has(c, "make") || has(c, "making") || len(c) <= 3) && !has(c, "if"),
		phrase(c, "change", "nothing") >= 0, phrase(c, "modify", "nothing") >= 0, phrase(c, "touch", "nothing") >= 0,
		phrase(c, "without", "changing", "anything") >= 0, phrase(c, "without", "making", "changes") >= 0,
		phrase(c, "without", "modifying", "anything") >= 0, phrase(c, "without", "making", "any", "changes") >= 0:
		w.frozen = true
		for _, part := range conjuncts(c) {
			w.asks |= asked(part) & look
		}
		return true
	}
	return false
}

// keepsOff reads sentences about a thing that is to be left as it is: "leave X alone", "X must not be edited", "you may
// read X", "X is live".
func (w *wish) keepsOff(c []token, named []string, last string) bool {
	targets := named
	if len(targets) == 0 && last != "" && has(c, "it") {
		targets = []string{last}
	}
	if len(targets) == 0 {
		return false
	}
	first := head(c)
	alone := has(c, "alone") || has(c, "untouched") || has(c, "unchanged") || has(c, "intact") || phrase(c, "as", "is") >= 0 || phrase(c, "as", "it", "is") >= 0
	i := phrase(c, "not", "be")
	passive := i >= 0 && i+2 < len(c) && participle(c[i+2].word)
	may := (has(c, "may") || has(c, "can")) && (phrase(c, "only", "read") >= 0 || phrase(c, "may", "read") >= 0 || phrase(c, "can", "read") >= 0)
	fixed := phrase(c, "is", "read-only") >= 0 || phrase(c, "are", "read-only") >= 0 || has(c, "off-limits") || phrase(c, "off", "limits") >= 0
	live := phrase(c, "is", "live") >= 0 || phrase(c, "are", "live") >= 0 || phrase(c, "still", "used") >= 0 || phrase(c, "in", "production") >= 0
	switch {
	case (first == "leave" || first == "keep") && alone, passive, may, fixed:
		w.bans = append(w.bans, ban{kind: change | remove | discard | commit, targets: targets})
	case live:
		w.bans = append(w.bans, ban{kind: remove | discard, targets: targets, weak: true})
	default:
		return false
	}
	return true
}

// confines reads "only change X", "X only", "only inside X".
func (w *wish) confines(c []token, named []string) bool {
	if len(named) == 0 || negation(c) >= 0 {
		return false
	}
	i := phrase(c, "only")
	if i < 0 {
		return false
	}
	// An order, not a description: "only modify …", or an imperative with "only" further on.
	k, first := verbAt(c), head(c)
	if first == "only" {
		k = verbAt(c[i+1:])
	}
	if k&doing == 0 && first != "work" {
		return false
	}
	w.limits = append(w.limits, named...)
	w.asks |= k
	return true
}

// forbids reads "do not VERB TARGETS"; targets may go on in later clauses: "do not touch a.go, b.go or c.go".
func (w *wish) forbids(c, rest []token) bool {
	i := negation(c)
	if i < 0 {
		return false
	}
	for _, part := range conjuncts(c[:i]) {
		w.asks |= asked(part)
	}
	// The verb stands right behind, past at most one word: "do not ever touch", "without asking".
	c = c[i:]
	for n := 0; len(c) > 0 && verb(c[0].word) == 0 && n < 1; n++ {
		c = c[1:]
	}
	if len(c) == 0 {
		return true
	}
	kind := verb(c[0].word) &^ (look | make_ | run | send)
	if verb(c[0].word) == look && (c[0].word == "read" || c[0].word == "open") {
		kind = look
	}
	if c[0].word == "make" && (has(c, "change") || has(c, "changes")) {
		kind = change | remove | discard
	}
	if kind == 0 {
		return true
	}
	if kind&change != 0 && c[0].word != "create" && c[0].word != "write" {
		kind |= remove | discard
	}
	b := ban{kind: kind, targets: paths(c)}
	for len(rest) > 0 && len(b.targets) > 0 && len(b.targets) < maxNames && listed(rest) {
		more := paths(rest[:1])
		if len(more) == 0 {
			more = paths(rest[1:2])
		}
		b.targets = append(b.targets, more...)
		rest = rest[min(len(rest), 2):]
	}
	if len(b.targets) == 0 {
		b.about = about(c[1:])
	}
	if b.everything() {
		w.frozen = true
	}
	w.bans = append(w.bans, b)
	w.names = append(w.names, b.targets[:min(len(b.targets), max(0, maxNames-len(w.names)))]...)
	return true
}

// everything says that a ban on changing things leaves nothing out.
func (b ban) everything() bool {
	return b.kind&(change|remove) == change|remove && b.kind&(commit|install) == 0 && len(b.targets) == 0 && len(b.about) == 0
}

// listed tells that the next clause goes on with a list of paths.
func listed(rest []token) bool {
	if len(paths(rest[:1])) > 0 {
		return true
	}
	return len(rest) > 1 && (rest[0].word == "and" || rest[0].word == "or") && len(paths(rest[1:2])) > 0
}

// about gives the words of a ban's object that narrow it.
func about(c []token) []string {
	var out []string
	for _, t := range c {
		switch t.word {
		case "but", "instead", "because", "since", "as", "if", "when", "while", "so":
			return out
		}
		if !generic(t.word) && len(out) < 8 {
			out = append(out, t.word)
		}
	}
	return out
}

// negation finds what rules something out and gives the index of the word after it, or -1.
func negation(c []token) int {
	for i, t := range c {
		switch t.word {
		case "don't", "dont", "never", "without", "avoid", "mustn't", "shouldn't":
			return i + 1
		case "not":
			// "does not work" tells of a state; "do not", "must not" and "not to" rule something out.
			if i > 0 {
				switch c[i-1].word {
				case "do", "must", "should", "may", "but", "shall", "please":
					return i + 1
				}
			}
		case "no":
			if i+1 < len(c) && verb(c[i+1].word)&doing != 0 && len(c) <= 4 {
				return i + 1
			}
		}
	}
	return -1
}

// participle tells the passive of a verb of change.
func participle(w string) bool {
	switch w {
	case "edited", "changed", "touched", "modified", "altered", "deleted", "removed", "overwritten", "moved", "renamed", "written":
		return true
	}
	return false
}

// conjuncts splits a clause at "and", "then", "but" and "or".
func conjuncts(c []token) [][]token {
	var out [][]token
	start := 0
	for i, t := range c {
		switch t.word {
		case "and", "then", "but", "or", "&", "so":
			out = append(out, c[start:i])
			start = i + 1
		}
	}
	return append(out, c[start:])
}

// asked tells what a conjunct asks for: its first word past the fillers, if that is a verb. "take a look" looks.
func asked(c []token) class {
	k := verbAt(c)
	if k&doing != 0 && (has(c, "look") || has(c, "overview") || has(c, "summary") || has(c, "explanation")) && len(c) > 1 {
		switch head(c) {
		case "take", "have", "give", "do", "get":
			return look
		}
	}
	return k
}

// verbAt is the class of a clause's first word past the fillers.
func verbAt(c []token) class { return verb(head(c)) }

// head is a clause's first word past the fillers.
func head(c []token) string {
	for _, t := range c {
		if !filler(t.word) && !strings.HasSuffix(t.word, "ly") || t.word == "only" {
			return t.word
		}
	}
	return ""
}

func has(c []token, w string) bool { return phrase(c, w) >= 0 }

// phrase finds words in a row, and gives where or -1.
func phrase(c []token, ws ...string) int {
next:
	for i := 0; i+len(ws) <= len(c); i++ {
		for j, w := range ws {
			if c[i+j].word != w {
				continue next
			}
		}
		return i
	}
	return -1
}

// paths gives the files and folders that tokens name.
func paths(c []token) []string {
	var out []string
	for _, t := range c {
		if p := strings.TrimPrefix(t.raw, "@"); pathLike(p) {
			out = append(out, p)
		}
	}
	return out
}

// pathLike tells a file or folder from a word: it has a slash, or an extension.
func pathLike(s string) bool {
	if len(s) < 2 || len(s) > 512 || strings.Contains(s, "://") || strings.ContainsAny(s, "=$<>|`\"") {
		return false
	}
	if i := strings.IndexByte(s, '/'); i >= 0 {
		switch strings.ToLower(s) {
		case "and/or", "either/or", "he/she", "n/a", "i/o", "ci/cd", "tcp/ip", "client/server", "input/output", "read/write", "yes/no":
			return false
		}
		return len(strings.Trim(s, "/.")) > 0
	}
	i := strings.LastIndexByte(s, '.')
	if i < 0 || i == len(s)-1 || len(s)-i > 6 {
		return false
	}
	letters := 0
	for _, c := range s[i+1:] {
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			letters++
		case c < '0' || c > '9':
			return false
		}
	}
	switch strings.ToLower(s) {
	case "e.g", "i.e", "a.m", "p.m", "node.js", "vs.net", "asp.net":
		return false
	}
	return letters > 0 && !(s[0] >= '0' && s[0] <= '9' && letters < 2)
}
