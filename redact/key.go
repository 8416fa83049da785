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
)

// keyName is what the words of a name say.
type keyName struct {
	score    score
	password bool // people choose such values: short ones and plain words count
	digest   bool // values may have the form of a checksum
	kind     string
}

const maxKey = 80 // bytes of a name that are looked at

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
	case last&roleSecret != 0:
		if all&roleNotToken != 0 && last&rolePassword == 0 {
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
		switch t := keyWords[m].text; {
		case string(word) == t:
			return keyWords[m].role, keyWords[m].kind
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
			return g.role, g.kind
		}
	}
	return 0, ""
}

type keyWord struct {
	text string
	role uint16
	kind string
}

// gluedWords count alone and as the end of a longer word.
var gluedWords = [...]keyWord{
	{"password", roleSecret | rolePassword | roleGlued, "password"},
	{"passwd", roleSecret | rolePassword | roleGlued, "password"},
	{"passphrase", roleSecret | rolePassword | roleGlued, "passphrase"},
	{"secret", roleSecret, "secret"},
	{"token", roleSecret, "token"},
	{"apikey", roleSecret, "key"},
	{"secretkey", roleSecret, "key"},
	{"accesskey", roleSecret, "key"},
	{"privatekey", roleSecret, "private-key"},
	{"credential", roleSecret, "secret"},
	{"pass", roleSecret | rolePassword, "password"},
	{"pwd", roleSecret | rolePassword, "password"},
	{"authkey", roleSecret, "key"},
}

