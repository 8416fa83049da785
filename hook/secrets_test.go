package hook

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSecretsLeaveNoTrace puts a secret into each place of a session where one can hide, and looks for it in all that
// leaves the process: the judge's request, what the agent is told, complaints, and every file of the state folder.
func TestSecretsLeaveNoTrace(t *testing.T) {
	const secret = "q7ZkT0vYb3NfXw9LsRc2HdGm5uJe8PaB"
	bash := func(command string) string {
		b, _ := json.Marshal(map[string]string{"command": command})
		return string(b)
	}
	for _, tc := range []struct{ name, tool, input, prompt, earlier string }{
		{"an argument", "Bash", bash("deploy --token " + secret + " && rm -rf ~/"), "", ""},
		{"a key name", "mcp__api__send", `{"headers":{"token=` + secret + `":"x"}}`, "", ""},
		{"nested JSON", "mcp__api__send", `{"body":"{\"auth\":{\"api_key\":\"` + secret + `\"}}"}`, "", ""},
		{"a heredoc", "Bash", bash("cat > .env <<'EOF'\nPORT=80\nAPI_TOKEN=" + secret + "\nEOF"), "", ""},
		{"the plan", "Bash", bash("mkdir out"), "Deploy it, the API token is " + secret + ".", ""},
		{"an earlier call", "Bash", bash("mkdir out"), "", bash("curl -H 'Authorization: Bearer " + secret + "' https://h.example/")},
		{"a file's name", "Write", `{"file_path":"/etc/token=` + secret + `","content":"x"}`, "", ""},
		{"a URL's user", "Bash", bash("git push --force https://bob:" + secret + "@h.example/r.git main"), "", ""},
	} {
		for _, judge := range []string{"denies", "fails"} {
			t.Run(tc.name+", the judge "+judge, func(t *testing.T) {
				r := newRig(t)
				if tc.prompt != "" {
					r.prompt(tc.prompt)
				}
				if tc.earlier != "" {
					r.call("Bash", tc.earlier)
				}
				if judge == "fails" {
					r.remote.err = errors.New("400: cannot read the token=" + secret)
				} else {
					r.remote.OutOfScope = .95
				}
				told, id := r.call(tc.tool, tc.input)
				r.result(id, true)
				request, err := json.Marshal([]any{r.remote.seen, r.local.seen})
				if err != nil {
					t.Fatal(err)
				}
				hidden(t, "the request", string(request), secret)
				hidden(t, "the reply", told, secret)
				hidden(t, "a complaint", fmt.Sprint(r.complaints), secret)
				hidden(t, "the state folder", stateFiles(t, r), secret)
				if !strings.Contains(stateFiles(t, r), "[redacted:") {
					t.Error("no tag stands for the secret")
				}
			})
		}
	}
}

// hidden checks that no third of the secret stands in a text.
func hidden(t *testing.T, what, s, secret string) {
	t.Helper()
	for i, n := 0, len(secret)/3; i+n <= len(secret); i++ {
		if strings.Contains(s, secret[i:i+n]) {
			t.Errorf("%s shows the secret from byte %d:\n%s", what, i, s)
			return
		}
	}
}

// stateFiles are the names and contents of all files that the gate has written.
func stateFiles(t *testing.T, r *rig) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(r.Store.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		all.WriteString(path + "\n")
		all.Write(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if all.Len() == 0 {
		t.Fatal("the gate wrote nothing")
	}
	return all.String()
}
