package local

import (
	"slices"
	"strings"
)

// wish is what one prompt asks for and rules out, as far as its words tell.
type wish struct {
	// text is the prompt in small letters.
	text string
	// asks are the kinds of work it asks for.
	asks class
	// unread says that an order in it is of a verb that is not known: more may be asked for than asks tells.
	unread bool
	// frozen says that nothing at all may be changed.
	frozen bool
	// testsRun says that no test is to be taken away or told not to run, assertions that none is to assert something else.
	testsRun, assertions bool
	// names are files and folders it mentions.
	names []string
	// bans are what it rules out.
	bans []ban
	// limits are the only places where some work is wanted; empty: anywhere.
	limits []limit
}

const maxNames = 64

// readWish reads a prompt clause by clause.
func readWish(text string) wish {
	w := wish{text: strings.ToLower(text), unread: isHan(text)}
	ts := tokens(text)
	last := ""                    // the path that "it" stands for
	var before, qualified []token // the clause before in the same sentence, and one that "read only" ends
	for start := 0; start < len(ts); {
		stop := start + 1
		for stop < len(ts) && !ts[stop-1].end {
			stop++
		}
		c := ts[start:stop]
		if len(before) > 0 && len(c) <= 3 && !c[0].aside && readOnly(c) {
			qualified = before
		} else {
			last = w.clause(c, ts[stop:], last)
		}
		if before = c; c[len(c)-1].stop {
			before = nil
		}
		start = stop
	}
	if len(qualified) > 0 {
		w.keepsRead(qualified)
	}
	w.settle(ts)
	return w
}

// changes is all work that leaves something changed, here or elsewhere.
const changes = change | remove | discard | commit | publish | install | infra | deploy | send

// keepsRead reads a clause that ends with ", read only". It is about that clause alone where other work is asked for too, or
// where the clause only tells of a place; else about all.
func (w *wish) keepsRead(c []token) {
	named := paths(c)
	if w.asks&changes == 0 && c[0].word != "also" && (len(named) == 0 || verbAt(c) != 0) {
		w.frozen = true
		return
	}
	b := ban{kind: change | remove | discard, targets: named}
	if len(named) == 0 {
		for i, t := range c {
			switch t.word {
			case "from", "in", "on", "at", "of":
				c = c[i+1:]
				b.about, _ = about(c)
			}
			if b.about != nil {
				break
			}
		}
	}
	if len(named) > 0 || len(b.about) > 0 {
		w.addBan(b)
	}
}

// readOnly: "read only" in one of its spellings.
func readOnly(c []token) bool {
	return has(c, "read-only") || has(c, "readonly") || phrase(c, "read", "only") >= 0
}

// settle reads what only the whole prompt tells.
func (w *wish) settle(ts []token) {
	if phrase(ts, "nothing", "else") >= 0 && len(w.limits) == 0 && len(w.names) > 0 {
		w.limits = []limit{{w.names, change | remove | discard}}
	}
	// Who asks for no change but says "not the code" speaks of all there is.
	w.frozen = w.frozen || !w.unread && w.asks&changes == 0 && slices.ContainsFunc(w.bans, func(b ban) bool { return b.code && !b.left })
}

// clause reads one clause; rest is what follows it, for lists of targets that go on after a comma.
func (w *wish) clause(c, rest []token, last string) string {
	if en, ok := inEnglish(c); ok {
		c, w.unread = en, true // more may be said than is understood
	}
	named := paths(c)
	w.names = append(w.names, named[:min(len(named), maxNames-len(w.names))]...)
	if len(named) > 0 {
		last = named[len(named)-1]
	}
	w.keepsTests(c, rest)
	switch {
	case w.freeze(c), w.keepsHistory(c), w.keepsAway(c), w.keepsOff(c, named, last), w.keepsThing(c, named), w.confines(c, named), w.forbids(c, rest, last):
		return last
	}
	for _, part := range conjuncts(c) {
		w.asks |= asked(part)
	}
	w.asks |= granted(c)
	w.unread = w.unread || foreign(c)
	return last
}

