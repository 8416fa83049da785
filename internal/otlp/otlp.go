// Package otlp ships session files as OpenTelemetry logs to a collector, one log record for each line that tells of a
// call, of what became of it, or of the gate itself.
//
// It promises that a line is sent again only when nobody said that it had arrived: a cursor in the state folder, one for
// each endpoint, moves on with what the endpoint took and stays where it was when sending failed. It sends what
// attributes lists and nothing else: no input of a tool, no path, no prompt.
package otlp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	"go.opentelemetry.io/otel/log"
	sdk "go.opentelemetry.io/otel/sdk/log"
	"go.opentelemetry.io/otel/sdk/resource"

	"github.com/stepgate/stepgate/internal/safefile"
)

const (
	// batch is how many records go in one request.
	batch = 512
	// maxLine bounds a line; a longer one is none that the gate wrote.
	maxLine = 256 << 10
	// answerWithin bounds the wait for one answer, sendWithin that for a batch with all its tries.
	answerWithin = 30 * time.Second
	sendWithin   = 3 * time.Minute
)

// Options say where to and from where.
type Options struct {
	// Endpoint is what Parse gave.
	Endpoint Endpoint
	// Dir is the state home; cursors are kept in its folder export.
	Dir string
	// Version is that of the program, which every record names.
	Version string
	// All says that the files given are all there are, so that the cursor may forget others.
	All bool
	// Retry is how often a busy endpoint is tried again; the zero value stands for a minute with growing pauses.
	Retry otlploghttp.RetryConfig
}

// Summary is what one run did. Its JSON is stable: fields are added, never changed.
type Summary struct {
	Endpoint string `json:"endpoint"`
	Files    int    `json:"files"`
	// Sent counts the records that arrived; Rejected those of them that the endpoint did not want, which are not sent
	// again. Answer is what it said about that.
	Sent     int    `json:"sent"`
	Rejected int64  `json:"rejected"`
	Answer   string `json:"answer,omitempty"`
	// Unreadable counts lines that are none.
	Unreadable int `json:"unreadable"`
}

// Ship sends what the files hold beyond the cursor. When it fails the summary tells what had arrived before.
func Ship(ctx context.Context, o Options, files []string) (sum Summary, err error) {
	c, err := openCursor(o.Dir, o.Endpoint)
	if err != nil {
		return sum, err
	}
	defer c.close()
	s, err := newShipper(ctx, o, c)
	if err != nil {
		return sum, err
	}
	seen := map[string]bool{}
	for _, path := range files {
		key, e := s.file(ctx, path)
		if err = e; err != nil {
			break
		}
		seen[key] = true
	}
	if err == nil {
		err = s.flush(ctx)
	}
	if err == nil && o.All {
		c.forget(seen)
	}
	err = errors.Join(err, c.save())
	// All that was to be sent is; the connection is closed whether or not ctx has ended.
	err = errors.Join(err, s.provider.Shutdown(context.WithoutCancel(ctx)))
	s.sum.Endpoint, s.sum.Files = o.Endpoint.String(), len(files)
	s.sum.Rejected, s.sum.Answer = s.answers.told()
	return s.sum, err
}

// shipper sends the lines of files one after another.
type shipper struct {
	cursor   *cursor
	provider *sdk.LoggerProvider
	logger   log.Logger
	delivery *delivery
	answers  *answers
	// pending are the places behind the records that were handed to the SDK since the last flush.
	pending []place
	sum     Summary
}

