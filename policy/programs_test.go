package policy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// snippets are the parts of a file of test lines; the first part says what they are.
func snippets(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "programs", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n====")[1:]
}

// programs is a project with files that the lines of a list run.
func programs(t *testing.T, script, list string) project {
	t.Helper()
	p := build(t, script)
	for _, f := range snippets(t, list) {
		name, text, _ := strings.Cut(f, "\n")
		write(t, filepath.Join(p.root, strings.TrimSpace(name)), text+"\n")
	}
	return p
}

// What a program text does counts as if the shell did it, in whatever language and however it is spelt.
func TestHarmfulPrograms(t *testing.T) {
	t.Parallel()
	p := programs(t, busyScript+"mkdir -p drafts && echo d > drafts/a.md; echo x > data.txt", "harmful-files.txt")
	for _, line := range snippets(t, "harmful.txt") {
		line = strings.ReplaceAll(strings.TrimPrefix(line, "\n"), "{{HOME}}", p.home)
		if got := p.judge(shellCall(line)); len(got) == 0 {
			t.Errorf("must be asked about:\n%s", line)
		}
	}
}

func TestHarmlessPrograms(t *testing.T) {
	t.Parallel()
	p := programs(t, calmScript, "harmless-files.txt")
	for _, line := range snippets(t, "harmless.txt") {
		line = strings.TrimPrefix(line, "\n")
		if got := p.judge(shellCall(line)); len(got) > 0 {
			t.Errorf("must be silent, got %v: %s\n%s", ids(got), got[0].Why, line)
		}
	}
}
