package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/hook"
	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/internal/setup"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/effect"
	"github.com/stepgate/stepgate/redact"
	"github.com/stepgate/stepgate/verifier"
)

// maxCheckLine bounds one call of check, as agent.MaxPayload bounds one of the hook, with room for its history.
const maxCheckLine = 2 * agent.MaxPayload

type checkCmd struct {
	Agent   string `help:"The agent the call would come from: claude or codex." enum:"claude,codex" default:"claude"`
	CWD     string `name:"cwd" help:"The folder the call would run in; the current one if not given." type:"path"`
	Plan    string `help:"What the person asked the agent for."`
	Tool    string `help:"The tool that is called." default:"Bash"`
	Input   string `help:"File with the tool's input, one JSON object; - for standard input." placeholder:"FILE"`
	JSON    bool   `name:"json" help:"Print the answer as JSON."`
	JSONL   bool   `name:"jsonl" help:"Read one call a line from standard input and answer with one line each, in order."`
	Command string `arg:"" optional:"" help:"The command line, for a shell tool."`
}

// Help is printed below the flags.
func (checkCmd) Help() string {
	return `It answers what enforce would decide, whatever the mode is, and touches no session.

Examples:
  stepgate check 'git push --force origin main'
  stepgate check --plan 'Fix the typo in README.md' --json 'rm -rf docs'`
}

// question is one call to check.
type question struct {
	ID      json.RawMessage `json:"id"` // given back as it came
	Tool    string          `json:"tool"`
	Input   json.RawMessage `json:"input"`
	CWD     string          `json:"cwd"`
	Plan    string          `json:"plan"`
	Later   []string        `json:"later_prompts"`
	History []struct {
		Tool    string          `json:"tool"`
		Input   json.RawMessage `json:"input"`
		Outcome string          `json:"outcome"`
	} `json:"history"`
}

// answer is what check says about a call.
type answer struct {
	ID       json.RawMessage   `json:"id,omitempty"`
	Decision agent.Action      `json:"decision"`
	Findings redact.Doc        `json:"findings"`
	Effects  redact.Doc        `json:"effects"`
	Answers  *verifier.Answers `json:"answers,omitempty"`
	Score    *float64          `json:"score,omitempty"`
	Risk     float64           `json:"risk"`
	Judge    string            `json:"judge"`
	Failure  string            `json:"failure,omitempty"`
	Reason   string            `json:"reason,omitempty"`
	MS       float64           `json:"ms"`
	Error    string            `json:"error,omitempty"`
	// Level is the decision in graded words: safe, warning, blocked.
	Level string `json:"level"`
	// Does says in plain words what the call would do, Unsure what of it could not be read and where; Grounds says what
	// each rule's finding was drawn from.
	Does    redact.Doc            `json:"does,omitzero"`
	Unsure  redact.Doc            `json:"unsure,omitzero"`
	Grounds map[string]redact.Doc `json:"grounds,omitempty"`

	found []policy.Finding // Findings as they were, for a person
}

func (c checkCmd) Run(a *app) error {
	checker := &checker{app: a, agent: c.Agent, gates: map[string]*setup.Gate{}}
	if c.JSONL {
		if c.Command != "" || c.Input != "" {
			return &exitError{exitUsage, errors.New("check: --jsonl reads its calls from standard input; give neither a command nor --input")}
		}
		return checker.lines()
	}
	q, err := c.question(a)
	if err != nil {
		return err
	}
	ans := checker.ask(q)
	if c.JSON {
		return checker.encoder().Encode(ans)
	}
	return show(a.out, ans)
}

// question makes one of the command line.
func (c checkCmd) question(a *app) (question, error) {
	q := question{Tool: c.Tool, CWD: c.CWD, Plan: c.Plan}
	if st, err := os.Stat(cmp.Or(c.CWD, ".")); err != nil || !st.IsDir() {
		return q, &exitError{exitUsage, fmt.Errorf("check: --cwd %s is no folder", c.CWD)}
	}
	switch {
	case c.Input == "" && c.Command == "":
		return q, &exitError{exitUsage, errors.New("check: no call given\nhint: stepgate check 'rm -rf build'")}
	case c.Input != "" && c.Command != "":
		return q, &exitError{exitUsage, errors.New("check: give a command or --input, not both")}
	case c.Command != "":
		q.Input = json.RawMessage(`{"command":` + jsonOf(c.Command) + `}`)
		return q, nil
	}
	var b []byte
	var err error
	if c.Input == "-" {
		b, err = readAll(a.stdin, "standard input", agent.MaxPayload)
	} else {
		b, err = readFile(c.Input, agent.MaxPayload)
	}
	if err != nil {
		return q, fmt.Errorf("check: --input: %w", err)
	}
	if !gjson.ValidBytes(b) || !gjson.ParseBytes(b).IsObject() {
		return q, fmt.Errorf("check: --input %q is not one JSON object", c.Input)
	}
	q.Input = b
	return q, nil
}

