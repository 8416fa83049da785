// Package docs_test holds the documents against the code they speak of.
package docs_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/internal/config"
	"github.com/stepgate/stepgate/policy/trigger"
)

var update = flag.Bool("update", false, "write the generated tables again")

// TestTables holds the generated tables against the code they come from.
func TestTables(t *testing.T) {
	for _, table := range []struct {
		file, name string
		head       []string
		rows       [][]string
	}{
		{"settings.md", "settings", []string{"setting", "default", "values", "project may", "what"}, settingRows()},
		{"record.md", "record", []string{"field", "on", "meaning", "example"}, fieldRows(t)},
		{"triggers.md", "triggers", []string{"threshold", trigger.Conservative, trigger.Balanced, trigger.Aggressive}, triggerRows()},
		{"grounding.md", "grounding", []string{"call", "asked about where", "silent where", "because"}, groundingRows(t)},
		{"rules.md", "rules", []string{"rule", "class", "severity", "does", "what", "instead"}, ruleRows(t)},
	} {
		t.Run(table.name, func(t *testing.T) {
			b, err := os.ReadFile(table.file)
			if err != nil {
				t.Fatal(err)
			}
			doc := string(b)
			start, end := "<!-- generated: "+table.name+" -->\n", "<!-- end -->"
			before, rest, ok1 := strings.Cut(doc, start)
			_, after, ok2 := strings.Cut(rest, end)
			if !ok1 || !ok2 {
				t.Fatalf("%s has no %q … %q", table.file, start, end)
			}
			want := before + start + "\n" + markdown(table.head, table.rows) + "\n" + end + after
			if doc == want {
				return
			}
			if !*update {
				t.Fatalf("%s is behind the code: run make docs", table.file)
			}
			if err := os.WriteFile(table.file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// groundingRows are the pairs that policy proves by running them.
func groundingRows(t *testing.T) [][]string {
	t.Helper()
	b, err := os.ReadFile("../policy/testdata/grounding.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for line := range strings.Lines(string(b)) {
		var p struct {
			Tool, Command, Harmful, Harmless, Why string
			Input                                 struct {
				Path string `json:"file_path"`
			}
		}
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatal(err)
		}
		call := p.Command
		if call == "" {
			call = p.Tool + " " + strings.TrimPrefix(p.Input.Path, "$T/repo/")
		}
		rows = append(rows, []string{code(strings.ReplaceAll(call, "|", `\|`)), p.Harmful, p.Harmless, p.Why})
	}
	return rows
}

func settingRows() [][]string {
	var rows [][]string
	for _, r := range (config.Config{}).Rows() {
		rows = append(rows, []string{code(r.Key), code(r.Default), r.Range, r.Project, r.Help})
	}
	return rows
}

func triggerRows() [][]string {
	var rows [][]string
	for _, r := range []struct {
		what string
		of   func(trigger.Options) any
	}{
		{"`session.repeat`: times the same result", func(o trigger.Options) any { return o.Repeats }},
		{"`session.errors`: share of failures, more than", func(o trigger.Options) any { return o.ErrorRate }},
		{"`session.errors`: results before it counts", func(o trigger.Options) any { return o.ErrorCalls }},
		{"`session.unverified`: changes in a row", func(o trigger.Options) any { return o.Unverified }},
		{"`session.looking`: looks in a row", func(o trigger.Options) any { return o.Looks }},
		{"`session.stalled`: longer than", func(o trigger.Options) any { return o.StallAfter }},
		{"`session.stalled`: more prompts than", func(o trigger.Options) any { return o.StallTurns }},
		{"`session.tokens`: budget", func(o trigger.Options) any { return o.TokenBudget }},
		{"`session.tokens`: share of it, more than", func(o trigger.Options) any { return o.TokenShare }},
		{"least time between two words to the person", func(o trigger.Options) any { return o.Cooldown }},
	} {
		row := []string{r.what}
		for _, name := range []string{trigger.Conservative, trigger.Balanced, trigger.Aggressive} {
			row = append(row, fmt.Sprint(r.of(trigger.Preset(name))))
		}
		rows = append(rows, row)
	}
	return rows
}

// ruleRows reads the table where it stands: nothing that runs needs a list of all rules.
func ruleRows(t *testing.T) [][]string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "../policy/rules_table.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	ast.Inspect(f, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || lit.Type != nil { // the rows of the array have no type of their own
			return true
		}
		cell := map[string]string{}
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				cell[fmt.Sprint(kv.Key)] = word(t, kv.Value)
			}
		}
		if cell["id"] != "" {
			rows = append(rows, []string{code(cell["id"]), cell["class"], cell["severity"], cell["action"], cell["why"], cell["instead"]})
		}
		return true
	})
	if len(rows) == 0 {
		t.Fatal("found no rules")
	}
	return rows
}

