// Package corpus reads texts with and without secrets in them and measures a masker by them. It is for tests and for
// the program that prints the figures; nothing of the gate imports it.
//
// The rows of this repository are shapes with marks where secrets go, so that no file holds anything that looks like a
// live key. Public scanners' own examples, where there are any, stand in a folder beside the repository.
package corpus

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/redact"
)

// Row is a text in the place of a tool's input where it stands.
type Row struct {
	Source, Shape, Kind string
	// Tool and Field say where the text stands: an empty field is loose text, * the whole input.
	Tool, Field, Text string
	// Secrets must not be readable afterwards; a row without any must stay as it is.
	Secrets []string
	// Group says what kind of file the row is from: positives, negatives, placeholders and the like.
	Group string
}

// Mask is the row's text after masking.
func (r Row) Mask(opt redact.Options) string {
	m := redact.New(opt)
	whole := r.Field == "*" && json.Valid([]byte(r.Text))
	tool := r.Tool
	switch {
	case whole && tool == "":
		tool = "mcp__srv__call"
	case tool == "":
		tool = "Bash"
	}
	switch {
	case whole:
		return m.Input(tool, r.Text).String()
	case r.Field == "" || r.Field == "*":
		return m.String(r.Text).String()
	}
	in, err := json.Marshal(map[string]string{r.Field: r.Text})
	if err != nil {
		return ""
	}
	var out map[string]string
	if json.Unmarshal([]byte(m.Input(tool, string(in)).String()), &out) != nil {
		return "not JSON"
	}
	return out[r.Field]
}

// secretSet fills the marks of secrets.txt.
type secretSet struct{ P, T, H, U, B string }

var secretSets = [...]secretSet{
	{"Tr4ctor.lake!", "q7ZkT0vYb3NfXw9LsRc2HdGm5uJe8PaB", "9f2c7a51e08b4d63ac17f05e92d8b346", "3c9e1b70-5d42-4f8a-b16e-07a9d5c2f384", "kV7x+Qm2RzL0/tB9wJ4sYhN6cGd8UfE1aPoXi3T5"},
	{"harvest42", "Hs8dK2mWq9LpX4vB7nTzR1cY6fGj3QaE", "c04be17f5a9826d3b7e1f0945ac82d6b", "a81f6d2c-90b3-4e75-8c1d-f4e2b7093a56", "Zp3/uH8nD1+wKc6VxT5yRq0GmB9sJfL4eNaQi7O2"},
}

// fill puts the secrets of a set where the marks stand, and gives those that were used.
func (s secretSet) fill(text string) (filled string, used []string) {
	b64 := base64.StdEncoding.EncodeToString
	for _, m := range [...][2]string{
		{"{P}", s.P}, {"{T}", s.T}, {"{H}", s.H}, {"{U}", s.U}, {"{B}", s.B}, {"{B64P}", b64([]byte(s.P + "-s3"))}, {"{B64U}", b64([]byte("bob:" + s.P))},
	} {
		if strings.Contains(text, m[0]) {
			used = append(used, m[1])
			text = strings.ReplaceAll(text, m[0], m[1])
		}
	}
	return strings.ReplaceAll(text, "~", ""), used
}

// Own reads the rows of package redact's testdata: the shapes of secrets, each filled with two sets of them, and the
// harmless texts.
func Own(testdata string) (rows []Row, err error) {
	secrets, err := readShapes(filepath.Join(testdata, "secrets.txt"))
	if err != nil {
		return nil, err
	}
	for _, r := range secrets {
		for _, set := range secretSets {
			filled := r
			filled.Group = "positives"
			filled.Text, filled.Secrets = set.fill(r.Text)
			rows = append(rows, filled)
		}
	}
	harmless, err := readShapes(filepath.Join(testdata, "harmless.txt"))
	for _, r := range harmless {
		r.Group = "own negatives"
		rows = append(rows, r)
	}
	return rows, err
}

// readShapes reads a file of rows: name, tool, field and text between tabs, with \n and \t in the text.
func readShapes(path string) (rows []Row, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	esc := strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r")
	kind := ""
	for line := range strings.Lines(string(b)) {
		line = strings.TrimRight(line, "\n")
		if line == "" || line[0] == '#' {
			kind = strings.Trim(line, "# .")
			continue
		}
		f := strings.SplitN(line, "\t", 4)
		if len(f) != 4 {
			return nil, fmt.Errorf("%s: %q has %d fields, want 4", path, line, len(f))
		}
		rows = append(rows, Row{Source: "own", Shape: f[0], Kind: kind, Tool: f[1], Field: f[2], Text: esc.Replace(f[3])})
	}
	return rows, nil
}

// files of a corpus of others, in the order they are read.
var files = [...]string{"positives", "negatives", "placeholders", "negatives-foreign", "negatives-harvested"}

// Others reads a folder of JSON lines.
func Others(dir string) (rows []Row, err error) {
	for _, name := range files {
		b, err := os.ReadFile(filepath.Join(dir, name+".jsonl"))
		if err != nil {
			return nil, err
		}
		// The mark that keeps secrets from looking like live ones.
		b = bytes.ReplaceAll(bytes.ReplaceAll(b, []byte(`\u2042`), nil), []byte("\u2042"), nil)
		in := bufio.NewScanner(bytes.NewReader(b))
		in.Buffer(nil, 1<<24)
		for n := 1; in.Scan(); n++ {
			r := Row{Group: name}
			if err := json.Unmarshal(in.Bytes(), &r); err != nil {
				return nil, fmt.Errorf("%s.jsonl:%d: %w", name, n, err)
			}
			rows = append(rows, r)
		}
		if err := in.Err(); err != nil {
			return nil, fmt.Errorf("%s.jsonl: %w", name, err)
		}
	}
	return rows, nil
}
