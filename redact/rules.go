package redact

import "strings"

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
	if kind == "token" && !v.quoted && count(s[t.a:t.b]).digits == 0 {
		return true // auth: token refreshed
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

// jar hides the cookies of a file that keeps them one a line, below i: domain, four fields, name, value.
func (sc *scan) jar(i int) {
	s := sc.s
	if i < sc.listTo {
		return
	}
	for i = sc.lineEnd(i) + 1; i < len(s); sc.listTo = i {
		e := sc.lineEnd(i)
		row := strings.TrimRight(s[i:e], "\r")
		if tab := strings.LastIndexByte(row, '\t'); strings.Count(row, "\t") == 6 {
			if v := row[tab+1:]; len(v) >= 12 && (machineMade(v) || scrambled(v)) && !isPlaceholder(v) {
				sc.addValue(i+tab+1, i+len(row), "cookie", byName)
			}
		} else if row != "" && row[0] != '#' {
			return
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
		if k := schemeKind(word); k != "" && (c == 'b' && b-a > 3) && (a == 0 || strings.IndexByte("/.-_@", s[a-1]) < 0) {
			sc.bareScheme(b+1, k)
			return
		}
	}
	switch word {
	case "send":
		sc.expectSend(b)
		return
	case "or":
		sc.orElse(a)
		return
	case "phrase", "mnemonic":
		sc.phrase(b)
		return
	case "codes":
		if c := strings.IndexByte(s[b:sc.lineEnd(b)], ':'); c >= 0 && hasAt(s, b+c+1, "\n") {
			sc.listedCodes(a, b+c+1)
		}
		return
	case "Private":
		if hasAt(s, b, " Keys\n") {
			sc.keysBelow(b + len(" Keys\n"))
		}
	case "Cookie":
		if hasAt(s, b, " File\n") {
			sc.jar(b)
		}
		return
	}
	if cmd := lookCommand(word); cmd != 0 {
		sc.runCommand(cmd, a, b)
		if word != "pass" || !hasAt(s, b, ` "`) {
			return
		}
	}
	if b-a >= 3 && (b-a > 10 || strings.IndexByte("psctmikawl", word[0]|0x20) >= 0 || s[b-1] < 'a' || b-a == 5 && word[2] == 's') {
		sc.prose(a, b)
	}
}

// bareScheme: Bearer or Basic outside a header.
func (sc *scan) bareScheme(i int, kind string) {
	e := sc.bareRun(i)
	if e-i < 12 {
		return
	}
	t := sc.s[i:e]
	if strings.IndexByte(strings.TrimRight(t, "="), '=') >= 0 {
		return // token_type=bearer expires_in=3600
	}
	c := count(t)
	if c.digits > 0 && c.lower+c.upper > 0 || c.upper > 0 && strings.HasSuffix(t, "=") {
		if literal(t, slotKey, slot) {
			sc.addValue(i, e, kind, byName)
		}
	}
}

// jwt: three (or two) base64 parts with dots between; the word at i begins with eyJ.
func (sc *scan) jwt(i int) {
	s := sc.s
	if !hasAt(s, i, "eyJ") {
		return
	}
	e := sc.runEnd(setDots, i)
	e = trimEnd(s, i, e, ".")
	if e-i < 40 || sc.noJWT == e {
		return
	}
	if strings.IndexByte(s[i:min(e, i+1<<14)], '.') < 0 {
		sc.noJWT = e
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
	if i-a < 6 {
		sc.firebase(i)
		return
	}
	if a > 0 && class[s[a-1]]&setIdent != 0 && !hasAt(s, a-3, "bot") {
		return
	}
	b := sc.runEnd(setWord, i+1)
	if n := b - i - 1; n < 30 || n > 50 || !opaque(s[i+1:b]) {
		return
	}
	sc.add(a, b, "telegram", byPrefix)
}

// firebase: s[i] is the colon of AAAAxxxxxxx:APA91bxxxx, a key to send messages with.
func (sc *scan) firebase(i int) {
	if i < 11 || !hasAt(sc.s, i-11, "AAAA") || !hasAt(sc.s, i+1, "APA91b") {
		return
	}
	if b := sc.runEnd(setWord, i+1); b-i > 100 {
		sc.add(i-11, b, "firebase", byPrefix)
	}
}

// appToken: s[i] is the | of 1234567890123456|xxxxxxxx, an app's number and its token.
func (sc *scan) appToken(i int) {
	s := sc.s
	a := i
	for a > 0 && s[a-1] >= '0' && s[a-1] <= '9' && i-a < 18 {
		a--
	}
	if i-a < 13 || a > 0 && class[s[a-1]]&setIdent != 0 {
		return
	}
	b := sc.runEnd(setWord, i+1)
	if n := b - i - 1; n >= 24 && n <= 50 && opaque(s[i+1:b]) {
		sc.add(a, b, "app-token", byPrefix)
	}
}

// suffixed: hex of an API key with a short suffix that says where it belongs: …-us14, …-0a1b2c3d-4e5f6071. [a,b) is
// the first part.
func (sc *scan) suffixed(a, b int) {
	s := sc.s
	e := sc.runEnd(setWord, a)
	switch t := s[b:e]; {
	case len(t) >= 4 && len(t) <= 5 && t[:3] == "-us" && isDigits(t[3:]):
		sc.add(a, e, "mailchimp", byPrefix)
	case len(t) == 18 && t[0] == '-' && t[9] == '-' && isHex(t[1:9]) && isHex(t[10:]):
		sc.add(a, e, "mailgun", byPrefix)
	}
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

// cryptHash: $6$salt$hash, $2b$10$…, $apr1$…, as in /etc/shadow and .htpasswd.
func (sc *scan) cryptHash(i int) {
	s := sc.s
	if hasAt(s, i-13, "SCRAM-SHA-256$") {
		e := sc.bareRun(i + 1)
		sc.add(i+1, e, "password-hash", byPrefix)
		return
	}
	j := i + 1
	for j < len(s) && j < i+10 && class[s[j]]&setAlnum != 0 || j < len(s) && s[j] == '-' && j < i+10 {
		j++
	}
	if j == i+1 || j >= len(s) || s[j] != '$' {
		return
	}
	switch s[i+1 : j] {
	case "1", "5", "6", "2a", "2b", "2y", "apr1", "y", "gy", "7", "8", "9", "sha1", "argon2i", "argon2id", "argon2d", "pbkdf2", "scrypt", "P", "H", "md5":
	default:
		return
	}
	e := j
	for e < len(s) && (class[s[e]]&setBase64 != 0 || s[e] == '$' || s[e] == ',') && e-i < 256 {
		e++
	}
	if s[i+1:j] == "9" && e-j >= 14 && strings.IndexByte(s[j+1:e], '$') < 0 && machineMade(s[j+1:e]) {
		sc.add(j+1, e, "password-hash", byPrefix) // as Juniper's routers keep it
		return
	}
	if e-j < 20 || strings.IndexByte(s[j+1:e], '$') < 0 || s[e-1] == '$' && tagAt(s, e) > 0 {
		return // the last: it was hidden before
	}
	for s[e-1] == '$' || s[e-1] == ',' || s[e-1] == '.' && e-j > 60 {
		e--
	}
	if e <= j+1 {
		return
	}
	a := j + 1 + strings.LastIndexByte(s[j+1:e], '$') + 1
	if a-j > 20 {
		if salt := j + 1 + strings.LastIndexByte(s[j+1:a-1], '$') + 1; strings.IndexByte(s[salt:a], '=') < 0 {
			a = salt
		}
	}
	sc.add(a, e, "password-hash", byPrefix)
}

// azureClient: s[i] is the ~ of an Entra client secret, abc8Q~…
func (sc *scan) azureClient(i int) {
	s := sc.s
	if i < 5 || s[i-1] < 'A' || s[i-1] > 'Z' || s[i-2] < '0' || s[i-2] > '9' {
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
	if n := b - i - 1; n < 28 || n > 38 || !opaque(s[i+1:b]) {
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
	if n == 84 && (hasAt(s, a+76, "AZDO") || strings.Contains(s[a:b], "JQQJ99")) {
		sc.add(a, b, "azure-key", byPrefix) // the signatures that Azure puts into its keys
		return
	}
	if n >= 23 && n <= 28 && b < len(s) && s[b] == '.' {
		sc.discord(a, b)
	}
	if n == 32 && b < len(s) && s[b] == '-' && isHex(s[a:b]) {
		sc.suffixed(a, b)
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
