package redact

import "strings"

// fallback: the value is a reference with a literal to fall back on: process.env.KEY || 'x', ${KEY:-x}, env("KEY", "x").
func (sc *scan) fallback(v value, key keyName) {
	s := sc.s
	if key.score != strong || v.b > len(s) {
		return
	}
	if k := strings.Index(s[v.a:min(v.b, v.a+maxLiteral)], ":-"); k > 0 && hasAt(s, v.a, "${") {
		if end := strings.IndexByte(s[v.a+k:v.b], '}'); end > 2 {
			sc.take(value{a: v.a + k + 2, b: v.a + k + end}, key, env)
		}
		return
	}
	j := v.end
	if !v.quoted {
		j = v.b
		if v.a < len(s) && s[v.a] == '(' { // ("a" on one line, "b") on the next
			if q, ok := sc.quotedAt(sc.skip(v.a+1, " \n\t")); ok && !hasAt(s, q.end, ",") {
				sc.take(q, key, quoted)
				return
			}
		}
		if q, ok := sc.given(v.a); ok { // SecretStr("x")
			sc.take(q, key, quoted)
			return
		}
		sc.defaultIn(v.a, key)
	}
	for _, op := range [...]string{" || ", " ?? ", " or ", " ?: "} {
		if !hasAt(s, j, op) {
			continue
		}
		if q, ok := sc.quotedAt(j + len(op)); ok {
			sc.take(q, key, quoted)
		}
	}
}

// defaultIn: the line says later on what a setting is without a value: z.string().default("x"), Field(default="x").
func (sc *scan) defaultIn(i int, key keyName) {
	s := sc.s
	end := min(sc.lineEnd(i), i+maxBack)
	k := strings.Index(s[i:end], "default")
	if k < 0 {
		return
	}
	j := sc.skip(i+k+len("default"), " (=")
	if q, ok := sc.quotedAt(j); ok && j > i+k+len("default") {
		sc.take(q, key, quoted)
	}
}

// orElse: the operator of process.env.API_KEY || 'x' begins at i; it may be ??, ?: and or too.
func (sc *scan) orElse(i int) {
	s := sc.s
	if i < 2 || s[i-1] != ' ' || i+3 >= len(s) || s[i+2] != ' ' || s[i+1] != s[i] && !hasAt(s, i, "?:") && !hasAt(s, i, "or") {
		return
	}
	q, ok := sc.quotedAt(i + 3)
	if !ok {
		return
	}
	if s[i-2] == ')' {
		i -= 2 // getenv("API_KEY") or
	}
	if n, ok := sc.nameBefore(i); ok {
		if key := readKey(tail(s[n.a:n.b])); key.score == strong {
			sc.take(q, key, quoted)
		}
	}
}

// concat hides the further parts of a secret that is put together: 'abc' + 'def'.
func (sc *scan) concat(i int, kind string) {
	s := sc.s
	for range maxParts {
		if i < len(s) && (s[i] == '\'' || s[i] == '"') {
			i++
		}
		j := i
		for j < len(s) && j < i+40 && (s[j] == ' ' || s[j] == '+' || s[j] == '.' || s[j] == '\n' || s[j] == '\\' || s[j] == '\t') {
			j++
		}
		between := s[i:j]
		joins := strings.IndexByte(between, '+') >= 0 || strings.IndexByte(between, '\\') >= 0 || strings.IndexByte(between, '.') >= 0
		if !joins && strings.IndexByte(between, '\n') < 0 {
			return
		}
		v, ok := sc.quotedAt(j)
		if !ok || v.b-v.a < 4 || strings.IndexByte(s[v.a:v.b], ' ') >= 0 {
			return
		}
		if next := sc.skip(v.end, " "); !joins && next < len(s) && (s[next] == ':' || s[next] == '=') {
			return // a name on the next line
		}
		sc.add(v.a, v.b, kind, byPlace)
		i = v.end
	}
}
