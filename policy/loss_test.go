package policy

import (
	"testing"

	"github.com/stepgate/stepgate/policy/effect"
)

func TestLossIsCountedOnce(t *testing.T) {
	file := func(act int, name string) effect.Effect {
		return effect.Effect{Kind: "content", Target: "/p/" + name, Files: 1, Bytes: 10, Lost: 1, Names: []string{name}, Act: act}
	}
	for _, tc := range []struct {
		name   string
		second effect.Effect
		same   bool
	}{
		{"the same file twice", file(1, "a"), true},
		{"another file of its size", file(1, "b"), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := effect.Prediction{Acts: make([]effect.Act, 2), Effects: []effect.Effect{file(0, "a"), tc.second}}
			one, both := lossText([]int{0}, p), lossText([]int{0, 1}, p)
			if (one == both) != tc.same {
				t.Errorf("one act %q, both %q", one, both)
			}
			if facts := Facts(p.Effects); (len(facts) == 1) != tc.same {
				t.Errorf("facts %q", facts)
			}
		})
	}
}
