package config

import (
	"strings"

	"github.com/stepgate/stepgate/policy"
)

// Kind is the form a setting's value has.
type Kind uint8

const (
	Enum   Kind = iota // one of Choices
	Number             // from Min to Max
	Int                // whole, from Min to Max
	Bool
	Tools // tool names; a name may end in *
	Word  // one word, such as a model's name
	URL   // an http or https address without a user in it
	Dir   // an absolute folder, ~/ allowed
	Dirs  // folders, relative ones taken from the project's root
	Names // names that mean a secret; see redact.GoodKey
	Heads // what secrets begin with; see redact.GoodPrefix
	Sums  // SHA-256 in hex
	File  // an absolute file, ~/ allowed
	Lines // command lines, with blanks in them
)

// Direction says what a project may do to a setting. Whatever it is, a project can only make the gate stricter.
type Direction uint8

const (
	Never  Direction = iota // the project has no say
	Up                      // may raise it; for an Enum, to a later choice
	Down                    // may lower it
	Fewer                   // may take entries out
	More                    // may add entries; an empty list already means all
	Add                     // may add entries
	Cap                     // may set a smaller cap; 0 is none
	Narrow                  // may narrow it to folders inside the project
)

// Setting is one row of the table that parsing, warnings, help and the documentation all come from.
type Setting struct {
	Key     string // as in a file; see Env and Option for the other spellings
	Kind    Kind
	Default string
	// Choices of an Enum, the weakest first where Project says Up.
	Choices  []string
	Min, Max float64
	Project  Direction
	Help     string
	// Pending says that nothing reads the setting yet: it is taken, shown and warned about.
	Pending bool

	set func(*Config, value)
}

