package jev

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/stepgate/stepgate/verifier"
)

const (
	// shortWait is the pause before a retry when the server names none.
	shortWait = 100 * time.Millisecond
	// typicalCall is how long an answer takes as a rule; a retry that could not be over in that time is not begun.
	typicalCall = 400 * time.Millisecond
)

// newHTTP makes the client: one retry, no redirects, no waits but our own.
func newHTTP(d *dialer) *retryablehttp.Client {
	c := retryablehttp.NewClient()
	c.Logger = nil
	c.RetryMax = 1
	c.CheckRetry = checkRetry
	c.Backoff = func(_, _ time.Duration, _ int, resp *http.Response) time.Duration { return wait(resp, time.Now()) }
	c.ErrorHandler = retryablehttp.PassthroughErrorHandler // keeps the last response readable
	c.PrepareRetry = func(r *http.Request) error {
		r.Header = r.Header.Clone() // the first attempt may still be writing the old one
		r.Header.Set("X-TypeSafe-Retry-Count", "1")
		return nil
	}
	c.HTTPClient = &http.Client{
		// A redirect would carry the call, and on the same host the key, to a place that nobody chose.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment,
			DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
				return d.dial(ctx, network, addr, false)
			},
			DialTLSContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
				return d.dial(ctx, network, addr, true)
			},
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12}, // behind a proxy only
			DisableCompression:     true,
			MaxResponseHeaderBytes: maxHeader,
		},
	}
	return c
}

// checkRetry allows a retry of what may pass by itself, when its wait and a typical answer still fit the deadline.
func checkRetry(ctx context.Context, resp *http.Response, err error) (bool, error) {
	if ctx.Err() != nil || err != nil && untrusted(err) || err == nil && !transient(resp.StatusCode) {
		return false, nil
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < wait(resp, time.Now())+typicalCall {
		return false, nil
	}
	return true, nil
}

func transient(status int) bool {
	return status == http.StatusRequestTimeout || status == http.StatusTooManyRequests || status >= 500
}

// untrusted tells that the other side is not who it should be, which no second try makes better.
func untrusted(err error) bool {
	var a *tls.CertificateVerificationError
	var b x509.UnknownAuthorityError
	var c x509.HostnameError
	var d x509.CertificateInvalidError
	return errors.As(err, &a) || errors.As(err, &b) || errors.As(err, &c) || errors.As(err, &d)
}

// wait is the pause the server asks for, in retry-after-ms or Retry-After (seconds or a date), or the short one.
func wait(resp *http.Response, now time.Time) time.Duration {
	if resp == nil {
		return shortWait
	}
	if ms, err := strconv.ParseFloat(resp.Header.Get("retry-after-ms"), 64); err == nil {
		return span(ms, time.Millisecond)
	}
	after := resp.Header.Get("Retry-After")
	if s, err := strconv.ParseFloat(after, 64); err == nil {
		return span(s, time.Second)
	}
	if t, err := http.ParseTime(after); err == nil {
		return max(t.Sub(now), 0)
	}
	return shortWait
}

// span is n units, without overflow: anything past an hour is as long as never here.
func span(n float64, unit time.Duration) time.Duration {
	if math.IsNaN(n) || n < 0 {
		return shortWait
	}
	return time.Duration(min(n*float64(unit), float64(time.Hour)))
}

// do sends one request and gives the body of a 200 and the server's request id.
func (c *Client) do(ctx context.Context, method, path string, payload []byte) (body []byte, id string, err error) {
	key, err := c.key(ctx)
	if err != nil {
		return nil, "", err
	}
	var content any // stays nil without a payload: an empty one would be sent as a body of unknown length
	if payload != nil {
		content = payload
	}
	req, err := retryablehttp.NewRequestWithContext(ctx, method, c.base.String()+path, content)
	if err != nil {
		return nil, "", verifier.Errorf(verifier.Config, "the judge's request cannot be made from base_url")
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "stepgate/"+c.opt.Version)
	if payload != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, "", c.failed(ctx, err, key)
	}
	defer resp.Body.Close()
	id = verifier.Name(resp.Header.Get("x-typesafe-request-id"))
	body, err = io.ReadAll(io.LimitReader(resp.Body, verifier.MaxAnswer+1))
	switch {
	case err != nil:
		err = c.failed(ctx, err, key)
	case resp.StatusCode != http.StatusOK:
		err = c.refused(resp.StatusCode, body, key)
	case len(body) > verifier.MaxAnswer:
		err = verifier.Errorf(verifier.BadAnswer, "answer is longer than %d bytes", verifier.MaxAnswer)
	}
	return body, id, c.withID(err, id)
}

// failed words an error of the connection. The text of a *url.Error holds the URL, which is a setting, and no header.
func (c *Client) failed(ctx context.Context, err error, key string) error {
	if ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) {
		return verifier.Errorf(verifier.Timeout, "no answer from %s before the deadline (timeout_ms)", c.base.Host)
	}
	return verifier.Errorf(verifier.Network, "asking %s: %s", c.base.Host, strings.ReplaceAll(err.Error(), key, "[key]"))
}
