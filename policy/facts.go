package policy

import "github.com/stepgate/stepgate/policy/effect"

// maxFacts bounds what a judge is told of one call's losses.
const maxFacts = 40

// Facts say in one line each what was found to be lost, for a judge. The texts are not masked.
func Facts(effects []effect.Effect) []string {
	var out []string
	for i := 0; i < len(effects) && len(out) < maxFacts; i++ {
		fact := ""
		switch e := effects[i]; {
		case e.Lost > 0:
			fact = lossOf(e.Kind, e) + " in " + quote(e.Target)
		case e.Unknown != "":
			fact = "what " + quote(e.Target) + " would lose is not known: " + e.Unknown
		}
		if fact != "" && !contains(out, fact) {
			out = append(out, fact)
		}
	}
	return out
}
