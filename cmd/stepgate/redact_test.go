package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestRedactDeepLine(t *testing.T) {
	const depth = 1 << 20 // a parser that recurses would need a gigabyte of stack for 64 MiB of these
	deep := strings.Repeat("[", depth) + strings.Repeat("]", depth)
	for _, c := range []struct{ name, in, want string }{
		{"brackets", deep, `{"error":"line 1 is not a JSON object"}`},
		{"untouched member", `{"x":` + deep + `}`, `{"error":"line 1 is not a JSON object"}`},
		{"input", `{"input":{"a":` + deep + `}}`, `{"error":"line 1 is not a JSON object"}`},
		{"as deep as is read", `{"x":` + deep[depth-5000:depth+5000] + `}`, `{"x":` + deep[depth-5000:depth+5000] + `}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			a := &app{stdin: strings.NewReader(c.in + "\n{\"text\":\"ok\"}\n"), out: &out, err: &out}
			if err := (redactCmd{JSONL: true}).mask(a); err != nil {
				t.Fatal(err)
			}
			if want := c.want + "\n{\"text\":\"ok\"}\n"; out.String() != want {
				t.Errorf("got %.80q of %d bytes, want %.80q", out.String(), out.Len(), want)
			}
		})
	}
}
