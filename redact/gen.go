//go:build ignore

// Gen turns facts.txt into prefixes.go: the prefixes sorted, an index by first byte, a table of byte classes; and
// commands.txt into commandtable.go: names and rules as text, and which two bytes the names begin with. All of it is
// constant data, so that nothing has to be built when the program starts.
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"log"
	"os"
	"slices"
	"strings"
)

type fact struct {
	prefix, kind, set string
	min, max          int
	machine           bool
}

// setBits mirrors the constants beside prefix in prefix.go.
var setBits = map[string]byte{"a": 1, "w": 4, "d": 8, "b": 16, "x": 32, "u": 64, "l": 128}

func main() {
	log.SetFlags(0)
	facts, err := read("facts.txt")
	if err != nil {
		log.Fatal(err)
	}
	write("prefixes.go", render(facts))
	table, err := commands("commands.txt")
	if err != nil {
		log.Fatal(err)
	}
	write("commandtable.go", table)
}

func write(name string, text []byte) {
	src, err := format.Source(text)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(name, src, 0o644); err != nil {
		log.Fatal(err)
	}
}

func read(name string) ([]fact, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var facts []fact
	for n, line := range strings.Split(string(b), "\n") {
		if line == "" || line[0] == '#' || line[0] == '@' {
			continue
		}
		var f fact
		if _, err := fmt.Sscan(line, &f.prefix, &f.kind, &f.set, &f.min, &f.max); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n+1, err)
		}
		if setBits[f.set] == 0 {
			return nil, fmt.Errorf("%s:%d: unknown set %q", name, n+1, f.set)
		}
		f.kind, f.machine = strings.CutSuffix(f.kind, "?")
		facts = append(facts, f)
	}
	slices.SortFunc(facts, func(a, b fact) int { return strings.Compare(a.prefix, b.prefix) })
	for i := 1; i < len(facts); i++ {
		if facts[i].prefix == facts[i-1].prefix {
			return nil, fmt.Errorf("%s: %q stands twice", name, facts[i].prefix)
		}
	}
	return facts, nil
}

// hows mirrors the constants of shell.go.
var hows = []string{"whole", "attached", "userpass", "percent", "comma", "generated", "slashat", "spec", "cookie", "last", "named", "stdin", "early", "colonat", "after", "into", "substitute"}