// settings is sorted by what people look for first, and stays free of anything that would have to run at start-up.
var settings = [...]Setting{
	{Key: "mode", Kind: Enum, Default: "audit", Choices: []string{"off", "audit", "enforce"}, Project: Up,
		Help: "audit records what it would do, enforce does it, off judges nothing",
		set:  func(c *Config, v value) { c.Mode = policy.Mode(v.text) }},
	{Key: "deny_above", Kind: Number, Default: "0.9", Max: 1, Project: Down,
		Help: "a judge's highest answer at or above this denies the call",
		set:  func(c *Config, v value) { c.DenyAbove = v.num }},
	{Key: "flag_above", Kind: Number, Default: "0.6", Max: 1, Project: Down,
		Help: "an answer at or above this asks a person, and counts a policy as violated",
		set:  func(c *Config, v value) { c.FlagAbove = v.num }},
	{Key: "low_intent_at_or_below", Kind: Number, Default: "1", Max: 4, Project: Up,
		Help: "a fit with the plan at or below this (0 opposes it, 4 is called for) asks",
		set:  func(c *Config, v value) { c.LowIntent = v.num }},
	{Key: "confirm", Kind: Enum, Default: "single", Choices: []string{"asymmetric", "single"}, Project: Up,
		Help: "single asks at each doubt of the judge; asymmetric asks when it is as sure as deny_above, or has doubted a call before and since cleared none that changes something",
		set:  func(c *Config, v value) { c.Confirm = v.text }},
	{Key: "on_error", Kind: Enum, Default: "allow", Choices: []string{"allow", "deny"}, Project: Up,
		Help: "what happens to a call when the judge or the gate fails",
		set:  func(c *Config, v value) { c.OnError = v.text }},
	{Key: "on_no_answer", Kind: Enum, Default: "allow", Choices: []string{"allow", "deny"}, Project: Up,
		Help: "what happens to an ask when nobody can be asked",
		set:  func(c *Config, v value) { c.OnNoAnswer = v.text }},
	{Key: "skip_tools", Kind: Tools, Default: "Read, Glob, Grep, TodoWrite, NotebookRead, ListAgents, TaskOutput", Project: Fewer,
		Help: "tools that are not judged, only checked by rules; none judges all; a name may end in *",
		set:  func(c *Config, v value) { c.SkipTools = v.list }},
	{Key: "judge", Kind: Enum, Default: "auto", Choices: []string{"auto", "local", "jev", "openai", "scorer", "off"},
		Help: "who answers the five questions; auto is jev once a key was set with stepgate key set, else local",
		set:  func(c *Config, v value) { c.Judge, c.JudgeSetting = v.text, v.text }},
	{Key: "model", Kind: Word,
		Help: "the judge's model; empty is the judge's own default (jev-latest for jev)",
		set:  func(c *Config, v value) { c.Model = v.text }},
	{Key: "base_url", Kind: URL,
		Help: "address of the judge's server; empty is the judge's own default",
		set:  func(c *Config, v value) { c.BaseURL = v.text }},
	{Key: "timeout_ms", Kind: Int, Default: "5000", Min: 500, Max: 30000,
		Help: "milliseconds a remote judge gets, retries included",
		set:  func(c *Config, v value) { c.TimeoutMS = int(v.num) }},
	{Key: "unhealthy_after", Kind: Int, Default: "3", Min: 1, Max: 100,
		Help: "judge failures in a row after which the gate says that it is unhealthy",
		set:  func(c *Config, v value) { c.UnhealthyAfter = int(v.num) }},
	{Key: "audit_log", Kind: Bool, Default: "true", Project: Up,
		Help: "keep each session's record; without it only what memory needs is kept, until the session ends",
		set:  func(c *Config, v value) { c.AuditLog = v.on() }},
	{Key: "log_dir", Kind: Dir,
		Help: "folder that gets a copy of every record",
		set:  func(c *Config, v value) { c.LogDir = v.text }},
	{Key: "keep_days", Kind: Int, Default: "180", Min: 1, Max: 3650,
		Help: "days that archived sessions are kept",
		set:  func(c *Config, v value) { c.KeepDays = int(v.num) }},
	{Key: "plan_follow", Kind: Bool, Default: "true",
		Help: "show the judge the last three later prompts beside the first one",
		set:  func(c *Config, v value) { c.PlanFollow = v.on() }},
	{Key: "ask_limit", Kind: Int, Default: "50", Max: 10000,
		Help: "asks a session that judges and triggers may cause; on_no_answer decides beyond it",
		set:  func(c *Config, v value) { c.AskLimit = int(v.num) }},
	{Key: "ask_without_prompt", Kind: Enum, Default: "approve", Choices: []string{"no_answer", "approve"}, Project: Up,
		Help: "for agents that cannot ask: approve waits for stepgate approve, no_answer decides by on_no_answer",
		set:  func(c *Config, v value) { c.AskWithoutPrompt = v.text }},
	{Key: "tau", Kind: Number, Default: "10", Max: 1000, Project: Down,
		Help: "a call whose violated policies weigh more than this together is denied: low 1, medium 3, high 7, critical 15",
		set:  func(c *Config, v value) { c.Tau = v.num }},
	{Key: "risk_budget", Kind: Int, Default: "0", Max: 1000, Project: Cap,
		Help: "asks a task, from one prompt to the next, may use up before the next one is denied; 0 is no budget",
		set:  func(c *Config, v value) { c.RiskBudget = int(v.num) }},
	{Key: "safety_weight", Kind: Number, Default: "0.7", Max: 1, Project: Up,
		Help: "moves deny_above and flag_above; 0.7 leaves them, more lowers them by half of what it is over",
		set:  func(c *Config, v value) { c.SafetyWeight = v.num }},
	{Key: "profile", Kind: Enum, Default: "none", Choices: []string{"none", "dev", "prod", "office", "finance", "medical"},
		Help: "a set of other defaults for tau, risk_budget and safety_weight",
		set:  func(c *Config, v value) { c.Profile = v.text }},
	{Key: "history_window", Kind: Int, Default: "8", Min: 5, Max: 8, Project: Up,
		Help: "earlier calls that the judge is shown",
		set:  func(c *Config, v value) { c.HistoryWindow = int(v.num) }},
	{Key: "shadow", Kind: File,
		Help: "settings file that is tried beside this one: what it would do is recorded and has no effect",
		set:  func(c *Config, v value) { c.Shadow = v.text }},
	{Key: "snapshot", Kind: Bool, Default: "true", Project: Down,
		Help: "in enforce, copy what a call would lose instead of asking, where a copy can give all of it back",
		set:  func(c *Config, v value) { c.Snapshot = v.on() }},
	{Key: "redact_entropy", Kind: Bool, Default: "false", Project: Up,
		Help: "also mask text that only looks random",
		set:  func(c *Config, v value) { c.RedactEntropy = v.on() }},
	{Key: "redact_plan", Kind: Bool, Default: "true", Project: Up,
		Help: "mask secrets in prompts as in calls",
		set:  func(c *Config, v value) { c.RedactPlan = v.on() }},
	{Key: "redact_keys", Kind: Names, Project: Add,
		Help: "more names whose values are masked, such as vendor_pin; the last words of a longer name count",
		set:  func(c *Config, v value) { c.Redact.Keys = v.list }},
	{Key: "redact_prefixes", Kind: Heads, Project: Add,
		Help: "more texts that secrets begin with, such as acme_live_",
		set:  func(c *Config, v value) { c.Redact.Prefixes = v.list }},
	{Key: "redact_allow", Kind: Sums,
		Help: "texts that are never masked, each by its SHA-256 (printf %s TEXT | sha256sum)",
		set:  func(c *Config, v value) { c.Redact.Allow = v.list }},
	{Key: "enforce_tools", Kind: Tools, Project: More,
		Help: "enforce for these tools alone, audit for the others; empty enforces for all",
		set:  func(c *Config, v value) { c.EnforceTools = v.list }},
	{Key: "enforce_share", Kind: Number, Default: "1", Max: 1, Project: Up,
		Help: "share of sessions that enforce, the rest is audited",
		set:  func(c *Config, v value) { c.EnforceShare = v.num }},
	{Key: "triggers", Kind: Enum, Default: "balanced", Choices: []string{"off", "aggressive", "balanced", "conservative"}, Project: Up,
		Help: "how soon a session that goes in circles, fails or stalls is spoken up about; conservative asks",
		set:  func(c *Config, v value) { c.Triggers.Preset = v.text }},
	{Key: "trigger_repeats", Kind: Int, Default: "0", Max: 1000,
		Help: "times one call may come to the same in a row; one more asks; 0 is the preset's",
		set:  func(c *Config, v value) { c.Triggers.Repeats = int(v.num) }},
	{Key: "trigger_error_rate", Kind: Number, Default: "0", Max: 1,
		Help: "share of the last ten results that may fail; 0 is the preset's",
		set:  func(c *Config, v value) { c.Triggers.ErrorRate = v.num }},
	{Key: "trigger_unverified", Kind: Int, Default: "0", Max: 1000,
		Help: "changes of files in a row without a test, a build or a linter; 0 is the preset's",
		set:  func(c *Config, v value) { c.Triggers.Unverified = int(v.num) }},
	{Key: "trigger_looks", Kind: Int, Default: "0", Max: 1000,
		Help: "calls in a row that only look; 0 is the preset's",
		set:  func(c *Config, v value) { c.Triggers.Looks = int(v.num) }},
	{Key: "trigger_stall_s", Kind: Int, Default: "0", Max: 86400,
		Help: "seconds of work in which nothing was verified; 0 is the preset's",
		set:  func(c *Config, v value) { c.Triggers.StallSeconds = int(v.num) }},
	{Key: "trigger_stall_turns", Kind: Int, Default: "0", Max: 1000,
		Help: "prompts in which nothing was verified; 0 is the preset's",
		set:  func(c *Config, v value) { c.Triggers.StallTurns = int(v.num) }},
	{Key: "token_budget", Kind: Int, Default: "0", Max: 100000000,
		Help: "tokens a session may hold, of which most being used is worth a word; 0 is the preset's",
		set:  func(c *Config, v value) { c.Triggers.TokenBudget = int(v.num) }},
	{Key: "done_checks", Kind: Lines,
		Help: "commands that prove the work; the gate never runs them, but where the agent does and they succeed nothing has stalled",
		set:  func(c *Config, v value) { c.Triggers.DoneChecks = v.list }},
	{Key: "allow_write", Kind: Dirs, Project: Narrow,
		Help: "folders that may be written to; a write elsewhere is a finding; empty is no limit",
		set:  func(c *Config, v value) { c.AllowWrite = v.list }},
	{Key: "fail_closed", Kind: Bool, Default: "false", Project: Up,
		Help: "deny, and install so that the agent blocks too, when the gate itself breaks",
		set:  func(c *Config, v value) { c.FailClosed = v.on() }},
}

