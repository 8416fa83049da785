package hook

import (
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/internal/proc"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/trigger"
	"github.com/stepgate/stepgate/redact"
)

// prompt remembers what the agent was told; the first that a person wrote is the plan. What a person said to the gate
// itself is answered, and is no part of the plan.
func (g *Gate) prompt(ev agent.Event) agent.Reply {
	text := strings.TrimSpace(ev.Prompt)
	if text == "" && ev.Turn == "" {
		return agent.Reply{}
	}
	file := g.Store.Find(ev.Session, g.Root)
	mem, _ := file.Recall(ev.AgentID) // an unreadable memory is said at the next call; the prompt is kept all the same
	mask := g.Masker(file, mem)
	l := session.Line{
		Kind: session.KindPrompt, AgentID: ev.AgentID, AgentType: name(ev.AgentType), Turn: ev.Turn,
		Person: ev.Person && !scheduled(mem, mask.String(text)),
		Text:   g.PromptText(mask, text),
	}
	if words, ok := ownWords(text); ok && l.Person {
		return g.command(ev, file, mem, words, mask)
	}
	if l.Person {
		g.settle(file, ev, mem, "") // what was refused before this prompt is no refusal of what it asks for
	}
	if _, err := g.record(file, ev, l, g.prompted(l)); err != nil {
		return g.missed(file, g.mode(mem), l, err)
	}
	return agent.Reply{}
}

// scheduled says that the agent itself asked for this prompt by an earlier call. Claude Code 2.1.332 hands over what a
// ScheduleWakeup call said as if a person had typed it.
func scheduled(mem session.Memory, text redact.Text) bool {
	if trigger.Scheduled(&mem.Totals.State, text) {
		return true
	}
	for _, l := range mem.Lines() {
		if l.Kind == session.KindCall && fits(text.String(), strings.TrimSpace(gjson.Get(l.Input.String(), "prompt").String())) {
			return true
		}
	}
	return false
}

// fits says that a text is what a record shows of it, which may be cut in the middle.
func fits(text, shown string) bool {
	head, rest, cut := strings.Cut(shown, " …[")
	if !cut {
		return text == shown
	}
	_, tail, _ := strings.Cut(rest, " bytes]… ")
	return strings.HasPrefix(text, head) && strings.HasSuffix(text, tail) && len(text) >= len(head)+len(tail)
}

// PromptText masks a prompt unless the person said not to, and keeps its first 2000 bytes.
func (g *Gate) PromptText(mask *redact.Masker, text string) redact.Text {
	if g.MaskPlan {
		return mask.String(text).Cut(planLimits)
	}
	return redact.Verbatim(text).Cut(planLimits)
}

// postTool remembers how a call ended. A result after an ask says that a person allowed it.
func (g *Gate) postTool(ev agent.Event) {
	file := g.Store.Find(ev.Session, g.Root)
	mem, _ := file.Recall(ev.AgentID) // as in prompt
	mask := g.Masker(file, mem)
	readStatus(&ev)
	l := session.Line{Kind: session.KindResult, AgentID: ev.AgentID, CallID: ev.Call.ID, Tool: name(ev.Call.Tool)}
	if ev.Result.Known {
		ok := !ev.Result.Failed
		l.OK = &ok
	}
	if ev.Result.Error != "" {
		l.Failure = mask.String(ev.Result.Error).Line().Cut(detailLimits)
	}
	if ev.Result.Duration > 0 {
		l.MS = millis(map[string]time.Duration{"tool": ev.Result.Duration})
	}
	call, ok := mem.Call(ev.Call.ID)
	if ok {
		if call.Did == agent.Ask.String() {
			l.Outcome = session.OutcomeAllowed
		}
		l.Made = madeBy(call, ev.Result)
		if call.Snapshot != "" && g.Snapshots != nil {
			if err := g.Snapshots.Left(file.Project(), call.Snapshot); err != nil {
				g.Complain(err) // what the call left counts as newer work then
			}
		}
	}
	if l.OK != nil && *l.OK && g.Triggers.Proves(&ev.Call) {
		l.Event = EventProved
	}
	g.remember(file, ev, l, g.ended(file, ev, call, mask))
}

// settle closes the asks of this agent that no result followed: the person refused them. except names the call that is
// pending now. It says whether there were any.
func (g *Gate) settle(file *session.File, ev agent.Event, mem session.Memory, except string) (closed bool) {
	for _, o := range mem.Totals.Open {
		if o.AgentID == ev.AgentID && o.CallID != except {
			call, _ := mem.Call(o.CallID) // without its line there is less to remember
			l := session.Line{Kind: session.KindResult, AgentID: ev.AgentID, CallID: o.CallID, Outcome: session.OutcomeDismissed}
			g.remember(file, ev, l, dismissed(ev.AgentID, call))
			closed = true
		}
	}
	return closed
}

