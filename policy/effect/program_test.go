package effect

import (
	"slices"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/policy/shell"
)

// FuzzProgram reads hostile program texts in every language. Reading ends within its bounds, whatever stands there, and
// each token lies in the text, behind the one before it.
func FuzzProgram(f *testing.F) {
	for _, s := range [...]string{
		"import os\nfor r, d, fs in os.walk('/x'):\n  for n in fs:\n    os.remove(os.path.join(r, n))", "f'{a}/{b!r:>{w}}' \"\"\"x\"\"\"", "const {rm: r} = require('fs'); `${a}${`${b}`}`; x => y",
		"my ($a, $b) = @_; unlink <*.o>; qx{rm $x} qw(a b)", "Dir[\"*\"].each do |f| File.delete f end; %w[a b] \"#{x}\"", "foreach (glob('*') as $k => $f) { unlink(\"{$f}\"); }", "x = x + x\nx = [x for x in x]\ny = y", "a ? b : c ?? d",
		strings.Repeat("f(", 300) + strings.Repeat(")", 300), strings.Repeat("x = x + 'a'\n", 300), "def f(a):\n  f(a)\nf(f)", "getattr(os,'a'+'b')(c)", "__import__('os').system('x')",
	} {
		for l := range len(interpreters) + len(compilers) {
			f.Add(l, s)
		}
	}
	w := &World{Root: "/nowhere/w", CWD: "/nowhere/w", Home: "/nowhere/home", Temps: []string{"/tmp"}}
	f.Fuzz(func(t *testing.T, l int, text string) {
		lang := languageAt(l)
		if len(text) > maxCode {
			return
		}
		p := newProgram(text, lang)
		at := 0
		for i, k := range p.toks {
			if k.at < at && k.mark() == false || k.end < k.at || k.end > len(text) {
				t.Fatalf("token %d stands at %d to %d of %d", i, k.at, k.end, len(text))
			}
			at = k.at
		}
		if len(p.binds) > maxBinds || len(p.toks) > maxTokens+2*maxWords {
			t.Fatalf("%d bindings, %d tokens", len(p.binds), len(p.toks))
		}
		r := &reader{w: w}
		r.code(&shell.Command{Name: "x"}, lang, text)
		if len(r.acts) > maxActs+2 {
			t.Fatalf("%d acts", len(r.acts))
		}
	})
}

// languageAt is one of all languages.
func languageAt(n int) *language {
	if n = int(uint(n) % uint(len(interpreters)+len(compilers))); n >= len(interpreters) {
		return compilers[n-len(interpreters)].lang
	}
	return interpreters[n].lang
}

// TestProgramBounds reads texts that would take seconds if every call looked for its own end. Such a text is asked about,
// however fast the machine is; one that is only long is not.
func TestProgramBounds(t *testing.T) {
	long := strings.Repeat("echo all is well; ", 1000)
	for _, c := range [...]struct {
		name, text string
		lang       *language
		asked      bool
	}{
		{"calls without brackets", "def f a\nend\n" + strings.Repeat("f ", 20_000), &rubyCalls, true},
		{"runs without brackets", strings.Repeat("system ", 8000), &perlCalls, true},
		{"globs that do not end", strings.Repeat("open <", 10_000), &perlCalls, true},
		{"one assignment in another", strings.Repeat("a=", 30_000) + "1", &pythonCalls, true},
		{"strings that do not end", `"` + strings.Repeat(`\"`, 30_000), &perlCalls, true},
		{"patterns that do not end", strings.Repeat("=/a[", 15_000), &nodeCalls, true},
		{"one long line run again and again", "a='" + long + "'\n" + strings.Repeat("os.system(a)\n", 100), &pythonCalls, true},
		{"a long line run twice", "a='" + long + "'\n" + strings.Repeat("os.system(a)\n", 2), &pythonCalls, false},
		{"many plain lines", strings.Repeat("puts total, row.name\n", 3000), &rubyCalls, false},
		{"many calls in brackets", strings.Repeat("print(str(a) + 'x')\n", 3000), &pythonCalls, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &reader{w: &World{Root: "/nowhere/w", CWD: "/nowhere/w", Home: "/nowhere/home"}}
			r.code(&shell.Command{Name: "x"}, c.lang, c.text)
			asked := slices.ContainsFunc(r.acts, func(a Act) bool { return a.Tag == DynamicRun })
			if asked != c.asked {
				t.Errorf("asked about: %v, want %v; acts %v", asked, c.asked, r.acts)
			}
		})
	}
	text := `"` + strings.Repeat("$a[", 20_000) + `"`
	if n := len(newProgram(text, &phpCalls).toks); n > maxTokens+2*maxWords {
		t.Errorf("%d tokens of the names inside one string", n)
	}
}

// BenchmarkProgram reads texts made to cost much.
func BenchmarkProgram(b *testing.B) {
	for _, c := range [...]struct {
		name, text string
		lang       *language
	}{
		{"plain", strings.Repeat("total = total + row.value  # and so on\n", 640), &pythonCalls},
		{"one name", strings.Repeat("x = x + 'a'\n", 5000), &pythonCalls},
		{"nested calls", strings.Repeat("str(", 8000) + strings.Repeat(")", 8000), &pythonCalls},
		{"holes", strings.Repeat("f'{x}{y}' ", 4000), &pythonCalls},
		{"open holes", strings.Repeat("`${", 15000), &nodeCalls},
		{"functions", strings.Repeat("sub f { my $p = shift; unlink $p } f('x');", 1200), &perlCalls},
		{"lists", strings.Repeat("os.remove([a, b, c, d][0]);", 2300), &pythonCalls},
	} {
		b.Run(c.name, func(b *testing.B) {
			w := &World{Root: "/nowhere/w", CWD: "/nowhere/w", Home: "/nowhere/home"}
			for b.Loop() {
				r := &reader{w: w}
				r.code(&shell.Command{Name: "x"}, c.lang, c.text)
			}
		})
	}
}
