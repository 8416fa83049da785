package hook

import (
	"strings"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/effect"
	"github.com/stepgate/stepgate/redact"
	"github.com/stepgate/stepgate/verifier"
)

// Limits of what is kept of a call. The judge sees more of a pending call than the record and the history keep.
var (
	judgeLimits  = redact.Limits{Head: 800, Tail: 300, Items: 20, Keys: 40, Depth: 4, Risks: true}
	actLimits    = redact.Limits{Head: 300, Tail: 100, Items: 256, Keys: 40, Depth: 4} // a harmful act may come last
	recordLimits = redact.Limits{Head: 600, Tail: 200, Items: 20, Keys: 40, Depth: 4}
	lightLimits  = redact.Limits{Head: 120, Tail: 0, Items: 2, Keys: 4, Depth: 1}
	detailLimits = redact.Limits{Head: 400, Tail: 100}
)

// request is what a judge is asked about a call: masked, then cut.
func request(s Situation, p effect.Prediction, past []policy.Finding) verifier.Request {
	r := verifier.Request{
		Plan: s.Plan, Later: s.Later, History: s.History,
		Call: verifier.Pending{
			Tool:  name(s.Call.Tool),
			Input: s.Mask.Input(s.Call.Tool, s.Call.Input).Cut(judgeLimits),
			CWD:   s.Mask.String(s.Call.CWD),
			Root:  s.Mask.String(s.Root),
			Acts:  actsDoc(s.Mask, p.Acts, actLimits),
		},
	}
	for _, f := range policy.Facts(p.Effects) {
		r.Facts = append(r.Facts, s.Mask.String(f).Line())
	}
	if textless(&s.Call) {
		r.Facts = append(r.Facts, redact.Verbatim("the call changes files and does not show what it would write"))
	}
	for _, f := range past {
		r.Facts = append(r.Facts, s.Mask.String(f.Why).Line())
	}
	return r
}

// actsDoc masks and cuts acts. Those past the limit are left out before, as masking is what costs.
func actsDoc(mask *redact.Masker, acts []effect.Act, l redact.Limits) redact.Doc {
	return mask.JSON(effect.FirstActs(acts, l.Items)).Cut(besideCount(l))
}

// besideCount leaves room for the count of what was left out.
func besideCount(l redact.Limits) redact.Limits {
	l.Items++
	return l
}

// textless says that a call writes and shows no text: a judge must not take that for a harmless one.
func textless(c *agent.Call) bool {
	if c.Capability != agent.Write {
		return false
	}
	for i := range c.Edits {
		switch e := &c.Edits[i]; {
		case e.Op == agent.Update && e.Old == "" && e.New == "", e.Op == agent.WriteFile && e.New == "" && len(c.Paths) == 0:
			return true
		}
	}
	return len(c.Edits) == 0
}

// callLine is the record of a verdict.
func (g *Gate) callLine(ev agent.Event, mem session.Memory, mode policy.Mode, mask *redact.Masker, v Verdict) session.Line {
	limits := recordLimits
	if v.Skipped {
		limits = lightLimits
	}
	l := baseLine(ev, mask, limits)
	l.Mode = string(mode)
	l.PlanHash = mem.PlanHash
	l.ConfigHash = g.ConfigHash
	l.Thresholds = &session.Thresholds{DenyAbove: g.Policy.DenyAbove, FlagAbove: g.Policy.FlagAbove, LowIntent: g.Policy.LowIntent, Tau: v.Tau}
	l.Acts = actsDoc(mask, v.Acts, recordLimits)
	l.Effects = mask.JSON(effect.FirstEffects(v.Effects, recordLimits.Items)).Cut(besideCount(recordLimits))
	l.Findings = mask.JSON(policy.FindingsJSON(v.Findings)).Cut(recordLimits)
	l.Judge = session.JudgeSkip
	if j := v.Judged; j != nil {
		l.Judge, l.Model = j.Judge, j.Model
		l.Answers, l.Score = mask.JSON(j.Answers.JSON()), v.Score
		if !v.Local {
			l.Tokens = &session.Tokens{In: j.InputTokens, Out: j.OutputTokens}
		}
	} else if !v.Skipped {
		l.Judge = session.JudgeNone
	}
	l.Risk = &v.Risk
	l.Would, l.Did, l.Outcome = v.Would.String(), v.Did.String(), v.Outcome
	l.Reason = mask.String(v.Reason).Line().Cut(detailLimits)
	l.Failure = mask.String(v.Fault).Line().Cut(detailLimits)
	l.Degraded, l.Doubtful, l.Shadow = v.Degraded, v.Doubtful, v.Tried
	l.Snapshot, l.Detail = v.Snapshot, mask.String(v.Copy).Line().Cut(detailLimits)
	l.MS = millis(v.Took)
	return l
}

// lightLine is what is kept of a call that nothing judged: its tool and what it names.
func lightLine(ev agent.Event, mask *redact.Masker, mode policy.Mode) session.Line {
	l := baseLine(ev, mask, lightLimits)
	l.Mode, l.Judge = string(mode), session.JudgeOff
	l.Would, l.Did = agent.Allow.String(), agent.Allow.String()
	return l
}

func baseLine(ev agent.Event, mask *redact.Masker, limits redact.Limits) session.Line {
	return session.Line{
		Kind: session.KindCall, CallID: ev.Call.ID, Tool: name(ev.Call.Tool), Capability: ev.Call.Capability,
		Input: mask.Input(ev.Call.Tool, ev.Call.Input).Cut(limits), CWD: mask.String(ev.Call.CWD),
		AgentID: ev.AgentID, AgentType: name(ev.AgentType),
	}
}

// maxPlain is the length up to which a name is too short for a token.
const maxPlain = 16

// name keeps a name from outside to a length and to characters that cannot be a control sequence; one that looks like a
// secret is not kept.
func name(s string) string {
	if words := strings.ReplaceAll(s, "__", " "); len(s) > maxPlain && redact.New(redact.Options{}).String(words).String() != words {
		return "redacted"
	}
	s = strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '.' || r == ':' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '?'
	}, s)
	return s[:min(len(s), 128)]
}

// same says that a recorded line is of the call with this fingerprint. The id alone does not tell: some model servers
// count their calls from 1 in every turn. Where there is no fingerprint, no two calls are the same.
func same(seen session.Line, print string) bool { return print != "" && seen.Fingerprint == print }

// replay answers as a recorded line was answered.
func replay(l session.Line) agent.Reply {
	r := agent.Reply{Reason: l.Reason}
	switch l.Did {
	case agent.Ask.String():
		r.Action = agent.Ask
	case agent.Deny.String():
		r.Action = agent.Deny
	}
	return r
}
