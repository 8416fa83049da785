package hook

import (
	"os"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy"
)

// said is a prompt of a turn; it gives what the person is told.
func (r *rig) said(turn, text string) string {
	r.t.Helper()
	ev := r.event(agent.Prompt)
	ev.Turn, ev.Prompt, ev.Person = turn, text, true
	return string(r.handle(ev).Stdout)
}

// inTurn is bash in a turn.
func (r *rig) inTurn(turn, command string) string {
	r.t.Helper()
	r.turn = turn
	defer func() { r.turn = "" }()
	return r.bash(command)
}

// unwritable keeps the session's file from being written while do runs.
func (r *rig) unwritable(do func()) {
	r.t.Helper()
	path := r.Store.Find(r.session, r.Root).Path()
	for _, err := range []error{os.Rename(path, path+".away"), os.Mkdir(path, 0o700)} {
		if err != nil {
			r.t.Fatal(err)
		}
	}
	do()
	for _, err := range []error{os.Remove(path), os.Rename(path+".away", path)} {
		if err != nil {
			r.t.Fatal(err)
		}
	}
}

// A prompt that could not be recorded may have been a no: what was allowed before it counts no more, the next call is
// judged as by a memory that is not whole, and the person hears of it once.
func TestPromptThatWasLost(t *testing.T) {
	const yes, destroy = "Delete the old/ and tmp/ folders.", "rm -rf old tmp"
	lost := func(r *rig, text string) (told string) {
		r.unwritable(func() { told = r.said("", text) })
		return told
	}
	for _, c := range []struct {
		name     string
		say      func(*rig) (told string)
		turn     string // of the call
		asks     bool
		degraded bool
		prompted string // what the prompt's answer holds
	}{
		{"none was lost", func(r *rig) string { return r.said("", yes) }, "", false, false, ""},
		{"the newest", func(r *rig) string { r.said("", yes); return lost(r, "Wait, keep tmp/!") }, "", true, true, "could not be remembered"},
		{"one between, and the person says it again", func(r *rig) string {
			r.said("", "Tidy up.")
			lost(r, "Wait.")
			return r.said("", yes)
		}, "", true, true, ""},
		{"one between, and other calls", func(r *rig) string {
			r.said("", yes)
			lost(r, "Wait.")
			r.bash("mkdir one")
			return r.said("", "Go on.")
		}, "", true, false, ""},
		{"one between, other calls, and the person says it again", func(r *rig) string {
			r.said("", "Tidy up.")
			lost(r, "Wait.")
			r.bash("mkdir one")
			return r.said("", yes)
		}, "", false, false, ""},
		{"the first", func(r *rig) string {
			r.bash("mkdir one")
			return lost(r, "Do not delete anything.")
		}, "", true, true, "could not be remembered"},
		{"in audit nobody is told", func(r *rig) string {
			r.said("", yes)
			r.Mode = policy.Audit
			defer func() { r.Mode = policy.Enforce }()
			return lost(r, "Wait!")
		}, "", true, true, ""},
		{"the hook never ran for the newest", func(r *rig) string { return r.said("t-1", yes) }, "t-2", true, true, ""},
		{"the turn is the prompt's", func(r *rig) string { return r.said("t-1", yes) }, "t-1", false, false, ""},
		{"a call of the turn before comes late", func(r *rig) string { r.said("t-1", yes); return r.said("t-2", "Go on.") }, "t-1", false, false, ""},
		{"a picture without words", func(r *rig) string { r.said("t-1", yes); return r.said("t-2", "") }, "t-2", false, false, ""},
		{"no turn was ever known", func(r *rig) string { return r.said("", yes) }, "t-2", false, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.Remote = nil
			r.put("old/a", "only")
			r.put("tmp/a", "only")
			if told := c.say(r); !strings.Contains(told, c.prompted) || c.prompted == "" && told != "" {
				t.Errorf("the prompt is answered with %q, want %q", told, c.prompted)
			}
			told := r.inTurn(c.turn, destroy)
			if got := strings.Contains(told, `"ask"`); got != c.asks {
				t.Errorf("told %q, want an ask: %v", told, c.asks)
			}
			if got := r.last().Degraded; got != c.degraded {
				t.Errorf("degraded %v, want %v", got, c.degraded)
			}
		})
	}
}

// A turn without a prompt is a gap once, and takes back what was said before it until that is said again.
func TestUnheardTurn(t *testing.T) {
	r := newRig(t)
	r.Remote = nil
	r.put("old/a", "only")
	r.said("t-1", "Delete the old/ folder.")
	silent(t, r.inTurn("t-2", "mkdir one"))
	if !r.last().Degraded {
		t.Error("the memory of the first call is taken for whole")
	}
	silent(t, r.inTurn("t-2", "mkdir two"))
	if r.last().Degraded {
		t.Error("the memory is degraded for good")
	}
	says(t, r.inTurn("t-2", "rm -rf old"), "ask", "only-copy")
	r.said("t-3", "Yes, delete the old/ folder.")
	silent(t, r.inTurn("t-3", "rm -rf old"))
}
