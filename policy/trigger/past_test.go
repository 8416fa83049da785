package trigger

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/effect"
	"github.com/stepgate/stepgate/redact"
)

// past is a session in memory, with a clock that is moved by hand.
type past struct {
	t     testing.TB
	st    session.State
	o     Options
	world *effect.World
	now   time.Time
	agent string
	last  agent.Call
	acts  string

	confined []string
	tests    bool // the prompts want them first
}

func newPast(t testing.TB, preset string) *past {
	t.Helper()
	root := t.TempDir()
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	p := &past{t: t, o: Preset(preset), now: now}
	p.world = &effect.World{Root: root, CWD: root, Home: filepath.Join(root, "..", "home"), Now: func() time.Time { return p.now }}
	return p
}

func (p *past) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.world.Root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

var key = []byte("a key of thirty-two bytes, as it is")

// mask is what the line does with a target.
func mask(s string) redact.Text {
	return redact.New(redact.Options{}).String(s).Line().Cut(TargetLimits)
}

// try judges a call, and remembers it with the decision that its findings come to.
func (p *past) try(tool string, input map[string]any) *Seen {
	p.t.Helper()
	p.now = p.now.Add(time.Second)
	raw, err := json.Marshal(input)
	if err != nil {
		p.t.Fatal(err)
	}
	c := agent.NewCall("", tool, string(raw), p.world.Root)
	s := p.o.Judge(&Call{
		Call: c, Prediction: p.world.Predict(c), AgentID: p.agent, Root: p.world.Root, Keys: KeysOf(key, c), Now: p.now, State: p.st, Mask: mask,
		Confined: func() []string { return p.confined }, TestsFirst: func() bool { return p.tests },
	})
	p.last, p.acts = c, effect.ActsJSON(s.call.Acts)
	return &s
}

// bash makes a call that runs and has no result yet.
func (p *past) bash(command string) *Seen {
	p.t.Helper()
	s := p.try("Bash", map[string]any{"command": command})
	s.Remember(&p.st, &policy.Decision{})
	return s
}

func (p *past) edit(name string) *Seen {
	p.t.Helper()
	s := p.try("Edit", map[string]any{"file_path": filepath.Join(p.world.Root, name), "old_string": "a", "new_string": p.now.String()})
	s.Remember(&p.st, &policy.Decision{})
	return s
}

func (p *past) ended(failed bool, output string) {
	p.t.Helper()
	r := Result{AgentID: p.agent, Call: p.last, Keys: KeysOf(key, p.last), Now: p.now, Acts: p.acts, CWD: mask(p.world.Root),
		Hash: func(s string) string { return session.Fingerprint(key, "out", s) }}
	r.Known, r.Failed = true, failed
	if failed {
		r.Error = output
	} else {
		b, _ := json.Marshal(map[string]any{"stdout": output})
		r.Output = string(b)
	}
	r.Remember(&p.st)
}

// run makes a call that succeeds with an output that no other call has.
func (p *past) run(command string) *Seen {
	p.t.Helper()
	s := p.bash(command)
	p.ended(false, fmt.Sprintf("%s of %s, a text of its own", p.now, command))
	return s
}

func (p *past) fail(command string) *Seen {
	p.t.Helper()
	s := p.bash(command)
	p.ended(true, "Exit code 2\nno way at "+p.now.Format("15:04:05"))
	return s
}

// found gives the action of a rule's finding; false if there is none.
func found(s *Seen, rule string) (agent.Action, bool) {
	for _, f := range s.Findings {
		if f.Rule == rule {
			return f.Action, true
		}
	}
	return agent.Allow, false
}

func rules(s *Seen) string {
	var out []string
	for _, f := range s.Findings {
		out = append(out, f.Rule+" "+f.Action.String())
	}
	return strings.Join(out, ", ")
}

func (p *past) fires(s *Seen, rule string, want agent.Action) {
	p.t.Helper()
	if got, ok := found(s, rule); !ok || got != want {
		p.t.Errorf("%s: got %q, want %s", rule, rules(s), want)
	}
}

func (p *past) quiet(s *Seen, rule string) {
	p.t.Helper()
	if _, ok := found(s, rule); ok {
		p.t.Errorf("%s fires: %+v", rule, s.Findings)
	}
}
