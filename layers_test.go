// Package stepgate_test keeps the rules about the tree as a whole: who may import whom, and what the hook may link and
// cost.
package stepgate_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/stepgate/stepgate"

// layers says which of our packages each package may import; lower ones stand first. A word ending in /... stands for
// the package and all below it. Tests are free to import more: a golden test of the whole line needs it all.
//
// Three rules show in the rows. No verifier sees agents or policy, so a judge can be replaced by one that runs
// elsewhere. Below cmd only setup and doctor know internal/config, so settings reach a package as its own Options. And
// only those, eval and the demo's scenarios know an agent by name.
var layers = []struct{ pkg, may string }{
	{"internal/safefile", ""},
	{"internal/proc", ""},
	{"internal/prefault", ""},
	{"internal/stack", "internal/prefault"},
	{"internal/jsonw", ""},
	{"internal/jsonw/jsonwtest", ""},
	{"internal/keystore", ""},
	{"internal/version", ""},
	{"redact", ""},
	{"redact/corpus", "redact"},
	{"policy/shell", ""},
	{"hook/agent", "redact"},

	{"hook/agent/claude", "hook/agent redact"},
	{"hook/agent/codex", "hook/agent redact"},
	{"hook/agent/agenttest", "hook/agent redact"},
	{"hook/session", "hook/agent redact internal/safefile internal/jsonw"},
	{"policy/effect", "policy/shell hook/agent redact internal/safefile internal/jsonw"},
	{"policy/snapshot", "policy/effect policy/shell hook/agent redact internal/safefile"},
	{"install", "redact internal/safefile"},

	{"verifier", "redact internal/safefile internal/jsonw"},
	{"verifier/local", "verifier redact"},
	{"verifier/child", "verifier redact"},
	{"verifier/jev", "verifier redact internal/safefile"},
	{"verifier/openai", "verifier redact internal/safefile"},
	{"verifier/scorer", "verifier redact internal/safefile"},
	{"verifier/judge", "verifier verifier/jev verifier/openai verifier/scorer redact"},
	{"policy", "verifier hook/session policy/effect policy/shell hook/agent redact internal/jsonw"},
	{"policy/rulebook", "policy policy/effect policy/shell verifier hook/agent redact internal/safefile"},
	{"policy/trigger", "policy policy/effect policy/shell hook/session hook/agent redact"},
	{"internal/report", "policy policy/rulebook hook/session policy/effect hook/agent redact internal/safefile verifier"},

	{"internal/otlp", "internal/report hook/session redact internal/safefile"},

	{"internal/config", "policy policy/rulebook hook/agent redact internal/safefile"},
	{"hook", "verifier verifier/local verifier/child policy/... hook/session hook/agent redact internal/safefile internal/proc internal/stack"},

	{"internal/setup", "hook policy/... verifier verifier/local verifier/child hook/session hook/agent/... internal/config redact internal/safefile"},
	{"internal/scenario", "hook hook/session hook/agent internal/setup"},
	{"internal/eval", "hook policy verifier hook/agent internal/scenario redact"},
	{"internal/doctor", "hook policy/... verifier/... hook/session hook/agent/... internal/setup internal/config internal/keystore internal/version install redact internal/safefile"},

	{"cmd/stepgate-hook", "internal/setup internal/config internal/version hook policy/... verifier hook/session hook/agent/... redact internal/safefile"},
	{"cmd/stepgate-otlp", "internal/otlp internal/proc internal/version"},
	{"cmd/stepgate", "hook/... policy/... verifier/... internal/... install redact"},

	{"scripts/bench", ""},
	{"scripts/bench/base", ""},
	{"scripts/bench/peak", ""},
	{"scripts/e2e", ""},
	{"scripts/records", "hook/session"},
	{"scripts/redact", "redact redact/corpus"},
	{"scripts/replay", ""},
}

// ourPackage is one folder of the tree with its Go files as they were parsed, whatever system they are for.
type ourPackage struct {
	dir   string // relative to the root, with slashes
	files map[string]*ast.File
	fset  *token.FileSet
}

