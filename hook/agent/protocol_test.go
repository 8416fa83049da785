package agent_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/agent/claude"
	"github.com/stepgate/stepgate/hook/agent/codex"
	"github.com/stepgate/stepgate/redact"
)

var update = flag.Bool("update", false, "rewrite testdata/*.out.json of all agents")

var protocols = []struct {
	name string
	agent.Protocol
}{
	{"claude", claude.Protocol{}},
	{"codex", codex.Protocol{}},
}

// replies are rendered for each payload, in this order.
var replies = []struct {
	Name  string
	Reply agent.Reply
}{
	{"silence", agent.Reply{}},
	{"notice", agent.Reply{Notice: masked("n <&> \u2028")}},
	{"ask", agent.Reply{Action: agent.Ask, Reason: masked("why")}},
	{"deny", agent.Reply{Action: agent.Deny, Reason: masked("why")}},
	{"deny and notice", agent.Reply{Action: agent.Deny, Reason: masked("why"), Notice: masked("n")}},
	{"deny without a reason", agent.Reply{Action: agent.Deny, Reason: masked(" \n")}},
}

// golden is one .out.json file. Members that are zero are left out of Event.
type golden struct {
	Kind      string            `json:"kind"`
	Event     any               `json:"event"`
	Abilities *agent.Abilities  `json:"abilities,omitempty"` // of a pending call
	Stdout    map[string]string `json:"stdout"`
}

// filled gives a value as JSON has it, without the members that are zero.
func filled(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			switch e = filled(e); e {
			case nil, "", false, 0.0:
				delete(v, k)
			default:
				v[k] = e
			}
		}
		if len(v) == 0 {
			return nil
		}
	case []any:
		for i := range v {
			v[i] = filled(v[i])
		}
		return v
	}
	return v
}

// TestGolden parses each payload, renders replies to it and compares all that with the .out.json beside it.
func TestGolden(t *testing.T) {
	for _, p := range protocols {
		files, err := filepath.Glob(filepath.Join(p.name, "testdata", "*.in.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no payloads of %s (%v)", p.name, err)
		}
		for _, file := range files {
			base := strings.TrimSuffix(file, ".in.json")
			t.Run(filepath.ToSlash(strings.Replace(base, "testdata"+string(filepath.Separator), "", 1)), func(t *testing.T) {
				checkGolden(t, p.Protocol, base)
			})
		}
	}
}

func checkGolden(t *testing.T, p agent.Protocol, base string) {
	in, err := os.ReadFile(base + ".in.json")
	if err != nil {
		t.Fatal(err)
	}
	ev, err := p.Parse(in)
	if err != nil {
		t.Fatalf("Parse: %v", err)
	}
	g := golden{Kind: ev.Kind.String(), Stdout: map[string]string{}}
	if b, err := json.Marshal(ev); err != nil || json.Unmarshal(b, &g.Event) != nil {
		t.Fatalf("event %+v cannot be written: %v", ev, err)
	}
	delete(g.Event.(map[string]any), "Kind")
	g.Event = filled(g.Event)
	if ev.Kind == agent.PreTool {
		a := p.Abilities(ev, func(string) string { return "" })
		g.Abilities = &a
	}
	for _, r := range replies {
		out := p.Render(ev, r.Reply)
		if out.Exit != 0 || len(out.Stderr) > 0 {
			t.Errorf("%s: exit %d, stderr %q", r.Name, out.Exit, out.Stderr)
		}
		g.Stdout[r.Name] = string(out.Stdout)
	}
	var got bytes.Buffer
	enc := json.NewEncoder(&got)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(g); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(base+".out.json", got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(base + ".out.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%s.out.json differs; go test -update shows how\ngot:\n%s", base, got.Bytes())
	}
}

// TestRenderStops: what is to stop a call leaves in a form that stops it, whatever is wrong with the reply.
func TestRenderStops(t *testing.T) {
	const pre, skill = "PreToolUse", "PreSkillShellCommand"
	why, blank := masked("why"), masked("\u00a0\n")
	ask, deny, noReason := agent.Reply{Action: agent.Ask, Reason: why}, agent.Reply{Action: agent.Deny, Reason: why}, agent.Reply{Action: agent.Deny}
	for _, c := range []struct {
		name      string
		agent     agent.Protocol
		event     string // none: a payload that could not be read
		reply     agent.Reply
		wantEvent string
		want      string
	}{
		{"ask", claude.Protocol{}, pre, ask, pre, "ask"},
		{"ask without a reason", claude.Protocol{}, pre, agent.Reply{Action: agent.Ask}, pre, "ask"},
		{"deny", claude.Protocol{}, pre, deny, pre, "deny"},
		{"deny without a reason", claude.Protocol{}, pre, noReason, pre, "deny"},
		{"deny for a blank reason", claude.Protocol{}, pre, agent.Reply{Action: agent.Deny, Reason: blank}, pre, "deny"},
		{"deny with a notice", claude.Protocol{}, pre, agent.Reply{Action: agent.Deny, Reason: why, Notice: why}, pre, "deny"},
		{"an action that does not exist", claude.Protocol{}, pre, agent.Reply{Action: 9, Reason: why}, pre, "deny"},
		{"a skill's command", claude.Protocol{}, skill, deny, skill, "deny"},
		{"a skill cannot ask", claude.Protocol{}, skill, ask, skill, "deny"},
		{"unreadable payload", claude.Protocol{}, "", deny, pre, "deny"},

		{"ask", codex.Protocol{}, pre, ask, pre, "deny"},
		{"ask without a reason", codex.Protocol{}, pre, agent.Reply{Action: agent.Ask}, pre, "deny"},
		{"deny", codex.Protocol{}, pre, deny, pre, "deny"},
		{"deny without a reason", codex.Protocol{}, pre, noReason, pre, "deny"},
		{"deny for a blank reason", codex.Protocol{}, pre, agent.Reply{Action: agent.Deny, Reason: blank}, pre, "deny"},
		{"deny with a notice", codex.Protocol{}, pre, agent.Reply{Action: agent.Deny, Reason: why, Notice: why}, pre, "deny"},
		{"an action that does not exist", codex.Protocol{}, pre, agent.Reply{Action: 9, Reason: why}, pre, "deny"},
		{"unreadable payload, ask", codex.Protocol{}, "", ask, pre, "deny"},
	} {
		t.Run(fmt.Sprintf("%T %s", c.agent, c.name), func(t *testing.T) {
			ev := agent.Event{Name: c.event}
			if c.event != "" {
				ev.Kind = agent.PreTool
			}
			stops(t, c.agent.Render(ev, c.reply), c.wantEvent, c.want)
		})
	}
}

