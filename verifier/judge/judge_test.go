package judge

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stepgate/stepgate/verifier"
)

const request = `{"plan":"p","recent_tool_calls":null,"current_tool_call":{"tool":"Bash","args":{"command":"ls"}}}`

const clean = `{"answers":{"contradicts_plan":{"type":"noul","noul":0.1},"out_of_scope":{"type":"noul","noul":0.2},
"contradicts_previous":{"type":"noul","noul":0.3},"should_flag":{"type":"noul","noul":0.4},
"intent_consistency":{"type":"score","score":4,"probabilities":{"0":0,"1":0,"2":0,"3":0,"4":1}}}}`

func serve(t *testing.T, stdin io.Reader, o Options) (Reply, int) {
	t.Helper()
	var out bytes.Buffer
	code := Serve(t.Context(), stdin, &out, o)
	var r Reply
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatalf("wrote %q: %v", out.String(), err)
	}
	return r, code
}

func key() (string, error) { return "ts-test-0123456789", nil }

func TestServe(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, clean) }))
	defer s.Close()
	r, code := serve(t, strings.NewReader(request), Options{Judge: "jev", BaseURL: s.URL, Key: key, Deadline: time.Minute})
	if code != OK || r.Error != nil || r.Verdict == nil || r.Verdict.Answers.ShouldFlag != .4 || r.Verdict.Answers.Intent.Score != 4 {
		t.Errorf("exit %d, verdict %+v, error %v", code, r.Verdict, r.Error)
	}
}

func TestServeFails(t *testing.T) {
	var served int
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { served++; w.WriteHeader(401) }))
	defer s.Close()
	for _, c := range []struct {
		name  string
		stdin string
		o     Options
		kind  verifier.ErrorKind
		words string
	}{
		{"key refused", request, Options{Judge: "jev", BaseURL: s.URL, Key: key}, verifier.Auth, "stepgate key set"},
		{"no key", request, Options{Judge: "jev", BaseURL: s.URL}, verifier.NoKey, "stepgate key set"},
		{"bad URL", request, Options{Judge: "jev", BaseURL: "http://far.example", Key: key}, verifier.Config, "https"},
		{"openai", request, Options{Judge: "openai"}, verifier.Config, "judge openai is not built yet; use jev or local"},
		{"scorer", request, Options{Judge: "scorer"}, verifier.Config, "judge scorer is not built yet; use jev or local"},
		{"unknown", request, Options{Judge: "oracle"}, verifier.Config, `"oracle"`},
		{"local needs no child", request, Options{Judge: "local"}, verifier.Config, `"local"`},
		{"empty request", "", Options{Judge: "jev", BaseURL: s.URL, Key: key}, verifier.Config, "request"},
		{"two requests", request + request, Options{Judge: "jev", BaseURL: s.URL, Key: key}, verifier.Config, "request"},
		{"endless request", strings.Repeat(" ", MaxRequest+1), Options{Judge: "jev", BaseURL: s.URL, Key: key}, verifier.Config, "longer than"},
	} {
		r, code := serve(t, strings.NewReader(c.stdin), c.o)
		if code != Failed || r.Verdict != nil || r.Error == nil || r.Error.Kind != c.kind || !strings.Contains(r.Error.Error(), c.words) {
			t.Errorf("%s: exit %d, verdict %v, error %v", c.name, code, r.Verdict, r.Error)
		}
	}
	if served != 1 {
		t.Errorf("%d requests were sent, want only the first case's", served)
	}
}

func TestServeNeedsAnOutput(t *testing.T) {
	r, w := io.Pipe()
	r.Close()
	if code := Serve(t.Context(), strings.NewReader(request), w, Options{Judge: "openai"}); code != Broken {
		t.Errorf("exit %d", code)
	}
}

// TestServeDoesNotWaitForever: a writer that holds the pipe open, and a key that never comes, end with the deadline.
func TestServeDoesNotWaitForever(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, w := io.Pipe()
		defer w.Close()
		start := time.Now()
		r, code := serve(t, in, Options{Judge: "jev", BaseURL: "http://127.0.0.1:1", Deadline: time.Second, Key: func() (string, error) { return "", nil }})
		if took := time.Since(start); code != Failed || r.Error.Kind != verifier.Timeout || took != time.Second {
			t.Errorf("exit %d, error %v after %v", code, r.Error, took)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		locked := make(chan struct{})
		defer close(locked)
		start := time.Now()
		r, code := serve(t, strings.NewReader(request), Options{Judge: "jev", BaseURL: "http://127.0.0.1:1", Deadline: time.Second,
			Key: func() (string, error) { <-locked; return "", nil }})
		if took := time.Since(start); code != Failed || r.Error.Kind != verifier.Timeout || took != time.Second {
			t.Errorf("exit %d, error %v after %v", code, r.Error, took)
		}
	})
}