// ourPackages parses all of the module but its tests.
func ourPackages(t *testing.T, mode parser.Mode) []ourPackage {
	t.Helper()
	pkgs := map[string]ourPackage{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() {
			if name != "." && (base == "testdata" || base == "dist" || base[0] == '.' || base[0] == '_') {
				return fs.SkipDir
			}
			if _, err := os.Stat(filepath.Join(name, "go.mod")); name != "." && err == nil {
				return fs.SkipDir // a check that needs much: a module of its own
			}
			return nil
		}
		if !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go") {
			return nil
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if bytes.HasPrefix(src, []byte("//go:build ignore\n")) {
			return nil // a generator: a program of its own
		}
		dir := filepath.ToSlash(filepath.Dir(name))
		p, ok := pkgs[dir]
		if !ok {
			p = ourPackage{dir, map[string]*ast.File{}, token.NewFileSet()}
			pkgs[dir] = p
		}
		f, err := parser.ParseFile(p.fset, name, src, mode|parser.ParseComments)
		if err != nil {
			return err
		}
		p.files[base] = f
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(pkgs) == 0 {
		t.Fatal("no Go files found; is the test run in the root of the module?")
	}
	return slices.SortedFunc(maps.Values(pkgs), func(a, b ourPackage) int { return strings.Compare(a.dir, b.dir) })
}

func TestImportsGoDown(t *testing.T) {
	may := map[string][]string{}
	for _, row := range layers {
		if _, twice := may[row.pkg]; twice {
			t.Errorf("layers has two rows for %s", row.pkg)
		}
		may[row.pkg] = strings.Fields(row.may)
	}
	for _, p := range ourPackages(t, parser.ImportsOnly) {
		allowed, ok := may[p.dir]
		if !ok {
			t.Errorf("%s has no row in layers: add one that says what it may import", p.dir)
			continue
		}
		for name, f := range p.files {
			for _, imp := range f.Imports {
				to, ours := strings.CutPrefix(strings.Trim(imp.Path.Value, `"`), module+"/")
				if ours && !slices.ContainsFunc(allowed, func(pattern string) bool { return covers(pattern, to) }) {
					t.Errorf("%s/%s imports %s, which its row in layers does not allow", p.dir, name, to)
				}
			}
		}
	}
}

// TestOneProgramSends: the SDK of OpenTelemetry makes a program start later, and the hook waits for stepgate too.
func TestOneProgramSends(t *testing.T) {
	for _, p := range ourPackages(t, parser.ImportsOnly) {
		for name, f := range p.files {
			for _, imp := range f.Imports {
				to := strings.Trim(imp.Path.Value, `"`)
				sdk := covers("go.opentelemetry.io/...", to) || covers("google.golang.org/...", to)
				if sdk && p.dir != "internal/otlp" || to == module+"/internal/otlp" && p.dir != "cmd/stepgate-otlp" {
					t.Errorf("%s/%s imports %s; only cmd/stepgate-otlp links that, through internal/otlp", p.dir, name, to)
				}
			}
		}
	}
}

// covers says whether a word of layers stands for a package.
func covers(pattern, pkg string) bool {
	tree, all := strings.CutSuffix(pattern, "/...")
	return pkg == tree || all && strings.HasPrefix(pkg, tree+"/")
}

// TestLayersHasNoLoop keeps the table itself honest: with a loop in it "down" would mean nothing.
func TestLayersHasNoLoop(t *testing.T) {
	for i, row := range layers {
		for _, pattern := range strings.Fields(row.may) {
			for _, upper := range layers[i:] {
				// A tree of cmd, hook or policy covers the row's own package too; that is no loop.
				if covers(pattern, upper.pkg) && !strings.HasSuffix(pattern, "/...") {
					t.Errorf("%s may import %s, which does not stand above it in layers", row.pkg, upper.pkg)
				}
			}
		}
	}
}

func TestPackageComments(t *testing.T) {
	for _, p := range ourPackages(t, parser.PackageClauseOnly) {
		var docs []string
		name := ""
		for file, f := range p.files {
			name = f.Name.Name
			if f.Doc != nil {
				docs = append(docs, file)
			}
		}
		slices.Sort(docs)
		if len(docs) != 1 {
			t.Errorf("%s: %d files have a package comment %v, want one", p.dir, len(docs), docs)
			continue
		}
		want := "Package " + name + " "
		if name == "main" {
			want = "Command " + path.Base(p.dir) + " "
		}
		text := strings.Join(strings.Fields(p.files[docs[0]].Doc.Text()), " ")
		if !strings.HasPrefix(text, want) {
			t.Errorf("%s/%s: the package comment starts %.40q, want %q", p.dir, docs[0], text, want)
		}
		if sentence, _, ok := strings.Cut(text+" ", ". "); !ok || len(strings.Fields(sentence)) < 5 {
			t.Errorf("%s/%s: the package comment has no whole sentence: %q", p.dir, docs[0], text)
		}
	}
}

// TestNoInitWork reads what the hook links of ours: nothing there may run before main. What one package does at start
// is paid at every tool call. internal/stack is there to make that cheaper.
func TestNoInitWork(t *testing.T) {
	inHook := map[string]bool{}
	for _, p := range hookDeps(t, "linux") {
		if dir, ours := strings.CutPrefix(p.ImportPath, module+"/"); ours {
			inHook[dir] = true
		}
	}
	for _, p := range ourPackages(t, 0) {
		if !inHook[p.dir] || p.dir == "internal/stack" {
			continue
		}
		for _, work := range initWork(p) {
			t.Error(work)
		}
	}
}

// initWork lists init functions and the initialisers of package variables that need code at start.
func initWork(p ourPackage) []string {
	mapTypes := map[string]bool{}
	types := map[string]bool{}
	for _, f := range p.files {
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				for _, s := range g.Specs {
					spec := s.(*ast.TypeSpec)
					types[spec.Name.Name] = true
					_, mapTypes[spec.Name.Name] = spec.Type.(*ast.MapType)
				}
			}
		}
	}
	var found []string
	add := func(at token.Pos, what string) {
		found = append(found, fmt.Sprintf("%s: %s runs at every start of the hook", p.fset.Position(at), what))
	}
	check := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // runs later, if at all
		case *ast.CompositeLit:
			if isMap(n.Type, mapTypes) {
				add(n.Pos(), "a map literal")
			}
		case *ast.CallExpr:
			if !freeCall(n, types) {
				add(n.Pos(), "a call in a package variable")
			}
		}
		return true
	}
	for _, f := range p.files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.Name == "init" {
					add(d.Pos(), "func init")
				}
			case *ast.GenDecl:
				if d.Tok == token.VAR {
					ast.Inspect(d, check)
				}
			}
		}
	}
	slices.Sort(found)
	return found
}

