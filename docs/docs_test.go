// Package docs_test holds the documents against the code they speak of.
package docs_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/internal/config"
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

func settingRows() [][]string {
	var rows [][]string
	for _, r := range (config.Config{}).Rows() {
		rows = append(rows, []string{code(r.Key), code(r.Default), r.Range, r.Project, r.Help})
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
