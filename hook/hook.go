// Package hook is the line a call walks: recall, predict, judge, mask, verify, decide, remember, reply. Each step is one
// call into one package, and nothing calls back up.
//
// It promises that every event gets an answer in time: a fault on the way becomes a decision by the settings, a line in
// the record with the cause and a notice to the person, never silence by accident.
package hook

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/effect"
	"github.com/stepgate/stepgate/policy/rulebook"
	"github.com/stepgate/stepgate/policy/snapshot"
	"github.com/stepgate/stepgate/policy/trigger"
	"github.com/stepgate/stepgate/redact"
	"github.com/stepgate/stepgate/verifier"
)

// Options are the settings of the line itself; each package it calls has its own.
type Options struct {
	Policy policy.Options
	// Triggers judge a call by the calls before it.
	Triggers trigger.Options
	// Mode is the configured or remembered mode; a session's own switch beats it unless ModeLocked.
	Mode       policy.Mode
	ModeLocked bool
	// ModeUnknown says that the configuration could not be read: the mode last recorded for the session goes on.
	ModeUnknown bool
	// Enforces and EnforceShare roll enforce out: it holds for the tools that Enforces is true for, in that share of the
	// sessions; elsewhere calls are audited. A nil Enforces is true for all.
	Enforces     func(tool string) bool
	EnforceShare float64
	// Skips says which tools no judge is asked about; a nil Skips is false for all.
	Skips func(tool string) bool
	// Timeout bounds the remote judge; UnhealthyAfter is how many failures in a row make the gate unhealthy.
	Timeout        time.Duration
	UnhealthyAfter int
	// PlanFollow shows the judge later prompts beside the first; MaskPlan masks prompts, Entropy masks random-looking runs.
	PlanFollow, MaskPlan, Entropy bool
	// Redact are a person's own rules for masking.
	Redact redact.Rules
	// FailClosed denies, whatever on_error says, when the gate itself could not walk the line.
	FailClosed bool
	// Book holds the policies in force; PolicyFault says which of their files could not be read, and why.
	Book        rulebook.Book
	PolicyFault string
	// Shadow is tried beside these options; nil: nothing is.
	Shadow *Shadow
	// Confirm acts on a doubt of the judge only when it is sure or has doubted a call before.
	Confirm bool
	// HistoryWindow is how many earlier calls the judge is shown; 0 is all that are remembered.
	HistoryWindow int
	// KeepDays is how long an archived session is kept.
	KeepDays int
	// ConfigHash tells settings apart in the record.
	ConfigHash string
	// Warnings about the configuration, shown when a session starts.
	Warnings []string
	// Judge names the remote judge, or local or off.
	Judge string
}

// Gate judges the calls of one agent. Its fields are set once, by the program that wires it.
type Gate struct {
	Options
	// Agent is the name the hook was started with.
	Agent    string
	Protocol agent.Protocol
	Store    *session.Store
	// Env is the trusted part of the environment.
	Env func(string) string
	// Root is the project's root as far as the environment and the current folder tell; a session keeps the root it
	// started with.
	Root string
	// World tells effect about this machine, for a project and a folder in it.
	World func(root, cwd string) *effect.World
	// Local is the built-in judge, nil when judge = off. Remote starts the remote judge; nil when there is none.
	Local   verifier.Verifier
	Remote  func(context.Context) verifier.Verifier
	Breaker verifier.Breaker
	// Snapshots keeps copies of what calls lose; nil where the person wants none.
	Snapshots *snapshot.Store
	// Allowed reads what a person silenced for good; nil: nothing.
	Allowed func() ([]rulebook.Allowed, error)
	Now     func() time.Time
	// Complain is told what went wrong with the gate's own files.
	Complain func(error)
}

// Handle answers one event. It never fails and never panics.
func (g *Gate) Handle(ctx context.Context, ev agent.Event) agent.Output {
	if ev.Kind == agent.Unknown && ev.Name == "" {
		return g.Unreadable(agent.ErrNoEvent)
	}
	return g.Protocol.Render(ev, g.guarded(ctx, ev))
}

// answer walks the line of the event's kind.
func (g *Gate) answer(ctx context.Context, ev agent.Event, found *finds) agent.Reply {
	switch ev.Kind {
	case agent.PreTool:
		return g.preTool(ctx, ev, found)
	case agent.PostTool:
		g.postTool(ev)
	case agent.Prompt:
		return g.prompt(ev)
	case agent.Start:
		return g.start(ev)
	case agent.SubagentStart:
		g.subagent(ev)
	case agent.Stop, agent.SubagentStop, agent.End:
		g.stop(ev)
	}
	return agent.Reply{}
}

