package doctor

import (
	"bufio"
	"errors"
	"io"
	"os"
	"time"

	"github.com/tidwall/gjson"
)

const maxTranscriptLine = 1 << 20

// eachLine gives the lines of a log until yield says stop. A line past the limit is given cut, which makes it no JSON.
func eachLine(path string, yield func(line []byte) bool) {
	f, err := os.Open(path)
	if err != nil {
		return // a log that cannot be read shows no calls
	}
	defer f.Close()
	r := bufio.NewReaderSize(io.LimitReader(f, maxTranscriptRead), maxTranscriptLine)
	for {
		line, err := r.ReadSlice('\n')
		if len(line) > 0 && !yield(line) {
			return
		}
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = r.ReadSlice('\n')
		}
		if err != nil {
			return
		}
	}
}

// firstTime is the time of the first line that has one.
func firstTime(path string) (at time.Time, ok bool) {
	eachLine(path, func(line []byte) bool {
		if !gjson.ValidBytes(line) {
			return true
		}
		t, err := time.Parse(time.RFC3339Nano, gjson.GetBytes(line, "timestamp").String())
		if err == nil {
			at, ok = t, true
		}
		return !ok
	})
	return at, ok
}

// begin is the folder and the session that the first line of a log of Codex names.
func begin(path string) (cwd, session string) {
	eachLine(path, func(line []byte) bool {
		if gjson.ValidBytes(line) {
			payload := gjson.GetBytes(line, "payload")
			cwd, session = payload.Get("cwd").String(), payload.Get("session_id").String()
		}
		return false
	})
	return cwd, session
}

// calls counts the tool calls in a log: Claude Code's tool_use parts, Codex's calls of functions, custom tools and its
// shell. Calls that the agent refused before any hook ran are counted too.
func calls(path string) (n int) {
	eachLine(path, func(line []byte) bool {
		if !gjson.ValidBytes(line) {
			return true
		}
		l := gjson.ParseBytes(line)
		switch l.Get("payload.type").String() {
		case "function_call", "custom_tool_call", "local_shell_call":
			n++
		}
		if l.Get("type").String() == "assistant" {
			for _, part := range l.Get("message.content").Array() {
				if part.Get("type").String() == "tool_use" {
					n++
				}
			}
		}
		return true
	})
	return n
}