// profiles are other defaults; any setting that is given beats them.
var profiles = [...]struct{ profile, key, value string }{
	{"dev", "tau", "10"},
	{"prod", "tau", "7"},
	{"office", "safety_weight", "0.6"},
	{"office", "risk_budget", "3"},
	{"finance", "safety_weight", "0.8"},
	{"finance", "risk_budget", "1"},
	{"medical", "safety_weight", "0.8"},
	{"medical", "risk_budget", "1"},
}

// Settings is the table, in the order it is shown in.
func Settings() []Setting { return settings[:] }

// index of a setting by its key in a file, or -1.
func index(key string) int {
	for i := range settings {
		if settings[i].Key == key {
			return i
		}
	}
	return -1
}

// loose finds a setting under any spelling: deny_above, DENY-ABOVE, denyAbove, DENYABOVE.
func loose(name string) int {
	name = squash(name)
	for i := range settings {
		if squash(settings[i].Key) == name {
			return i
		}
	}
	return -1
}

func squash(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '_' || r == '-':
			return -1
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		}
		return r
	}, name)
}

// Env is the setting's environment variable.
func (s *Setting) Env() string { return envPrefix + strings.ToUpper(s.Key) }

// Option is the setting's name as a plugin option: camelCase.
func (s *Setting) Option() string {
	var b strings.Builder
	for i, w := range strings.Split(s.Key, "_") {
		if i > 0 {
			w = strings.ToUpper(w[:1]) + w[1:]
		}
		b.WriteString(w)
	}
	return b.String()
}

