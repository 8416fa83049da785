// Package scenario plays short stories of an agent at work through the real line of the gate: each event goes in as the
// payload an agent would send, and what comes out is what that agent would read.
//
// It promises that no command of a story is run and that nothing outside the folder it is given is written. It decides
// nothing itself: a story names the answer it expects, and the gate gives the one it has.
package scenario

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/hook"
	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
)

// Scenario is one story: what a person asked for, what lies on the disk, and the calls the agent makes.
type Scenario struct {
	Name string
	// Shows says in a sentence what the story is there to show.
	Shows string
	Plan  string
	Steps []Step

	prepare func(*stage) error
	secret  string // must not stand in the record
}

// Step is one call of the agent.
type Step struct {
	Command string       // of the Bash tool
	Want    agent.Action // Allow is silence
	Fails   bool         // the call ran and failed; only after Allow
	Keeps   bool         // a copy is taken first, and the person is told how to get it back; only after Allow

	before func(*stage) error // what happens on the disk first
}

// Told is what came of a step.
type Told struct {
	Command string       `json:"command"`
	Want    agent.Action `json:"want"`
	Got     agent.Action `json:"got"`
	// Reply is what the agent reads on the hook's standard output, empty for silence; Reason is the text in it.
	Reply  string `json:"reply,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Notice is what the person is told beside it.
	Notice string `json:"notice,omitempty"`

	pass bool
}

// Result is what came of a scenario.
type Result struct {
	Name  string `json:"name"`
	Shows string `json:"shows"`
	Plan  string `json:"plan"`
	Pass  bool   `json:"pass"`
	Steps []Told `json:"steps"`
	// Record is the session's file and Lines how many lines it has.
	Record string `json:"record"`
	Lines  int    `json:"lines"`
	// Skipped says why the story could not be played here, and Problem what went wrong beside the answers.
	Skipped string `json:"skipped,omitempty"`
	Problem string `json:"problem,omitempty"`
}

// Open makes the gate for a project and the home folder beside it.
type Open func(project string) *hook.Gate

// Run plays a story. Its project is a new folder below dir; home is the home folder that its commands mean.
func (s Scenario) Run(ctx context.Context, dir, home string, open Open) Result {
	res := Result{Name: s.Name, Shows: s.Shows, Plan: s.Plan}
	st := &stage{home: home, dir: filepath.Join(dir, strings.ReplaceAll(s.Name, " ", "-"))}
	if err := st.set(s.prepare); errors.Is(err, errNoGit) {
		res.Skipped, res.Pass = err.Error(), true
		return res
	} else if err != nil {
		res.Problem = err.Error()
		return res
	}
	p := player{ctx: ctx, gate: open(st.project()), cwd: st.project(), session: "demo-" + filepath.Base(st.dir)}
	p.send("SessionStart", fields{"source": "startup"})
	p.send("UserPromptSubmit", fields{"prompt": s.Plan})
	res.Pass = true
	for _, step := range s.Steps {
		if step.before != nil {
			if err := step.before(st); err != nil {
				res.Pass, res.Problem = false, err.Error()
				return res
			}
		}
		told := p.call(step)
		res.Steps = append(res.Steps, told)
		res.Pass = res.Pass && told.pass
	}
	if err := s.check(p, &res); err != nil {
		res.Pass, res.Problem = false, err.Error()
	}
	return res
}

// check looks at the record: a line for each event, an unbroken chain, and no secret in it.
func (s Scenario) check(p player, res *Result) error {
	res.Record = p.gate.Store.Find(p.session, p.cwd).Path()
	if p.err != nil {
		return p.err
	}
	calls := 0
	for l, err := range session.Read(res.Record) {
		if err != nil {
			return err
		}
		res.Lines++
		if l.Kind == session.KindCall {
			calls++
		}
	}
	if calls != len(s.Steps) {
		return fmt.Errorf("the record has %d calls, want %d", calls, len(s.Steps))
	}
	if s.secret == "" {
		return nil
	}
	b, err := os.ReadFile(res.Record)
	if err != nil {
		return err
	}
	if strings.Contains(string(b), s.secret) {
		return errors.New("the secret stands in the record")
	}
	return nil
}

// player speaks for an agent.
type player struct {
	ctx     context.Context
	gate    *hook.Gate
	cwd     string
	session string
	n       int
	err     error // the first payload that the gate could not read
}

type fields map[string]any

// send hands one event over as the agent would and gives what the agent would read.
func (p *player) send(event string, more fields) string {
	payload := fields{"hook_event_name": event, "session_id": p.session, "cwd": p.cwd, "permission_mode": "default"}
	for k, v := range more {
		payload[k] = v
	}
	b, err := json.Marshal(payload)
	if err == nil {
		var ev agent.Event
		if ev, err = p.gate.Protocol.Parse(b); err == nil {
			return string(p.gate.Handle(p.ctx, ev).Stdout)
		}
	}
	if p.err == nil {
		p.err = fmt.Errorf("%s: %w", event, err)
	}
	return ""
}

func (p *player) call(s Step) Told {
	p.n++
	call := fields{"tool_name": "Bash", "tool_input": fields{"command": s.Command}, "tool_use_id": fmt.Sprintf("%s-%d", p.session, p.n)}
	told := Told{Command: s.Command, Want: s.Want, Reply: strings.TrimSpace(p.send("PreToolUse", call))}
	told.Got, told.Reason, told.Notice = read(told.Reply)
	told.pass = told.Got == s.Want && strings.Contains(told.Notice, "stepgate undo") == s.Keeps
	switch {
	case told.Got != agent.Allow:
	case s.Fails:
		call["error"] = "Exit code 1"
		p.send("PostToolUseFailure", call)
	default:
		p.send("PostToolUse", call)
	}
	return told
}

// read takes a reply apart; silence lets the call run.
func read(reply string) (a agent.Action, reason, notice string) {
	out := gjson.Get(reply, "hookSpecificOutput")
	reason, notice = out.Get("permissionDecisionReason").String(), gjson.Get(reply, "systemMessage").String()
	switch out.Get("permissionDecision").String() {
	case "ask":
		return agent.Ask, reason, notice
	case "deny":
		return agent.Deny, reason, notice
	}
	return agent.Allow, reason, notice
}