// preTool is the line of a pending call.
func (g *Gate) preTool(ctx context.Context, ev agent.Event, found *finds) agent.Reply {
	t := newTimer(g.Now)
	file := g.Store.Find(ev.Session, g.Root)
	mem, fault := file.Recall(ev.AgentID)
	print := g.fingerprint(file, ev.Call)
	if seen, ok := mem.Pending(ev.Call.ID); ok && same(seen, print) {
		return replay(seen)
	}
	if g.settle(file, ev, mem, ev.Call.ID) {
		mem, fault = file.Recall(ev.AgentID)
	}
	noteGap := unheard(ev, &mem)
	mode := g.rollOut(g.mode(mem), ev)
	mask := g.Masker(file, mem)
	t.lap("recall")
	if mode == policy.Off {
		line := lightLine(ev, mask, mode)
		line.Fingerprint = print
		g.remember(file, ev, line, noteGap, func(t *session.Totals) { trigger.Schedule(&t.State, ev.Call, mask) })
		return agent.Reply{}
	}

	plan, later := g.plan(ev, file, mem, mask)
	own := made(file, mem)
	can := g.Protocol.Abilities(ev, g.Env)
	past := g.past(file, ev, mem)
	v := g.Consider(ctx, Situation{
		Past: past,
		Call: ev.Call, Root: g.root(mem), Mode: mode, Agent: can,
		Plan: plan, Later: later, Words: g.words(mem, can), History: g.history(mem),
		Asked: mem.Totals.Budget, Spent: mem.Totals.Spent, Doubted: mem.Totals.Doubt, Degraded: mem.Degraded || fault != nil, Made: own, Mask: mask, Found: found.set, timer: t,
		Request: func(p effect.Prediction) string { return g.request(file, ev.Call, p) },
		Saves:   g.saves(ev, file, g.root(mem), mask),
	})
	if mode == policy.Enforce {
		v.Notice = strings.TrimSpace(v.Notice + " " + g.faultNotice(mem))
	}

	line := g.callLine(ev, mem, mode, mask, v)
	line.Fingerprint = print
	line.Request = v.RequestID
	line.Creates = creates(v.Acts, own, mask)
	kept := g.remember(file, ev, line, noteGap, func(t *session.Totals) {
		countVerdict(t, v, mask)
		g.doubt(t, &v)
		past.passed(t, &v)
		trigger.Schedule(&t.State, ev.Call, mask)
	})
	if kept.Did != line.Did {
		return replay(kept) // another hook for the same call was first, or a person has approved it
	}
	g.health(file, ev, mask, kept, &v)
	if v.Halt {
		g.remember(file, ev, session.Line{Kind: session.KindNote, Event: EventHalted, AgentID: ev.AgentID, CallID: ev.Call.ID})
	}
	return agent.Reply{Action: v.Did, Reason: mask.String(v.Reason).Line(), Notice: mask.String(v.Notice).Line(), Halt: v.Halt}
}

// Verdict is what the line found out about a call.
type Verdict struct {
	effect.Prediction
	policy.Decision
	// Request is what a judge was asked, zero when none was.
	Request verifier.Request
	// Judged holds the answers; nil without a judge. Local says that they are the built-in judge's.
	Judged *verifier.Verdict
	Local  bool
	// Skipped says that the tool is on the skip list.
	Skipped bool
	// Failure says why the remote judge gave no answers.
	Failure string
	// Fault is all that went wrong on the way, the judge's failure and the policies', which on_error decides about.
	Fault string
	// Asked says that the remote judge was needed, whether or not the breaker let the question through.
	Asked bool
	// RequestID is what a person approves the call by; only where the agent cannot ask.
	RequestID string
	// Halt says that the agent's run should end with this refusal.
	Halt bool
	// Degraded says that the session's memory or the policies could not be read whole.
	Degraded bool
	// Snapshot is the id of the copy that stands for an ask. Copy says in words what became of one.
	Snapshot, Copy string
	// Tried is what the shadow would have done; nil without one.
	Tried *session.Shadow
	// Took holds the time of each stage.
	Took map[string]time.Duration

	seen trigger.Seen
}

