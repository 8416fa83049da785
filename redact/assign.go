package redact

import "strings"

const (
	maxBack    = 160     // bytes looked back for a name
	maxQuoted  = 1 << 20 // bytes looked ahead for a closing quote
	maxEscapes = 8       // backslashes before a quote inside strings inside strings
)

// value is what stands on the right of a name.
type value struct {
	a, b   int
	quoted bool
	end    int // after the closing quote
}

// assign: s[i] is = or : ; the name stands before it, the value behind.
func (sc *scan) assign(i int) {
	s := sc.s
	if i == 0 {
		return
	}
	n, ok := sc.nameBefore(i)
	if !ok {
		if s[i] == ':' {
			sc.telegram(i)
		}
		return
	}
	if s[i] == ':' && !n.quoted && sc.inPath(n, i) {
		return
	}
	key := sc.keyOf(n, i)
	j := i + 1
	for j < len(s) && j < i+3 && (s[j] == '=' || s[j] == '>' || s[j] == '~') {
		j++ // ==, =>, :=, ===
	}
	if key.score == none {
		sc.special(n, i, j)
		return
	}
	if s[i] == ':' && n.a > 0 && s[n.a-1] == ':' && sc.inARN(n.a) {
		return // …:secret:NAME
	}
	if key.kind == "cookie" {
		if i >= sc.cookieTo {
			sc.cookieTo = sc.lineEnd(j)
			sc.cookies(j, sc.cookieTo)
		}
		return
	}
	switch {
	case key.kind == backupCode:
		sc.spareCodes(j)
		return
	case s[i] == ':' && s[n.a:n.b] == "chpasswd":
		sc.accounts(j)
		return
	}
	if n.a > 1 && hasAt(s, n.a-2, "**") && hasAt(s, j, "**") {
		j += 2 // **Password:** x
	}
	v, ok := sc.valueAt(j, n)
	if !ok {
		return
	}
	if key.kind == "auth" && (sc.scheme(v) || sc.userAndPassword(v)) {
		return
	}
	at := sc.placeOf(n, i, v)
	if !v.quoted {
		v.b = sc.bareEnd(v, n, i, at)
	}
	if key.kind == "mnemonic" && !v.quoted {
		v.b = min(sc.lineEnd(v.a), v.a+maxBack*2)
		v = sc.trim(v)
	}
	if n.a > 0 && s[n.a-1] == '/' && !v.quoted { // sed 's/NAME=.*/NAME=x/'
		if k := strings.LastIndexByte(s[v.a:v.b], '/'); k > 0 && k >= v.b-v.a-3 {
			v.b = v.a + k
		}
	}
	if bundlerHost(s[n.a:n.b]) {
		at = slot
	}
	if v.a < v.b && sc.otherSense(n, v) {
		return
	}
	if v.a >= v.b || !sc.take(v, key, at) {
		sc.fallback(v, key)
		sc.secondWord(v, key, at)
	}
}

// inPath: the colon at i parts a path of names (token::new, test_token.py::test_new) or stands before the line of a file,
// token.go:12:3.
func (sc *scan) inPath(n name, i int) bool {
	s := sc.s
	if hasAt(s, i, "::") {
		return true
	}
	j := i + 1
	for j < len(s) && j < i+8 && s[j] >= '0' && s[j] <= '9' {
		j++
	}
	return j > i+1 && hasAt(s, j, ":") && strings.IndexByte(s[n.a:n.b], '.') > 0
}

// inARN says that i lies in the name that a cloud gives a resource.
func (sc *scan) inARN(i int) bool {
	k := i
	for k > 0 && i-k < maxBack && sc.s[k-1] > ' ' && strings.IndexByte("\"'=", sc.s[k-1]) < 0 {
		k--
	}
	return hasAt(sc.s, k, "arn:")
}

// otherSense: the name means something else than a secret here, or the value is the name again.
func (sc *scan) otherSense(n name, v value) bool {
	s := sc.s
	text, name := s[v.a:v.b], s[n.a:n.b]
	switch {
	case !v.quoted && len(text) >= 5 && strings.HasSuffix(name, text):
		return true // self.token = token
	case v.quoted:
		closing := !n.quoted && n.a > 0 && s[n.a-1] == s[v.a-1] && s[n.b] == '=' && v.a == n.b+2 // "PWD=" + dir
		return closing || !n.quoted && sc.closesString(n, v) || len(name) >= 10 && strings.HasPrefix(text, name)
	case name == "PASS":
		return hasAt(s, n.a-4, "--- ") // a test's name
	case name == "PWD", strings.EqualFold(name, "pass") && (s[n.b] == ':' || s[n.b] == ' '): // the working folder; the second pass: …
		return count(text).digits == 0 && !scrambled(text)
	}
	return false
}

// closesString: the quote before the value ends the string that the name stands in, as in prompt("Password: ").
func (sc *scan) closesString(n name, v value) bool {
	s := sc.s
	if s[v.a-1] != '"' || v.a < len(s) && strings.IndexByte("),;]}+ \n", s[v.a]) < 0 {
		return false
	}
	before := s[max(0, n.a-maxBack):n.a]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	return len(before) < maxBack && strings.Count(before, `"`)%2 == 1
}

