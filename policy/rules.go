package policy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy/effect"
)

// rule is one row of the table of rules (rules_table.go). A rule hits when one of the call's acts fits every condition it
// sets; all acts that fit give one finding.
type rule struct {
	id       string
	class    Class
	severity Severity
	action   agent.Action

	// Conditions on an act. An empty list sets none.
	kinds  []effect.ActKind
	tags   []effect.Tag // an act without a tag fits none
	places []effect.Place
	// needs says what must have been found on disk or in git.
	needs need
	// tree: only acts on a whole tree.
	tree bool
	// unseen: only where what is typed into a running program fires no hook.
	unseen bool

	// why is the reason: {target}, {how}, {program} and {loss} stand for what was seen. instead names a safer way.
	why, instead string
}

// need is a condition on what an act loses.
type need uint8

const (
	anything need = iota
	loss          // something is lost, or nobody knows

	unlessSeen // as anything, but for an act that was looked up and has nothing to lose
)

// Rules gives the findings of the rules about a call, in the table's order. What the agent is able to do decides which
// rules there are.
func Rules(_ agent.Call, p effect.Prediction, w *effect.World, can agent.Abilities) []Finding {
	if len(p.Acts) == 0 {
		return nil
	}
	var out []Finding
	losing := losers(p)
	for i := range rules {
		r := &rules[i]
		if r.unseen && !can.TypingUnseen {
			continue
		}
		if hit := r.hits(p, losing); len(hit) > 0 {
			out = append(out, r.finding(hit, p, w))
		}
	}
	return out
}

// losers says of each act whether it loses something, or nobody knows.
func losers(p effect.Prediction) []bool {
	out := make([]bool, len(p.Acts))
	for i := range p.Effects {
		if e := &p.Effects[i]; e.Loses() {
			out[e.Act] = true
		}
	}
	return out
}

// hits gives the indexes of the acts that fit.
func (r *rule) hits(p effect.Prediction, losing []bool) []int {
	var out []int
	for i := range p.Acts {
		a := &p.Acts[i]
		if r.fits(a) && (r.needs == anything || r.needs == unlessSeen && !a.NoLoss || r.needs == loss && losing[i]) {
			out = append(out, i)
		}
	}
	return out
}

func (r *rule) fits(a *effect.Act) bool {
	return has(r.kinds, a.Kind) && has(r.tags, a.Tag) && has(r.places, a.Place) && (!r.tree || a.Recursive)
}

func has[T comparable](list []T, v T) bool {
	for _, x := range list {
		if x == v {
			return true
		}
	}
	return len(list) == 0
}

func (r *rule) finding(hit []int, p effect.Prediction, w *effect.World) Finding {
	a := p.Acts[hit[0]]
	target := targets(hit, p, w)
	if target == "" && !strings.Contains(r.why, "} {target}") {
		target = "something that cannot be known beforehand"
	}
	severity := r.severity
	for _, i := range hit {
		if p.Acts[i].Prod {
			severity = severity.raised()
			break
		}
	}
	how := a.How
	if strings.Contains(r.why, "{program} {how}") {
		how = withoutProgram(how, a.Program)
	}
	if strings.Contains(r.why, "{how} {target}") && strings.HasSuffix(" "+how, " "+target) {
		target = "" // the manner ends in it
	}
	return Finding{
		Rule: r.id, Class: r.class, Severity: severity, Action: r.action, Instead: r.instead, Acts: hit,
		Why: fill(r.why, "{target}", quote(target), "{how}", quote(how), "{program}", quote(a.Program), "{loss}", lossText(hit, p)),
	}
}

// withoutProgram is a manner without the program's name at its head; docker-compose is docker's compose.
func withoutProgram(how, program string) string {
	if first, rest, _ := strings.Cut(how, " "); first == program || strings.HasSuffix(program, "-"+first) {
		return rest
	}
	return how
}

// fill puts what was seen into a reason, each in one pass. What is empty leaves no gap.
func fill(why string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			why = strings.ReplaceAll(why, " "+pairs[i], "")
		}
	}
	return strings.NewReplacer(pairs...).Replace(why)
}

// raised is one step more severe: what people depend on is hit.
func (s Severity) raised() Severity {
	switch s {
	case Low:
		return Medium
	case Medium:
		return High
	}
	return Critical
}

