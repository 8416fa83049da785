// Package jev asks a TypeSafe System One server, the model "Jev" or another that speaks the same format.
//
// It belongs in the process that may open connections, `stepgate judge`, and nowhere else. One total deadline, that of
// the context, holds over connecting, at most one retry and the last byte of the answer. The key goes to the host of the
// base URL only, and is never part of an error.
package jev

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/stepgate/stepgate/verifier"
)

const (
	// DefaultBaseURL and DefaultModel are used where no setting names another.
	DefaultBaseURL = "https://api.typesafe.ai"
	DefaultModel   = "jev-latest"
	// ProbeTimeout bounds ListModels: a person is waiting for it.
	ProbeTimeout = 3 * time.Second

	// maxHeader bounds a response's header, in bytes.
	maxHeader = 64 << 10
)

// Options is what a Client is made from.
type Options struct {
	// BaseURL and Model default to DefaultBaseURL and DefaultModel.
	BaseURL, Model string
	// Version of the program, sent as part of the user agent.
	Version string
	// Key gives the API key; it is asked when a request is ready, and may be slow.
	Key func() (string, error)
}

// Client is a verifier.Verifier over the network.
type Client struct {
	opt  Options
	base *url.URL
	http *retryablehttp.Client
	dial *dialer
}

// New checks the settings and makes a Client. It opens no connection; Warm does.
func New(o Options) (*Client, error) {
	if strings.TrimSpace(o.BaseURL) == "" {
		o.BaseURL = DefaultBaseURL
	}
	if strings.TrimSpace(o.Model) == "" {
		o.Model = DefaultModel
	}
	if o.Version == "" {
		o.Version = "dev"
	}
	base, err := ParseBaseURL(o.BaseURL)
	if err != nil {
		return nil, err
	}
	d := newDialer()
	return &Client{opt: o, base: base, dial: d, http: newHTTP(d)}, nil
}

// Warm starts what a request will need and that does not depend on it: the root certificates, which take longer to load
// than a handshake, and the connection.
func (c *Client) Warm(ctx context.Context) { c.dial.warm(ctx, c.base) }

// Verify asks all questions in one request.
func (c *Client) Verify(ctx context.Context, r verifier.Request) (verifier.Verdict, error) {
	built, err := verifier.Build(r, c.opt.Model)
	if err != nil {
		return verifier.Verdict{}, err
	}
	body, id, err := c.do(ctx, http.MethodPost, "/v1/systemone", built.Body)
	if err != nil {
		return verifier.Verdict{}, err
	}
	v, err := verifier.ParseAnswers(body, built.Asked)
	if err != nil {
		return verifier.Verdict{}, c.withID(err, id)
	}
	v.Judge, v.RequestID, v.Cut = "jev", id, built.Cut
	return v, nil
}

// Model is one entry of a server's list.
type Model struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	ReleaseDate string `json:"release_date,omitempty"`
}

// ListModels asks for the server's models, which is also the cheapest proof that the key is accepted. It takes at most
// ProbeTimeout.
func (c *Client) ListModels(ctx context.Context) ([]Model, error) {
	ctx, cancel := context.WithTimeout(ctx, ProbeTimeout)
	defer cancel()
	body, id, err := c.do(ctx, http.MethodGet, "/v1/models", nil)
	if err != nil {
		return nil, err
	}
	var list struct {
		Models []Model `json:"models"`
	}
	if json.Unmarshal(body, &list) != nil || list.Models == nil {
		return nil, c.withID(verifier.Errorf(verifier.BadAnswer, `the list of models has no "models": %s`, c.snippet(string(body), "")), id)
	}
	return list.Models, nil
}

// withID notes the server's request id in an error.
func (c *Client) withID(err error, id string) error {
	if e, ok := err.(*verifier.Error); ok {
		e.RequestID = id
	}
	return err
}

// key gives the key in a form that fits a header. A key store that waits for somebody does not hold up the deadline.
func (c *Client) key(ctx context.Context) (string, error) {
	if c.opt.Key == nil {
		return "", noKey()
	}
	var key string
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		key, err = c.opt.Key()
	}()
	select {
	case <-done:
	case <-ctx.Done():
		return "", verifier.Errorf(verifier.Timeout, "the key store gave no key before the deadline (timeout_ms)")
	}
	if err != nil {
		return "", verifier.Errorf(verifier.NoKey, "reading the API key: %v; %s", err, hintKey)
	}
	key = strings.TrimSpace(key)
	if key == "" {
		return "", noKey()
	}
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return "", verifier.Errorf(verifier.Config, "the API key holds a character that no key has (a space or a control character); set it again with `stepgate key set`")
		}
	}
	return key, nil
}
