package shell

import "strings"

// fishText writes a line of fish as a line of bash that runs the same programs: blocks become blocks, (…) becomes $(…),
// set becomes an assignment. Conditions lose their meaning; whatever may run is read anyway.
func fishText(s string) string {
	f := fish{s: s, start: true}
	for f.i < len(s) {
		f.next()
	}
	f.flush()
	return f.out.String()
}

// fish is a line on its way.
type fish struct {
	s       string
	i       int
	out     strings.Builder
	start   bool     // a command may begin here
	blocks  []string // what end stands for, innermost last
	pending string   // what the end of the statement adds
	loop    bool     // the list of a for is being read
}

// next takes one piece of the line.
func (f *fish) next() {
	c := f.s[f.i]
	switch {
	case c == '\'':
		f.single()
	case c == '"':
		f.double()
	case c == '\\' && f.i+1 < len(f.s):
		f.out.WriteString(f.s[f.i : f.i+2])
		f.i += 2
		f.start = false
	case c == '#' && (f.i == 0 || strings.IndexByte(" \t\n;", f.s[f.i-1]) >= 0):
		for f.i < len(f.s) && f.s[f.i] != '\n' {
			f.i++
		}
	case c == '(':
		if f.i == 0 || f.s[f.i-1] != '$' {
			f.out.WriteByte('$')
		}
		f.write(c, true)
	case strings.IndexByte("\n;|&)", c) >= 0:
		if f.redirects() {
			f.write(c, false)
			return
		}
		f.flush()
		f.write(c, c != ')')
		if f.loop && c != '|' && c != ')' {
			f.out.WriteString(" do ")
			f.loop = false
		}
	case c == ' ' || c == '\t':
		f.write(c, f.start)
	case c == '`':
		f.out.WriteByte('\\')
		f.write(c, false)
	case c == '$':
		f.variable()
	case f.start && nameByte(c):
		f.keyword()
	default:
		f.write(c, false)
	}
}

func (f *fish) write(c byte, start bool) {
	f.out.WriteByte(c)
	f.i++
	f.start = start
}

// redirects says that the & here belongs to >& or &>.
func (f *fish) redirects() bool {
	return f.s[f.i] == '&' && (f.i > 0 && f.s[f.i-1] == '>' || f.i+1 < len(f.s) && f.s[f.i+1] == '>')
}

func (f *fish) flush() {
	f.out.WriteString(f.pending)
	f.pending = ""
}

// single writes a string in single quotes, in which fish knows \' and \\.
func (f *fish) single() {
	var text []byte
	for f.i++; f.i < len(f.s) && f.s[f.i] != '\''; f.i++ {
		if f.s[f.i] == '\\' && f.i+1 < len(f.s) && (f.s[f.i+1] == '\'' || f.s[f.i+1] == '\\') {
			f.i++
		}
		text = append(text, f.s[f.i])
	}
	f.i++
	f.out.WriteString(quoteAll([]Word{literal(string(text))}))
	f.start = false
}

// double copies a string in double quotes, in which a backtick is plain.
func (f *fish) double() {
	f.write('"', false)
	for f.i < len(f.s) && f.s[f.i] != '"' {
		switch c := f.s[f.i]; {
		case c == '\\' && f.i+1 < len(f.s):
			f.write(c, false)
		case c == '`':
			f.out.WriteByte('\\')
		}
		f.write(f.s[f.i], false)
	}
	if f.i < len(f.s) {
		f.write('"', false)
	}
}

// variable writes $x as all elements of x; an index is left out.
func (f *fish) variable() {
	name := word(f.s[f.i+1:])
	f.start = false
	if name == "" {
		f.write('$', false)
		return
	}
	f.out.WriteString("${" + name + "[@]}")
	f.i += 1 + len(name)
	if f.i < len(f.s) && f.s[f.i] == '[' {
		if n := strings.IndexByte(f.s[f.i:], ']'); n >= 0 {
			f.i += n + 1
		}
	}
}