// keyWords are sorted.
var keyWords = [...]keyWord{
	{"access", roleOf, ""},
	{"account", roleOf, ""},
	{"active", roleNot, ""},
	{"admin", roleOf, ""},
	{"age", roleNot, ""},
	{"alg", roleNot, ""},
	{"algorithm", roleNot, ""},
	{"alias", roleNot | roleNotKey, ""},
	{"api", roleOf, ""},
	{"apikey", roleSecret, "key"},
	{"apikeys", roleSecret, "key"},
	{"apisecret", roleSecret, "secret"},
	{"apitoken", roleSecret, "token"},
	{"app", roleOf, ""},
	{"application", roleOf, ""},
	{"arn", roleNot, ""},
	{"arrow", roleNotKey, ""},
	{"at", roleNot, ""},
	{"auth", roleOf | roleWeak, "auth"},
	{"authkey", roleSecret, "key"},
	{"authorization", roleOf | roleWeak, "auth"},
	{"authtoken", roleSecret, "token"},
	{"autocomplete", roleNot, ""},
	{"bearer", roleOf | roleWeak, "bearer"},
	{"bos", roleNotToken, ""},
	{"bot", roleOf, ""},
	{"bucket", roleNotKey, ""},
	{"budget", roleNot, ""},
	{"bypass", 0, ""},
	{"bytes", roleNot, ""},
	{"cache", roleNotKey, ""},
	{"callback", roleNot, ""},
	{"cancel", roleNotToken, ""},
	{"cancellation", roleNotToken, ""},
	{"changed", roleNot, ""},
	{"chat", roleOf, ""},
	{"check", roleNot, ""},
	{"class", roleNot | roleNotKey, ""},
	{"client", roleOf, ""},
	{"column", roleNot | roleNotKey, ""},
	{"compass", 0, ""},
	{"completion", roleNotToken, ""},
	{"composite", roleNotKey, ""},
	{"config", roleNotKey, ""},
	{"consumer", roleOf, ""},
	{"context", roleNot, ""},
	{"continuation", roleNotToken, ""},
	{"cookie", roleWeak, "cookie"},
	{"cookies", roleWeak, "cookie"},
	{"count", roleNot, ""},
	{"cred", roleSecret, "secret"},
	{"credential", roleSecret, "secret"},
	{"credentials", roleSecret, "secret"},
	{"creds", roleSecret, "secret"},
	{"crypto", roleOf, ""},
	{"csrf", roleNotToken, ""},
	{"date", roleNot, ""},
	{"db", roleOf, ""},
	{"decryption", roleOf, ""},
	{"deploy", roleOf, ""},
	{"description", roleNot, ""},
	{"digest", roleNot, ""},
	{"dir", roleNot, ""},
	{"disabled", roleNot, ""},
	{"down", roleNotKey, ""},
	{"dsn", roleWeak, "dsn"},
	{"enabled", roleNot, ""},
	{"encoding", roleNot, ""},
	{"encompass", 0, ""},
	{"encryption", roleOf, ""},
	{"endpoint", roleNot, ""},
	{"enter", roleNotKey, ""},
	{"env", roleNot, ""},
	{"eos", roleNotToken, ""},
	{"error", roleNot, ""},
	{"event", roleNotKey, ""},
	{"exp", roleNot, ""},
	{"expected", roleNotToken, ""},
	{"expired", roleNot, ""},
	{"expires", roleNot, ""},
	{"expiry", roleNot, ""},
	{"field", roleNot | roleNotKey, ""},
	{"file", roleNot | roleNotKey, ""},
	{"filename", roleNot, ""},
	{"fingerprint", roleNot, ""},
	{"foreign", roleNotKey, ""},
	{"forgot", roleNot, ""},
	{"format", roleNot, ""},
	{"generator", roleNot, ""},
	{"gpg", roleNotKey, ""},
	{"group", roleNotKey, ""},
	{"handler", roleNot, ""},
	{"hash", roleNot | roleNotKey, ""},
	{"hasher", roleNot, ""},
	{"hashers", roleNot, ""},
	{"hashes", roleNot, ""},
	{"header", roleNot, ""},
	{"help", roleNot, ""},
	{"hint", roleNot, ""},
	{"host", roleNot | roleNotKey, ""},
	{"hot", roleNotKey, ""},
	{"id", roleNot, ""},
	{"idempotency", roleNotKey, ""},
	{"ids", roleNot, ""},
	{"in", roleNot, ""},
	{"index", roleNot | roleNotKey, ""},
	{"ingest", roleOf, ""},
	{"input", roleNotToken | roleNot, ""},
	{"integration", roleOf, ""},
	{"invalid", roleNot, ""},
	{"issuer", roleNot, ""},
	{"jwt", roleWeak | roleOf, "jwt"},
	{"key", roleLikelyKey, "key"},
	{"keypass", roleSecret | rolePassword, "password"},
	{"keys", roleLikelyKey, "key"},
	{"kind", roleNot, ""},
	{"label", roleNot | roleNotKey, ""},
	{"lang", roleNotKey, ""},
	{"len", roleNot, ""},
	{"length", roleNot, ""},
	{"license", roleOf, ""},
	{"limit", roleNot, ""},
	{"list", roleNot, ""},
	{"locale", roleNotKey, ""},
	{"login", roleWeak, "token"},
	{"lookup", roleNotKey, ""},
	{"machine", roleNot, ""},
	{"manager", roleNot, ""},
	{"map", roleNotKey | roleNot, ""},
	{"mask", roleNotToken | roleNot, ""},
	{"master", roleOf, ""},
	{"masterauth", roleSecret | rolePassword, "password"},
	{"max", roleNot | roleNotToken, ""},
	{"merchant", roleOf, ""},
	{"message", roleNot, ""},
	{"metadata", roleNot, ""},
	{"mgr", roleNot, ""},
	{"min", roleNot | roleNotToken, ""},
	{"minipass", 0, ""},
	{"missing", roleNot, ""},
	{"mnemonic", roleSecret | rolePassword, "mnemonic"},
	{"model", roleNot, ""},
	{"multipass", 0, ""},
	{"name", roleNot | roleNotKey, ""},
	{"names", roleNot, ""},
	{"natural", roleNotKey, ""},
	{"next", roleNotToken, ""},
	{"num", roleNotToken | roleNot, ""},
	{"object", roleNotKey, ""},
	{"oldpwd", 0, ""},
	{"option", roleNot, ""},
	{"options", roleNot, ""},
	{"order", roleNotKey, ""},
	{"otp", roleWeak, "otp"},
	{"output", roleNotToken, ""},
	{"overpass", 0, ""},
	{"owner", roleNot, ""},
	{"pad", roleNotToken, ""},
	{"page", roleNotToken | roleNotKey, ""},
	{"partition", roleNotKey, ""},
	{"pass", roleSecret | rolePassword, "password"},
	{"passcode", roleSecret | rolePassword, "password"},
	{"passphrase", roleSecret | rolePassword, "passphrase"},
	{"passwd", roleSecret | rolePassword, "password"},
	{"password", roleSecret | rolePassword, "password"},
	{"passwords", roleSecret | rolePassword, "password"},
	{"passwort", roleSecret | rolePassword, "password"},
	{"pat", roleWeak, "token"}, // often a pattern
	{"path", roleNot | roleNotKey, ""},
	{"pattern", roleNot, ""},
	{"per", roleNotToken, ""},
	{"phrase", roleWeak, "mnemonic"},
	{"pin", roleWeak, "pin"},
	{"placeholder", roleNot, ""},
	{"policy", roleNot, ""},
	{"position", roleNot, ""},
	{"prefix", roleNot | roleNotKey, ""},
	{"press", roleNotKey, ""},
	{"primary", roleNotKey, ""},
	{"private", roleOf, ""},
	{"project", roleOf, ""},
	{"prompt", roleNotToken | roleNot, ""},
	{"provider", roleNot, ""},
	{"psk", roleSecret | rolePassword, "password"},
	{"psw", roleSecret | rolePassword, "password"},
	{"pub", rolePublic, ""},
	{"public", rolePublic, ""},
	{"publishable", rolePublic, ""},
	{"pw", roleSecret | rolePassword, "password"},
	{"pwd", roleSecret | rolePassword, "password"},
	{"query", roleNotKey, ""},
	{"react", roleNotKey, ""},
	{"receive", roleNotKey, ""},
	{"recv", roleNotKey, ""},
	{"ref", roleNot, ""},
	{"regex", roleNot, ""},
	{"region", roleNot, ""},
	{"registry", roleNotKey, ""},
	{"renderpass", 0, ""},
	{"required", roleNot, ""},
	{"reset", roleNot, ""},
	{"role", roleOf, ""},
	{"route", roleNot | roleNotKey, ""},
	{"row", roleNotKey, ""},
	{"rules", roleNot, ""},
	{"salt", roleWeak, "salt"},
	{"schema", roleNot | roleNotKey, ""},
	{"scope", roleNot, ""},
	{"secret", roleSecret | roleOf, "secret"},
	{"secrets", roleSecret | roleOf, "secret"},
	{"security", roleOf, ""},
	{"seed", roleWeak, "seed"},
	{"send", roleOf, ""},
	{"sep", roleNotToken, ""},
	{"sequence", roleNotKey, ""},
	{"server", roleOf, ""},
	{"service", roleOf, ""},
	{"session", roleOf | roleWeak, "session"},
	{"sessionid", roleWeak, "session"},
	{"shared", roleOf, ""},
	{"sid", roleWeak, "session"},
	{"sig", roleWeak, "signature"},
	{"sign", roleOf, ""},
	{"signature", roleWeak, "signature"},
	{"signing", roleOf, ""},
	{"size", roleNot, ""},
	{"sort", roleNotKey, ""},
	{"ssh", roleOf, ""},
	{"state", roleNotKey, ""},
	{"status", roleNot, ""},
	{"stdin", roleNot, ""},
	{"stop", roleNotToken, ""},
	{"storage", roleOf, ""},
	{"store", roleNot, ""},
	{"storepass", roleSecret | rolePassword, "password"},
	{"strategy", roleNot, ""},
	{"stream", roleOf, ""},
	{"strength", roleNot, ""},
	{"style", roleNot, ""},
	{"subscription", roleOf, ""},
	{"surpass", 0, ""},
	{"text", roleNot, ""},
	{"through", roleNot, ""},
	{"time", roleNot, ""},
	{"timeout", roleNot, ""},
	{"title", roleNot, ""},
	{"tls", roleOf, ""},
	{"token", roleSecret | roleOf, "token"},
	{"tokens", roleWeak, "token"},
	{"total", roleNotToken, ""},
	{"translation", roleNotKey, ""},
	{"trespass", 0, ""},
	{"ttl", roleNot, ""},
	{"type", roleNot | roleNotKey, ""},
	{"types", roleNot, ""},
	{"underpass", 0, ""},
	{"unique", roleNotKey, ""},
	{"unk", roleNotToken, ""},
	{"up", roleNotKey, ""},
	{"uri", roleNot, ""},
	{"url", roleNot, ""},
	{"urls", roleNot, ""},
	{"usage", roleNot, ""},
	{"used", roleNot, ""},
	{"user", roleOf, ""},
	{"username", roleNot, ""},
	{"uses", roleNot, ""},
	{"valid", roleNot, ""},
	{"version", roleNot, ""},
	{"vocab", roleNotToken, ""},
	{"webhook", roleOf, ""},
	{"write", roleOf, ""},
	{"x", roleOf, ""},
}
