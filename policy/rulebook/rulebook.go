// Package rulebook holds the policies: a person's own rules about what an agent may do, each with a weight, and the few
// that are built in.
//
// A policy with a `when` is decided here, by what the call was read as; one without is a question to the judge. Neither
// refuses anything alone: violated policies are findings whose weights package policy adds up. Everything is read
// strictly and is bounded; a set that cannot be read is an error, never an empty set.
package rulebook

import (
	"slices"

	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/verifier"
)

// Prefix begins the rule of every finding that a policy makes, and the name of its question to the judge.
const Prefix = "policy_"

// Policy is one rule in force.
type Policy struct {
	ID string `json:"id"`
	// Description is the rule in words; it says what breaks it.
	Description string          `json:"description"`
	Severity    policy.Severity `json:"severity"`
	// Reversible says that a violation can be taken back, so a bleak outlook makes it no graver.
	Reversible bool `json:"reversible"`
	// Scope says in words where the rule holds.
	Scope string `json:"scope,omitempty"`
	// Alternative is the way to go instead.
	Alternative string `json:"alternative,omitempty"`
	// When decides without a judge; nil leaves the question to one.
	When *When `json:"when,omitempty"`
	// Hit and Miss are examples: command lines that break the rule, and those that do not.
	Hit  []string `json:"hit,omitempty"`
	Miss []string `json:"miss,omitempty"`
	// From is the file it comes from; empty for a built-in one. Project says that the file is the project's own.
	From    string `json:"from,omitempty"`
	Project bool   `json:"project,omitempty"`
}

// When is a closed language: a call fits when each list that is set holds something that fits. Acts, With, Programs,
// Paths, Except, Places, Effects, Words and Secret look for one act that fits them all.
type When struct {
	// Acts are kinds of an act: delete, write, install.
	Acts []string `json:"acts,omitempty"`
	// With are kinds of which another act of the same command is: install with privilege.
	With []string `json:"with,omitempty"`
	// Programs are names of programs or their subcommands; * stands for anything.
	Programs []string `json:"programs,omitempty"`
	// Paths are patterns for what is touched: ** stands for any folders, a pattern without a slash for a name anywhere,
	// a folder for all below it. Relative ones start at the project's root. Except takes some out again.
	Paths  []string `json:"paths,omitempty"`
	Except []string `json:"except,omitempty"`
	// Places are project, outside, home, temp, device, remote.
	Places []string `json:"places,omitempty"`
	// Effects are kinds of loss that were found: files, changes, content, commits, stash, any.
	Effects []string `json:"effects,omitempty"`
	// Words are whole words of the command or the target, such as names of an environment: prod, production.
	Words []string `json:"words,omitempty"`
	// Secret asks that the text that is written hold a live secret.
	Secret bool `json:"secret,omitempty"`
	// Tools are the agent's names of its tools; a name may end in *.
	Tools []string `json:"tools,omitempty"`
}

// Book is the policies in force, in order: the built-in ones, the person's, the project's.
type Book struct {
	Policies []Policy
	// Own says that there is more than what is built in.
	Own bool
}

// MaxPolicies is how many policies a book holds beside those built in; MaxProject is how many of a project are put to a
// judge.
const (
	MaxPolicies = 200
	MaxProject  = 8
)

// New makes a book of the built-in policies and a person's and a project's own. An id that is taken gets a number, so
// that no policy is lost.
func New(own ...Policy) Book {
	b := Book{Policies: builtin[:], Own: len(own) > 0}
	if !b.Own {
		return b
	}
	b.Policies = slices.Clone(b.Policies)
	for _, p := range own[:min(len(own), MaxPolicies)] {
		p.ID = b.free(p.ID)
		b.Policies = append(b.Policies, p)
	}
	return b
}

// free gives an id that no policy of the book has yet.
func (b *Book) free(id string) string {
	taken := func(id string) bool {
		return slices.ContainsFunc(b.Policies, func(p Policy) bool { return p.ID == id })
	}
	got := id
	for n := 2; taken(got); n++ {
		got = id + "-" + itoa(n)
	}
	return got
}

// Asked are the policies that a judge decides, the gravest first, as many as one request has room for; left is how many
// it has not.
func (b *Book) Asked() (asked []*Policy, left int) {
	if !b.Own {
		return nil, 0
	}
	for _, severity := range [...]policy.Severity{policy.Critical, policy.High, policy.Medium, policy.Low} {
		for i := range b.Policies {
			if p := &b.Policies[i]; p.When == nil && p.Severity == severity {
				asked = append(asked, p)
			}
		}
	}
	projects := 0
	asked = slices.DeleteFunc(asked, func(p *Policy) bool {
		if p.Project {
			projects++
		}
		drop := p.Project && projects > MaxProject
		if drop {
			left++
		}
		return drop
	})
	return asked, left
}

// Question is the policy in the words a judge is asked in; they are not masked yet.
func (p *Policy) Question() string {
	if p.Scope == "" {
		return p.Description
	}
	return p.Description + " It holds for: " + p.Scope
}

// Findings are those of the policies that matched a call, and of those that a judge holds violated: at a probability of
// flag or more. Where the judge sees an irreversible end, what cannot be taken back weighs one degree more.
func (b *Book) Findings(hits []Hit, answers *verifier.Answers, flag float64) []policy.Finding {
	var out []policy.Finding
	bleak := answers != nil && answers.Trajectory[verifier.Irreversible] >= flag && flag > 0
	for _, h := range hits {
		f := h.finding(bleak, "")
		f.Acts = h.Acts
		out = append(out, f)
	}
	if answers == nil || len(answers.Policies) == 0 {
		return out
	}
	for i := range b.Policies {
		p := &b.Policies[i]
		if prob, ok := answers.Policies[p.ID]; ok && p.When == nil && prob >= flag {
			out = append(out, p.finding(bleak, " (p="+percent(prob)+")"))
		}
	}
	return out
}

// finding weighs nothing by itself: its action is what package policy makes of the sum.
func (p *Policy) finding(bleak bool, detail string) policy.Finding {
	f := policy.Finding{Rule: Prefix + p.ID, Class: policy.Policy, Severity: p.Severity, Why: "breaks the policy “" + short(p.Description) + "”" + detail, Instead: p.Alternative}
	if bleak && !p.Reversible {
		if graver := graver(p.Severity); graver != p.Severity {
			f.Severity = graver
			f.Why += ", with no way back"
		}
	}
	return f
}

func graver(s policy.Severity) policy.Severity {
	switch s {
	case policy.Low:
		return policy.Medium
	case policy.Medium:
		return policy.High
	}
	return policy.Critical
}

// maxShown bounds a policy's words in a reason, in bytes.
const maxShown = 160

// short is a text without its full stop, cut to what a reason has room for.
func short(s string) string {
	for len(s) > 0 && s[len(s)-1] == '.' {
		s = s[:len(s)-1]
	}
	if len(s) <= maxShown {
		return s
	}
	cut := maxShown
	for cut > 0 && s[cut]&0xC0 == 0x80 { // inside a rune
		cut--
	}
	return s[:cut] + "…"
}