// targets joins the first targets of the acts; paths inside the project are given from its root.
func targets(hit []int, p effect.Prediction, w *effect.World) string {
	var names []string
	more := 0
	for _, i := range hit {
		t := strings.TrimSpace(p.Acts[i].Target)
		if inside := strings.TrimPrefix(t, w.Root+"/"); w.Root != "" && inside != "" {
			t = inside
		}
		switch {
		case t == "" || len(names) > 0 && contains(names, t):
		case len(names) < 3:
			names = append(names, t)
		default:
			more++
		}
	}
	if len(names) == 0 {
		return ""
	}
	s := strings.Join(names, ", ")
	if more > 0 {
		s += ", +" + strconv.Itoa(more)
	}
	return s
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// lossText says in one line what the acts lose: deletes 12 files (3.1 MB); 9 exist nowhere else: a, b, c, +6. What two of
// them lose alike is counted once.
func lossText(hit []int, p effect.Prediction) string {
	chosen := make([]bool, len(p.Acts))
	for _, i := range hit {
		chosen[i] = true
	}
	var sum effect.Effect
	var counted []*effect.Effect
	for i := range p.Effects {
		e := &p.Effects[i]
		if !e.Loses() || !chosen[e.Act] || among(counted, e) {
			continue
		}
		if len(counted) < maxCounted {
			counted = append(counted, e)
		}
		sum.Files += e.Files
		sum.Bytes += e.Bytes
		sum.Lost += e.Lost
		sum.AtLeast = sum.AtLeast || e.AtLeast
		if sum.Unknown == "" {
			sum.Unknown = e.Unknown
		}
		for _, n := range e.Names {
			if len(sum.Names) < 3 {
				sum.Names = append(sum.Names, n)
			}
		}
	}
	if sum.Lost == 0 {
		if sum.Unknown != "" {
			return "what is lost is not known: " + sum.Unknown
		}
		return "what is lost is not known"
	}
	return lossOf(counted[0].Kind, sum)
}

// maxCounted bounds the losses that a further one is compared with.
const maxCounted = 64

// among says that a loss is one of these.
func among(counted []*effect.Effect, e *effect.Effect) bool {
	for _, c := range counted {
		if c.Lost == e.Lost && c.Bytes == e.Bytes && c.Files == e.Files && c.Kind == e.Kind && c.Target == e.Target && slices.Equal(c.Names, e.Names) {
			return true
		}
	}
	return false
}

func lossOf(kind string, e effect.Effect) string {
	least := ""
	if e.AtLeast {
		least = "at least "
	}
	names := ""
	if len(e.Names) > 0 {
		quoted := make([]string, len(e.Names))
		for i, n := range e.Names {
			quoted[i] = quote(n)
		}
		names = ": " + strings.Join(quoted, ", ")
		if more := e.Lost - len(e.Names); more > 0 {
			names += ", +" + strconv.Itoa(more)
		}
	}
	switch kind {
	case "commits":
		return fmt.Sprintf("%s%s no other branch or remote holds", least, Many(e.Lost, "commit"))
	case "objects":
		return fmt.Sprintf("%s%s of the store that nothing names any more", least, Many(e.Lost, "object"))
	case "pushed":
		return Many(e.Lost, "commit") + " that " + quote(e.Target) + " has already"
	case "stash":
		return "a stash holds changes that are nowhere else"
	case "changes":
		return fmt.Sprintf("%s%s with uncommitted changes (%s)%s", least, Many(e.Lost, "file"), size(e.Bytes), names)
	case "content":
		if e.Lost > 1 {
			return "their present content exists nowhere else" + names
		}
		return "its present content exists nowhere else" // whoever says so has named the file
	}
	exist := "exist"
	if e.Lost == 1 {
		exist = "exists"
	}
	return fmt.Sprintf("%s%s (%s); %d %s nowhere else%s", least, Many(max(e.Files, e.Lost), "file"), size(e.Bytes), e.Lost, exist, names)
}

// Many is a number of things: 1 call, 2 calls, 3 policies, 4 stashes.
func Many(n int, thing string) string {
	count := strconv.Itoa(n) + " "
	if n == 1 {
		return count + thing
	}
	if stem, ok := strings.CutSuffix(thing, "y"); ok && !strings.HasSuffix(stem, "a") && !strings.HasSuffix(stem, "e") {
		return count + stem + "ies"
	}
	if strings.HasSuffix(thing, "ch") || strings.HasSuffix(thing, "sh") {
		thing += "e"
	}
	return count + thing + "s"
}

// size writes a number of bytes as people do.
func size(n int64) string {
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10) + " B"
	case n < 1000_000:
		return strconv.FormatFloat(float64(n)/1000, 'f', 1, 64) + " kB"
	case n < 1000_000_000:
		return strconv.FormatFloat(float64(n)/1000_000, 'f', 1, 64) + " MB"
	}
	return strconv.FormatFloat(float64(n)/1000_000_000, 'f', 1, 64) + " GB"
}

// maxQuote bounds a text from outside inside a reason, in runes.
const maxQuote = 80

// quote makes a text from outside safe to show: one line, no control or direction characters, short.
func quote(s string) string {
	var b strings.Builder
	n := 0
	for _, c := range s {
		if n++; n > maxQuote {
			b.WriteString("…")
			break
		}
		switch {
		case c == unicode.ReplacementChar || unicode.IsControl(c) || unicode.Is(unicode.Cf, c) || c == '\u2028' || c == '\u2029':
			b.WriteByte('?')
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// IDs are the rules of the table with their class, in its order.
func IDs(yield func(id string, class Class) bool) {
	for i := range rules {
		if !yield(rules[i].id, rules[i].class) {
			return
		}
	}
}

// Meaning is what a rule of the table says before a call's own names are put between its braces; empty for what is no
// rule of it.
func Meaning(id string) string {
	for i := range rules {
		if rules[i].id == id {
			return rules[i].why
		}
	}
	return ""
}