// start opens the session's file, tells the person what is wrong with the settings and clears away old sessions.
func (g *Gate) start(ev agent.Event) agent.Reply {
	file := g.Store.Find(ev.Session, g.Root)
	mem, _ := file.Recall(ev.AgentID)
	mask := g.Masker(file, mem)
	mode := g.mode(mem)
	parent := proc.Agent(os.Getpid())
	g.remember(file, ev, session.Line{
		Kind: session.KindStart, Source: name(ev.Source), Mode: string(mode), Root: mask.String(g.root(mem)), CWD: mask.String(ev.CWD),
		PID: parent.PID, PIDStart: parent.Start, Judge: g.Judge, ConfigHash: g.ConfigHash,
	})
	var say []string
	say = append(say, g.Warnings...)
	say = append(say, g.policyNotes(mask)...)
	if mode == policy.Off {
		say = append(say, "the gate is off; no call is judged (stepgate mode audit turns it on)")
	}
	if err := g.Store.Retire(g.Now(), g.KeepDays); err != nil {
		say = append(say, "old sessions were not cleared away: "+err.Error())
	}
	if g.Snapshots != nil {
		if err := g.Snapshots.Prune(); err != nil {
			say = append(say, "old copies were not cleared away: "+err.Error())
		}
	}
	if len(say) == 0 {
		return agent.Reply{}
	}
	return agent.Reply{Notice: mask.String("stepgate: " + strings.Join(say, "; ")).Line()}
}

// stop closes what the turn, or the session, left open.
func (g *Gate) stop(ev agent.Event) {
	file := g.Store.Find(ev.Session, g.Root)
	mem, _ := file.Recall(ev.AgentID) // nothing can be settled in a memory that cannot be read
	g.settle(file, ev, mem, "")
	if ev.Kind == agent.End {
		g.remember(file, ev, session.Line{Kind: session.KindEnd, Source: name(ev.Source)})
	}
}

// subagent notes that one began.
func (g *Gate) subagent(ev agent.Event) {
	g.remember(g.Store.Find(ev.Session, g.Root), ev, session.Line{Kind: session.KindNote, Event: "subagent_start", AgentID: ev.AgentID, AgentType: name(ev.AgentType)})
}

// health writes gate_unhealthy once when the remote judge has failed often enough in a row, and gate_recovered when it
// answers again, and tells the person.
func (g *Gate) health(file *session.File, ev agent.Event, mask *redact.Masker, kept session.Line, v *Verdict) {
	if !v.Asked || kept.Totals == nil {
		return
	}
	say := func(event, detail string) {
		g.remember(file, ev, session.Line{Kind: session.KindHealth, Event: event, Detail: mask.String(detail).Line().Cut(detailLimits)})
		v.Notice = strings.TrimSpace(v.Notice + " stepgate: " + detail)
	}
	switch t := kept.Totals; {
	case v.Failure != "" && t.Failing >= g.UnhealthyAfter && !t.Unhealthy:
		say("gate_unhealthy", "the judge failed "+strconv.Itoa(t.Failing)+" times in a row: "+v.Failure)
	case v.Failure == "" && t.Unhealthy:
		say("gate_recovered", "the judge answers again")
	}
}

// remember is record where a line that cannot be written changes nothing.
func (g *Gate) remember(file *session.File, ev agent.Event, l session.Line, more ...func(*session.Totals)) session.Line {
	l, err := g.record(file, ev, l, more...)
	if err != nil {
		g.Complain(err)
	}
	return l
}

// record appends a line and brings the totals up to it; more adds what the line itself does not tell. A call that is
// recorded already is not recorded twice: its line is given back. With an error the line is what was to be written.
func (g *Gate) record(file *session.File, ev agent.Event, l session.Line, more ...func(*session.Totals)) (session.Line, error) {
	l.Session, l.Agent = ev.Session, g.Agent
	var seen *session.Line
	kept, err := file.Append(ev.AgentID, func(t *session.Totals, m session.Memory) (session.Line, bool) {
		if l.Kind == session.KindCall && l.CallID != "" {
			if first, ok := m.Pending(l.CallID); ok && same(first, l.Fingerprint) {
				seen = &first
				return l, false
			}
		}
		claim(m, &l, g.Now())
		if len(l.Made) > 0 {
			l.MadeBefore = t.MadeAt
		}
		count(t, l)
		for _, f := range more {
			f(t)
		}
		return l, true
	})
	if seen != nil {
		return *seen, err
	}
	return kept, err
}

// count brings the running totals up to a new line; plan, root and the bounds of lists are the session file's own.
func count(t *session.Totals, l session.Line) {
	switch l.Kind {
	case session.KindCall:
		countCall(t, l)
	case session.KindResult:
		if l.Outcome != session.OutcomeDismissed {
			t.Results++
		}
		if l.OK != nil && !*l.OK {
			t.Errors++
		}
		t.Open = withoutAsk(t.Open, l.CallID)
	case session.KindHealth:
		switch l.Event {
		case "gate_unhealthy":
			t.Unhealthy = true
		case "gate_recovered":
			t.Unhealthy = false
		}
	}
}

func countCall(t *session.Totals, l session.Line) {
	t.Calls++
	t.Was = l.Mode
	switch l.Would {
	case agent.Ask.String():
		t.Flagged++
	case agent.Deny.String():
		t.WouldDeny++
	}
	switch l.Did {
	case agent.Ask.String():
		t.Asked++
		t.Open = append(t.Open, session.OpenAsk{CallID: l.CallID, AgentID: l.AgentID})
	case agent.Deny.String():
		t.Denied++
	default:
		t.Allowed++
	}
}

func withoutAsk(open []session.OpenAsk, id string) []session.OpenAsk {
	for i, o := range open {
		if o.CallID == id {
			return append(open[:i:i], open[i+1:]...)
		}
	}
	return open
}
