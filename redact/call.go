package redact

import "strings"

// A program may hand a secret to a function that says by its name alone which of its arguments that is: jwt.sign(claims,
// "x"), login("ann", "x").

// callHow says what an argument must look like.
type callHow uint8

const (
	anyText  callHow = iota // nothing but a secret belongs there
	someMark                // a digit or mark tells it from a word
)

type callee struct {
	name string // with the name before it, where it alone would say too little
	nth  uint8  // the argument that is the secret, counted from 1
	how  callHow
}

// calls are sorted.
var calls = [...]callee{
	{"AES.decrypt", 2, anyText},
	{"AES.encrypt", 2, anyText},
	{"AES.new", 1, anyText},
	{"AES_DECRYPT", 2, anyText},
	{"AES_ENCRYPT", 2, anyText},
	{"CRAMMD5Auth", 2, anyText},
	{"Credentials", 4, someMark},
	{"DirectoryEntry", 3, someMark},
	{"DriverManager.getConnection", 3, someMark},
	{"Fernet", 1, anyText},
	{"GenerateFromPassword", 1, someMark},
	{"HMAC.digest", 2, anyText},
	{"HMAC.hexdigest", 2, anyText},
	{"HMAC256", 1, anyText},
	{"HMAC384", 1, anyText},
	{"HMAC512", 1, anyText},
	{"HmacSHA256", 2, anyText},
	{"HmacSHA512", 2, anyText},
	{"JWT.decode", 2, anyText},
	{"JWT.encode", 2, anyText},
	{"JWT::decode", 2, anyText},
	{"JWT::encode", 2, anyText},
	{"NetworkCredential", 2, someMark},
	{"NewCookieStore", 1, anyText},
	{"OLD_PASSWORD", 1, anyText},
	{"PASSWORD", 1, anyText},
	{"PDO", 3, someMark},
	{"PasswordAuthentication", 2, someMark},
	{"PlainAuth", 3, anyText},
	{"PlainCredentials", 2, anyText},
	{"SecretBox", 1, anyText},
	{"SecretKeySpec", 1, anyText},
	{"SignedString", 1, anyText},
	{"SymmetricSecurityKey", 1, anyText},
	{"TimestampSigner", 1, anyText},
	{"URLSafeSerializer", 1, anyText},
	{"URLSafeTimedSerializer", 1, anyText},
	{"UsernamePasswordAuthenticationToken", 2, someMark},
	{"UsernamePasswordCredential", 2, someMark},
	{"UsernamePasswordCredentials", 2, someMark},
	{"aes.NewCipher", 1, anyText},
	{"authenticate", 2, someMark},
	{"basic", 2, someMark},
	{"basicAuth", 2, someMark},
	{"bcrypt.hash", 1, someMark},
	{"bcrypt.hashSync", 1, someMark},
	{"bcrypt.hashpw", 1, someMark},
	{"cookieParser", 1, anyText},
	{"createCipheriv", 2, anyText},
	{"createCredential", 3, anyText},
	{"createDecipheriv", 2, anyText},
	{"createHmac", 2, anyText},
	{"from_secret", 1, anyText},
	{"ftp_login", 3, someMark},
	{"hash_hmac", 3, anyText},
	{"hmac.New", 2, anyText},
	{"hmac.new", 1, anyText},
	{"hmacShaKeyFor", 1, anyText},
	{"imap_open", 3, someMark},
	{"jwt.decode", 2, anyText},
	{"jwt.encode", 2, anyText},
	{"jwt.sign", 2, anyText},
	{"jwt.verify", 2, anyText},
	{"ldap_bind", 3, someMark},
	{"login", 2, someMark},
	{"mysqli", 3, someMark},
	{"mysqli_connect", 3, someMark},
	{"openssl_decrypt", 3, anyText},
	{"openssl_encrypt", 3, anyText},
	{"pgp_sym_decrypt", 2, anyText},
	{"pgp_sym_encrypt", 2, anyText},
	{"ssh2_auth_password", 3, anyText},
	{"unsafePlainText", 1, anyText},
}

// conversions make a key of a string: []byte("x"), Buffer.from("x"), new Key("x"). Sorted.
var conversions = [...]string{"b64decode", "byte", "bytearray", "bytes", "decode", "encode", "from", "fromhex", "getbytes", "key", "secretstr", "secretstring", "string", "textencoder"}

