package shell

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// heavy are lines that are long, deep or that grow when they are expanded.
var heavy = []struct{ name, line string }{
	{"substitutions", strings.Repeat("$(", 1<<19)},
	{"brackets", strings.Repeat("(", 1<<20)},
	{"braces", strings.Repeat("{ ", 1<<19)},
	{"parameters", strings.Repeat("${a:-", 1<<18)},
	{"arithmetic", "echo " + strings.Repeat("$((", 1<<18)},
	{"arithmetic sum", "echo $((1" + strings.Repeat("+1", 1<<16) + "))"},
	{"backticks", strings.Repeat("`", 1<<20)},
	{"quotes", strings.Repeat(`"`, 1<<20)},
	{"quotes in substitutions", strings.Repeat(`"$(`, 1<<18)},
	{"single quotes", strings.Repeat("'", 1<<20)},
	{"commands", strings.Repeat("a;", 1<<19)},
	{"pipes", strings.Repeat("a|", 1<<17) + "a"},
	{"and", strings.Repeat("a&&", 1<<16) + "a"},
	{"not", strings.Repeat("! ", 1<<19) + "a"},
	{"words", "echo" + strings.Repeat(" a", 1<<19)},
	{"ifs", strings.Repeat("if ", 1<<18)},
	{"nested ifs", strings.Repeat("if a; then ", 100) + "rm x" + strings.Repeat("; fi", 100)},
	{"elifs", "if a; then b; " + strings.Repeat("elif a; then b; ", 1<<13) + "fi"},
	{"functions", strings.Repeat("f() ", 1<<17)},
	{"heredocs", strings.Repeat("a <<E\n", 1<<14)},
	{"brackets behind a name", strings.Repeat("a[", 1<<17)},
	{"test", "[[ " + strings.Repeat("! ", 1<<16) + "a ]]"},
	{"redirections", "a" + strings.Repeat(" >b", 1<<16)},
	{"brace product", "echo " + strings.Repeat("{a,b}", 40)},
	{"brace sequence", "echo {1..999999999}"},
	{"nested braces", "echo " + strings.Repeat("{a,", 1<<15) + strings.Repeat("}", 1<<15)},
	{"variables that double", "a=xxxxxxxx;" + strings.Repeat("a=$a$a;", 60) + "rm $a"},
	{"functions that double", "f0(){ rm x; };" + doubling(40) + "f40"},
	{"loops in loops", strings.Repeat("for i in 1 2 3 4 5 6 7 8 9; do ", 12) + "rm x" + strings.Repeat("; done", 12)},
	{"shells in shells", strings.Repeat("sh -c ", 1<<10) + "'rm x'"},
	{"evals", strings.Repeat("eval ", 1<<14) + "rm x"},
	{"sudos", strings.Repeat("sudo ", 1<<14) + "rm x"},
	{"trim", "a=" + strings.Repeat("a", 1<<15) + "; echo ${a##*b*c}"},
	{"NUL bytes", strings.Repeat("\x00", 1<<16)},
	{"invalid text", strings.Repeat("\xff\xfe ", 1<<16)},
	{"outputs in outputs", strings.Repeat("echo $(", 38) + "echo x" + strings.Repeat(")", 38)},
	{"substitutions in a row", strings.Repeat("$(a);", 1<<16)},
	{"a document of substitutions", "cat <<E\n" + strings.Repeat("$(a) ", 1<<15) + "\nE\n"},
	{"cases", "case a in " + strings.Repeat("a) b;; ", 1<<14) + "esac"},
	{"patterns as programs", strings.Repeat("/*/*/* x;", 1<<12)},
	{"patterns", "ls " + strings.Repeat("* ", 1<<16)},
	{"an array that grows", strings.Repeat("a+=(b);", 1<<14)},
	{"arrays again and again", "a=(" + strings.Repeat("a ", 1<<15) + ");" + strings.Repeat("echo ${a[@]};", 1000)},
	{"arguments again and again", "set -- " + strings.Repeat("a ", 1<<15) + ";" + strings.Repeat("echo $@;", 2000)},
	{"a template of many places", "parallel " + strings.Repeat("{} ", 1<<14) + "::: " + strings.Repeat("a ", 60)},
	{"a mark that is all of the word", "echo " + strings.Repeat("a", 1<<15) + " | xargs -I% echo " + strings.Repeat("%", 1<<15)},
	{"prompts", strings.Repeat("PS1='$(a)';", 1<<12)},
	{"fish blocks", "fish -c '" + strings.Repeat("if a; b; end;", 1<<13) + "'"},
	{"fish lists", "fish -c '" + strings.Repeat("set a b c;", 1<<13) + "'"},
	{"descriptors", strings.Repeat("exec {a}<b;", 1<<13)},
	{"references", strings.Repeat("declare -n a=b b=a;", 1<<12) + "rm $a"},
	{"a name for itself", strings.Repeat("hash -p a a;", 1<<12) + "a"},
	{"pipes in outputs", "$(echo a" + strings.Repeat("|cat", 2000) + ")"},
}

