package redact

import "strings"

// name is a name before a separator.
type name struct {
	a, b   int
	quoted bool
}

// nameBefore finds the name that ends before the separator at i.
func (sc *scan) nameBefore(i int) (name, bool) {
	s := sc.s
	k := i - 1
	if s[i] == '=' && k >= 0 && strings.IndexByte(":+?|.!=~<>", s[k]) >= 0 {
		if s[k] == '=' || s[k] == '<' || s[k] == '>' {
			return name{}, false
		}
		k--
	}
	if k > 0 && s[k] == ':' && s[i] == '=' {
		k-- // ::=
	}
	low := max(0, i-maxBack)
	for k >= low && (s[k] == ' ' || s[k] == '\t') {
		k--
	}
	var n name
	if k > low && s[k] == '*' && s[k-1] == '*' {
		k -= 2 // **Password**: x
	}
	for k >= low && (s[k] == '"' || s[k] == '\'' || s[k] == '`' || s[k] == '\\' || s[k] == ']') {
		n.quoted = true
		if s[k] == ']' {
			if open := strings.LastIndexByte(s[low:k], '['); open >= 0 && low+open == k-1 {
				k = low + open // char password[]
				n.quoted = false
			}
		}
		k--
	}
	n.b = k + 1
	for k >= low && (class[s[k]]&setDots != 0) {
		k--
	}
	n.a = k + 1
	for n.a < n.b && (s[n.a] == '-' || s[n.a] == '.') {
		n.a++
	}
	inQuery := s[i] == '=' && n.a > 0 && (s[n.a-1] == '?' || s[n.a-1] == '&')
	return n, n.b-n.a >= 2 || inQuery && n.b-n.a == 1
}

// keyOf scores a name, and looks further for what it belongs to where it is a type or only says "value".
func (sc *scan) keyOf(n name, i int) keyName {
	s := sc.s
	text := s[n.a:n.b]
	if dot := strings.LastIndexByte(text, '.'); dot >= 0 && len(text) > maxKey {
		text = text[dot+1:]
	}
	key := sc.key(text)
	if key.score == none && n.a > 1 && s[n.a-1] == ' ' && strings.EqualFold(text, "key") {
		k := n.a - 1 // api key: x
		for k > 0 && class[s[k-1]]&setWord != 0 {
			k--
		}
		if !inFold(fillers[:], s[k:n.a-1]) {
			key = sc.key(s[k:n.b])
		}
	}
	if key.score != strong && s[i] == '=' && !n.quoted {
		if isType(text) {
			j := n.a
			for j > 0 && strings.IndexByte(" :&*?", s[j-1]) >= 0 {
				j--
			}
			if m, ok := sc.nameBefore(j); ok {
				return sc.key(s[m.a:m.b])
			}
			return keyName{}
		}
		if key.score == none && n.a > 0 && (s[n.a-1] == '?' || s[n.a-1] == '&') && (inFold(queryNames[:], text) || text == "appid" && isDigest(s[i+1:min(len(s), i+33)])) {
			return keyName{score: weak, digest: len(text) > 1, kind: "key"}
		}
	}
	if key.kind == "signature" && n.a > 0 && (s[n.a-1] == '?' || s[n.a-1] == '&') {
		key.digest = true // of a signed URL
	}
	if key.score == none && (bundlerHost(text) || text == "result" && strings.Contains(s[max(0, n.a-1024):n.a], `"random_password"`)) {
		return slotKey // the second in Terraform's state
	}
	if key.score == none && n.a > 1 && s[n.a-1] == ' ' && inFold(doneWords[:], text) {
		if m, ok := sc.nameBefore(n.a - 1); ok { // token created: x
			if key = sc.key(s[m.a:m.b]); key.score == strong && !key.password {
				return keyName{score: weak, digest: true, kind: key.kind}
			}
		}
	}
	if key.score == none && inFold(valueNames[:], text) {
		if strings.Contains(s[i:min(len(s), i+2*maxBack)], ".vault.azure.net/secrets/") {
			return slotKey
		}
		if key = sc.neighbour(n.a); key.score == none {
			key = sc.outer(n.a, "")
		}
	} else if key.score == none && strings.EqualFold(text, "key") {
		if key = sc.outer(n.a, "_key"); key.score == none && n.quoted && strings.Contains(s[max(0, n.a-maxKey):n.a], `"username"`) {
			key = keyName{score: weak, kind: "key"}
		}
		key.score, key.digest = min(key.score, weak), true
	}
	return key
}

