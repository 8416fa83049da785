package hook

import (
	"bufio"
	"bytes"
	"io"
	"iter"
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

// newestLines gives the lines at the end of an agent's log, newest first. A log that is not there, or no file, has none.
func newestLines(path string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		f, err := safefile.Open(path, os.O_RDONLY)
		if err != nil {
			return
		}
		defer f.Close()
		fi, err := f.Stat()
		if err != nil {
			return
		}
		buf := make([]byte, min(fi.Size(), maxTranscriptTail))
		n, _ := f.ReadAt(buf, fi.Size()-int64(len(buf))) // what could be read is what there is
		for rest := buf[:n]; len(rest) > 0; {
			i := bytes.LastIndexByte(rest, '\n')
			if line := rest[i+1:]; len(line) > 0 && !yield(line) {
				return
			}
			rest = rest[:max(i, 0)]
		}
	}
}

// tokensUsed gives the tokens of the newest message in an agent's log that tells them: what the model was given and
// gave. Claude Code 2.1 writes message.usage, Codex 0.171 an event token_count.
func tokensUsed(path string) int {
	for line := range newestLines(path) {
		if !bytes.Contains(line, []byte(`"usage"`)) && !bytes.Contains(line, []byte(`"token_count"`)) || !gjson.ValidBytes(line) {
			continue
		}
		if n := gjson.GetBytes(line, "payload.info.last_token_usage.total_tokens").Int(); n > 0 {
			return int(n)
		}
		use, n := gjson.GetBytes(line, "message.usage"), int64(0)
		for _, part := range [...]string{"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"} {
			n += max(0, use.Get(part).Int())
		}
		if n > 0 && n < 1<<40 {
			return int(n)
		}
	}
	return 0
}

// exitStatus gives how a command ended by the agent's own log. Codex 0.171 tells a hook no exit status, but has written
// it down by the time the hook runs.
func exitStatus(path, callID string) (code int, ok bool) {
	if path == "" || callID == "" {
		return 0, false
	}
	id := []byte(`"` + callID + `"`)
	for line := range newestLines(path) {
		if !bytes.Contains(line, id) || !bytes.Contains(line, []byte(`"exit_code"`)) || !gjson.ValidBytes(line) {
			continue
		}
		item := gjson.GetBytes(line, "payload.item")
		if exit := item.Get("exit_code"); item.Get("id").Str == callID && exit.Type == gjson.Number {
			return int(exit.Int()), true
		}
	}
	return 0, false
}
