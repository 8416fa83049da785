package redact

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// testKey is a session's key.
func testKey() []byte { return []byte("a key of a test session, not used anywhere else") }

// FuzzString: masking twice changes nothing; what no rule touches is left byte for byte; no tag is split by a cut.
func FuzzString(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m := New(Options{Key: testKey, Entropy: true})
		once := m.String(s).String()
		if once == failed {
			t.Fatalf("String(%q) failed", s)
		}
		if twice := m.String(once).String(); twice != once {
			t.Fatalf("String(%q)\n once  %q\n twice %q", s, once, twice)
		}
		if again := m.String(s).String(); again != once {
			t.Fatalf("String(%q) = %q, then %q: same secret, other tag", s, once, again)
		}
		if len(m.Tags()) == 0 && once != s {
			t.Fatalf("String(%q) = %q without a tag", s, once)
		}
		l := Limits{Head: len(s) / 3, Tail: len(s) / 5}
		cut := Text{once}.Cut(l).String()
		if utf8.ValidString(once) && !utf8.ValidString(cut) {
			t.Fatalf("Cut(%q) = %q splits a rune", once, cut)
		}
		if strings.Count(cut, tagHead) > strings.Count(once, tagHead) {
			t.Fatalf("Cut(%q) = %q", once, cut)
		}
	})
}

// FuzzInput: JSON in, JSON out; masking twice changes nothing.
func FuzzInput(f *testing.F) {
	for _, s := range seeds {
		b, _ := json.Marshal(map[string]any{"command": s, s: []string{"bash", "-lc", s}, "password": s})
		f.Add("Bash", string(b))
		f.Add("x", s)
	}
	f.Fuzz(func(t *testing.T, tool, doc string) {
		m := New(Options{Key: testKey})
		once := m.Input(tool, doc).String()
		if strings.Contains(once, failed) && !strings.Contains(doc, "masker") {
			t.Fatalf("Input(%q, %q) failed", tool, doc)
		}
		if !json.Valid([]byte(once)) && utf8.ValidString(doc) {
			t.Fatalf("Input(%q, %q) = %q is not JSON", tool, doc, once)
		}
		if !json.Valid([]byte(doc)) {
			return
		}
		if twice := m.Input(tool, once).String(); twice != once {
			t.Fatalf("Input(%q, %q)\n once  %s\n twice %s", tool, doc, once, twice)
		}
		if cut := (Doc{once}).Cut(Limits{Head: 9, Tail: 5, Items: 3, Keys: 3, Depth: 3}).String(); utf8.ValidString(doc) && !json.Valid([]byte(cut)) {
			t.Fatalf("Cut(%s) = %s is not JSON", once, cut)
		}
	})
}

// TestLinear: time grows with the length and not faster, whatever the text repeats.
func TestLinear(t *testing.T) {
	for _, tc := range []struct{ name, part string }{
		{"eyJ", "eyJ"}, {"_eyJ", "_eyJ"}, {"quote", `"`}, {"escaped quotes", `\"`}, {"nested quotes", `"'\"`}, {"names", "password="}, {"references", "token=$x"},
		{"quoted names", `token="$`}, {"schemes", "http://"}, {"userinfo", "a:b@"}, {"braces", "token={}}"}, {"brackets", "token=[["}, {"PEM heads", "-----BEGIN PRIVATE KEY-----"},
		{"certificates", "-----BEGIN CERTIFICATE-----"}, {"escapes", "%41"}, {"colons", "a:"}, {"tags", "[redacted:token#1]"}, {"tag heads", "password=[redacted:"}, {"commands", "curl -u "},
		{"pipes", "echo a | "}, {"flags", " --token --token"}, {"elements", "<password>"}, {"kinds", "kind: Secret\n"}, {"letters", "a"}, {"base64", "QUJD"}, {"dots", "a."},
		{"cookies", "cookie: a=b;"}, {"values", `"value": "x",`}, {"or", " || '"}, {"dollars", "$1$"}, {"passwords", "password "}, {"basic", "basic "}, {"blocks", "token: |\n"}, {"inserts", "(password) values (1),"}, {"rows", "insert into t (password) values ('a1'),('b2'),"},
		{"rules of tables", "|password|\n|-|-|\n"}, {"cells", "|a"}, {"calls", "login('a',"}, {"labels", "acme key q7ZkT0vYb3NfXw9L "}, {"resources", "arn:secret:"}, {"asterisks", "**password**: x "},
		{"open tuples", "(password) VALUES ('x'"}, {"prefixes in one run", "ghs_example_"}, {"prefixes before dots", "ghs_abcd."}, {"prefixes of words", "bedrock-api-key--"}, {"services", "0x4AAAAAbCdefgh "},
		{"assignments in one run", "ey=q7ZkT0vYb3NfXw9LsRc2HdGm5uJe8PaB"}, {"kty", `{"kty": `}, {"kty quotes", "`kty '"}, {"accounts", "accounts: ['0x"},
		{"chpasswd", "chpasswd:"}, {"jars", "# HTTP Cookie File\n"}, {"Private Keys", "Private Keys\n=\n"}, {"seeds", "AB2C "}, {"outer", `{"jwt": {"key": `}, {"outer value", `{"password": {"value": `},
		{"two columns", "| token "}, {"boxes", "│ token "}, {"tongues", "пароль от базы "}, {"said", "password for the "}, {"tongues without blanks", "密码"}, {"sudo", "sudo "}, {"queries", "?k="}, {"mailboxes", "ann@acme.test:"}, {"codes", "backup codes: "},
		{"base64 of parts", strings.Repeat("enovYWI/", 4000) + " "},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n := 200_000 / len(tc.part)
			var small, large time.Duration
			for range 4 { // a busy machine may spoil one measurement; what is not linear takes seconds
				small, large = cost(strings.Repeat(tc.part, n/8)), cost(strings.Repeat(tc.part, n))
				if large < 500*time.Millisecond || large < 24*small {
					return
				}
			}
			t.Errorf("%d bytes take %v, eight times as many %v", n/8*len(tc.part), small, large)
		})
	}
}

