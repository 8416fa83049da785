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

	"github.com/stepgate/stepgate/internal/jsonw/jsonwtest"
	"github.com/stepgate/stepgate/redact"
)

// fill sets what reflection cannot.
func fill(v any, n int) bool {
	switch x := v.(type) {
	case *Stamp:
		x.Time = time.Date(2026, 1, 2, 3, 4, 5, 60_000_000, time.UTC)
	case *redact.Text:
		*x = masked(fmt.Sprintf("text %d \"é\"\n\\", n))
	case *redact.Doc:
		*x = maskedDoc(fmt.Sprintf(`{"a":["%d<",{"b":null}]}`, n))
	default:
		return false
	}
	return true
}

// TestLineIsWhole finds a field that is forgotten in write.go.
func TestLineIsWhole(t *testing.T) {
	jsonwtest.OneByOne(t, fill, func(field string, l *Line) {
		got, err := appendLine([]byte("x"), l)
		if want := "x" + jsonwtest.Standard(t, l) + "\n"; err != nil || string(got) != want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", field, err, got, want)
		}
	})
}

// TestTotalsAreWhole finds a field that is forgotten in peek.go.
func TestTotalsAreWhole(t *testing.T) {
	jsonwtest.OneByOne(t, fill, func(field string, want *Totals) {
		var got Totals
		if text := string(want.append(nil)); !readTotals(gjson.Parse(text), &got) || !reflect.DeepEqual(&got, want) {
			t.Errorf("%s: of %s\ngot  %+v\nwant %+v", field, text, got, *want)
		}
	})
}

func TestTotalsOfOtherTypes(t *testing.T) {
	for _, text := range []string{
		`[]`, `7`, `{"calls":"1"}`, `{"calls":1.5}`, `{"calls":99999999999999999999}`, `{"calls":null}`, `{"plan":7}`, `{"plan":{"at":"x"}}`,
		`{"later":{}}`, `{"later":[7]}`, `{"mode":1}`, `{"root":1}`, `{"tags":[{"n":"1"}]}`, `{"unhealthy":1}`, `{"doubt":1}`, `{"open":[{"seq":[]}]}`,
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
