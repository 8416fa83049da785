package jev

import (
	"context"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stepgate/stepgate/verifier"
)

func roots(c *x509.Certificate) func() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(c)
	return func() *x509.CertPool { return pool }
}

// pipes is a listener whose connections live in memory, so that a test's clock rules them.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}
func (p *pipes) Close() error   { close(p.done); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) connect(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.conns <- far:
		return near, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TestDeadline holds one total deadline over everything a server can do to drag its answer out. The clock is the test's.
func TestDeadline(t *testing.T) {
	const deadline = 5 * time.Second
	for _, c := range []struct {
		name   string
		handle func(n int, w http.ResponseWriter, r *http.Request, body []byte)
		kind   verifier.ErrorKind
		within [2]time.Duration
		tries  int
	}{
		{"never answers", func(_ int, _ http.ResponseWriter, r *http.Request, _ []byte) { <-r.Context().Done() },
			verifier.Timeout, [2]time.Duration{deadline, deadline}, 1},
		{"header at once, body dripping", func(_ int, w http.ResponseWriter, r *http.Request, _ []byte) {
			for r.Context().Err() == nil {
				io.WriteString(w, " ")
				w.(http.Flusher).Flush()
				time.Sleep(300 * time.Millisecond)
			}
		}, verifier.Timeout, [2]time.Duration{deadline, deadline}, 1},
		{"asks to wait longer than there is time", func(_ int, w http.ResponseWriter, _ *http.Request, _ []byte) {
			w.Header().Set("Retry-After", "30")
			w.WriteHeader(429)
		}, verifier.HTTP, [2]time.Duration{0, 0}, 1},
		{"fails slowly, twice", func(_ int, w http.ResponseWriter, _ *http.Request, _ []byte) {
			time.Sleep(2 * time.Second)
			w.WriteHeader(500)
		}, verifier.HTTP, [2]time.Duration{4 * time.Second, deadline}, 2},
		{"fails so late that no retry fits", func(_ int, w http.ResponseWriter, _ *http.Request, _ []byte) {
			time.Sleep(4800 * time.Millisecond)
			w.WriteHeader(500)
		}, verifier.HTTP, [2]time.Duration{4800 * time.Millisecond, deadline}, 1},
		{"fails, then never answers", func(n int, w http.ResponseWriter, r *http.Request, _ []byte) {
			if n == 1 {
				w.WriteHeader(500)
				return
			}
			<-r.Context().Done()
		}, verifier.Timeout, [2]time.Duration{deadline, deadline}, 2},
		{"answers slowly but in time", func(_ int, w http.ResponseWriter, _ *http.Request, body []byte) {
			time.Sleep(4 * time.Second)
			io.WriteString(w, answers(body))
		}, "", [2]time.Duration{4 * time.Second, 4 * time.Second}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
				tries := 0
				srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					body, _ := io.ReadAll(r.Body)
					tries++
					c.handle(tries, w, r, body)
				})}
				go srv.Serve(p)
				cl := client(t, "http://127.0.0.1:1")
				cl.dial.connect = p.connect
				start := time.Now()
				_, err := ask(t, cl, deadline)
				took := time.Since(start)
				cl.http.HTTPClient.CloseIdleConnections()
				srv.Close()
				time.Sleep(time.Minute) // no real one: handlers that sleep find their connection gone
				synctest.Wait()
				if verifier.KindOf(err) != c.kind || took < c.within[0] || took > c.within[1] {
					t.Errorf("error %v after %v, want %q within %v", err, took, c.kind, c.within)
				}
				if tries != c.tries {
					t.Errorf("%d requests, want %d", tries, c.tries)
				}
			})
		})
	}
}

// TestNoConnection: a connection that never comes ends with the deadline too, begun early or not.
func TestNoConnection(t *testing.T) {
	for name, warm := range map[string]bool{"warm": true, "cold": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cl := client(t, "http://127.0.0.1:1")
				cl.dial.connect = func(ctx context.Context, _, _ string) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() }
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				if warm {
					cl.Warm(ctx)
				}
				start := time.Now()
				_, err := cl.Verify(ctx, verifier.Request{})
				if took := time.Since(start); verifier.KindOf(err) != verifier.Timeout || took != time.Second {
					t.Errorf("error %v after %v", err, took)
				}
			})
		})
	}
}
