package redact_test

import (
	"slices"
	"testing"

	"github.com/stepgate/stepgate/redact"
	"github.com/stepgate/stepgate/redact/corpus"
)

// TestRows: no secret of this repository's shapes can be read after masking, and its harmless texts stay.
func TestRows(t *testing.T) {
	rows, err := corpus.Own("testdata")
	if err != nil {
		t.Fatal(err)
	}
	shapes, harmless := map[string]bool{}, 0
	for _, r := range rows {
		if len(r.Secrets) == 0 && r.Group == "positives" {
			continue // the text is the secret
		}
		if r.Group == "positives" {
			shapes[r.Shape] = true
		} else {
			harmless++
		}
		t.Run(r.Group+"/"+r.Shape, func(t *testing.T) {
			out := r.Mask(redact.Options{Key: func() []byte { return []byte("a key of a test, not used elsewhere") }})
			if r.Group == "own negatives" && out != r.Text {
				t.Errorf("%s\n  became %s", r.Text, out)
			}
			if i := slices.IndexFunc(r.Secrets, func(s string) bool { return corpus.Leaks(s, out) }); i >= 0 {
				t.Errorf("%s\n  still shows %s:\n  %s", r.Text, r.Secrets[i], out)
			}
		})
	}
	if len(shapes) < 300 || harmless < 300 {
		t.Errorf("%d shapes and %d harmless texts, want 300 of each", len(shapes), harmless)
	}
}

// TestCutAnywhere: a text may end in the middle of whatever the rules look for.
func TestCutAnywhere(t *testing.T) {
	rows, err := corpus.Own("testdata")
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{
		"key: &a x", "key: &anchor 'x'", "t = q{x1}", "t = qq{x1}", "a = 'x' +\n  'y'", "api_key = (\n  \"x\"\n  \"y\"\n)", "Backup codes:\n- 4f1c9-a7e2b\n",
		"la contraseña nueva es «x1y2z»", "密码：「x1y2z」", "recovery phrase for a: x", "log in as ann / x1y2z", "password é → x1y2z", `var("API_KEY").unwrap_or("x1")`,
		`{"some-token": {"a.test": "x"}}`, "<password>\n<value>x1</value>", "passwd <<'END'\nx1y2z\nEND\n", "read -s TOKEN <<< x1", "echo x1 > token.txt",
		`{"kty": "d": "`, "accounts: ['0x", "Private Keys\n(0) 0x", "chpasswd:\n  list: |\n  a:b", "# HTTP Cookie File\n\t\t\t\t\t\t", "MZ2C G7QA K4RW T5XB", "jwt:\n  key: ", "│ DB_PASS │ q7ZkT0vYb3 │", "пароль от базы: x1y2z3", "password to go on:\n\nx",
		"printf 'API_SECRET: %s\\n' x1", "sed -e 's/YOUR_API_KEY/x1y2z/' f", "echo ann:x1 | base64", "printf 6768705f | xxd -r -p", "smbclient //a/b x1",
	}
	for _, r := range rows {
		texts = append(texts, r.Text)
	}
	m := redact.New(redact.Options{})
	for _, text := range texts {
		for i := range min(len(text), 300) {
			if m.String(text[:i]).String() == "[redacted: the masker failed]" {
				t.Errorf("String(%q) failed", text[:i])
			}
		}
	}
}
