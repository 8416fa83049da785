//go:build ignore

// Gen turns facts.txt into prefixes.go: the prefixes sorted, an index by first byte, a table of byte classes, and which
// two bytes the commands of commands.go begin with. All of it is constant data, so that nothing has to be built when the
// program starts.
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

var sets = map[string]string{
	"a": "setAlnum", "w": "setWord", "d": "setDots", "b": "setBase64", "x": "setHex", "u": "setUpper", "l": "setLower",
}

func main() {
	log.SetFlags(0)
	facts, err := read("facts.txt")
	if err != nil {
		log.Fatal(err)
	}
	names, err := commands("commands.go")
	if err != nil {
		log.Fatal(err)
	}
	src, err := format.Source(render(facts, names))
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("prefixes.go", src, 0o644); err != nil {
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
		if sets[f.set] == "" {
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

// commands finds the names in the table of commands.
func commands(name string) (names []string, err error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	_, table, _ := strings.Cut(string(b), "var commands = ")
	table, _, _ = strings.Cut(table, "\n}\n")
	for _, part := range strings.Split(table, `{"`)[1:] {
		n, _, _ := strings.Cut(part, `"`)
		names = append(names, n)
	}
	return names, nil
}

func render(facts []fact, commands []string) []byte {
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
	b.WriteString("\n}\n\n// prefixes are sorted.\nvar prefixes = [...]prefix{\n")
	for _, f := range facts {
		kind, _ := slices.BinarySearch(kinds, f.kind)
		fmt.Fprintf(&b, "{%q, %d, %d, %d, %s, %t},\n", f.prefix, f.min, f.max, kind, sets[f.set], f.machine)
	}
	b.WriteString("}\n\n// prefixFrom[c] is the first of the prefixes that begin with c; those before prefixFrom[c+1] do too.\nvar prefixFrom = [129]uint16{\n")
	next := 0
	for c := range 129 {
		for next < len(facts) && int(facts[next].prefix[0]) < c {
			next++
		}
		fmt.Fprintf(&b, "%d,", next)
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
	b.WriteString("}\n\n// commandThen is the same for the commands.\nvar commandThen = [128]uint64{\n")
	then(&b, commands)
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
