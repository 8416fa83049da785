package report

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestJSONIsDocumented: docs/analysis.md names each field that analyze --json prints.
func TestJSONIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/analysis.md")
	if err != nil {
		t.Fatal(err)
	}
	for f := range reflect.TypeFor[Report]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !strings.Contains(string(doc), "`"+name+"`") {
			t.Errorf("docs/analysis.md does not name the field %q", name)
		}
	}
}