// maxArguments is how much of a call is searched for the secret.
const maxArguments = 1024

// call: s[i] is the parenthesis of a call.
func (sc *scan) call(i int) {
	s := sc.s
	a := i
	for a > 0 && i-a < maxKey && class[s[a-1]]&setIdent != 0 {
		a--
	}
	if i-a < 3 {
		return
	}
	f := lookCall(s[a:i])
	if f == nil && a > 2 && (s[a-1] == '.' || s[a-1] == ':') {
		k := a - 1
		if s[k-1] == ':' {
			k--
		}
		for k > 0 && a-k < maxKey && class[s[k-1]]&setIdent != 0 {
			k--
		}
		f = lookCall(s[k:i])
	}
	next := sc.next
	if f != nil {
		sc.callOf(f, i+1)
	} else if i+1 < len(s) && strings.IndexByte("\"'b[\\", s[i+1]) >= 0 {
		sc.setter(s[a:i], i+1)
	}
	sc.next = next // what stands before the secret is still to be looked at
}

func lookCall(name string) *callee {
	lo, hi := 0, len(calls)
	for lo < hi {
		m := (lo + hi) / 2
		switch c := &calls[m]; {
		case name == c.name:
			return c
		case name < c.name:
			hi = m
		default:
			lo = m + 1
		}
	}
	return nil
}

// callOf hides the secret among the arguments that begin at i.
func (sc *scan) callOf(f *callee, i int) {
	if f.how == someMark {
		// A service takes a token alone where others take a user and a password.
		if v, ok := sc.given(i); ok && v.b-v.a >= 20 && machineMade(sc.s[v.a:v.b]) && !strings.ContainsAny(sc.s[v.a:v.b], ".@/:") {
			sc.hide(v.a, v.b, "token")
			return
		}
	}
	for range f.nth - 1 {
		if i = sc.argumentEnd(i); i < 0 {
			return
		}
		i++
	}
	v, ok := sc.given(i)
	if !ok {
		return
	}
	text := sc.s[v.a:v.b]
	switch c := count(text); {
	case f.how == someMark && (c.spaces > 0 || c.digits+c.marks == 0):
	case c.digits+c.marks == 0 && strings.ContainsAny(text, "./"): // a file, a setting's name
	default:
		sc.hide(v.a, v.b, "password")
	}
}

// argumentEnd is the comma behind the argument that begins at i; -1 where it is the last.
func (sc *scan) argumentEnd(i int) int {
	s := sc.s
	for depth, limit := 0, min(len(s), i+maxArguments); i < limit; i++ {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return -1
			}
		case '"', '\'', '`', '\\':
			if v, ok := sc.quotedAt(i); ok {
				i = v.end - 1
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}

// given finds the string that is the argument at i, or that the argument converts.
func (sc *scan) given(i int) (value, bool) {
	s := sc.s
	i = sc.skip(i, " \n\t")
	word := i
	for k := i; k < len(s) && k-i < maxKey; k++ {
		if k == i || s[k-1] == '(' {
			if v, ok := sc.quotedAt(k); ok {
				return v, true
			}
		}
		switch c := s[k]; {
		case class[c]&setIdent != 0, c == ')' && s[k-1] == '(':
		case strings.IndexByte("[] .:&", c) >= 0:
			word = k + 1
		case c == '(' && inFold(conversions[:], s[word:k]):
			word = k + 1
		default:
			return value{}, false
		}
	}
	return value{}, false
}

// setter hides what a function is given that does nothing but take a secret, SetPassword("x"); and the password behind a
// user's name, SetBasicAuth("ann", "x"). The arguments begin at i.
func (sc *scan) setter(name string, i int) {
	if n := len(name); n > 6 && (name[:3] == "set" || name[:3] == "Set") {
		name = name[3:]
	} else if n > 12 {
		return
	}
	key := readKey(name)
	switch {
	case key.kind == "auth":
		sc.callOf(&callee{nth: 2, how: someMark}, i)
	case key.score == strong && key.password:
		sc.callOf(&callee{nth: 1, how: someMark}, i)
	}
}

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
	if !ok || key.score == none || key.kind == "auth" && sc.scheme(v) {
		return
	}
	if s[k] == '[' && key.kind != "auth" && !isUpper(s[n.a:n.b]) {
		key.score = weak // a list of names
	}
	sc.take(v, key, quoted)
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