// userAndPassword: auth=('bob', 'x').
func (sc *scan) userAndPassword(v value) bool {
	s := sc.s
	if v.quoted || v.a >= len(s) || s[v.a] != '(' && s[v.a] != '[' {
		return false
	}
	user, ok := sc.quotedAt(v.a + 1)
	if !ok || !hasAt(s, user.end, ",") {
		return false
	}
	i := user.end + 1
	for i < len(s) && s[i] == ' ' {
		i++
	}
	if pw, ok := sc.quotedAt(i); ok && literal(s[pw.a:pw.b], slotKey, slot) && chosen(s[pw.a:pw.b]) {
		sc.addValue(pw.a, pw.b, "password", byPlace)
	}
	return true
}

// take hides a value if it is a literal secret.
func (sc *scan) take(v value, key keyName, at place) bool {
	text := sc.s[v.a:v.b]
	if !literal(text, key, at) || sc.urlIn(v) {
		return false
	}
	if hasAt(text, 0, "0x") {
		v.a += 2
	}
	sc.addValue(v.a, v.b, key.kind, byName)
	if v.quoted {
		sc.concat(v.end, key.kind)
	}
	return true
}

// urlIn: a URL or connection string under a secret's name is not hidden whole; its own rules find the secret in it.
func (sc *scan) urlIn(v value) bool {
	text := sc.s[v.a:min(v.b, v.a+maxLiteral)]
	if p := strings.Index(text, "://"); p > 0 && p < 24 && isName(text[:p]) {
		return true
	}
	if strings.Contains(text, "@tcp(") {
		return true
	}
	return strings.Count(text, ";") > 1 && strings.Count(text, "=") > 1
}

// valueAt reads the value that begins at or after i.
func (sc *scan) valueAt(i int, n name) (value, bool) {
	s := sc.s
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	if i < len(s) && s[i] == '\n' && n.quoted {
		for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n' || s[i] == '\r') {
			i++
		}
	}
	if i >= len(s) {
		return value{}, false
	}
	if hasAt(s, i, "string(") { // as PHP shows a value
		if k := strings.Index(s[i:min(len(s), i+16)], ") \""); k > 0 {
			i += k + 2
		}
	}
	if v, ok := sc.quotedAt(i); ok {
		return v, true
	}
	if hasAt(s, i, "q{") || hasAt(s, i, "qq{") { // Perl
		a := i + strings.IndexByte(s[i:], '{') + 1
		if k := strings.IndexByte(s[a:min(len(s), a+maxLiteral)], '}'); k > 0 {
			return value{a: a, b: a + k, quoted: true, end: a + k + 1}, true
		}
	}
	if s[i] == '&' && !n.quoted { // an anchor of YAML
		if e := sc.runEnd(setWord, i+1); e > i+1 && e+1 < len(s) && s[e] == ' ' {
			i = e + 1
		}
	}
	if (s[i] == '|' || s[i] == '>') && !n.quoted {
		return sc.block(i)
	}
	return value{a: i, b: sc.bareRun(i), end: i}, true
}

// quotedAt reads a string: '…', "…", `…`, """…""", with a prefix (b'…', $'…', @"…") and at any level of escaping (\"…\").
func (sc *scan) quotedAt(i int) (value, bool) {
	s := sc.s
	j := i
	for j < len(s) && j < i+2 && strings.IndexByte("bBrRfFuULN@$", s[j]) >= 0 {
		j++
	}
	level := 0
	for j+level < len(s) && s[j+level] == '\\' && level < maxEscapes {
		level++
	}
	if j+level >= len(s) {
		return value{}, false
	}
	q := s[j+level]
	if q != '"' && q != '\'' && q != '`' {
		return value{}, false
	}
	if j > i && level > 0 {
		return value{}, false
	}
	a := j + level + 1
	triple := level == 0 && hasAt(s, a, string([]byte{q, q}))
	if triple {
		a += 2
	}
	limit := min(len(s), a+maxQuoted)
	for k := a; k < limit; k++ {
		switch c := s[k]; {
		case c == '\\' && level == 0:
			k++
		case c == '\n' && !triple && q != '`' && !hasAt(s, a, "-----BEGIN"):
			return value{a: a, b: k, quoted: true, end: k}, true
		case c == q:
			e := k
			for level > 0 && e > a && s[e-1] == '\\' && k-e < level {
				e--
			}
			if triple && !hasAt(s, k, string([]byte{q, q, q})) {
				continue
			}
			end := k + 1
			if triple {
				end = k + 3
			}
			return value{a: a, b: e, quoted: true, end: end}, true
		}
	}
	return value{a: a, b: limit, quoted: true, end: limit}, true
}

