package config

import (
	"errors"
	"io"
	"io/fs"
	"slices"
	"strconv"

	"github.com/knadh/koanf/parsers/toml/v2"
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
	from := layer{name: name, where: path, values: values}
	l.unknown(from)
	return from
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
func readFile(name Layer, path string) ([]byte, error) {
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
	case info.Size() > maxFile:
		return nil, errors.New("larger than " + strconv.Itoa(maxFile>>10) + " KiB")
	}
	if name != Project {
		if err := trusted(info, name == Managed); err != nil {
			return nil, err
		}
	}
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, plain(err)
	}
	if len(b) > maxFile {
		return nil, errors.New("larger than " + strconv.Itoa(maxFile>>10) + " KiB")
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
