package redact

import "strings"

// place is where a value stands; it decides how much a value must look like a secret.
type place uint8

const (
	bare   place = iota // unquoted in code: token = x
	line                // unquoted, to the end of a line of configuration or prose: password: x
	env                 // NAME=value without blanks: a shell, an .env file, a query
	quoted              // a string of a program or document
	slot                // where nothing but a secret belongs: after --password, in a URL's userinfo
)

const maxLiteral = 4096 // longer values are hidden without looking at their words

// literal says whether v, the value of key, is a secret itself and not the name of one: a variable, a type, a
// placeholder, a label. All rules ask here.
func literal(v string, key keyName, at place) bool {
	if v == "" || len(v) > maxLiteral && key.score != strong || isReference(v[:min(len(v), maxLiteral)]) {
		return false
	}
	if len(v) > maxLiteral {
		return key.score == strong && strings.IndexByte(v[:maxLiteral], ' ') < 0
	}
	if key.kind == userKey && at != bare {
		at = slot // a person said so
	}
	if isPlaceholder(v) || isWord(v) || isWords(v) || at != slot && (isVersion(v) && (!key.password || strings.IndexByte("^~<>=", v[0]) >= 0) || isNumber(v) && !(key.score == strong && at == quoted && len(v) > 10 && len(v) <= 18) || isColour(v)) {
		return false
	}
	c := count(v)
	if key.score != strong {
		inCode := (at == bare || at == line) && isName(strings.TrimRight(v, ":"))
		return c.looksRandom(v, key) && (!inCode || machineMade(v))
	}
	if c.spaces > 0 {
		return c.phrase(v, key, at)
	}
	if c.digits == len(v) {
		return c.number(key, at)
	}
	if c.other > 0 && c.digits == 0 && at != slot {
		return false // a label in another script
	}
	if c.digits == 0 && c.joins > 0 && !key.password && readKey(v).score == strong {
		return false // the name of a secret: --secret=db-password
	}
	if !key.password && at != quoted && isKeyFile(v) {
		return false
	}
	if v[0] == '(' && at <= line && c.digits == 0 {
		return false // (optional, …
	}
	if (at == line || at == bare) && !key.password && isName(v) && c.lower > 0 && c.upper > 0 && readKey(v).score == strong && !machineMade(v) {
		return false // the variable that holds it: testPrivateKey2
	}
	switch at {
	case slot:
		return true
	case env:
		return len(v) > 2
	case quoted:
		return c.quoted(v, key)
	case line:
		if c.digits == 0 && c.marks == 0 {
			if pairs, rare := rarePairs(v); pairs >= 10 && pairs == len(v)-1 && rare*2 >= pairs {
				return true // no word, in any language
			}
			return key.password && (c.lower == len(v) && len(v) >= 9 || c.lower+c.upper == len(v) && c.upper > 1 && c.lower > 2 && len(v) >= 8)
		}
		return !c.codeLike(v) && (key.password && len(v) >= 5 || len(v) >= 8) && 2*(c.digits+c.lower+c.upper+c.other) >= len(v)
	default:
		identifier := c.lower > 0 && c.upper > 0 && isName(v) && !machineMade(v) && !(key.password && c.digits > 1 && c.changes > 4)
		return key.password && scrambled(v) && !c.codeLike(v) || c.digits > 0 && len(v) >= 6 && !c.codeLike(v) && !identifier
	}
}

// counts are how many bytes of each sort a value has.
type counts struct{ digits, lower, upper, spaces, joins, marks, other, changes int }

func count(v string) (c counts) {
	sort, last := 0, 0
	for i := range len(v) {
		switch b := v[i]; {
		case b >= '0' && b <= '9':
			c.digits++
			sort = 1
		case b >= 'a' && b <= 'z':
			c.lower++
			sort = 2
		case b >= 'A' && b <= 'Z':
			c.upper++
			sort = 3
		case b == ' ' || b == '\t' || b == '\n' || b == '\r':
			c.spaces++
			sort = 0
		case b == '_' || b == '-' || b == '.' || b == '/' || b == ':':
			c.joins++
			sort = last
		case b >= 0x80:
			c.other++
		default:
			c.marks++
			sort = 4
		}
		if sort != last {
			c.changes++
			last = sort
		}
	}
	return c
}

