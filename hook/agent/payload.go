package agent

import (
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// Error says why a payload or an input cannot be read. It never quotes it.
type Error string

func (e Error) Error() string { return string(e) }

const (
	ErrEmpty     Error = "payload is empty"
	ErrTooLarge  Error = "payload is larger than 16 MiB"
	ErrNotJSON   Error = "payload is not one JSON document"
	ErrNotObject Error = "payload is not a JSON object"
	ErrNoEvent   Error = "payload names no event"
)

// Bounds of an event's short texts, in bytes.
const (
	maxName  = 512  // ids, names of tools, events and models
	maxPath  = 4096 // PATH_MAX: no longer path can exist
	maxError = 1000
)

// Fields are the members of a payload that the gate reads, under the names both agents give them. Those a payload has
// not, or has with another type, are empty.
type Fields struct {
	Event, Session, Transcript, CWD  string
	AgentID, AgentType               string
	PromptID, TurnID                 string
	PermissionMode, Model            string
	CallID, Tool                     string
	Prompt, Source, Reason, ErrorMsg string
	Interrupted                      bool
	Duration                         time.Duration
	// Input and Response are raw JSON of any type.
	Input, Response string
	// Cut says that something in the payload was nested too deep and is left out.
	Cut bool
}

// ReadFields reads one payload. With ErrTooLarge it gives what stands in the payload's first part, which is enough to
// answer the event in its own form; with any other error nothing.
func ReadFields(payload []byte) (Fields, error) {
	if len(payload) > MaxPayload {
		return firstFields(payload), ErrTooLarge
	}
	doc, cut, err := canon(string(payload))
	if err != nil {
		return Fields{}, err
	}
	f := Fields{Cut: cut}
	gjson.Parse(doc).ForEach(f.take)
	return f, nil
}

// firstFields reads the members before the large one. Both agents write the names of event and session first.
func firstFields(payload []byte) Fields {
	var f Fields
	head := strings.ToValidUTF8(string(payload[:64<<10]), "\ufffd")
	// Not checked as a whole, which is safe: nothing that nests is read, and skipping over it does not recurse.
	gjson.Parse(strings.TrimPrefix(head, "\ufeff")).ForEach(func(key, value gjson.Result) bool {
		return value.IsObject() || value.IsArray() || f.take(key, value)
	})
	f.Prompt = "" // the part of a prompt is another prompt
	return f
}

// take keeps one member of a payload.
func (f *Fields) take(key, value gjson.Result) bool {
	text := func(to *string, bound int) {
		if value.Type == gjson.String {
			*to = Clip(value.Str, bound)
		}
	}
	switch key.Str {
	case "hook_event_name":
		text(&f.Event, maxName)
	case "session_id":
		text(&f.Session, maxName)
	case "transcript_path":
		text(&f.Transcript, maxPath)
	case "cwd":
		text(&f.CWD, maxPath+1)
		if len(f.CWD) > maxPath || !filepath.IsAbs(f.CWD) {
			f.CWD = "" // a part of a path is another path
		}
	case "agent_id":
		text(&f.AgentID, maxName)
	case "agent_type":
		text(&f.AgentType, maxName)
	case "prompt_id":
		text(&f.PromptID, maxName)
	case "turn_id":
		text(&f.TurnID, maxName)
	case "permission_mode":
		text(&f.PermissionMode, maxName)
	case "model":
		text(&f.Model, maxName)
	case "tool_use_id":
		text(&f.CallID, maxName)
	case "tool_name":
		text(&f.Tool, maxName)
	case "prompt":
		text(&f.Prompt, MaxPayload)
	case "source":
		text(&f.Source, maxName)
	case "reason":
		text(&f.Reason, maxName)
	case "error":
		text(&f.ErrorMsg, maxError)
	case "is_interrupt":
		f.Interrupted = value.Type == gjson.True
	case "duration_ms":
		if value.Type == gjson.Number && value.Num > 0 {
			f.Duration = time.Duration(min(value.Num, 1e10)) * time.Millisecond
		}
	case "tool_input":
		f.Input = value.Raw
	case "tool_response":
		f.Response = value.Raw
	}
	return true
}

// AsEvent gives the fields as an event of the given kind. What the agents do not share (Turn, Source, Person and Result)
// is left to their packages.
func (f Fields) AsEvent(kind Kind) Event {
	ev := Event{
		Kind: kind, Name: f.Event, Session: f.Session, AgentID: f.AgentID, AgentType: f.AgentType,
		Transcript: f.Transcript, CWD: f.CWD, PermissionMode: f.PermissionMode, Model: f.Model,
	}
	switch kind {
	case PreTool, PostTool:
		ev.Call = newCall(f.CallID, f.Tool, f.Input, f.CWD)
		if f.Cut {
			ev.Call.unsure("the input nests too deep to be read whole")
		}
	case Prompt:
		ev.Prompt = f.Prompt
	}
	return ev
}

// Clip cuts a text to at most n bytes, between two runes.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
