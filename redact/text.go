// Package redact hides secrets in text before it reaches disk or network.
//
// Text and Doc can only be made here, so a function that takes one cannot be handed unmasked text by mistake. What is
// masked keeps its shape: quotes, flags, hosts and user names stay, JSON stays JSON, and the same secret gets the same
// tag all through a session. What the package does not promise: that every secret has a shape it knows
// (docs/threat-model.md).
package redact

import (
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"
)

// Text is masked text.
type Text struct{ s string }

func (t Text) String() string { return t.s }

// IsZero lets omitzero leave an empty Text out of a JSON document.
func (t Text) IsZero() bool { return t.s == "" }

// MarshalJSON writes the text as a JSON string.
func (t Text) MarshalJSON() ([]byte, error) { return json.Marshal(t.s) }

// UnmarshalJSON takes a JSON string of the gate's own files, which was masked when it was written.
func (t *Text) UnmarshalJSON(b []byte) error {
	if v := gjson.ParseBytes(b); v.Type == gjson.String && gjson.ValidBytes(b) {
		t.s = strings.ToValidUTF8(v.Str, "\ufffd")
		return nil
	}
	return json.Unmarshal(b, &t.s)
}

// Doc is a masked JSON document.
type Doc struct{ s string }

func (d Doc) String() string { return d.s }

// IsZero lets omitzero leave an empty Doc out of a JSON document.
func (d Doc) IsZero() bool { return d.s == "" }

// MarshalJSON writes the document as it is.
func (d Doc) MarshalJSON() ([]byte, error) {
	if d.s == "" {
		return []byte("null"), nil
	}
	return []byte(d.s), nil
}

// UnmarshalJSON takes a document of the gate's own files, which was masked when it was written.
func (d *Doc) UnmarshalJSON(b []byte) error { d.s = string(b); return nil }
