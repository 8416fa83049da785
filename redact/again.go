package redact

import "strings"

const (
	maxSeen  = 32 // secrets that a masker looks for again
	seenHead = 12 // bytes of one that are enough to know it by
)

// remember keeps a secret in memory, and nowhere else, so that it is hidden too where nothing tells what it is: as an
// argument that a prediction took for a file's name, or with its end cut off. Only what a machine made is kept, so that
// no word and no address can be hidden by calling it a secret once.
func (m *Masker) remember(secret string) {
	if len(secret) < seenHead || len(secret) > maxLiteral || len(m.seen) == maxSeen || !machineMade(secret) {
		return
	}
	for _, s := range m.seen {
		if s == secret {
			return
		}
	}
	m.seen = append(m.seen, secret)
}

// again finds the secrets that were seen before.
func (m *Masker) again(sc *scan) {
	s := sc.s
	for _, secret := range m.seen {
		for at := 0; ; {
			k := strings.Index(s[at:], secret[:seenHead])
			if k < 0 {
				break
			}
			a := at + k
			b := a + seenHead
			for b < len(s) && b-a < len(secret) && s[b] == secret[b-a] {
				b++
			}
			if b-a == len(secret) || machineMade(s[a:b]) {
				sc.spans = append(sc.spans, span{a, b, "secret", byPlace})
			}
			at = b
		}
	}
}

// whole is the secret that a text is the beginning of, which gives both one tag.
func (m *Masker) whole(text string) string {
	if len(text) >= seenHead {
		for _, s := range m.seen {
			if strings.HasPrefix(s, text) {
				return s
			}
		}
	}
	return text
}
