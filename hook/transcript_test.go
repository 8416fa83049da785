package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy/trigger"
)

const (
	claudeUse = `{"type":"assistant","message":{"role":"assistant","usage":{"input_tokens":%d,"cache_creation_input_tokens":2000,"cache_read_input_tokens":150000,"output_tokens":500}}}`
	codexUse  = `{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"total_tokens":900000},"last_token_usage":{"total_tokens":%d}}}}`
	codexEnd  = `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":%q,"status":"failed","aggregated_output":"","exit_code":%d}}}`
)

func transcript(t testing.TB, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTokensUsed(t *testing.T) {
	long := `{"type":"user","message":{"role":"user","content":"` + strings.Repeat("x", maxTranscriptTail) + `"}}`
	for _, tt := range []struct {
		name  string
		lines []string
		want  int64
	}{
		{"Claude Code", []string{fmt.Sprintf(claudeUse, 1), fmt.Sprintf(claudeUse, 7500), `{"type":"last-prompt"}`}, 160_000},
		{"Codex", []string{fmt.Sprintf(codexUse, 100), fmt.Sprintf(codexUse, 170_000)}, 170_000},
		{"the newest line that tells is past the end that is read", []string{fmt.Sprintf(claudeUse, 1), long}, 0},
		{"half a line at the end", []string{fmt.Sprintf(codexUse, 5), `{"type":"event_msg","payload":{"type":"token_count","inf`}, 5},
		{"no use at all", []string{`{"type":"user"}`}, 0},
		{"a number that is none", []string{`{"message":{"usage":{"input_tokens":"many"}}}`, `{"message":{"usage":{"input_tokens":-5}}}`}, 0},
		{"not JSON", []string{`"usage" "token_count"`, "\x00\x01"}, 0},
		{"words in a text", []string{`{"message":{"content":"\"usage\": {\"input_tokens\": 9}"}}`}, 0},
	} {
		if got := TokensUsed(transcript(t, tt.lines...)); got != tt.want {
			t.Errorf("%s: got %d, want %d", tt.name, got, tt.want)
		}
	}
	if got := TokensUsed(filepath.Join(t.TempDir(), "none")); got != 0 {
		t.Errorf("a missing log: %d", got)
	}
	if got := TokensUsed(t.TempDir()); got != 0 {
		t.Errorf("a folder: %d", got)
	}
}

// TestHugeTranscript: of a log of 200 MB the end is read and no more.
func TestHugeTranscript(t *testing.T) {
	path := transcript(t)
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("\n"+fmt.Sprintf(codexUse, 42)+"\n"), 200<<20); err != nil {
		t.Skip(err)
	}
	f.Close()
	read := 0
	newest(path, func(line []byte) bool { read += len(line); return false })
	if got := TokensUsed(path); got != 42 || read > maxTranscriptTail {
		t.Errorf("got %d tokens, %d bytes read", got, read)
	}
}

func TestExitStatus(t *testing.T) {
	path := transcript(t, fmt.Sprintf(codexEnd, "call_1", 1), fmt.Sprintf(codexEnd, "call_2", 0), `{"payload":{"item":{"id":"call_3","exit_code":"x"}}}`,
		`{"payload":{"item":{"id":"other","text":"\"call_4\" \"exit_code\": 0"}}}`)
	for _, tt := range []struct {
		id   string
		code int64
		ok   bool
	}{{"call_1", 1, true}, {"call_2", 0, true}, {"call_3", 0, false}, {"call_4", 0, false}, {"call_9", 0, false}, {"", 0, false}} {
		if code, ok := exitStatus(path, tt.id); code != tt.code || ok != tt.ok {
			t.Errorf("%s: got %d, %v", tt.id, code, ok)
		}
	}
	if _, ok := exitStatus("", "call_1"); ok {
		t.Error("a status without a log")
	}
}

// TestCodexStatus: the event tells nothing, the log does.
func TestCodexStatus(t *testing.T) {
	r := newPastRig(t, trigger.Balanced)
	path := transcript(t, fmt.Sprintf(codexEnd, "s-1-1", 2))
	_, id := r.call("Bash", `{"command":"make all"}`)
	ev := r.event(agent.PostTool)
	ev.Call, ev.Transcript = agent.NewCall(id, "Bash", `{"command":"make all"}`, r.proj), path
	r.handle(ev)
	results := r.lines(session.KindResult)
	if len(results) != 1 || results[0].OK == nil || *results[0].OK {
		t.Errorf("results %+v", results)
	}
	if main := r.mainThread(); main.Results != "e" {
		t.Errorf("outcomes %q", main.Results)
	}
}

// TestTokensAreSaidOnce, whatever else the log holds, and only now and then looked up.
func TestTokensAreSaidOnce(t *testing.T) {
	r := newPastRig(t, trigger.Balanced)
	path := transcript(t, fmt.Sprintf(claudeUse, 9000))
	told := 0
	for i := range 20 {
		ev := r.event(agent.PreTool)
		ev.Name, ev.Transcript = "PreToolUse", path
		ev.Call = agent.NewCall(fmt.Sprint("t", i), "Bash", fmt.Sprintf(`{"command":"ls d%d"}`, i), r.proj)
		if strings.Contains(string(r.handle(ev).Stdout), "tokens") {
			told++
		}
	}
	if told != 1 || r.totals().State.Tokens != 161_500 {
		t.Errorf("told %d times, %d tokens", told, r.totals().State.Tokens)
	}
}

func FuzzTranscript(f *testing.F) {
	f.Add([]byte(fmt.Sprintf(claudeUse, 1)))
	f.Add([]byte("\n\n" + fmt.Sprintf(codexUse, 1) + "\n{"))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if n := TokensUsed(path); n < 0 {
			t.Errorf("%d tokens", n)
		}
		exitStatus(path, "a")
	})
}
