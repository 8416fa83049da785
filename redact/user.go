package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// Rules are what a person adds to the masker's own: names that mean a secret here, what secrets issued here begin with,
// and texts that are none.
type Rules struct {
	Keys     []string // a name, or the last words of one; case and what joins the words do not count
	Prefixes []string
	Allow    []string // SHA-256 of the text, in hex
}

// Kinds of the secrets that a person's rules find.
const (
	userKey    = "user-key"
	userPrefix = "user-prefix"
)

// Setting is the setting whose rule gives out a kind; empty for the masker's own.
func Setting(kind string) string {
	switch kind {
	case userKey:
		return "redact_keys"
	case userPrefix:
		return "redact_prefixes"
	}
	return ""
}

// GoodKey says that a name may be a rule. Names of what a judge must see to judge at all may not.
func GoodKey(k string) bool {
	n := 0
	for i := range len(k) {
		switch c := class[k[i]]; {
		case c&setAlnum != 0:
			n++
		case c&setDots == 0 && k[i] != ' ':
			return false
		}
	}
	return n >= 3 && len(k) <= maxKey && !isPlain(k)
}

// GoodPrefix says that a text may be a rule for what secrets begin with.
func GoodPrefix(p string) bool {
	if len(p) < 4 || len(p) > 40 || class[p[0]]&setAlnum == 0 {
		return false
	}
	for i := range len(p) {
		if class[p[i]]&setBase64 == 0 {
			return false
		}
	}
	return true
}

// GoodSum says that a text is a SHA-256 in hex.
func GoodSum(s string) bool { return len(s) == 2*sha256.Size && isHex(s) }

// isPlain: names of the commands, places and contents of calls.
func isPlain(name string) bool { return inFold(plainNames[:], squash(name)) }

// plainNames are sorted.
var plainNames = [...]string{
	"args", "argv", "body", "branch", "chars", "cmd", "command", "commands", "content", "contents", "cwd", "data", "description", "dir", "directory",
	"domain", "email", "environment", "file", "filename", "filepath", "files", "folder", "host", "hostname", "input", "message", "method", "name",
	"newstring", "notebookpath", "oldstring", "output", "path", "paths", "pattern", "plan", "prompt", "query", "repo", "script", "sql", "text", "title",
	"tool", "uri", "url", "user", "username", "value", "workdir",
}

// squash drops what joins words.
func squash(name string) string {
	if len(name) > maxKey {
		return name
	}
	var buf [maxKey]byte
	n := 0
	for i := range len(name) {
		if class[name[i]]&setAlnum != 0 {
			buf[n] = name[i]
			n++
		}
	}
	return string(buf[:n])
}

// key reads a name by a person's rules first.
func (sc *scan) key(name string) keyName {
	if r := sc.rules; r != nil && len(name) <= maxKey && !isPlain(name) {
		for _, k := range r.Keys {
			if endsIn(name, k) {
				return keyName{score: strong, password: true, kind: userKey}
			}
		}
	}
	return readKey(name)
}

// endsIn says that the last words of a name are those of key.
func endsIn(name, key string) bool {
	i, k := len(name), len(key)
	for {
		for k > 0 && class[key[k-1]]&setAlnum == 0 {
			k--
		}
		if k == 0 {
			break
		}
		for i > 0 && class[name[i-1]]&setAlnum == 0 {
			i--
		}
		if i == 0 || name[i-1]|0x20 != key[k-1]|0x20 {
			return false
		}
		i, k = i-1, k-1
	}
	if i == 0 || class[name[i-1]]&setAlnum == 0 {
		return true
	}
	// The border of a word in camel case.
	return i < len(name) && name[i] >= 'A' && name[i] <= 'Z' && (name[i-1] < 'A' || name[i-1] > 'Z')
}

// userPrefixAt finds a secret that begins at i as a person's rules say. What follows must look like one, so that no
// rule hides an address or a path.
func (sc *scan) userPrefixAt(i int) (end int) {
	if sc.rules == nil {
		return 0
	}
	for _, p := range sc.rules.Prefixes {
		if !hasAt(sc.s, i, p) {
			continue
		}
		a := i + len(p)
		if b := sc.runEnd(setWord, a); b-a >= 8 && opaque(headOf(sc.s[a:b])) {
			end = max(end, b)
		}
	}
	return end
}

// allowed says that a person listed a text as no secret.
func (m *Masker) allowed(text string) bool {
	if len(m.opt.Rules.Allow) == 0 {
		return false
	}
	sum := sha256.Sum256([]byte(text))
	return slices.ContainsFunc(m.opt.Rules.Allow, func(a string) bool { return strings.EqualFold(a, hex.EncodeToString(sum[:])) })
}
