// Package docs_test holds the documents against the code they speak of.
package docs_test

import (
	"flag"
	"os"
	"path/filepath"
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

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

// markdown writes a table; a bar in a cell is escaped.
func markdown(head []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) {
		for _, c := range cells {
			b.WriteString("| " + strings.ReplaceAll(c, "|", `\|`) + " ")
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
