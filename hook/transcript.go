package hook

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/internal/safefile"
)

// Bounds of what is read of an agent's own log.
const (
	maxTranscript     = 256 << 10
	maxTranscriptLine = 64 << 10
)

// firstPrompt gives the first user message of an agent's log, or nothing. It reads the shapes of Claude Code 2.1
// (a line {"type":"user","message":{"content":…}}) and of Codex 0.171 (a line whose payload is a message with the role
// user). What the agents put in front of a person's words in angle brackets is passed over.
func firstPrompt(path string) string {
	f, err := safefile.Open(path, os.O_RDONLY) // a pipe or a device in its place holds nothing up
	if err != nil {
		return "" // a log that is not there yet is ordinary
	}
	defer f.Close()
	r := bufio.NewReaderSize(io.LimitReader(f, maxTranscript), maxTranscriptLine)
	for {
		line, err := r.ReadSlice('\n')
		if text := userText(line); text != "" {
			return text
		}
		if err != nil {
			return ""
		}
	}
}

func userText(line []byte) string {
	if !gjson.ValidBytes(line) {
		return ""
	}
	l := gjson.ParseBytes(line)
	msg := l.Get("message")
	if l.Get("type").String() != "user" {
		msg = l.Get("payload")
	}
	if msg.Get("role").String() != "user" || l.Get("isMeta").Bool() || l.Get("isSidechain").Bool() || l.Get("promptSource").String() == "system" {
		return ""
	}
	content := msg.Get("content")
	if content.IsArray() {
		var parts []string
		for _, c := range content.Array() {
			if t := c.Get("text").String(); t != "" && !strings.HasPrefix(strings.TrimSpace(t), "<") {
				parts = append(parts, t)
			}
		}
		return strings.Join(parts, "\n")
	}
	if t := content.String(); !strings.HasPrefix(strings.TrimSpace(t), "<") {
		return t
	}
	return ""
}

// maxTranscriptTail is what is read of the end of an agent's log.
const maxTranscriptTail = 64 << 10

// newest hands the lines at the end of an agent's log to f, newest first, until it has what it wants. A log that is not
// there, or no file, has none.
func newest(path string, f func(line []byte) (done bool)) {
	fh, err := safefile.Open(path, os.O_RDONLY)
	if err != nil {
		return
	}
	defer fh.Close()
	fi, err := fh.Stat()
	if err != nil {
		return
	}
	buf := make([]byte, min(fi.Size(), maxTranscriptTail))
	n, _ := fh.ReadAt(buf, fi.Size()-int64(len(buf))) // what could be read is what there is
	for rest := buf[:n]; len(rest) > 0; {
		i := bytes.LastIndexByte(rest, '\n')
		if line := rest[i+1:]; gjson.ValidBytes(line) && f(line) {
			return
		}
		rest = rest[:max(i, 0)]
	}
}

// TokensUsed gives the tokens of the newest message in an agent's log that tells them: what the model was given and
// gave. Claude Code 2.1 writes message.usage, Codex 0.171 an event token_count.
func TokensUsed(path string) (n int64) {
	newest(path, func(line []byte) bool {
		if n = gjson.GetBytes(line, "payload.info.last_token_usage.total_tokens").Int(); n > 0 {
			return true
		}
		n = 0
		gjson.GetBytes(line, "message.usage").ForEach(func(part, v gjson.Result) bool {
			switch part.Str {
			case "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens":
				n += min(max(0, v.Int()), 1<<40)
			}
			return true
		})
		return n > 0
	})
	return n
}

// exitStatus gives how a command ended by the agent's own log. Codex 0.171 tells a hook no exit status, but has written
// it down by the time the hook runs.
func exitStatus(path, callID string) (code int64, ok bool) {
	if path == "" || callID == "" {
		return 0, false
	}
	newest(path, func(line []byte) bool {
		item := gjson.GetBytes(line, "payload.item")
		exit := item.Get("exit_code")
		code, ok = exit.Int(), exit.Type == gjson.Number && item.Get("id").Str == callID
		return ok
	})
	if !ok {
		code = 0
	}
	return code, ok
}
