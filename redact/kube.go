package redact

import "strings"

// kube: the word at i is "kind" at the beginning of a line of YAML. Under kind: Secret each value of data and stringData
// is a secret whatever its name.
func (sc *scan) kube(i, end int) {
	s := sc.s
	if i > 0 && s[i-1] != '\n' && s[i-1] != ' ' && s[i-1] != '"' || sc.kubeTo > i {
		return
	}
	if v := strings.Trim(s[end:min(len(s), end+14)], ": '\"\n"); !strings.HasPrefix(strings.TrimLeft(v, "\"' "), "Secret") || isIdentAt(s, end+strings.Index(s[end:], "Secret")+6) {
		return
	}
	from, to := 0, len(s)
	if k := strings.LastIndex(s[:i], "\n---"); k >= 0 {
		from = k
	}
	if k := strings.Index(s[i:], "\n---"); k >= 0 {
		to = i + k
	}
	sc.kubeTo = to
	in, indent := false, 0
	for a := from; a < to; {
		e := min(sc.lineEnd(a), to)
		line := s[a:e]
		text := strings.TrimLeft(line, " \t")
		depth := len(line) - len(text)
		switch {
		case text == "" || text[0] == '#':
		case in && depth > indent:
			sc.kubeLine(a+depth, e)
		default:
			in = text == "data:" || text == "stringData:"
			indent = depth
		}
		a = e + 1
	}
}

func isIdentAt(s string, i int) bool { return i < len(s) && class[s[i]]&setIdent != 0 }

// kubeLine hides the value of a line of a Secret's data; a line without a name belongs to a block and is hidden whole.
func (sc *scan) kubeLine(a, e int) {
	s := sc.s
	v := value{a: a, b: e}
	if c := strings.IndexByte(s[a:e], ':'); c >= 0 {
		v.a = a + c + 1
	}
	v = sc.trim(v)
	if q, ok := sc.quotedAt(v.a); ok && v.a < v.b {
		v = q
	}
	if t := s[v.a:v.b]; v.b-v.a < 3 || t[0] == '|' || t[0] == '>' || !literal(t, slotKey, slot) {
		return
	}
	sc.spans = append(sc.spans, span{v.a, v.b, "secret", byPlace})
}
