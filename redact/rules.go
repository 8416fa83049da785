package redact

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

var slotKey = keyName{score: strong, password: true, kind: "password"}

// scheme hides the credentials of an Authorization header's value: Bearer x, Basic x, token x. It says whether the
// value has that form.
func (sc *scan) scheme(v value) bool {
	s := sc.s
	a := v.a
	b := a
	for b < len(s) && class[s[b]]&setWord != 0 {
		b++
	}
	kind := schemeKind(s[a:b])
	if kind == "" || b >= len(s) || s[b] != ' ' {
		return false
	}
	e := v.b
	if !v.quoted {
		e = sc.bareRun(b + 1)
	}
	t := sc.trim(value{a: b + 1, b: e})
	if t.a >= t.b || t.a < b {
		return true
	}
	if eq := strings.IndexByte(s[t.a:t.b], '='); eq > 0 && t.a+eq < t.b-2 && strings.IndexByte(s[t.a:t.b], ',') > 0 {
		return true // Digest and the like: fields with names of their own
	}
	if literal(s[t.a:t.b], keyName{score: strong, password: true, kind: kind}, slot) {
		sc.addValue(t.a, t.b, kind, byName)
	}
	return true
}

func schemeKind(word string) string {
	if len(word) < 3 || len(word) > 9 {
		return ""
	}
	switch {
	case strings.EqualFold(word, "bearer"):
		return "bearer"
	case strings.EqualFold(word, "basic"):
		return "basic-auth"
	case strings.EqualFold(word, "token"), strings.EqualFold(word, "bot"), strings.EqualFold(word, "apikey"), strings.EqualFold(word, "key"), word == "SSWS", strings.EqualFold(word, "negotiate"):
		return "token"
	case strings.EqualFold(word, "digest"):
		return "digest"
	}
	return ""
}

// cookies hides the values of a Cookie header that look random, whatever their names.
func (sc *scan) cookies(i, end int) {
	s := sc.s
	if q := strings.IndexAny(s[i:end], "\"'"); q >= 0 {
		if q <= 1 { // Cookie: "…"
			v, _ := sc.quotedAt(i + q)
			i, end = v.a, min(end, v.b)
		} else {
			end = i + q
		}
	}
	for i < end {
		e := end
		if n := strings.IndexByte(s[i:end], ';'); n >= 0 {
			e = i + n
		}
		if eq := strings.IndexByte(s[i:e], '='); eq > 0 {
			v := sc.trim(value{a: i + eq + 1, b: e})
			if hasAt(s, v.a, "s%3A") { // signed, as express does
				v.a += len("s%3A")
			}
			key := readKey(strings.TrimSpace(s[i : i+eq]))
			key.kind = "cookie"
			c := count(s[v.a:v.b])
			switch {
			case v.a == v.b || isReference(s[v.a:v.b]) || isPlaceholder(s[v.a:v.b]):
			case key.score != none && len(s[v.a:v.b]) >= 6 && c.spaces == 0 && c.digits > 0,
				v.b-v.a >= 20 && c.digits > 1 && c.lower+c.upper > 4 && c.spaces == 0:
				sc.addValue(v.a, v.b, "cookie", byName)
			}
		}
		i = e + 1
	}
}

// keyword enters the rules that hang on a word: authorization schemes, prose and SQL, commands.
func (sc *scan) keyword(a, b int) {
	s := sc.s
	for b < len(s) && class[s[b]]&setDots != 0 && b-a < 24 {
		b++ // redis-cli
	}
	if b >= len(s) || s[b] != ' ' && s[b] != '\t' {
		return
	}
	word := s[a:b]
	switch c := word[0] | 0x20; c {
	case 'b', 't', 'k':
		if k := schemeKind(word); k != "" && (c == 'b' && b-a > 3) {
			sc.bareScheme(b+1, k)
			return
		}
	}
	if word == "send" {
		sc.expectSend(b)
		return
	}
	if cmd := lookCommand(word); cmd != 0 {
		sc.runCommand(cmd, a, b)
		return
	}
	if b-a >= 3 && (b-a > 10 || strings.IndexByte("psctmika", word[0]|0x20) >= 0 || s[b-1] < 'a') {
		sc.prose(a, b)
	}
}

