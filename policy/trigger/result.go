package trigger

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/redact"
)

// maxOutput bounds what is looked at of a call's output; what matters in it stands at its end.
const maxOutput = 64 << 10

// endLimits keep the end of an output, which says what went wrong.
var endLimits = redact.Limits{Tail: 240}

// steps notes what a result means for later calls.
func (r *Result) steps(st *session.State, is string, call int) {
	if r.Proof && r.Known && !r.Interrupted {
		drop(st, stepUnproved, "")
		if r.Failed && r.Mask != nil {
			st.Note(session.Step{Kind: stepUnproved, Target: r.Mask(strings.TrimSpace(r.tail)).Cut(endLimits).Line(), Call: call})
		}
	}
	if strings.Contains(is, isTest) && r.Known && !r.Interrupted {
		drop(st, stepRed, "")
		if r.Failed {
			st.Note(session.Step{Kind: stepRed, Call: call})
		}
	}
	switch {
	case strings.Contains(is, isPush) && r.Failed && rejected(r.tail):
		st.Note(session.Step{Kind: stepRejected, Target: r.CWD, Call: call})
	case strings.Contains(is, isPush) && r.Known && !r.Failed:
		drop(st, stepRejected, r.CWD.String())
	case strings.Contains(is, isOutlook):
		drop(st, stepDestroys, r.CWD.String())
		if what := destroys(r.tail); what != "" {
			st.Note(session.Step{Kind: stepDestroys, Target: r.CWD, Detail: what, Call: call})
		}
	case r.Failed && !strings.HasPrefix(r.Error, "Exit code ") && refusedByHook(r.Error): // what has an exit code was let run
		for _, step := range recorded(r.Acts, byHook, string(r.Call.Capability)) {
			step.Call = call
			st.Note(step)
		}
	}
}

// drop takes out the steps of a kind about a target, or all of the kind.
func drop(st *session.State, kind, target string) {
	kept := st.Steps[:0]
	for _, step := range st.Steps {
		if step.Kind != kind || target != "" && step.Target.String() != target {
			kept = append(kept, step)
		}
	}
	st.Steps = kept
}

// rejected: the remote has what the push does not.
func rejected(text string) bool {
	return strings.Contains(text, "[rejected]") || strings.Contains(text, "non-fast-forward") || strings.Contains(text, "fetch first") ||
		strings.Contains(text, "stale info") || strings.Contains(text, "[remote rejected]")
}

// refusedByHook: something other than the disk kept a call from running. "permission denied" is the disk's own word.
func refusedByHook(text string) bool {
	low := strings.ToLower(text)
	for _, says := range [...]string{"blocked by", "denied by", "hook error", "by hook", "has been denied", "was denied", "is protected", "are protected", "user rejected", "doesn't want to proceed"} {
		if strings.Contains(low, says) {
			return true
		}
	}
	return false
}

// destroys says how much a plan of an infrastructure tool would destroy: "18 resources"; empty for nothing.
func destroys(text string) string {
	for _, after := range [...]string{" to destroy", " to delete", " to replace"} {
		for rest := text; ; {
			i := strings.Index(rest, after)
			if i < 0 {
				break
			}
			j := i
			for j > 0 && '0' <= rest[j-1] && rest[j-1] <= '9' {
				j--
			}
			if n, err := strconv.Atoi(rest[j:i]); err == nil && n > 0 {
				return strconv.Itoa(n) + " " + unit(n)
			}
			rest = rest[i+len(after):]
		}
	}
	if strings.Contains(text, "will be destroyed") || strings.Contains(text, "must be replaced") || strings.Contains(text, "\n[-] ") {
		return "something"
	}
	return ""
}

func unit(n int) string {
	if n == 1 {
		return "resource"
	}
	return "resources"
}

// maxCompared bounds what of an input is compared with the texts of a response, all comparisons together, in bytes.
const maxCompared = 64 << 20

// plain is what a tool's response holds of text, without what stands in the input too.
func plain(response, input string) string {
	l := leaves{input: input, left: maxCompared}
	l.add(gjson.Parse(response), 0)
	return l.String()
}

// leaves are the texts of a document.
type leaves struct {
	strings.Builder
	input string
	left  int // bytes of input that may still be compared
}

func (l *leaves) add(v gjson.Result, deep int) {
	const most = 5 // levels; deeper ones are left out
	switch {
	case v.IsObject() || v.IsArray():
		if deep < most {
			v.ForEach(func(_, e gjson.Result) bool {
				l.add(e, deep+1)
				return l.Len() < maxOutput
			})
		}
	case v.Type == gjson.String && !l.given(v.Str):
		l.WriteString(v.Str)
		l.WriteByte('\n')
	}
}

// given says that a text stands in the input.
func (l *leaves) given(text string) bool {
	if l.input == "" || l.left <= 0 {
		return false
	}
	l.left -= len(l.input)
	return strings.Contains(l.input, text)
}
