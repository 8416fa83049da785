package redact

import (
	"encoding/json"
	"testing"
)

func FuzzTextJSON(f *testing.F) {
	for _, s := range []string{"", "plain", "a \"b\"\n\\ <é😀>", "\u2028\u0000\ufffd"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var want string
		if err := json.Unmarshal(b, &want); err != nil {
			t.Fatal(err)
		}
		var got Text
		if err := got.UnmarshalJSON(b); err != nil || got.s != want {
			t.Errorf("of %s: %q, %v; want %q", b, got.s, err, want)
		}
	})
}

func TestTextOfOtherTypes(t *testing.T) {
	for _, s := range []string{"", "7", "{}", `"`, `"a" b`, `["a"]`} {
		if err := new(Text).UnmarshalJSON([]byte(s)); err == nil {
			t.Errorf("%s is read as a text", s)
		}
	}
}
