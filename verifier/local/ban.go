package local

import (
	"path"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// ban is one thing ruled out: a kind of work, everywhere or on some targets.
type ban struct {
	kind    class
	targets []string // paths; empty: everywhere
	// about narrows the ban to acts that speak of all words of one of these phrases; empty: everything.
	about  [][]string
	staged bool // each of the phrases names a stage of a deployment
	// code narrows it to source files. history is about what is pushed, and nothing else.
	code, history bool
	left          bool // it is to be left as it is, not ruled out
	back          bool // it is to be left as it was, so git may put it back
	weak          bool // gathered from the sense ("v2 is live"), not said
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
	i, soft := negation(c), false
	if i < 0 {
		if i, soft = needless(c), true; i < 0 {
			return false
		}
	}
	for _, part := range conjuncts(c[:i]) {
		w.asks |= asked(part)
	}
	c = c[i:]
	for len(c) > 0 && (filler(c[0].word) || adverb(c[0].word) || c[0].word == "ever" || c[0].word == "even" || soft && c[0].word == "the") {
		c = c[1:]
	}
	if len(c) == 0 {
		return true
	}
	if word := c[0].word; word == "merge" || word == "merging" {
		w.addBan(ban{kind: publish, about: [][]string{{"merge"}}})
		return true
	}
	kind := banned(c[0].word)
	if c[0].word == "make" && (has(c, "change") || has(c, "changes")) {
		kind = change | remove | discard
	}
	if kind == 0 || len(w.bans) == maxBans {
		return true
	}
	c = sentence(c, rest)
	objects, further, ending := verbsOf(c[1:])
	if kind |= further; soft && kind&^(publish|deploy) != 0 {
		return false
	}
	if ending != 0 { // "or deploy": that alone, whatever the first verb was about
		w.addBan(ban{kind: ending})
	}
	b := ban{kind: kind}
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
		b.code = everything && len(b.about) == 0 && kind&change != 0 && sourceOnly(objects)
		for i := range b.about {
			if b.kind&publish != 0 {
				b.about[i] = slices.DeleteFunc(b.about[i], func(w string) bool { return w == "branch" || w == "branches" || w == "remote" })
			}
			everything = everything || len(b.about[i]) == 0
		}
		if b.stages(); everything {
			b.about = nil
		}
	}
	if kind == doing && len(b.targets) == 0 && len(b.about) == 0 {
		return true // "do not run anything" and the like say too little
	}
	w.addBan(b)
	w.frozen = w.frozen || kind&(change|remove) == change|remove && kind&(commit|install) == 0 && len(b.targets) == 0 && len(b.about) == 0 && !b.code
	w.names = append(w.names, b.targets[:min(len(b.targets), max(0, maxNames-len(w.names)))]...)
	return true
}

// needless finds what is to be left out for now, "no need to", "hold off on", "skip the", and gives the index of the word
// after it, or -1. It rules out what others see, and nothing else: tests that need not be run do no harm.
func needless(c []token) int {
	for _, ws := range [...][]string{{"no", "need", "to"}, {"hold", "off", "on"}, {"hold", "off"}, {"refrain", "from"}, {"skip"}, {"stop"}, {"need", "not"}, {"needn't"}} {
		if i := phrase(c, ws...); i >= 0 && i+len(ws) < len(c) && banned(c[i+len(ws)].word)|banned(c[min(i+len(ws)+1, len(c)-1)].word) != 0 {
			return i + len(ws)
		}
	}
	return -1
}