// fieldRows reads the fields of a line from the type, with what its comments say, and an example of each from testdata.
func fieldRows(t *testing.T) [][]string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "../hook/session/line.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	examples, on := exampleFields(t)
	var rows [][]string
	for _, field := range structFields(f, "Line") {
		name := strings.Split(reflect.StructTag(strings.Trim(field.Tag.Value, "`")).Get("json"), ",")[0]
		meaning := strings.Join(strings.Fields(field.Doc.Text()), " ")
		if meaning == "" && len(rows) > 0 {
			meaning = "see " + strings.Trim(rows[len(rows)-1][0], "`") // one comment for two fields
			if last := rows[len(rows)-1][2]; strings.HasPrefix(last, "see ") {
				meaning = last
			}
		}
		if meaning == "" || examples[name] == "" {
			t.Errorf("field %q of a line has meaning %q and example %q; it needs both", name, meaning, examples[name])
		}
		rows = append(rows, []string{code(name), strings.Join(on[name], ", "), meaning, code(examples[name])})
	}
	return rows
}

func structFields(f *ast.File, name string) (out []*ast.Field) {
	ast.Inspect(f, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.Name == name {
			out = spec.Type.(*ast.StructType).Fields.List
		}
		return out == nil
	})
	return out
}

// exampleFields gives the first value of each field in the examples, cut, and the kinds of line that have it.
func exampleFields(t *testing.T) (values map[string]string, on map[string][]string) {
	t.Helper()
	b, err := os.ReadFile("testdata/record.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	values, on = map[string]string{}, map[string][]string{}
	kinds := 0
	for line := range strings.Lines(string(b)) {
		kinds++
		gjson.Parse(line).ForEach(func(k, v gjson.Result) bool {
			if values[k.Str] == "" {
				if values[k.Str] = v.Raw; len(v.Raw) > 60 {
					values[k.Str] = v.Raw[:57] + "…"
				}
			}
			on[k.Str] = append(on[k.Str], gjson.Get(line, "kind").Str)
			return true
		})
	}
	for k, list := range on {
		if len(list) >= kinds-1 {
			on[k] = []string{"all"}
		}
	}
	return values, on
}

// word gives a string, or the name of a constant in small letters.
func word(t *testing.T, e ast.Expr) string {
	t.Helper()
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			s, err := strconv.Unquote(e.Value)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
	case *ast.BinaryExpr:
		return word(t, e.X) + word(t, e.Y)
	case *ast.Ident:
		return strings.ToLower(e.Name)
	case *ast.SelectorExpr:
		return strings.ToLower(e.Sel.Name)
	}
	return ""
}

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

// outsideCode escapes what would be markup; a cell with a backtick in it is left as it is.
var outsideCode = strings.NewReplacer("*", `\*`, "_", `\_`, "<", "&lt;", "|", `\|`)

// markdown writes a table.
func markdown(head []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) {
		for _, c := range cells {
			if !strings.Contains(c, "`") {
				c = outsideCode.Replace(c)
			}
			b.WriteString("| " + c + " ")
		}
		b.WriteString("|\n")
	}
	line(head)
	b.WriteString(strings.Repeat("|---", len(head)) + "|\n")
	for _, r := range rows {
		line(r)
	}
	return b.String()
}

// TestLinksResolve follows the relative links of the documents.
func TestLinksResolve(t *testing.T) {
	docs, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range append(docs, "../README.md", "../CONTRIBUTING.md", "../CHANGELOG.md") {
		b, err := os.ReadFile(doc)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, part := range strings.Split(string(b), "](")[1:] {
			link, _, _ := strings.Cut(part, ")")
			link, _, _ = strings.Cut(link, "#")
			if link == "" || strings.Contains(link, "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(doc), link)); err != nil {
				t.Errorf("%s links to %s, which is not there", doc, link)
			}
		}
	}
}
