package policy

import (
	"fmt"
	"strings"

	"github.com/stepgate/stepgate/hook/agent"
)

// reason is the text beside an ask or a deny. It stands alone, as only one of several hooks' reasons may reach the
// reader: it names the gate, what was seen, a safer way, the setting that decided and what to do next.
func reason(c Case, d Decision) string {
	if d.Did == agent.Allow {
		return ""
	}
	var b strings.Builder
	if d.Did == agent.Deny {
		b.WriteString("stepgate denied this call: ")
	} else {
		b.WriteString("stepgate asks before this call: ")
	}
	said := 0
	instead, of := "", agent.Allow // the way round what weighs most
	for _, f := range d.Findings {
		if f.Action == agent.Allow {
			continue
		}
		if said > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%s: %s", f.Rule, f.Why)
		if f.Instead != "" && f.Action > of {
			instead, of = f.Instead, f.Action
		}
		said++
	}
	b.WriteString(".")
	if instead != "" {
		fmt.Fprintf(&b, " Instead: %s.", strings.TrimSuffix(instead, "."))
	}
	fmt.Fprintf(&b, " Decided by %s", d.Setting)
	switch {
	case d.Did == agent.Ask:
		b.WriteString("; a person's answer decides. If it is refused, do not repeat this call.")
	case d.Setting == "on_no_answer":
		fmt.Fprintf(&b, " = deny, as %s. Do not repeat this call.", d.unasked)
	case d.Outcome == NotAskable && c.Request == "":
		b.WriteString(". It cannot be approved, as the gate has no place to remember calls (stepgate doctor says why). Do not repeat this call.")
	case d.Outcome == NotAskable:
		fmt.Fprintf(&b, ". A person has to approve it, at a terminal, with: stepgate approve %s. Wait; repeat exactly this call once it is approved.", c.Request)
	default:
		b.WriteString(". Do not repeat this call.")
	}
	return b.String()
}
