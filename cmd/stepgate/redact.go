package main

import (
	"bufio"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/redact"
)

// maxRedactLine bounds one line of redact --jsonl.
const maxRedactLine = 64 << 20

type redactCmd struct {
	JSONL   bool `name:"jsonl" help:"Read one JSON object a line and give it back with its members input and text masked; tool says what the input is for."`
	JSON    bool `name:"json" help:"Read one JSON document and give it back masked."`
	Explain bool `help:"Tell on standard error what was masked and where, without the values."`
	Entropy bool `help:"Also mask text that only looks random."`

	rules redact.Rules
}

// masker makes tags of its own, which no session knows.
func masker(rules redact.Rules, entropy bool) *redact.Masker {
	key := make([]byte, 32)
	rand.Read(key) // never fails
	return redact.New(redact.Options{Key: func() []byte { return key }, Rules: rules, Entropy: entropy})
}

func (c redactCmd) masker() *redact.Masker { return masker(c.rules, c.Entropy) }

func (c redactCmd) Run(a *app) error {
	g, err := a.gateHere("claude")
	if err != nil {
		fmt.Fprintln(a.err, "stepgate: your settings cannot be read, so your own rules are not applied:", err)
	} else {
		c.rules, c.Entropy = g.Redact, c.Entropy || g.Entropy
	}
	return c.mask(a)
}

func (c redactCmd) mask(a *app) error {
	if c.JSONL {
		return c.lines(a)
	}
	in, err := io.ReadAll(io.LimitReader(a.stdin, maxRedactLine+1))
	if err != nil {
		return err
	}
	if len(in) > maxRedactLine {
		return fmt.Errorf("standard input is longer than %d MiB", maxRedactLine>>20)
	}
	m, text := c.masker(), string(in)
	out := ""
	switch {
	case !c.JSON:
		if out = m.String(text).String(); c.Explain {
			explainText(a, m, "", text)
		}
	case json.Valid(in):
		masked := m.JSON(text)
		if out = masked.String(); c.Explain {
			explainDoc(a, "", text, masked)
		}
	default:
		return errors.New("standard input is not one JSON document")
	}
	_, err = io.WriteString(a.out, out)
	return err
}

// lines masks one object a line. Each line has its own tags, as each stands for a call of its own.
func (c redactCmd) lines(a *app) error {
	in := bufio.NewScanner(a.stdin)
	in.Buffer(make([]byte, 64<<10), maxRedactLine)
	out := bufio.NewWriter(a.out)
	for n := 1; in.Scan(); n++ {
		line := in.Text()
		// Unlike gjson.Valid, this bounds how deep a document nests, so that none can exhaust the stack.
		if json.Valid(in.Bytes()) && gjson.Parse(line).IsObject() {
			out.WriteString(c.line(a, n, line))
			out.WriteByte('\n')
		} else {
			fmt.Fprintf(out, "{\"error\":\"line %d is not a JSON object\"}\n", n)
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return errors.Join(in.Err(), out.Flush())
}

// line masks the members input and text of an object; every other byte stays.
func (c redactCmd) line(a *app, n int, line string) string {
	o, m := gjson.Parse(line), c.masker()
	tool := o.Get("tool").String()
	var out strings.Builder
	at := 0
	o.ForEach(func(k, v gjson.Result) bool {
		key, from := k.String(), v.Index
		where := fmt.Sprintf("line %d: %s", n, key)
		masked := v.Raw
		switch {
		case key == "text" && v.Type == gjson.String:
			if text := m.String(v.Str).String(); text != v.Str {
				masked = jsonOf(text)
			}
			if c.Explain {
				explainText(a, m, where+" ", v.Str)
			}
		case key == "text" || key == "input":
			doc := m.JSON(v.Raw)
			if v.IsObject() {
				doc = m.Input(tool, v.Raw)
			}
			if masked = doc.String(); c.Explain {
				explainDoc(a, where, v.Raw, doc)
			}
		}
		out.WriteString(line[at:from])
		out.WriteString(masked)
		at = from + len(v.Raw)
		return true
	})
	out.WriteString(line[at:])
	return out.String()
}

// explainText tells the bytes of a text that are masked, and by which rule.
func explainText(a *app, m *redact.Masker, where, text string) {
	for _, h := range m.Find(text) {
		by := ""
		if s := redact.Setting(h.Kind); s != "" {
			by = " by " + s
		}
		fmt.Fprintf(a.err, "%sbytes %d-%d: %s%s\n", where, h.Start, h.End, h.Kind, by)
	}
}

// explainDoc tells the places of a document that are masked, and by which rule.
func explainDoc(a *app, where, doc string, masked redact.Doc) {
	for _, p := range redact.Explain(doc, masked) {
		path := p.Path
		if where != "" && path != "" && path[0] != '[' {
			path = "." + path
		}
		fmt.Fprintln(a.err, redact.Verbatim(where+path+": "+p.What).Line())
	}
}
