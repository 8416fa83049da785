package redact

import "strings"

// A program may hand a secret to a function that says by its name alone which of its arguments that is: jwt.sign(claims,
// "x"), login("ann", "x").

// callHow says what an argument must look like.
type callHow uint8

const (
	anyText  callHow = iota // nothing but a secret belongs there
	someMark                // a digit or mark tells it from a word
	withUser                // user:secret
	inField                 // … and the text before says that a password is asked for; the last argument
)

type callee struct {
	name string
	of   string // what the name belongs to, where it alone says too little
	nth  uint8  // the argument that is the secret, counted from 1
	how  callHow
}

// calls are sorted by length, and by letters where that is the same: most names are told apart by a number.
var calls = [...]callee{
	{"FTP", "", 3, someMark},
	{"New", "hmac", 2, anyText},
	{"PDO", "", 3, someMark},
	{"new", "AES", 1, anyText},
	{"new", "hmac", 1, anyText},
	{"btoa", "", 1, withUser},
	{"fill", "", 1, inField},
	{"hash", "bcrypt", 1, someMark},
	{"load", "Store", 2, anyText},
	{"load", "keystore", 2, anyText},
	{"load", "ks", 2, anyText},
	{"sign", "jwt", 2, anyText},
	{"type", "", 1, inField},
	{"basic", "", 2, someMark},
	{"begin", "WiFi", 2, anyText},
	{"login", "", 2, someMark},
	{"Fernet", "", 1, anyText},
	{"bcrypt", "", 1, someMark},
	{"decode", "JWT", 2, anyText},
	{"decode", "jwt", 2, anyText},
	{"digest", "HMAC", 2, anyText},
	{"encode", "JWT", 2, anyText},
	{"encode", "jwt", 2, anyText},
	{"hashpw", "bcrypt", 1, someMark},
	{"mysqli", "", 3, someMark},
	{"verify", "jwt", 2, anyText},
	{"HMAC256", "", 1, anyText},
	{"HMAC384", "", 1, anyText},
	{"HMAC512", "", 1, anyText},
	{"connect", "DBI", 3, someMark},
	{"connect", "MySQLdb", 3, someMark},
	{"connect", "pymysql", 3, someMark},
	{"decrypt", "AES", 2, anyText},
	{"encrypt", "AES", 2, anyText},
	{"fill_in", "", 1, inField},
	{"PASSWORD", "", 1, anyText},
	{"hashSync", "bcrypt", 1, someMark},
	{"sendKeys", "", 1, inField},
	{"sendline", "", 1, inField},
	{"setValue", "", 1, inField},
	{"NewCipher", "aes", 1, anyText},
	{"PlainAuth", "", 3, anyText},
	{"SecretBox", "", 1, anyText},
	{"Sequelize", "", 3, someMark},
	{"b64encode", "", 1, withUser},
	{"basicAuth", "", 2, someMark},
	{"ftp_login", "", 3, someMark},
	{"hash_hmac", "", 3, anyText},
	{"hexdigest", "HMAC", 2, anyText},
	{"imap_open", "", 3, someMark},
	{"ldap_bind", "", 3, someMark},
	{"send_keys", "", 1, inField},
	{"HmacSHA256", "", 2, anyText},
	{"HmacSHA512", "", 2, anyText},
	{"PBEKeySpec", "", 1, anyText},
	{"createHmac", "", 2, anyText},
	{"AES_DECRYPT", "", 2, anyText},
	{"AES_ENCRYPT", "", 2, anyText},
	{"CRAMMD5Auth", "", 2, anyText},
	{"Credentials", "", 4, someMark},
	{"credentials", "", 2, someMark},
	{"from_secret", "", 1, anyText},
	{"OLD_PASSWORD", "", 1, anyText},
	{"SignedString", "", 1, anyText},
	{"UserPassword", "url", 2, anyText},
	{"authenticate", "", 2, someMark},
	{"cookieParser", "", 1, anyText},
	{"SecretKeySpec", "", 1, anyText},
	{"getConnection", "DriverManager", 3, someMark},
	{"hmacShaKeyFor", "", 1, anyText},
	{"DirectoryEntry", "", 3, someMark},
	{"NewCookieStore", "", 1, anyText},
	{"createCipheriv", "", 2, anyText},
	{"mysqli_connect", "", 3, someMark},
	{"TimestampSigner", "", 1, anyText},
	{"openssl_decrypt", "", 3, anyText},
	{"openssl_encrypt", "", 3, anyText},
	{"pgp_sym_decrypt", "", 2, anyText},
	{"pgp_sym_encrypt", "", 2, anyText},
	{"unsafePlainText", "", 1, anyText},
	{"PlainCredentials", "", 2, anyText},
	{"createCredential", "", 3, anyText},
	{"createDecipheriv", "", 2, anyText},
	{"NetworkCredential", "", 2, someMark},
	{"URLSafeSerializer", "", 1, anyText},
	{"pressSequentially", "", 1, inField},
	{"ssh2_auth_password", "", 3, anyText},
	{"GenerateFromPassword", "", 1, someMark},
	{"SymmetricSecurityKey", "", 1, anyText},
	{"PasswordAuthentication", "", 2, someMark},
	{"URLSafeTimedSerializer", "", 1, anyText},
	{"UsernamePasswordCredential", "", 2, someMark},
	{"UsernamePasswordCredentials", "", 2, someMark},
	{"UsernamePasswordAuthenticationToken", "", 2, someMark},
}

