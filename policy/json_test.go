package policy

import (
	"testing"

	"github.com/stepgate/stepgate/internal/jsonw/jsonwtest"
)

func TestFindingsJSONIsWhole(t *testing.T) { jsonwtest.SameList(t, FindingsJSON) }