// word is the name that a text begins with.
func word(s string) string {
	n := 0
	for n < len(s) && nameByte(s[n]) {
		n++
	}
	return s[:n]
}

// keyword handles the word that a command begins with.
func (f *fish) keyword() {
	w := word(f.s[f.i:])
	rest := f.s[f.i+len(w):]
	f.i += len(w)
	if rest != "" && strings.IndexByte(" \t\n;|&)", rest[0]) < 0 {
		f.start = false
		f.out.WriteString(w)
		return
	}
	switch w {
	case "if", "while", "begin":
		f.block("{ ")
	case "switch":
		f.block("{ : ")
		f.start = false
	case "for":
		f.blocks, f.loop = append(f.blocks, "done"), true
		f.out.WriteString(w)
		f.start = false
	case "function":
		name, options := f.operand(), f.i
		for f.i < len(f.s) && f.s[f.i] != ';' && f.s[f.i] != '\n' {
			f.i++
		}
		f.block(name + "() { : " + strings.ReplaceAll(f.s[options:f.i], "(", "") + "; ")
	case "else":
		if after := strings.TrimLeft(rest, " \t"); word(after) == "if" {
			f.i = len(f.s) - len(after) + len("if")
			return
		}
		f.out.WriteByte(':')
		f.start = false
	case "case":
		f.out.WriteByte(':')
		f.start = false
	case "and", "or", "not":
	case "end":
		end := ":"
		if n := len(f.blocks); n > 0 {
			end, f.blocks = f.blocks[n-1], f.blocks[:n-1]
		}
		f.out.WriteString(end)
		f.start = false
	case "set":
		f.set()
	default:
		f.out.WriteString(w)
		f.start = false
	}
}

// block opens a block; the separator behind its first word is left out.
func (f *fish) block(text string) {
	f.out.WriteString(text)
	f.blocks = append(f.blocks, "}")
	for f.i < len(f.s) && strings.IndexByte(" \t\n;", f.s[f.i]) >= 0 {
		f.i++
	}
}

// operand takes the next plain word of the statement.
func (f *fish) operand() string {
	for f.i < len(f.s) && (f.s[f.i] == ' ' || f.s[f.i] == '\t') {
		f.i++
	}
	from := f.i
	for f.i < len(f.s) && strings.IndexByte(" \t\n;|&)(", f.s[f.i]) < 0 {
		f.i++
	}
	return f.s[from:f.i]
}

// set writes fish's set as an assignment.
func (f *fish) set() {
	var erase, export, query bool
	name := f.operand()
	for ; strings.HasPrefix(name, "-"); name = f.operand() {
		short := !strings.HasPrefix(name, "--")
		erase = erase || name == "--erase" || short && strings.Contains(name, "e")
		export = export || name == "--export" || short && strings.Contains(name, "x")
		query = query || name == "--query" || short && strings.Contains(name, "q")
	}
	f.start = false
	switch {
	case query || name == "" || word(name) != name:
		f.out.WriteString(": ")
		return
	case erase:
		f.out.WriteString("unset " + name)
		return
	case export:
		f.out.WriteString("export ")
	}
	f.out.WriteString(name + "=")
	values := strings.TrimLeft(f.s[f.i:], " \t")
	f.i = len(f.s) - len(values)
	if !oneWord(values) {
		f.out.WriteByte('(')
		f.pending = ")"
	}
}

// oneWord says that a statement holds a single word, which no substitution can make more of.
func oneWord(s string) bool {
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(':
			return false
		case c == ' ' || c == '\t':
			rest := strings.TrimLeft(s[i:], " \t")
			return rest == "" || strings.IndexByte("\n;|&)", rest[0]) >= 0
		case strings.IndexByte("\n;|&)", c) >= 0:
			return true
		}
	}
	return true
}
