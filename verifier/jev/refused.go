package jev

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/stepgate/stepgate/verifier"
)

// hintKey tells how a key is set.
const hintKey = "set one with `stepgate key set`, or put it in TYPESAFE_API_KEY"

func noKey() error { return verifier.Errorf(verifier.NoKey, "no API key is set; %s", hintKey) }

// refused words an answer that is not a 200.
func (c *Client) refused(status int, body []byte, key string) error {
	said := c.snippet(message(body), key)
	e := func(kind verifier.ErrorKind, format string, args ...any) error {
		err := verifier.Errorf(kind, format, args...)
		err.Status = status
		return err
	}
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return e(verifier.Auth, "%s refused the API key (HTTP %d): %s; %s", c.base.Host, status, said, hintKey)
	case status == http.StatusNotFound:
		return e(verifier.HTTP, "%s has no judge at this address (HTTP 404); check base_url", c.base.Host)
	case status == http.StatusBadRequest, status == http.StatusUnprocessableEntity:
		return e(verifier.HTTP, "%s did not accept the request (HTTP %d), its format may have changed: %s", c.base.Host, status, said)
	case status == http.StatusRequestEntityTooLarge:
		return e(verifier.HTTP, "%s says the request is too large (HTTP 413): %s", c.base.Host, said)
	case status == http.StatusTooManyRequests:
		return e(verifier.HTTP, "%s has had too many requests (HTTP 429): %s", c.base.Host, said)
	case status >= 300 && status < 400:
		return e(verifier.HTTP, "%s redirects elsewhere (HTTP %d), which is not followed; check base_url", c.base.Host, status)
	case status >= 500:
		return e(verifier.HTTP, "%s is failing (HTTP %d): %s", c.base.Host, status, said)
	}
	return e(verifier.HTTP, "%s answered HTTP %d: %s", c.base.Host, status, said)
}

// snippet quotes a server's text, which may repeat the key to us.
func (c *Client) snippet(s, key string) string {
	if key != "" {
		s = strings.ReplaceAll(s, key, "[key]")
	}
	return verifier.Snippet(s)
}

// message finds what an error body says, in the forms that servers of this format use.
func message(body []byte) string {
	var doc map[string]json.RawMessage
	if json.Unmarshal(body, &doc) != nil {
		return string(body)
	}
	for _, find := range []func() string{
		func() string { return text(doc["error"]) },
		func() string { return text(field(doc["error"], "message")) },
		func() string { return text(doc["message"]) },
		func() string { return text(doc["detail"]) },
		func() string { return text(field(doc["detail"], "message")) },
		func() string { return issues(doc["detail"]) },
	} {
		if s := find(); s != "" {
			return s
		}
	}
	return string(body)
}

func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

func field(raw json.RawMessage, name string) json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil {
		return nil
	}
	return m[name]
}

// issues joins a list of validation errors as "path: message; …".
func issues(raw json.RawMessage) string {
	var list []struct {
		Loc []json.RawMessage `json:"loc"`
		Msg string            `json:"msg"`
	}
	if json.Unmarshal(raw, &list) != nil {
		return ""
	}
	var out []string
	for _, issue := range list[:min(len(list), 8)] {
		var path []string
		for _, step := range issue.Loc[:min(len(issue.Loc), 8)] {
			path = append(path, strings.Trim(string(step), `"`))
		}
		out = append(out, strings.Join(path, ".")+": "+issue.Msg)
	}
	return strings.Join(out, "; ")
}
