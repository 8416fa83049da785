package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

const (
	tagHead = "[redacted:"
	maxKind = 24                         // bytes of a kind
	maxTag  = len(tagHead) + maxKind + 6 // "#9999]"
	// MaxTags bounds the tags of a session, which travel in every line of its file. Later secrets get no number.
	MaxTags = 200
)

// tagFor writes the tag that stands for a secret: the one it has in this session, or a new one.
func (m *Masker) tagFor(out []byte, secret, kind string) []byte {
	m.working()
	secret = m.whole(secret)
	m.remember(secret)
	n := 0
	if key := m.key(); key != nil {
		kind, n = m.number(key, secret, kind)
	}
	out = append(out, tagHead...)
	out = append(out, kind...)
	if n > 0 {
		out = append(out, '#')
		out = strconv.AppendInt(out, int64(n), 10)
	}
	return append(out, ']')
}

// key asks for the session's key once.
func (m *Masker) key() []byte {
	if !m.asked {
		m.asked = true
		if m.opt.Key != nil {
			m.macKey = m.opt.Key()
		}
	}
	if len(m.macKey) == 0 {
		return nil
	}
	return m.macKey
}

// number finds a secret among the session's tags, whatever kind it was taken for then, or adds it.
func (m *Masker) number(key []byte, secret, kind string) (string, int) {
	sum := m.mac(key, secret)
	mac := hex.EncodeToString(sum[:8])
	n := 0
	for _, t := range m.tags {
		if t.MAC == mac && isKind(t.Kind) {
			return t.Kind, t.N
		}
		n = max(n, t.N)
	}
	if len(m.tags) >= MaxTags || n >= 9999 {
		return kind, 0
	}
	if len(m.tags) == len(m.opt.Tags) { // those of Options belong to the caller
		m.tags = append(m.working().tags[:0], m.tags...)
	}
	m.tags = append(m.tags, Tag{Kind: kind, N: n + 1, MAC: mac})
	return kind, n + 1
}

// mac is HMAC-SHA256. It is written out because the library's allocates many small things of many sizes, each of which
// costs a fresh process two pages.
func (m *Masker) mac(key []byte, text string) [sha256.Size]byte {
	if len(key) > sha256.BlockSize {
		sum := sha256.Sum256(key)
		key = sum[:]
	}
	inner := sha256.Sum256(append(m.padded(key, 0x36), text...))
	return sha256.Sum256(append(m.padded(key, 0x5c), inner[:]...))
}

// padded is a block of the key, mixed with a byte.
func (m *Masker) padded(key []byte, with byte) []byte {
	block := m.working().mac[:sha256.BlockSize]
	clear(block)
	copy(block, key)
	for i := range block {
		block[i] ^= with
	}
	return block
}

// tagAt is the length of the tag that stands at i; 0 when none does. Only kinds that this package gives out count, so
// that a secret cannot hide in the form of a tag.
func tagAt(s string, i int) int {
	if !hasAt(s, i, tagHead) {
		return 0
	}
	a := i + len(tagHead)
	j := a
	for j < len(s) && j-a <= maxKind && (class[s[j]]&setLower != 0 || s[j] == '-') {
		j++
	}
	if !isKind(s[a:j]) {
		return 0
	}
	if j < len(s) && s[j] == '#' {
		k := j + 1
		for k < len(s) && k-j <= 4 && s[k] >= '0' && s[k] <= '9' {
			k++
		}
		if k > j+1 {
			j = k
		}
	}
	if j < len(s) && s[j] == ']' {
		return j + 1 - i
	}
	return 0
}

// isKind says that some rule gives out this kind.
func isKind(k string) bool {
	for i := range ruleKinds {
		if ruleKinds[i] == k {
			return true
		}
	}
	for i := range kinds {
		if kinds[i] == k {
			return true
		}
	}
	for i := range hooks {
		if hooks[i].kind == k {
			return true
		}
	}
	return false
}

var ruleKinds = [...]string{
	"app-token", "auth", "aws-secret", "azure-client-secret", "azure-key", "backup-code", "basic-auth", "bearer", "cookie", "digest", "discord", "dsn", "dsn-password", "encoded", "firebase", "jwt", "key", "link-token",
	"mailchimp", "mailgun", "mnemonic", "otp", "passphrase", "password", "password-hash", "pin", "private-key", "random", "salt", "secret", "seed", "session", "signature", "stdin",
	"telegram", "token", "url-password", "url-token", "user", userKey, userPrefix,
}

// holdsTag says that s has a tag in it.
func holdsTag(s string) bool {
	for i := strings.Index(s, tagHead); i >= 0; {
		if tagAt(s, i) > 0 {
			return true
		}
		n := strings.Index(s[i+1:], tagHead)
		if n < 0 {
			return false
		}
		i += 1 + n
	}
	return false
}
