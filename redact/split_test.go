package redact

import (
	"strings"
	"testing"
)

// TestParts: each part of a secret that stands in several is hidden, and what stands between them is not.
func TestParts(t *testing.T) {
	const a, b = "q7ZkT0vYb3NfXw9LsRc2", "HdGm5uJe8PaBqq77"
	for _, tc := range []struct{ name, text, want string }{
		{"prefix apart", `const t = "ghp_" + "` + a + b + `";`, `const t = "[redacted:github-pat#1]" + "[redacted:github-pat#2]";`},
		{"prefix with a part", `t = 'ghp_` + a + `' +\n  '` + b + `'`, `t = '[redacted:github-pat#1]' +\n  '[redacted:github-pat#2]'`},
		{"lines without a sign", "api_key = (\n  \"" + a + "\"\n  \"" + b + "\"\n)", "api_key = (\n  \"[redacted:key#1]\"\n  \"[redacted:key#2]\"\n)"},
		{"names on the next line", "secret = \"" + a + "\"\n\"" + b + "\" = 1", "secret = \"[redacted:secret#1]\"\n\"" + b + "\" = 1"},
		{"recovery phrase", "Recovery phrase: gravity machine north sort system female filter attitude volume fold club stay\nKeep it.", "Recovery phrase: [redacted:mnemonic#1]\nKeep it."},
		{"spare codes", "Backup codes:\n- 4f1c9-a7e2b\n- 77ab0-91cde\nDone.", "Backup codes:\n- [redacted:backup-code#1]\n- [redacted:backup-code#2]\nDone."},
		{"token with a short head", "eyJhbGciOiJSUzI1NiJ9.eyJpZCI6N30x" + a + b + "." + b + a, "[redacted:jwt#1]"},
		{"hex of a token", "printf 6768705f" + strings.Repeat("417a3951", 9) + " | xxd -r -p", "printf [redacted:encoded#1] | xxd -r -p"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			text := strings.ReplaceAll(tc.text, `\n`, "\n")
			want := strings.ReplaceAll(tc.want, `\n`, "\n")
			if got := New(Options{Key: testKey}).String(text).String(); got != want {
				t.Errorf("String(%q)\n got %q\nwant %q", text, got, want)
			}
		})
	}
}

// TestFileOfOneSecret: the name of a file says that the one line in it is a secret.
func TestFileOfOneSecret(t *testing.T) {
	for _, tc := range []struct {
		path, content string
		hidden        bool
	}{
		{"/w/config/master.key", "9f2c7a51e08b4d63ac17f05e92d8b346", true},
		{"/run/secrets/db_password", `harvest42\n`, true},
		{"/w/.vault_pass", "harvest42", true},
		{"/w/token.txt", "harvest42x", true},
		{"/w/password.go", "package1", false},
		{"/w/docs/password.txt", "ask the team of 12", false},
		{"/w/notes.txt", "harvest42", false},
		{"/w/.token", "$TOKEN_1", false},
	} {
		t.Run(tc.path, func(t *testing.T) {
			doc := `{"file_path":"` + tc.path + `","content":"` + tc.content + `"}`
			got := New(Options{Key: testKey}).Input("Write", doc).String()
			if hidden := got != doc; hidden != tc.hidden {
				t.Errorf("Input(%s) = %s, hidden %v, want %v", doc, got, hidden, tc.hidden)
			}
		})
	}
}
