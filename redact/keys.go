package redact

import "strings"

// Keys that stand among others of their form: members of a JSON Web Key, the accounts of a chain, the seed of an
// authenticator.

const maxJWK = 4 << 10 // bytes on each side of "kty" that belong to a key

// jwk hides the private members of the JSON Web Key in which the word kty stands at i.
func (sc *scan) jwk(i int) {
	s := sc.s
	if i < sc.jwkTo {
		return
	}
	low := max(sc.jwkTo, i-maxJWK/4)
	a := low + max(0, strings.LastIndexByte(s[low:i], '{'))
	e := min(len(s), i+maxJWK)
	if k := strings.IndexByte(s[i:e], '}'); k >= 0 {
		e = i + k
	}
	for a < e {
		n, ok := sc.quotedAt(a)
		if !ok {
			a++
			continue
		}
		a = n.end
		colon := sc.skip(a, " \t\n")
		if !hasAt(s, colon, ":") {
			continue
		}
		v, ok := sc.quotedAt(sc.skip(colon+1, " \t\n"))
		if !ok {
			continue
		}
		if a = v.end; jwkMember(s[n.a:n.b]) && v.b-v.a >= minJWK {
			sc.spans = append(sc.spans, span{v.a, v.b, "private-key", byName})
		}
	}
	sc.jwkTo = max(e, a)
}

const minJWK = 20 // bytes of a private member

// jwkMember says that a JSON Web Key keeps something private under a name.
func jwkMember(name string) bool {
	switch name {
	case "d", "k", "p", "q", "dp", "dq", "qi":
		return true
	}
	return false
}

// hexKey is the end of 64 hex digits at i, the key of an account; 0: none.
func (sc *scan) hexKey(i int) int {
	if hasAt(sc.s, i, "0x") {
		i += 2
	}
	if e := sc.runEnd(setAlnum, min(i, len(sc.s))); e-i == 64 && isHex(sc.s[i:e]) {
		return e
	}
	return 0
}

// accountKeys hides the keys in the list that begins at i: accounts: ["0x4f…"].
func (sc *scan) accountKeys(i int) {
	for range maxKeys {
		i = sc.skip(i, " \t\n,[\"'`")
		e := sc.hexKey(i)
		if e == 0 {
			return
		}
		sc.add(e-64, e, "private-key", byName)
		i = e
	}
}

// keysBelow hides the keys that end the lines below i.
func (sc *scan) keysBelow(i int) {
	s := sc.s
	for n := 0; n < maxKeys && i < len(s); n++ {
		e := sc.lineEnd(i)
		line := strings.TrimRight(s[i:e], " \r")
		end := sc.hexKey(i + 1 + strings.LastIndexByte(line, ' '))
		if end != 0 {
			sc.spans = append(sc.spans, span{end - 64, end, "private-key", byName})
		} else if strings.Trim(line, "=- ") != "" {
			return
		}
		i = e + 1
	}
}

const maxKeys = 24 // of a list that are looked at

// seed hides the seed of an authenticator in groups of four, as pages show it for typing by hand; the first stands at i.
func (sc *scan) seed(i int) {
	s := sc.s
	lower := s[i] >= 'a'
	groups, mixed, beyondHex := 0, 0, false
	e := i
	for j := i; ; j++ {
		k, digits := j, 0
		for k < len(s) && k < j+4 && s[k]|0x20 >= 'a' && s[k]|0x20 <= 'z' && (s[k] >= 'a') == lower || k < len(s) && k < j+4 && s[k] >= '2' && s[k] <= '7' {
			if s[k] <= '7' {
				digits++
			} else if s[k]|0x20 > 'f' {
				beyondHex = true
			}
			k++
		}
		if k-j != 4 || k < len(s) && class[s[k]]&setAlnum != 0 {
			break
		}
		if groups++; digits > 0 && digits < 4 {
			mixed++
		}
		if e = k; e == len(s) || s[e] != ' ' {
			break
		}
		j = k
	}
	if groups < 4 {
		return
	}
	sc.seedTo = e
	pairs, rare := rarePairs(s[i:e])
	if beyondHex && (mixed > 1 || groups >= 8 && rare*2 >= pairs) {
		sc.add(i, e, "otp", byPlace)
	}
}

// byteList hides the bytes of a key that a text is nothing but: [12,240,…], 64 of them.
func byteList(s string) []span {
	n, digits := 1, 0
	for i := 1; i < len(s)-1; i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c == ',':
			n++
		case c != ' ' && c != '\n':
			return nil
		}
	}
	if n != 64 || digits < 64 || s[len(s)-1] != ']' {
		return nil
	}
	return []span{{1, len(s) - 1, "private-key", byPlace}}
}
