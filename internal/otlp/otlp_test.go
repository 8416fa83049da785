package otlp

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	collector "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	logs "go.opentelemetry.io/proto/otlp/logs/v1"
	"google.golang.org/protobuf/proto"
)

// server is a collector that keeps what it gets. It answers as reply says; nil takes everything.
type server struct {
	*httptest.Server
	reply func(request int, w http.ResponseWriter) bool // true once it has answered

	mu       sync.Mutex
	requests []*http.Request
	raw      [][]byte
	got      []*logs.LogRecord
	resource string
}

func newServer(t *testing.T, reply func(int, http.ResponseWriter) bool) *server {
	t.Helper()
	s := &server{reply: reply}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.requests = append(s.requests, r)
		if s.reply != nil && s.reply(len(s.requests), w) {
			return
		}
		if err := s.take(r); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) take(r *http.Request) error {
	z, err := gzip.NewReader(r.Body)
	if err != nil {
		return err
	}
	b, err := io.ReadAll(z)
	if err != nil {
		return err
	}
	var req collector.ExportLogsServiceRequest
	if err := proto.Unmarshal(b, &req); err != nil {
		return err
	}
	s.raw = append(s.raw, b)
	for _, rl := range req.ResourceLogs {
		s.resource = rl.Resource.String()
		for _, sl := range rl.ScopeLogs {
			s.got = append(s.got, sl.LogRecords...)
		}
	}
	return nil
}

// seqs are the numbers of the lines that arrived.
func (s *server) seqs() []int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []int64
	for _, r := range s.got {
		out = append(out, attr(r, "stepgate.seq").(int64))
	}
	return out
}

// attr is the value of an attribute, nil without it.
func attr(r *logs.LogRecord, name string) any {
	for _, kv := range r.Attributes {
		if kv.Key != name {
			continue
		}
		if list := kv.Value.GetArrayValue(); list != nil {
			var out []string
			for _, v := range list.Values {
				out = append(out, v.GetStringValue())
			}
			return strings.Join(out, " ")
		}
		if v := kv.Value.GetStringValue(); v != "" {
			return v
		}
		if v := kv.Value.GetIntValue(); v != 0 {
			return v
		}
		if v := kv.Value.GetDoubleValue(); v != 0 {
			return v
		}
		return kv.Value.GetBoolValue()
	}
	return nil
}

// world is a state home with session files.
type world struct {
	t    *testing.T
	home string
	o    Options
}

func newWorld(t *testing.T, s *server) *world {
	t.Helper()
	e, err := Parse(s.URL, false)
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	return &world{t, home, Options{Endpoint: e, Dir: home, Version: "test",
		Retry: otlploghttp.RetryConfig{Enabled: true, InitialInterval: time.Millisecond, MaxInterval: time.Millisecond, MaxElapsedTime: 200 * time.Millisecond}}}
}

func (w *world) path(name string) string { return filepath.Join(w.home, name) }

// add appends lines from seq on to a file.
func (w *world) add(name string, from, n int) {
	w.t.Helper()
	var b bytes.Buffer
	for seq := from; seq < from+n; seq++ {
		fmt.Fprintf(&b, `{"v":1,"kind":"call","time":"2026-03-01T10:00:00.000Z","seq":%d,"session":"s","tool":"Bash","would":"allow","did":"allow"}`+"\n", seq)
	}
	w.write(name, b.String())
}

