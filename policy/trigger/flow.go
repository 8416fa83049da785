package trigger

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/effect"
	"github.com/stepgate/stepgate/policy/shell"
	"github.com/stepgate/stepgate/redact"
)

// Kinds of session.Step.
const (
	stepSecret   = "secret"   // a secret was shown to the agent; Detail is its tag
	stepFetched  = "fetched"  // a file was downloaded
	stepRejected = "rejected" // a remote did not take a push; Target is the folder
	stepDestroys = "destroys" // an infrastructure tool showed that it would destroy; Detail is how much
	stepUnproved = "unproved" // a command that proves the work failed; Target is the end of what it printed
	stepRed      = "red"      // the newest test, build or linter failed
	stepRerouted = "rerouted" // a remote was set to a host that the repository has no other on; Target is its name and the host
	stepRefused  = "refused"  // an act that was refused; Detail is class and tag, By who refused and the kind of tool
)

// Who refused.
const (
	byPerson = "person"
	byHook   = "hook" // another hook, or the agent's own rules
	byGate   = "gate"
)

// far is how many calls a shown secret is remembered for.
const far = 60

// flows are the findings about a call and the steps before it.
func flows(c *Call) []policy.Finding {
	if len(c.State.Steps) == 0 {
		return nil
	}
	var out []policy.Finding
	for i := range c.State.Steps {
		f, ok := flow(c, &c.State.Steps[len(c.State.Steps)-1-i])
		if ok && !has(out, f.Rule) {
			out = append(out, f)
		}
	}
	return out
}

func has(fs []policy.Finding, rule string) bool {
	for i := range fs {
		if fs[i].Rule == rule {
			return true
		}
	}
	return false
}

// flow is the finding that a call and one earlier step make together.
func flow(c *Call, step *session.Step) (policy.Finding, bool) {
	f := policy.Finding{Class: policy.State, Severity: policy.High, Action: agent.Ask}
	at := "call " + strconv.Itoa(step.Call)
	switch step.Kind {
	case stepSecret:
		host, ok := unseenSend(c)
		if !ok || c.State.Thread(c.AgentID).Calls-step.Call > far {
			return f, false
		}
		f.Rule = "flow.secret-then-send"
		f.Why = at + " read the secret " + show(c, step) + ", and this call sends to " + policy.Quote(host) + " what cannot be seen beforehand"
		f.Instead = "write the data into the call, so that it can be seen, or leave the secret out"
	case stepFetched:
		if !runs(c, step) {
			return f, false
		}
		f.Rule = "flow.download-then-run"
		f.Severity = policy.Medium
		f.Why = at + " downloaded " + show(c, step) + ", and this call runs it"
		f.Instead = "read the file first and tell the person what it does"
	case stepRejected:
		branch, ok := forced(c)
		if !ok || c.Mask(folder(c)).String() != step.Target.String() {
			return f, false
		}
		f.Rule = "flow.rejected-then-forced"
		if shared(branch) {
			f.Action, f.Severity = agent.Deny, policy.Critical
		}
		f.Why = at + " was a push that the remote rejected, and this call forces it: " + policy.Quote(branch) + " loses what others have pushed"
		f.Instead = "git fetch, look at what is new there, git pull --rebase, then git push"
	case stepDestroys:
		if !infra(c, applies[:]) || c.Mask(folder(c)).String() != step.Target.String() {
			return f, false
		}
		f.Rule = "flow.destroys-then-apply"
		f.Why = at + " showed that " + step.Detail + " would be destroyed, and this call applies it"
		f.Instead = "show the person the plan and let them say which of it may go"
	case stepRerouted:
		remote, ok := pushes(c)
		name, host, _ := strings.Cut(step.Target.String(), " ")
		if !ok || c.Mask(remote).String() != name {
			return f, false
		}
		f.Rule = "flow.reroute-then-push"
		f.Why = at + " set the remote " + policy.Quote(name) + " to " + policy.Quote(host) + ", where the repository had none, and this call pushes to it"
		f.Instead = "tell the person where the remote leads now, and let them push"
	case stepRefused:
		return detour(c, step)
	default:
		return f, false
	}
	return f, true
}

// detour is an act that was refused and is now tried in other words.
func detour(c *Call, step *session.Step) (policy.Finding, bool) {
	who, with, _ := strings.Cut(step.By, " ")
	if with == string(agent.Write) && c.Capability == agent.Write {
		return policy.Finding{}, false // a better edit is what a refusal is for, and it meets whoever refused the first one
	}
	for _, a := range c.Acts {
		if detail(string(a.Kind), string(a.Tag)) != step.Detail || c.Mask(a.Target).String() != step.Target.String() || step.Target.IsZero() {
			continue
		}
		f := policy.Finding{Rule: "flow.detour", Class: policy.State, Severity: policy.High, Action: agent.Deny,
			Why:     "call " + strconv.Itoa(step.Call) + " was refused by " + whose(who) + ", and this call does the same to " + show(c, step),
			Instead: "leave it as it is and ask the person"}
		if who == byPerson {
			f.Action = agent.Ask // they may have said why, which no hook is told
		}
		return f, true
	}
	return policy.Finding{}, false
}