func newShipper(ctx context.Context, o Options, c *cursor) (*shipper, error) {
	// The SDK complains to handlers of the whole process, and quotes variables with keys in them. What goes wrong later
	// comes back to us as well.
	misread := false
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(error) { misread = true }))
	otel.SetLogger(logr.Discard())
	s := &shipper{cursor: c, answers: newAnswers()}
	exporter, err := otlploghttp.New(ctx, otlploghttp.WithEndpointURL(o.Endpoint.url), otlploghttp.WithHTTPClient(s.answers.client()),
		otlploghttp.WithCompression(otlploghttp.GzipCompression), otlploghttp.WithRetry(retry(o.Retry)))
	if err != nil {
		return nil, o.Endpoint.failed(err)
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(error) {}))
	if misread {
		return nil, errors.New("a variable OTEL_EXPORTER_OTLP_... cannot be read\nhint: OTEL_EXPORTER_OTLP_HEADERS is name=value,name=value")
	}
	s.delivery = &delivery{Exporter: exporter}
	// What tells machines apart; OTEL_RESOURCE_ATTRIBUTES adds to it.
	res, err := resource.New(ctx, resource.WithHost(), resource.WithFromEnv(),
		resource.WithAttributes(attribute.String("service.name", "stepgate"), attribute.String("service.version", o.Version)))
	if err != nil && !errors.Is(err, resource.ErrPartialResource) {
		return nil, fmt.Errorf("otlp: %w", err)
	}
	s.provider = sdk.NewLoggerProvider(sdk.WithResource(res), sdk.WithProcessor(sdk.NewBatchProcessor(s.delivery,
		sdk.WithMaxQueueSize(2*batch), sdk.WithExportMaxBatchSize(batch), sdk.WithExportTimeout(sendWithin))))
	s.logger = s.provider.Logger("github.com/stepgate/stepgate", log.WithInstrumentationVersion(o.Version))
	return s, nil
}

func retry(c otlploghttp.RetryConfig) otlploghttp.RetryConfig {
	if c == (otlploghttp.RetryConfig{}) {
		return otlploghttp.RetryConfig{Enabled: true, InitialInterval: time.Second, MaxInterval: 10 * time.Second, MaxElapsedTime: time.Minute}
	}
	return c
}

// file sends the lines of one file that are beyond the cursor, and gives the name by which the cursor knows the file. A
// last line without an end is being written, or torn: it is left for the next time.
func (s *shipper) file(ctx context.Context, path string) (key string, err error) {
	f, err := safefile.Open(path, os.O_RDONLY)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil // closed, archived or pruned since the list was made; the next run meets it under its new name
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	key, at, err := s.cursor.find(f)
	if err != nil || key == "" {
		return key, err
	}
	if _, err := f.Seek(at, io.SeekStart); err != nil {
		return key, err
	}
	for r := bufio.NewReaderSize(f, maxLine); ; {
		line, n, err := readLine(r)
		if err == io.EOF {
			return key, nil
		}
		if err != nil {
			return key, fmt.Errorf("file %q: %w", path, err)
		}
		at += int64(n)
		if err := s.line(ctx, line, place{file: key, mark: markOf(line, at)}); err != nil {
			return key, err
		}
	}
}

// readLine reads a line with its end, of which n bytes were taken; one that is too long gives its last part alone.
func readLine(r *bufio.Reader) (line []byte, n int, err error) {
	for {
		line, err = r.ReadSlice('\n')
		n += len(line)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, n, err
		}
	}
}

// line hands one line to the SDK, if it is one that is sent; p is the place behind it.
func (s *shipper) line(ctx context.Context, raw []byte, p place) error {
	rec, ok, err := record(raw)
	if err != nil {
		s.sum.Unreadable++
	}
	if !ok {
		// It has been passed when the record before it has been, or now.
		if n := len(s.pending); n > 0 && s.pending[n-1].file == p.file {
			s.pending[n-1] = p
		} else {
			s.cursor.set(p)
		}
		return nil
	}
	s.logger.Emit(ctx, rec)
	if s.pending = append(s.pending, p); len(s.pending) < batch {
		return nil
	}
	return s.flush(ctx)
}

// flush sends what the SDK holds and moves the cursor behind what arrived.
func (s *shipper) flush(ctx context.Context) error {
	if len(s.pending) == 0 {
		return nil
	}
	ended := s.provider.ForceFlush(ctx)
	n, err := s.delivery.taken()
	if err == nil && n < len(s.pending) {
		err = ended // cut short by ctx
	}
	for _, p := range s.pending[:n] {
		s.cursor.set(p)
	}
	s.sum.Sent += n
	s.pending = s.pending[:0]
	return errors.Join(s.cursor.endpoint.failed(err), s.cursor.save())
}
