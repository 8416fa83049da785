package jev

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/url"
	"sync"
)

// dialer opens connections, one of them ahead of time.
type dialer struct {
	roots func() *x509.CertPool
	// connect opens a plain connection.
	connect func(ctx context.Context, network, addr string) (net.Conn, error)

	mu    sync.Mutex
	ready *early
}

// early is a connection that was begun before anyone asked for it.
type early struct {
	addr string
	tls  bool
	done chan struct{}
	conn net.Conn
	err  error
}

func newDialer() *dialer {
	return &dialer{connect: new(net.Dialer).DialContext, roots: sync.OnceValue(func() *x509.CertPool {
		pool, err := x509.SystemCertPool()
		if err != nil {
			return nil // the verifier then tries the system's roots itself and says what is wrong
		}
		return pool
	})}
}

// warm starts loading the roots and connecting. Behind a proxy only the roots are loaded: the transport makes that
// connection.
func (d *dialer) warm(ctx context.Context, base *url.URL) {
	secure := base.Scheme == "https"
	if secure {
		go d.roots()
	}
	if proxy, err := http.ProxyFromEnvironment(&http.Request{URL: base}); err != nil || proxy != nil {
		return
	}
	e := &early{addr: hostPort(base), tls: secure, done: make(chan struct{})}
	d.mu.Lock()
	d.ready = e
	d.mu.Unlock()
	go func() {
		defer close(e.done)
		e.conn, e.err = d.open(ctx, "tcp", e.addr, secure)
	}()
}

// take hands out the early connection when it is the wanted one; it is given once.
func (d *dialer) take(addr string, secure bool) *early {
	d.mu.Lock()
	defer d.mu.Unlock()
	e := d.ready
	if e == nil || e.addr != addr || e.tls != secure {
		return nil
	}
	d.ready = nil
	return e
}

func (d *dialer) dial(ctx context.Context, network, addr string, secure bool) (net.Conn, error) {
	e := d.take(addr, secure)
	if e == nil {
		return d.open(ctx, network, addr, secure)
	}
	select {
	case <-e.done:
		return e.conn, e.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (d *dialer) open(ctx context.Context, network, addr string, secure bool) (net.Conn, error) {
	conn, err := d.connect(ctx, network, addr)
	if err != nil || !secure {
		return conn, err
	}
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		conn.Close()
		return nil, err
	}
	tc := tls.Client(conn, &tls.Config{ServerName: host, RootCAs: d.roots(), MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}})
	if err := tc.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, err
	}
	return tc, nil
}

func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = "443"
		if u.Scheme == "http" {
			port = "80"
		}
	}
	return net.JoinHostPort(u.Hostname(), port)
}
