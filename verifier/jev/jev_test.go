package jev

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stepgate/stepgate/redact"
	"github.com/stepgate/stepgate/verifier"
)

const testKey = "ts-test-0123456789abcdef"

// answers is a clean answer to whatever was asked.
func answers(body []byte) string {
	var req struct {
		Questions map[string]struct{ Type string }
	}
	if err := json.Unmarshal(body, &req); err != nil {
		return `{}`
	}
	out := map[string]any{}
	for name, q := range req.Questions {
		if q.Type == "score" {
			out[name] = map[string]any{"type": "score", "score": 3, "probabilities": map[string]float64{"0": 0, "1": 0, "2": 0, "3": 1, "4": 0}}
		} else {
			out[name] = map[string]any{"type": "noul", "noul": 0.05}
		}
	}
	b, _ := json.Marshal(map[string]any{"model": "stub-1", "answers": out, "usage": map[string]int{"input_tokens": 8, "output_tokens": 6}})
	return string(b)
}

// stub is a judge's server; respond gets the number of the request, from 1.
type stub struct {
	*httptest.Server
	seen atomic.Int32
	last atomic.Pointer[http.Request]
}

func newStub(t *testing.T, respond func(n int32, w http.ResponseWriter, body []byte)) *stub {
	t.Helper()
	s := &stub{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.last.Store(r)
		w.Header().Set("x-typesafe-request-id", "req-1")
		respond(s.seen.Add(1), w, body)
	}))
	t.Cleanup(s.Close)
	return s
}

