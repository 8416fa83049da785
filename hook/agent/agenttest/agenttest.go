// Package agenttest checks an agent's side of the hook against payloads of the real program, and against hostile ones.
package agenttest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/redact"
)

// replies are rendered for each payload, in this order.
var replies = []struct {
	Name  string
	Reply agent.Reply
}{
	{"silence", agent.Reply{}},
	{"notice", agent.Reply{Notice: Text("n <&> \u2028")}},
	{"ask", agent.Reply{Action: agent.Ask, Reason: Text("why")}},
	{"deny", agent.Reply{Action: agent.Deny, Reason: Text("why")}},
	{"deny and notice", agent.Reply{Action: agent.Deny, Reason: Text("why"), Notice: Text("n")}},
	{"deny without a reason", agent.Reply{Action: agent.Deny, Reason: Text(" \n")}},
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

// Golden parses each testdata/*.in.json, renders replies to it and compares all that with the .out.json beside it.
func Golden(t *testing.T, p agent.Protocol, update bool) {
	files, err := filepath.Glob("testdata/*.in.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no testdata/*.in.json (%v)", err)
	}
	for _, file := range files {
		base := strings.TrimSuffix(file, ".in.json")
		t.Run(filepath.Base(base), func(t *testing.T) {
			in, err := os.ReadFile(file)
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
			if update {
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
		})
	}
}

// Stops reports whether an output is one that keeps a pending call from running for certain: exactly one document, of
// known members, with the decision "deny" (or "ask", where the agent has it) and a reason.
func Stops(t *testing.T, out agent.Output, event string, words ...string) {
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

// Seeds adds the payloads of testdata and some broken ones to a fuzz target.
func Seeds(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.in.json")
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
}

// Parsed checks what holds for every event, whatever the payload.
func Parsed(t *testing.T, p agent.Protocol, payload []byte) {
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
		Stops(t, p.Render(ev, agent.Reply{Action: a}), ev.Name, "deny", "ask")
	}
	if out := p.Render(ev, agent.Reply{}); len(out.Stdout)+len(out.Stderr)+out.Exit != 0 {
		t.Errorf("no objection is not silent: %q", out.Stdout)
	}
}

// Text makes a masked text of one that holds no secret.
func Text(s string) (t redact.Text) {
	b, err := json.Marshal(s)
	if err == nil {
		err = json.Unmarshal(b, &t)
	}
	if err != nil {
		panic(err)
	}
	return t
}