func (w *world) write(name, text string) {
	w.t.Helper()
	f, err := os.OpenFile(w.path(name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		w.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) ship(names ...string) Summary {
	w.t.Helper()
	sum, err := w.try(names...)
	if err != nil {
		w.t.Fatalf("Ship(%v): %v", names, err)
	}
	return sum
}

func (w *world) try(names ...string) (Summary, error) {
	var files []string
	for _, n := range names {
		files = append(files, w.path(n))
	}
	return Ship(context.Background(), w.o, files)
}

func count(from, n int) (out []int64) {
	for i := range n {
		out = append(out, int64(from+i))
	}
	return out
}

// lines of one session, one of each kind. The marks stand where a text of the session's is: none may leave.
const told = `{"v":1,"kind":"start","time":"2026-03-01T10:00:00.000Z","seq":1,"session":"MARK-session","agent":"claude","root":"/MARK"}
{"v":1,"kind":"prompt","time":"2026-03-01T10:00:01.000Z","seq":2,"session":"MARK-session","text":"MARK","person":true}
{"v":1,"kind":"call","time":"2026-03-01T10:00:02.000Z","seq":3,"session":"MARK-session","agent":"claude","agent_id":"MARK","agent_type":"helper","call_id":"MARK-1","tool":"Bash","capability":"shell","acts":[{"kind":"delete","target":"/MARK"},{"kind":"net","target":"MARK"},{"kind":"delete"}],"input":{"command":"MARK"},"cwd":"/MARK","mode":"audit","thresholds":{"deny_above":0.9,"flag_above":0.6,"low_intent_at_or_below":0.2},"effects":[{"target":"MARK"}],"findings":[{"rule":"git.reset-hard","class":"state","why":"MARK"},{"rule":"loop","class":"signal"}],"answers":{"should_flag":0.7,"intent_consistency":{"score":0.25},"note":"MARK"},"score":0.7,"judge":"jev","model":"m1","tokens":{"in":10,"out":-1},"would":"ask","did":"allow","reason":"3 files have uncommitted changes","snapshot":"MARK","ms":{"judge":120.5,"total":121},"fingerprint":"MARK","creates":["/MARK"]}
{"v":1,"kind":"result","time":"2026-03-01T10:00:03.000Z","seq":4,"session":"MARK-session","call_id":"MARK-1","tool":"Bash","outcome":"allowed by a human","ok":false,"failure":"exit status 1","made":[{"path":"/MARK"}]}
{"v":1,"kind":"health","time":"2026-03-01T10:00:04.000Z","seq":5,"session":"MARK-session","event":"no_api_key","detail":"no key is set"}
{"v":1,"kind":"note","time":"2026-03-01T10:00:05.000Z","seq":6,"session":"MARK-session","event":"approved","detail":"MARK"}
{"v":1,"kind":"label","time":"2026-03-01T10:00:06.000Z","seq":7,"session":"MARK-session","event":"unsafe","of":3,"source":"person"}
`

func TestRecords(t *testing.T) {
	s := newServer(t, nil)
	w := newWorld(t, s)
	w.write("a.jsonl", told)
	sum := w.ship("a.jsonl")
	if want := []int64{3, 4, 5, 7}; !slices.Equal(s.seqs(), want) || sum.Sent != len(want) {
		t.Fatalf("sent %v and said %d, want %v", s.seqs(), sum.Sent, want)
	}
	call, result, health, label := s.got[0], s.got[1], s.got[2], s.got[3]
	for _, c := range []struct {
		rec  *logs.LogRecord
		name string
		want any
	}{
		{call, "kind", "call"}, {call, "agent", "claude"}, {call, "role", "helper"}, {call, "tool", "Bash"}, {call, "tool_type", "shell"},
		{call, "acts", "delete net"}, {call, "rules", "git.reset-hard loop"}, {call, "mode", "audit"}, {call, "would", "ask"}, {call, "did", "allow"},
		{call, "judge", "jev"}, {call, "model", "m1"}, {call, "score", 0.7}, {call, "answers.should_flag", 0.7}, {call, "answers.intent_consistency", 0.25},
		{call, "ms.judge", 120.5}, {call, "tokens.in", int64(10)}, {call, "tokens.out", nil}, {call, "snapshot", true}, {call, "flag_above", 0.6},
		{result, "outcome", "allowed by a human"}, {result, "ok", false}, {result, "call", attr(call, "stepgate.call")},
		{health, "event", "no_api_key"}, {label, "of", int64(3)}, {label, "event", "unsafe"}, {label, "source", "person"},
		{label, "trace_id", attr(call, "stepgate.trace_id")},
	} {
		if got := attr(c.rec, "stepgate."+c.name); got != c.want {
			t.Errorf("%s: stepgate.%s is %v, want %v", c.rec.EventName, c.name, got, c.want)
		}
	}
	if got := call.Body.GetStringValue(); got != "3 files have uncommitted changes" {
		t.Errorf("body %q", got)
	}
	if got := time.Unix(0, int64(call.TimeUnixNano)).UTC(); !got.Equal(time.Date(2026, 3, 1, 10, 0, 2, 0, time.UTC)) {
		t.Errorf("time %s", got)
	}
	if call.SeverityNumber != logs.SeverityNumber_SEVERITY_NUMBER_WARN || health.SeverityNumber != logs.SeverityNumber_SEVERITY_NUMBER_ERROR {
		t.Errorf("severities %v and %v", call.SeverityNumber, health.SeverityNumber)
	}
	if attr(call, "stepgate.call") == nil {
		t.Error("a result cannot be joined to its call")
	}
	if bytes.Contains(bytes.Join(s.raw, nil), []byte("MARK")) {
		t.Errorf("text of the session left: %s", call)
	}
	if !strings.Contains(s.resource, "service.name") || !strings.Contains(s.resource, "host.name") {
		t.Errorf("resource %s", s.resource)
	}
}

func TestResume(t *testing.T) {
	const big = 2*batch + 100 // several requests
	for _, c := range []struct {
		name string
		// then changes the world after the first run and gives the files of the second.
		then func(w *world) []string
		want []int64 // what the second run sends
	}{
		{"nothing is new", func(*world) []string { return []string{"a.jsonl"} }, nil},
		{"lines were added", func(w *world) []string { w.add("a.jsonl", big+1, 3); return []string{"a.jsonl"} }, count(big+1, 3)},
		{"the file was closed for a new one", func(w *world) []string {
			os.Rename(w.path("a.jsonl"), w.path("a.1.jsonl"))
			w.add("a.jsonl", big+1, 2)
			return []string{"a.1.jsonl", "a.jsonl"}
		}, count(big+1, 2)},
		{"the file is gone", func(w *world) []string { os.Remove(w.path("a.jsonl")); return []string{"a.jsonl"} }, nil},
		{"the file was written anew", func(w *world) []string {
			os.Remove(w.path("a.jsonl"))
			w.add("a.jsonl", 5, 2)
			return []string{"a.jsonl"}
		}, count(5, 2)},
		{"the file shrank", func(w *world) []string {
			os.Remove(w.path("a.jsonl"))
			w.add("a.jsonl", 1, 2)
			return []string{"a.jsonl"}
		}, count(1, 2)},
		{"the last line was edited", func(w *world) []string {
			b, err := os.ReadFile(w.path("a.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			os.Remove(w.path("a.jsonl"))
			w.write("a.jsonl", string(b[:len(b)-2])+" }\n")
			return []string{"a.jsonl"}
		}, count(1, big)},
		{"a line is torn", func(w *world) []string {
			w.write("a.jsonl", `{"v":1,"kind":"call","seq":9`)
			return []string{"a.jsonl"}
		}, nil},
		{"lines that are not sent, then one that is", func(w *world) []string {
			w.write("a.jsonl", `{"v":1,"kind":"prompt","seq":1}`+"\n\n"+`nonsense`+"\n")
			w.add("a.jsonl", 9, 1)
			return []string{"a.jsonl"}
		}, []int64{9}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newServer(t, nil)
			w := newWorld(t, s)
			w.add("a.jsonl", 1, big)
			w.ship("a.jsonl")
			if got := s.seqs(); !slices.Equal(got, count(1, big)) {
				t.Fatalf("the first run sent %d lines, want %d in order", len(got), big)
			}
			files := c.then(w)
			w.ship(files...)
			if got := s.seqs()[big:]; !slices.Equal(got, c.want) {
				t.Errorf("the second run sent %v, want %v", got, c.want)
			}
			w.ship(files...)
			if got := len(s.seqs()) - big - len(c.want); got != 0 {
				t.Errorf("the third run sent %d lines again", got)
			}
		})
	}
}

// TestFailure: what did not arrive is sent the next time, and what did is not.
func TestFailure(t *testing.T) {
	for _, c := range []struct {
		name  string
		reply func(int, http.ResponseWriter) bool
		first int // lines that arrive in the first run
		fails bool
	}{
		{"refused from the second request on", func(n int, w http.ResponseWriter) bool {
			if n == 2 {
				http.Error(w, "no \x1b[31m", http.StatusBadRequest)
			}
			return n == 2
		}, batch, true},
		{"refused at once", func(n int, w http.ResponseWriter) bool {
			if n == 1 {
				w.WriteHeader(http.StatusUnauthorized)
			}
			return n == 1
		}, 0, true},
		{"busy, then not", func(n int, w http.ResponseWriter) bool {
			if n < 3 {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
			return n < 3
		}, 2 * batch, false},
		{"redirected elsewhere", func(n int, w http.ResponseWriter) bool {
			if n == 1 {
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(http.StatusTemporaryRedirect)
			}
			return n == 1
		}, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20SECRETKEY")
			s := newServer(t, c.reply)
			w := newWorld(t, s)
			w.add("a.jsonl", 1, batch)
			w.add("b.jsonl", batch+1, batch)
			sum, err := w.try("a.jsonl", "b.jsonl")
			if c.fails != (err != nil) || sum.Sent != c.first || len(s.seqs()) != c.first {
				t.Fatalf("first run: %d arrived, said %d (%v), want %d", len(s.seqs()), sum.Sent, err, c.first)
			}
			if err != nil && (strings.Contains(err.Error(), "SECRETKEY") || strings.Contains(err.Error(), "\x1b")) {
				t.Errorf("the error is not fit to print: %q", err)
			}
			w.ship("a.jsonl", "b.jsonl")
			if got := s.seqs(); !slices.Equal(got, count(1, 2*batch)) {
				t.Errorf("%d lines arrived, want each of %d once", len(got), 2*batch)
			}
			for _, r := range s.requests {
				if r.URL.Path != "/v1/logs" || r.Header.Get("Authorization") != "Bearer SECRETKEY" {
					t.Errorf("request to %s with %q", r.URL, r.Header)
				}
			}
		})
	}
}

// TestRejected: the protocol forbids to send again what an endpoint did not want.
func TestRejected(t *testing.T) {
	s := newServer(t, func(n int, w http.ResponseWriter) bool {
		b, err := proto.Marshal(&collector.ExportLogsServiceResponse{
			PartialSuccess: &collector.ExportLogsPartialSuccess{RejectedLogRecords: 2, ErrorMessage: "too\nold"}})
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
		w.Write(b)
		return true
	})
	w := newWorld(t, s)
	w.add("a.jsonl", 1, 5)
	if sum := w.ship("a.jsonl"); sum.Sent != 5 || sum.Rejected != 2 || sum.Answer != "too old" {
		t.Errorf("got %+v", sum)
	}
	if w.ship("a.jsonl"); len(s.requests) != 1 {
		t.Errorf("%d requests, want 1", len(s.requests))
	}
}

func TestStopped(t *testing.T) {
	s := newServer(t, nil)
	w := newWorld(t, s)
	w.add("a.jsonl", 1, 3)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Ship(ctx, w.o, []string{w.path("a.jsonl")}); err == nil {
		t.Error("no error")
	}
	w.ship("a.jsonl")
	for _, seq := range count(1, 3) {
		if !slices.Contains(s.seqs(), seq) {
			t.Errorf("line %d never arrived: %v", seq, s.seqs())
		}
	}
}

func TestCursor(t *testing.T) {
	s := newServer(t, nil)
	w := newWorld(t, s)
	w.add("a.jsonl", 1, 1)
	w.ship("a.jsonl")
	found, err := filepath.Glob(filepath.Join(w.home, exportDir, "*.json"))
	if err != nil || len(found) != 1 {
		t.Fatalf("cursors %v, %v", found, err)
	}

	w.o.All = true
	w.add("b.jsonl", 2, 1)
	w.ship("b.jsonl")
	if b, err := os.ReadFile(found[0]); err != nil || bytes.Count(b, []byte(`"at"`)) != 1 {
		t.Errorf("a file that is gone is not forgotten: %s, %v", b, err)
	}

	c, err := openCursor(w.home, w.o.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.try("a.jsonl"); err == nil || !strings.Contains(err.Error(), "another export") {
		t.Errorf("two exports at once: %v", err)
	}
	c.close()

	if err := os.WriteFile(found[0], []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := w.try("a.jsonl"); err == nil || !strings.Contains(err.Error(), "hint: rm it") {
		t.Errorf("a broken cursor: %v", err)
	}
}

func TestMisreadHeaders(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "SECRETKEY")
	s := newServer(t, nil)
	w := newWorld(t, s)
	w.add("a.jsonl", 1, 1)
	if _, err := w.try("a.jsonl"); err == nil || strings.Contains(err.Error(), "SECRETKEY") || !strings.Contains(err.Error(), "HEADERS") {
		t.Errorf("got %v", err)
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name, text string
		insecure   bool
		want       string // empty: refused
	}{
		{"loopback", "http://127.0.0.1:4318", false, "http://127.0.0.1:4318/v1/logs"},
		{"loopback, version 6", "http://[::1]:4318/", false, "http://[::1]:4318/v1/logs"},
		{"localhost", "http://LOCALHOST:4318", false, "http://localhost:4318/v1/logs"},
		{"https", "https://otel.example", false, "https://otel.example/v1/logs"},
		{"with a path", "https://otel.example/team/logs", false, "https://otel.example/team/logs"},
		{"in the clear", "http://otel.example:4318", false, ""},
		{"in the clear, wanted", "http://otel.example:4318", true, "http://otel.example:4318/v1/logs"},
		{"a name that only begins so", "http://localhost.example", false, ""},
		{"a number that only begins so", "http://127.0.0.1.example", false, ""},
		{"with a password", "https://me:SECRETKEY@otel.example", false, ""},
		{"with a key", "https://otel.example/?key=SECRETKEY", false, ""},
		{"not an address", "https://me:SECRETKEY@otel.example:port", false, ""},
		{"no scheme", "otel.example:4318", false, ""},
		{"another scheme", "file:///etc/passwd", false, ""},
		{"no host", "https:///v1/logs", false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := Parse(c.text, c.insecure)
			if (err == nil) != (c.want != "") || e.String() != c.want {
				t.Errorf("Parse(%q) = %q, %v, want %q", c.text, e, err, c.want)
			}
			if err != nil && strings.Contains(err.Error(), "SECRETKEY") {
				t.Errorf("the error tells the password: %v", err)
			}
		})
	}
}

// FuzzRecord: a line of any form gives a bounded record whose attributes are ours.
func FuzzRecord(f *testing.F) {
	for l := range strings.Lines(told) {
		f.Add([]byte(l))
	}
	f.Add([]byte(`{"kind":"call","acts":{"kind":"x"},"findings":"x","answers":[1,2],"ms":{"":1e999}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, ok, err := record(raw)
		if ok && err != nil {
			t.Error("a record with an error")
		}
		for kv := range r.WalkAttributes {
			if !strings.HasPrefix(string(kv.Key), prefix) {
				t.Errorf("attribute %q", kv.Key)
			}
		}
		if body := r.Body().AsString(); len(body) > maxText+100 {
			t.Errorf("body of %d bytes", len(body))
		}
	})
}
