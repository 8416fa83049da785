package snapshot

import (
	"errors"
	"strconv"
	"unicode/utf8"
)

// Path is a path or another name from outside that JSON keeps to the byte: one that is not UTF-8 is written quoted, in
// Go's way.
type Path string

// MarshalText writes the path.
func (p Path) MarshalText() ([]byte, error) {
	if utf8.ValidString(string(p)) && (p == "" || p[0] != '"') {
		return []byte(p), nil
	}
	return strconv.AppendQuoteToASCII(nil, string(p)), nil
}

// UnmarshalText reads what MarshalText wrote.
func (p *Path) UnmarshalText(b []byte) error {
	if len(b) == 0 || b[0] != '"' {
		*p = Path(b)
		return nil
	}
	s, err := strconv.Unquote(string(b))
	if err != nil {
		return errors.New("a quoted path that cannot be read")
	}
	*p = Path(s)
	return nil
}