func client(t *testing.T, url string) *Client {
	t.Helper()
	c, err := New(Options{BaseURL: url, Version: "1.2.3", Key: func() (string, error) { return testKey, nil }})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func ask(t *testing.T, c *Client, timeout time.Duration) (verifier.Verdict, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	return c.Verify(ctx, verifier.Request{Plan: redact.New(redact.Options{}).String("do it"), Call: verifier.Pending{Tool: "Bash"}})
}

const enough = 30 * time.Second // never reached: these cases end by themselves

func TestVerify(t *testing.T) {
	s := newStub(t, func(_ int32, w http.ResponseWriter, body []byte) { io.WriteString(w, answers(body)) })
	c := client(t, s.URL+"/")
	c.Warm(t.Context())
	v, err := ask(t, c, enough)
	if err != nil {
		t.Fatal(err)
	}
	if v.Judge != "jev" || v.Model != "stub-1" || v.RequestID != "req-1" || v.Answers.ShouldFlag != .05 || v.InputTokens != 8 {
		t.Errorf("verdict %+v", v)
	}
	r := s.last.Load()
	for name, want := range map[string]string{
		"Authorization": "Bearer " + testKey, "Content-Type": "application/json", "Accept": "application/json",
		"User-Agent": "stepgate/1.2.3", "X-TypeSafe-Retry-Count": "",
	} {
		if got := r.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if r.Method != "POST" || r.URL.Path != "/v1/systemone" || s.seen.Load() != 1 {
		t.Errorf("%s %s, %d requests", r.Method, r.URL.Path, s.seen.Load())
	}
}

func TestFailures(t *testing.T) {
	long := strings.Repeat("x", 2<<20)
	for _, c := range []struct {
		name   string
		status int
		body   string
		kind   verifier.ErrorKind
		words  string
		tries  int32
	}{
		{"key refused", 401, `{"detail":{"error_type":"authentication_error","message":"bad key"}}`, verifier.Auth, "stepgate key set", 1},
		{"key missing, as the service says it", 403, `{"detail":{"message":"no key"}}`, verifier.Auth, "no key", 1},
		{"bad request", 400, `{"detail":{"error_type":"x","message":"odd"}}`, verifier.HTTP, "odd", 1},
		{"not found", 404, `nope`, verifier.HTTP, "base_url", 1},
		{"too large", 413, `{"error":"max_tokens_exceeded"}`, verifier.HTTP, "max_tokens_exceeded", 1},
		{"validation", 422, `{"detail":[{"loc":["body","state"],"msg":"field required"},{"loc":["body",0],"msg":"b"}]}`, verifier.HTTP, "body.state: field required; body.0: b", 1},
		{"too many", 429, `{"error":{"message":"slow down"}}`, verifier.HTTP, "slow down", 2},
		{"overloaded", 529, `{"message":"busy"}`, verifier.HTTP, "busy", 2},
		{"request timeout", 408, ``, verifier.HTTP, "408", 2},
		{"broken", 500, `<html>`, verifier.HTTP, "500", 2},
		{"another success", 204, ``, verifier.HTTP, "204", 1},
		{"redirect", 307, ``, verifier.HTTP, "redirects", 1},
		{"not JSON", 200, `<html>no</html>`, verifier.BadAnswer, "not a JSON object", 1},
		{"no answers", 200, `{"answers":{}}`, verifier.BadAnswer, "contradicts_plan", 1},
		{"too long", 200, long, verifier.BadAnswer, "longer than", 1},
		{"echoes the key", 400, `{"message":"bad key ` + testKey + `"}`, verifier.HTTP, "bad key", 1},
		{"endless error", 503, long, verifier.HTTP, "503", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStub(t, func(_ int32, w http.ResponseWriter, _ []byte) {
				w.Header().Set("retry-after-ms", "1")
				w.Header().Set("Location", "http://127.0.0.1:1/")
				w.WriteHeader(c.status)
				io.WriteString(w, c.body)
			})
			_, err := ask(t, client(t, s.URL), enough)
			var e *verifier.Error
			if !errors.As(err, &e) || e.Kind != c.kind || !strings.Contains(e.Error(), c.words) {
				t.Fatalf("error %v, want %s with %q", err, c.kind, c.words)
			}
			if strings.Contains(e.Error(), testKey) || len(e.Error()) > 500 {
				t.Errorf("the error holds the key or %d bytes", len(e.Error()))
			}
			if e.RequestID != "req-1" || c.kind != verifier.BadAnswer && e.Status != c.status {
				t.Errorf("request id %q, status %d", e.RequestID, e.Status)
			}
			if got := s.seen.Load(); got != c.tries {
				t.Errorf("%d requests, want %d", got, c.tries)
			}
		})
	}
}

func TestRetry(t *testing.T) {
	s := newStub(t, func(n int32, w http.ResponseWriter, body []byte) {
		if n == 1 {
			w.Header().Set("retry-after-ms", "5")
			w.WriteHeader(429)
			return
		}
		io.WriteString(w, answers(body))
	})
	if _, err := ask(t, client(t, s.URL), enough); err != nil {
		t.Fatal(err)
	}
	if s.seen.Load() != 2 || s.last.Load().Header.Get("X-TypeSafe-Retry-Count") != "1" {
		t.Errorf("%d requests, retry header %q", s.seen.Load(), s.last.Load().Header.Get("X-TypeSafe-Retry-Count"))
	}
}

func TestDroppedConnectionIsRetried(t *testing.T) {
	s := newStub(t, func(n int32, w http.ResponseWriter, body []byte) {
		if n == 1 {
			panic(http.ErrAbortHandler)
		}
		io.WriteString(w, answers(body))
	})
	if _, err := ask(t, client(t, s.URL), enough); err != nil || s.seen.Load() != 2 {
		t.Errorf("error %v after %d requests", err, s.seen.Load())
	}
}

func TestNobodyThere(t *testing.T) {
	s := newStub(t, nil)
	s.Close()
	c := client(t, s.URL)
	c.Warm(t.Context())
	if _, err := ask(t, c, enough); verifier.KindOf(err) != verifier.Network {
		t.Errorf("error %v", err)
	}
}

func TestUntrustedServerGetsNothing(t *testing.T) {
	var seen atomic.Int32
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { seen.Add(1) }))
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // a failed handshake is what this is about
	s.StartTLS()
	defer s.Close()
	c := client(t, s.URL)
	c.Warm(t.Context())
	_, err := ask(t, c, enough)
	if verifier.KindOf(err) != verifier.Network || seen.Load() != 0 {
		t.Errorf("error %v, %d requests", err, seen.Load())
	}
}

func TestTLS(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		io.WriteString(w, answers(body))
	}))
	defer s.Close()
	for name, warm := range map[string]bool{"warm": true, "cold": false} {
		c := client(t, s.URL)
		c.dial.roots = roots(s.Certificate())
		if warm {
			c.Warm(t.Context())
		}
		if _, err := ask(t, c, enough); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if warm && c.dial.ready != nil {
			t.Error("the early connection was not used")
		}
	}
}

