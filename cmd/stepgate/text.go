package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
)

// columns is how wide a line for a person is at most, but for a word that is longer by itself.
const columns = 80

// wrap breaks a text into lines that fit, each after an indent.
func wrap(text, indent string) string {
	var b strings.Builder
	b.WriteString(indent)
	column := len(indent)
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case column+1+n > columns:
			b.WriteString("\n" + indent)
			column = len(indent)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}

// hang prints a text behind a head, its further lines below its first one.
func hang(w io.Writer, head, text string) {
	indent := strings.Repeat(" ", utf8.RuneCountInString(head))
	fmt.Fprintln(w, head+strings.TrimPrefix(wrap(text, indent), indent))
}

// bullets prints texts as a list. They may name what stands in a record.
func bullets(w io.Writer, texts []string) {
	for _, t := range texts {
		hang(w, "- ", clean(t))
	}
}

// callText is a call as a person reads it: its tool, and the command of a shell or the input of another one.
func callText(l session.Line) string {
	text := l.Input.String()
	if l.Capability == agent.Shell {
		if command := gjson.Get(text, "command"); command.Type == gjson.String && command.Str != "" {
			text = command.Str
		}
	}
	return clip(l.Tool, 40) + " " + clip(text, 400)
}
