package redact

import "strings"

// kube: the word at i is "kind" at the beginning of a line of YAML, or a member of a JSON object. Under kind: Secret each value of data and stringData
// is a secret whatever its name.
func (sc *scan) kube(i, end int) {
	s := sc.s
	if i > 0 && s[i-1] != '\n' && s[i-1] != ' ' && s[i-1] != '"' || sc.kubeTo > i {
		return
	}
	if v := strings.Trim(s[end:min(len(s), end+14)], ": '\"\n"); !strings.HasPrefix(strings.TrimLeft(v, "\"' "), "Secret") || isIdentAt(s, end+strings.Index(s[end:], "Secret")+6) {
		return
	}
	if i > 0 && s[i-1] == '"' {
		sc.kubeJSON(i)
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

// kubeJSON hides the members of data and stringData in a JSON object that has a Secret's kind at i.
func (sc *scan) kubeJSON(i int) {
	s := sc.s
	from, to := max(0, i-maxTable), min(len(s), i+maxTable)
	sc.kubeTo = to
	for _, name := range [...]string{"data", "stringData"} {
		for a := from; a < to; {
			k := strings.Index(s[a:to], name)
			if k < 0 {
				break
			}
			a += k + len(name)
			if quote := a - len(name) - 1; quote >= 0 && s[quote] == '"' {
				a = sc.kubeMembers(sc.skip(a, "\\\": \t\n\r"))
			}
		}
	}
}

// kubeMembers hides the strings that are members of the object which begins at i, and gives the place behind the last.
func (sc *scan) kubeMembers(i int) int {
	s := sc.s
	if i >= len(s) || s[i] != '{' {
		return i
	}
	for {
		name, ok := sc.quotedAt(sc.skip(i+1, " \t\n\r"))
		if !ok {
			return i
		}
		v, ok := sc.quotedAt(sc.skip(name.end, ": \t\n\r"))
		if !ok {
			return name.end
		}
		if t := s[v.a:v.b]; len(t) >= 3 && literal(t, slotKey, slot) {
			sc.spans = append(sc.spans, span{v.a, v.b, "secret", byPlace})
		}
		if i = sc.skip(v.end, " \t\n\r"); i >= len(s) || s[i] != ',' {
			return i
		}
	}
}
