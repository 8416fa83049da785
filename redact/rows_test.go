package redact

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// secretSet fills the marks of testdata/secrets.txt; each row is tried with each set.
type secretSet struct{ P, T, H, U, B string }

var secretSets = []secretSet{
	{"Tr4ctor.lake!", "q7ZkT0vYb3NfXw9LsRc2HdGm5uJe8PaB", "9f2c7a51e08b4d63ac17f05e92d8b346", "3c9e1b70-5d42-4f8a-b16e-07a9d5c2f384", "kV7x+Qm2RzL0/tB9wJ4sYhN6cGd8UfE1aPoXi3T5"},
	{"harvest42", "Hs8dK2mWq9LpX4vB7nTzR1cY6fGj3QaE", "c04be17f5a9826d3b7e1f0945ac82d6b", "a81f6d2c-90b3-4e75-8c1d-f4e2b7093a56", "Zp3/uH8nD1+wKc6VxT5yRq0GmB9sJfL4eNaQi7O2"},
}

// fill puts the secrets of a set where the marks stand, and gives those that were used.
func (s secretSet) fill(text string) (filled string, used []string) {
	b64 := base64.StdEncoding.EncodeToString
	for _, m := range [][2]string{
		{"{P}", s.P}, {"{T}", s.T}, {"{H}", s.H}, {"{U}", s.U}, {"{B}", s.B}, {"{B64P}", b64([]byte(s.P + "-s3"))}, {"{B64U}", b64([]byte("bob:" + s.P))},
	} {
		if strings.Contains(text, m[0]) {
			used = append(used, m[1])
			text = strings.ReplaceAll(text, m[0], m[1])
		}
	}
	return strings.ReplaceAll(text, "~", ""), used
}

// readRows reads a file of rows: fields between tabs, \n and \t in them.
func readRows(t *testing.T, path string) (rows [][]string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	esc := strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t")
	for line := range strings.Lines(string(b)) {
		line = strings.TrimRight(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		f := strings.SplitN(line, "\t", 4)
		if len(f) != 4 {
			t.Fatalf("%s: %q has %d fields, want 4", path, line, len(f))
		}
		f[3] = esc.Replace(f[3])
		rows = append(rows, f)
	}
	return rows
}

// mask masks a row's text in its place.
func mask(tool, field, text string) string { return maskWith(Options{Key: testKey}, tool, field, text) }

func maskWith(opt Options, tool, field, text string) string {
	m := New(opt)
	switch field {
	case "":
		return m.String(text).String()
	case "*":
		return m.Input(tool, text).String()
	}
	in, _ := json.Marshal(map[string]string{field: text})
	var out map[string]string
	if json.Unmarshal([]byte(m.Input(tool, string(in)).String()), &out) != nil {
		return "not JSON"
	}
	return out[field]
}

func TestSecretRows(t *testing.T) {
	for _, r := range readRows(t, "testdata/secrets.txt") {
		t.Run(r[0], func(t *testing.T) {
			for _, set := range secretSets {
				text, used := set.fill(r[3])
				out := mask(r[1], r[2], text)
				for _, s := range used {
					if leaks(s, out) {
						t.Errorf("%s\n  still shows %s:\n  %s", text, s, out)
					}
				}
			}
		})
	}
}

func TestHarmlessRows(t *testing.T) {
	for _, r := range readRows(t, "testdata/harmless.txt") {
		t.Run(r[0], func(t *testing.T) {
			if out := mask(r[1], r[2], r[3]); out != r[3] {
				t.Errorf("%s\n  became %s", r[3], out)
			}
		})
	}
}