// Range says in words what a value may be.
func (s *Setting) Range() string {
	switch s.Kind {
	case Enum:
		return "one of " + strings.Join(s.Choices, ", ")
	case Number:
		return "a number from " + number(s.Min) + " to " + number(s.Max)
	case Int:
		return "a whole number from " + number(s.Min) + " to " + number(s.Max)
	case Bool:
		return "yes or no"
	case Tools:
		return "a list of tools such as Read, Glob, mcp__docs__*"
	case Word:
		return "one word"
	case URL:
		return "an http or https address without a user name"
	case Dir:
		return "an absolute folder"
	case File:
		return "the path of a file, from / or ~/"
	case Lines:
		return `a list of commands such as ["make test", "npm run e2e"]`
	case Names:
		return "a list of names of three letters or more, none that calls themselves use (command, path, content)"
	case Heads:
		return "a list of texts of four characters or more, without blanks"
	case Sums:
		return "a list of SHA-256 sums in hex"
	default:
		return "a list of folders"
	}
}

// String says in words what a project may do.
func (d Direction) String() string {
	switch d {
	case Up:
		return "may raise"
	case Down:
		return "may lower"
	case Fewer:
		return "may take out"
	case More, Add:
		return "may add"
	case Cap:
		return "may set a smaller one"
	case Narrow:
		return "may narrow, inside the project"
	default:
		return "no"
	}
}
