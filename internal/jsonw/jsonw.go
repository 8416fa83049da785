// Package jsonw writes small JSON documents by appending to a slice. It is for what every tool call writes: encoding/json
// builds its tables anew in each process, which costs the hook more than all it writes.
//
// What it writes is what encoding/json writes with SetEscapeHTML(false).
package jsonw

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// Object is an object under construction. Methods whose names begin with Opt leave zero values out, as omitempty does.
type Object struct {
	b     []byte
	comma bool
}

// Begin appends the beginning of an object to b.
func Begin(b []byte) Object { return Object{b: append(b, '{')} }

// End closes the object and gives all that was appended.
func (o *Object) End() []byte { return append(o.b, '}') }

func (o *Object) name(name string) {
	if o.comma {
		o.b = append(o.b, ',')
	}
	o.comma = true
	o.b = append(String(o.b, name), ':')
}

// Raw adds a member whose value is JSON already.
func (o *Object) Raw(name, json string) {
	o.name(name)
	o.b = append(o.b, json...)
}

// Append adds a member whose value is appended by a function.
func (o *Object) Append(name string, value func([]byte) []byte) {
	o.name(name)
	o.b = value(o.b)
}

// Str adds a string.
func (o *Object) Str(name, s string) {
	o.name(name)
	o.b = String(o.b, s)
}

// OptStr adds a string that is not empty.
func (o *Object) OptStr(name, s string) {
	if s != "" {
		o.Str(name, s)
	}
}

// Int adds a whole number.
func (o *Object) Int(name string, n int64) {
	o.name(name)
	o.b = strconv.AppendInt(o.b, n, 10)
}

// OptInt adds a whole number that is not zero.
func (o *Object) OptInt(name string, n int64) {
	if n != 0 {
		o.Int(name, n)
	}
}

// Float adds a number.
func (o *Object) Float(name string, f float64) {
	o.name(name)
	o.b = Float(o.b, f)
}

// OptFloat adds a number that is not zero.
func (o *Object) OptFloat(name string, f float64) {
	if f != 0 {
		o.Float(name, f)
	}
}

// Bool adds a truth value.
func (o *Object) Bool(name string, yes bool) {
	o.name(name)
	o.b = strconv.AppendBool(o.b, yes)
}

// OptTrue adds true, and nothing for false.
func (o *Object) OptTrue(name string, yes bool) {
	if yes {
		o.Bool(name, true)
	}
}

// Some is List for the first elements of a long list, with a string after them that says how many there are more.
func Some[T any](b []byte, list []T, most int, each func([]byte, *T) []byte) []byte {
	if len(list) <= most {
		return List(b, list, each)
	}
	b = List(b, list[:most], each)
	b = append(b[:len(b)-1], `,"[`...)
	b = strconv.AppendInt(b, int64(len(list)-most), 10)
	return append(b, ` more]"]`...)
}

// List appends an array with what each appends for an element.
func List[T any](b []byte, list []T, each func([]byte, *T) []byte) []byte {
	b = append(b, '[')
	for i := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = each(b, &list[i])
	}
	return append(b, ']')
}

// Float appends a number, as short as it can be read back exactly. What is not a number, and infinity, become null.
func Float(b []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(b, "null"...)
	}
	abs := math.Abs(f)
	if abs == 0 || 1e-6 <= abs && abs < 1e21 {
		return strconv.AppendFloat(b, f, 'f', -1, 64)
	}
	b = strconv.AppendFloat(b, f, 'e', -1, 64)
	if n := len(b); b[n-4] == 'e' && b[n-2] == '0' { // e-09 is written e-9
		b = append(b[:n-2], b[n-1])
	}
	return b
}

// String appends a string. Bytes that are not UTF-8 become U+FFFD.
func String(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	from := 0 // s[from:i] needs no escapes
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		size := 1
		var escaped string
		switch {
		case c == '"' || c == '\\':
			b = append(append(b, s[from:i]...), '\\', c)
		case c == '\n':
			escaped = `\n`
		case c == '\r':
			escaped = `\r`
		case c == '\t':
			escaped = `\t`
		case c == '\b':
			escaped = `\b`
		case c == '\f':
			escaped = `\f`
		case c < ' ':
			b = append(append(b, s[from:i]...), '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			switch {
			case r == utf8.RuneError && size == 1:
				escaped = `\ufffd`
			case r == '\u2028': // a line's end to JavaScript
				escaped = `\u2028`
			case r == '\u2029':
				escaped = `\u2029`
			default:
				i += size
				continue
			}
		}
		if escaped != "" {
			b = append(append(b, s[from:i]...), escaped...)
		}
		i += size
		from = i
	}
	return append(append(b, s[from:]...), '"')
}
