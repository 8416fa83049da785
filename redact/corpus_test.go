package redact

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var corpusShow = flag.Int("redact.show", 0, "show up to `n` rows of each group that the masker gets wrong")

// TestCorpus measures the masker against public scanners' own examples and rows of agent calls, which are not part of
// this repository: recall by source, false positives by class, words lost outside secrets. The bars are what the
// figures were when they were last raised, rounded down; a fall below them is a fault.
func TestCorpus(t *testing.T) {
	dir := filepath.Join(corpusRoot(t), "redaction")
	shapes := tally{}
	words, lost := 0, 0
	hidden, kept := tally{}, tally{}
	for _, name := range []string{"positives", "negatives", "placeholders", "negatives-foreign", "negatives-harvested"} {
		for _, r := range readCorpus(t, filepath.Join(dir, name+".jsonl")) {
			out := r.masked()
			if name != "positives" {
				group := name
				if kept.add(group, out == r.Text); out != r.Text {
					kept.show(t, group, "changed", r.Kind+" | "+r.Text+"\n   => "+out)
				}
				continue
			}
			leak := slices.ContainsFunc(r.Secrets, func(s string) bool { return leaks(s, out) })
			group := "foreign: " + r.Source
			if r.Source == "stepgate-agent" {
				group = "agent shapes"
				shapes.add(r.Shape, !leak)
			} else {
				hidden.add("foreign, all", !leak)
			}
			hidden.add(group, !leak)
			if leak {
				hidden.show(t, group, "leaks", r.Shape+" | "+r.Text+"\n   => "+out)
			}
			if group == "agent shapes" && r.Field != "*" {
				w, l := wordsLost(r, out)
				if words, lost = words+w, lost+l; l > 0 {
					kept.add("agent rows, all words", false)
					kept.show(t, "agent rows, all words", "lost", r.Shape+" | "+r.Text+"\n   => "+out)
				} else {
					kept.add("agent rows, all words", true)
				}
			}
		}
	}
	whole := 0
	for _, c := range shapes {
		if c.good == c.all {
			whole++
		}
	}
	t.Logf("secrets hidden\n%s", hidden)
	t.Logf("agent shapes wholly covered: %d of %d; words lost outside secrets %.2f %% of %d", whole, len(shapes), 100*float64(lost)/float64(max(words, 1)), words)
	t.Logf("left as it was\n%s", kept)
	for group, bar := range map[string]float64{"agent shapes": 99, "foreign, all": 82} {
		if got := hidden[group].percent(); got < bar {
			t.Errorf("%s: %.1f %% hidden, bar %.0f %%", group, got, bar)
		}
	}
	for group, bar := range map[string]float64{"negatives": 99.5, "placeholders": 100, "negatives-harvested": 99.5} {
		if got := kept[group].percent(); got < bar {
			t.Errorf("%s: %.1f %% unchanged, bar %.1f %%", group, got, bar)
		}
	}
}

// corpusRoot is the folder of data beside the repository.
func corpusRoot(t *testing.T) string {
	root := os.Getenv("STEPGATE_SHARED")
	if root == "" {
		root = "../../shared"
	}
	if _, err := os.Stat(filepath.Join(root, "redaction")); err != nil {
		t.Skip("no redaction corpus: set STEPGATE_SHARED to the folder that holds redaction/")
	}
	return root
}

type corpusRow struct {
	Source, Kind, Shape, Tool, Field, Text string
	Secrets                                []string
}

func readCorpus(t *testing.T, path string) (rows []corpusRow) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b = bytes.ReplaceAll(b, []byte(`\u2042`), nil)
	b = bytes.ReplaceAll(b, []byte("\u2042"), nil)
	sc := bufio.NewScanner(bytes.NewReader(b))
	sc.Buffer(nil, 1<<24)
	for sc.Scan() {
		var r corpusRow
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		rows = append(rows, r)
	}
	return rows
}

// masked is the row's text after masking, in the place that the row says it stands in.
func (r corpusRow) masked() string {
	m := New(Options{})
	switch {
	case r.Field == "*" && json.Valid([]byte(r.Text)):
		tool := r.Tool
		if tool == "" {
			tool = "mcp__srv__call"
		}
		return m.Input(tool, r.Text).String()
	case r.Field == "" || r.Field == "*":
		return m.String(r.Text).String()
	}
	tool := r.Tool
	if tool == "" {
		tool = "Bash"
	}
	in, err := json.Marshal(map[string]string{r.Field: r.Text})
	if err != nil {
		return ""
	}
	var out map[string]string
	if err := json.Unmarshal([]byte(m.Input(tool, string(in)).String()), &out); err != nil {
		return ""
	}
	return out[r.Field]
}

// leaks says that a third of a secret can still be read, in windows of eight bytes; all of it when it is short.
func leaks(secret, out string) bool {
	for _, s := range []string{secret, strings.Trim(string(appendJSON(nil, secret)), `"`)} {
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

func wordsLost(r corpusRow, out string) (words, lost int) {
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

// tally counts by group.
type tally map[string]*counted

type counted struct{ good, all, shown int }

func (c *counted) percent() float64 {
	if c == nil || c.all == 0 {
		return 0
	}
	return 100 * float64(c.good) / float64(c.all)
}

func (t tally) add(group string, good bool) {
	if t[group] == nil {
		t[group] = &counted{}
	}
	t[group].all++
	if good {
		t[group].good++
	}
}

func (t tally) show(tb testing.TB, group, what, text string) {
	if c := t[group]; c.shown < *corpusShow {
		c.shown++
		tb.Logf("%s %s %s", group, what, text)
	}
}

func (t tally) String() string {
	var b strings.Builder
	names := make([]string, 0, len(t))
	for g := range t {
		names = append(names, g)
	}
	slices.Sort(names)
	for _, g := range names {
		c := t[g]
		b.WriteString("  ")
		b.WriteString(g)
		b.WriteString(strings.Repeat(" ", max(1, 28-len(g))))
		b.Write(appendPercent(nil, c))
		b.WriteString("\n")
	}
	return b.String()
}

func appendPercent(b []byte, c *counted) []byte {
	j, _ := json.Marshal(map[string]any{"of": c.all, "good": c.good, "percent": float64(int(c.percent()*100)) / 100})
	return append(b, j...)
}
