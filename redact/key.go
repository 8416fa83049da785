package redact

import "strings"

// score says how surely a name stands for a secret.
type score uint8

const (
	none   score = iota
	weak         // hide a value that looks random
	strong       // hide any literal value
)

// Roles of a word in a name.
const (
	roleSecret    = 1 << iota // names a secret wherever it stands last: password, token
	rolePassword              // … that people choose: any value will do
	roleWeak                  // may name one: session, signature
	roleOf                    // makes "key" the key to something: api, private
	roleNot                   // as the last word names something about a secret: id, file, length
	rolePublic                // anywhere makes it no secret
	roleNotKey                // makes "key" a look-up key: primary, cache
	roleNotToken              // makes "token" a unit of text or a cursor: max, next
	roleGlued                 // also as the beginning of a longer word: passwordb
	roleLikelyKey             // "key" and its plural
	roleCodes                 // "codes"
	roleSpare                 // makes "codes" those that let one in without the second factor
)

// keyName is what the words of a name say.
type keyName struct {
	score    score
	password bool // people choose such values: short ones and plain words count
	digest   bool // values may have the form of a checksum
	kind     string
}

const maxKey = 80 // bytes of a name that are looked at

// backupCode is the kind of the codes that let one in without the second factor.
const backupCode = "backup-code"

// readKey scores a name by its words, whatever way they are joined: apiKey, API_KEY, x-api-key. The last word decides,
// but for what makes it something else (token_id, public_key, max_tokens).
func readKey(name string) keyName {
	if len(name) < 2 || len(name) > maxKey || strings.Contains(name, tagHead) {
		return keyName{}
	}
	var w words
	w.split(name)
	if w.n == 0 {
		return keyName{}
	}
	last, all := w.role[w.n-1], w.any
	switch {
	case last&roleNot != 0, all&rolePublic != 0 && all&rolePassword == 0:
		return keyName{}
	case last&roleLikelyKey != 0:
		return w.key(all)
	case last&roleCodes != 0 && all&roleSpare != 0:
		return keyName{score: strong, password: true, kind: backupCode}
	case last&roleSecret != 0:
		if all&roleNotToken != 0 && w.kind[w.n-1] == "token" {
			return keyName{score: weak, kind: "token"}
		}
		return keyName{score: strong, password: last&rolePassword != 0, kind: w.kind[w.n-1]}
	case last&roleWeak != 0:
		return keyName{score: weak, digest: w.kind[w.n-1] == "token", kind: w.kind[w.n-1]}
	}
	for i := int(w.n) - 1; i >= 0; i-- {
		if w.role[i]&roleSecret == 0 {
			continue
		}
		if w.role[i]&roleNotToken != 0 || all&roleNotToken != 0 {
			return keyName{}
		}
		if w.role[i]&rolePassword != 0 {
			return keyName{score: strong, password: true, kind: w.kind[i]}
		}
		if all&roleLikelyKey != 0 {
			return keyName{score: strong, kind: "key"} // SECRET_KEY_BASE
		}
		return keyName{score: weak, kind: w.kind[i]}
	}
	return keyName{}
}

func (w *words) key(all uint16) keyName {
	switch {
	case all&(roleOf|roleSecret) != 0:
		return keyName{score: strong, kind: "key"}
	case w.n > 1 && all&roleNotKey == 0:
		return keyName{score: weak, digest: true, kind: "key"}
	}
	return keyName{}
}

// words are the words of a name: their roles, and the kinds of secrets they name.
type words struct {
	role [12]uint16
	kind [12]string
	n    uint8
	any  uint16
}

func (w *words) split(name string) {
	var buf [maxKey]byte
	from := 0
	for i := range len(name) {
		c := name[i]
		switch {
		case c >= 'A' && c <= 'Z':
			prevLower := i > 0 && name[i-1] >= 'a' && name[i-1] <= 'z'
			lastOfRun := i > 0 && i+1 < len(name) && name[i-1] >= 'A' && name[i-1] <= 'Z' &&
				name[i+1] >= 'a' && name[i+1] <= 'z' && (name[i+1] != 's' || i+2 < len(name))
			if prevLower || lastOfRun {
				w.add(buf[from:i])
				from = i
			}
			buf[i] = c + 'a' - 'A'
		case c >= 'a' && c <= 'z':
			buf[i] = c
		case c == '1' && hasAt(name, i, "1password"):
			buf[i] = c // a product's name
		default:
			w.add(buf[from:i])
			from = i + 1
		}
	}
	w.add(buf[from:len(name)])
}

