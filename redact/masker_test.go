package redact

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"slices"
	"strings"
	"testing"
)

func TestMustHide(t *testing.T) {
	for _, tc := range []struct {
		name, tool, doc string
		gone, kept      []string
	}{
		{"setting, DSN and query", "Bash", `{"command":"seatctl config set telegram.token=123456:FAKE-bot-token-AAAAAAAAAAAAAAAAAAA db=postgres://app:S3cretFAKEpw@db.local/app && curl -s 'http://localhost:9/api?securityToken=d9668359-FAKE-45a7&type=A09'"}`,
			[]string{"FAKE"}, []string{"seatctl config set telegram.token=", "db=postgres://app:", "@db.local/app && curl -s 'http://localhost:9/api?securityToken=", "&type=A09'"}},
		{"file with key and PEM", "Write", `{"file_path":"/w/a.json","content":"{\"api_key\": \"sk-FAKE-live-abcdef0123456789abcdef\", \"pem\": \"-----BEGIN PRIVATE KEY-----\\nMIIEFAKE...\\n-----END PRIVATE KEY-----\"}"}`,
			[]string{"FAKE", "abcdef0123"}, []string{"/w/a.json", "api_key", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----"}},
		{"GitHub token of zeros", "Bash", `{"command":"GITHUB_TOKEN=ghp_FAKE00000000000000000000000000000000 gh pr list"}`, []string{"FAKE"}, []string{"GITHUB_TOKEN=", " gh pr list"}},
		{"TypeSafe key", "Bash", `{"command":"TYPESAFE_API_KEY=ts-abc123def456ghi789jkl0 stepgate judge; echo ts-zyx987wvu654tsr321qpo0"}`, []string{"abc123", "zyx987"}, []string{"stepgate judge; echo "}},
		{"value before &&", "Bash", `{"command":"TOKEN=abc && rm -rf /tmp/x"}`, []string{"abc"}, []string{"TOKEN=", " && rm -rf /tmp/x"}},
		{"key name", "mcp__db__login", `{"password":"x","file_path":"a","author":"y","max_tokens":4096}`, []string{`"x"`}, []string{`"file_path":"a"`, `"author":"y"`, `"max_tokens":4096`}},
		{"flag --password x", "Bash", `{"command":"deploy --password hunter2 --force"}`, []string{"hunter2"}, []string{"--password ", " --force"}},
		{"flag -p x", "Bash", `{"command":"docker login -u ci -p hunter2 r.example.com"}`, []string{"hunter2"}, []string{"-u ci -p ", "r.example.com"}},
		{"curl -u a:b", "Bash", `{"command":"curl -u admin:copper84 https://h.example/x"}`, []string{"copper84"}, []string{"curl -u admin:", "https://h.example/x"}},
		{"postgres URL", "Bash", `{"command":"psql postgres://u:p@h/db"}`, []string{":p@"}, []string{"psql postgres://u:", "@h/db"}},
		{"glpat", "Bash", `{"command":"run glpat-FAKEd1hD7dQ8xdgeClWk"}`, []string{"FAKE"}, []string{"run "}},
		{"github_pat", "Bash", `{"command":"run github_pat_11FAKE0000abcdefGHIJKL_abcdefghijk1234567890ABCDEFGHIJKLMNOP"}`, []string{"FAKE", "MNOP"}, []string{"run "}},
		{"AIza", "Bash", `{"command":"run AIzaFAKEkpJsuqeUoViW45fJSX2HLkABSxeC-VBB"}`, []string{"FAKE"}, nil},
		{"hf_", "Bash", `{"command":"run hf_FAKEabcdEFGHijklMNOPqrstUVWXyz0123"}`, []string{"FAKE"}, nil},
		{"npm_", "Bash", `{"command":"run npm_FAKErSfVTT9t1wYuQn9LJkpBY6abAelR9ily"}`, []string{"FAKE"}, nil},
		{"bare AWS secret", "Bash", `{"command":"run 7fAkE+f+Fa3xK679eL/4FaKl0q7B9Q8fFc4Tt2ZB"}`, []string{"fAkE", "Tt2ZB"}, []string{"run "}},
		{"PEM without END", "Write", `{"file_path":"k","content":"-----BEGIN RSA PRIVATE KEY-----\nMIIEFAKEabc\ndef"}`, []string{"FAKE", "def"}, nil},
		{"tail after an escaped quote", "mcp__x__y", `{"body":"{\"password\":\"ab\\\"cd-FAKE-12\",\"user\":\"bob\"}"}`, []string{"FAKE", "ab"}, []string{"user", "bob"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := New(Options{}).Input(tc.tool, tc.doc).String()
			for _, s := range tc.gone {
				if strings.Contains(got, s) {
					t.Errorf("Input(%s)\n got %s\nstill holds %q", tc.doc, got, s)
				}
			}
			for _, s := range tc.kept {
				if !strings.Contains(got, s) {
					t.Errorf("Input(%s)\n got %s\nlost %q", tc.doc, got, s)
				}
			}
		})
	}
}

func TestMustStay(t *testing.T) {
	for _, s := range []string{
		"tests passed: 12", "compass: north", "tokenizer = AutoTokenizer()", "tokenizer =", "max_tokens=4096", "bypass=true",
		"export OUT=$(cat token.txt)", "PASSWORD=[REDACTED]", "git show e1ca0578a71b626bfdbfe976f04391bf9624156d",
	} {
		if got := New(Options{}).String(s).String(); got != s {
			t.Errorf("String(%q) = %q, want it unchanged", s, got)
		}
	}
}

func TestSortSpans(t *testing.T) {
	for n := range 40 {
		var spans, want []span
		for i := range n {
			spans = append(spans, span{a: i * 7 % 11, b: i})
		}
		want = append(want, spans...)
		slices.SortStableFunc(want, func(x, y span) int { return x.a - y.a })
		if sortSpans(spans); !slices.Equal(spans, want) {
			t.Errorf("%d spans: %v, want %v", n, spans, want)
		}
	}
}

// TestMAC: it is the library's HMAC-SHA256.
func TestMAC(t *testing.T) {
	m := New(Options{})
	for _, key := range []string{"k", strings.Repeat("key ", 8), strings.Repeat("key ", 16), strings.Repeat("key ", 40)} {
		for _, text := range []string{"", "secret", strings.Repeat("x", 64), strings.Repeat("secret ", 400)} {
			h := hmac.New(sha256.New, []byte(key))
			h.Write([]byte(text))
			if got, want := m.mac([]byte(key), text), h.Sum(nil); !bytes.Equal(got[:], want) {
				t.Errorf("mac of %d bytes under %d = %x, want %x", len(text), len(key), got, want)
			}
		}
	}
}
