package redact

import (
	"reflect"
	"strings"
	"testing"
)

func TestExplain(t *testing.T) {
	const pw = "copper84!x"
	deep := strings.Repeat("[", maxDepth+2) + strings.Repeat("]", maxDepth+2)
	for _, tc := range []struct {
		name, doc string
		want      []Place
	}{
		{"nothing", `{"command":"ls"}`, nil},
		{"a member", `{"a":[1,{"password":"` + pw + `"}]}`, []Place{{"a[1].password", "password#1"}}},
		{"the same again", `{"password":"` + pw + `","b":{"password":"` + pw + `"}}`, []Place{{"password", "password#1"}, {"b.password", "password#1"}}},
		{"a key", `{"token=ghx7ZkT0vYb3NfXw9Ls":1}`, []Place{{"token=[redacted:token#1]", "key name: token#1"}}},
		{"a number", `{"password":48151623}`, []Place{{"password", "password#1"}}},
		{"too deep", `{"d":` + deep + `}`, []Place{{"d" + strings.Repeat("[0]", maxDepth-1), "unscanned"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := Explain(tc.doc, New(Options{Key: testKey}).Input("Bash", tc.doc))
			if !reflect.DeepEqual(got, tc.want) {
				t.Errorf("%+v, want %+v", got, tc.want)
			}
		})
	}
}
