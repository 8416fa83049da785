package redact

import "strings"

// pem hides a private key from after its first line to its last, or to the end of the text. i is at -----BEGIN.
func (sc *scan) pem(i int) {
	s := sc.s
	head := i + len("-----BEGIN ")
	n := strings.Index(s[head:min(len(s), head+80)], "-----")
	if n < 0 {
		return
	}
	label := s[head : head+n]
	a := head + n + len("-----")
	b, closed := sc.pemEnd(a)
	switch {
	case strings.Contains(label, "PRIVATE KEY"), strings.Contains(label, "SECRET KEY"), strings.Contains(label, "Static key"):
		if q := strings.IndexAny(s[a:b], `"'`); !closed && q > 0 && opaqueBlock(s[a:a+q]) {
			b = a + q // cut short in a string
		}
	case strings.HasSuffix(label, "CERTIFICATE"), strings.HasSuffix(label, "PUBLIC KEY"):
		if closed && b-a < 1<<15 && opaqueBlock(s[a:b]) {
			sc.next = max(sc.next, b) // nothing secret in there, and much that looks so
		}
		return
	default:
		return
	}
	v := sc.trim(value{a: a, b: b})
	for hasAt(s, v.a, `\n`) || hasAt(s, v.a, `\r`) {
		v.a += 2
	}
	for v.b-2 > v.a && (hasAt(s, v.b-2, `\n`) || hasAt(s, v.b-2, `\r`)) {
		v.b -= 2
	}
	if c := count(s[v.a:min(v.b, v.a+256)]); c.digits+c.lower+c.upper >= 8 && s[v.a] != '<' && distinct(s[v.a:v.b]) > 3 {
		sc.add(v.a, v.b, "private-key", byPrefix)
	}
}

// pemEnd finds the END line after i; without one, the block goes to the end of the text.
func (sc *scan) pemEnd(i int) (end int, closed bool) {
	if r := sc.ends; i >= r.from && i <= r.to {
		return r.to, r.to < len(sc.s)
	}
	end = len(sc.s)
	if k := strings.Index(sc.s[i:], "-----END"); k >= 0 {
		end = i + k
	}
	sc.ends = run{i, end}
	return end, end < len(sc.s)
}

// opaqueBlock: base64, line ends and tags only.
func opaqueBlock(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == '[' {
			if n := tagAt(s, i); n > 0 {
				i += n - 1
				continue
			}
		}
		if class[s[i]]&setBase64 == 0 && s[i] != '\n' && s[i] != '\r' && s[i] != '\\' {
			return false
		}
	}
	return true
}

// putty: s[i] is the colon of Private-Lines in a PuTTY key; the key goes to Private-MAC, or to the end.
func (sc *scan) putty(i int) {
	s := sc.s
	a := sc.lineEnd(i)
	b := len(s)
	if k := strings.Index(s[a:], "Private-MAC"); k >= 0 {
		b = a + k
	}
	if v := sc.trim(value{a: a, b: b}); v.b-v.a >= 8 {
		sc.add(v.a, v.b, "private-key", byPrefix)
	}
}
