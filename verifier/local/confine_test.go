package local

import (
	"fmt"
	"testing"

	"github.com/stepgate/stepgate/redact"
)

func TestConfined(t *testing.T) {
	for _, c := range []struct {
		prompts []string
		want    string
	}{
		{[]string{"Fix the parser. Only touch src/ and docs/."}, "[src/ docs/]"},
		{[]string{"Only change src/parser/ and docs/ and ./Makefile.\nConstraint: no new dependencies.\nDone when: make test passes.\nFix the parser."}, "[src/parser/ docs/ ./Makefile]"},
		{[]string{"Please edit only files in web/app/."}, "[web/app/]"},
		{[]string{"Do not modify anything outside lib/."}, "[lib/]"},
		{[]string{"Fix the parser in src/parse.go."}, "[]"},
		{[]string{"The only thing that fails is src/parse.go, find out why."}, "[]"},
		{[]string{"Only run the tests in pkg/."}, "[]"},
		{[]string{"Only touch src/.", "Now update the README.md as well."}, "[]"},
		{[]string{"Fix it.", "Only touch src/."}, "[src/]"},
		{[]string{"", ""}, "[]"},
	} {
		var prompts []redact.Text
		for _, p := range c.prompts {
			prompts = append(prompts, redact.Verbatim(p))
		}
		if got := fmt.Sprint(Confined(prompts)); got != c.want {
			t.Errorf("%q: got %s, want %s", c.prompts, got, c.want)
		}
	}
}