func isMap(typ ast.Expr, mapTypes map[string]bool) bool {
	switch typ := typ.(type) {
	case *ast.MapType:
		return true
	case *ast.Ident:
		return mapTypes[typ.Name]
	}
	return false
}

// freeCall says whether the compiler lays the result out in the binary, or the call only wraps a function for later.
func freeCall(call *ast.CallExpr, types map[string]bool) bool {
	switch fun := call.Fun.(type) {
	case *ast.SelectorExpr:
		pkg, ok := fun.X.(*ast.Ident)
		if !ok {
			return false
		}
		switch pkg.Name + "." + fun.Sel.Name {
		case "errors.New", "sync.OnceValue", "sync.OnceValues", "sync.OnceFunc":
			return true
		}
	case *ast.IndexExpr: // sync.OnceValue[T](…)
		return freeCall(&ast.CallExpr{Fun: fun.X}, types)
	case *ast.ArrayType: // []byte("…")
		return true
	case *ast.Ident: // a conversion, or a builtin over constants
		switch fun.Name {
		case "len", "min", "max", "new", "string", "byte", "rune", "int", "int64", "uint8", "uint64", "float64":
			return true
		}
		return types[fun.Name]
	}
	return false
}

func TestInitWorkIsSeen(t *testing.T) {
	const src = `package p
import ("errors"; "regexp"; "sync")
type set map[string]bool
type kind int
var (
	errFine = errors.New("x")
	fine    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("x") })
	table   = [...]struct{ k kind }{{kind(1)}}
	bytes   = []byte("x")
	bad1    = map[string]int{}
	bad2    = set{"a": true}
	bad3    = regexp.MustCompile("x")
	bad4    = make(map[string]int)
	bad5    = []set{{}, set{}}
	bad6    = func() int { return 1 }()
)
func init() {}
func (kind) init() {}
func f() { var local = map[string]int{}; _ = local }
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, w := range initWork(ourPackage{"p", map[string]*ast.File{"p.go": f}, fset}) {
		lines = append(lines, strings.SplitN(w, ":", 3)[1])
	}
	if got, want := strings.Join(slices.Compact(lines), " "), "10 11 12 13 14 15 17"; got != want {
		t.Errorf("lines with init work: %s, want %s", got, want)
	}
}
