package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
	"unsafe"
)

func TestCanon(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		err            error
	}{
		{"plain", `{"a":1}`, `{"a":1}`, nil},
		{"space around", " \r\n\t{\"a\" : 1}\n", `{"a" : 1}`, nil},
		{"byte order mark", "\ufeff{}", `{}`, nil},
		{"nothing", "", "", ErrEmpty},
		{"space alone", " \n", "", ErrEmpty},
		{"mark alone", "\ufeff", "", ErrEmpty},
		{"two documents", `{} {}`, "", ErrNotJSON},
		{"document and noise", `{}x`, "", ErrNotJSON},
		{"cut off", `{"a":"b`, "", ErrNotJSON},
		{"cut off in an escape", `{"a":"b\`, "", ErrNotJSON},
		{"bracket never closed", `{"a":[1}`, "", ErrNotJSON},
		{"bracket never opened", `{"a":1]}`, "", ErrNotJSON},
		{"comma too many", `{"a":1,}`, "", ErrNotJSON},
		{"key without a value that is repeated", `{"a":,"a":1}`, "", ErrNotJSON},
		{"control character in a string", "{\"a\":\"\x01\"}", "", ErrNotJSON},
		{"single quotes", `{'a':1}`, "", ErrNotJSON},
		{"comment", `{}//`, "", ErrNotJSON},
		{"number", `7`, `7`, ErrNotObject},
		{"null", `null`, `null`, ErrNotObject},
		{"array", `[{"a":1,"a":2}]`, `[{"a":2}]`, ErrNotObject},

		{"key twice", `{"a":1,"a":2}`, `{"a":2}`, nil},
		{"key thrice", `{"a":1,"b":0,"a":2,"a":3}`, `{"b":0,"a":3}`, nil},
		{"key twice below", `{"x":[{"a":1, "b":2 ,"a":3}]}`, `{"x":[{"b":2 ,"a":3}]}`, nil},
		{"twice below a key twice", `{"x":{"a":1,"a":2},"x":{"b":1,"b":2}}`, `{"x":{"b":2}}`, nil},
		{"equal once unescaped", `{"command":"ls","comm\u0061nd":"rm"}`, `{"comm\u0061nd":"rm"}`, nil},
		{"same key in two objects", `{"x":{"a":1},"y":{"a":2}}`, `{"x":{"a":1},"y":{"a":2}}`, nil},
		{"values that look like keys", `{"a":["a","a"],"b":"a"}`, `{"a":["a","a"],"b":"a"}`, nil},
		{"brackets in strings", `{"a":"]}{[","b":"\"}"}`, `{"a":"]}{[","b":"\"}"}`, nil},
		{"names of objects' prototypes", `{"__proto__":{"a":1},"constructor":2}`, `{"__proto__":{"a":1},"constructor":2}`, nil},

		{"byte that is no text", "{\"a\":\"x\xffy\"}", "{\"a\":\"x\ufffdy\"}", nil},
		{"NUL stays", `{"a":"x\u0000y"}`, `{"a":"x\u0000y"}`, nil},
		{"pair of surrogates", `{"a":"\ud83d\ude00"}`, `{"a":"\ud83d\ude00"}`, nil},
		{"high half alone", `{"a":"\ud83d\u0041"}`, `{"a":"\ufffd\u0041"}`, nil},
		{"high half at the end", `{"a":"\uD83D"}`, `{"a":"\ufffd"}`, nil},
		{"two high halves", `{"a":"\ud83d\ud83d\ude00"}`, `{"a":"\ufffd\ud83d\ude00"}`, nil},
		{"low half alone", `{"a":"\ude00x"}`, `{"a":"\ufffdx"}`, nil},
		{"escaped backslash before u", `{"a":"\\ud83d"}`, `{"a":"\\ud83d"}`, nil},
		{"escape cut off", `{"a":"\ud8"}`, "", ErrNotJSON},
		{"half in a dropped member", `{"a":"\ud83d","a":1}`, `{"a":1}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, cut, err := canon(c.in)
			if got != c.want || cut || err != c.err {
				t.Errorf("canon(%q) = %q, %v, %v, want %q, %v", c.in, got, cut, err, c.want, c.err)
			}
		})
	}
}

func TestCanonManyKeys(t *testing.T) {
	var in, want strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&in, `"k%d":%d,`, i%700, i)
		if i >= 1300 {
			fmt.Fprintf(&want, `"k%d":%d,`, i%700, i)
		}
	}
	got, _, err := canon("{" + strings.TrimSuffix(in.String(), ",") + "}")
	if want := "{" + strings.TrimSuffix(want.String(), ",") + "}"; err != nil || got != want {
		t.Errorf("%v, got %.200s…, want %.200s…", err, got, want)
	}
}

func TestCanonDepth(t *testing.T) {
	nest := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, c := range []struct {
		name, in, want string
		cut            bool
		err            error
	}{
		{"as deep as is read", `{"a":` + nest(MaxDepth-1) + `}`, `{"a":` + nest(MaxDepth-1) + `}`, false, nil},
		{"one deeper", `{"a":` + nest(MaxDepth) + `,"b":1}`, `{"a":` + strings.Repeat("[", MaxDepth-1) + "null" + strings.Repeat("]", MaxDepth-1) + `,"b":1}`, true, nil},
		{"as deep as a stack ends", `{"a":` + nest(4<<20) + `}`, `{"a":` + strings.Repeat("[", MaxDepth-1) + "null" + strings.Repeat("]", MaxDepth-1) + `}`, true, nil},
		{"only opened", strings.Repeat("[", 8<<20), "", false, ErrNotJSON},
		{"only opened, in objects", strings.Repeat(`{"a":`, 1<<20), "", false, ErrNotJSON},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, cut, err := canon(c.in)
			if got != c.want || cut != c.cut || err != c.err {
				t.Errorf("got %.100q, %v, %v, want %.100q, %v, %v", got, cut, err, c.want, c.cut, c.err)
			}
		})
	}
}

// TestCanonCopies: a document with nothing to mend is not written again.
func TestCanonCopies(t *testing.T) {
	in := `{"a":{"b":"\ud83d\ude00\n","c":[1,2,{"d":null}]}}`
	got, _, err := canon(in)
	if err != nil || unsafe.StringData(got) != unsafe.StringData(in) {
		t.Errorf("%q was copied (%v)", in, err)
	}
}

// FuzzCanon: what is read means the same to encoding/json, which takes the last of repeated keys, before and after, and
// no key is repeated after it.
func FuzzCanon(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"a":1,"a":2}`, `{"a":{"b":1,"\u0062":2}}`, `{"a":"\ud83d\u0041"}`, "{\"a\":\"\xff\"}", `[1]`, `{"a":1,}`,
		`{"x":{"a":1,"a":2},"x":3}`, strings.Repeat("[", 200) + strings.Repeat("]", 200),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got, cut, err := canon(in)
		if err != nil && err != ErrNotObject {
			if got != "" || cut {
				t.Errorf("%q beside error %v", got, err)
			}
			return
		}
		if !utf8.ValidString(got) || !json.Valid([]byte(got)) {
			t.Fatalf("canon(%q) = %q is not JSON", in, got)
		}
		if again, _, _ := canon(got); again != got {
			t.Errorf("canon(%q) = %q, and once more %q", in, got, again)
		}
		if cut {
			return
		}
		before, err := decode(strings.TrimPrefix(in, "\ufeff"))
		if err != nil {
			t.Fatalf("canon took %q, encoding/json says %v", in, err)
		}
		after, err := decode(got)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(before, after) && !loose(in) {
			t.Errorf("canon(%q) = %q means something else", in, got)
		}
		if n := keys(t, got); n != count(after) {
			t.Errorf("canon(%q) = %q has %d keys, of which %d count", in, got, n, count(after))
		}
	})
}

// decode reads a document as encoding/json does, with numbers as they are written.
func decode(doc string) (v any, err error) {
	dec := json.NewDecoder(strings.NewReader(doc))
	dec.UseNumber()
	err = dec.Decode(&v)
	return v, err
}

// loose says that bytes are not UTF-8: several of them in a row become one mark here, and one each in encoding/json.
func loose(in string) bool { return !utf8.ValidString(in) }

// keys counts the keys as they are written.
func keys(t *testing.T, doc string) (n int) {
	dec := json.NewDecoder(bytes.NewReader([]byte(doc)))
	dec.UseNumber()
	type level struct{ object, value bool }
	var levels []level
	for {
		tok, err := dec.Token()
		if err != nil {
			return n
		}
		if l := len(levels) - 1; l >= 0 && levels[l].object && tok != json.Delim('}') {
			if !levels[l].value {
				n++
			}
			levels[l].value = !levels[l].value
		}
		switch tok {
		case json.Delim('{'):
			levels = append(levels, level{object: true})
		case json.Delim('['):
			levels = append(levels, level{})
		case json.Delim('}'), json.Delim(']'):
			levels = levels[:len(levels)-1]
		}
	}
}

// count counts the keys of a value.
func count(v any) (n int) {
	switch v := v.(type) {
	case map[string]any:
		n = len(v)
		for _, e := range v {
			n += count(e)
		}
	case []any:
		for _, e := range v {
			n += count(e)
		}
	}
	return n
}

func TestReadFields(t *testing.T) {
	long := strings.Repeat("é", 5000)
	for _, c := range []struct {
		name, payload string
		want          Fields
	}{
		{"nothing known", `{"x":1}`, Fields{}},
		{"other types", `{"session_id":7,"cwd":["/"],"tool_name":null,"prompt":{},"is_interrupt":"yes","duration_ms":"9","hook_event_name":true}`, Fields{}},
		{"event named twice", `{"hook_event_name":"PreToolUse","hook_event_name":"Stop"}`, Fields{Event: "Stop"}},
		{"relative folder", `{"cwd":"a/b"}`, Fields{}},
		{"folder too long", `{"cwd":"/` + long + `"}`, Fields{}},
		{"long id is cut between runes", `{"session_id":"x` + long + `"}`, Fields{Session: "x" + long[:510]}},
		{"times", `{"duration_ms":1.5e3}`, Fields{Duration: 1500 * time.Millisecond}},
		{"time before", `{"duration_ms":-1}`, Fields{}},
		{"time beyond", `{"duration_ms":1e300}`, Fields{Duration: 1e10 * time.Millisecond}},
		{"input and response", `{"tool_input":{"a":1},"tool_response":"x"}`, Fields{Input: `{"a":1}`, Response: `"x"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ReadFields([]byte(c.payload))
			if err != nil || got != c.want {
				t.Errorf("got %+v, %v, want %+v", got, err, c.want)
			}
		})
	}
}

// TestTooLarge: a payload past the bound still tells which event it is, so that the answer has the right form.
func TestTooLarge(t *testing.T) {
	payload := `{"session_id":"s","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"content":"` +
		strings.Repeat("[", MaxPayload) + `"}}`
	got, err := ReadFields([]byte(payload))
	want := Fields{Session: "s", CWD: "/w", Event: "PreToolUse", Tool: "Write"}
	if err != ErrTooLarge || got != want {
		t.Errorf("got %.300v, %v, want %+v", fmt.Sprintf("%+v", got), err, want)
	}
	if got, err := ReadFields(bytes.Repeat([]byte{'['}, MaxPayload+1)); err != ErrTooLarge || got != (Fields{}) {
		t.Errorf("brackets alone: got %+v, %v", got, err)
	}
}

func BenchmarkReadFields(b *testing.B) {
	small := []byte(`{"session_id":"00000000-0000-4000-8000-000000000001","transcript_path":"/home/user/.claude/projects/-home-user-project/00000000-0000-4000-8000-000000000001.jsonl","cwd":"/home/user/project","prompt_id":"00000000-0000-4000-8000-000000000002","permission_mode":"bypassPermissions","effort":{"level":"medium"},"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"cd src && go test ./... 2>&1 | tail -n 20","description":"Run the tests"},"tool_use_id":"toolu_01ABCDEFGHIJKLMNOPQRSTUV"}`)
	large := []byte(`{"hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"/a","content":"` +
		strings.Repeat(`a line of a file\n\tand \"one\" more, with é\n`, 5<<20/46) + `"}}`)
	wide := []byte(`{"hook_event_name":"PreToolUse","tool_name":"mcp__a__b","tool_input":{` + wideObject(2<<20) + `}}`)
	deep := []byte(`{"hook_event_name":"PreToolUse","tool_name":"mcp__a__b","tool_input":` + strings.Repeat(`[`, 1<<20) + strings.Repeat(`]`, 1<<20) + `}`)
	for _, c := range []struct {
		name    string
		payload []byte
	}{{"typical", small}, {"5MB", large}, {"2MB of keys", wide}, {"2MB of brackets", deep}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(c.payload)))
			for b.Loop() {
				f, err := ReadFields(c.payload)
				if err != nil {
					b.Fatal(err)
				}
				f.AsEvent(PreTool)
			}
		})
	}
}

func wideObject(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `"%x":1,`, i*2654435761)
	}
	return b.String() + `"z":0`
}
