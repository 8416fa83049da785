package policy

import (
	"strings"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy/effect"
)

// Consent lowers asks about a loss that the person has called for: their own words name the act and every target. Words
// are the prompts that a person typed, oldest first, with nothing of them missing. What is not plainly said is not said:
// questions, conditions, negations, quotations and talk about code give no consent, and a later no takes an earlier yes
// back. Hard findings, and all that is not about a loss, stay.
func Consent(fs []Finding, p effect.Prediction, w *effect.World, words []string) []Finding {
	var said []statement
	for i := range fs {
		f := &fs[i]
		if f.Action != agent.Ask || f.Class != State || len(f.Acts) == 0 || !consentable(f.Rule) {
			continue
		}
		if said == nil {
			if said = statements(words); len(said) == 0 {
				return fs
			}
		}
		named := true
		for _, act := range f.Acts {
			named = named && consents(said, subject{p: p, w: w, act: act})
		}
		if named {
			f.Action = agent.Allow
			f.Why += "; the person's own words ask for it"
			f.Instead = ""
		}
	}
	return fs
}

// consentable rules are about what the person can lose, and can therefore give away; and about start-up files, which
// people do ask to have edited.
func consentable(rule string) bool {
	return oneOf("fs.delete-git fs.delete-outside fs.delete-only-copy fs.overwrite-only-copy git.discard git.drop-stash git.drop-commits git.push-force git.push-delete git.push-mirror git.history db.drop db.delete-all infra.drop-volume infra.destroy persist.profile net.delete", rule)
}

// statement is what one clause says about acts: leave is given for a verb and its objects, or everything it mentions is
// to be left alone.
type statement struct {
	no       bool
	general  bool // a no to all that was said before
	part     bool // a no that takes something out of what was said before
	verb     string
	objects  []word // what the verb is about, one by one
	group    []word // all words of the objects
	after    []word // from the verb on, to the end of the clause
	narrowed bool   // "in src", "from docs/": only part of the objects
	itself   string // where "the … file" is said to be
}

// statements reads prompts clause by clause.
func statements(prompts []string) []statement {
	var out []statement
	for _, text := range prompts {
		if strings.Contains(text, " bytes]… ") {
			out = append(out, statement{no: true, general: true}) // it was cut: what is missing may be a no
			continue
		}
		muted := false
		for _, s := range sentences(text) {
			muted = muted && !s.opens
			out = s.read(out, muted)
			muted = muted || s.colon && !s.foreign && !benign(s.words)
		}
	}
	return out
}

// benign headings lead to things to do: "then:", or an order of their own, "set up my laptop:", that tells of no text.
func benign(ws []word) bool {
	first := ws[0]
	for len(ws) > 1 && !first.quoted && oneOf(lead, first.low) && !oneOf(operating, first.low) {
		ws = ws[1:]
		first = ws[0]
	}
	if !first.quoted && oneOf(operating, first.low) {
		for _, w := range ws {
			if w.quoted || oneOf(telling, w.low) || oneOf(authoring, w.low) && w.low != "docs" {
				return false
			}
		}
		return true
	}
	for _, w := range ws {
		if !oneOf(heading, w.low) {
			return false
		}
	}
	return true
}

