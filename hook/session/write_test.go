package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/redact"
)

// fill sets v, and all in it, to values that are not zero; no two strings are the same.
func fill(t testing.TB, v reflect.Value, n *int) {
	t.Helper()
	*n++
	switch x := v.Addr().Interface().(type) {
	case *Stamp:
		x.Time = time.Date(2026, 1, 2, 3, 4, 5, 60_000_000, time.UTC)
		return
	case *redact.Text:
		*x = masked(fmt.Sprintf("text %d \"é\"\n\\", *n))
		return
	case *redact.Doc:
		*x = maskedDoc(fmt.Sprintf(`{"a":["%d<",{"b":null}]}`, *n))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("name %d <&> \"é\"", *n))
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Float64:
		v.SetFloat(float64(*n) / 4)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(t, v.Index(0), n)
		fill(t, v.Index(1), n)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for _, k := range []string{"z", "a b", "m"} {
			e := reflect.New(v.Type().Elem()).Elem()
			fill(t, e, n)
			v.SetMapIndex(reflect.ValueOf(k), e)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), n)
		}
	default:
		t.Fatalf("no value for a %s; write one here, and the field in write.go", v.Type())
	}
}

// oneByOne gives a zero value, one for each field with only that set, and one with all set.
func oneByOne[T any](t testing.TB, yield func(field string, v *T)) {
	n := 0
	yield("none", new(T))
	for i := range reflect.TypeFor[T]().NumField() {
		v := new(T)
		fill(t, reflect.ValueOf(v).Elem().Field(i), &n)
		yield(reflect.TypeFor[T]().Field(i).Name, v)
	}
	all := new(T)
	fill(t, reflect.ValueOf(all).Elem(), &n)
	yield("all", all)
}

// standard is what encoding/json writes of a line.
func standard(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestLineIsWhole finds a field that is forgotten in write.go.
func TestLineIsWhole(t *testing.T) {
	oneByOne(t, func(field string, l *Line) {
		got, err := appendLine([]byte("x"), l)
		if want := "x" + standard(t, l); err != nil || string(got) != want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", field, err, got, want)
		}
	})
}

// TestTotalsAreWhole finds a field that is forgotten in peek.go.
func TestTotalsAreWhole(t *testing.T) {
	oneByOne(t, func(field string, want *Totals) {
		var got Totals
		if text := string(want.append(nil)); !readTotals(gjson.Parse(text), &got) || !reflect.DeepEqual(&got, want) {
			t.Errorf("%s: of %s\ngot  %+v\nwant %+v", field, text, got, *want)
		}
	})
}

func TestTotalsOfOtherTypes(t *testing.T) {
	for _, text := range []string{
		`[]`, `7`, `{"calls":"1"}`, `{"calls":1.5}`, `{"calls":99999999999999999999}`, `{"calls":null}`, `{"plan":7}`, `{"plan":{"at":"x"}}`,
		`{"later":{}}`, `{"later":[7]}`, `{"mode":1}`, `{"root":1}`, `{"tags":[{"n":"1"}]}`, `{"unhealthy":1}`, `{"open":[{"seq":[]}]}`,
	} {
		if readTotals(gjson.Parse(text), new(Totals)) {
			t.Errorf("%s is read as totals", text)
		}
	}
}

func TestDocsOnOneLine(t *testing.T) {
	l := Line{Kind: KindCall, Input: maskedDoc("{\n\"a\":\r\n[\"b\\n\"]\t}")}
	raw, err := appendLine(nil, &l)
	if err != nil || bytes.Count(raw, []byte("\n")) != 1 || !json.Valid(raw) {
		t.Errorf("%q, %v", raw, err)
	}
	for _, bad := range []string{"{", `{"a":1}}`, "7,\"kind\":1", "\"\n\"", "nul"} {
		l.Input = maskedDoc(bad)
		if raw, err := appendLine(nil, &l); err == nil {
			t.Errorf("%q is written: %s", bad, raw)
		} else if strings.Contains(err.Error(), bad) {
			t.Errorf("the error %q quotes the document", err)
		}
	}
}
