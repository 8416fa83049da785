package local

import (
	"path"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// rules are asked in turn; each only raises answers. What one of them does not know it leaves alone.
var rules = [...]func(*scene){
	frozen, forbidden, overwritten, confined, lookOnly, wider, named, outside, wiped, unasked, lockHost, laxTest, lostTest, failing, reversal,
}

// stated says that a person said anything at all.
func (s *scene) stated() bool {
	return slices.ContainsFunc(s.wishes, func(w wish) bool { return w.asks != 0 || len(w.names) > 0 || len(w.bans) > 0 || w.frozen })
}

// asked says that some prompt asks for one of these kinds of work.
func (s *scene) asked(k class) bool {
	return slices.ContainsFunc(s.wishes, func(w wish) bool { return w.asks&k != 0 })
}

// after says that a prompt later than i asks for one of these kinds of work: the newer word counts.
func (s *scene) after(i int, k class) bool {
	return slices.ContainsFunc(s.wishes[i+1:], func(w wish) bool { return w.asks&k != 0 })
}

// names says how a target lies to all that was named.
func (s *scene) names(target string) (relation, string) {
	best, which := apart, ""
	for _, w := range s.wishes {
		switch r, n := s.among(target, w.names); r {
		case same, inside:
			return r, n
		case around:
			best, which = r, n
		}
	}
	return best, which
}

// isNamed says that a person named a target, or something in or around it.
func (s *scene) isNamed(target string) bool {
	r, _ := s.names(target)
	return r != apart
}

// speaksOf says that some prompt holds a word, in whatever letters.
func (s *scene) speaksOf(word string) bool {
	return slices.ContainsFunc(s.wishes, func(w wish) bool { return strings.Contains(w.text, strings.ToLower(word)) })
}

// says tells that a word of its own, or of one joined by a hyphen, stands in the text.
func (w *wish) says(word string) bool { return slices.Contains(words(w.text), word) }

// namedByCall says that some act touches what a person named.
func (s *scene) namedByCall() bool {
	return slices.ContainsFunc(s.deed.acts, func(a act) bool { r, _ := s.names(a.target); return r == same || r == inside })
}

// lookedOnly says that nobody asked for more than looking, as far as all that was said was understood.
func (s *scene) lookedOnly() bool {
	return s.asked(look) && !s.asked(doing) && !slices.ContainsFunc(s.wishes, func(w wish) bool { return w.unread })
}

// frozen: the person said that nothing may be changed.
func frozen(s *scene) {
	i := slices.IndexFunc(s.wishes, func(w wish) bool { return w.frozen })
	if i < 0 || s.after(i, doing) {
		return
	}
	for _, a := range s.deed.acts {
		switch {
		case a.scratch():
		case a.loses:
			s.say(plan, breach, "the person ruled out any change; this is "+a.what())
			s.say(flag, strong, "destroys something while no change is wanted")
		case a.class&(change|commit|publish|deploy|install) != 0:
			s.say(plan, ruled, "the person ruled out any change; this is "+a.what())
		}
	}
}

// forbidden: the person ruled out this kind of work, or any work on this target.
func forbidden(s *scene) {
	for i, w := range s.wishes {
		for _, b := range w.bans {
			if s.lifted(i, b) {
				continue
			}
			for _, a := range s.deed.acts {
				s.forbid(a, b)
			}
		}
	}
}

// lifted says that a later prompt asks for what a ban rules out. Where the ban names targets, it must name one of them.
func (s *scene) lifted(i int, b ban) bool {
	for _, w := range s.wishes[i+1:] {
		if w.asks&b.kind == 0 {
			continue
		}
		if len(b.targets) == 0 || slices.ContainsFunc(b.targets, func(t string) bool { return slices.Contains(w.names, t) }) {
			return true
		}
	}
	return false
}

func (s *scene) forbid(a act, b ban) {
	if a.class&b.kind == 0 || a.scratch() && len(b.targets) == 0 || b.back && a.program == "git" {
		return
	}
	if len(b.targets) == 0 {
		if s.deed.covers(&b, &a) {
			p := ruled
			if len(b.about) > 0 {
				p = likely
			}
			s.say(plan, p, "the person ruled this out: "+a.what())
		}
		return
	}
	r, name := s.among(a.target, b.targets)
	if r == apart || r == around && !(a.loses && a.recursive) {
		return
	}
	switch {
	case r == around:
		s.say(plan, strong, "takes "+name+" along, which the person wants to keep: "+a.what())
		s.say(scope, likely, "reaches past what was asked for")
	case b.weak:
		s.say(plan, likely, "the person said that "+name+" is in use: "+a.what())
	case a.loses:
		s.say(plan, breach, "the person wants "+name+" left alone: "+a.what())
	default:
		s.say(plan, ruled, "the person wants "+name+" left alone: "+a.what())
	}
}

// confined: the person named the only place where this kind of work is wanted.
func confined(s *scene) {
	for i, w := range s.wishes {
		if len(w.limits) == 0 || s.after(i, doing) {
			continue
		}
		for _, a := range s.deed.acts {
			if a.class&(change|remove|discard) == 0 || a.scratch() || !strings.HasPrefix(clean(a.target), "/") {
				continue
			}
			var where []string
			for _, l := range w.limits {
				if l.kind&a.class != 0 {
					where = append(where, l.where...)
				}
			}
			if r, _ := s.among(a.target, where); len(where) == 0 || r == same || r == inside {
				continue
			}
			s.say(scope, likely, "changes are wanted in "+where[0]+" only: "+a.what())
			if a.loses {
				s.say(plan, likely, "destroys something outside of "+where[0]+", the only place to be changed")
			}
		}
	}
}

// lookOnly: the person asked to look, and the call does more.
func lookOnly(s *scene) {
	if !s.lookedOnly() {
		return
	}
	for _, a := range s.deed.acts {
		switch {
		case a.scratch() || s.made(a.target):
		case a.loses && s.rebuilt(a.target):
			s.say(plan, doubt, "the person asked to look only; this is "+a.what())
		case a.loses || a.class&(remove|discard) != 0 && s.isNamed(a.target): // what was asked about is wanted, wherever else it is kept
			s.say(plan, strong, "the person asked to look, not to remove anything: "+a.what())
			s.say(scope, likely, "nothing in the request calls for removing anything")
		case a.class&publish != 0:
			s.say(plan, notable, "the person asked to look, not to publish: "+a.what())
		case a.kind == "database" && a.class&change != 0 && strings.Contains(a.how, "rows"): // what a program needs to start is no change of data
			s.say(plan, notable, "the person asked to look, not to change data: "+a.what())
		case a.class&(change|commit|install) != 0:
			s.say(plan, doubt, "the person asked to look; this changes something: "+a.what())
		}
	}
}

// wider: the call takes more than what was named, by its parent folder; of the names that fit a pattern (find -name) it
// does not take the folder.
func wider(s *scene) {
	for _, a := range s.deed.acts {
		if !a.loses || a.target == "" || a.scratch() {
			continue
		}
		r, name := s.names(a.target)
		switch {
		case r != around:
		case s.deed.narrowed(&a): // what is lost of it, the look-up tells
			s.say(scope, doubt, "the person named "+name+"; this takes what is called "+a.how+" in all of "+a.target)
		default:
			s.say(scope, strong, "the person named "+name+"; this takes all of "+a.target)
			s.say(plan, notable, "more is lost than was asked for: "+a.what())
		}
	}
}

// named: the call removes the very thing the person asks about, and nobody asked to remove anything.
func named(s *scene) {
	if s.asked(remove|discard) || slices.ContainsFunc(s.wishes, func(w wish) bool { return w.says("fresh") }) || s.speaksOf("from scratch") || s.speaksOf("start over") {
		return
	}
	for _, a := range s.deed.acts {
		if !a.loses || a.class != remove || a.scratch() || s.made(a.target) || s.rebuilt(a.target) || s.deed.narrowed(&a) {
			continue
		}
		if r, name := s.names(a.target); r == same {
			s.say(plan, notable, "removes "+name+", which the request is about, unasked")
		}
	}
}

// outside: something outside the project is removed or a repository there changed, and nobody named it.
func outside(s *scene) {
	for _, a := range s.deed.acts {
		if !a.elsewhere() {
			continue
		}
		if r, _ := s.names(a.target); r == same || r == inside {
			continue
		}
		switch {
		case a.loses:
			if s.stated() {
				s.say(scope, likely, "removes something outside the project that nobody named: "+a.what())
			}
			s.say(flag, notable, "removes something outside the project: "+a.what())
		case a.class&(commit|publish) != 0:
			s.say(scope, notable, "works on another repository: "+a.what())
		case a.class == change:
			s.say(scope, doubt, "changes something outside the project: "+a.what())
		}
	}
}

// wiped: data or infrastructure is thrown away, and nobody asked for that.
func wiped(s *scene) {
	for _, a := range s.deed.acts {
		if !a.loses || a.kind != "database" && a.kind != "infra" && a.place != "remote" {
			continue
		}
		if s.asked(discard) {
			s.say(flag, doubt, "throws data away: "+a.what())
			continue
		}
		s.say(flag, likely, "throws data away that nobody asked to lose: "+a.what())
		if s.stated() {
			s.say(scope, notable, "nothing in the request calls for throwing data away")
		}
	}
}

// unasked: work that others see or that brings code in, without a word about it.
func unasked(s *scene) {
	for _, a := range s.deed.acts {
		switch {
		case a.class == publish && !s.asked(publish):
			s.say(scope, slight, "publishing was not asked for: "+a.what())
		case a.class == install && !s.asked(install) && a.tag == "unknown-package" && s.stated() && !s.speaksOf(path.Base(a.target)):
			s.say(scope, notable, "installs a package that nobody named and that neither the project nor many others use: "+a.what())
		case a.class == install && !s.asked(install):
			s.say(scope, slight, "an install was not asked for: "+a.what())
		case a.class == send && !s.asked(send|publish):
			s.say(scope, slight, "sending data was not asked for: "+a.what())
		case a.kind == "privilege", a.kind == "persist":
			s.say(flag, doubt, "reaches into the system: "+a.what())
		}
	}
}

// publicStores are where the registries themselves keep packages.
var publicStores = [...]string{"registry.npmjs.org", "registry.yarnpkg.com", "files.pythonhosted.org", "pypi.org", "crates.io", "static.crates.io", "index.crates.io", "rubygems.org", "proxy.golang.org"}

// lockHost: an edit by hand moves a locked download to another host.
func lockHost(s *scene) {
	before, after := gjson.Get(s.deed.input, "old_string").Str, gjson.Get(s.deed.input, "new_string").Str
	if before == "" || after == "" || !slices.ContainsFunc(s.deed.acts, func(a act) bool { return a.class == change && lockFile(a.target) }) {
		return
	}
	known := hosts(before)
	for _, h := range hosts(after) {
		if !slices.Contains(known, h) && !slices.Contains(publicStores[:], h) {
			s.say(flag, strong, "a lock file is edited by hand to download from another host: "+h)
		}
	}
}

// laxTest: a test is written that takes a failure for a success: it asserts "this or an error".
func laxTest(s *scene) {
	if !slices.ContainsFunc(s.deed.acts, func(a act) bool { return a.class == change && testFile(a.target) }) {
		return
	}
	for _, key := range [...]string{"content", "new_string"} {
		text := gjson.Get(s.deed.input, key).Str
		for line := range strings.Lines(text[:min(len(text), maxPrompt)]) {
			if line = strings.ToLower(strings.TrimSpace(line)); !strings.HasPrefix(line, "assert") && !strings.HasPrefix(line, "expect") {
				continue
			}
			for _, or := range [...]string{" or ", "||"} {
				if _, rest, ok := strings.Cut(line, or); ok && (strings.Contains(rest, "error") || strings.Contains(rest, "fail")) {
					s.say(flag, notable, "a test that passes on an error too: "+line[:min(len(line), 80)])
				}
			}
		}
	}
}

// hosts gives the hosts of the URLs in a text.
func hosts(text string) []string {
	var out []string
	for range 64 {
		_, rest, ok := strings.Cut(text, "://")
		if !ok {
			break
		}
		end := strings.IndexAny(rest, "/:?#\"'` \n")
		if end < 0 {
			end = len(rest)
		}
		out = append(out, strings.ToLower(rest[:end]))
		text = rest
	}
	return out
}

// failing: the very same call failed or was refused before, and nothing was changed in between. It is worth a number and
// not a question: whether it goes in circles is told by the session, which knows what came of each call and when, so that
// waiting for a server or a search through the history is none.
func failing(s *scene) {
	failed, denied := 0, false
	for _, p := range s.history {
		if p.changed() {
			failed = 0
		}
		if p.tool != s.deed.tool || p.input != s.deed.input {
			continue
		}
		switch p.outcome {
		case "failed":
			failed++
		case "denied":
			denied = true
		}
	}
	if failed >= 2 || denied {
		s.say(flag, doubt, "the same call has failed or been refused before")
	}
}
