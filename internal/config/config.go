// Package config gives the gate its settings: one table says what there is, and layers of files, plugin options and the
// environment say what stands.
//
// A bad value never takes the gate down and is never bent into range: the layer below stands and a warning says so. A
// project's own file, and an environment variable that the project's agent settings name, can only make the gate
// stricter. No value that could be a secret is repeated in a warning.
//
// The hook pays for this package on every call. It takes koanf's TOML parser and environment provider and not its core:
// that links net and compiles a pattern at start-up, and merging by setting, with a warning for each value that does not
// count, is the part that is ours anyway.
package config

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/rulebook"
	"github.com/stepgate/stepgate/redact"
)

// Config is what stands.
type Config struct {
	Mode             policy.Mode // as configured; see Now for the mode in force
	DenyAbove        float64
	FlagAbove        float64 // below DenyAbove, always, unless that is 0
	LowIntent        float64
	OnError          string // allow or deny
	OnNoAnswer       string // allow or deny
	SkipTools        []string
	Judge            string // local, jev, openai, scorer or off; auto is resolved
	JudgeSetting     string // as set: may be auto
	Model            string // empty: the judge's own default
	BaseURL          string // empty: the judge's own default
	TimeoutMS        int
	UnhealthyAfter   int
	AuditLog         bool
	LogDir           string
	KeepDays         int
	PlanFollow       bool
	AskLimit         int
	AskWithoutPrompt string // approve or no_answer
	Tau              float64
	RiskBudget       int // 0 is none
	SafetyWeight     float64
	Profile          string
	HistoryWindow    int
	Confirm          string
	Shadow           string // empty: none
	Snapshot         bool
	RedactEntropy    bool
	RedactPlan       bool
	Redact           redact.Rules
	EnforceTools     []string // empty is all
	EnforceShare     float64
	AllowWrite       []string // clean, absolute where the root was known
	FailClosed       bool
	Triggers         Triggers

	// Book holds the policies in force. PolicyFault says which of their files could not be read, and why; the others hold.
	Book        rulebook.Book
	PolicyFault string

	// Warnings are one line each, to be shown at a session's start and in status.
	Warnings []string
	// Unreadable says that a managed or user file is there and could not be used, so the mode last recorded counts for
	// more than Mode.
	Unreadable bool
	// Hash names the settings in force: equal settings, equal hash.
	Hash string

	own     []rulebook.Policy
	values  []value
	origins []Layer
	locked  []string
	// base is the mode before a project tightened it, and baseFrom who set that.
	base     policy.Mode
	baseFrom Layer
}

// Layer names where a value came from.
type Layer string

const (
	Default     Layer = "default"
	Profile     Layer = "profile"
	Managed     Layer = "managed file"
	User        Layer = "user file"
	Project     Layer = "project"
	Plugin      Layer = "plugin option"
	Environment Layer = "environment"
	Candidate   Layer = "shadow file"
)

// Origin is the layer that set a key; Default for an unknown one.
func (c Config) Origin(key string) Layer {
	if i := index(key); i >= 0 && i < len(c.origins) {
		return c.origins[i]
	}
	return Default
}

// Value is a key's value in the plain form that config show prints.
func (c Config) Value(key string) (string, bool) {
	i := index(key)
	if i < 0 || i >= len(c.values) {
		return "", false
	}
	return c.values[i].text, true
}

// Locked says that the managed file alone decides about a key.
func (c Config) Locked(key string) bool { return slices.Contains(c.locked, key) }

// Skips says that a tool is on the skip list.
func (c Config) Skips(tool string) bool { return covered(c.SkipTools, tool) }

// Enforces says that enforce, where it is the mode, holds for a tool.
func (c Config) Enforces(tool string) bool {
	return len(c.EnforceTools) == 0 || covered(c.EnforceTools, tool)
}

// apply copies what stands into the fields.
func (c *Config) apply() {
	for i := range settings {
		settings[i].set(c, c.values[i])
	}
}

// hash covers the settings and the judge they came to.
func (c *Config) hash() string {
	b := make([]byte, 0, 1024)
	for i := range settings {
		b = append(b, settings[i].Key...)
		b = append(b, '=')
		b = append(b, c.values[i].text...)
		b = append(b, '\n')
	}
	if len(c.own) > 0 {
		text, _ := json.Marshal(c.own) // cannot fail: texts and truth values
		b = append(b, text...)
	}
	b = append(b, c.Judge+"\n"+c.Model+"\n"+c.BaseURL...)
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:6])
}
