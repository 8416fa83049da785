package jsonw

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// std is what encoding/json writes.
func std(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func FuzzString(f *testing.F) {
	for _, s := range []string{"", "plain", `a "b" \c`, "\x00\x01\x1f\x7f\b\f\n\r\t", "<a&b>", "é日本😀", "\xff\xc3", "a\xe2\x80b", "\u2028\u2029\ufffd", "\xed\xa0\x80"} {
		f.Add(s)
	}
	for c := range 256 {
		f.Add("a" + string([]byte{byte(c)}) + "b")
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := string(String([]byte("x"), s)), "x"+std(t, s); got != want {
			t.Errorf("String(%q) = %s, want %s", s, got, want)
		}
	})
}

func FuzzFloat(f *testing.F) {
	for _, n := range []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 1e-6, 9.9e-7, 1e-9, 1e-10, 1e20, 1e21, -1e22, 1e100, 123456.789, math.MaxFloat64, math.SmallestNonzeroFloat64} {
		f.Add(n)
	}
	f.Fuzz(func(t *testing.T, n float64) {
		want := "null"
		if !math.IsNaN(n) && !math.IsInf(n, 0) {
			want = std(t, n)
		}
		if got := string(Float(nil, n)); got != want {
			t.Errorf("Float(%v) = %s, want %s", n, got, want)
		}
	})
}

func TestNotANumber(t *testing.T) {
	for _, n := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := string(Float(nil, n)); got != "null" {
			t.Errorf("Float(%v) = %s", n, got)
		}
	}
}

func TestObject(t *testing.T) {
	o := Begin([]byte("x"))
	o.Str("s", "")
	o.Str("a\"b", "")
	o.OptStr("os", "")
	o.OptStr("os", "a")
	o.Int("i", 0)
	o.OptInt("oi", 0)
	o.OptInt("oi", -3)
	o.Float("f", 0)
	o.OptFloat("of", 0)
	o.OptFloat("of", 0.5)
	o.Bool("b", false)
	o.OptTrue("ob", false)
	o.OptTrue("ob", true)
	o.Raw("r", `[1]`)
	o.Append("l", func(b []byte) []byte {
		return List(b, []string{"p", "q"}, func(b []byte, s *string) []byte { return String(b, *s) })
	})
	const want = `x{"s":"","a\"b":"","os":"a","i":0,"oi":-3,"f":0,"of":0.5,"b":false,"ob":true,"r":[1],"l":["p","q"]}`
	if got := string(o.End()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	e := Begin(nil)
	if got := string(e.End()); got != "{}" {
		t.Errorf("empty object %s", got)
	}
}
