// Package scenario plays stories of an agent at work through the real line of the gate: each event goes in as the payload
// an agent would send, and what comes out is what that agent would read.
//
// It promises that no command of a call is run and no call but one of Write is carried out, that nothing outside the
// folder it is given is written, and that time passes only as a story says. It decides nothing itself: a story names the
// answer it expects, and the gate gives the one it has.
package scenario

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/hook"
	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/internal/setup"
)

// Scenario is one story: what a person asked for, what lies on the disk, and the calls the agent makes.
type Scenario struct {
	Name string
	// Shows says in a sentence what the story is there to show.
	Shows string
	Plan  string

	on     string // the stage
	with   map[string]string
	secret string // must not stand in the record
	steps  []step
}

// step is one thing that happens, by the words that parse tells of.
type step struct {
	verb, text string
	body       []string // of a file
	wait       time.Duration
	call       *Call
}

// Call is one call of the agent.
type Call struct {
	Tool string
	// Command is the command line of the Bash tool, and otherwise the tool and its input.
	Command string
	Want    Want

	input         string // JSON
	prints, fails []string
	allowed       bool
}

// Want is what the gate is to say; the zero value is silence.
type Want struct {
	Action agent.Action
	// Rule is the rule or policy that is to say it; empty is any.
	Rule string
	// Notice says that the person is told something, of a copy that was taken where Copy is set. Halt ends the run.
	Notice, Copy, Halt bool
}

