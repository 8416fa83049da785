package redact

import "strings"

//go:generate go run gen.go

// Sets of bytes, bits of class.
const (
	setAlnum  = 1 << iota // letters and digits
	setIdent              // also _
	setWord               // also -
	setDots               // also .
	setBase64             // also + / = % ~
	setHex
	setUpper // upper case and digits
	setLower // lower case and digits
)

// prefix is what a provider puts in front of its secrets, and the form of what follows.
type prefix struct {
	text     string
	min, max int   // bytes after text; max 0: no limit
	kind     uint8 // an index of kinds
	set      byte
	machine  bool // the prefix is short and common: the rest must surely be made by a machine
}

const prefixTail = 7 // bytes of an entry of the table behind the prefix

// readPrefix reads an entry of the table.
func readPrefix(t string) prefix {
	n := 1 + int(t[0])
	m := t[n : n+prefixTail]
	return prefix{t[1:n], int(m[0]) | int(m[1])<<8, int(m[2]) | int(m[3])<<8, m[4], m[5], m[6] != 0}
}

// prefixAt finds the secret with a known prefix that begins at i; it ends before end. An empty kind: none.
func (sc *scan) prefixAt(i int) (end int, kind string) {
	s := sc.s
	if i+1 >= len(s) || s[i] >= 128 || prefixThen[s[i]]&(1<<(s[i+1]&63)) == 0 {
		return 0, ""
	}
	second := s[i+1]
	for k, end := int(prefixFrom[s[i]]), int(prefixFrom[s[i]+1]); k < end; {
		at := k
		n := int(prefixes[k])
		k += n + prefixTail + 1
		if c := prefixes[at+2]; c != second {
			if c < second {
				break
			}
			continue
		}
		if !hasAt(s, i, prefixes[at+1:at+1+n]) {
			continue
		}
		p := readPrefix(prefixes[at:k])
		a := i + len(p.text)
		b := sc.runEnd(p.set, a)
		if p.set == setDots || p.set == setBase64 {
			b = trimEnd(s, a, b, "./%") // of a sentence or a path, not of the secret
		}
		if b < len(s) && s[b] == '+' && p.set != setHex && class[s[b]]&p.set == 0 {
			if e := sc.runEnd(setBase64, a); e-b > 16 {
				b = e // base64 after all
			}
		}
		n = b - a
		if n < p.min || p.max > 0 && n > p.max {
			continue
		}
		if t := headOf(s[a:b]); !opaque(t) || p.machine && !machineMade(t) {
			continue
		}
		return b, kinds[p.kind]
	}
	return 0, ""
}

// hasAt is strings.HasPrefix(s[i:], p), and false when i lies outside s.
func hasAt(s string, i int, p string) bool { return i >= 0 && len(s)-i >= len(p) && s[i:i+len(p)] == p }

// headOf is as much of a run of bytes as tells what it is: a text may hold many places where a run to the same end begins.
func headOf(run string) string { return run[:min(len(run), 512)] }

// trimEnd is the end of s[a:b] without the last bytes that are in a set.
func trimEnd(s string, a, b int, set string) int {
	for low := max(a, b-maxLiteral); b > low && strings.IndexByte(set, s[b-1]) >= 0; {
		b--
	}
	return b
}

// opaque says that the text after a prefix looks made by a machine: not a word, not a placeholder.
func opaque(s string) bool {
	head := s[:min(len(s), 64)]
	var seen [4]uint64
	digits, lower, upper, distinct, seps := 0, 0, 0, 0, 0
	for i := range len(head) {
		c := head[i]
		if bit := uint64(1) << (c & 63); seen[c>>6]&bit == 0 {
			seen[c>>6] |= bit
			distinct++
		}
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'a' && c <= 'z':
			lower++
		case c >= 'A' && c <= 'Z':
			upper++
		default:
			seps++
		}
	}
	switch {
	case distinct < 4 || distinct < 6 && len(s) >= 16 && digits == 0:
		return false
	case isPlaceholder(s):
		return false
	case digits > 0:
		if digits > 2 || len(s) < 16 {
			return true
		}
		pairs, rare := rarePairs(head)
		return rare*5 >= pairs
	case seps == 0 && len(s) >= 14 && count(head).changes*2 >= len(head):
		return true
	default:
		pairs, rare := rarePairs(head)
		return (len(s) >= 20 && lower > 1 && upper > 1 && seps*8 < len(head) || len(s) >= 30 && seps == 0) && rare*4 >= pairs
	}
}