func TestKeys(t *testing.T) {
	s := newStub(t, func(_ int32, w http.ResponseWriter, body []byte) { io.WriteString(w, answers(body)) })
	for _, c := range []struct {
		name string
		key  func() (string, error)
		kind verifier.ErrorKind
	}{
		{"none", nil, verifier.NoKey},
		{"blank", func() (string, error) { return " \n", nil }, verifier.NoKey},
		{"unreadable", func() (string, error) { return "", errors.New("keyring is locked") }, verifier.NoKey},
		{"two lines", func() (string, error) { return "ts-secretsecret\nX: y", nil }, verifier.Config},
		{"with a line end", func() (string, error) { return testKey + "\n", nil }, ""},
	} {
		cl := client(t, s.URL)
		cl.opt.Key = c.key
		_, err := ask(t, cl, enough)
		if verifier.KindOf(err) != c.kind {
			t.Errorf("%s: error %v", c.name, err)
		}
		if err != nil && strings.Contains(err.Error(), "secretsecret") {
			t.Errorf("%s: the error holds the key", c.name)
		}
		if c.kind == verifier.NoKey && !strings.Contains(err.Error(), "stepgate key set") {
			t.Errorf("%s: no way is told: %v", c.name, err)
		}
	}
	if s.seen.Load() != 1 {
		t.Errorf("%d requests, want only the one with a key", s.seen.Load())
	}
}

func TestListModels(t *testing.T) {
	s := newStub(t, func(n int32, w http.ResponseWriter, body []byte) {
		if n > 1 {
			io.WriteString(w, `{"data":[]}`)
			return
		}
		io.WriteString(w, `{"models":[{"name":"jev-latest","description":"d","release_date":"2026-09-01"}]}`)
	})
	c := client(t, s.URL)
	got, err := c.ListModels(t.Context())
	if err != nil || len(got) != 1 || got[0].Name != "jev-latest" {
		t.Errorf("models %v, error %v", got, err)
	}
	if r := s.last.Load(); r.Method != "GET" || r.URL.Path != "/v1/models" || r.ContentLength != 0 {
		t.Errorf("%s %s with %d bytes", r.Method, r.URL.Path, r.ContentLength)
	}
	if _, err = c.ListModels(t.Context()); verifier.KindOf(err) != verifier.BadAnswer {
		t.Errorf("a list of another kind: %v", err)
	}
}

func TestParseBaseURL(t *testing.T) {
	for in, want := range map[string]string{
		"https://api.typesafe.ai":       "https://api.typesafe.ai",
		" https://a.example/gate/ ":     "https://a.example/gate",
		"http://localhost:80/":          "http://localhost:80",
		"http://127.0.0.1:9":            "http://127.0.0.1:9",
		"http://[::1]:9/x":              "http://[::1]:9/x",
		"HTTPS://A.example":             "https://A.example",
		"http://a.example":              "",
		"http://localhost.evil.example": "",
		"http://127.0.0.1.evil.example": "",
		"http://0.0.0.0:1":              "",
		"ftp://a.example":               "",
		"https://":                      "",
		"https:a.example":               "",
		"a.example":                     "",
		"":                              "",
		"https://u:pass@a.example":      "",
		"https://a.example?key=1":       "",
		"https://a.example#x":           "",
		"https://a.example\nX: y":       "",
	} {
		u, err := ParseBaseURL(in)
		if want == "" {
			if verifier.KindOf(err) != verifier.Config || strings.Contains(err.Error(), "pass@") {
				t.Errorf("%q: %v, %v", in, u, err)
			}
			continue
		}
		if err != nil || u.String() != want {
			t.Errorf("%q: %v, %v; want %q", in, u, err, want)
		}
	}
}

func TestWait(t *testing.T) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		ms, after string
		want      time.Duration
	}{
		{"", "", shortWait}, {"50", "", 50 * time.Millisecond}, {"50", "30", 50 * time.Millisecond}, {"", "2", 2 * time.Second},
		{"", "Sun, 01 Nov 2026 12:00:09 GMT", 9 * time.Second}, {"", "Sun, 01 Nov 2026 11:00:00 GMT", 0},
		{"x", "soon", shortWait}, {"1e300", "", time.Hour}, {"NaN", "", shortWait}, {"-5", "", shortWait}, {"Inf", "", time.Hour},
	} {
		resp := &http.Response{Header: http.Header{}}
		resp.Header.Set("retry-after-ms", c.ms)
		resp.Header.Set("Retry-After", c.after)
		if got := wait(resp, now); got != c.want {
			t.Errorf("retry-after-ms %q, Retry-After %q: %v, want %v", c.ms, c.after, got, c.want)
		}
	}
	if got := wait(nil, now); got != shortWait {
		t.Errorf("no response: %v", got)
	}
}

func FuzzMessage(f *testing.F) {
	for _, s := range []string{`{"error":"x"}`, `{"detail":[{"loc":["a",1],"msg":"m"}]}`, `{"detail":{"message":"m"}}`, `<html>`, `[]`, `{"error":{"message":3}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if message(body) == "" && len(body) > 0 {
			t.Error("nothing is told of a body that says something")
		}
	})
}