// looksRandom is asked of values of names that do not surely mean a secret.
func (c counts) looksRandom(v string, key keyName) bool {
	if key.kind == "mnemonic" {
		return c.seedPhrase()
	}
	if key.kind == "pin" && c.digits == len(v) && len(v) >= 6 && len(v) <= 8 {
		return true
	}
	if len(v) < 16 || c.spaces > 0 || c.other > 0 || c.digits < 2 || c.lower+c.upper < 3 || isCall(v) || (isUUID(v) || isDigest(v)) && !key.digest {
		return false
	}
	if key.digest && (isUUID(v) || c.generated(v)) {
		return true
	}
	if strings.HasPrefix(v, "http:") || strings.HasPrefix(v, "https:") || c.joins > 3 && c.changes*3 < len(v) {
		return false
	}
	return c.changes*5 >= len(v) && distinct(v) >= 8
}

// generated says that only a machine makes such a text: long, of letters and digits, of many kinds.
func (c counts) generated(v string) bool {
	return len(v) >= 14 && c.digits >= 2 && c.lower+c.upper >= 2 && c.spaces+c.other+c.marks <= 1 && distinct(v) >= 8 && (c.changes*6 >= len(v) || isDigest(v) || c.digits >= 6)
}

// phrase is asked of values with blanks.
func (c counts) phrase(v string, key keyName, at place) bool {
	if at == slot {
		return true
	}
	if at == bare || at == env || c.spaces > 11 && !c.seedPhrase() {
		return false
	}
	if key.score == strong && c.spaces <= 2 {
		for w := range strings.FieldsSeq(v) {
			if n := count(w); len(w) >= 32 && n.digits > 1 && n.lower > 1 && n.upper > 1 && distinct(w) >= 16 {
				return true // scheme and token in one string
			}
		}
	}
	if !key.password {
		return false
	}
	if c.seedPhrase() {
		return true
	}
	if c.spaces > 3 {
		return false
	}
	for w := range strings.FieldsSeq(v) {
		if n := count(w); n.digits > 0 && n.lower+n.upper > 0 && len(w) >= 5 && !isWord(w) {
			return true
		}
	}
	return false
}

// seedPhrase: twelve to twenty-four lower-case words.
func (c counts) seedPhrase() bool {
	return c.spaces >= 11 && c.spaces <= 23 && c.digits+c.upper+c.marks+c.joins+c.other == 0
}

func (c counts) number(key keyName, at place) bool {
	switch at {
	case slot:
		return c.digits >= 3
	case env, quoted:
		return c.digits >= 4 && (key.password || c.digits >= 6)
	case line:
		return key.password && c.digits >= 6
	}
	return false
}

// quoted is asked of strings without blanks under a name that surely means a secret.
func (c counts) quoted(v string, key keyName) bool {
	switch {
	case c.digits > 0 || c.marks > 0:
		return len(v) >= 3 && !isCall(v)
	case c.joins > 0:
		if c.lower == 0 && isName(v) {
			return false // the name of a constant
		}
		// Without a digit, words joined by - or _ are more often names (db-credentials, token_type).
		return len(v) >= 20 && c.upper > 2 && c.lower > 2 || key.password && c.joins >= 3 && len(v) >= 16 && !strings.Contains(v, "/")
	case c.upper == 1 && len(v) < 16 && v[0] >= 'A' && v[0] <= 'Z':
		return false // a label
	default:
		return len(v) >= 8
	}
}