// read adds what a sentence says. A muted one gives no leave; of a foreign one, a no about the very target counts.
func (s sentence) read(out []statement, muted bool) []statement {
	if s.foreign {
		for _, c := range clauses(s.words) {
			if denied(c) {
				out = append(out, statement{no: true, group: c})
			}
		}
		return out
	}
	asks := len(s.words) > 1 && oneOf("can could", s.words[0].low) && s.words[1].low == "you"
	muted = muted || s.question && !asks || s.talksOf()
	if oneOf("stop wait cancel abort nevermind hold", s.words[0].low) || s.words[0].low == "never" && len(s.words) == 2 && s.words[1].low == "mind" {
		return append(out, statement{no: true, general: true})
	}
	var last *statement
	led := false
	for _, c := range clauses(s.words) {
		switch {
		case denied(c):
			out = append(out, statement{no: true, general: sweeping(c), part: spares(c), group: c})
			last = nil
		case muted:
		case last != nil && goesOn(c):
			last.take(c)
		default:
			n := len(out)
			out = leaves(out, c)
			led = led || onlyLead(c) // "yes, …"
			if cmd, ok := typed(c, led); ok && len(out) == n {
				out = append(out, statement{verb: "run", after: cmd})
				n++
			}
			if last = nil; len(out) > n {
				last = &out[len(out)-1]
			}
		}
	}
	return out
}

// typed: the clause may be a command line that is given as an order: "git reset --hard please", "now git stash drop".
// Without such a word it may be quoted from anywhere.
func typed(c []word, led bool) ([]word, bool) {
	from := 0
	for from < len(c) && !c[from].quoted && oneOf(lead, c[from].low) {
		from++
	}
	polite := len(c) > 0 && oneOf("please now thanks", c[len(c)-1].low)
	return c[from:], len(c) > from && (led || from > 0 || polite)
}

// talksOf: the sentence depends on something, or is about what a program should do.
func (s sentence) talksOf() bool {
	makes := false
	for i, w := range s.words {
		switch {
		case w.quoted, standing(s.words[i:]):
		case oneOf(unsure, w.low):
			return true
		case oneOf(making, w.low):
			makes = true
		case oneOf(authoring, w.low) && makes:
			return true
		}
	}
	return false
}

// standing: the words that end a clause with leave for any time: "as needed", "whenever you like". They are no condition.
func standing(c []word) bool {
	if !oneOf("if when whenever", c[0].low) {
		return false
	}
	for _, p := range [...]string{"needed", "necessary", "required", "you need to", "you need", "you like", "you want", "you must"} {
		if n := matches(c[1:], p); n > 0 {
			rest := c[1+n:]
			return len(rest) == 0 || rest[0].low == "," || p == "you need" && matches(rest, "to") == len(rest)
		}
	}
	return false
}

// clauses splits a sentence at its commas and before the words that turn it.
func clauses(ws []word) [][]word {
	var out [][]word
	from := 0
	cut := func(to, next int) {
		if to > from {
			out = append(out, ws[from:to])
		}
		from = next
	}
	for i, w := range ws {
		switch {
		case w.low == "," && !w.quoted:
			cut(i, i+1)
		case !w.quoted && oneOf("but except keep leave excluding besides", w.low):
			cut(i, i)
		}
	}
	cut(len(ws), len(ws))
	return out
}

// onlySo: a clause that narrows the one before: "but only the empty files".
func onlySo(c []word) bool { return matches(c, "but only") > 0 || matches(c, "only") > 0 && len(c) > 1 }

func denied(c []word) bool {
	if onlySo(c) {
		return true
	}
	for i := range c {
		if denies(c, i) {
			return !(c[0].low == "but" && i == 0 && len(c) > 1 && !denied(c[1:]))
		}
	}
	return false
}

// sweeping: a no that is about everything: "do not delete anything", but not "nothing else".
func sweeping(c []word) bool {
	all := false
	for _, w := range c {
		if oneOf("else other others", w.low) {
			return false
		}
		all = all || oneOf(general, w.low)
	}
	return all
}

// spares: a no that leaves a part out: "keep the drafts", but not "leave the rest alone".
func spares(c []word) bool {
	part := false
	for _, w := range c {
		if oneOf("rest else other others going", w.low) {
			return false
		}
		part = part || !w.quoted && oneOf("keep leave preserve retain spare except excluding besides leaving keeping preserving retaining sparing", w.low)
	}
	return part || onlySo(c)
}

