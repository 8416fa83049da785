package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExportNamesWhoLabelled: a label that was told by a task's end is not told as a person's, and does not undo one.
func TestExportNamesWhoLabelled(t *testing.T) {
	r := record{t: t}
	first := r.line(`"kind":"call","tool":"Bash","would":"allow","did":"allow"`)
	second := r.line(`"kind":"call","tool":"Bash","would":"allow","did":"allow"`)
	r.label(first, "unsafe")
	for _, of := range []int{first, second} {
		r.line(`"kind":"label","of":%d,"event":"safe","source":"outcome"`, of)
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(r.lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if _, err := Export(&out, []string{path}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	if !strings.Contains(lines[0], `"label":"unsafe","label_source":"person"`) || !strings.Contains(lines[1], `"label":"safe","label_source":"outcome"`) {
		t.Error(out.String())
	}
}