// isKeyFile: the name of a file that holds a key.
func isKeyFile(v string) bool {
	switch dot := strings.LastIndexByte(v, '.'); v[dot+1:] {
	case "pem", "key", "gpg", "asc", "p12", "pub", "crt", "pfx", "jks", "json":
		return dot > 0 && !scrambled(v[:dot])
	}
	return false
}

// scrambled says that letters, cases and digits change in v as they do in no word and in no name of a program.
func scrambled(v string) bool {
	c := count(v)
	if len(v) < 8 || c.spaces+c.other > 0 || c.lower == 0 || c.lower+c.upper < 4 {
		return false
	}
	pairs, rare := rarePairs(v)
	return c.changes*2 >= len(v) && c.upper+c.digits+c.marks > 1 || pairs >= 8 && rare*2 >= pairs
}

// chosen says that people choose v for a password rather than for a name.
func chosen(v string) bool {
	c := count(v)
	return c.digits+c.marks > 0 || scrambled(v)
}

// codeLike: a call, an index, a field of something.
func (c counts) codeLike(v string) bool {
	if t := strings.TrimLeft(v, "*&[]()!"); len(t) < len(v) && t != "" {
		v = t
		c = count(v)
	}
	if p := strings.IndexByte(v, '{'); p > 0 && isName(v[:p]) {
		return true
	}
	if isCall(v) || strings.IndexByte(v, '[') > 0 {
		return true
	}
	dot := strings.IndexByte(v, '.')
	if dot <= 0 || c.marks > 0 || c.joins > strings.Count(v, ".") && c.digits > 2 {
		return false
	}
	if tail := count(v[dot+1:]); isName(v) && tail.digits == 0 && tail.upper > 0 && tail.lower > 2 {
		return true // win32api.RegEnumKey
	}
	if end := v[strings.LastIndexByte(v, '.')+1:]; c.upper > 0 && isDigits(end) {
		return false // no field is a number
	}
	head := count(v[:dot])
	return head.digits == 0 && head.lower+head.upper == dot && dot < 12 && c.digits < 4
}

func isCall(v string) bool {
	p := strings.IndexByte(v, '(')
	if p <= 0 {
		return false
	}
	callee := v[:p]
	if k := max(strings.LastIndex(callee, "::"), strings.LastIndex(callee, "->")); k > 0 && isName(callee[k+2:]) {
		return true // Str::random(60
	}
	return strings.HasSuffix(v, ")") || strings.HasSuffix(v[:p+1], "((") || isName(callee)
}

func isName(v string) bool {
	for i := range len(v) {
		if class[v[i]]&setDots == 0 || v[i] == '-' {
			return false
		}
	}
	return v != "" && (v[0] < '0' || v[0] > '9')
}

func isDigits(v string) bool { return v != "" && count(v).digits == len(v) }

func isHex(v string) bool {
	for i := range len(v) {
		if class[v[i]]&setHex == 0 {
			return false
		}
	}
	return v != ""
}

func distinct(v string) int {
	var seen [4]uint64
	n := 0
	for i := range len(v) {
		if bit := uint64(1) << (v[i] & 63); seen[v[i]>>6]&bit == 0 {
			seen[v[i]>>6] |= bit
			n++
		}
	}
	return n
}

// isUUID: 8-4-4-4-12 hex digits.
func isUUID(v string) bool {
	if len(v) != 36 || v[8] != '-' || v[13] != '-' || v[18] != '-' || v[23] != '-' {
		return false
	}
	for i := range len(v) {
		if v[i] != '-' && class[v[i]]&setHex == 0 {
			return false
		}
	}
	return true
}

// isDigest: the shapes of checksums, which stand in lock files and image names.
func isDigest(v string) bool {
	for _, p := range [...]string{"sha1-", "sha256-", "sha384-", "sha512-", "sha256:", "sha512:", "h1:", "md5:", "W/"} {
		if strings.HasPrefix(v, p) {
			return true
		}
	}
	switch len(v) {
	case 32, 40, 56, 64, 96, 128:
	default:
		return false
	}
	for i := range len(v) {
		if class[v[i]]&setHex == 0 || v[i] >= 'A' && v[i] <= 'F' {
			return false
		}
	}
	return true
}

