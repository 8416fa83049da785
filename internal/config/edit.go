package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/stepgate/stepgate/internal/safefile"
)

// SetUser changes one key of the user's config.toml and nothing else in it: comments, order and spacing of the rest
// stay. An empty text takes the key out.
func SetUser(home, key, text string) error {
	path := filepath.Join(home, UserFile)
	// Written where a link points to, for people who keep their settings elsewhere.
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	old, err := readFile(User, path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("settings file %s: %w", path, err)
	}
	changed, err := edit(old, key, text)
	if err != nil {
		return fmt.Errorf("settings file %s: %w", path, err)
	}
	if bytes.Equal(old, changed) {
		return nil
	}
	if len(changed) > maxFile {
		return fmt.Errorf("settings file %s: would grow past %d KiB", path, maxFile>>10)
	}
	if _, err := safefile.Dir(filepath.Dir(path)); err != nil {
		return err
	}
	return safefile.Write(path, changed)
}

// Check reads a setting as a person types it and gives its plain form.
func Check(key, text string) (string, error) {
	i := index(key)
	if i < 0 {
		return "", unknownKey(key)
	}
	v, ok := settings[i].parse(text, places{})
	if !ok {
		return "", fmt.Errorf("%s = %s is not %s", key, show(text), settings[i].Range())
	}
	return v.text, nil
}

func unknownKey(key string) error {
	if i := loose(key); i >= 0 {
		return fmt.Errorf("there is no setting %s\nhint: did you mean %s?", quote(key), settings[i].Key)
	}
	return fmt.Errorf("there is no setting %s\nhint: stepgate config show lists them", quote(key))
}

// edit gives the file with the key set, or taken out. The result is read back before it counts.
func edit(file []byte, key, text string) ([]byte, error) {
	i := index(key)
	if i < 0 {
		return nil, unknownKey(key)
	}
	before, err := parseTOML(file)
	if err != nil {
		return nil, err
	}
	var literal string
	if strings.TrimSpace(text) != "" {
		if _, err := Check(key, text); err != nil {
			return nil, err
		}
		literal = settings[i].toml(text)
	}
	changed := splice(file, key, literal)
	after, err := parseTOML(changed)
	if err != nil {
		return nil, fmt.Errorf("internal error: edit of %s left a file that is %w", key, err)
	}
	if _, set := after[key]; set != (literal != "") {
		return nil, fmt.Errorf("internal error: edit of %s did not take", key)
	}
	delete(before, key)
	delete(after, key)
	if !maps.EqualFunc(before, after, func(a, b any) bool { return reflect.DeepEqual(a, b) }) {
		return nil, fmt.Errorf("internal error: edit of %s changed another setting", key)
	}
	return changed, nil
}

// toml writes a valid value as TOML.
func (s *Setting) toml(text string) string {
	v, _ := s.parse(text, places{})
	switch s.Kind {
	case Number, Int, Bool:
		return v.text
	case Tools, Dirs, Names, Heads, Sums, Lines:
		quoted := make([]string, len(v.list))
		for i, e := range v.list {
			quoted[i] = tomlString(e)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	}
	return tomlString(v.text)
}

// tomlString is a basic string; all values are printable, so only two characters need an escape.
func tomlString(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// splice replaces the value of a top-level key, adds the key before the first table, or takes its line out. The file
// is known to parse.
func splice(file []byte, key, literal string) []byte {
	var p unstable.Parser
	p.Reset(file)
	end := len(file) // where the top level ends
	for p.NextExpression() {
		n := p.Expression()
		if n.Kind != unstable.KeyValue {
			name := n.Key()
			name.Next()
			end = lineStart(file, int(name.Node().Raw.Offset))
			break
		}
		name := n.Key()
		name.Next()
		if string(name.Node().Data) != key || !name.IsLast() {
			continue
		}
		from, to := int(n.Raw.Offset), int(n.Raw.Offset+n.Raw.Length)
		if literal == "" {
			return concat(file[:lineStart(file, from)], "", file[lineEnd(file, to):])
		}
		from = int(name.Node().Raw.Offset + name.Node().Raw.Length)
		from += bytes.IndexByte(file[from:], '=') + 1
		return concat(file[:from], " "+literal, file[to:])
	}
	if literal == "" {
		return file
	}
	line := key + " = " + literal + newline(file)
	if end > 0 && file[end-1] != '\n' {
		line = newline(file) + line
	}
	return concat(file[:end], line, file[end:])
}

func concat(head []byte, middle string, tail []byte) []byte {
	out := make([]byte, 0, len(head)+len(middle)+len(tail))
	out = append(out, head...)
	out = append(out, middle...)
	return append(out, tail...)
}

func newline(file []byte) string {
	if bytes.Contains(file, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

func lineStart(file []byte, at int) int { return bytes.LastIndexByte(file[:at], '\n') + 1 }

func lineEnd(file []byte, at int) int {
	if i := bytes.IndexByte(file[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(file)
}