func (w *words) add(word []byte) {
	if len(word) == 0 || int(w.n) == len(w.role) {
		return
	}
	role, kind := lookWord(word)
	w.role[w.n], w.kind[w.n] = role, kind
	w.any |= role
	w.n++
}

func lookWord(word []byte) (role uint16, kind string) {
	if word[0] == '1' {
		return 0, ""
	}
	lo, hi := 0, len(keyWords)
	for lo < hi {
		m := (lo + hi) / 2
		switch t := keyWords[m].text; { // most are told apart by their first letter
		case t[0] < word[0]:
			lo = m + 1
		case t[0] > word[0]:
			hi = m
		case string(word) == t:
			return keyWords[m].role, wordKinds[keyWords[m].kind]
		case string(word) < t:
			hi = m
		default:
			lo = m + 1
		}
	}
	if len(word) < 6 {
		return 0, ""
	}
	for i := range gluedWords {
		g := &gluedWords[i]
		if n := len(word) - len(g.text); n >= 0 && string(word[n:]) == g.text ||
			g.role&roleGlued != 0 && n > 0 && string(word[:len(g.text)]) == g.text {
			return g.role, wordKinds[g.kind]
		}
	}
	return 0, ""
}

type keyWord struct {
	text string
	role uint16
	kind wordKind
}

// wordKind is the kind of secret that a word names, an index of wordKinds; 0 is none.
type wordKind uint8

const (
	kindAuth wordKind = iota + 1
	kindBearer
	kindCookie
	kindDsn
	kindJwt
	kindKey
	kindMnemonic
	kindOtp
	kindPassphrase
	kindPassword
	kindPin
	kindPrivateKey
	kindSalt
	kindSecret
	kindSeed
	kindSession
	kindSignature
	kindToken
)

var wordKinds = [...]string{
	kindAuth:       "auth",
	kindBearer:     "bearer",
	kindCookie:     "cookie",
	kindDsn:        "dsn",
	kindJwt:        "jwt",
	kindKey:        "key",
	kindMnemonic:   "mnemonic",
	kindOtp:        "otp",
	kindPassphrase: "passphrase",
	kindPassword:   "password",
	kindPin:        "pin",
	kindPrivateKey: "private-key",
	kindSalt:       "salt",
	kindSecret:     "secret",
	kindSeed:       "seed",
	kindSession:    "session",
	kindSignature:  "signature",
	kindToken:      "token",
}

// gluedWords count alone and as the end of a longer word.
var gluedWords = [...]keyWord{
	{"password", roleSecret | rolePassword | roleGlued, kindPassword},
	{"passwd", roleSecret | rolePassword | roleGlued, kindPassword},
	{"passphrase", roleSecret | rolePassword | roleGlued, kindPassphrase},
	{"secret", roleSecret, kindSecret},
	{"token", roleSecret, kindToken},
	{"apikey", roleSecret, kindKey},
	{"secretkey", roleSecret, kindKey},
	{"accesskey", roleSecret, kindKey},
	{"privatekey", roleSecret, kindPrivateKey},
	{"credential", roleSecret, kindSecret},
	{"pass", roleSecret | rolePassword, kindPassword},
	{"pwd", roleSecret | rolePassword, kindPassword},
	{"authkey", roleSecret, kindKey},
}