// outer scores the name of the object that the name at i stands in, {"jwt": {"key": "x"}} or as YAML indents it, with a
// suffix.
func (sc *scan) outer(i int, suffix string) keyName {
	s := sc.s
	low := max(0, i-maxBack)
	for k, depth := i-1, 0; k > low; k-- {
		switch s[k] {
		case '}', ']':
			depth++
		case '{', '[':
			if depth--; depth >= 0 {
				continue
			}
			head := strings.TrimRight(s[low:k], " \t\n")
			if head == "" || s[k] == '[' || head[len(head)-1] != ':' && head[len(head)-1] != '=' {
				return keyName{}
			}
			return sc.outerName(low+len(head)-1, suffix)
		}
	}
	// YAML
	from := i
	for from > low && s[from-1] == ' ' {
		from--
	}
	for at := from; at < i && at > low && s[at-1] == '\n'; {
		end := at - 1
		at = low + strings.LastIndexByte(s[low:end], '\n') + 1
		if line := strings.TrimLeft(s[at:end], " "); end-at-len(line) < i-from && line != "" && line[0] != '#' {
			if line[len(line)-1] != ':' {
				return keyName{}
			}
			return sc.outerName(end-1, suffix)
		}
	}
	return keyName{}
}

func (sc *scan) outerName(i int, suffix string) keyName {
	if n, ok := sc.nameBefore(i); ok {
		return sc.key(sc.s[n.a:n.b] + suffix)
	}
	return keyName{}
}

// queryNames mean a secret only in a URL's query. Sorted.
var queryNames = [...]string{"code", "k", "key", "sign", "t", "u", "x-amz-credential"}

// valueNames say that the name stands somewhere near: name: DB_PASSWORD, value: x. Sorted.
var valueNames = [...]string{"content", "data", "default", "default_value", "defaultvalue", "string", "text", "val", "value"}

// nameNames are what that name is called. Sorted.
var nameNames = [...]string{"element", "field", "id", "key", "label", "name", "param", "parameter", "selector", "setting", "variable"}

// doneWords say that what stands before them was made just now. Sorted.
var doneWords = [...]string{"added", "created", "generated", "issued", "saved"}

func isType(s string) bool {
	switch s {
	case "string", "str", "String", "char", "const", "text", "Text", "any", "auto", "var", "std", "string_view", "SecureString", "SecretStr", "SecretString", "byte":
		return true
	}
	return false
}

// neighbour finds the name of a "value" field before it: the same tag, or up to three lines above.
func (sc *scan) neighbour(i int) keyName {
	s := sc.s
	lines := 0
	for k := i - 1; k >= 0 && k > i-maxBack; k-- {
		c := s[k]
		if c == '\n' {
			if lines++; lines > 3 {
				break
			}
			continue
		}
		if c == '}' || c == '<' {
			break
		}
		if c != '=' && c != ':' && !(c == ' ' && k+1 < len(s) && s[k+1] == '"') {
			continue
		}
		n, ok := sc.nameBefore(k)
		if !ok || !inFold(nameNames[:], s[n.a:n.b]) {
			continue
		}
		if v, ok := sc.valueAt(k+1, n); ok && v.b < i && v.b-v.a <= maxKey {
			return sc.key(s[v.a:v.b])
		}
	}
	return keyName{}
}
