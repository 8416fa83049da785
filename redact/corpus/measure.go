package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/stepgate/stepgate/redact"
)

// Count is how many rows of a group came out well.
type Count struct{ Good, All int }

// Percent of the rows came out well; all of none did.
func (c Count) Percent() float64 {
	if c.All == 0 {
		return 100
	}
	return 100 * float64(c.Good) / float64(c.All)
}

func (c Count) String() string { return fmt.Sprintf("%6.2f %%  %d of %d", c.Percent(), c.Good, c.All) }

// Counts are by group.
type Counts map[string]Count

func (c Counts) add(group string, good bool) {
	n := c[group]
	n.All++
	if good {
		n.Good++
	}
	c[group] = n
}

// Sum adds up the groups that a test is true for.
func (c Counts) Sum(of func(group string) bool) (sum Count) {
	for g, n := range c {
		if of(g) {
			sum.Good, sum.All = sum.Good+n.Good, sum.All+n.All
		}
	}
	return sum
}

// Names are the groups in order.
func (c Counts) Names() []string { return slices.Sorted(maps.Keys(c)) }

// Figures are what a masker did to rows.
type Figures struct {
	Hidden Counts // rows whose secrets are all hidden, by source
	Shapes Counts // the same, by source and shape
	Kept   Counts // rows that stay as they were, by group
	Kinds  Counts // the same, by group and kind
	// Words outside the secrets of agent-shaped and own rows, and how many of them were lost.
	Words, Lost int
}

// Agent is the source of rows that were made in the shapes of agents' calls.
const Agent = "stepgate-agent"

// Measure masks the rows and counts. It tells each row that went wrong to wrong, which may be nil.
func Measure(rows []Row, opt redact.Options, wrong func(r Row, what, out string)) Figures {
	f := Figures{Hidden: Counts{}, Shapes: Counts{}, Kept: Counts{}, Kinds: Counts{}}
	if wrong == nil {
		wrong = func(Row, string, string) {}
	}
	for _, r := range rows {
		out := r.Mask(opt)
		if r.Group != "positives" {
			good := out == r.Text
			f.Kept.add(r.Group, good)
			f.Kinds.add(r.Group+": "+r.Kind, good)
			if !good {
				wrong(r, "changed", out)
			}
			continue
		}
		good := !slices.ContainsFunc(r.Secrets, func(s string) bool { return Leaks(s, out) })
		f.Hidden.add(r.Source, good)
		f.Shapes.add(r.Source+": "+r.Shape, good)
		if !good {
			wrong(r, "leaks", out)
		}
		if r.Source == Agent && r.Field != "*" {
			words, lost := wordsLost(r, out)
			f.Words, f.Lost = f.Words+words, f.Lost+lost
			if lost > 0 {
				wrong(r, "lost a word", out)
			}
		}
	}
	return f
}

// LostPercent is the share of words outside secrets that were lost.
func (f Figures) LostPercent() float64 { return 100 * float64(f.Lost) / float64(max(f.Words, 1)) }

// Leaks says that a third of a secret can still be read, in windows of eight bytes; all of it when it is short.
func Leaks(secret, out string) bool {
	for _, s := range [...]string{secret, inJSON(secret)} {
		s = strings.TrimSpace(withoutHeaders(s))
		switch {
		case s == "":
			return strings.Contains(out, secret)
		case len(s) < 12:
			if strings.Contains(out, s) {
				return true
			}
			continue
		}
		seen := make([]bool, len(s))
		for i := 0; i+8 <= len(s); i++ {
			if strings.Contains(out, s[i:i+8]) {
				for k := i; k < i+8; k++ {
					seen[k] = true
				}
			}
		}
		n := 0
		for _, b := range seen {
			if b {
				n++
			}
		}
		if n*3 >= len(s) {
			return true
		}
	}
	return false
}

// inJSON is a text as it stands in a JSON string.
func inJSON(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return s
	}
	return strings.Trim(strings.TrimSpace(b.String()), `"`)
}

// withoutHeaders drops the lines that frame a PEM block.
func withoutHeaders(s string) string {
	for {
		a := strings.Index(s, "-----")
		if a < 0 {
			return s
		}
		n := strings.Index(s[a+5:], "-----")
		if n < 0 || strings.Trim(s[a+5:a+5+n], "ABCDEFGHIJKLMNOPQRSTUVWXYZ ") != "" {
			return s
		}
		s = s[:a] + s[a+5+n+5:]
	}
}

// wordsLost counts the words of four bytes or more outside a row's secrets, and those that are gone.
func wordsLost(r Row, out string) (words, lost int) {
	rest := r.Text
	for _, s := range r.Secrets {
		rest = strings.ReplaceAll(rest, s, "\x00")
	}
	for _, w := range strings.FieldsFunc(rest, func(c rune) bool { return c <= ' ' || c == '"' || c == '\'' }) {
		if len(w) < 4 {
			continue
		}
		words++
		if !strings.Contains(out, w) {
			lost++
		}
	}
	return words, lost
}
