package redact

import "strings"

// argument: s[i] is the comma of f("NAME", "value").
func (sc *scan) argument(i int) {
	s := sc.s
	if i < 4 {
		return
	}
	if s[i-1] != '"' && s[i-1] != '\'' {
		sc.constant(i)
		return
	}
	n, ok := sc.nameBefore(i)
	if !ok || !n.quoted || n.a < 2 || s[n.a-1] != s[i-1] {
		// Not a name, but it may be a user's: login("ann@acme.test", "x").
		low := max(0, i-1-maxBack)
		if k := low + strings.LastIndexByte(s[low:i-1], s[i-1]) - 1; k >= low && s[k] == '(' {
			sc.authCall(sc.callee(k), sc.skip(i+1, " \n\t"))
		}
		return
	}
	k := n.a - 2
	for k >= 0 && s[k] == '\\' {
		k--
	}
	if k < 0 || s[k] != '(' && s[k] != '[' && !(s[k] == ' ' && k > 0 && s[k-1] == '(') {
		return
	}
	key := sc.key(s[n.a:n.b])
	j := i + 1
	for j < len(s) && (s[j] == ' ' || s[j] == '\n' || s[j] == '\t') {
		j++
	}
	v, ok := sc.quotedAt(j)
	if key.score == none {
		if s[k] == '(' {
			sc.authCall(sc.callee(k), j)
		}
		return
	}
	if !ok || key.kind == "auth" && sc.scheme(v) {
		return
	}
	if s[k] == '[' && key.kind != "auth" && !isUpper(s[n.a:n.b]) {
		key.score = weak // a list of names
	}
	sc.take(v, key, quoted)
}

// callee is the name of the function whose arguments begin with the parenthesis at k.
func (sc *scan) callee(k int) string {
	f := k
	for f > 0 && k-f < maxKey && class[sc.s[f-1]]&setIdent != 0 {
		f--
	}
	return sc.s[f:k]
}

// plainCall: s[i] is the parenthesis of a function that takes nothing but a secret, PASSWORD('x').
func (sc *scan) plainCall(i int) {
	switch sc.callee(i) {
	case "PASSWORD", "unsafePlainText", "OLD_PASSWORD":
		if v, ok := sc.quotedAt(i + 1); ok {
			sc.hide(v.a, v.b, "password")
		}
	}
}

// authCall hides the password among the arguments of a call; the second stands at i.
func (sc *scan) authCall(name string, i int) {
	s := sc.s
	nth := 0
	for _, c := range &authCalls {
		if name == c.name {
			nth = c.nth
		}
	}
	if nth == 0 && readKey(name).kind == "auth" {
		nth = 2 // SetBasicAuth
	}
	for n := 2; n <= nth; n++ {
		v, ok := sc.quotedAt(i)
		if !ok {
			return
		}
		if n == nth {
			if c := count(s[v.a:v.b]); c.spaces == 0 && c.digits+c.marks > 0 {
				sc.hide(v.a, v.b, "password")
			}
			return
		}
		if i = sc.skip(v.end, " "); i >= len(s) || s[i] != ',' {
			return
		}
		i = sc.skip(i+1, " \n\t")
	}
}

// authCalls are functions with a password among their arguments, counted from 1.
var authCalls = [...]struct {
	name string
	nth  int
}{
	{"Credentials", 4}, {"DirectoryEntry", 3}, {"NetworkCredential", 2}, {"PDO", 3}, {"PasswordAuthentication", 2}, {"UsernamePasswordCredentials", 2},
	{"UsernamePasswordCredential", 2}, {"authenticate", 2}, {"basic", 2}, {"basicAuth", 2}, {"login", 2}, {"mysqli", 3}, {"mysqli_connect", 3},
}

// constant: s[i] is the comma of setopt(c, OPT_PASSWORD, "x").
func (sc *scan) constant(i int) {
	s := sc.s
	if s[i-1] < 'A' || s[i-1] > 'Z' {
		return
	}
	n, ok := sc.nameBefore(i)
	if !ok || n.quoted || !isUpper(s[n.a:n.b]) {
		return
	}
	key := sc.key(s[n.a:n.b])
	j := i + 1
	for j < len(s) && s[j] == ' ' {
		j++
	}
	if v, ok := sc.quotedAt(j); ok && key.score == strong {
		sc.take(v, key, quoted)
	}
}

// element: s[i] ends the tag of <password>x</password>, <string name="api_key">x</string> or <key>password</key><string>x.
func (sc *scan) element(i int) {
	s := sc.s
	low := max(0, i-maxBack)
	open := strings.LastIndexByte(s[low:i], '<')
	if open < 0 || i+1 >= len(s) || s[i-1] == '/' || s[i-1] == '-' || s[i-1] == '=' {
		return
	}
	a := low + open + 1
	b := a
	for b < i && class[s[b]]&setDots != 0 {
		b++
	}
	if b == a {
		return
	}
	end := strings.IndexByte(s[i+1:min(len(s), i+1+maxLiteral)], '<')
	if end <= 0 || !hasAt(s, i+1+end, "</") && !hasAt(s, i+1+end, "<!") {
		return
	}
	key := sc.key(s[a:b])
	if key.score == none && b < i {
		for _, attr := range [...]string{"name=", "key=", "id="} {
			if k := strings.Index(s[b:i], attr); k >= 0 {
				if v, ok := sc.quotedAt(b + k + len(attr)); ok && v.b <= i && v.b-v.a <= maxKey {
					key = sc.key(s[v.a:v.b])
				}
			}
		}
	}
	if key.score == none && inFold(valueNames[:], s[a:b]) {
		key = sc.plistKey(a - 1)
	}
	v := sc.trim(value{a: i + 1, b: i + 1 + end})
	if key.score != none {
		sc.take(v, key, quoted)
	}
}

// plistKey reads the <key>NAME</key> (or <name>) that ends before i.
func (sc *scan) plistKey(i int) keyName {
	s := sc.s
	k := i - 1
	for k > 0 && (s[k] == ' ' || s[k] == '\n' || s[k] == '\t' || s[k] == '\r') {
		k--
	}
	if k < 8 || s[k] != '>' {
		return keyName{}
	}
	low := max(0, k-maxBack)
	b := strings.LastIndex(s[low:k], "</")
	if b < 0 {
		return keyName{}
	}
	a := strings.LastIndexByte(s[low:low+b], '>')
	return sc.key(s[low+a+1 : low+b])
}
