package redact_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/redact"
	"github.com/stepgate/stepgate/redact/corpus"
)

// TestCorpus holds the masker against public scanners' own examples and rows of agent calls, which are not part of this
// repository. The bars are what the figures were when they were last raised, rounded down; a fall below them is a
// fault. scripts/redact prints the figures and what goes wrong.
func TestCorpus(t *testing.T) {
	root := os.Getenv("STEPGATE_SHARED")
	if root == "" {
		root = "../../shared"
	}
	dir := filepath.Join(root, "redaction")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no redaction corpus: set STEPGATE_SHARED to the folder that holds redaction/")
	}
	rows, err := corpus.Others(dir)
	if err != nil {
		t.Fatal(err)
	}
	f := corpus.Measure(rows, redact.Options{}, nil)
	hidden := func(sources ...string) corpus.Count {
		return f.Hidden.Sum(func(g string) bool {
			if len(sources) == 0 {
				return g != corpus.Agent
			}
			return strings.Contains(" "+strings.Join(sources, " ")+" ", " "+g+" ")
		})
	}
	for _, bar := range []struct {
		name string
		got  corpus.Count
		want float64
	}{
		{"agent shapes hidden", hidden(corpus.Agent), 99},
		{"foreign strings hidden", hidden(), 88},
		{"strings of gitleaks and betterleaks hidden", hidden("gitleaks", "betterleaks"), 97},
		{"own hard negatives kept", f.Kept["negatives"], 99.5},
		{"placeholders kept", f.Kept["placeholders"], 100},
		{"harvested texts kept", f.Kept["negatives-harvested"], 99.7},
	} {
		if bar.got.Percent() < bar.want {
			t.Errorf("%s: %v, bar %.1f %%", bar.name, bar.got, bar.want)
		}
	}
	if lost := f.LostPercent(); lost > 0.5 {
		t.Errorf("words lost outside secrets: %.2f %%, bar 0.5 %%", lost)
	}
}
