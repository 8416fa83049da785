package verifier

import (
	"maps"
	"slices"

	"github.com/stepgate/stepgate/internal/jsonw"
)

// JSON writes the answers as json.Marshal does; every call pays for it, so it is done without reflection.
func (a *Answers) JSON() string {
	o := jsonw.Begin(nil)
	o.Float("contradicts_plan", a.ContradictsPlan)
	o.Float("out_of_scope", a.OutOfScope)
	o.Float("contradicts_previous", a.ContradictsPrevious)
	o.Float("should_flag", a.ShouldFlag)
	o.Append("intent_consistency", a.Intent.append)
	probabilities(&o, "trajectory", a.Trajectory)
	probabilities(&o, "policies", a.Policies)
	return string(o.End())
}

func (i *Intent) append(b []byte) []byte {
	o := jsonw.Begin(b)
	o.Float("score", i.Score)
	if len(i.Probabilities) > 0 {
		o.Append("probabilities", func(b []byte) []byte {
			return jsonw.List(b, i.Probabilities, func(b []byte, p *float64) []byte { return jsonw.Float(b, *p) })
		})
	}
	return o.End()
}

func probabilities(o *jsonw.Object, name string, of map[string]float64) {
	if len(of) == 0 {
		return
	}
	o.Append(name, func(b []byte) []byte {
		m := jsonw.Begin(b)
		for _, id := range slices.Sorted(maps.Keys(of)) {
			m.Float(id, of[id])
		}
		return m.End()
	})
}
