package hook

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/agent/claude"
	"github.com/stepgate/stepgate/hook/agent/codex"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
)

// An id that comes again with another input is another call: some model servers count their calls from 1 in each turn.
func TestSameIDWithAnotherInputIsAnotherCall(t *testing.T) {
	for _, mode := range []policy.Mode{policy.Enforce, policy.Off} {
		t.Run(string(mode), func(t *testing.T) {
			r := newRig(t)
			r.Mode = mode
			r.n = 0
			told, _ := r.call("Bash", `{"command":"ls"}`)
			silent(t, told)
			r.Mode, r.n = policy.Enforce, 0
			told, _ = r.call("Bash", `{"command":"rm -rf ~"}`)
			says(t, told, "deny", "fs.wipe-home")
			r.n = 0
			told, _ = r.call("Read", `{"command":"rm -rf ~"}`)
			silent(t, told)
			if n := len(r.lines(session.KindCall)); n != 3 {
				t.Errorf("%d lines, want 3", n)
			}
		})
	}
}

// A word that is no mode, in a session file that somebody edited, must not switch the gate off.
func TestSessionModeThatIsNone(t *testing.T) {
	for _, l := range []session.Line{
		{Kind: session.KindMode, Mode: "banana"},
		{Kind: session.KindMode, Mode: "ENFORCE "},
	} {
		r := newRig(t)
		r.remember(r.Store.Find(r.session, r.Root), r.event(agent.PreTool), l)
		says(t, r.bash("rm -rf ~"), "deny", "fs.wipe-home")
	}
	r := newRig(t)
	r.Mode, r.ModeUnknown = policy.Enforce, true
	r.remember(r.Store.Find(r.session, r.Root), r.event(agent.PreTool), session.Line{Kind: session.KindCall, Mode: "banana"})
	says(t, r.bash("rm -rf ~"), "deny", "fs.wipe-home")
}

// Where the configuration cannot be read, the mode last recorded for the project goes on in a new session.
func TestUnknownModeIsTheProjectsLast(t *testing.T) {
	r := newRig(t)
	r.bash("mkdir one") // enforced
	r.session, r.Mode, r.ModeUnknown = "s-2", policy.Audit, true
	says(t, r.bash("rm -rf ~"), "deny", "fs.wipe-home")
	other := newRig(t)
	other.Mode, other.ModeUnknown = policy.Audit, true
	silent(t, other.bash("rm -rf ~"))
}

// A payload past the size limit whose first part names no event could be a pending call.
func TestTooLargeWithoutAnEventAsks(t *testing.T) {
	r := newRig(t)
	says(t, string(r.TooLarge(agent.Event{Session: r.session}, 16<<20).Stdout), "ask", "16 MiB")
	if out := r.TooLarge(agent.Event{Session: r.session, Name: "Notification"}, 16<<20); len(out.Stdout) != 0 {
		t.Errorf("an unknown event was answered with %q", out.Stdout)
	}
}

// A payload that names no event, or not by a string, could be a pending call; on_error decides, as of one that is no
// JSON. An event by a name that is not known is none of ours.
func TestNoEvent(t *testing.T) {
	r := newRig(t)
	r.Policy.OnError = agent.Deny
	for _, payload := range []string{`{}`, `{"hook_event_name":5,"tool_name":"Bash","tool_input":{"command":"ls"}}`, `{"hook_event_name":""}`} {
		for _, p := range []agent.Protocol{claude.Protocol{}, codex.Protocol{}} {
			ev, err := p.Parse([]byte(payload))
			if err != nil {
				t.Fatal(err)
			}
			r.Protocol = p
			says(t, string(r.handle(ev).Stdout), "deny", "names no event")
		}
	}
	if out := r.handle(agent.Event{Name: "Notification"}); len(out.Stdout) != 0 {
		t.Errorf("an unknown event was answered with %q", out.Stdout)
	}
}

// However many asks a session file claims are open, each call settles a few.
func TestManyOpenAsks(t *testing.T) {
	r := newRig(t)
	r.bash("mkdir one")
	file := r.Store.Find(r.session, r.Root)
	open := make([]session.OpenAsk, 500)
	for i := range open {
		open[i] = session.OpenAsk{CallID: "c" + strings.Repeat("x", i%7)}
	}
	editLast(t, file.Path(), func(totals map[string]any) { totals["open"] = open })
	r.bash("mkdir two")
	if n := len(r.lines(session.KindResult)); n > maxOpen {
		t.Errorf("%d asks were settled at one call", n)
	}
}

// editLast changes the totals in the last line of a session file, as an editor could.
func editLast(t *testing.T, path string, change func(totals map[string]any)) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(b), []byte{'\n'})
	var last map[string]any
	if err := json.Unmarshal(lines[len(lines)-1], &last); err != nil {
		t.Fatal(err)
	}
	change(last["totals"].(map[string]any))
	if lines[len(lines)-1], err = json.Marshal(last); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(bytes.Join(lines, []byte{'\n'}), '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
}