// checker keeps one gate a folder: each has the settings of its project.
type checker struct {
	app   *app
	agent string
	gates map[string]*setup.Gate
}

// encoder writes commands as they are read: no page shows them, so < and > stay.
func (c *checker) encoder() *json.Encoder {
	out := json.NewEncoder(c.app.out)
	out.SetEscapeHTML(false)
	return out
}

func (c *checker) lines() error {
	in := bufio.NewScanner(c.app.stdin)
	in.Buffer(make([]byte, 64<<10), maxCheckLine)
	out := c.encoder()
	for n := 1; in.Scan(); n++ {
		var q question
		ans := answer{}
		if err := json.Unmarshal(in.Bytes(), &q); err != nil {
			// Part of a line that is not JSON at all may still tell its id.
			ans = bad(idOf(in.Bytes()), fmt.Errorf("line %d is not a call: %w", n, err))
		} else {
			ans = c.ask(q)
		}
		if err := out.Encode(ans); err != nil {
			return err
		}
	}
	return in.Err()
}

// idOf is the id in a line, where one can be read and is itself whole JSON.
func idOf(line []byte) json.RawMessage {
	if id := gjson.GetBytes(line, "id").Raw; json.Valid([]byte(id)) {
		return json.RawMessage(id)
	}
	return nil
}

// bad is the answer to what is no call.
func bad(id json.RawMessage, err error) answer {
	none := redactCmd{}.masker().JSON("[]")
	return answer{ID: id, Decision: agent.Deny, Level: policy.Level(agent.Deny), Findings: none, Effects: none, Judge: "none", Error: err.Error()}
}

// ask runs the middle of the gate's line over one call.
func (c *checker) ask(q question) answer {
	start := c.app.env.Now()
	if len(q.Input) == 0 || !gjson.ParseBytes(q.Input).IsObject() {
		return bad(q.ID, errors.New("input is not a JSON object"))
	}
	if q.Tool == "" {
		return bad(q.ID, errors.New("tool is missing"))
	}
	cwd := q.CWD
	if !filepath.IsAbs(cwd) { // an agent gives its folder from the root on
		abs, err := filepath.Abs(cwd)
		if err != nil {
			return bad(q.ID, err)
		}
		cwd = abs
	}
	g := c.gate(cwd)
	mask := masker(g.Redact, g.Entropy)
	s := hook.Situation{
		Call: agent.NewCall("", q.Tool, string(q.Input), cwd), Root: g.Root, Mode: policy.Enforce,
		// An ask is not turned into what this agent can be asked, so that is left out here.
		Agent: agent.Abilities{TypingUnseen: g.Protocol.Abilities(agent.Event{Kind: agent.PreTool}, g.Env).TypingUnseen},
		Plan:  mask.String(q.Plan), Words: append([]string{q.Plan}, q.Later...), Mask: mask,
	}
	for _, l := range q.Later {
		s.Later = append(s.Later, mask.String(l))
	}
	for _, h := range q.History {
		s.History = append(s.History, verifier.Past{Tool: h.Tool, Input: mask.Input(h.Tool, string(h.Input)), Outcome: h.Outcome})
	}
	v := g.Consider(c.app.ctx, s)
	ans := answer{
		ID: q.ID, Decision: v.Would, Level: policy.Level(v.Would),
		Findings: mask.JSON(policy.FindingsJSON(v.Findings)), Effects: mask.JSON(effect.EffectsJSON(v.Effects)),
		Score: v.Score, Risk: v.Risk, Judge: "none",
		Failure: mask.String(v.Fault).Line().String(), Reason: mask.String(v.Reason).Line().String(),
		MS: float64(c.app.env.Now().Sub(start)) / float64(time.Millisecond),
	}
	c.explain(&ans, v, mask)
	switch {
	case v.Skipped:
		ans.Judge = "skip"
	case v.Judged != nil:
		ans.Judge, ans.Answers = v.Judged.Judge, &v.Judged.Answers
	}
	return ans
}