// commands renders the table of commands.
func commands(name string) ([]byte, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var lines []string
	for _, line := range strings.Split(string(b), "\n") {
		if line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	slices.SortStableFunc(lines, func(a, b string) int { // strict classes stand last
		return strings.Compare(strict(a), strict(b))
	})
	if len(lines) > 127 {
		return nil, fmt.Errorf("%s: %d classes do not fit", name, len(lines))
	}
	var out bytes.Buffer
	var names, entries []string
	var rules strings.Builder
	from := []int{0}
	first := len(lines)
	out.WriteString("// Code generated from commands.txt by gen.go; DO NOT EDIT.\n\npackage redact\n\n// Classes of commands that code treats apart.\nconst (\n")
	for n, line := range lines {
		class := n + 1
		head, text, ok := strings.Cut(line, ": ")
		if !ok {
			head = strings.TrimSuffix(line, ":")
		}
		for _, word := range strings.Fields(head) {
			switch {
			case word == "!":
				first = min(first, n)
			case word[0] == '(':
				fmt.Fprintf(&out, "class%s = %d\n", strings.Trim(word, "()"), class)
			default:
				names = append(names, word)
				entries = append(entries, word+string([]byte{byte(0x80 + class)}))
			}
		}
		for _, rule := range strings.Split(text, ";") {
			if err := encode(&rules, strings.Fields(rule)); err != nil {
				return nil, fmt.Errorf("%s: %q: %w", name, line, err)
			}
		}
		from = append(from, rules.Len())
	}
	fmt.Fprintf(&out, "\n// Classes from here on count only where a command may stand.\nclassStrict = %d\n)\n\n", first+1)
	slices.SortFunc(entries, func(a, b string) int { return strings.Compare(a[:len(a)-1], b[:len(b)-1]) })
	fmt.Fprintf(&out, "// commandNames are sorted, each with its class and the high bit behind it.\nconst commandNames = %s\n\n", broken(entries))
	fmt.Fprintf(&out, "// commandRules are how, which argument, and two texts with their lengths before them: the word that must stand among the\n// arguments, and the flag.\nconst commandRules = %q\n\n", rules.String())
	out.WriteString("// rulesFrom[c-1] is where the rules of class c begin.\nvar rulesFrom = [...]uint16{\n")
	for i, n := range from {
		fmt.Fprintf(&out, "%d,", n)
		if i%16 == 15 {
			out.WriteString("\n")
		}
	}
	out.WriteString("}\n\n// commandThen[c] has bit d&63 set when some name begins with c and d.\nvar commandThen = [128]uint64{\n")
	then(&out, names)
	out.WriteString("}\n\n// commandFrom[c] is where the names that begin with c begin.\nvar commandFrom = [129]uint16{\n")
	at := 0
	for c := range 129 {
		for len(entries) > 0 && int(entries[0][0]) < c {
			at, entries = at+len(entries[0]), entries[1:]
		}
		fmt.Fprintf(&out, "%d,", at)
		if c%16 == 15 {
			out.WriteString("\n")
		}
	}
	out.WriteString("}\n")
	return out.Bytes(), nil
}

func strict(line string) string {
	if line[0] == '!' {
		return "!"
	}
	return ""
}

// broken is a constant of many texts, some on a line.
func broken(texts []string) string {
	var b strings.Builder
	b.WriteString(`""`)
	for part := range slices.Chunk(texts, 10) {
		fmt.Fprintf(&b, " +\n%q", strings.Join(part, ""))
	}
	return b.String()
}

// encode writes the rules that one part of a line stands for.
func encode(b *strings.Builder, words []string) error {
	if len(words) == 0 {
		return nil
	}
	how, nth, flag, subs := -1, 0, "", []string{""}
	for _, w := range words {
		switch k := slices.Index(hows, w); {
		case k >= 0 && how < 0:
			how = k
		case w[0] >= '0' && w[0] <= '9':
			nth = int(w[0] - '0')
		case how >= 0 || strings.IndexByte("-/", w[0]) >= 0:
			flag = w
		case w[0] == '=':
			flag = w[1:]
		default:
			subs = strings.Split(strings.TrimPrefix(w, "sub:"), "|")
		}
	}
	if how < 0 {
		return fmt.Errorf("no known how among %q", words)
	}
	for _, sub := range subs {
		b.Write([]byte{byte(how), byte(nth), byte(len(sub))})
		b.WriteString(sub)
		b.WriteByte(byte(len(flag)))
		b.WriteString(flag)
	}
	return nil
}

func render(facts []fact) []byte {
	var b bytes.Buffer
	b.WriteString("// Code generated from facts.txt by gen.go; DO NOT EDIT.\n\npackage redact\n\n")
	kinds := kindsOf(facts)
	b.WriteString("// kinds of the secrets that have a prefix, sorted.\nvar kinds = [...]string{\n")
	for i, k := range kinds {
		fmt.Fprintf(&b, "%q,", k)
		if i%8 == 7 {
			b.WriteString("\n")
		}
	}
	b.WriteString("\n}\n\n// prefixes are in the order of their first bytes, and backwards where that is the same: the longest of those that fit\n// stands first. Each has its length, its text, the least and the most bytes after it, its kind and its sets.\nconst prefixes = \"\"")
	var from []int
	size := 0
	for c := range 129 {
		from = append(from, size)
		for i := len(facts) - 1; i >= 0; i-- {
			if f := facts[i]; int(f.prefix[0]) == c {
				kind, _ := slices.BinarySearch(kinds, f.kind)
				entry := string([]byte{byte(len(f.prefix))}) + f.prefix + string([]byte{byte(f.min), byte(f.min >> 8), byte(f.max), byte(f.max >> 8), byte(kind), setBits[f.set], 0})
				if f.machine {
					entry = entry[:len(entry)-1] + "\x01"
				}
				fmt.Fprintf(&b, " +\n%q", entry)
				size += len(entry)
			}
		}
	}
	b.WriteString("\n\n// prefixFrom[c] is where the prefixes that begin with c stand; they go on to prefixFrom[c+1].\nvar prefixFrom = [129]uint16{\n")
	for c, n := range from {
		fmt.Fprintf(&b, "%d,", n)
		if c%16 == 15 {
			b.WriteString("\n")
		}
	}
	b.WriteString("}\n\n// prefixThen[c] has bit d&63 set when some prefix begins with c and d.\nvar prefixThen = [128]uint64{\n")
	var begins []string
	for _, f := range facts {
		begins = append(begins, f.prefix)
	}
	then(&b, begins)
	b.WriteString("}\n\n// class holds the sets each byte belongs to.\nvar class = [256]byte{\n")
	for c := range 256 {
		if s := classes(byte(c)); s != 0 {
			fmt.Fprintf(&b, "%q: %#02x,\n", rune(c), s)
		}
	}
	b.WriteString("}\n")
	return b.Bytes()
}

func kindsOf(facts []fact) (kinds []string) {
	for _, f := range facts {
		kinds = append(kinds, f.kind)
	}
	slices.Sort(kinds)
	if kinds = slices.Compact(kinds); len(kinds) > 256 {
		log.Fatalf("%d kinds do not fit into a byte", len(kinds))
	}
	return kinds
}

// then writes which second byte may follow which first.
func then(b *bytes.Buffer, texts []string) {
	var masks [128]uint64
	for _, t := range texts {
		masks[t[0]] |= 1 << (t[1] & 63)
	}
	for c, m := range masks {
		if m != 0 {
			fmt.Fprintf(b, "%q: %#x,\n", rune(c), m)
		}
	}
}

// classes mirrors the constants beside prefix in prefix.go.
func classes(c byte) int {
	digit, upper, lower := c >= '0' && c <= '9', c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z'
	alnum := digit || upper || lower
	in := func(s string) bool { return strings.IndexByte(s, c) >= 0 }
	bits := 0
	for i, ok := range []bool{
		alnum,
		alnum || c == '_',
		alnum || in("_-"),
		alnum || in("_-."),
		alnum || in("_-.+/=%~"),
		digit || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F',
		upper || digit,
		lower || digit,
	} {
		if ok {
			bits |= 1 << i
		}
	}
	return bits
}
