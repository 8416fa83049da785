package redact

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTextCut(t *testing.T) {
	long := strings.Repeat("a", 50_000)
	tag := "[redacted:token#12]"
	for _, tc := range []struct {
		name, in string
		l        Limits
		want     string
	}{
		{"short enough", "abc", Limits{Head: 10, Tail: 10}, "abc"},
		{"no limits", long, Limits{}, long},
		{"head and tail", "HEAD" + long + "TAIL", Limits{Head: 4, Tail: 4}, "HEAD …[50008 bytes]… TAIL"},
		{"head only", "HEAD" + long, Limits{Head: 4}, "HEAD …[50004 bytes]… "},
		{"tail only", long + "TAIL", Limits{Tail: 4}, " …[50004 bytes]… TAIL"},
		{"runes stay whole", "éé" + long + "éé", Limits{Head: 3, Tail: 3}, "é …[50008 bytes]… é"},
		{"tag in head goes whole", "ab " + tag + long, Limits{Head: 8}, "ab  …[50022 bytes]… "},
		{"tag in tail goes whole", long + tag + " yz", Limits{Tail: 8}, " …[50022 bytes]…  yz"},
		{"tag at the border stays", "ab " + tag + long, Limits{Head: 22}, "ab " + tag + " …[50022 bytes]… "},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := Text{tc.in}.Cut(tc.l)
			if got.String() != tc.want {
				t.Errorf("Cut(%+v) = %q, want %q", tc.l, got, tc.want)
			}
			if again := got.Cut(tc.l); again != got {
				t.Errorf("cut again: %q, want %q", again, got)
			}
		})
	}
}

func TestDocCut(t *testing.T) {
	l := Limits{Head: 4, Tail: 2, Items: 2, Keys: 3, Depth: 2}
	for _, tc := range []struct{ name, in, want string }{
		{"nothing to cut", `{"a": 1}`, `{"a":1}`},
		{"empty", ``, ``},
		{"string", `{"a":"` + strings.Repeat("x", 90) + `yz"}`, `{"a":"xxxx …[92 bytes]… yz"}`},
		{"key", `{"` + strings.Repeat("k", 90) + `":1}`, `{"kkkk …[90 bytes]… kk":1}`},
		{"items", `[1,2,3,4,5]`, `[1,2,"[3 more]"]`},
		{"keys", `{"a":1,"b":2,"c":3,"d":4}`, `{"a":1,"b":2,"c":3,"…":"[1 more]"}`},
		{"depth", `{"a":{"b":{"c":1},"d":[1,2,3]}}`, `{"a":{"b":"[object of 1]","d":"[array of 3]"}}`},
		{"scalar", `"abc"`, `"abc"`},
		{"proto", `{"__proto__":{"x":null}}`, `{"__proto__":{"x":null}}`},
		{"broken", `{"a":`, unreadable},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := Doc{tc.in}.Cut(l).String()
			if got != tc.want {
				t.Errorf("Cut(%s) = %s, want %s", tc.in, got, tc.want)
			}
			if got != "" && !json.Valid([]byte(got)) {
				t.Errorf("Cut(%s) = %s is not JSON", tc.in, got)
			}
		})
	}
}

func TestLine(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"plain", "rm -rf build", "rm -rf build"},
		{"letters of other scripts", "naïve 日本", "naïve 日本"},
		{"line ends and tabs", "a\nb\r\tc\u2028d", "a b  c d"},
		{"ANSI colour", "\x1b[31mred", `\x1b[31mred`},
		{"C1 control", "a\u009bb", `a\x9bb`},
		{"turned direction", "a\u202etxt.exe", `a\u{202e}txt.exe`},
		{"no width", "a\u200bb", `a\u{200b}b`},
		{"not UTF-8", "a\xffb", "a\ufffdb"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := Text{tc.in}.Line().String()
			if got != tc.want {
				t.Errorf("Line(%q) = %q, want %q", tc.in, got, tc.want)
			}
			if !utf8.ValidString(got) {
				t.Errorf("Line(%q) = %q is not UTF-8", tc.in, got)
			}
		})
	}
}
