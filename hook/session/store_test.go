package session

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestFind(t *testing.T) {
	s := newStore(t)
	put(t, s.Find("session-1", "/home/dev/project"), call("a", ""))
	for _, tc := range []struct{ name, session, root, want string }{
		{"same root", "session-1", "/home/dev/project", "a"},
		{"the agent went elsewhere", "session-1", "/home/dev/project/sub", "a"},
		{"no root", "session-1", "", "a"},
		{"another session", "session-2", "/home/dev/project", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := ids(recall(t, s.Find(tc.session, tc.root), "")); got != tc.want {
				t.Errorf("history %q, want %q", got, tc.want)
			}
		})
	}
}

func TestFileName(t *testing.T) {
	seen := map[string]string{}
	for _, tc := range []struct {
		id   string
		same bool
	}{
		{"0b9ac2f1-6a3e-4a40-9f5e-6c1a4ad3c9aa", true},
		{"session_1", true},
		{"", false}, {"nul", false}, {"com1", false}, {".", false}, {"..", false}, {"../../etc/passwd", false},
		{"session.1", false}, {"Session_1", false}, {"a/b/c/d", false}, {`a\b\c\d`, false}, {"a b c d", false},
		{"session\n1", false}, {"s\u00e9ssion", false}, {"-rf-rf-", true}, {strings.Repeat("x", 300), false},
		{strings.Repeat("x", 301), false}, {"session\x001", false}, {"c:session", false},
	} {
		got := fileName(tc.id)
		if (got == tc.id) != tc.same {
			t.Errorf("fileName(%q) = %q, want the same: %v", tc.id, got, tc.same)
		}
		if got == "" || len(got) > 120 || strings.ContainsAny(got, "./\\:\x00\n ") {
			t.Errorf("fileName(%q) = %q is no safe name", tc.id, got)
		}
		if name, gen, ok := parseName(got + ".12" + ext); !ok || name != got || gen != 12 {
			t.Errorf("parseName of %q = %q, %d, %v", got, name, gen, ok)
		}
		if other, ok := seen[strings.ToLower(got)]; ok {
			t.Errorf("%q and %q share the name %q", tc.id, other, got)
		}
		seen[strings.ToLower(got)] = tc.id
	}
}

func TestProjectName(t *testing.T) {
	for _, tc := range []struct{ root, prefix string }{
		{"/home/dev/my project", "my-project-"}, {"/", ""}, {"", "no-project"}, {"/a/" + strings.Repeat("x", 300), "xxx"},
		{"/a/..hidden", "hidden-"},
	} {
		got := projectName(tc.root)
		if !strings.HasPrefix(got, tc.prefix) || got == "" || len(got) > 60 || strings.ContainsAny(got, "./\\ ") {
			t.Errorf("projectName(%q) = %q", tc.root, got)
		}
	}
	if projectName("/a/x") == projectName("/b/x") {
		t.Error("two projects share a folder")
	}
}

func TestKey(t *testing.T) {
	s := newStore(t)
	keys := make([][]byte, 16)
	var all sync.WaitGroup
	for i := range keys {
		all.Go(func() {
			key, err := s.Find("session-1", "/p").Key()
			if err != nil {
				t.Error(err)
			}
			keys[i] = key
		})
	}
	all.Wait()
	for _, key := range keys {
		if len(key) != keyBytes || !bytes.Equal(key, keys[0]) {
			t.Fatalf("keys of %d and %d bytes that differ", len(key), len(keys[0]))
		}
	}
	if other, err := s.Find("session-2", "/p").Key(); err != nil || bytes.Equal(other, keys[0]) {
		t.Errorf("two sessions share a key, %v", err)
	}
	left, err := os.ReadDir(filepath.Join(s.Dir, keysDir))
	if err != nil || len(left) != 2 {
		t.Errorf("%d files in the keys' folder, %v, want 2", len(left), err)
	}
	path := s.Find("session-1", "/p").keyPath()
	if fi, err := os.Stat(path); err != nil || fi.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("key file %v, %v", fi, err)
	}
	for _, content := range []string{"", "short", strings.Repeat("long", 20)} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		key, err := s.Find("session-1", "/p").Key()
		if err == nil || key != nil {
			t.Errorf("key of %d bytes was taken", len(content))
		}
		if err != nil && content != "" && strings.Contains(err.Error(), content) {
			t.Error("the error shows the key")
		}
	}
}

func TestFingerprint(t *testing.T) {
	a, b := bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32)
	seen := map[string]string{}
	for _, tc := range []struct {
		key         []byte
		tool, input string
	}{{a, "Bash", "ls"}, {b, "Bash", "ls"}, {a, "Bas", "hls"}, {a, "Bash", "ls "}, {a, "", ""}} {
		got := Fingerprint(tc.key, tc.tool, tc.input)
		if len(got) != 32 || got != Fingerprint(tc.key, tc.tool, tc.input) {
			t.Errorf("fingerprint %q of %q", got, tc.tool)
		}
		id := fmt.Sprintf("%x %s %s", tc.key[0], tc.tool, tc.input)
		if other, ok := seen[got]; ok {
			t.Errorf("%q and %q share a fingerprint", id, other)
		}
		seen[got] = id
	}
	if got := Fingerprint(nil, "Bash", "ls"); got != "" {
		t.Errorf("fingerprint without a key: %q", got)
	}
}
