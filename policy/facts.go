package policy

import "github.com/stepgate/stepgate/policy/effect"

// Facts say in one line each what was found to be lost, for a judge. The texts are not masked.
func Facts(effects []effect.Effect) []string {
	var out []string
	for _, e := range effects {
		switch {
		case e.Lost > 0:
			out = append(out, lossOf(e.Kind, e)+" in "+quote(e.Target))
		case e.Unknown != "":
			out = append(out, "what "+quote(e.Target)+" would lose is not known: "+e.Unknown)
		}
	}
	return out
}