func doubling(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		f, g := "f"+itoa(i), "f"+itoa(i-1)
		b.WriteString(f + "(){ " + g + "; " + g + "; };")
	}
	return b.String()
}

func itoa(n int) string { return string(rune('0'+n/10)) + string(rune('0'+n%10)) }

// The reader answers heavy lines within its bounds. How long it takes is for BenchmarkHeavy: a test must not depend on
// the machine's load.
func TestHeavy(t *testing.T) {
	for _, h := range heavy {
		t.Run(h.name, func(t *testing.T) { bounded(t, Read(h.line, world)) })
		t.Run(h.name+" in PowerShell", func(t *testing.T) { bounded(t, ReadPowerShell(h.line, world)) })
		t.Run(h.name+" in cmd", func(t *testing.T) { bounded(t, ReadCmd(h.line, world)) })
	}
}

func bounded(t *testing.T, s Script) {
	t.Helper()
	if len(s.Commands) > MaxCmds {
		t.Errorf("%d commands, more than %d", len(s.Commands), MaxCmds)
	}
	size := 0
	for i, c := range s.Commands {
		if len(c.Via) > 2*MaxDepth {
			t.Errorf("%s is opened from %d wrappers", c.Name, len(c.Via))
		}
		for _, w := range slices.Concat(c.Args, c.Env, c.Over) {
			size += len(w.Text)
		}
		for _, in := range c.Inputs {
			if in < 0 || in >= i {
				t.Errorf("command %d has input %d, which is not before it", i, in)
			}
		}
	}
	if size > 32<<20 {
		t.Errorf("%d bytes of words", size)
	}
}

// What a bound cut off is said.
func TestBoundsAreSaid(t *testing.T) {
	for name, line := range map[string]string{
		"too long":         "rm x #" + strings.Repeat("a", MaxLine),
		"too deep":         strings.Repeat("( ", MaxDepth+1) + "a" + strings.Repeat(")", MaxDepth+1),
		"200 levels":       strings.Repeat("$(", 200) + "a" + strings.Repeat(")", 200),
		"too many":         strings.Repeat("a;", MaxCmds+1),
		"growing variable": "a=xxxxxxxxxxxxxxxx;" + strings.Repeat("a=$a$a;", 60),
		"not closed":       "rm 'x",
		"NUL byte":         "rm\x00 x",
		"deep wrappers":    strings.Repeat("sudo ", MaxDepth+1) + "rm x",
	} {
		t.Run(name, func(t *testing.T) {
			if s := Read(line, world); len(s.Unsure) == 0 {
				t.Errorf("nothing is said of the bound that was reached")
			}
		})
	}
}

// A bound must not hide what stands before it, and length alone must not hide what stands behind.
func TestNothingIsHidden(t *testing.T) {
	for name, line := range map[string]string{
		"behind a long word":     "echo " + strings.Repeat("a", 20<<10) + "; rm -rf x",
		"behind blanks":          "echo a" + strings.Repeat(" ", 700) + "; rm -rf x",
		"behind many commands":   strings.Repeat("true; ", 500) + "rm -rf x",
		"before too long a line": "rm -rf x\n#" + strings.Repeat("a", MaxLine),
		"before a syntax error":  "rm -rf x\nif then",
		"behind a syntax error":  "if then\nrm -rf x",
		"in a line with one":     "git status) ; rm -rf x",
		"in a heredoc's line":    "cat <<E; rm -rf x\ntext\nE",
	} {
		t.Run(name, func(t *testing.T) {
			s := Read(line, world)
			if !slices.ContainsFunc(s.Commands, func(c Command) bool { return c.line() == "rm -rf x" }) {
				t.Errorf("rm is not among the commands: %.200s", lines(s))
			}
		})
	}
}

func TestTableIsSorted(t *testing.T) {
	for i := 1; i < len(programs); i++ {
		if programs[i-1].Name >= programs[i].Name {
			t.Errorf("%s stands before %s", programs[i-1].Name, programs[i].Name)
		}
	}
	for i, a := range aliases {
		if i > 0 && aliases[i-1][0] >= a[0] {
			t.Errorf("alias %s stands before %s", aliases[i-1][0], a[0])
		}
		if p, ok := Lookup(a[0]); !ok || p.Name != a[1] {
			t.Errorf("alias %s does not lead to %s", a[0], a[1])
		}
	}
}

