package config

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/knadh/koanf/parsers/toml/v2"

	"github.com/stepgate/stepgate/policy/rulebook"
)

// maxFile is the largest settings file that is read.
const maxFile = 64 << 10

// file reads one settings file. A missing one is an empty layer.
func (l *loader) file(name Layer, path string) layer {
	b, err := readFile(name, path)
	if errors.Is(err, fs.ErrNotExist) {
		return layer{name: name}
	}
	var values map[string]any
	if err == nil {
		values, err = parseTOML(b)
	}
	if err != nil {
		l.warn(path, ": ", err.Error(), "; the file is ignored")
		l.Unreadable = l.Unreadable || name != Project
		return layer{name: name}
	}
	if raw, ok := values["policy"]; ok {
		delete(values, "policy")
		own, warnings, err := rulebook.Tables(path, b, raw, name == Project)
		l.policies(own, warnings, err)
	}
	from := layer{name: name, where: path, values: values}
	l.unknown(from)
	return from
}

// Names of the file with the person's policies, the first that is there.
const (
	PolicyFile     = "policies.toml"
	PolicyFileJSON = "policies.json"
)

// policyFile reads the person's policies.
func (l *loader) policyFile(home string) {
	for _, name := range [...]string{PolicyFile, PolicyFileJSON} {
		path := filepath.Join(home, name)
		b, err := readBounded(User, path, rulebook.MaxFile)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var own []rulebook.Policy
		var warnings []string
		if err == nil {
			own, warnings, err = rulebook.Read(path, b)
		} else {
			err = errors.New("policy file " + path + ": " + err.Error())
		}
		l.policies(own, warnings, err)
		return
	}
}

// policies takes in what one file holds.
func (l *loader) policies(own []rulebook.Policy, warnings []string, err error) {
	l.Warnings = append(l.Warnings, warnings...)
	l.own = append(l.own, own...)
	if err != nil && l.PolicyFault == "" {
		l.PolicyFault = err.Error()
		l.warn(err.Error(), "; its policies do not hold, and on_error decides about every call until it is mended (stepgate policy lint)")
	}
}

// unknown warns about keys that mean nothing, a few of them.
func (l *loader) unknown(from layer) {
	const most = 5
	var names []string
	for key := range from.values {
		if index(key) < 0 && (key != "locked" || from.name != Managed) {
			names = append(names, key)
		}
	}
	slices.Sort(names)
	for i, key := range names {
		if i == most {
			l.warn(from.where, ": and ", strconv.Itoa(len(names)-most), " more unknown settings")
			return
		}
		l.warn(from.where, ": unknown setting ", quote(key), hint(key))
	}
}

func hint(key string) string {
	switch squash(key) {
	case "key", "apikey", "token", "typesafeapikey":
		return "; a key does not belong into a file, use stepgate key set"
	case "locked":
		return "; only the managed file locks settings"
	}
	if i := loose(key); i >= 0 {
		return "; did you mean " + settings[i].Key + "?"
	}
	return ""
}

// errTOML is a parse error without the text around it, which could hold a secret.
type errTOML struct{ line int }

func (e errTOML) Error() string {
	if e.line > 0 {
		return "line " + strconv.Itoa(e.line) + " is not TOML"
	}
	return "not TOML"
}

func parseTOML(b []byte) (map[string]any, error) {
	values, err := toml.Parser().Unmarshal(b)
	if err != nil {
		e := errTOML{}
		var at interface{ Position() (row, column int) }
		if errors.As(err, &at) {
			e.line, _ = at.Position()
		}
		return nil, e
	}
	if values == nil {
		values = map[string]any{}
	}
	return values, nil
}

// readFile opens a settings file so that nothing in its place can hold the gate up or slip in another's words: a
// regular file of bounded size; of the person or root, and not for others to write, unless it is the project's; root's
// own and no link, where it is managed.
func readFile(name Layer, path string) ([]byte, error) { return readBounded(name, path, maxFile) }

func readBounded(name Layer, path string, most int64) ([]byte, error) {
	follow := name == User // people keep their settings elsewhere and link to them
	f, err := openFile(path, follow)
	if err != nil {
		return nil, plain(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, plain(err)
	}
	switch {
	case !info.Mode().IsRegular():
		return nil, errors.New("not a regular file")
	case info.Size() > most:
		return nil, errors.New("larger than " + strconv.FormatInt(most>>10, 10) + " KiB")
	}
	if name != Project {
		if err := trusted(info, name == Managed); err != nil {
			return nil, err
		}
	}
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, plain(err)
	}
	if int64(len(b)) > most {
		return nil, errors.New("larger than " + strconv.FormatInt(most>>10, 10) + " KiB")
	}
	return b, nil
}

// plain drops the path, which the warning already names.
func plain(err error) error {
	var p *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fs.ErrNotExist
	case errors.As(err, &p):
		return p.Err
	}
	return err
}
