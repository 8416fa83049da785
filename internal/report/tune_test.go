package report

import (
	"strings"
	"testing"
)

// TestTuneWithoutThresholds: lines that lost their details, or were written by other hands, give a reason.
func TestTuneWithoutThresholds(t *testing.T) {
	r := record{t: t}
	for i := range 2 * fewLabels {
		word := "safe"
		if i%2 == 1 {
			word = "unsafe"
		}
		r.label(r.line(`"kind":"call","tool":"Bash","would":"ask","did":"allow"`), word)
	}
	rep := r.read(Options{})
	if rep.Labels.Safe != fewLabels || rep.Labels.Unsafe != fewLabels {
		t.Fatalf("labels %+v", rep.Labels)
	}
	if proposals, why := Tune(rep); len(proposals) != 0 || !strings.Contains(why, "thresholds") {
		t.Errorf("proposals %+v, %q", proposals, why)
	}
}
