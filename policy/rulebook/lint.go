package rulebook

import (
	"strings"

	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/verifier"
)

// Lint says what is likely to be wrong with policies that can be read: nobody could tell what breaks them, two have one
// id, or they cannot do what they are meant to.
func Lint(own []Policy) []string {
	var out []string
	say := func(p *Policy, text string) { out = append(out, "policy "+quote(p.ID)+": "+text) }
	seen := map[string]int{}
	asked := 0
	var untried, blunt []string // the ids of policies that no example tries, and of those that offer nothing instead
	for i := range own {
		p := &own[i]
		if seen[p.ID]++; seen[p.ID] == 2 {
			say(p, "the id is there twice; give each its own")
		}
		if vague(p.Description) {
			say(p, "the description is vague; name what must not happen")
		}
		if p.Alternative == "" {
			blunt = append(blunt, quote(p.ID))
		}
		if p.When == nil {
			asked++
			if len(p.Hit)+len(p.Miss) > 0 {
				say(p, "hit and miss need policy test --judge, without a when")
			}
		} else if len(p.Hit) == 0 {
			untried = append(untried, quote(p.ID))
		}
		if p.Reversible && p.Severity == policy.Critical {
			say(p, "critical and reversible: one of the two is rarely meant")
		}
	}
	if len(untried) > 0 {
		out = append(out, "no hit in "+first(untried)+"; add a command that breaks it")
	}
	if len(blunt) > 0 {
		out = append(out, "no alternative in "+first(blunt)+"; say what the agent is to do instead")
	}
	if most := verifier.Fit(make([]verifier.Policy, len(own))); asked > most {
		out = append(out, itoa(asked)+" policies need a judge, one request has room for "+itoa(most)+"; the rest go unasked")
	}
	return out
}

// first are the first three of many names.
func first(names []string) string {
	text := strings.Join(names[:min(3, len(names))], ", ")
	if n := len(names) - 3; n > 0 {
		text += " and " + itoa(n) + " more"
	}
	return text
}

// vague says that a description names nothing by which a call could be told to break it.
func vague(text string) bool {
	telling := 0
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !inWord(r) }) {
		if len(w) > 2 && !strings.Contains(vagueWords, " "+w+" ") {
			telling++
		}
	}
	return telling < 2
}

// vagueWords say how something is to be done, or are only there to bind others.
const vagueWords = " the and are any all not never always must should shall does don that this with without for from into please agent assistant you your user users " +
	"safe safely safety careful carefully care good bad well proper properly appropriate appropriately inappropriate reasonable reasonably responsible responsibly " +
	"harm harms harmful harmless danger dangerous risk risky risks unsafe security secure securely correct correctly right wrong nice clean best practice practices " +
	"thing things something anything everything stuff action actions act acts call calls way ways behave behaviour behavior policy rule rules follow respect avoid ensure make sure doing done being very too only ever "
