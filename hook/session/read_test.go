package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	good := `{"v":1,"kind":"note","time":"2026-01-02T03:04:05.000Z","session":"s"}`
	long := `{"v":1,"kind":"note","detail":"` + strings.Repeat("x", maxReadLine) + `"}`
	for _, tc := range []struct {
		name, content string
		want          string // a letter a line: g good, b bad
	}{
		{"empty", "", ""},
		{"one", good + "\n", "g"},
		{"without an end", good, "g"},
		{"torn", good + "\n" + good[:30], "gb"},
		{"torn and gone on", good[:30] + "\n" + good + "\n", "bg"},
		{"empty lines", "\n\n" + good + "\n\n" + good + "\n\n", "gg"},
		{"too long", long + "\n" + good + "\n", "bg"},
		{"too long, without an end", good + "\n" + long, "gb"},
		{"far too long", strings.Repeat(long, 10) + "\n" + good + "\n", "bg"},
		{"deep", strings.Repeat("[", 60_000) + "\n" + good + "\n", "bg"},
		{"of another version", `{"v":2,"kind":"note"}` + "\n" + good + "\n", "bg"},
		{"without a kind", `{"v":1}` + "\n" + good + "\n", "bg"},
		{"of another type", `{"v":1,"kind":7}` + "\n[]\nnull\n" + good + "\n", "bbbg"},
		{"carriage returns", good + "\r\n" + good + "\r\n", "gg"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "f.jsonl")
			if err := os.WriteFile(path, []byte(tc.content), 0o600); err != nil {
				t.Fatal(err)
			}
			got := ""
			for l, err := range Read(path) {
				var bad *LineError
				switch {
				case err == nil && l.Kind == KindNote:
					got += "g"
				case errors.As(err, &bad) && bad.Path == path:
					got += "b"
				default:
					t.Errorf("line %+v, error %v", l, err)
				}
			}
			if got != tc.want {
				t.Errorf("lines %q, want %q", got, tc.want)
			}
			for range Read(path) {
				break // a reader may stop at any line
			}
		})
	}
	t.Run("missing", func(t *testing.T) {
		n := 0
		for _, err := range Read(filepath.Join(t.TempDir(), "f")) {
			if n++; !os.IsNotExist(err) {
				t.Errorf("error %v", err)
			}
		}
		if n != 1 {
			t.Errorf("%d errors, want 1", n)
		}
	})
}

func TestLineNumbers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.jsonl")
	if err := os.WriteFile(path, []byte("\n\nbad\n\nworse\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, err := range Read(path) {
		var bad *LineError
		if errors.As(err, &bad) {
			got = append(got, bad.Line)
		}
	}
	if len(got) != 2 || got[0] != 3 || got[1] != 5 {
		t.Errorf("bad lines %v, want 3 and 5", got)
	}
}

func TestVerify(t *testing.T) {
	s := newStore(t)
	f := s.Find("session-1", "/p")
	put(t, f, person("the plan"))
	for range 5 {
		put(t, f, call("c", ""))
	}
	whole, err := os.ReadFile(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(bytes.TrimSuffix(whole, []byte("\n")), []byte("\n"))
	join := func(l ...[]byte) []byte { return bytes.Join(l, nil) }
	for _, tc := range []struct {
		name    string
		content []byte
		line    int // of the error; 0 for none
	}{
		{"as written", whole, 0},
		{"beginning gone", join(lines[2:]...), 0},
		{"end gone", join(lines[:3]...), 0},
		{"torn line between", join(lines[0], lines[1], []byte(`{"v":1,`+"\n"), lines[2], lines[3]), 0},
		{"line removed", join(lines[0], lines[1], lines[3], lines[4]), 3},
		{"line twice", join(lines[0], lines[1], lines[1], lines[2]), 3},
		{"lines in another order", join(lines[0], lines[2], lines[1]), 2},
		{"word changed", bytes.Replace(whole, []byte("go test"), []byte("rm -rf "), 1), 3},
		{"number changed", bytes.Replace(whole, []byte(`"calls":1`), []byte(`"calls":9`), 1), 3},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "f.jsonl")
			if err := os.WriteFile(path, tc.content, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := Verify(Head{}, path)
			var bad *LineError
			switch {
			case tc.line == 0 && err != nil:
				t.Errorf("Verify = %v", err)
			case tc.line != 0 && (!errors.As(err, &bad) || bad.Line != tc.line || bad.Path != path):
				t.Errorf("Verify = %v, want an error at line %d", err, tc.line)
			}
		})
	}
	if _, err := Verify(Head{}, filepath.Join(t.TempDir(), "f")); !os.IsNotExist(err) {
		t.Errorf("Verify of no file = %v", err)
	}
}

// FuzzTail takes any bytes for a session file: readers do not panic, what they say of it agrees, and a writer goes on.
func FuzzTail(f *testing.F) {
	s := newStore(f)
	file := s.Find("session-1", "/p")
	put(f, file, Line{Kind: KindStart, Root: masked("/p")}, person("the plan"), call("a", ""), call("b", "sub"),
		Line{Kind: KindResult, CallID: "a"}, person("more"), Line{Kind: KindMode, Mode: "audit"})
	whole, err := os.ReadFile(file.Path())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add(whole[:len(whole)-100])
	f.Add(whole[200:])
	f.Add([]byte(`{"v":1,"kind":"call","unchained":true,"delta":{"calls":1}}` + "\n"))
	f.Add([]byte(`{"v":1,"kind":"note","seq":9223372036854775807,"totals":{"plan":{"at":-1},"later":[{"at":9}],"gen":-3}}` + "\n"))
	f.Add([]byte(`{"v":1,"kind":"note","time":"x","seq":1,"totals":{}}` + "\n")) // the memory does not look at the time
	f.Add([]byte("\n\x00\n[]\n{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := newStore(t)
		file := s.Find("session-1", "/p")
		put(t, file, Line{Kind: KindNote})
		if err := os.WriteFile(file.Path(), data, 0o600); err != nil {
			t.Fatal(err)
		}
		good := 0
		for l, err := range Read(file.Path()) {
			var bad *LineError
			if err != nil && !errors.As(err, &bad) {
				t.Fatalf("reading stopped: %v", err)
			}
			if err == nil {
				good++
				if l.Kind == "" {
					t.Error("a line without a kind")
				}
			}
		}
		m, err := file.Recall("")
		if cut := err == nil && file.cut(&m); m.Degraded != (err != nil || cut) {
			t.Errorf("degraded %v, %v, cut %v", m.Degraded, err, cut)
		}
		valid := slices.ContainsFunc(bytes.Split(data, []byte("\n")), json.Valid)
		if m.Exists && !valid || !m.Exists && good > 0 || len(m.History) > maxHistory || len(m.Later) > len(m.Totals.Later) {
			t.Errorf("of %d lines a memory with %d calls", good, len(m.History))
		}
		m.Lines()
		m.Call("a")
		put(t, file, call("next", ""))
		next, _ := file.Recall("")
		if n := len(next.History); n == 0 || next.History[n-1].CallID != "next" {
			t.Error("what was appended is not remembered")
		}
	})
}

func TestOrder(t *testing.T) {
	got := []string{"b/s.jsonl", "a/s.jsonl", "a/s.10.jsonl", "a/notes", "a/s.2.jsonl", "a/r.jsonl"}
	Order(got)
	if want := []string{"a/notes", "a/r.jsonl", "a/s.2.jsonl", "a/s.10.jsonl", "a/s.jsonl", "b/s.jsonl"}; !slices.Equal(got, want) {
		t.Errorf("order %q, want %q", got, want)
	}
}
