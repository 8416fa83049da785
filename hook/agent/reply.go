package agent

import (
	"bytes"
	"encoding/json"
	"strings"
)

// noReason stands in for a reason that is missing: Codex runs a call that is refused without one.
const noReason = "stepgate stopped this call and gave no reason, which is a fault of stepgate. Do not repeat this call."

// MustReason is the reason, or a fixed text where it is empty.
func (r Reply) MustReason() string {
	if strings.TrimSpace(r.Reason.String()) == "" {
		return noReason
	}
	return r.Reason.String()
}

// Document is an output of exactly one JSON document. A value that cannot be written becomes the form that blocks in
// every agent: text on standard error and exit status 2.
func Document(v any) Output {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return Output{Stderr: []byte("stepgate: its answer could not be written\n"), Exit: 2}
	}
	return Output{Stdout: b.Bytes()}
}
