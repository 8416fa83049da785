package otlp

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"

	sdk "go.opentelemetry.io/otel/sdk/log"
	collector "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	"google.golang.org/protobuf/proto"

	"github.com/stepgate/stepgate/redact"
)

// delivery counts what the exporter delivered. The SDK hands records on in the order in which they were emitted, and
// delivery sends nothing behind what failed, so the count says which of them arrived.
type delivery struct {
	sdk.Exporter

	mu  sync.Mutex
	n   int
	err error
}

// Export sends records unless some before them could not be sent.
func (d *delivery) Export(ctx context.Context, records []sdk.Record) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil || len(records) == 0 {
		return nil
	}
	if d.err = d.Exporter.Export(ctx, records); d.err == nil {
		d.n += len(records)
	}
	return nil // taken tells
}

// taken gives how many records were delivered since it was asked last, and why no more.
func (d *delivery) taken() (n int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, d.n = d.n, 0
	return n, d.err
}

// maxAnswer bounds the answer of an endpoint.
const maxAnswer = 64 << 10

// answers reads the answers that mean success. By the protocol what an endpoint did not want must not be sent again; the
// SDK makes an error of it, which could not be told from a failure. So it is counted here, and the SDK sees an answer
// without it.
type answers struct {
	next http.RoundTripper

	mu       sync.Mutex
	rejected int64
	text     string
}

func newAnswers() *answers { return &answers{next: http.DefaultTransport.(*http.Transport).Clone()} }

// client follows no redirect: the endpoint that a person named is the one that gets the records and the headers.
func (a *answers) client() *http.Client {
	return &http.Client{Transport: a, Timeout: answerWithin,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// RoundTrip makes one request.
func (a *answers) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := a.next.RoundTrip(req)
	if err != nil || resp.StatusCode/100 != 2 {
		return resp, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return nil, err
	}
	var answer collector.ExportLogsServiceResponse
	if resp.Header.Get("Content-Type") == "application/x-protobuf" && proto.Unmarshal(body, &answer) == nil {
		a.note(answer.GetPartialSuccess())
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(nil)), 0
	return resp, nil
}

func (a *answers) note(p *collector.ExportLogsPartialSuccess) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.rejected += max(0, p.GetRejectedLogRecords())
	if text := p.GetErrorMessage(); text != "" {
		a.text = shown(text)
	}
}

func (a *answers) told() (rejected int64, text string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.rejected, a.text
}

// shown makes a text that came from outside fit to print: masked, on one line, short.
func shown(text string) string {
	m := redact.New(redact.Options{})
	return m.String(text).Line().Cut(redact.Limits{Head: 300}).String()
}