// foreign: a clause begins with a word that is no known verb and has an object behind it: "transmogrify the data".
func foreign(c []token) bool {
	for i, t := range c {
		if filler(t.word) || adverb(t.word) {
			continue
		}
		if i+1 >= len(c) || t.end || verb(t.word) != 0 || determiner(t.word) || broad(t.word) || pathLike(t.raw) || len(t.word) < 3 || strings.HasSuffix(t.word, "ing") {
			return false
		}
		switch c[i+1].word {
		case "the", "a", "an", "all", "each", "every", "my", "our":
			return !timely(t.word) && !joins(t.word)
		}
		return false
	}
	return false
}

// joins: a word that stands before a noun without being an order.
func joins(w string) bool {
	switch w {
	case "all", "about", "above", "against", "along", "around", "behind", "below", "between", "by", "half", "into", "inside", "near", "both", "over", "per", "than", "that",
		"through", "throughout", "under", "upon", "via", "like", "within", "across", "whether", "had", "have", "were", "been", "says", "said", "got", "means", "it's", "that's",
		"there's", "here's", "they", "nor", "not", "only", "regarding", "given", "besides", "except", "out", "off":
		return true
	}
	return false
}

// freeze reads "code freeze", "read-only", "make no changes".
func (w *wish) freeze(c []token) bool {
	stay := has(c, "stay") || has(c, "keep") || has(c, "remain") || has(c, "be") || has(c, "strictly") || len(c) <= 3 && !c[0].aside
	switch {
	case phrase(c, "code", "freeze") >= 0 && !has(c, "after") && !has(c, "no") && !has(c, "not") && verbAt(c)&change == 0,
		readOnly(c) && stay && len(paths(c)) == 0 && verbAt(c)&doing&^change == 0 && len(c) <= 8,
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

// keepsAway reads what is said of where a service runs, or of bringing it up to date: "leave production alone", "stay away
// from prod", "deploy freeze".
func (w *wish) keepsAway(c []token) bool {
	if i := phrase(c, "freeze"); i > 0 && banned(c[i-1].word)&deploy != 0 && !has(c, "after") && !has(c, "no") && !has(c, "not") {
		w.addBan(ban{kind: deploy})
		return true
	}
	i := slices.IndexFunc(c, func(t token) bool { return stage(t.word) && t.word != "live" && t.word != "stage" })
	if i < 0 || len(paths(c)) > 0 {
		return false
	}
	first := head(c)
	alone := has(c, "alone") || has(c, "untouched") || has(c, "out")
	away := phrase(c, "away", "from") >= 0 || phrase(c, "hands", "off") >= 0 || has(c, "off-limits") || phrase(c, "off", "limits") >= 0 || phrase(c, "stay", "off") >= 0
	if away || (first == "leave" || first == "keep") && alone {
		w.addBan(ban{kind: reaching, about: [][]string{{c[i].word}}, staged: true})
		return true
	}
	return false
}

// keepsOff reads sentences about a thing that is to be left as it is: "leave X alone", "X must not be edited", "you may
// read X", "X is live".
func (w *wish) keepsOff(c []token, named []string, last string) bool {
	targets := named
	if i := phrase(c, "it"); len(targets) == 0 && last != "" && i >= 0 && !(i > 0 && c[i-1].word == "as") {
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
		w.addBan(ban{kind: change | remove | discard | commit, targets: targets})
	case live:
		w.addBan(ban{kind: remove | discard, targets: targets, weak: true})
	default:
		return false
	}
	return true
}

// keepsThing reads what is to be left as it is and is no path: "leave the tests alone", "keep the source code untouched".
func (w *wish) keepsThing(c []token, named []string) bool {
	first := head(c)
	if len(named) > 0 || first != "leave" && first != "keep" {
		return false
	}
	from := phrase(c, first) + 1
	to := slices.IndexFunc(c, func(t token) bool {
		return t.word == "alone" || t.word == "untouched" || first == "leave" && (t.word == "unchanged" || t.word == "as")
	})
	if to < 0 {
		to = max(phrase(c, "as", "is"), phrase(c, "as", "it", "is"), phrase(c, "as", "they", "are"))
	}
	if to <= from {
		return false
	}
	phrases, everything := about(c[from:to])
	code := len(phrases) == 0 && sourceOnly(c[from:to])
	if everything && !code || len(phrases) == 0 && !code {
		return false // "leave everything else alone" rules out nothing by name
	}
	back := to+2 < len(c) && (c[to+2].word == "was" || c[to+2].word == "were")
	w.addBan(ban{kind: change | remove | discard, about: phrases, code: code, left: true, back: back})
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
	if k&(change|remove|discard) == 0 && first != "work" {
		return false
	}
	w.limit(k, named)
	w.asks |= k
	return true
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

// verbAt is the class of a clause's first word past the fillers. "Deleting does not work" is no order to delete.
func verbAt(c []token) class {
	w := head(c)
	if strings.HasSuffix(w, "ing") && w != "bring" {
		return 0
	}
	return verb(w)
}

// granted reads leave that is given by telling what may become of a thing: "the dev database may be dropped", "the drafts
// in old/ can go". Who asks, or tells what others can do, gives none: "users say that orders can be deleted".
func granted(c []token) class {
	for len(c) > 0 && filler(c[0].word) {
		c = c[1:]
	}
	i := slices.IndexFunc(c, func(t token) bool { return t.word == "can" || t.word == "may" })
	if i < 1 || i+1 >= len(c) || verbAt(c) != 0 || slices.ContainsFunc(c[:i], func(t token) bool { return reported(t.word) }) {
		return 0
	}
	if len(paths(c[:i])) == 0 && !(determiner(c[0].word) && i <= 6) {
		return 0
	}
	switch rest := c[i+1:]; {
	case rest[0].word == "go" && (len(rest) == 1 || leaves(rest[1].word)):
		return discard | remove
	case rest[0].word == "be" && len(rest) > 1:
		w := rest[1].word
		stem := strings.TrimSuffix(w, "ed")
		for _, form := range [...]string{w, strings.TrimSuffix(w, "d"), stem, stem[:max(0, len(stem)-1)]} { // reset, wiped, cleared, dropped
			if k := verb(form); k != 0 {
				return k & (discard | remove)
			}
		}
	}
	return 0
}

// reported: a word before "can" that makes of the rest a report, a question or a condition.
func reported(w string) bool {
	switch w {
	case "i", "you", "we", "they", "user", "users", "people", "anyone", "anybody", "everyone", "everybody", "nobody", "who", "that", "which", "what", "why", "how", "where", "when",
		"whether", "if", "unless", "until", "before", "so", "say", "says", "said", "bug", "nothing", "none", "no", "neither":
		return true
	}
	return false
}

// leaves: a word that may follow "can go" where it means to be removed.
func leaves(w string) bool {
	switch w {
	case "now", "too", "away", "already", "altogether", "entirely", "completely", "as", "first", "afterwards", "and":
		return true
	}
	return false
}

// head is a clause's first word past the fillers.
func head(c []token) string {
	for i, t := range c {
		if !filler(t.word) && !adverb(t.word) && !(t.word == "free" && i > 0 && c[i-1].word == "feel") {
			return t.word
		}
	}
	return ""
}

func adverb(w string) bool { return strings.HasSuffix(w, "ly") && w != "only" && verb(w) == 0 }

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
	if strings.IndexByte(s, '\\') >= 0 {
		return windowsPath(s)
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

// windowsPath tells a path with backslashes, C:\Temp or src\old, from an escape like \d+ or \n.
func windowsPath(s string) bool {
	if drive(s) {
		s = s[2:]
	} else if s[0] == '\\' && !strings.HasPrefix(s, `\\`) {
		return false
	}
	letters := 0
	for _, c := range s {
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80:
			letters++
		case c >= '0' && c <= '9' || strings.ContainsRune(`\/._- ~@+`, c):
		default:
			return false
		}
	}
	return letters > 1
}
