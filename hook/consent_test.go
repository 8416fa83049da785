package hook

import (
	"strings"
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
)

// Only a person who is there can give a file away beforehand, and only in this session.
func TestWhoseWordsAreConsent(t *testing.T) {
	t.Parallel()
	const yes = "Delete the old/ and tmp/ folders."
	for _, c := range []struct {
		name string
		say  func(*rig)
		want string // empty: silence
	}{
		{"a person", func(r *rig) { r.prompt(yes) }, ""},
		{"a person, later", func(r *rig) { r.prompt("Tidy up."); r.prompt(yes) }, ""},
		{"a person, and plan_follow off", func(r *rig) { r.PlanFollow = false; r.prompt("Tidy up."); r.prompt(yes) }, ""},
		{"nobody", func(*rig) {}, "ask"},
		{"a person who takes it back", func(r *rig) { r.prompt(yes); r.prompt("Stop, keep tmp/.") }, "ask"},
		{"a plan after which prompts are forgotten", func(r *rig) {
			r.prompt(yes)
			for range 4 {
				r.prompt("Go on.")
			}
		}, "ask"},
		{"a subagent's task", func(r *rig) { r.agentID = "a-1"; r.prompt(yes); r.agentID = "" }, "ask"},
		{"a notification", func(r *rig) {
			ev := r.event(agent.Prompt)
			ev.Prompt = yes
			r.handle(ev)
		}, "ask"},
		{"an unattended run", func(r *rig) {
			r.Env = func(name string) string { return map[string]string{"CLAUDE_CODE_SESSION_ATTENDED": "0"}[name] }
			r.Policy.OnNoAnswer = agent.Deny
			r.prompt(yes)
		}, "deny"},
		{"another session's", func(r *rig) { r.prompt(yes); r.session = "s-2" }, "ask"},
		{"the agent's own log", func(r *rig) {
			file := r.Store.Find(r.session, r.Root)
			r.remember(file, r.event(agent.Prompt), session.Line{Kind: session.KindPrompt, Person: true, Source: "transcript", Text: r.Masker(file, session.Memory{}).String(yes)})
		}, "ask"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.Remote = nil
			r.put("old/a", "only")
			r.put("tmp/a", "only")
			c.say(r)
			told := r.bash("rm -rf old tmp")
			if c.want == "" {
				silent(t, told)
				if got := r.last().Findings.String(); !strings.Contains(got, `"action":"allow","why":"deletes`) || !strings.Contains(got, "own words") {
					t.Errorf("the record does not say why: %s", got)
				}
				return
			}
			says(t, told, c.want, "only-copy")
		})
	}
}
