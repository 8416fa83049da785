package redact

import "strings"

const maxParts = 16 // of a string that is put together

// split: s[i] is the + between two strings: 'ghp_' + 'abc'. Put together they may have the form of a secret that none of
// them has alone.
func (sc *scan) split(i int) {
	s := sc.s
	if sc.depth > 0 || i < sc.splitTo {
		return
	}
	l := i - 1
	for l > 0 && i-l < 40 && (s[l] == ' ' || s[l] == '\n' || s[l] == '\t') {
		l--
	}
	if l <= 0 || s[l] != '"' && s[l] != '\'' && s[l] != '`' {
		return
	}
	from := max(0, l-maxBack)
	open := strings.LastIndexByte(s[from:l], s[l])
	if open < 0 {
		return
	}
	var parts [maxParts]value
	parts[0] = value{a: from + open + 1, b: l}
	if s[l-1] == '\\' {
		parts[0].b--
	}
	n := 1
	for n < maxParts && i < len(s) && (s[i] == '+' || s[i] == '.') {
		v, ok := sc.quotedAt(sc.skip(i+1, " \n\t"))
		if !ok || v.b-v.a > maxLiteral {
			break
		}
		parts[n] = v
		n++
		i = sc.skip(v.end, " \n\t")
	}
	sc.splitTo = i
	var joined []byte
	for _, p := range parts[:n] {
		joined = append(joined, s[p.a:max(p.a, p.b)]...)
	}
	if n < 2 || len(joined) < 16 {
		return
	}
	in := scan{s: string(joined), rules: sc.rules, depth: sc.depth + 1}
	in.run()
	for _, sp := range in.spans {
		if sp.rank != byPrefix {
			continue
		}
		at := 0
		for _, p := range parts[:n] {
			a, b := max(sp.a, at), min(sp.b, at+p.b-p.a)
			if a < b {
				sc.add(p.a+a-at, p.a+b-at, sp.kind, byPrefix)
			}
			at += p.b - p.a
		}
	}
}