// Situation is all that a verdict depends on beside the gate's settings, the disk and the judge.
type Situation struct {
	Call  agent.Call
	Root  string
	Mode  policy.Mode
	Agent agent.Abilities
	Plan  redact.Text
	Later []redact.Text
	// Words are what a person typed in an attended session, oldest first: an ask that they name falls away.
	Words   []string
	History []verifier.Past
	Past    Past
	// Asked counts asks that the limit covers, Spent the calls asked about since the newest prompt.
	Asked, Spent int
	// Doubted says that the judge has doubted a call of the session before.
	Doubted bool
	// Degraded says that the session's memory could not be read whole.
	Degraded bool
	// Made says that the session made a file and nothing has changed it since; nil: it made none.
	Made func(path string) bool
	Mask *redact.Masker
	// Request, if set, gives the id a person can approve the call by.
	Request func(effect.Prediction) string
	// Saves, if set, is what a copy is taken for where one can stand for an ask.
	Saves *snapshot.Call
	// Found, if set, is told the findings as soon as there are some, for a reply at the deadline.
	Found func(policy.Mode, []policy.Finding)

	timer *timer
}

// Consider is the middle of the line: predict, judge, mask, verify, decide. check, demo and replay run it as the hook does.
func (g *Gate) Consider(ctx context.Context, s Situation) Verdict {
	if s.timer == nil {
		s.timer = newTimer(g.Now)
	}
	world := g.World(s.Root, s.Call.CWD)
	world.Made = s.Made
	if s.Found != nil {
		world.Early = func(p effect.Prediction) { s.Found(s.Mode, onlyHard(policy.Rules(s.Call, p, world, s.Agent))) }
	}
	v := Verdict{Prediction: world.Predict(s.Call)}
	s.timer.lap("predict")

	findings := policy.Consent(policy.Rules(s.Call, v.Prediction, world, s.Agent), v.Prediction, world, s.Words)
	findings = append(findings, g.look(s, &v)...)
	rule := g.ruling(s, v.Prediction, world, findings)
	known := rule.findings(nil)
	if s.Found != nil {
		s.Found(s.Mode, known)
	}
	s.timer.lap("rules")

	v.Skipped = g.Skips != nil && g.Skips(s.Call.Tool)
	if !v.Skipped {
		remote := g.startRemote(ctx, rule.settled(known), &v) // it connects while the request is made
		v.Request = request(s, v.Prediction, v.seen.Findings)
		rule.ask(&v.Request)
		s.timer.lap("mask")
		g.verify(ctx, remote, &v)
		s.timer.lap("judge")
	}
	v.Degraded, v.Fault = s.Degraded || g.PolicyFault != "", join(v.Failure, g.PolicyFault)
	c := policy.Case{
		Mode: s.Mode, Findings: rule.findings(v.Judged), Verdict: v.Judged, Local: v.Local, Failure: v.Fault, Agent: s.Agent,
		Asked: s.Asked, Spent: s.Spent, Alone: g.Confirm && !s.Doubted && !v.Degraded, Degraded: v.Degraded,
	}
	if s.Request != nil && s.Agent.Ask == agent.AskUnsupported {
		v.RequestID = s.Request(v.Prediction)
		c.Request = Code(v.RequestID)
	}
	v.Decision = policy.Decide(g.Policy, c)
	v.Tried = rule.shadow(c)
	g.save(ctx, s, c, &v)
	guide(s, &v)
	s.timer.lap("decide")
	v.Took = s.timer.took
	return v
}

// errOpen stands for a judge that was not asked because it failed a moment ago.
var errOpen = errors.New("the judge failed twice in a row and is left alone for a minute")

// startRemote starts the remote judge where there is one, it can matter and its breaker is closed; otherwise it is nil.
func (g *Gate) startRemote(ctx context.Context, settled bool, v *Verdict) verifier.Verifier {
	if g.Remote == nil || v.ReadOnly || settled {
		return nil
	}
	v.Asked = true
	if !g.Breaker.Allow() {
		v.Failure = errOpen.Error()
		return nil
	}
	return g.Remote(ctx)
}

// verify asks the remote judge, and the built-in one where there is no other or it failed.
func (g *Gate) verify(ctx context.Context, remote verifier.Verifier, v *Verdict) {
	if remote != nil {
		ctx, cancel := context.WithTimeout(ctx, g.Timeout)
		defer cancel()
		answers, err := remote.Verify(ctx, v.Request)
		g.Breaker.Record(err)
		if err == nil {
			v.Judged = &answers
			return
		}
		v.Failure = err.Error()
	}
	if g.Local == nil {
		return
	}
	if answers, err := g.Local.Verify(ctx, v.Request); err == nil {
		v.Judged, v.Local = &answers, true
	} else {
		v.Failure = err.Error()
	}
}

// onlyHard keeps the findings that no look-up changes.
func onlyHard(fs []policy.Finding) []policy.Finding {
	out := fs[:0]
	for _, f := range fs {
		if f.Class == policy.Hard {
			out = append(out, f)
		}
	}
	return out
}

func hard(fs []policy.Finding) bool {
	for _, f := range fs {
		if f.Class == policy.Hard {
			return true
		}
	}
	return false
}