// keyWords are sorted.
var keyWords = [...]keyWord{
	{"access", roleOf, 0},
	{"account", roleOf, 0},
	{"active", roleNot, 0},
	{"adgangskode", roleSecret | rolePassword, kindPassword},
	{"admin", roleOf, 0},
	{"aes", roleOf, 0},
	{"age", roleNot, 0},
	{"alg", roleNot, 0},
	{"algorithm", roleNot, 0},
	{"alias", roleNot | roleNotKey, 0},
	{"api", roleOf, 0},
	{"apikey", roleSecret, kindKey},
	{"apikeys", roleSecret, kindKey},
	{"apisecret", roleSecret, kindSecret},
	{"apitoken", roleSecret, kindToken},
	{"app", roleOf, 0},
	{"application", roleOf, 0},
	{"arn", roleNot, 0},
	{"arrow", roleNotKey, 0},
	{"at", roleNot, 0},
	{"auth", roleOf | roleWeak, kindAuth},
	{"authkey", roleSecret, kindKey},
	{"authorization", roleOf | roleWeak, kindAuth},
	{"authtok", roleSecret | rolePassword, kindPassword},
	{"authtoken", roleSecret, kindToken},
	{"autocomplete", roleNot, 0},
	{"backup", roleSpare, 0},
	{"bearer", roleOf | roleWeak, kindBearer},
	{"bos", roleNotToken, 0},
	{"bot", roleOf, 0},
	{"bucket", roleNotKey, 0},
	{"budget", roleNot, 0},
	{"bypass", 0, 0},
	{"bytes", roleNot, 0},
	{"cache", roleNotKey, 0},
	{"callback", roleNot, 0},
	{"cancel", roleNotToken, 0},
	{"cancellation", roleNotToken, 0},
	{"changed", roleNot, 0},
	{"chat", roleOf, 0},
	{"check", roleNot, 0},
	{"class", roleNot | roleNotKey, 0},
	{"client", roleOf, 0},
	{"codes", roleCodes, 0},
	{"column", roleNot | roleNotKey, 0},
	{"compass", 0, 0},
	{"completion", roleNotToken, 0},
	{"composite", roleNotKey, 0},
	{"config", roleNotKey, 0},
	{"consumer", roleOf, 0},
	{"context", roleNot, 0},
	{"continuation", roleNotToken, 0},
	{"contrasena", roleSecret | rolePassword, kindPassword},
	{"cookie", roleWeak, kindCookie},
	{"cookies", roleWeak, kindCookie},
	{"count", roleNot, 0},
	{"cred", roleSecret, kindSecret},
	{"credential", roleSecret, kindSecret},
	{"credentials", roleSecret, kindSecret},
	{"creds", roleSecret, kindSecret},
	{"crypto", roleOf, 0},
	{"csrf", roleNotToken, 0},
	{"date", roleNot, 0},
	{"db", roleOf, 0},
	{"decryption", roleOf, 0},
	{"deploy", roleOf, 0},
	{"description", roleNot, 0},
	{"digest", roleNot, 0},
	{"dir", roleNot, 0},
	{"disabled", roleNot, 0},
	{"down", roleNotKey, 0},
	{"dsn", roleWeak, kindDsn},
	{"enabled", roleNot, 0},
	{"encoding", roleNot, 0},
	{"encompass", 0, 0},
	{"encryption", roleOf, 0},
	{"endpoint", roleNot, 0},
	{"enter", roleNotKey, 0},
	{"env", roleNot, 0},
	{"eos", roleNotToken, 0},
	{"error", roleNot, 0},
	{"event", roleNotKey, 0},
	{"existing", roleNotToken | rolePublic, 0},
	{"exp", roleNot, 0},
	{"expected", roleNotToken, 0},
	{"expired", roleNot, 0},
	{"expires", roleNot, 0},
	{"expiry", roleNot, 0},
	{"fernet", roleOf, 0},
	{"field", roleNot | roleNotKey, 0},
	{"file", roleNot | roleNotKey, 0},
	{"filename", roleNot, 0},
	{"fingerprint", roleNot, 0},
	{"foreign", roleNotKey, 0},
	{"forgot", roleNot, 0},
	{"format", roleNot, 0},
	{"generator", roleNot, 0},
	{"geslo", roleSecret | rolePassword, kindPassword},
	{"gpg", roleNotKey, 0},
	{"group", roleNotKey, 0},
	{"handler", roleNot, 0},
	{"hash", roleNot | roleNotKey, 0},
	{"hasher", roleNot, 0},
	{"hashers", roleNot, 0},
	{"hashes", roleNot, 0},
	{"header", roleNot, 0},
	{"help", roleNot, 0},
	{"heslo", roleSecret | rolePassword, kindPassword},
	{"hint", roleNot, 0},
	{"hmac", roleOf, 0},
	{"host", roleNot | roleNotKey, 0},
	{"hot", roleNotKey, 0},
	{"id", roleNot, 0},
	{"idempotency", roleNotKey, 0},
	{"ids", roleNot, 0},
	{"in", roleNot, 0},
	{"index", roleNot | roleNotKey, 0},
	{"ingest", roleOf, 0},
	{"input", roleNotToken | roleNot, 0},
	{"integration", roleOf, 0},
	{"invalid", roleNot, 0},
	{"issuer", roleNot, 0},
	{"jwt", roleWeak | roleOf, kindJwt},
	{"kennwort", roleSecret | rolePassword, kindPassword},
	{"key", roleLikelyKey, kindKey},
	{"keypass", roleSecret | rolePassword, kindPassword},
	{"keys", roleLikelyKey, kindKey},
	{"kind", roleNot, 0},
	{"label", roleNot | roleNotKey, 0},
	{"lang", roleNotKey, 0},
	{"last", roleNotToken, 0},
	{"len", roleNot, 0},
	{"length", roleNot, 0},
	{"license", roleOf, 0},
	{"limit", roleNot, 0},
	{"list", roleNot, 0},
	{"locale", roleNotKey, 0},
	{"login", roleWeak, kindToken},
	{"lookup", roleNotKey, 0},
	{"lozinka", roleSecret | rolePassword, kindPassword},
	{"machine", roleNot, 0},
	{"manager", roleNot, 0},
	{"map", roleNotKey | roleNot, 0},
	{"mask", roleNotToken | roleNot, 0},
	{"master", roleOf, 0},
	{"masterauth", roleSecret | rolePassword, kindPassword},
	{"max", roleNot | roleNotToken, 0},
	{"mdp", roleSecret | rolePassword, kindPassword},
	{"merchant", roleOf, 0},
	{"message", roleNot, 0},
	{"metadata", roleNot, 0},
	{"mgr", roleNot, 0},
	{"min", roleNot | roleNotToken, 0},
	{"minipass", 0, 0},
	{"missing", roleNot, 0},
	{"mnemonic", roleSecret | rolePassword, kindMnemonic},
	{"model", roleNot, 0},
	{"multipass", 0, 0},
	{"name", roleNot | roleNotKey, 0},
	{"names", roleNot, 0},
	{"natural", roleNotKey, 0},
	{"next", roleNotToken, 0},
	{"num", roleNotToken | roleNot, 0},
	{"oauth", roleWeak, kindToken},
	{"object", roleNotKey, 0},
	{"oldpwd", 0, 0},
	{"option", roleNot, 0},
	{"options", roleNot, 0},
	{"order", roleNotKey, 0},
	{"otp", roleWeak, kindOtp},
	{"output", roleNotToken, 0},
	{"overpass", 0, 0},
	{"owner", roleNot, 0},
	{"pad", roleNotToken, 0},
	{"page", roleNotToken | roleNotKey, 0},
	{"parola", roleSecret | rolePassword, kindPassword},
	{"partition", roleNotKey, 0},
	{"pass", roleSecret | rolePassword, kindPassword},
	{"passcode", roleSecret | rolePassword, kindPassword},
	{"passe", roleSecret | rolePassword, kindPassword},
	{"passord", roleSecret | rolePassword, kindPassword},
	{"passphrase", roleSecret | rolePassword, kindPassphrase},
	{"passwd", roleSecret | rolePassword, kindPassword},
	{"password", roleSecret | rolePassword, kindPassword},
	{"passwords", roleSecret | rolePassword, kindPassword},
	{"passwort", roleSecret | rolePassword, kindPassword},
	{"pat", roleWeak, kindToken}, // often a pattern
	{"path", roleNot | roleNotKey, 0},
	{"pattern", roleNot, 0},
	{"pepper", roleWeak, kindSalt},
	{"per", roleNotToken, 0},
	{"phrase", roleWeak, kindMnemonic},
	{"pin", roleWeak, kindPin},
	{"placeholder", roleNot, 0},
	{"policy", roleNot, 0},
	{"position", roleNot, 0},
	{"prefix", roleNot | roleNotKey, 0},
	{"preshared", roleOf, 0},
	{"press", roleNotKey, 0},
	{"primary", roleNotKey, 0},
	{"priv", roleOf, 0},
	{"private", roleOf, 0},
	{"privkey", roleSecret, kindPrivateKey},
	{"project", roleOf, 0},
	{"prompt", roleNotToken | roleNot, 0},
	{"provider", roleNot, 0},
	{"psk", roleSecret | rolePassword, kindPassword},
	{"psw", roleSecret | rolePassword, kindPassword},
	{"pub", rolePublic, 0},
	{"public", rolePublic, 0},
	{"publishable", rolePublic, 0},
	{"pvt", roleOf, 0},
	{"pvtkey", roleSecret, kindPrivateKey},
	{"pw", roleSecret | rolePassword, kindPassword},
	{"pwd", roleSecret | rolePassword, kindPassword},
	{"query", roleNotKey, 0},
	{"react", roleNotKey, 0},
	{"receive", roleNotKey, 0},
	{"recovery", roleSpare, 0},
	{"recv", roleNotKey, 0},
	{"ref", roleNot, 0},
	{"regex", roleNot, 0},
	{"region", roleNot, 0},
	{"registry", roleNotKey, 0},
	{"renderpass", 0, 0},
	{"required", roleNot, 0},
	{"reset", roleNot, 0},
	{"role", roleOf, 0},
	{"route", roleNot | roleNotKey, 0},
	{"row", roleNotKey, 0},
	{"rules", roleNot, 0},
	{"salasana", roleSecret | rolePassword, kindPassword},
	{"salt", roleWeak, kindSalt},
	{"sandi", roleSecret | rolePassword, kindPassword},
	{"schema", roleNot | roleNotKey, 0},
	{"scope", roleNot, 0},
	{"secret", roleSecret | roleOf, kindSecret},
	{"secrets", roleSecret | roleOf, kindSecret},
	{"security", roleOf, 0},
	{"seed", roleWeak, kindSeed},
	{"send", roleOf, 0},
	{"senha", roleSecret | rolePassword, kindPassword},
	{"sep", roleNotToken, 0},
	{"sequence", roleNotKey, 0},
	{"server", roleOf, 0},
	{"service", roleOf, 0},
	{"session", roleOf | roleWeak, kindSession},
	{"sessionid", roleWeak, kindSession},
	{"shared", roleOf, 0},
	{"sid", roleWeak, kindSession},
	{"sig", roleWeak, kindSignature},
	{"sign", roleOf, 0},
	{"signature", roleWeak, kindSignature},
	{"signing", roleOf, 0},
	{"size", roleNot, 0},
	{"socket", roleNotKey, 0},
	{"sort", roleNotKey, 0},
	{"ssh", roleOf, 0},
	{"state", roleNotKey, 0},
	{"status", roleNot, 0},
	{"stdin", roleNot, 0},
	{"stop", roleNotToken, 0},
	{"storage", roleOf, 0},
	{"store", roleNot, 0},
	{"storepass", roleSecret | rolePassword, kindPassword},
	{"strategy", roleNot, 0},
	{"stream", roleOf, 0},
	{"strength", roleNot, 0},
	{"style", roleNot, 0},
	{"subscription", roleOf, 0},
	{"surpass", 0, 0},
	{"text", roleNot, 0},
	{"through", roleNot, 0},
	{"time", roleNot, 0},
	{"timeout", roleNot, 0},
	{"title", roleNot, 0},
	{"tls", roleOf, 0},
	{"token", roleSecret | roleOf, kindToken},
	{"tokens", roleWeak, kindToken},
	{"total", roleNotToken, 0},
	{"totp", roleWeak, kindOtp},
	{"translation", roleNotKey, 0},
	{"trespass", 0, 0},
	{"ttl", roleNot, 0},
	{"type", roleNot | roleNotKey, 0},
	{"types", roleNot, 0},
	{"underpass", 0, 0},
	{"unique", roleNotKey, 0},
	{"unk", roleNotToken, 0},
	{"up", roleNotKey, 0},
	{"uri", roleNot, 0},
	{"url", roleNot, 0},
	{"urls", roleNot, 0},
	{"usage", roleNot, 0},
	{"used", roleNot, 0},
	{"user", roleOf, 0},
	{"username", roleNot, 0},
	{"uses", roleNot, 0},
	{"valid", roleNot, 0},
	{"version", roleNot, 0},
	{"vocab", roleNotToken, 0},
	{"wachtwoord", roleSecret | rolePassword, kindPassword},
	{"webhook", roleOf, 0},
	{"write", roleOf, 0},
	{"x", roleOf, 0},
}
