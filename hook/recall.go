package hook

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/redact"
	"github.com/stepgate/stepgate/verifier"
)

// planLimits keeps the first 2000 bytes of a prompt.
var planLimits = redact.Limits{Head: 2000}

// mode is the session's own switch, else the remembered or configured mode; a managed lock beats both.
func (g *Gate) mode(mem session.Memory) policy.Mode {
	switch {
	case g.ModeLocked:
		return g.Mode
	case known(mem.Totals.Mode):
		return policy.Mode(mem.Totals.Mode)
	case g.ModeUnknown && known(mem.Totals.Was):
		return policy.Mode(mem.Totals.Was)
	case g.ModeUnknown:
		return g.projectMode(mem)
	}
	return g.Mode
}

// projectMode is the mode last recorded for a session of the project, or the default.
func (g *Gate) projectMode(mem session.Memory) policy.Mode {
	const most = 8 // sessions looked at; those without a call tell nothing
	here, err := g.Store.Here(g.root(mem))
	if err != nil {
		g.Complain(err)
	}
	for _, l := range here[:min(len(here), most)] {
		past, _ := g.Store.Find(l.Session(), g.root(mem)).Recall("") // one that cannot be read tells nothing either
		if known(past.Totals.Was) {
			return policy.Mode(past.Totals.Was)
		}
	}
	return g.Mode
}

// known says that a word from a session file is a mode; any other must not decide.
func known(mode string) bool {
	switch policy.Mode(mode) {
	case policy.Off, policy.Audit, policy.Enforce:
		return true
	}
	return false
}

// rollOut leaves enforce to the tools and the share of sessions that the settings name.
func (g *Gate) rollOut(mode policy.Mode, ev agent.Event) policy.Mode {
	if mode != policy.Enforce {
		return mode
	}
	if g.Enforces != nil && !g.Enforces(ev.Call.Tool) || !InShare(ev.Session, g.EnforceShare) {
		return policy.Audit
	}
	return mode
}

// InShare says that a session is among the share of sessions that enforce.
func InShare(session string, share float64) bool {
	sum := sha256.Sum256([]byte(session))
	return float64(binary.BigEndian.Uint32(sum[:]))/(1<<32) < share
}

// root is where the session started, whatever folder its shell stands in now.
func (g *Gate) root(mem session.Memory) string {
	if mem.Root != "" {
		return mem.Root
	}
	return g.Root
}

// Masker hides the secrets of one session.
func (g *Gate) Masker(file *session.File, mem session.Memory) *redact.Masker {
	return redact.New(redact.Options{
		Key: func() []byte {
			key, err := file.Key()
			if err != nil {
				g.Complain(err)
			}
			return key
		},
		Tags:    mem.Totals.Tags,
		Entropy: g.Entropy,
		Rules:   g.Redact,
	})
}

// plan is the session's first prompt that a person wrote and the later ones. Where no prompt hook ran, the first user
// message of the agent's own log stands in for it, and is remembered.
func (g *Gate) plan(ev agent.Event, file *session.File, mem session.Memory, mask *redact.Masker) (redact.Text, []redact.Text) {
	later := mem.Later
	if !g.PlanFollow {
		later = nil
	}
	if !mem.Plan.IsZero() || ev.Transcript == "" || ev.AgentID != "" {
		return mem.Plan, later
	}
	text := strings.TrimSpace(firstPrompt(ev.Transcript))
	if text == "" {
		return mem.Plan, later
	}
	l := g.remember(file, ev, session.Line{Kind: session.KindPrompt, Person: true, Source: "transcript", Text: g.PromptText(mask, text)})
	return l.Text, later
}

// words are what consent is read from: the prompts of a person who is there. Prompts of unattended runs are a plan, no
// more.
func (g *Gate) words(mem session.Memory, can agent.Abilities) []string {
	if can.Ask == agent.AskNobody || can.Ask == agent.AskUnsupported && !g.Policy.NoPromptDenies {
		return nil
	}
	var out []string
	for _, t := range mem.Words() {
		out = append(out, t.String())
	}
	return out
}

// history is what the judge is told of the calls before: what each was and, where that matters, what became of it.
func (g *Gate) history(mem session.Memory) []verifier.Past {
	past := mem.History
	if n := g.HistoryWindow; n > 0 && n < len(past) {
		past = past[len(past)-n:]
	}
	var out []verifier.Past
	for _, p := range past {
		out = append(out, verifier.Past{Tool: p.Tool, Input: p.Input, Outcome: p.Outcome})
	}
	return out
}

// fingerprint tells equal calls without telling the call: an HMAC under the session's key. It is empty when the key
// cannot be had.
func (g *Gate) fingerprint(file *session.File, c agent.Call) string {
	key, err := file.Key()
	if err != nil {
		g.Complain(err)
		return ""
	}
	return session.Fingerprint(key, c.Tool, gjson.Get(c.Input, "@ugly").Raw, c.CWD)
}

// countVerdict adds to the totals what the line of a call does not tell.
func countVerdict(t *session.Totals, v Verdict, mask *redact.Masker) {
	t.Tags = mergeTags(t.Tags, mask.Tags())
	if v.Skipped {
		t.Skipped++
	}
	if v.Limited && v.Did == agent.Ask {
		t.Budget++
	}
	switch {
	case v.Asked && v.Failure != "":
		t.Failed++
		t.Failing++
	case v.Asked:
		t.Failing = 0
	}
	if j := v.Judged; j != nil && !v.Local {
		t.In += max(0, j.InputTokens)
		t.Out += max(0, j.OutputTokens)
	}
}

// doubt keeps in mind that the judge doubted a call, until it clears one that changes something.
func (g *Gate) doubt(t *session.Totals, v *Verdict) {
	switch {
	case !g.Confirm || v.Judged == nil:
	case g.Policy.Doubts(v.Judged.Answers):
		t.Doubt = true
	case !v.ReadOnly && g.Policy.Clears(v.Judged.Answers):
		t.Doubt = false
	}
}

// mergeTags keeps the tags that another hook gave out meanwhile.
func mergeTags(have, more []redact.Tag) []redact.Tag {
	for _, m := range more {
		known := false
		for _, h := range have {
			known = known || h.MAC == m.MAC
		}
		if !known {
			have = append(have, m)
		}
	}
	return have
}
