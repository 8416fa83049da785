package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/stepgate/stepgate/hook"
	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/internal/setup"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/rulebook"
)

type policyTestCmd struct {
	File  string `arg:"" optional:"" help:"The file whose policies are tried; those in force if not given." type:"path"`
	Judge bool   `help:"Also try policies in words, by asking the remote judge about each example."`
	JSON  bool   `name:"json" help:"Print what came of them as JSON."`
}

// Help is printed below the flags.
func (policyTestCmd) Help() string {
	return `An example is a command line, or a call of another tool as JSON:
  hit = [
    "rm migrations/1.sql",
    '{"tool":"Write","input":{"file_path":"a","content":"x"}}',
  ]
Nothing is run. The exit code is 1 when an example does not hold.`
}

func (c policyTestCmd) Run(a *app) error {
	g, err := a.gateHere("claude")
	if err != nil {
		return err
	}
	if c.File != "" {
		own, _, err := a.policyFile(c.File)
		if err != nil {
			return err
		}
		g.Book, g.PolicyFault = rulebook.New(own...), ""
	}
	if g.PolicyFault != "" {
		return errors.New(g.PolicyFault)
	}
	if c.Judge && g.Remote == nil {
		return fmt.Errorf("judge = %s does not answer questions about policies\nhint: stepgate key set, or set judge", g.Judge)
	}
	t := policyTrial{app: a, gate: g}
	for i := range g.Book.Policies {
		if p := &g.Book.Policies[i]; p.When == nil && !c.Judge {
			t.skipped += len(p.Hit) + len(p.Miss)
		} else if err := t.try(p); err != nil {
			return err
		}
	}
	if err := t.tell(c.JSON); err != nil {
		return err
	}
	if len(t.failed) > 0 {
		return &exitError{code: exitFailed}
	}
	return nil
}

// policyTrial counts the examples that were tried.
type policyTrial struct {
	app           *app
	gate          *setup.Gate
	held, skipped int
	failed        []failedExample
}

// failedExample is one that did not do what its list says.
type failedExample struct {
	Policy  string `json:"policy"`
	Example string `json:"example"`
	Should  string `json:"should"` // hit or miss
}

// tell prints what came of the examples.
func (t *policyTrial) tell(asJSON bool) error {
	if asJSON {
		return json.NewEncoder(t.app.out).Encode(struct {
			Hold    int             `json:"hold"`
			Failed  []failedExample `json:"failed"`
			Skipped int             `json:"skipped"`
		}{t.held, append([]failedExample{}, t.failed...), t.skipped})
	}
	for _, f := range t.failed {
		word := map[string]string{"hit": "should hit and does not", "miss": "should miss and hits"}[f.Should]
		fmt.Fprintf(t.app.out, "%s %s: %s\n", f.Policy, word, clip(f.Example, 100))
	}
	fmt.Fprintf(t.app.out, "%d examples hold, %d do not", t.held, len(t.failed))
	if t.skipped > 0 {
		fmt.Fprintf(t.app.out, "; %d need a judge (--judge)", t.skipped)
	}
	_, err := fmt.Fprintln(t.app.out)
	return err
}

func (t *policyTrial) try(p *rulebook.Policy) error {
	for i, s := range slices.Concat(p.Hit, p.Miss) {
		want := i < len(p.Hit)
		got, err := t.breaks(p, s)
		switch {
		case err != nil:
			return fmt.Errorf("policy %s: example %q: %w", p.ID, clip(s, 60), err)
		case got == want:
			t.held++
		default:
			t.failed = append(t.failed, failedExample{p.ID, s, map[bool]string{true: "hit", false: "miss"}[want]})
		}
	}
	return nil
}

// breaks says whether a call breaks a policy, alone or by what the judge says.
func (t *policyTrial) breaks(p *rulebook.Policy, example string) (bool, error) {
	call, err := exampleCall(example)
	if err != nil {
		return false, err
	}
	alone := *t.gate.Gate
	alone.Book = rulebook.Book{Policies: []rulebook.Policy{*p}, Own: true}
	alone.Allowed, alone.Snapshots, alone.Shadow = nil, nil, nil
	v := alone.Consider(t.app.ctx, hook.Situation{Call: call, Root: t.gate.Root, Mode: policy.Enforce, Mask: redactCmd{}.masker()})
	if p.When == nil && v.Failure != "" {
		return false, errors.New(v.Failure)
	}
	return slices.ContainsFunc(v.Findings, func(f policy.Finding) bool { return f.Rule == rulebook.Prefix+p.ID }), nil
}

// exampleCall reads an example: a command line, or a call as JSON.
func exampleCall(s string) (agent.Call, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return agent.Call{}, err
	}
	q := question{Tool: "Bash", Input: json.RawMessage(`{"command":` + jsonOf(s) + `}`)}
	if strings.HasPrefix(strings.TrimSpace(s), "{") {
		q = question{}
		if err := json.Unmarshal([]byte(s), &q); err != nil || q.Tool == "" || len(q.Input) == 0 {
			return agent.Call{}, errors.New(`is no call; a call is {"tool":…,"input":{…}}`)
		}
	}
	return agent.NewCall("", q.Tool, string(q.Input), cwd), nil
}
