package effect

import (
	"testing"

	"github.com/stepgate/stepgate/internal/jsonw/jsonwtest"
)

func TestJSONIsWhole(t *testing.T) {
	t.Run("acts", func(t *testing.T) { jsonwtest.SameList(t, ActsJSON) })
	t.Run("effects", func(t *testing.T) { jsonwtest.SameList(t, EffectsJSON) })
}
