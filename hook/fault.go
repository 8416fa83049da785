package hook

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/internal/stack"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/redact"
)

// Grace is what the gate gives itself beyond the judge's timeout before it answers with what it has.
const Grace = 2 * time.Second

// finds keeps what was found so far, for an answer at the deadline or after a panic.
type finds struct {
	mu       sync.Mutex
	mode     policy.Mode
	findings []policy.Finding
}

func (f *finds) set(mode policy.Mode, fs []policy.Finding) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.mode, f.findings = mode, fs
}

func (f *finds) get() (policy.Mode, []policy.Finding) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.mode, f.findings
}

// guarded answers in time whatever happens on the line: past the deadline, or after a panic, what was found stands.
func (g *Gate) guarded(ctx context.Context, ev agent.Event) agent.Reply {
	var found finds
	done := make(chan agent.Reply, 1)
	crashed := make(chan string, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				crashed <- fmt.Sprintf("%v at %s", p, source(debug.Stack()))
			}
		}()
		stack.Grow()
		done <- g.answer(ctx, ev, &found)
	}()
	deadline := time.NewTimer(g.Timeout + Grace)
	defer deadline.Stop()
	select {
	case r := <-done:
		return r
	case what := <-crashed:
		return g.fault(ev, &found, fault{event: "gate_crashed", why: "stepgate has a bug: " + what})
	case <-deadline.C:
		return g.fault(ev, &found, fault{event: "gate_late", why: fmt.Sprintf("the gate was not done after %s", g.Timeout+Grace), asks: true})
	}
}

// unreadSession names the file that unreadable calls are recorded in, as their session is not known.
const unreadSession = "unreadable"

// Unreadable answers a payload that could not be read; on_error decides.
func (g *Gate) Unreadable(err error) agent.Output {
	ev := agent.Event{Kind: agent.PreTool, Name: "PreToolUse", Session: unreadSession}
	r := g.fault(ev, &finds{}, fault{event: "unreadable_input", why: "the call could not be read: " + err.Error()})
	return g.Protocol.Render(ev, r)
}

// TooLarge answers a payload past the size limit, of which only the head was read: a person is asked.
func (g *Gate) TooLarge(ev agent.Event, limit int) agent.Output {
	if ev.Kind == agent.Unknown && ev.Name == "" {
		ev.Kind = agent.PreTool // it stands behind what was read, and may be a pending call
	}
	r := g.fault(ev, &finds{}, fault{event: "too_large", why: fmt.Sprintf("the call is larger than %d MiB and was not read whole", limit>>20), asks: true})
	return g.Protocol.Render(ev, r)
}

// fault is what kept the line from being walked to its end.
type fault struct {
	event, why string
	asks       bool // a person is asked; otherwise on_error decides
}

// fault decides a call that the line could not be walked for; what was found until then stands. The cause goes into the
// record and to the person.
func (g *Gate) fault(ev agent.Event, found *finds, what fault) agent.Reply {
	mask := redact.New(redact.Options{Rules: g.Redact})
	recorded := g.recordFault(ev, mask, what)
	if ev.Kind != agent.PreTool {
		return agent.Reply{}
	}
	mode, findings := found.get()
	if mode == "" {
		mode = recorded
	}
	c := policy.Case{Mode: mode, Findings: findings, Agent: g.Protocol.Abilities(ev, g.Env), Degraded: true}
	if what.asks {
		c.Findings = append(findings[:len(findings):len(findings)], policy.Finding{
			Rule: what.event, Class: policy.State, Severity: policy.Medium, Action: agent.Ask, Why: what.why,
			Instead: "make the call smaller or simpler",
		})
	} else {
		c.Failure = what.why
	}
	o := g.Policy
	if g.FailClosed {
		o.OnError = agent.Deny
	}
	d := policy.Decide(o, c)
	r := agent.Reply{Action: d.Did, Reason: mask.String(d.Reason).Line()}
	if mode == policy.Enforce {
		r.Notice = mask.String("stepgate: " + what.why).Line()
	}
	return r
}

// recordWait bounds the work on the gate's files after a fault, which may be what they hang on.
const recordWait = time.Second

// recordFault writes the cause of a fault into the record and gives the session's mode; where that takes too long, or
// cannot be read, it is the configured one.
func (g *Gate) recordFault(ev agent.Event, mask *redact.Masker, what fault) policy.Mode {
	line := session.Line{
		Kind: session.KindHealth, Event: what.event, AgentID: ev.AgentID, CallID: ev.Call.ID, Tool: name(ev.Call.Tool),
		Detail: mask.String(what.why).Line().Cut(detailLimits),
	}
	done := make(chan policy.Mode, 1)
	go func() {
		file := g.Store.Find(ev.Session, g.Root)
		g.remember(file, ev, line)
		mem, _ := file.Recall(ev.AgentID) // an unreadable memory has no mode
		done <- g.mode(mem)
	}()
	wait := time.NewTimer(recordWait)
	defer wait.Stop()
	select {
	case mode := <-done:
		return mode
	case <-wait.C:
		return g.mode(session.Memory{})
	}
}

// source gives the place in this program that a stack trace starts at.
func source(stack []byte) string {
	for line := range strings.Lines(string(stack)) {
		if i := strings.Index(line, "stepgate/"); i >= 0 && strings.Contains(line, ".go:") && !strings.Contains(line, "/fault.go") {
			return strings.TrimSpace(line[i:])
		}
	}
	return "an unknown place"
}