func whose(who string) string {
	switch who {
	case byPerson:
		return "a person"
	case byHook:
		return "another hook or rule"
	}
	return "stepgate"
}

// class groups the kinds of an act that do the same to a target; empty for those that are nobody's detour.
func class(k effect.ActKind) string {
	switch k {
	case effect.Write, effect.Overwrite, effect.Edit, effect.Move, effect.Persist:
		return "change"
	case effect.Delete, effect.Publish, effect.Database, effect.Infra, effect.Rewrite, effect.Guard, effect.Kill:
		return string(k)
	}
	return ""
}

// detail is class and tag of an act that a refusal is remembered for.
func detail(kind, tag string) string {
	c := class(effect.ActKind(kind))
	if c == "" || tag == "" {
		return c
	}
	return c + " " + tag
}

// refusedSteps are the acts of a call that the gate refused for what it is: by a hard rule, a policy or a judge. What
// is refused for the state of the disk may be right once that has changed, and is looked up again.
func refusedSteps(c *Call, d *policy.Decision) []session.Step {
	own := false
	for i := range d.Findings {
		f := &d.Findings[i]
		own = own || f.Action == agent.Deny && f.Class != policy.State
	}
	if !own {
		return nil
	}
	var out []session.Step
	for i := range c.Acts {
		a := &c.Acts[i]
		if d := detail(string(a.Kind), string(a.Tag)); d != "" && a.Target != "" && len(out) < maxRefused {
			out = append(out, session.Step{Kind: stepRefused, Target: c.Mask(a.Target), Detail: d, By: byGate + " " + string(c.Capability)})
		}
	}
	return out
}

// maxRefused bounds the acts that are remembered of one call.
const maxRefused = 3

// TargetLimits bound what is remembered of an act's target. A path that is longer is told apart by its end.
var TargetLimits = redact.Limits{Head: 80, Tail: 120}

// recorded reads acts as the line of a call holds them.
func recorded(acts, who, capability string) []session.Step {
	var out []session.Step
	if !gjson.Valid(acts) {
		return nil
	}
	gjson.Parse(acts).ForEach(func(_, a gjson.Result) bool {
		var target redact.Text
		d := detail(a.Get("kind").Str, a.Get("tag").Str)
		if raw := a.Get("target").Raw; d != "" && raw != "" && target.UnmarshalJSON([]byte(raw)) == nil && !target.IsZero() {
			out = append(out, session.Step{Kind: stepRefused, Target: target.Line().Cut(TargetLimits), Detail: d, By: who + " " + capability})
		}
		return len(out) < maxRefused
	})
	return out
}

// steps are what a call that runs does that gives later ones a meaning.
func steps(c *Call) []session.Step {
	var out []session.Step
	for i, a := range c.Acts {
		switch {
		case a.Kind == effect.Secret && a.Target != "":
			out = append(out, session.Step{Kind: stepSecret, Target: c.Mask(a.Target), Detail: string(a.Tag)})
		case a.Kind == effect.Persist && a.Tag == effect.Rerouted:
			out = append(out, session.Step{Kind: stepRerouted, Target: c.Mask(a.Target)})
		case a.Kind == effect.Overwrite || a.Kind == effect.Write:
			if fetched(c, i) {
				out = append(out, session.Step{Kind: stepFetched, Target: c.Mask(a.Target)})
			}
		}
		if len(out) == maxRefused {
			break
		}
	}
	return out
}

// fetched: the command that writes the act's target takes it from another machine.
func fetched(c *Call, act int) bool {
	command := c.Acts[act].Command
	if command < 0 || c.Acts[act].Target == "" {
		return false
	}
	for i := range c.Acts {
		if a := &c.Acts[i]; a.Kind == effect.Receive && a.Command == command && a.Target != "" && !near(a.Target) {
			return true
		}
	}
	return false
}

// near: this machine or a network of one's own.
func near(host string) bool {
	host, _, _ = strings.Cut(host, ":")
	return host == "localhost" || strings.HasPrefix(host, "127.") || host == "0.0.0.0" || host == "[" || host == "host.docker.internal" ||
		strings.HasPrefix(host, "10.") || strings.HasPrefix(host, "192.168.") || strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".localhost") ||
		strings.HasSuffix(host, ".internal")
}