// conversions make a key of a string: []byte("x"), Buffer.from("x"), new Key("x"). Sorted.
var conversions = [...]string{"b64decode", "byte", "bytearray", "bytes", "decode", "encode", "from", "fromhex", "getbytes", "key", "secretstr", "secretstring", "some", "string", "textencoder"}

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
	f := sc.lookCall(a, i)
	next := sc.next
	if f != nil {
		sc.callOf(f, i+1)
	} else if name := s[a:i]; name == "unwrap_or" || name == "getOrElse" || name == "orElse" {
		sc.orGiven(a, i+1)
	} else if i+1 < len(s) && strings.IndexByte("\"'b[\\", s[i+1]) >= 0 {
		sc.setter(s[a:i], i+1)
	}
	sc.next = next // what stands before the secret is still to be looked at
}

// orGiven: var("API_KEY").unwrap_or("x"); the function's name begins at a, its argument at i.
func (sc *scan) orGiven(a, i int) {
	if !hasAt(sc.s, a-2, ").") {
		return
	}
	n, ok := sc.nameBefore(a - 2)
	if !ok || !n.quoted {
		return
	}
	if key := sc.key(sc.s[n.a:n.b]); key.score == strong {
		if v, ok := sc.given(i); ok {
			sc.take(v, key, quoted)
		}
	}
}

// lookCall finds the function whose name is s[a:b].
func (sc *scan) lookCall(a, b int) *callee {
	name := sc.s[a:b]
	lo, hi := 0, len(calls)
	for lo < hi {
		m := (lo + hi) / 2
		if n := calls[m].name; len(n) < len(name) || len(n) == len(name) && n < name {
			lo = m + 1
		} else {
			hi = m
		}
	}
	for ; lo < len(calls) && calls[lo].name == name; lo++ {
		if of := calls[lo].of; of == "" || strings.HasSuffix(strings.TrimRight(sc.s[max(0, a-maxKey):a], ".:->"), of) {
			return &calls[lo]
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
	if f.how == inField {
		sc.typed(i)
		return
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
	if f.how == withUser {
		if colon := strings.IndexByte(text, ':'); colon > 0 && isUserName(text[:colon]) && count(text[colon:]).spaces == 0 {
			sc.hide(v.a+colon+1, v.b, "password")
		}
		return
	}
	switch c := count(text); {
	case f.how == someMark && (c.spaces > 0 || !chosen(text)):
	case c.digits+c.marks == 0 && strings.ContainsAny(text, "./"): // a file, a setting's name
	default:
		sc.hide(v.a, v.b, "password")
	}
}

// typed hides what a test of a page or a script at a prompt types into a field for a password: getByLabel('Password').fill('x').
func (sc *scan) typed(i int) {
	s := sc.s
	if next := sc.argumentEnd(i); next >= 0 {
		i = next + 1
	}
	v, ok := sc.given(i)
	if !ok || !strings.Contains(s[max(0, i-maxBack):i], "assword") {
		return
	}
	before := s[max(0, i-maxBack):i]
	if line := before[strings.LastIndexByte(before, '\n')+1:]; !strings.Contains(line, "assword") && !strings.Contains(line, "sendline") {
		return
	}
	if c := count(s[v.a:v.b]); c.spaces == 0 && c.digits+c.marks > 0 {
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
	}
	key := readKey(name)
	switch {
	case key.kind == "auth":
		sc.callOf(&callee{nth: 2, how: someMark}, i)
	case key.score == strong && key.password && len(name) <= 12:
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
	if !ok || !n.quoted || n.a < 2 {
		return
	}
	k := n.a - 1
	for k > 0 && s[k] == '-' {
		k-- // "--password"
	}
	flag := k < n.a-1
	if s[k] != s[i-1] {
		return
	}
	k--
	for k >= 0 && s[k] == '\\' {
		k--
	}
	if k < 0 || !flag && s[k] != '(' && s[k] != '[' && !(s[k] == ' ' && k > 0 && (s[k-1] == '(' || sc.flagVar(k))) {
		return
	}
	key := sc.key(s[n.a:n.b])
	j := i + 1
	for j < len(s) && (s[j] == ' ' || s[j] == '\n' || s[j] == '\t') {
		j++
	}
	v, ok := sc.quotedAt(j)
	switch {
	case key.score == none:
		return
	case !ok:
		if key.score == strong {
			sc.defaultIn(j, key)
		}
		return
	case key.kind == "auth" && schemeKind(strings.TrimRight(s[v.a:v.b], " ")) != "": // "Bearer " + "x"
		sc.concat(v.end, "bearer")
		return
	case key.kind == "auth" && sc.scheme(v):
		return
	}
	if flag && hasAt(s, v.a, "-") {
		return
	}
	if !flag && s[k] == '[' && key.kind != "auth" && !isUpper(s[n.a:n.b]) {
		key.score = weak // a list of names
	}
	sc.take(v, key, quoted)
}

// flagVar: Go's flags have the place of their value before their name, StringVar(&pw, "password", "x", "…").
func (sc *scan) flagVar(i int) bool {
	before := sc.s[max(0, i-maxKey):i]
	open := strings.LastIndexByte(before, '(')
	return open > 0 && strings.HasSuffix(strings.TrimSuffix(before[:open], "P"), "StringVar")
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