// isReference: text that names where a secret is kept, or how to make one; the judge must see it.
func isReference(v string) bool {
	if len(v) > 300 && v[0] == 'A' && v[1] == 'g' && v[2] >= 'A' && v[2] <= 'D' {
		return true // sealed for a cluster: the length of a wrapped key, and the key
	}
	if hasAt(v, 0, tagHead) {
		return tagAt(v, 0) == len(v) // what only looks like a tag may hide a secret
	}
	switch v[0] {
	case '$':
		if len(v) == 1 || v[1] == '$' {
			return len(v) <= 2
		}
		if v[1] == '{' || v[1] == '(' {
			return true
		}
		if v[1] >= '0' && v[1] <= '9' {
			return len(v) == 2
		}
		return class[v[1]]&setIdent != 0 && (strings.IndexByte(v[1:], '$') < 0 || isName(strings.ReplaceAll(v[1:], "$", ""))) || v[1] == '"' || v[1] == '@' || v[1] == '#' && len(v) == 2 || v[1] == ':'
	case '`':
		return len(v) == 1 || v[len(v)-1] == '`'
	case '<':
		return true
	case '{', '[', '(':
		end := v[len(v)-1]
		return len(v) < 3 || v[0] == '{' && (v[1] == '{' || end == ':') || end == closing(v[0]) && !(len(v) > 32 && machineMade(v[1:len(v)-1]))
	case '%':
		return len(v) > 2 && (v[len(v)-1] == '%' || v[1] == '(' || v[1] == '{' && v[len(v)-1] == '}') || len(v) == 2
	case '#':
		return len(v) > 2 && v[1] == '{' && strings.IndexByte(v, '}') > 2
	case '@':
		return len(v) == 1 || hasAt(v, 0, "@env:") || hasAt(v, 0, "@keychain:") || strings.IndexByte(v, '.') > 0 || v[1] == '/' || v[1] == '-' || v[1] == '@' || v[1] == '{'
	case '/':
		return isPath(v)
	case '~', '.':
		return len(v) == 1 || v[1] == '/' || v[1] == '*' || v[1] == '+' || v[1] == '.' && strings.Trim(v, "./") == ""
	case '!':
		return len(v) > 1 && (hasAt(v, 0, "!Ref") || hasAt(v, 0, "!Sub") || hasAt(v, 0, "!Get") || hasAt(v, 0, "!vault") || hasAt(v, 0, "!!") || hasAt(v, 0, "!secret") || hasAt(v, 0, "!env"))
	case '&', '*', '|':
		return len(v) == 1 || strings.Trim(v, "*|-+&") == "" || v[0] != '|' && isName(v[1:]) && count(v).digits == 0
	}
	if strings.Contains(v, "$(") || isTemplate(v) || holdsVariable(v) {
		return true
	}
	for i := range referenceHeads {
		if h := referenceHeads[i]; v[0] == h[0] && hasAt(v, 0, h) {
			return true
		}
	}
	return false
}

// isTemplate: {{ name }} somewhere in v.
func isTemplate(v string) bool {
	_, in, ok := strings.Cut(v, "{{")
	if !ok {
		return false
	}
	in, _, ok = strings.Cut(in, "}}")
	return ok && !strings.ContainsAny(in, "{}[<>#!;")
}

// holdsVariable: ${NAME} somewhere in v, with or without what a shell may do to it.
func holdsVariable(v string) bool {
	_, in, ok := strings.Cut(v, "${")
	if !ok {
		return false
	}
	j := 0
	for j < len(in) && class[in[j]]&setDots != 0 {
		j++
	}
	return j > 0 && j < len(in) && strings.IndexByte("}:[/#%^,?+ (", in[j]) >= 0 && strings.IndexByte(in[j:], '}') >= 0
}

