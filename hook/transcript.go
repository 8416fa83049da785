package hook

import (
	"bufio"
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
