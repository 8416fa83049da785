package trigger

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/hook/session"
)

// maxOutput bounds what is looked at of a call's output; what matters in it stands at its end.
const maxOutput = 64 << 10

// steps notes what a result means for later calls.
func (r Result) steps(st *session.State, run session.Run, call int) {
	text := plain(r.Output) + "\n" + r.Error
	text = text[max(0, len(text)-maxOutput):]
	switch {
	case strings.Contains(run.Is, isPush) && r.Failed && rejected(text):
		st.Note(session.Step{Kind: stepRejected, Target: r.CWD, Call: call})
	case strings.Contains(run.Is, isPush) && r.Known && !r.Failed:
		drop(st, stepRejected, r.CWD.String())
	case strings.Contains(run.Is, isOutlook):
		drop(st, stepDestroys, r.CWD.String())
		if what := destroys(text); what != "" {
			st.Note(session.Step{Kind: stepDestroys, Target: r.CWD, Detail: what, Call: call})
		}
	case r.Failed && refusedByHook(r.Error):
		for _, step := range recorded(r.Acts, byHook, string(r.Call.Capability)) {
			step.Call = call
			st.Note(step)
		}
	}
}

// drop takes out the steps of a kind about a target.
func drop(st *session.State, kind, target string) {
	kept := st.Steps[:0]
	for _, step := range st.Steps {
		if step.Kind != kind || step.Target.String() != target {
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

// plain is the text of a tool's response: of a string, or of the members that hold what a command printed.
func plain(response string) string {
	v := gjson.Parse(response)
	if v.Type == gjson.String {
		return v.Str
	}
	if out := v.Get("stdout"); out.Type == gjson.String {
		return out.Str + v.Get("stderr").Str
	}
	return response
}
