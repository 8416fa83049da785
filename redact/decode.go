package redact

import (
	"encoding/base64"
	"strings"
)

// random is the stage that Options.Entropy turns on.
func (sc *scan) random(a, e int) {
	s, t := sc.s, sc.s[a:e]
	if len(t) < 24 || len(t) > 90 {
		return
	}
	if a > 0 && class[s[a-1]]&setBase64 != 0 && s[a-1] != '=' || hasAt(s, a-3, "h1:") || hasAt(s, a-7, "SHA256:") || hasAt(s, a-7, "base64,") ||
		strings.HasPrefix(t, "AAAA") || isNumber(t) {
		return // part of a longer run, a checksum, a file, a public key, an address
	}
	c := count(t)
	if c.upper < 3 || c.lower < 3 || c.digits < 3 || c.changes*3 < len(t) || isDigest(t) || isPlaceholder(t) {
		return
	}
	sc.add(a, e, "random", byPlace)
}

// lone finds the secret in a text that is nothing else, as a token's own file is.
func lone(s string) []span {
	if len(s) > 128 && len(s) < 512 && s[0] == '[' {
		return byteList(strings.TrimRight(s, "\r\n"))
	}
	if len(s) > 260 {
		return nil
	}
	t := strings.TrimRight(s, " \r\n")
	if len(t) < 32 || len(t) > 256 || class[t[0]]&setAlnum == 0 {
		return nil
	}
	for i := range len(strings.TrimRight(t, "=")) {
		if class[t[i]]&setBase64 == 0 || t[i] == '=' {
			return nil
		}
	}
	if c := count(t); c.upper < 3 || c.lower < 3 || c.digits < 3 || c.changes*3 < len(t) || len(t) == 46 && t[:2] == "Qm" {
		return nil // a name, a checksum, an address in IPFS
	}
	if isDigest(t) || isUUID(t) || isPlaceholder(t) || !machineMade(t) {
		return nil
	}
	return []span{{0, len(t), "secret", byPlace}}
}

// encoded hides base64 whose text is a credential: user:password, or a text in which a rule finds a secret.
func (sc *scan) encoded(a, e int) {
	if sc.depth > 0 || e-a > 1<<15 {
		return
	}
	s := sc.s
	t := strings.TrimRight(s[a:e], "=.")
	if sc.hexText(a, a+len(t)) {
		return
	}
	c := count(t[:min(len(t), 64)])
	if len(t) < 12 || c.upper == 0 || c.lower == 0 {
		return
	}
	var buf [24]byte
	head := t[:min(len(t), 32)/4*4]
	if n, err := alphabet(head).Decode(buf[:], []byte(head)); err != nil || !printable(string(buf[:n])) {
		return
	}
	if sc.triesTo != e {
		sc.triesTo, sc.tries = e, 0
	}
	if sc.tries++; sc.tries > 8 {
		return // a run of many parts, each of which could begin it
	}
	text, err := alphabet(t).DecodeString(t)
	if err != nil || !printable(string(text)) {
		return
	}
	if !sc.holdsSecret(string(text)) {
		return
	}
	sc.add(a, a+len(t)+min(e-a-len(t), 2), "encoded", byPlace)
}

// hexText hides hex whose text is a credential, as encoded does base64.
func (sc *scan) hexText(a, e int) bool {
	t := sc.s[a:e]
	if len(t) < 24 || len(t) > 1024 || len(t)%2 != 0 || !isHex(t[:8]) || unescape(t[:2])-' ' >= 0x5f || unescape(t[2:4])-' ' >= 0x5f || !isHex(t) {
		return false
	}
	var buf [512]byte
	for i := range len(t) / 2 {
		buf[i] = unescape(t[2*i : 2*i+2])
	}
	if text := string(buf[:len(t)/2]); !printable(text) || !sc.holdsSecret(text) {
		return false
	}
	sc.add(a, e, "encoded", byPlace)
	return true
}

// alphabet is the one that t is written in.
func alphabet(t string) *base64.Encoding {
	if strings.ContainsAny(t, "-_") {
		return base64.RawURLEncoding
	}
	return base64.RawStdEncoding
}

// holdsSecret looks at a decoded text.
func (sc *scan) holdsSecret(text string) bool {
	if user, pw, ok := strings.Cut(text, ":"); ok && isUserName(user) && !isDigits(user) && pw != "" {
		if c := count(pw); c.spaces == 0 && (c.digits > 0 || c.marks > 0) && literal(pw, slotKey, slot) && !strings.HasPrefix(pw, "/") {
			return true
		}
	}
	if c := count(text); c.spaces == 0 && c.digits > 0 && c.marks > 0 && c.upper+c.lower >= 4 && len(text) <= 64 && !strings.ContainsAny(text, "{}()[]<>\"',;=") && literal(text, slotKey, slot) {
		return true
	}
	in := scan{s: text, rules: sc.rules, depth: sc.depth + 1}
	in.run()
	return len(in.spans) > 0
}

func isUserName(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for i := range len(s) {
		if class[s[i]]&setDots == 0 && s[i] != '@' && s[i] != '\\' && s[i] != '+' {
			return false
		}
	}
	return true
}

func printable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' && s[i] != '\n' && s[i] != '\t' && s[i] != '\r' || s[i] >= 0x7f {
			return false
		}
	}
	return s != ""
}

// escaped looks at text written in escapes (%41, \x41, \u0041) that stands at i, once decoded.
func (sc *scan) escaped(i int) {
	s := sc.s
	if sc.depth > 0 || i < sc.decoded || escapeLen(s, i) == 0 {
		return
	}
	a := i
	for a > 0 && i-a < 512 && s[a-1] > ' ' && strings.IndexByte("\"'`<>", s[a-1]) < 0 {
		a--
	}
	var buf [1024]byte
	var at [1025]uint16
	n, b := 0, a
	for b < len(s) && n < len(buf) && s[b] > ' ' && strings.IndexByte("\"'`<>", s[b]) < 0 {
		at[n] = uint16(b - a)
		if k := escapeLen(s, b); k > 0 {
			buf[n] = unescape(s[b+k-2 : b+k])
			b += k
		} else {
			buf[n] = s[b]
			b++
		}
		n++
	}
	at[n] = uint16(b - a)
	in := scan{s: string(buf[:n]), rules: sc.rules, depth: sc.depth + 1}
	in.run()
	for _, sp := range in.spans {
		sc.spans = append(sc.spans, span{a + int(at[sp.a]), a + int(at[sp.b]), sp.kind, sp.rank})
	}
	sc.decoded = b
}

// escapeLen is the length of the escape of one ASCII byte at i; its last two bytes are hex digits.
func escapeLen(s string, i int) int {
	n := 0
	switch {
	case s[i] == '%':
		n = 3
	case s[i] == '\\' && i+1 < len(s) && s[i+1] == 'x':
		n = 4
	case s[i] == '\\' && hasAt(s, i+1, "u00"):
		n = 6
	default:
		return 0
	}
	if i+n > len(s) || class[s[i+n-2]]&setHex == 0 || class[s[i+n-1]]&setHex == 0 || s[i+n-2] >= '8' {
		return 0
	}
	return n
}

func unescape(hex string) byte { return nibble(hex[0])<<4 | nibble(hex[1]) }

func nibble(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c&^0x20 - 'A' + 10
}
