package hook

import (
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/redact"
)

// commandWord begins a prompt that is meant for the gate and not for the model.
const commandWord = "/stepgate"

const commandHelp = "stepgate: say one of: status, plan, why, budget, mode audit|enforce|off. What makes the gate less strict holds for this session alone, and only where a person sits at it"

// ownWords are the words of a prompt that is for the gate: /stepgate mode enforce, or, from a plugin, /stepgate:mode
// enforce.
func ownWords(prompt string) ([]string, bool) {
	rest, ok := strings.CutPrefix(prompt, commandWord)
	if !ok || rest != "" && !strings.ContainsRune(" \t\n:", rune(rest[0])) {
		return nil, false
	}
	return strings.Fields(strings.ToLower(strings.TrimPrefix(rest, ":"))), true
}

// command answers a person's word to the gate. The prompt is refused with the answer, so no model sees it.
func (g *Gate) command(ev agent.Event, file *session.File, mem session.Memory, words []string, mask *redact.Masker) agent.Reply {
	var answer string
	word, arg := "status", ""
	if len(words) > 0 {
		word = words[0]
	}
	if len(words) > 1 {
		arg = words[1]
	}
	switch {
	case len(words) > 2:
		answer = commandHelp
	case word == "mode" && arg != "":
		answer = g.switchMode(ev, file, mem, policy.Mode(arg))
	case word == "budget" && arg == "reset":
		answer = g.resetBudget(ev, file)
	case arg != "":
		answer = commandHelp
	case word == "status", word == "mode":
		answer = g.statusText(ev, mem)
	case word == "plan":
		answer = planText(mem)
	case word == "why":
		answer = whyText(mem)
	case word == "budget":
		answer = g.budgetText(mem)
	default:
		answer = commandHelp
	}
	return agent.Reply{Action: agent.Deny, Reason: mask.String(answer).Line()}
}

// attended says that a person sits at this session: nobody's settings or absence would let a loosening pass unseen.
func (g *Gate) attended(ev agent.Event) bool {
	return g.Protocol.Abilities(ev, g.Env).Ask == agent.AskPerson
}

const needsTerminal = "stepgate: that makes the gate less strict, and here nobody can be sure that a person asks for it; nothing was changed (at a terminal of your own: stepgate "

func (g *Gate) switchMode(ev agent.Event, file *session.File, mem session.Memory, to policy.Mode) string {
	now := g.mode(mem)
	switch {
	case to != policy.Audit && to != policy.Enforce && to != policy.Off:
		return fmt.Sprintf("stepgate: mode %q is not one of audit, enforce, off; nothing was changed", to)
	case g.ModeLocked:
		return "stepgate: the mode is locked to " + string(g.Mode) + " by the administrator; nothing was changed"
	case to.Strictness() < now.Strictness() && !g.attended(ev):
		return needsTerminal + "mode " + string(to) + ")"
	}
	detail := redact.Verbatim(string(now) + " to " + string(to))
	g.remember(file, ev, session.Line{Kind: session.KindMode, Event: "mode_changed", Mode: string(to), Source: "prompt", Detail: detail},
		func(t *session.Totals) { t.Mode = string(to) })
	return "stepgate: mode " + string(to) + " (was " + string(now) + "), for this session"
}

func (g *Gate) resetBudget(ev agent.Event, file *session.File) string {
	if !g.attended(ev) {
		return needsTerminal + "budget reset)"
	}
	g.remember(file, ev, session.Line{Kind: session.KindNote, Event: "budget_reset", Source: "prompt"}, func(t *session.Totals) { t.Spent = 0 })
	return "stepgate: the budget of this task is whole again"
}

func (g *Gate) statusText(ev agent.Event, mem session.Memory) string {
	t := mem.Totals
	mode := string(g.mode(mem))
	switch {
	case mode != string(policy.Enforce):
	case !InShare(ev.Session, g.EnforceShare):
		mode += " (this session is only audited: enforce_share)"
	case g.Enforces != nil && !g.Enforces(""): // a call without a tool is among all and in no list
		mode += " (other tools than enforce_tools are only audited)"
	}
	text := fmt.Sprintf("stepgate: mode %s, judge %s; in this session %s, %d asked about and %d denied", mode, g.Judge, policy.Many(t.Calls, "call"), t.Asked, t.Denied)
	if g.PolicyFault != "" {
		text += "; " + g.PolicyFault
	}
	return text
}

func (g *Gate) budgetText(mem session.Memory) string {
	if g.Policy.RiskBudget == 0 {
		return fmt.Sprintf("stepgate: no risk budget; this task had %s to be asked about", policy.Many(mem.Totals.Spent, "call"))
	}
	return fmt.Sprintf("stepgate: %d of this task's %s are used up", min(mem.Totals.Spent, g.Policy.RiskBudget), policy.Many(g.Policy.RiskBudget, "ask"))
}

func planText(mem session.Memory) string {
	if mem.Plan.IsZero() {
		return "stepgate: no plan yet; your next prompt becomes it"
	}
	text := "stepgate takes this to be your request: " + mem.Plan.String()
	for _, l := range mem.Later {
		text += " — later: " + l.String()
	}
	return text
}

// whyText tells the newest call that was not simply let through.
func whyText(mem session.Memory) string {
	lines := mem.Lines()
	for i := len(lines) - 1; i >= 0; i-- {
		if l := lines[i]; l.Kind == session.KindCall && l.Would != "" && l.Would != agent.Allow.String() {
			why := l.Reason.String()
			if why == "" {
				why = "enforce would have said: " + l.Would + ", because of " + found(l.Findings)
			}
			return "stepgate, " + l.Time.Local().Format("15:04:05") + ", " + l.Tool + ": " + why
		}
	}
	return "stepgate: nothing was asked about or denied lately"
}

// found tells the findings of a line in words.
func found(d redact.Doc) string {
	var said []string
	for _, f := range gjson.Parse(d.String()).Array() {
		if action := f.Get("action").Str; action == agent.Ask.String() || action == agent.Deny.String() {
			said = append(said, f.Get("rule").Str+": "+f.Get("why").Str)
		}
	}
	return strings.Join(said, "; ")
}
