package redact_test

import (
	"strings"
	"testing"

	"github.com/stepgate/stepgate/redact"
	"github.com/stepgate/stepgate/redact/corpus"
)

// FuzzSecret: a secret in a place that a rule knows is not in the output, nor a third of it.
func FuzzSecret(f *testing.F) {
	f.Add("pre ", "hunter2Quiet99", " post")
	f.Add("a=b; ", "Tr0ub4dor&3xyz", "\n# end")
	f.Add(`{"x":"`, "p4ssW0rdLonger!", `"}`)
	f.Fuzz(func(t *testing.T, before, secret, after string) {
		if len(secret) < 12 || len(secret) > 64 || !graphic(secret) || redact.IsReference(secret) || redact.IsPlaceholder(secret) || partOf(secret, before+after) || !strings.ContainsAny(secret, "0123456789") {
			t.Skip()
		}
		for _, frame := range []string{"postgres://app:%@db/app", " DB_PASSWORD='%' ", "\nexport API_TOKEN=\"%\"\n", " --password '%' "} {
			s := before + "\n\n" + strings.Replace(frame, "%", secret, 1) + "\n\n" + after
			out := redact.New(redact.Options{}).String(s).String()
			if corpus.Leaks(secret, out) {
				t.Fatalf("String(%q) = %q still shows %q", s, out, secret)
			}
		}
	})
}

// partOf says that eight bytes of a secret stand in a text by themselves.
func partOf(secret, text string) bool {
	for i := range len(secret) - 7 {
		if strings.Contains(text, secret[i:i+8]) {
			return true
		}
	}
	return false
}

// graphic: letters, digits and marks that do not end or begin anything in the frames of FuzzSecret.
func graphic(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && strings.IndexByte("!^*+_.", c) < 0 {
			return false
		}
	}
	return true
}