// unseenSend: data goes to another machine, and the call does not show which.
func unseenSend(c *Call) (host string, ok bool) {
	for _, a := range c.Acts {
		if a.Command < 0 || a.Command >= len(c.Script.Commands) || near(a.Target) {
			continue
		}
		cmd := &c.Script.Commands[a.Command]
		sends := a.Kind == effect.Send && a.How != "ssh"
		if (sends || a.Kind == effect.Receive) && carriers(cmd) && unseen(cmd, sends) {
			return a.Target, true
		}
	}
	return "", false
}

// carriers are programs that send what they are given.
func carriers(cmd *shell.Command) bool {
	switch cmd.Name {
	case "curl", "wget", "http", "https", "xh", "curlie", "nc", "ncat", "netcat", "socat", "telnet", "mail", "sendmail", "invoke-webrequest", "invoke-restmethod":
		return true
	}
	return false
}

// unseen: what is sent comes from a pipe, a file, a variable or another command, or is written so that nobody can read
// it. A header may hold a variable: that is how a program says who it is.
func unseen(cmd *shell.Command, sends bool) bool {
	if sends && (cmd.Stage > 0 || len(cmd.Redirects) > 0 && strings.HasPrefix(cmd.Redirects[0].Op, "<")) {
		return true
	}
	header := false
	for _, a := range cmd.Args {
		switch {
		case header:
			header = false
		case a.Text == "-H" || a.Text == "--header" || a.Text == "-u" || a.Text == "--user" || a.Text == "-o" || a.Text == "-b":
			header = true
		case !a.Known && strings.ContainsAny(a.Text, "$`"):
			return true
		case sends && strings.HasPrefix(a.Text, "@"), sends && strings.Contains(a.Text, "=@"), encoded(a.Text):
			return true
		}
	}
	return false
}

// encoded: a text holds a long run of letters and digits that no person writes.
func encoded(s string) bool {
	const long = 40
	run, digits, letters := 0, 0, 0
	for i := range len(s) {
		c := s[i]
		switch {
		case '0' <= c && c <= '9':
			digits++
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			letters++
		case c != '+' && c != '_':
			run, digits, letters = -1, 0, 0
		}
		if run++; run >= long && digits > 3 && letters > 3 {
			return true
		}
	}
	return false
}

// runs says that a call runs the file of a step.
func runs(c *Call, step *session.Step) bool {
	for i := range c.Script.Commands {
		cmd := &c.Script.Commands[i]
		names := []string{cmd.Path}
		if interpreter(cmd.Name) {
			for _, a := range cmd.Args {
				if a.Text != "" && a.Text[0] != '-' && a.Text[0] != '+' {
					names = append(names, a.Text)
					break
				}
			}
		}
		for _, r := range cmd.Redirects {
			if r.Op == "<" && interpreter(cmd.Name) {
				names = append(names, r.To.Text)
			}
		}
		for _, name := range names {
			if name != "" && c.Mask(absolute(c, cmd.Dir, name)).String() == step.Target.String() {
				return true
			}
		}
	}
	return false
}

func interpreter(name string) bool {
	switch name {
	case "sh", "bash", "zsh", "dash", "ksh", "fish", "source", ".", "python", "python3", "node", "deno", "bun", "perl", "ruby", "php", "pwsh", "powershell":
		return true
	}
	return false
}

func absolute(c *Call, dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	if dir == "" {
		dir = c.CWD
	}
	return filepath.Join(dir, name)
}

// pushes is the remote that a call pushes to.
func pushes(c *Call) (remote string, ok bool) {
	for _, a := range c.Acts {
		if a.Kind == effect.Publish && a.Program == "git" {
			remote, _, _ = strings.Cut(a.Target, " ")
			return remote, true
		}
	}
	return "", false
}

// forced is the branch that a call pushes by force.
func forced(c *Call) (branch string, ok bool) {
	for _, a := range c.Acts {
		if a.Kind == effect.Publish && (a.Tag == effect.ForcePush || a.Tag == effect.MirrorPush) {
			return a.Target, true
		}
	}
	return "", false
}

// shared: a branch that others build on.
func shared(target string) bool {
	for _, word := range strings.FieldsFunc(target, func(r rune) bool { return r == ' ' || r == '/' }) {
		switch word {
		case "main", "master", "trunk", "develop", "production", "release", "stable":
			return true
		}
	}
	return false
}

func hasWord(args []shell.Word, words []string) bool {
	for i := range args {
		if slices.Contains(words, args[i].Text) {
			return true
		}
	}
	return false
}

// folder is where the first command of a call runs.
func folder(c *Call) string {
	if len(c.Script.Commands) > 0 && c.Script.Commands[0].Dir != "" {
		return c.Script.Commands[0].Dir
	}
	return c.CWD
}

// show names a step's target, from the project's root where it lies in it.
func show(c *Call, step *session.Step) string {
	target := step.Target.String()
	if root := c.Mask(c.Root).String(); root != "" {
		target = strings.TrimPrefix(target, root+"/")
	}
	return policy.Quote(target)
}