// cost is the best of three runs.
func cost(s string) time.Duration {
	best := time.Hour
	for range 3 {
		m := New(Options{Entropy: true})
		start := time.Now()
		m.String(s)
		best = min(best, time.Since(start))
	}
	return best
}

var seeds = []string{
	`{"kty": "EC", "d": "q7ZkT0vYb3NfXw9LsRc2H"}`, "accounts: [\"0x" + strings.Repeat("4f1c9a7e", 8) + "\"]", "Private Keys\n===\n(0) 0x" + strings.Repeat("4f1c9a7e", 8) + "\n", "chpasswd:\n  list: |\n    ann:x1y2z3\n",
	"# HTTP Cookie File\n.a.test\tTRUE\t/\tTRUE\t0\tsid\tq7ZkT0vYb3NfXw9L\n", "MZ2C G7QA K4RW T5XB", `{"jwt": {"key": "q7ZkT0vYb3NfXw9L"}}`, "jwt:\n  key: q7ZkT0vYb3NfXw9L\n", "│ DB_PASS │ q7ZkT0vYb3 │",
	"Das Passwort für den Server lautet q7ZkT0vYb3.", "пароль от базы данных: x1y2z3", "use this password to go on:\n\nq7ZkT0vYb3\n", "ann@acme.test:q7ZkT0vYb3", `prompt("Password: ")?;`, "carl:{SHA}q7ZkT0vYb3NfXw9LsRc2HdGm5uJ=",
	"[12,240,33,7,99,180,201,44,5,61,77,130,142,8,19,250,31,66,73,91,107,118,202,210,11,23,45,67,89,101,113,127,131,137,139,149,151,157,163,167,173,179,181,191,193,197,199,211,223,227,229,233,239,241,251,2,4,6,10,14,18,22,26,30]",
	"key: &a 'x1y2z3'", `var("API_KEY").unwrap_or("x1y2z3")`, "t = 'ghp_' + 'q7ZkT0vYb3NfXw9LsRc2HdGm5uJe8PaBqq77'", "passwd <<END\nx1y2z3\nEND\n", "read TOKEN <<< x1y2z3",
	"Backup codes:\n- 4f1c9-a7e2b\n", "la contraseña es «x1y2z3»", "密码：x1y2z3", "log in as ann / x1y2z3", "sed s/YOUR_API_KEY/x1y2z3/ f", "printf 'API_SECRET=%s' x1y2z3",
	"", "TOKEN=abc && rm -rf /tmp/x", `{"password":"x"}`, "curl -u admin:copper84 https://h/", "postgres://u:p4ss@h/db", "-----BEGIN PRIVATE KEY-----\nabcdEFGH1234\n-----END",
	"Authorization: Bearer abcDEF123456ghi", "password is Maple4255@", "<password>x1y2z3</password>", "kind: Secret\ndata:\n  a: aGVsbG8xMjM=\n", "sshpass -p 'a1b2c3d4' ssh h",
	"echo s3cretPW9 | docker login -u a --password-stdin", "- name: DB_PASSWORD\n  value: abc123!x", "token = process.env.TOKEN || 'abcd1234efgh'", "[redacted:password#1]",
	"password=[redacted:password#1]tail99x", "%70assword%3Dhunter2xyz", `\x70assword=ab12cd34`, "Cookie: sid=abcdef0123456789abcdef; theme=dark", "user:pw12345@tcp(h)", "$6$abcdefgh$0123456789abcdefghijABCDEFGHIJ",
	"https://hooks.slack.com/services/T0000/B0000/abcDEF0123456789abcdefgh", "password: |\n  abc123def456\n", `"key": "API_TOKEN", "value": "abc123def456"`, "[redacted:", "[redacted:token", "x=[redacted:zzz]",
}