// expectSend: an expect script that answers a prompt for a password: expect "assword:"; send "x\r".
func (sc *scan) expectSend(i int) {
	s := sc.s
	if !strings.Contains(s[max(0, i-maxBack):i], "assword") {
		return
	}
	for i < len(s) && (s[i] == ' ' || s[i] == '-') {
		i++
	}
	v, ok := sc.quotedAt(i)
	if !ok {
		return
	}
	for _, end := range [...]string{`\r`, `\n`} {
		if t := strings.TrimSuffix(s[v.a:v.b], end); len(t) < v.b-v.a {
			sc.hide(v.a, v.a+len(strings.TrimRight(t, `\`)), "password")
			return
		}
	}
}

// bareScheme: Bearer or Basic outside a header.
func (sc *scan) bareScheme(i int, kind string) {
	e := sc.bareRun(i)
	if e-i < 12 {
		return
	}
	t := sc.s[i:e]
	c := count(t)
	if c.digits > 0 && c.lower+c.upper > 0 || strings.HasSuffix(t, "=") {
		if literal(t, slotKey, slot) {
			sc.addValue(i, e, kind, byName)
		}
	}
}

// prose: password is x, PASSWORD 'x', IDENTIFIED BY 'x', login bob password x, acme API key x.
func (sc *scan) prose(a, b int) {
	s := sc.s
	key, ok := sc.proseName(a, b)
	if !ok {
		return
	}
	i, linked := sc.afterLinks(b)
	if i >= len(s) {
		return
	}
	if v, ok := sc.quotedAt(i); ok {
		text := s[v.a:v.b]
		c := count(text)
		// A quoted word after PASSWORD is SQL; after a word like "secret" it may be its name.
		sure := c.digits > 0 || c.marks > 0 || isUpper(s[a:b])
		if c.spaces == 0 && sure && (key.password || c.digits > 0 && len(text) >= 12) && !strings.HasPrefix(text, ":") {
			sc.take(v, key, quoted)
		}
		return
	}
	v := value{a: i, b: sc.proseEnd(i)}
	text := s[v.a:v.b]
	if len(text) < 5 || isDigest(text) && !key.digest || text[0] == '-' || text[0] == '/' {
		return
	}
	c := count(text)
	mixed := c.digits > 0 && c.lower+c.upper > 0 && c.digits+c.lower+c.upper+c.marks+c.joins == len(text)
	if !mixed || strings.IndexByte(text, '=') > 0 && !strings.HasSuffix(text, "=") || !literal(text, key, line) {
		return
	}
	if key.password && (linked || c.marks > 0 || len(text) >= 6) || c.generated(text) {
		sc.addValue(v.a, v.b, key.kind, byPlace)
	}
}

// proseName scores the word at [a,b) as the name of what follows it, together with the word before: "public key" and
// "cache key" are none.
func (sc *scan) proseName(a, b int) (keyName, bool) {
	s := sc.s
	word := s[a:b]
	if strings.EqualFold(word, "identified") {
		return slotKey, true
	}
	key := readKey(word)
	noun := key.score == strong || inFold(proseNouns[:], word) && (isUpper(word) || word[0]|0x20 == 'k')
	if !noun {
		return keyName{}, false
	}
	if key.password {
		return key, true
	}
	k := a
	for k > 0 && a-k < maxKey/2 && (class[s[k-1]]&setWord != 0 || s[k-1] == ' ' && k == a) {
		k--
	}
	if k == a && key.score != strong {
		return keyName{}, false
	}
	key = readKey(s[k:b])
	if key.score == none && k < a && inFold(proseNouns[:], word) && isUpper(word) {
		key = keyName{score: weak, kind: "key"}
	}
	key.digest = true
	return key, key.score != none
}

// proseNouns name a secret of the service that the word before them names. Sorted.
var proseNouns = [...]string{"access", "key", "private"}

// afterLinks skips "is", "to" and the like.
func (sc *scan) afterLinks(i int) (_ int, linked bool) {
	s := sc.s
	for range 3 {
		for i < len(s) && s[i] == ' ' {
			i++
		}
		j := i
		for j < len(s) && class[s[j]]&setAlnum != 0 {
			j++
		}
		if !inFold(linkWords[:], s[i:j]) || j == len(s) || s[j] != ' ' && s[j] != ':' {
			break
		}
		linked = true
		i = j
		if s[i] == ':' {
			i++
		}
	}
	return i, linked
}

// joined: acme-token-0123456789abcdef, a secret behind a name in one word. [i,j) begins the value.
func (sc *scan) joined(i, j int) {
	s := sc.s
	if i < 5 || s[i-1] != '-' && s[i-1] != '.' {
		return
	}
	if c := count(s[i:j]); c.digits < 2 || c.lower+c.upper < 1 {
		return
	}
	k := i - 1
	for k > 0 && i-k < maxKey/2 && class[s[k-1]]&setDots != 0 {
		k--
	}
	key := readKey(s[k : i-1])
	if key.score == none || key.score == weak && key.kind != "key" {
		return
	}
	e := sc.runEnd(setDots, i)
	if t := s[i:e]; len(t) >= 20 && count(t).generated(t) && !isPlaceholder(t) {
		sc.addValue(i, e, key.kind, byName)
	}
}

// linkWords stand between "password" and the password. Sorted.
var linkWords = [...]string{"as", "by", "is", "to", "was"}

func (sc *scan) proseEnd(i int) int {
	s := sc.s
	j := i
	for j < len(s) && s[j] > ' ' && s[j] != '"' && s[j] != '\'' && s[j] != '`' && s[j] != '<' && s[j] != '\\' && j-i < maxLiteral {
		j++
	}
	for j > i && strings.IndexByte(".,;:)!?]}", s[j-1]) >= 0 && !(s[j-1] == '!' && j < len(s)) {
		j--
	}
	return j
}

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

// jwt: three (or two) base64 parts with dots between; the word at i begins with eyJ.
func (sc *scan) jwt(i int) {
	s := sc.s
	if !hasAt(s, i, "eyJ") {
		return
	}
	e := sc.runEnd(setDots, i)
	dots := strings.Count(s[i:min(e, i+1<<14)], ".")
	for e > i && s[e-1] == '.' {
		e--
	}
	if dots == 0 || e-i < 40 {
		return
	}
	sc.add(i, e, "jwt", byPrefix)
}

// telegram: s[i] is the colon of 123456789:AAxxxxxxxx.
func (sc *scan) telegram(i int) {
	s := sc.s
	a := i
	for a > 0 && s[a-1] >= '0' && s[a-1] <= '9' && i-a < 12 {
		a--
	}
	if i-a < 6 || a > 0 && class[s[a-1]]&setIdent != 0 && !hasAt(s, a-3, "bot") {
		return
	}
	b := sc.runEnd(setWord, i+1)
	if n := b - i - 1; n < 30 || n > 50 || !opaque(s[i+1:b]) {
		return
	}
	sc.add(a, b, "telegram", byPrefix)
}

// goDSN: user:password@tcp(host).
func (sc *scan) goDSN(i int) {
	s := sc.s
	if !hasAt(s, i, "@tcp(") && !hasAt(s, i, "@unix(") {
		return
	}
	k := i - 1
	for k >= 0 && k > i-maxBack && strings.IndexByte(" \"'`\n=:", s[k]) < 0 {
		k--
	}
	if k < 0 || s[k] != ':' {
		return
	}
	if literal(s[k+1:i], slotKey, slot) {
		sc.addValue(k+1, i, "dsn-password", byPlace)
	}
}

// pgpass: s[i] is the first colon of a line host:5432:database:user:password.
func (sc *scan) pgpass(i int) {
	s := sc.s
	if i+1 >= len(s) || s[i+1] != '*' && (s[i+1] < '0' || s[i+1] > '9') {
		return
	}
	a := i
	for a > 0 && (class[s[a-1]]&setDots != 0 || s[a-1] == '*') && i-a < maxKey {
		a--
	}
	if a > 0 && s[a-1] != '\n' && s[a-1] != '"' && s[a-1] != '\'' {
		return
	}
	e := min(sc.lineEnd(i), i+maxKey*4)
	at := i
	for n := range 3 { // port, database, user
		c := strings.IndexByte(s[at+1:e], ':')
		if c <= 0 || n == 0 && c > 5 || s[at+1] != '*' && !isUserName(s[at+1:at+1+c]) || n > 0 && count(s[at+1:at+1+c]).digits == c {
			return
		}
		at += 1 + c
	}
	b := at + 1
	for b < e && s[b] != '"' && s[b] != '\'' && s[b] != ' ' && s[b] != '\r' {
		b++
	}
	if b-at > 5 && strings.IndexByte(s[at+1:b], ':') < 0 {
		sc.hide(at+1, b, "password")
	}
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

// cryptHash: $6$salt$hash, $2b$10$…, $apr1$…, as in /etc/shadow and .htpasswd.
func (sc *scan) cryptHash(i int) {
	s := sc.s
	j := i + 1
	for j < len(s) && j < i+10 && class[s[j]]&setAlnum != 0 || j < len(s) && s[j] == '-' && j < i+10 {
		j++
	}
	if j == i+1 || j >= len(s) || s[j] != '$' {
		return
	}
	switch s[i+1 : j] {
	case "1", "5", "6", "2a", "2b", "2y", "apr1", "y", "gy", "7", "sha1", "argon2i", "argon2id", "argon2d", "pbkdf2", "scrypt", "P", "H", "md5":
	default:
		return
	}
	e := j
	for e < len(s) && (class[s[e]]&setBase64 != 0 || s[e] == '$' || s[e] == ',') && e-i < 512 {
		e++
	}
	if e-j < 20 || strings.IndexByte(s[j+1:e], '$') < 0 {
		return
	}
	for s[e-1] == '$' || s[e-1] == ',' || s[e-1] == '.' && e-j > 60 {
		e--
	}
	sc.add(i+1+strings.LastIndexByte(s[i+1:e], '$')+1, e, "password-hash", byPrefix)
}

// azureClient: s[i] is the ~ of an Entra client secret, abcQ~…
func (sc *scan) azureClient(i int) {
	s := sc.s
	if i < 5 || s[i-1] != 'Q' || s[i-2] < '0' || s[i-2] > '9' {
		return
	}
	a := i - 5
	if class[s[a]]&setBase64 == 0 || class[s[a+1]]&setBase64 == 0 || class[s[a+2]]&setBase64 == 0 {
		return
	}
	b := i + 1
	for b < len(s) && b < i+48 && (class[s[b]]&setDots != 0 || s[b] == '~') {
		b++
	}
	if n := b - i - 1; n < 28 || n > 38 {
		return
	}
	if s[a] == '=' || s[a] == '/' {
		a++
	}
	sc.add(a, b, "azure-client-secret", byPrefix)
}

// opaqueRun looks at a long word for shapes that need no prefix: Discord tokens, AWS secret keys, encoded credentials.
func (sc *scan) opaqueRun(a, b int) {
	s := sc.s
	n := b - a
	if n >= 23 && n <= 28 && b < len(s) && s[b] == '.' {
		sc.discord(a, b)
	}
	e := sc.runEnd(setBase64, a)
	if e-a >= 12 && (a == 0 || class[s[a-1]]&setBase64 == 0 || s[a-1] == '=' || s[a-1] == '/') {
		if e-a >= 40 && e-a <= 42 && (a == 0 || s[a-1] != '/') {
			sc.awsSecret(a, e)
		}
		sc.encoded(a, e)
		if sc.entropy {
			sc.random(a, e)
		}
	}
}

func (sc *scan) discord(a, b int) {
	s := sc.s
	m := b + 1
	for m < len(s) && class[s[m]]&setWord != 0 {
		m++
	}
	if n := m - b - 1; n < 5 || n > 8 || m >= len(s) || s[m] != '.' {
		return
	}
	e := sc.runEnd(setWord, m+1)
	if n := e - m - 1; n < 25 || n > 48 || !opaque(s[m+1:e]) {
		return
	}
	sc.add(a, e, "discord", byPrefix)
}

// awsSecret: forty bytes of base64 that mix all sorts as only a generator does.
func (sc *scan) awsSecret(a, e int) {
	s := sc.s
	for e > a && (s[e-1] == '=' || s[e-1] == '.') {
		e--
	}
	if e-a != 40 {
		return
	}
	t := s[a:e]
	c := count(t)
	if c.upper < 4 || c.lower < 4 || c.digits < 2 || c.changes < 15 || strings.ContainsAny(t, "_-.=%~") || isPlaceholder(t) {
		return
	}
	sc.add(a, e, "aws-secret", byPlace)
}

// random is the stage that Options.Entropy turns on.
func (sc *scan) random(a, e int) {
	t := sc.s[a:e]
	c := count(t)
	if len(t) < 24 || len(t) > 90 || c.upper < 3 || c.lower < 3 || c.digits < 3 || c.changes*3 < len(t) || isDigest(t) || isPlaceholder(t) {
		return
	}
	sc.add(a, e, "random", byPlace)
}

// encoded hides base64 whose text is a credential: user:password, or a text in which a rule finds a secret.
func (sc *scan) encoded(a, e int) {
	if sc.depth > 0 || e-a > 1<<15 {
		return
	}
	s := sc.s
	t := strings.TrimRight(s[a:e], "=.")
	c := count(t[:min(len(t), 64)])
	if len(t) < 12 || c.upper == 0 || c.lower == 0 || strings.ContainsAny(t, ".%~=") {
		return
	}
	enc := base64.RawStdEncoding
	if strings.ContainsAny(t, "-_") {
		enc = base64.RawURLEncoding
	}
	var head [24]byte
	if n, err := enc.Decode(head[:], []byte(t[:min(len(t), 32)/4*4])); err != nil || !printable(string(head[:n])) {
		return
	}
	text, err := enc.DecodeString(t)
	if err != nil || !printable(string(text)) {
		return
	}
	if !sc.holdsSecret(string(text)) {
		return
	}
	sc.add(a, a+len(t)+min(e-a-len(t), 2), "encoded", byPlace)
}

// holdsSecret looks at a decoded text.
func (sc *scan) holdsSecret(text string) bool {
	if user, pw, ok := strings.Cut(text, ":"); ok && isUserName(user) && pw != "" {
		if c := count(pw); c.spaces == 0 && (c.digits > 0 || c.marks > 0) && literal(pw, slotKey, slot) && !strings.HasPrefix(pw, "/") {
			return true
		}
	}
	if c := count(text); c.spaces == 0 && c.digits > 0 && c.marks > 0 && c.upper+c.lower >= 4 && len(text) <= 64 && !strings.ContainsAny(text, "{}()[]<>\"',;=") && literal(text, slotKey, slot) {
		return true
	}
	in := scan{s: text, depth: sc.depth + 1}
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
	if !utf8.ValidString(s) {
		// A cut through a rune is no reason to give up.
		if !utf8.ValidString(strings.TrimRight(s, "\x80\xff")) && utf8.RuneCountInString(s) < len(s)/2 {
			return false
		}
	}
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
	in := scan{s: string(buf[:n]), depth: sc.depth + 1}
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