// bareRun is the end of an unquoted value: blanks, quotes, brackets and separators end it.
func (sc *scan) bareRun(i int) int {
	if i >= sc.values.from && i < sc.values.to {
		return sc.values.to
	}
	s := sc.s
	j, open := i, 0
loop:
	for j < len(s) {
		switch s[j] {
		case ' ', '\t', '\n', '\r', '"', '\'', '`', ';', ',', ')', ']', '<', '>', '|', '&':
			break loop
		case '}':
			if open--; open < 0 {
				break loop
			}
		case '[':
			if n := tagAt(s, j); n > 0 {
				j += n
				continue
			}
		case '{':
			open++
			if j > i && s[j-1] == '$' {
				if end := strings.IndexByte(s[j:min(len(s), j+maxKey)], '}'); end > 0 {
					j += end
					open--
				}
			}
		case '\\':
			if j+1 == len(s) || s[j+1] == 'n' || s[j+1] == 'r' || s[j+1] == '\n' || s[j+1] == '"' || s[j+1] == '\'' {
				break loop
			}
			j++
		}
		j++
	}
	j = min(j, len(s))
	sc.values = run{i, j}
	return j
}

// bareEnd lets a value that is alone on its line of a file run on over bytes that end one elsewhere.
func (sc *scan) bareEnd(v value, n name, i int, at place) int {
	s := sc.s
	if sc.command || at == bare || v.b == len(s) || s[v.b] == '\n' || !sc.lineStart(n.a) || v.a < len(s) && strings.IndexByte("${<[(", s[v.a]) >= 0 {
		return v.b
	}
	j := v.b
	for j < len(s) && s[j] > ' ' && !(s[j] == '\\' && j+1 < len(s) && s[j+1] == 'n') {
		j++
	}
	if j > v.b && (s[j-1] == ';' || s[j-1] == ',' || s[j-1] == ')' || s[j-1] == '"' || s[j-1] == '\'') {
		return v.b // the line is code
	}
	return j
}

// lineStart says that only blanks, list marks, comment signs and words like export stand before i on its line.
func (sc *scan) lineStart(i int) bool {
	s := sc.s
	for k := i - 1; k >= 0 && k > i-40; k-- {
		switch s[k] {
		case '\n':
			return true
		case ' ', '\t', '-', '#', '*', '"', '\'', '.':
		default:
			return hasAt(s, k-5, "export") && k >= 5 || hasAt(s, k-2, "set") && k >= 2 || k >= 2 && hasAt(s, k-2, "ENV") || k >= 2 && hasAt(s, k-2, "ARG") || k >= 1 && s[k] == 'n' && s[k-1] == '\\'
		}
	}
	return i < 40
}

func (sc *scan) lineEnd(i int) int {
	if i >= sc.line.from && i < sc.line.to {
		return sc.line.to
	}
	e := len(sc.s)
	if n := strings.IndexByte(sc.s[i:], '\n'); n >= 0 {
		e = i + n
	}
	sc.line = run{i, e}
	return e
}

// placeOf says where a value stands.
func (sc *scan) placeOf(n name, i int, v value) place {
	s := sc.s
	if v.quoted {
		return quoted
	}
	before := byte('\n')
	if n.a > 0 {
		before = s[n.a-1]
	}
	tight := s[i] == '=' && n.b == i && v.a == i+1
	switch {
	case tight && (before == '(' || before == ',' && !sc.command):
		return bare
	case tight && (before == '?' || before == '&' || before == '-' || before == ';' || before == ':' || isUpper(s[n.a:n.b]) || sc.command):
		return env
	case tight && sc.lineStart(n.a):
		return line
	case sc.lineStart(n.a) && !sc.codeLine(v.a):
		return line
	case s[i] == ':' && !n.quoted && !sc.codeLine(v.a):
		return line
	}
	return bare
}

// codeLine says that the line which holds i ends as one of a program does.
func (sc *scan) codeLine(i int) bool {
	e := sc.lineEnd(min(i, len(sc.s)))
	t := strings.TrimRight(sc.s[i:e], " \t\r")
	return t != "" && strings.IndexByte(";,{(", t[len(t)-1]) >= 0
}

func isUpper(s string) bool {
	n := 0
	for i := range len(s) {
		if s[i] >= 'a' && s[i] <= 'z' {
			return false
		}
		if s[i] >= 'A' && s[i] <= 'Z' {
			n++
		}
	}
	return n > 1
}

func (sc *scan) trim(v value) value {
	for v.a < v.b && sc.s[v.a] <= ' ' {
		v.a++
	}
	for v.b > v.a && sc.s[v.b-1] <= ' ' {
		v.b--
	}
	return v
}

// block reads the value of a YAML block scalar, the indented lines after | or >.
func (sc *scan) block(i int) (value, bool) {
	s := sc.s
	e := sc.lineEnd(i)
	if e-i > 4 || e == len(s) {
		return value{}, false
	}
	a := e + 1
	for a < len(s) && s[a] == ' ' {
		a++
	}
	b := sc.lineEnd(a)
	v := sc.trim(value{a: a, b: b, quoted: true, end: b})
	return v, a > e+1 && v.a < v.b
}
