package policy

import (
	"strings"
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy/effect"
)

// What reading and judging may cost, once warm: 30 µs for a typical command, 2 ms for a document of 25 KB.
var typical = []struct{ name, line string }{
	{"look", "ls -la src"},
	{"search", "grep -rn 'parse' src | head -20"},
	{"test", "cd src && go test ./... 2>&1 | tail -20"},
	{"commit", "git add -A && git commit -m 'fix: the parser'"},
	{"document", "cat > notes.md <<'EOF'\n" + strings.Repeat("a line of text with some `code` and $vars in it\n", 540) + "EOF"},
	{"program", "python3 - <<'EOF'\n" + strings.Repeat("total = total + row.value  # and so on\n", 640) + "EOF"},
}

func BenchmarkRules(b *testing.B) {
	dir := b.TempDir()
	w := &effect.World{Root: dir, CWD: dir, Home: "/home/dev"}
	for _, t := range typical {
		c := agent.Call{Tool: "Bash", Capability: agent.Shell, Command: t.line, CWD: dir}
		b.Run(t.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Rules(c, w.Predict(c), w, agent.Abilities{})
			}
		})
	}
}

// Lines past a bound are answered: what they hold that is dangerous is found, or the line itself is asked about.
func TestHugeLines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := &effect.World{Root: dir, CWD: dir, Home: "/home/dev"}
	for _, c := range []struct {
		name, line string
		stops      bool
	}{
		{"a megabyte", strings.Repeat("echo hi; ", 120_000), true},
		{"ten thousand words", "ls " + strings.Repeat("x ", 10_000), false},
		{"ten thousand words and a home", "rm -rf " + strings.Repeat("x ", 10_000) + "~", true},
		{"NULs", strings.Repeat("rm\x00 -rf /\n", 20_000), true},
		{"two hundred shells", strings.Repeat("bash -c '", 200), false},
		{"open brackets", "python3 -c \"" + strings.Repeat("open(", 20_000) + "\"", false},
		{"the same walk again and again", strings.Repeat("find . | xargs rm; ", 1_500) + "rm -rf ~", true},
		{"many programs", "python3 -c \"" + strings.Repeat("os.system('rm x');", 3_000) + "\"", false},
	} {
		call := agent.Call{Tool: "Bash", Capability: agent.Shell, Command: c.line, CWD: dir}
		if got := Rules(call, w.Predict(call), w, agent.Abilities{}); (len(got) > 0) != c.stops {
			t.Errorf("%s: got %v, stops should be %v", c.name, ids(got), c.stops)
		}
	}
}
