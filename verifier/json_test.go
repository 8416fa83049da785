package verifier

import (
	"testing"

	"github.com/stepgate/stepgate/internal/jsonw/jsonwtest"
)

func TestAnswersJSONIsWhole(t *testing.T) {
	jsonwtest.OneByOne(t, nil, func(field string, a *Answers) {
		if got, want := a.JSON(), jsonwtest.Standard(t, a); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", field, got, want)
		}
	})
}
