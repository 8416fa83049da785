// Package jsonwtest helps to show that a hand-written writer or reader of JSON forgets no field.
package jsonwtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
)

// OneByOne gives a zero value, one for each field with only that set, and one with all set. Own, if not nil, sets values
// whose fields cannot be reached, and says whether it did; n is another number each time.
func OneByOne[T any](t testing.TB, own func(v any, n int) bool, yield func(field string, v *T)) {
	t.Helper()
	f := filler{TB: t, own: own}
	yield("none", new(T))
	for i := range reflect.TypeFor[T]().NumField() {
		v := new(T)
		f.fill(reflect.ValueOf(v).Elem().Field(i))
		yield(reflect.TypeFor[T]().Field(i).Name, v)
	}
	all := new(T)
	f.fill(reflect.ValueOf(all).Elem())
	yield("all", all)
}

type filler struct {
	testing.TB
	own func(any, int) bool
	n   int
}

// fill sets v, and all in it, to values that are not zero.
func (f *filler) fill(v reflect.Value) {
	f.Helper()
	f.n++
	if f.own != nil && f.own(v.Addr().Interface(), f.n) {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("name %d <&> \"é\"\n", f.n))
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(f.n))
	case reflect.Uint8:
		v.SetUint(1)
	case reflect.Float64:
		v.SetFloat(float64(f.n) / 4)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		f.fill(v.Index(0))
		f.fill(v.Index(1))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for _, k := range []string{"z", "a \"b\"", "m"} {
			e := reflect.New(v.Type().Elem()).Elem()
			f.fill(e)
			v.SetMapIndex(reflect.ValueOf(k), e)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f.fill(v.Field(i))
		}
	case reflect.Func: // no JSON holds one
	default:
		f.Fatalf("no value for a %s", v.Type())
	}
}

// Standard is what encoding/json writes of v when it leaves <, > and & as they are.
func Standard(t testing.TB, v any) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// SameList compares what write makes of lists of T with what encoding/json does.
func SameList[T any](t *testing.T, write func([]T) string) {
	t.Helper()
	if got := write(nil); got != "[]" {
		t.Errorf("no list is written as %s", got)
	}
	OneByOne(t, nil, func(field string, v *T) {
		list := []T{*v, *v}
		if got, want := write(list), Standard(t, list); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", field, got, want)
		}
	})
}