// TestRenderElsewhere: a refusal has no place in an event that decides nothing; at Stop it would keep the agent at work.
func TestRenderElsewhere(t *testing.T) {
	deny := agent.Reply{Action: agent.Deny, Reason: masked("why")}
	for _, c := range []struct {
		kind agent.Kind
		name string
		want string
	}{
		{agent.PostTool, "PostToolUse", ""},
		{agent.Stop, "Stop", ""},
		{agent.SubagentStop, "SubagentStop", ""},
		{agent.Start, "SessionStart", ""},
		{agent.Unknown, "Notification", ""},
		{agent.Prompt, "UserPromptSubmit", `{"decision":"block","reason":"why"}` + "\n"},
	} {
		for _, p := range protocols {
			if got := string(p.Render(agent.Event{Kind: c.kind, Name: c.name}, deny).Stdout); got != c.want {
				t.Errorf("%s: deny of %s: %q, want %q", p.name, c.name, got, c.want)
			}
		}
	}
}

// stops checks that an output is one that keeps a pending call from running for certain: exactly one document, of
// known members, with the decision "deny" (or "ask", where the agent has it) and a reason.
func stops(t *testing.T, out agent.Output, event string, words ...string) {
	t.Helper()
	type inner struct {
		HookEventName            string `json:"hookEventName"`
		PermissionDecision       string `json:"permissionDecision"`
		PermissionDecisionReason string `json:"permissionDecisionReason"`
	}
	var doc struct {
		SystemMessage      string `json:"systemMessage"`
		HookSpecificOutput inner  `json:"hookSpecificOutput"`
	}
	dec := json.NewDecoder(bytes.NewReader(out.Stdout))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&doc); err != nil {
		t.Fatalf("output %q: %v", out.Stdout, err)
	}
	if dec.More() || out.Exit != 0 || len(out.Stderr) != 0 {
		t.Errorf("output %q has more than one document, or exit %d, or stderr %q", out.Stdout, out.Exit, out.Stderr)
	}
	h := doc.HookSpecificOutput
	known := false
	for _, w := range words {
		known = known || w == h.PermissionDecision
	}
	if h.HookEventName != event || !known || strings.TrimSpace(h.PermissionDecisionReason) == "" {
		t.Errorf("output %q does not stop %s with one of %q and a reason", out.Stdout, event, words)
	}
}

// fuzzParse is the fuzz target of one agent.
func fuzzParse(f *testing.F, name string, p agent.Protocol) {
	files, _ := filepath.Glob(filepath.Join(name, "testdata", "*.in.json"))
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	for _, s := range []string{
		``, `{`, `null`, `[]`, `{}{}`, "\ufeff{}", `{"hook_event_name":"PreToolUse"}`,
		`{"hook_event_name":"PreToolUse","hook_event_name":"Stop"}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"a","command":"\ud800b"}}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":[[[[1]]]]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, payload []byte) { checkParsed(t, p, payload) })
}

func FuzzClaude(f *testing.F) { fuzzParse(f, "claude", claude.Protocol{}) }
func FuzzCodex(f *testing.F)  { fuzzParse(f, "codex", codex.Protocol{}) }

// checkParsed checks what holds for every event, whatever the payload.
func checkParsed(t *testing.T, p agent.Protocol, payload []byte) {
	ev, err := p.Parse(payload)
	if err != nil {
		if ev.Kind != agent.Unknown {
			t.Errorf("event %q beside error %v", ev.Name, err)
		}
		return
	}
	if in := ev.Call.Input; ev.Kind == agent.PreTool && (!json.Valid([]byte(in)) || in[0] != '{') {
		t.Errorf("input %q is not a JSON object", in)
	}
	if ev.Person && (ev.Kind != agent.Prompt || ev.AgentID != "") {
		t.Errorf("%s of agent %q taken for a person's prompt", ev.Name, ev.AgentID)
	}
	if ev.Kind != agent.PreTool {
		return
	}
	for _, a := range []agent.Action{agent.Ask, agent.Deny, 200} {
		stops(t, p.Render(ev, agent.Reply{Action: a}), ev.Name, "deny", "ask")
	}
	if out := p.Render(ev, agent.Reply{}); len(out.Stdout)+len(out.Stderr)+out.Exit != 0 {
		t.Errorf("no objection is not silent: %q", out.Stdout)
	}
}

// masked makes a masked text of one that holds no secret.
func masked(s string) (t redact.Text) {
	b, err := json.Marshal(s)
	if err == nil {
		err = json.Unmarshal(b, &t)
	}
	if err != nil {
		panic(err)
	}
	return t
}
