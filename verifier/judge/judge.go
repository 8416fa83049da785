// Package judge is the far end of the pipe between the hook and `stepgate judge`: one request in, one answer out.
//
// It picks the judge by name and starts everything slow (root certificates, connection, key) before the request is
// there. Whatever goes wrong comes back as one typed error on the same pipe; nothing is printed anywhere else.
package judge

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"github.com/stepgate/stepgate/verifier"
	"github.com/stepgate/stepgate/verifier/jev"
	"github.com/stepgate/stepgate/verifier/openai"
	"github.com/stepgate/stepgate/verifier/scorer"
)

// MaxRequest is the longest request that is read, in bytes.
const MaxRequest = 8 << 20

// Reply is what is written: a verdict or an error.
type Reply struct {
	Verdict *verifier.Verdict `json:"verdict,omitempty"`
	Error   *verifier.Error   `json:"error,omitempty"`
}

// Exit codes of Serve.
const (
	OK     = 0
	Failed = 1 // a typed error was written
	Broken = 2 // nothing could be written
)

// Options say which judge is asked and how.
type Options struct {
	Judge, Model, BaseURL string
	// Deadline is the time for everything from now on; 0 leaves it to the context.
	Deadline time.Duration
	// Version of the program.
	Version string
	// Key reads the API key; it may be slow.
	Key func() (string, error)
}

// Serve reads one verifier.Request, asks the judge and writes one Reply. It gives the exit code.
func Serve(ctx context.Context, stdin io.Reader, stdout io.Writer, o Options) int {
	if o.Deadline > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.Deadline)
		defer cancel()
	}
	var reply Reply
	v, err := ask(ctx, stdin, o)
	if err != nil {
		reply.Error = typed(err)
	} else {
		reply.Verdict = &v
	}
	if json.NewEncoder(stdout).Encode(reply) != nil {
		return Broken
	}
	if err != nil {
		return Failed
	}
	return OK
}

func ask(ctx context.Context, stdin io.Reader, o Options) (verifier.Verdict, error) {
	v, err := New(ctx, o)
	if err != nil {
		return verifier.Verdict{}, err
	}
	r, err := read(ctx, stdin)
	if err != nil {
		return verifier.Verdict{}, err
	}
	return v.Verify(ctx, r)
}

// New makes the judge that the options name and lets it warm up.
func New(ctx context.Context, o Options) (verifier.Verifier, error) {
	switch o.Judge {
	case "jev":
		c, err := NewJev(o)
		if err != nil {
			return nil, err
		}
		c.Warm(ctx)
		return c, nil
	case "openai":
		return openai.New()
	case "scorer":
		return scorer.New()
	}
	return nil, verifier.Errorf(verifier.Config, "judge %q is not one that is asked over the network: jev, openai, scorer", o.Judge)
}

// NewJev makes the client of a System One server; the key is looked up at once, beside whatever comes next.
func NewJev(o Options) (*jev.Client, error) {
	key := o.Key
	if key != nil {
		key = ahead(key)
	}
	return jev.New(jev.Options{BaseURL: o.BaseURL, Model: o.Model, Version: o.Version, Key: key})
}

// ahead starts reading the key and gives a function that waits for it.
func ahead(read func() (string, error)) func() (string, error) {
	var key string
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		key, err = read()
	}()
	return func() (string, error) {
		<-done
		return key, err
	}
}

// read takes the request from the pipe; the writer may hold it open, so the wait ends with the context.
func read(ctx context.Context, stdin io.Reader) (verifier.Request, error) {
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		data, err := io.ReadAll(io.LimitReader(stdin, MaxRequest+1))
		done <- result{data, err}
	}()
	var r verifier.Request
	select {
	case <-ctx.Done():
		return r, verifier.Errorf(verifier.Timeout, "no request arrived before the deadline (timeout_ms)")
	case got := <-done:
		switch {
		case got.err != nil:
			return r, verifier.Errorf(verifier.Config, "reading the request: %v", got.err)
		case len(got.data) > MaxRequest:
			return r, verifier.Errorf(verifier.Config, "the request is longer than %d bytes", MaxRequest)
		case json.Unmarshal(got.data, &r) != nil:
			return r, verifier.Errorf(verifier.Config, "the request is not one JSON document of the expected form")
		}
		return r, nil
	}
}

// typed gives any error the form that crosses the pipe.
func typed(err error) *verifier.Error {
	if e, ok := err.(*verifier.Error); ok {
		return e
	}
	return verifier.Errorf(verifier.Config, "%v", err)
}