// Options that the table gives a meaning to must be ones that take a value.
func TestTableIsWhole(t *testing.T) {
	form := func(t *testing.T, f Form) {
		for _, list := range []string{f.more().Lines, f.more().Chdir} {
			for o := range strings.FieldsSeq(list) {
				if !has(f.Values, o) {
					t.Errorf("%s is given a meaning but is not among Values", o)
				}
			}
		}
		for o := range strings.FieldsSeq(f.Values + " " + f.more().Pairs + " " + f.more().Long) {
			if !strings.HasPrefix(o, "-") || strings.Contains(o, "=") {
				t.Errorf("%q is no option", o)
			}
		}
		if strings.Contains(f.Values+f.more().Pairs+f.more().Long+f.more().Lines, "  ") {
			t.Error("two blanks in a list")
		}
	}
	for _, p := range programs {
		t.Run(p.Name, func(t *testing.T) {
			form(t, p.Form)
			for _, s := range p.Subs {
				form(t, s.Form)
			}
		})
	}
}

func TestOperands(t *testing.T) {
	tests := []struct{ line, flags, operands string }{
		{`rm -rf --verbose a b`, `-r -f --verbose`, `a b`},
		{`rm --rec --forc a`, `--recursive --force`, `a`},
		{`rm -r -- -f`, `-r`, `-f`},
		{`git -C ../x push --forc origin +main`, `-C=../x --force`, `push origin +main`},
		{`git push --force-with-lease=main origin`, `--force-with-lease=main`, `push origin`},
		{`git commit -am 'a b' -- f`, `-a -m=a b`, `commit f`},
		{`git -Crepo reset --har`, `-C=repo --hard`, `reset`},
		{`docker run -v /:/h --rm img rm -rf /h`, `-v=/:/h --rm`, `run img rm -rf /h`},
		{`curl -sSfo out -H 'A: b' https://h`, `-s -S -f -o=out -H=A: b`, `https://h`},
		{`tar -C /x -xzf a.tgz`, `-C=/x -x -z -f=a.tgz`, ``},
		{`go test -run X ./...`, `-run=X`, `test ./...`},
		{`foo db destroy --yes -x=1 prod`, `--yes -x -= -1`, `db destroy prod`},
		{`cp -t dir a b`, `-t=dir`, `a b`},
		{`sed -i.bak -e s/a/b/ f`, `-i -. -b -a -k -e=s/a/b/`, `f`},
	}
	for _, c := range tests {
		t.Run(c.line, func(t *testing.T) {
			s := Read(c.line, world)
			fl, ops := s.Commands[0].Operands()
			var got []string
			for _, f := range fl {
				if f.Has {
					got = append(got, f.Name+"="+f.Value.Text)
				} else {
					got = append(got, f.Name)
				}
			}
			if g := strings.Join(got, " "); g != c.flags {
				t.Errorf("flags %q, want %q", g, c.flags)
			}
			if g := join(ops); g != c.operands {
				t.Errorf("operands %q, want %q", g, c.operands)
			}
		})
	}
}

func TestGlob(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"a.go", "b.go", ".hidden.go", "s/c.go", "s/d.txt"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, f)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, f), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		pattern string
		max     int
		want    []string
		whole   bool
	}{
		{"*.go", 10, []string{"a.go", "b.go"}, true},
		{".*.go", 10, []string{".hidden.go"}, true},
		{"*/*.go", 10, []string{"s/c.go"}, true},
		{"s/[!c]*", 10, []string{"s/d.txt"}, true},
		{"?.go", 1, []string{"a.go"}, false},
		{"x*", 10, nil, true},
		{"no/such/*", 10, nil, true},
		{dir + "/s/*", 10, []string{dir + "/s/c.go", dir + "/s/d.txt"}, true},
		{strings.Repeat("*/", 30), 10, nil, false},
	}
	for _, c := range tests {
		got, whole := Glob(dir, c.pattern, c.max)
		if !slices.Equal(got, c.want) || whole != c.whole {
			t.Errorf("Glob(%q) = %q, %v; want %q, %v", c.pattern, got, whole, c.want, c.whole)
		}
	}
}