// Told is what came of a call.
type Told struct {
	Command string       `json:"command"`
	Want    agent.Action `json:"want"`
	Got     agent.Action `json:"got"`
	// Reply is what the agent reads on the hook's standard output, empty for silence; Reason is the text in it.
	Reply  string `json:"reply,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Notice is what the person is told beside it.
	Notice string `json:"notice,omitempty"`
	// Rules are those whose findings stand in the call's line of the record.
	Rules []string `json:"rules,omitempty"`
	// Quiet says that silence was expected, Wrong that the agent was on a wrong way, and Pass that all was as expected.
	Quiet bool `json:"quiet,omitempty"`
	Wrong bool `json:"wrong,omitempty"`
	Pass  bool `json:"pass"`

	want Want
	halt bool
}

// Result is what came of a scenario.
type Result struct {
	Name    string `json:"name"`
	Shows   string `json:"shows"`
	Plan    string `json:"plan"`
	Harmful bool   `json:"harmful,omitempty"`
	Pass    bool   `json:"pass"`
	Steps   []Told `json:"steps"`
	// Record is the session's file and Lines how many lines it has.
	Record string `json:"record"`
	Lines  int    `json:"lines"`
	// Skipped says why the story could not be played here, and Problem what went wrong beside the answers.
	Skipped string `json:"skipped,omitempty"`
	Problem string `json:"problem,omitempty"`
}

// began is the time at which every story begins.
var began = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

// Run plays a story in a new folder below dir. Of the surroundings it takes the program and whom to complain to.
func (s Scenario) Run(ctx context.Context, dir string, e setup.Env) Result {
	res := Result{Name: s.Name, Shows: s.Shows, Plan: s.Plan, Harmful: s.Harmful()}
	st := &stage{dir: filepath.Join(dir, strings.ReplaceAll(s.Name, " ", "-"))}
	err := s.play(ctx, st, e, &res)
	switch {
	case errors.Is(err, errNoGit):
		res.Skipped, res.Pass = err.Error(), true
	case err != nil:
		res.Problem = err.Error()
	default:
		res.Pass = !slices.ContainsFunc(res.Steps, func(t Told) bool { return !t.Pass })
	}
	return res
}

func (s Scenario) play(ctx context.Context, st *stage, e setup.Env, res *Result) error {
	if err := st.set(s.on); err != nil {
		return err
	}
	p := &player{ctx: ctx, stage: st, session: "demo-" + filepath.Base(st.dir), clock: began}
	e.Now = func() time.Time { return p.clock }
	p.gate = Gate(e, st.project(), st.home(), s.with)
	p.send("SessionStart", fields{"source": "startup"})
	p.send("UserPromptSubmit", fields{"prompt": s.Plan})
	for _, step := range s.steps {
		if step.call == nil {
			if err := p.happen(step); err != nil {
				return err
			}
			continue
		}
		res.Steps = append(res.Steps, p.call(*step.call))
	}
	if p.err != nil {
		return p.err
	}
	res.Record = p.gate.Store.Find(p.session, st.project()).Path()
	return s.check(res)
}

// check compares what was said with what the story wants, and looks at the record: a line for each call, an unbroken
// chain, and no secret in it.
func (s Scenario) check(res *Result) error {
	calls := 0
	for l, err := range session.Read(res.Record) {
		if err != nil {
			return err
		}
		res.Lines++
		if l.Kind != session.KindCall {
			continue
		}
		if calls < len(res.Steps) {
			res.Steps[calls].judge(l.Findings.String())
		}
		calls++
	}
	if calls != len(res.Steps) {
		return fmt.Errorf("the record has %d calls, want %d", calls, len(res.Steps))
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

// judge says whether a call was answered as the story wants it.
func (t *Told) judge(findings string) {
	for _, rule := range gjson.Get(findings, "#.rule").Array() {
		t.Rules = append(t.Rules, rule.Str)
	}
	w := t.want
	switch {
	case t.Quiet:
		t.Pass = t.Reply == ""
	case w.Rule != "" && !slices.Contains(t.Rules, w.Rule):
	default:
		t.Pass = t.Got == w.Action && t.halt == w.Halt && strings.Contains(t.Notice, "stepgate undo") == w.Copy && (t.Notice != "" || !w.Notice)
	}
}

// player speaks for an agent.
type player struct {
	ctx     context.Context
	gate    *hook.Gate
	stage   *stage
	session string
	clock   time.Time
	n       int
	wrong   bool
	err     error // the first payload that the gate could not read
}

type fields map[string]any

// send hands one event over as the agent would and gives what the agent would read.
func (p *player) send(event string, more fields) string {
	const apart = 2 * time.Second
	p.clock = p.clock.Add(apart)
	payload := fields{"hook_event_name": event, "session_id": p.session, "cwd": p.stage.project(), "permission_mode": "default"}
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

// happen does what is no call.
func (p *player) happen(s step) error {
	switch s.verb {
	case "says":
		p.send("UserPromptSubmit", fields{"prompt": s.text})
	case "waits":
		p.clock = p.clock.Add(s.wait)
	case "wrong":
		p.wrong = true
	case "file":
		return p.stage.write(s.text, strings.Join(append(s.body, ""), "\n"))
	case "git":
		return p.stage.git(p.stage.project(), s.text)
	}
	return nil
}

func (p *player) call(c Call) Told {
	p.n++
	in := p.stage.here(c.input)
	call := fields{"tool_name": c.Tool, "tool_input": json.RawMessage(in), "tool_use_id": fmt.Sprintf("%s-%d", p.session, p.n)}
	told := Told{Command: c.Command, Want: c.Want.Action, Quiet: c.Want == Want{}, Wrong: p.wrong, want: c.Want}
	told.Reply = strings.TrimSpace(p.send("PreToolUse", call))
	told.read()
	switch {
	case told.Got == agent.Deny, told.Got == agent.Ask && !c.allowed:
	case c.fails != nil:
		call["error"] = failure(c)
		p.send("PostToolUseFailure", call)
	default:
		if c.Tool == "Write" {
			p.write(in)
		}
		call["tool_response"] = response(c)
		p.send("PostToolUse", call)
	}
	return told
}

// write does what a call of the Write tool does, inside the project.
func (p *player) write(in string) {
	name, err := filepath.Rel(p.stage.project(), gjson.Get(in, "file_path").Str)
	if err == nil {
		err = p.stage.write(filepath.ToSlash(name), gjson.Get(in, "content").Str)
	}
	if err != nil && p.err == nil {
		p.err = err
	}
}

// failure is the error of a call that failed; only what a shell ran has an exit code.
func failure(c Call) string {
	text := strings.Join(c.fails, "\n")
	if c.Tool == "Bash" {
		return "Exit code 1\n" + text
	}
	return text
}

// response is what a call that worked gives back.
func response(c Call) any {
	text := strings.Join(c.prints, "\n")
	if c.Tool == "Bash" {
		return fields{"stdout": text, "stderr": "", "interrupted": false}
	}
	return text
}

// read takes a reply apart; silence lets the call run.
func (t *Told) read() {
	out := gjson.Get(t.Reply, "hookSpecificOutput")
	t.Reason, t.Notice = out.Get("permissionDecisionReason").String(), gjson.Get(t.Reply, "systemMessage").String()
	goes := gjson.Get(t.Reply, "continue")
	t.halt = goes.Exists() && !goes.Bool()
	switch out.Get("permissionDecision").String() {
	case "ask":
		t.Got = agent.Ask
	case "deny":
		t.Got = agent.Deny
	}
}