func (c *checker) gate(cwd string) *setup.Gate {
	if g, ok := c.gates[cwd]; ok {
		return g
	}
	p, _ := setup.Protocol(c.agent) // the flag's enum holds
	g := setup.New(c.app.env, c.agent, p, cwd)
	c.gates[cwd] = g
	return g
}

// explain says what a verdict was drawn from. The reader's own texts are masked as one document each.
func (c *checker) explain(a *answer, v hook.Verdict, mask *redact.Masker) {
	a.Does = mask.JSON(jsonOf(append([]string{}, policy.Deeds(v.Prediction)...)))
	if unsure := slices.Concat(v.Unsure, v.Script.Unsure); len(unsure) > 0 {
		slices.Sort(unsure)
		a.Unsure = mask.JSON(jsonOf(slices.Compact(unsure)))
	}
	a.Grounds = map[string]redact.Doc{}
	for _, f := range v.Findings {
		if g := policy.Grounds(f, v.Prediction); len(g) > 0 {
			a.Grounds[f.Rule] = mask.JSON(jsonOf(g))
		}
		f.Why, f.Instead = mask.String(f.Why).Line().String(), mask.String(f.Instead).Line().String()
		a.found = append(a.found, f)
	}
}

// maxDeeds bounds a list for a person.
const maxDeeds = 8

// show prints an answer for a person: the decision, then each finding with what it was drawn from and what would be safe.
func show(w io.Writer, a answer) error {
	if a.Error != "" {
		return errors.New("check: " + a.Error)
	}
	fmt.Fprintf(w, "%s", a.Decision)
	if a.Judge != "none" {
		fmt.Fprintf(w, "  (judge: %s)", a.Judge)
	}
	fmt.Fprintln(w)
	for _, f := range a.found {
		fmt.Fprintf(w, "\n%s %s\n", f.Rule, verb(f))
		for _, g := range gjson.Parse(a.Grounds[f.Rule].String()).Array() {
			if words := g.Get("words").String(); words != "" {
				entry(w, "words", words)
			}
			entry(w, "act", g.Get("act").String())
		}
		entry(w, "why", f.Why)
		if f.Instead != "" {
			entry(w, "safe", f.Instead)
		}
	}
	switch {
	case len(a.found) > 0:
	case a.Unsure.String() != "":
		fmt.Fprintln(w, "nothing stands against what could be read of it")
	default:
		fmt.Fprintln(w, "nothing stands against it")
	}
	list(w, "what it would do, looks at files aside", a.Does)
	list(w, "what could not be read", a.Unsure)
	if a.Failure != "" {
		fmt.Fprintln(w, wrap("the judge failed: "+a.Failure, ""))
	}
	if x := a.Answers; x != nil {
		fmt.Fprintf(w, "\njudge: contradicts plan %.2f, out of scope %.2f, contradicts previous %.2f,\n       should flag %.2f, intent %.2f of 4\n",
			x.ContradictsPlan, x.OutOfScope, x.ContradictsPrevious, x.ShouldFlag, x.Intent.Score)
	}
	return nil
}

// list prints the first texts of an array under a heading.
func list(w io.Writer, heading string, doc redact.Doc) {
	texts := gjson.Parse(doc.String()).Array()
	if len(texts) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", heading)
	for _, t := range texts[:min(len(texts), maxDeeds)] {
		hang(w, "- ", t.String())
	}
	if more := len(texts) - maxDeeds; more > 0 {
		fmt.Fprintf(w, "- and %d more\n", more)
	}
}

// verb says what a finding does, and with what authority.
func verb(f policy.Finding) string {
	word := map[agent.Action]string{agent.Allow: "informs", agent.Ask: "asks", agent.Deny: "denies"}[f.Action]
	switch f.Class {
	case policy.Hard:
		return word + " (hard rule: no setting, plan or judge lifts it)"
	case policy.Signal:
		return word + " (the judge's answer)"
	}
	return word
}

// entry prints one named line of a finding.
func entry(w io.Writer, name, text string) {
	hang(w, fmt.Sprintf("  %-7s", name), text)
}

// jsonOf marshals what always can be: texts, and structs of them.
func jsonOf(v any) string {
	var b strings.Builder
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	if out.Encode(v) != nil {
		return "null"
	}
	return strings.TrimSuffix(b.String(), "\n")
}
