package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// maxSettings is the largest settings file that is edited.
const maxSettings = 4 << 20

// node is a JSON value with its place in the text.
type node struct {
	from, to int
	kind     byte     // the first character: { [ " or another
	members  []member // of an object
	elems    []*node  // of an array
}

type member struct {
	name string
	from int // of the key's opening quote
	val  *node
}

// get is the value of a member, nil when it is not there. An agent takes the last of two members of one name and people
// see the first, so such text is not edited.
func (n *node) get(name string) (*node, error) {
	var found *node
	for _, m := range n.members {
		if m.name == name {
			if found != nil {
				return nil, fmt.Errorf("%q is there twice", name)
			}
			found = m.val
		}
	}
	return found, nil
}

// parse checks that text is one JSON object and finds the place of everything in it.
func parse(text string) (*node, error) {
	var any json.RawMessage
	if err := json.Unmarshal([]byte(text), &any); err != nil {
		return nil, notJSON(text, err)
	}
	p := parser{text: text}
	p.space()
	n := p.value()
	if n.kind != '{' {
		return nil, errors.New("not a JSON object")
	}
	return n, nil
}

// notJSON says where the text stops being JSON, and names the usual reason.
func notJSON(text string, err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return errors.New("not JSON")
	}
	at := min(max(int(syntax.Offset)-1, 0), len(text))
	line := 1 + strings.Count(text[:at], "\n")
	if at < len(text) && (text[at] == '/' || text[at] == '#') {
		return fmt.Errorf("line %d: a comment; plain JSON has none", line)
	}
	return fmt.Errorf("line %d: not JSON", line)
}

// parser walks text that is known to be JSON, at most 10,000 levels deep by encoding/json's limit.
type parser struct {
	text string
	at   int
}

func (p *parser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n,:", p.text[p.at]) >= 0 {
		p.at++
	}
}

func (p *parser) value() *node {
	n := &node{from: p.at, kind: p.text[p.at]}
	switch n.kind {
	case '{':
		p.at++
		for p.space(); p.text[p.at] != '}'; p.space() {
			m := member{from: p.at}
			m.name = p.str()
			p.space()
			m.val = p.value()
			n.members = append(n.members, m)
		}
		p.at++
	case '[':
		p.at++
		for p.space(); p.text[p.at] != ']'; p.space() {
			n.elems = append(n.elems, p.value())
		}
		p.at++
	case '"':
		p.str()
	default:
		for p.at < len(p.text) && strings.IndexByte(" \t\r\n,:]}", p.text[p.at]) < 0 {
			p.at++
		}
	}
	n.to = p.at
	return n
}

func (p *parser) str() string {
	from := p.at
	for p.at++; p.text[p.at] != '"'; p.at++ {
		if p.text[p.at] == '\\' {
			p.at++
		}
	}
	p.at++
	var s string
	// Known to be a JSON string.
	_ = json.Unmarshal([]byte(p.text[from:p.at]), &s)
	return s
}

// spans gives the places of a container's entries, keys included.
func (n *node) spans() [][2]int {
	var s [][2]int
	for _, m := range n.members {
		s = append(s, [2]int{m.from, m.val.to})
	}
	for _, e := range n.elems {
		s = append(s, [2]int{e.from, e.to})
	}
	return s
}

// style is how a text is laid out.
type style struct{ unit, newline string }

func styleOf(text string) style {
	s := style{unit: "  ", newline: "\n"}
	if strings.Contains(text, "\r\n") {
		s.newline = "\r\n"
	}
	// The first indented line that follows an opening brace shows the unit.
	if i := strings.IndexByte(text, '{'); i >= 0 {
		if rest := strings.TrimLeft(text[i+1:], "\r"); strings.HasPrefix(rest, "\n") {
			rest = strings.TrimLeft(rest, "\r\n")
			if unit := rest[:len(rest)-len(strings.TrimLeft(rest, " \t"))]; unit != "" {
				s.unit = unit
			}
		}
	}
	return s
}

// indentAt is the white space that begins the line of a place, and whether nothing else stands before the place.
func indentAt(text string, at int) (indent string, first bool) {
	line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	indent = line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	return indent, indent == line
}

// render writes a value for a place whose line is indented so; on one line where the surroundings are.
func (s style) render(v any, indent string, oneLine bool) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // these are shell commands; people read them
	if !oneLine {
		enc.SetIndent(indent, s.unit)
	}
	// Only our own plain structs come here.
	_ = enc.Encode(v)
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\n", s.newline)
}

// add puts one more entry at the end of an object (key given) or array, laid out as its neighbours are.
func (s style) add(text string, in *node, key string, v any) string {
	label := ""
	if key != "" {
		label = s.render(key, "", true) + ": "
	}
	if spans := in.spans(); len(spans) > 0 {
		last := spans[len(spans)-1]
		indent, ownLine := indentAt(text, last[0])
		between := "," + s.newline + indent
		if !ownLine {
			between = ", "
		}
		return text[:last[1]] + between + label + s.render(v, indent, !ownLine) + text[last[1]:]
	}
	outer, _ := indentAt(text, in.from)
	inner := outer + s.unit
	return text[:in.from+1] + s.newline + inner + label + s.render(v, inner, false) + s.newline + outer + text[in.to-1:]
}

// replace puts a value in place of another.
func (s style) replace(text string, n *node, v any) string {
	indent, _ := indentAt(text, n.from)
	oneLine := !strings.Contains(text[n.from:n.to], "\n")
	return text[:n.from] + s.render(v, indent, oneLine) + text[n.to:]
}

// remove takes entry i out of a container, with the comma and the white space that belong to it.
func remove(text string, in *node, i int) string {
	spans := in.spans()
	switch {
	case len(spans) == 1:
		return text[:in.from+1] + text[in.to-1:]
	case i > 0:
		return text[:spans[i-1][1]] + text[spans[i][1]:]
	default:
		return text[:spans[0][0]] + text[spans[1][0]:]
	}
}