// samples are the lines of the tests above and of the known ways round, for the fuzz targets.
func samples(tb testing.TB) []string {
	out := []string{"ls -la", `c=rm; $c -rf ~/`, "bash <<E\nrm x\nE", `find . -exec rm {} \;`, `echo cm0= | base64 -d | sh`,
		`for f in *.o; do rm "$f"; done`, `a=(x y); "${a[@]:1}"`, `sh -c "sh -c 'x'"`, "cat <<-E\n\t$(x)\nE", `f(){ f|f& };f`,
		"if then x", "a[b c", `${x//a/b} ${y%%*.} {a,b}{1..3}`, `xargs -I{} sh -c '{}'`, `$(printf '\x72m') x`, `IFS=,;x=a,b;$x`,
		`Remove-Item "$x" | % { rm $_ }`, "@'\nx\n'@", `cmd /c "rd /s %X% & del y"`, `if exist a (del b) else rd c`}
	out = append(out, `fish -c 'for f in (ls); rm $f; end; set -gx a b c'`, `parallel -I% 'echo {1.} {//}' % ::: a b ::: c`,
		`declare -n a=b b=a; hash -p x y; y`, `exec {f}<<<x 3<&$f; . /dev/fd/3`, `coproc sh; echo x >&${COPROC[1]}`,
		`IFS=, read -ra x <<< "a,b"; PS1='$(x)'; "${x@P}"`, `gci x -Filter y | ri; & ([a]::b((c d)))`, `sh -c "sh -c "x y""`)
	f, err := os.Open(filepath.Join("testdata", "bypasses.jsonl"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var row struct{ Command string }
		if err := json.Unmarshal(sc.Bytes(), &row); err != nil {
			tb.Fatal(err)
		}
		out = append(out, row.Command)
	}
	return out
}

// Of the known ways to run rm past a reader of text none hides it, and no harmless look-alike is unsure.
func TestKnownWaysRound(t *testing.T) {
	f, err := os.Open(filepath.Join("testdata", "bypasses.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var row struct {
			ID, Technique, Command string
			Control                bool
		}
		if err := json.Unmarshal(sc.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		t.Run(row.ID, func(t *testing.T) {
			s := Read(row.Command, world)
			unsure := len(s.Unsure) > 0 || slices.ContainsFunc(s.Commands, func(c Command) bool { return c.Unsure != "" })
			if row.Control && unsure {
				t.Errorf("%s: %q is unsure: %s", row.Technique, row.Command, lines(s))
			}
			// What an interpreter or git is told to run is for package effect to read.
			inside := slices.ContainsFunc(s.Commands, func(c Command) bool {
				return slices.Contains([]string{"git", "awk", "python3", "rm", "sh"}, c.Name)
			})
			if !row.Control && strings.Contains(row.Command, "rm -rf") && !inside && !unsure {
				t.Errorf("%s: %q hides rm: %s", row.Technique, row.Command, lines(s))
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range samples(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		o := Options{Home: "/home/u"} // no folder: nothing is matched against this machine's disk but absolute patterns
		for _, read := range []func(string, Options) Script{Read, ReadPowerShell, ReadCmd} {
			s := read(line, o)
			bounded(t, s)
			if slices.Contains(s.Unsure, failed) {
				t.Errorf("the reader panicked on %q", line)
			}
			if again := read(line, o); !reflect.DeepEqual(s, again) {
				t.Errorf("%q reads differently the second time", line)
			}
			for _, c := range s.Commands {
				c.Operands()
			}
		}
	})
}

// What reading a command allocates, the parser's own batches of nodes included; time is for BenchmarkRead.
func TestAllocations(t *testing.T) {
	for _, c := range []struct {
		name, line string
		most       float64
	}{
		{"ls", "ls -la", 20},
		{"typical", `cd /proj/cli && go test ./... 2>&1 | grep -E "^(ok|FAIL)" | head -20`, 90},
		{"document", "cat > a.md <<'EOF'\n" + strings.Repeat("a line of text, with (some) $signs and `ticks`\n", 540) + "EOF\n", 70},
	} {
		if got := testing.AllocsPerRun(20, func() { Read(c.line, world) }); got > c.most {
			t.Errorf("%s: %.0f allocations, want at most %.0f", c.name, got, c.most)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for _, c := range []struct{ name, line string }{
		{"ls", "ls -la"},
		{"typical", `cd /proj/cli && go test ./... 2>&1 | grep -E "^(ok|FAIL)" | head -20`},
		{"wrapped", `sudo env A=1 timeout 5 bash -c 'find . -name "*.o" | xargs rm -f'`},
		{"decoded", `echo cm0gLXJmIH4vCg== | base64 -d | sh`},
		{"document", "cat > a.md <<'EOF'\n" + strings.Repeat("a line of text, with (some) $signs and `ticks`\n", 540) + "EOF\n"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Read(c.line, world)
			}
		})
	}
}

func BenchmarkHeavy(b *testing.B) {
	for _, h := range heavy {
		b.Run(strings.ReplaceAll(h.name, " ", "_"), func(b *testing.B) {
			for b.Loop() {
				Read(h.line, world)
			}
		})
	}
}