func closing(c byte) byte {
	switch c {
	case '{':
		return '}'
	case '[':
		return ']'
	}
	return ')'
}

// isPath tells a path from base64 that begins with a slash.
func isPath(v string) bool {
	c := count(v)
	return len(v) < 24 && !(len(v) > 8 && c.digits > 2 && c.upper > 2 && c.lower > 2) ||
		strings.IndexByte(v, '.') >= 0 || strings.IndexByte(v, '-') >= 0 || c.changes*3 < len(v)
}

// referenceHeads begin the names of places where secrets are kept.
var referenceHeads = [...]string{
	"ENC(", "ENC[", "arn:", "app.config", "aws_", "config.", "credentials.", "ctx.", "data.", "env.", "env:", "env(", "environ", "file:", "fileb:",
	"getenv", "https://", "http://", "import.meta", "keyring:", "local.", "module.", "op://", "opts.", "options.", "os.", "params.",
	"id=", "npm:", "pass:env", "process.", "props.", "ref+", "req.", "request.", "secret:", "secretsmanager:", "secrets.", "self.", "settings.", "source=", "src=", "type=",
	"ssm:", "state.", "this.", "var.", "vars.", "vault:", "vault.", "keychain:", "random_", "workspace:", "catalog:",
}

// isPlaceholder: text that stands where a secret will.
func isPlaceholder(v string) bool {
	if hasAt(v, 0, tagHead) {
		return tagAt(v, 0) == len(v)
	}
	if n := distinct(v); n == 1 && (len(v) > 2 && (v[0] < '0' || v[0] > '9') || class[v[0]]&setAlnum == 0) || n == 2 && len(v) >= 3 && strings.Trim(v, "xX*.-#_•") == "" {
		return true
	}
	if strings.HasSuffix(v, "...") || strings.HasSuffix(v, "…") {
		return true
	}
	if strings.Contains(v, "xxxx") || strings.Contains(v, "XXXX") || strings.Contains(v, "****") || strings.Contains(v, "EXAMPLE") {
		return true
	}
	if len(v) > 48 {
		return false
	}
	for i := 0; i < len(v); {
		if class[v[i]]&setAlnum == 0 {
			i++
			continue
		}
		j := i
		for j < len(v) && class[v[j]]&setAlnum != 0 {
			j++
		}
		if inFold(placeholderWords[:], v[i:j]) {
			return true
		}
		i = j
	}
	return false
}

// inFold looks a word up in a sorted list, whatever its case.
func inFold(list []string, word string) bool {
	var buf [24]byte
	if len(word) > len(buf) {
		return false
	}
	for i := range len(word) {
		buf[i] = word[i]
		if c := word[i]; c >= 'A' && c <= 'Z' {
			buf[i] = c + 'a' - 'A'
		}
	}
	w := buf[:len(word)]
	lo, hi := 0, len(list)
	for lo < hi {
		m := (lo + hi) / 2
		switch {
		case string(w) == list[m]:
			return true
		case string(w) < list[m]:
			hi = m
		default:
			lo = m + 1
		}
	}
	return false
}

// isWord: a word of code, configuration or a form that stands where a value is described.
func isWord(v string) bool {
	if c := v[len(v)-1]; c == ';' || c == '?' || c == '!' && isTitle(v) { // String!, as GraphQL has it
		v = v[:len(v)-1]
	}
	if v != "" && v[0] == '[' {
		v = v[strings.IndexByte(v, ']')+1:] // [8]byte
	}
	return inFold(valueWords[:], strings.TrimLeft(v, "*&"))
}

func isTitle(v string) bool { return v[0] >= 'A' && v[0] <= 'Z' && count(v).upper == 1 }

// isWords: such words joined together, as in secret-token and API_KEY_HEADER.
func isWords(v string) bool {
	from, n := 0, 0
	for i := 0; i <= len(v); i++ {
		if i < len(v) && v[i] != '-' && v[i] != '_' {
			continue
		}
		if i == from || !inFold(valueWords[:], v[from:i]) {
			return false
		}
		from = i + 1
		n++
	}
	return n > 1
}

