package session

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

// TestFingerprintIsOneHash compares with the hash of the whole in one piece: what a running session has recorded stays true.
func TestFingerprintIsOneHash(t *testing.T) {
	key := []byte("0123456789abcdef0123456789abcdef")
	for _, c := range []struct {
		name  string
		parts []string
	}{
		{"no input", nil},
		{"empty", []string{""}},
		{"short", []string{`{"command":"ls"}`, "/src"}},
		{"a buffer's length", []string{strings.Repeat("a", 1<<10), ""}},
		{"longer", []string{strings.Repeat("ab", 5000), strings.Repeat("c", 1<<10+1), "d"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := hmac.New(sha256.New, key)
			h.Write([]byte(strings.Join(append([]string{"Bash"}, c.parts...), "\x00")))
			if got, want := Fingerprint(key, "Bash", c.parts...), hex.EncodeToString(h.Sum(nil)[:16]); got != want {
				t.Errorf("%s, want %s", got, want)
			}
			if got := Fingerprint(nil, "Bash", c.parts...); got != "" {
				t.Errorf("%q without a key", got)
			}
		})
	}
}