// leaves reads the verbs of a clause that stand where an order stands: at its beginning, or after "and" in a clause that
// is a row of orders; or the things that it gives away.
func leaves(out []statement, c []word) []statement {
	if s, ok := givenAway(c); ok {
		return append(out, s)
	}
	ordered := false
	for i := 0; i < len(c); {
		if oneOf(lead, c[i].low) && !c[i].quoted {
			i++
			continue
		}
		start := i == 0 || onlyLead(c[:i]) || ordered && oneOf("and then", c[i-1].low)
		if !start {
			i++
			continue
		}
		verb, n := verbAt(c[i:])
		if n == 0 {
			ordered = ordered || oneOf(starting, c[i].low)
			i++
			continue
		}
		s := statement{verb: verb, after: c[i:]}
		end := i + n
		for end < len(c) && !(oneOf("and then", c[end-1].low) && orders(c[end:])) {
			end++
		}
		s.take(c[i+n : end])
		out = append(out, s)
		ordered = true
		i = end
	}
	return out
}

// orders: another order begins here.
func orders(c []word) bool {
	for len(c) > 0 && !c[0].quoted && oneOf(lead, c[0].low) {
		c = c[1:]
	}
	if len(c) == 0 {
		return false
	}
	_, n := verbAt(c)
	return n > 0 || oneOf(starting+" "+making, c[0].low)
}

func onlyLead(c []word) bool {
	for _, w := range c {
		if !oneOf(lead, w.low) || w.quoted {
			return false
		}
	}
	return true
}

// verbs that are said in several words, and the one that they mean.
var verbPhrases = [...][2]string{
	{"get rid of", "delete"}, {"throw away", "delete"}, {"clear out", "delete"}, {"roll back", "discard"}, {"force push", "force-push"},
	{"push --force", "force-push"}, {"push -f", "force-push"}, {"git push --force", "force-push"}, {"git push -f", "force-push"}, {"force delete", "delete"},
	{"throw out", "delete"}, {"clean out", "delete"}, {"blow away", "delete"}, {"tear down", "destroy"}, {"take down", "destroy"},
}

// verbAt reads a verb that names an act, in its base form, and how many words it has.
func verbAt(c []word) (verb string, n int) {
	for _, p := range verbPhrases {
		if n := matches(c, p[0]); n > 0 {
			return p[1], n
		}
	}
	switch w := c[0]; {
	case w.quoted:
	case oneOf("run execute do use", w.low):
		return "run", 1
	case oneOf("delete remove rm erase wipe trash unlink nuke purge drop discard empty clear overwrite replace rewrite regenerate recreate truncate reset revert undo restore force-push destroy uninstall terminate", w.low):
		return w.low, 1
	case oneOf(putting, w.low):
		return "put", 1
	}
	return "", 0
}

// matches counts the words of a phrase that a clause begins with, all or none.
func matches(c []word, phrase string) int {
	n := 0
	for p := range strings.FieldsSeq(phrase) {
		if n >= len(c) || c[n].quoted || c[n].low != p {
			return 0
		}
		n++
	}
	return n
}

// Words around the objects of a verb.
const (
	fillers = "the a an my our your both whole entire all of every each old stale named called file files folder folders directory directories dir dirs branch branches tag tags table tables database databases locally remotely completely entirely now please only again here too as well directly right away local remote"
	kinds   = "file files folder folders directory directories dir dirs branch branches tag tags table tables database databases"
	joiners = "and plus also , &"
	into    = "in inside under within from of on at with by for to into like matching because since as so which that who before"
	whole   = "everything all contents content files file stuff of the in inside any every"
	acting  = "run build test commit push check rerun start restart try make fix clean update move report continue redo retry see tell let it them this that"
)