// isVersion: 1.2.3, ^4.0.0, >=1.2, v2.0.0-rc.1, what a dependency is pinned to.
func isVersion(v string) bool {
	bare := strings.TrimLeft(v, "^~<>=")
	if len(bare) == len(v) && len(v) >= 12 {
		return false // may be a key of numbers
	}
	v = strings.TrimPrefix(bare, "v")
	dots, i := 0, 0
	for ; i < len(v) && (v[i] >= '0' && v[i] <= '9' || v[i] == '.'); i++ {
		if v[i] == '.' {
			dots++
		}
	}
	rest := v[i:]
	return i > 0 && v[0] != '.' && v[i-1] != '.' && dots > 0 && dots < 4 && i < 16 && (rest == "" || len(rest) < 12 && (rest[0] == '-' || rest[0] == '+'))
}

// isNumber: 0x80107447, a constant of a program; or the address of an account, which is as public.
func isNumber(v string) bool {
	v = strings.TrimPrefix(v, "-")
	return len(v) > 2 && (len(v) <= 18 || len(v) == 42) && v[0] == '0' && v[1]|0x20 == 'x' && isHex(strings.ReplaceAll(v[2:], "_", ""))
}

// isColour: #f8f8f2.
func isColour(v string) bool {
	return v[0] == '#' && (len(v) == 4 || len(v) == 7 || len(v) == 9) && isHex(v[1:])
}

// placeholderWords are sorted; a value that has one among its words stands for another.
var placeholderWords = [...]string{
	"changeit", "changeme", "dummy", "example", "fixme", "insert", "placeholder", "redacted", "replace", "replaceme", "sample", "tbd", "todo", "xxx", "your",
	"yourkey", "yourpassword", "yoursecret", "yourtoken",
}

// valueWords are sorted.
var valueWords = [...]string{
	"access", "aes256", "always", "any", "api_key", "apikey", "argon2", "argon2id", "array", "async", "auth", "auto", "await",
	"base64", "basic", "bcrypt", "bearer", "body", "bool", "boolean", "byte", "bytes", "call", "char", "class", "const", "cookie",
	"crammd5", "credentials", "data", "date", "datetime", "default", "deny", "dict", "digest", "disabled", "double", "ed25519",
	"email", "empty", "enabled", "encrypted", "env", "error", "es256", "expired", "false", "field", "file", "float", "float32",
	"float64", "func", "function", "guest", "hash", "header", "hidden", "hs256", "http2", "i32", "i64", "ident", "identifier",
	"ignore", "include", "incorrect", "int", "int16", "int32", "int64", "int8", "integer", "invalid", "is", "jwt", "k8s", "key",
	"keyword", "lax", "list", "localhost", "long", "map", "md5", "missing", "mixed", "never", "new", "nil", "no", "none", "not",
	"null", "nullable", "number", "nvarchar", "oauth", "oauth2", "object", "off", "omit", "on", "optional", "pass", "passwd",
	"password", "passwort", "pbkdf2", "phone", "plaintext", "private", "prompt", "public", "query", "read", "refresh", "required",
	"return", "rs256", "rune", "same-origin", "scram-sha-1", "scram-sha-256", "scrypt", "secret", "secretstr", "secretstring", "securestring", "self", "session",
	"sha-256", "sha-512", "sha1", "sha256", "sha512", "stdin", "str", "strict", "string", "struct", "success", "test", "testing",
	"text", "this", "timestamp", "token", "true", "type", "u32", "u64", "u8", "uint", "uint16", "uint32", "uint64", "uint8",
	"undefined", "unique", "unknown", "uri", "url", "user", "username", "usize", "utf-8", "utf8", "uuid", "uuid4", "value",
	"varchar", "varchar2", "void", "with", "write", "wrong", "x509", "yes",
}
