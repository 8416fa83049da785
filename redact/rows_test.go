package redact_test

import (
	"slices"
	"testing"

	"github.com/stepgate/stepgate/redact"
	"github.com/stepgate/stepgate/redact/corpus"
)

// TestRows: no secret of this repository's shapes can be read after masking, and its harmless texts stay.
func TestRows(t *testing.T) {
	rows, err := corpus.Own("testdata")
	if err != nil {
		t.Fatal(err)
	}
	shapes, harmless := map[string]bool{}, 0
	for _, r := range rows {
		if len(r.Secrets) == 0 && r.Group == "positives" {
			continue // the text is the secret
		}
		if r.Group == "positives" {
			shapes[r.Shape] = true
		} else {
			harmless++
		}
		t.Run(r.Group+"/"+r.Shape, func(t *testing.T) {
			out := r.Mask(redact.Options{Key: func() []byte { return []byte("a key of a test, not used elsewhere") }})
			if r.Group == "own negatives" && out != r.Text {
				t.Errorf("%s\n  became %s", r.Text, out)
			}
			if i := slices.IndexFunc(r.Secrets, func(s string) bool { return corpus.Leaks(s, out) }); i >= 0 {
				t.Errorf("%s\n  still shows %s:\n  %s", r.Text, r.Secrets[i], out)
			}
		})
	}
	if len(shapes) < 300 || harmless < 300 {
		t.Errorf("%d shapes and %d harmless texts, want 300 of each", len(shapes), harmless)
	}
}