// verbsOf takes further verbs out of the objects of a ban, "or push anything", "or deploy", and gives their kinds, those
// that end it apart. A word with a noun behind it is no verb: "deploy scripts".
func verbsOf(c []token) (objects []token, kinds, ending class) {
	for i, t := range c {
		k := banned(t.word)
		joined := i > 0 && (c[i-1].word == "or" || c[i-1].word == "and" || c[i-1].end)
		bare := i+1 == len(c) || t.end || determiner(c[i+1].word) || broad(c[i+1].word) || timely(c[i+1].word) || c[i+1].word == "or"
		if joined && bare && k != 0 && k&(look|make_) == 0 {
			if kinds |= k; i+1 == len(c) {
				ending = k
			}
			if t.end && len(objects) > 0 {
				objects[len(objects)-1].end = true
			}
			continue
		}
		objects = append(objects, t)
	}
	return objects, kinds, ending
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
	case "deploy", "deploying", "redeploy", "deployment", "deployments", "deploys", "rollout", "launch", "promote":
		return deploy
	case "push", "pushing":
		return publish | deploy
	case "ship", "release", "releasing", "releases", "publish", "publishing":
		return publish | deploy
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

// maxSentence bounds the words of a clause with its list, and maxBans what one prompt rules out, so that a prompt of
// nothing but bans takes no longer to read than any other.
const (
	maxSentence = 128
	maxBans     = 128
)

// addBan takes note of what is ruled out.
func (w *wish) addBan(b ban) {
	if len(w.bans) < maxBans {
		w.bans = append(w.bans, b)
	}
}

// sentence gives the clause a ban begins in, with the clauses that go on with its list. A clause with objects ends where
// the next one gives a new order.
func sentence(c, rest []token) []token {
	out := slices.Clone(c)
	for len(rest) > 0 && len(out) < maxSentence && !out[len(out)-1].stop {
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

// stages reads what a ban is about as stages of a deployment. One that is about changing them is about all that reaches
// them; one that is about deploying says little with the name of what is deployed.
func (b *ban) stages() {
	if len(b.about) == 0 {
		return
	}
	staged := true
	for _, ws := range b.about {
		staged = staged && slices.ContainsFunc(ws, stage)
	}
	switch {
	case staged:
		b.staged = true
		if b.kind&change != 0 {
			b.kind |= reaching
		}
	case b.kind&deploy != 0 && !slices.ContainsFunc(b.about, func(ws []string) bool { return slices.ContainsFunc(ws, func(w string) bool { return !deployable(w) }) }):
		b.about = nil
	}
}

// reaching is all work that can reach a running service.
const reaching = change | remove | discard | infra | deploy | publish | send

// stage names a place where a service runs.
func stage(w string) bool {
	switch w {
	case "production", "prod", "prd", "live", "staging", "stage", "stg":
		return true
	}
	return false
}

// sameStage says that two words name one stage.
func sameStage(a, b string) bool {
	return stage(a) && stage(b) && (a[0] == 's') == (b[0] == 's')
}

// deployable are the plain names of what is deployed.
func deployable(w string) bool {
	switch singular(w) {
	case "app", "application", "site", "website", "service", "server", "build", "version", "fix", "feature", "branch", "update", "image",
		"stack", "infrastructure", "work", "result", "stuff", "release", "deployment", "deploy", "backend", "frontend":
		return true
	}
	return false
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
	case "after", "before", "until", "unless", "when", "while", "if", "because", "since", "as", "instead", "without", "so", "yet", "but", "just",
		"today", "tonight", "tomorrow", "anymore", "during", "till", "today's", "thanks":
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

// sourceOnly: of all that could be meant the objects name the code.
func sourceOnly(c []token) bool {
	code := false
	for i, t := range c {
		switch {
		case timely(t.word):
			return code
		case t.word == "code", t.word == "codebase", t.word == "source", t.word == "sources":
			code = true
		case broad(t.word) && !(code && strings.HasPrefix(t.word, "file")) && !(i+1 < len(c) && c[i+1].word == "code"):
			return false
		}
	}
	return code
}

func determiner(w string) bool {
	switch w {
	case "the", "a", "an", "any", "my", "our", "your", "this", "that", "these", "those", "new", "more", "existing", "actual", "working",
		"whatsoever", "of", "to", "in", "at", "on", "for", "from", "with", "please", "now", "ever", "directly", "here", "me", "i":
		return true
	}
	return false
}

// covers says that a ban without targets is about an act of a call. What deploys and names no stage is for the one that
// the call names elsewhere, or for any.
func (d *deed) covers(b *ban, a *act) bool {
	if b.code {
		return sourceFile(a.target)
	}
	if len(b.about) == 0 || a.speaksOf(b.about) {
		return true
	}
	if a.kind == "database" { // which one, and what in it, stands in the line
		line := gjson.Get(d.input, "command").Str
		named := slices.DeleteFunc(slices.Clone(b.about), func(ws []string) bool { return !slices.ContainsFunc(ws, ownName) })
		if holds(append(words(line[:min(len(line), maxLine)]), "database", "db"), named) {
			return true
		}
	}
	if !b.staged {
		return false
	}
	said := a.stages()
	for i := 0; i < len(d.acts) && len(said) == 0 && a.class&deploy != 0; i++ {
		if d.acts[i].class&deploy != 0 {
			said = d.acts[i].stages()
		}
	}
	if len(said) == 0 {
		said = d.placed(a.program)
	}
	if len(said) == 0 {
		return a.class&deploy != 0
	}
	return slices.ContainsFunc(b.about, func(ws []string) bool {
		return slices.ContainsFunc(ws, func(w string) bool {
			return slices.ContainsFunc(said, func(s string) bool { return sameStage(s, w) })
		})
	})
}

// placed are the words that tell where to by the folder that a program is started in, envs/local, and the stages that its
// words name. It gives none where the line may start the program in a way that is not seen.
func (d *deed) placed(program string) []string {
	line := gjson.Get(d.input, "command").Str
	cmds := simple(line)
	if program == "" || len(line) > maxLine || len(cmds) == maxCmds || strings.ContainsAny(line, "$`\\") {
		return nil
	}
	var said []string
	dir := d.cwd
	for _, c := range cmds {
		switch c[0] {
		case "cd":
			if len(c) != 2 || c[1][0] == '-' || c[1][0] == '~' {
				return nil
			}
			if dir = path.Join(dir, c[1]); c[1][0] == '/' {
				dir = c[1]
			}
			continue
		case "pushd", "popd":
			return nil
		}
		in := dir
		for i, w := range c[1:] {
			if to, ok := strings.CutPrefix(w, "-chdir="); ok && i == 0 {
				in = path.Join(in, to)
			} else if strings.Contains(w, program) {
				return nil
			}
			if c[0] == program {
				said = append(said, slices.DeleteFunc(words(w), func(w string) bool { return !stage(w) })...)
			}
		}
		if c[0] == program {
			said = append(said, slices.DeleteFunc(words(in), func(w string) bool { return !stage(w) && !trial(w) })...)
		}
	}
	return said
}

// stages are the words of an act that tell where to.
func (a *act) stages() []string {
	said := append(words(a.below), append(words(a.how), words(a.program)...)...)
	if a.prod || a.tag == "production" {
		said = append(said, "production")
	}
	return slices.DeleteFunc(said, func(w string) bool { return !stage(w) && !trial(w) })
}

// trial names a place that nobody depends on.
func trial(w string) bool {
	switch w {
	case "dev", "development", "test", "testing", "local", "localstack", "localhost", "preview", "sandbox", "canary", "qa", "uat":
		return true
	}
	return false
}

// speaksOf says that an act names all words of one of the phrases, in its target, its program or its manner.
func (a *act) speaksOf(phrases [][]string) bool {
	said := append(words(a.below), words(a.how)...)
	said = append(said, words(a.program)...)
	if a.kind == "database" {
		said = append(said, "database", "db")
	}
	if a.class == publish && !merges(a.how) { // a branch goes by its whole name
		said = strings.FieldsFunc(strings.ToLower(a.target), func(c rune) bool { return c == ' ' || c == '/' })
	}
	return holds(said, phrases)
}

// ownName: a word that says which table or database is meant, and not what such things are called in every statement.
func ownName(w string) bool {
	switch singular(w) {
	case "table", "database", "db", "column", "row", "schema", "index", "view", "data", "key", "constraint", "sql", "query", "record", "value", "set", "user", "role":
		return false
	}
	return verb(w) == 0
}

// holds says that all words of one of the phrases are among those said, in one or in many.
func holds(said []string, phrases [][]string) bool {
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
