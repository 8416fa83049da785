package main

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/redact"
)

// maxRedactLine bounds one line of redact --jsonl.
const maxRedactLine = 64 << 20

type redactCmd struct {
	JSONL   bool `name:"jsonl" help:"Read one {\"tool\",\"input\"} or {\"text\"} a line and give the same objects back, in order."`
	JSON    bool `name:"json" help:"Read one JSON document and give it back masked."`
	Explain bool `help:"Tell on standard error what was masked and where, without the values."`
	Entropy bool `help:"Also mask text that only looks random."`
}

func (c redactCmd) masker() *redact.Masker {
	key := make([]byte, 32)
	rand.Read(key) // never fails
	return redact.New(redact.Options{Key: func() []byte { return key }, Entropy: c.Entropy})
}

func (c redactCmd) Run(a *app) error {
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
	m := c.masker()
	out := ""
	switch {
	case !c.JSON:
		out = m.String(string(in)).String()
	case gjson.ValidBytes(in):
		out = m.JSON(string(in)).String()
	default:
		return errors.New("standard input is not one JSON document")
	}
	if c.Explain {
		c.explain(a, m)
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
		if !gjson.Valid(line) || !gjson.Parse(line).IsObject() {
			fmt.Fprintf(out, "{\"error\":\"line %d is not a JSON object\"}\n", n)
			continue
		}
		m := c.masker()
		var masked string
		if o := gjson.Parse(line); o.Get("input").IsObject() {
			masked = "{\"tool\":" + jsonString(o.Get("tool").String()) + ",\"input\":" + m.Input(o.Get("tool").String(), o.Get("input").Raw).String() + "}"
		} else {
			masked = "{\"text\":" + jsonString(m.String(o.Get("text").String()).String()) + "}"
		}
		fmt.Fprintln(out, masked)
		if c.Explain {
			c.explain(a, m)
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return errors.Join(in.Err(), out.Flush())
}

func (c redactCmd) explain(a *app, m *redact.Masker) {
	for _, t := range m.Tags() {
		fmt.Fprintf(a.err, "%s #%d\n", t.Kind, t.N)
	}
}
