package verifier

import (
	"errors"
	"fmt"

	"github.com/stepgate/stepgate/redact"
)

// ErrorKind says why a judge gave no answers.
type ErrorKind string

const (
	NoKey     ErrorKind = "no_key"     // no API key is set
	Auth      ErrorKind = "auth"       // the server refused the key
	Timeout   ErrorKind = "timeout"    // the deadline passed
	HTTP      ErrorKind = "http"       // any other status than 200
	BadAnswer ErrorKind = "bad_answer" // an answer that breaks the rules of ParseAnswers
	Network   ErrorKind = "network"    // no connection, or it broke
	Config    ErrorKind = "config"     // a setting makes the judge impossible
)

// Error is a judge's failure. It crosses the pipe from `stepgate judge` as it stands.
type Error struct {
	Kind ErrorKind `json:"kind"`
	// Message is one line, masked; it never holds the key.
	Message redact.Text `json:"message"`
	// Status is the HTTP status, 0 when there was none.
	Status    int    `json:"status,omitempty"`
	RequestID string `json:"request_id,omitempty"`
}

func (e *Error) Error() string { return e.Message.String() }

// Errorf makes an Error of a kind; the text is masked and made one line.
func Errorf(kind ErrorKind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: mask(fmt.Sprintf(format, args...))}
}

// mask makes a short one-line text of ours, or of a server's, safe to keep.
func mask(s string) redact.Text {
	return redact.New(redact.Options{}).String(s).Line()
}

// KindOf gives the kind of a judge's failure, or "" when err is not one.
func KindOf(err error) ErrorKind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return ""
}

// Outage tells whether err speaks of a judge that is not working, as against one that is not set up. Only outages count
// for the Breaker.
func Outage(err error) bool {
	switch KindOf(err) {
	case NoKey, Config:
		return false
	}
	return err != nil
}