// take reads objects: a row of names joined by "and" and commas, up to a word that begins something else.
func (s *statement) take(c []word) {
	for i := range c {
		if standing(c[i:]) {
			c = c[:i]
			break
		}
	}
	if i := firstName(c); i >= 0 { // a folder that is called as something one does: "delete build"
		s.objects = append(s.objects, c[i])
	}
	var run []word // words of one object
	var bare []word
	kind := false
	flush := func() {
		var path *word
		names := 0
		for i := range run {
			w := &run[i]
			switch {
			case w.quoted || strings.ContainsAny(w.text, `/.*~_@\`) || strings.ContainsAny(w.text, "0123456789-") && len(w.text) > 2:
				s.objects = append(s.objects, *w)
				path = w
			case oneOf(fillers, w.low):
				kind = kind || oneOf(kinds, w.low)
			default:
				names++
			}
		}
		if path == nil {
			last := word{}
			for _, w := range run {
				if !oneOf(fillers, w.low) || names == 0 && !oneOf(kinds, w.low) && oneOf("old stale local remote", w.low) {
					last = w
				}
			}
			if names <= 1 && last.text != "" {
				bare = append(bare, last)
			}
		}
		run = nil
	}
	for i, w := range c {
		s.group = append(s.group, w)
		switch {
		case !w.quoted && oneOf(joiners, w.low):
			flush()
		case !w.quoted && oneOf(into, w.low):
			if onlyWhole(c[:i]) && oneOf("in inside under within of from", w.low) {
				run = nil
				continue // everything in tmp/
			}
			flush()
			s.narrow(c[:i], c[i+1:], w.low)
			s.objects = append(s.objects, settled(bare, kind, s.narrowed || oneOf("in inside under within from of on", w.low))...)
			s.group = append(s.group, c[i+1:]...)
			return
		default:
			run = append(run, w)
		}
	}
	flush()
	s.objects = append(s.objects, settled(bare, kind, false)...)
}

// firstName is the place of a plain word that stands alone as the first object and would be a verb further on, or -1.
func firstName(c []word) int {
	i := 0
	for i < len(c) && !c[i].quoted && oneOf("the my our your whole entire", c[i].low) {
		i++
	}
	if i == len(c) || c[i].quoted || !oneOf("build test report", c[i].low) || i+1 < len(c) && !oneOf(joiners+" "+kinds+" please now", c[i+1].low) {
		return -1
	}
	return i
}

// settled are the plain words that are names: beside a word such as "folders", or by themselves.
func settled(bare []word, kind, narrowed bool) []word {
	if narrowed && !kind {
		return nil
	}
	var out []word
	for _, w := range bare {
		if kind || !oneOf(acting, w.low) {
			out = append(out, w)
		}
	}
	return out
}

func onlyWhole(c []word) bool {
	for _, w := range c {
		if !oneOf(whole, w.low) || w.quoted {
			return false
		}
	}
	return len(c) > 0
}

// narrow notes that the objects are meant only within a place, or that the one file is there.
func (s *statement) narrow(objects, rest []word, prep string) {
	if !oneOf("in inside under within from of at", prep) {
		return
	}
	if oneOf("in at", prep) && len(rest) > 0 && len(objects) > 0 && objects[len(objects)-1].low == "file" && (len(rest) == 1 || rest[1].low == ",") {
		s.itself = rest[0].text
	}
	for _, w := range rest {
		if w.quoted || strings.ContainsAny(w.text, "/.") {
			s.narrowed = true
		}
	}
}

// goesOn: a clause that is a further part of a row of names.
func goesOn(c []word) bool {
	names := 0
	for _, w := range c {
		switch {
		case w.quoted, strings.ContainsAny(w.text, "/."):
			names++
		case oneOf(fillers, w.low), oneOf(joiners, w.low):
		case oneOf(acting, w.low), oneOf(starting, w.low), oneOf(into, w.low):
			return false
		default:
			names++
		}
	}
	joins := 1
	for _, w := range c[:len(c)-1] {
		if oneOf(joiners, w.low) {
			joins++
		}
	}
	return names > 0 && names <= joins
}
