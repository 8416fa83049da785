package trigger

import "time"

// Options are the thresholds of the triggers. The zero value has none that can be reached; take one from Preset.
type Options struct {
	// Voice says what a trigger does when it speaks.
	Voice Voice
	// StallAfter and StallTurns: work has gone on for longer, over more prompts, and nothing was verified.
	StallAfter time.Duration
	StallTurns int
	// ErrorRate of the newest results, of which there must be ErrorCalls in all.
	ErrorRate  float64
	ErrorCalls int
	// Unverified changes of files in a row.
	Unverified int
	// Looks in a row that only read.
	Looks int
	// Repeats of one call that come to nothing; the next one after that is put before a person.
	Repeats int
	// TokenBudget is what the session may hold, TokenShare the part of it that is worth a word.
	TokenBudget int
	TokenShare  float64
	// Cooldown is the least time between two words to the person.
	Cooldown time.Duration
	// DoneChecks are command lines that prove the work when they succeed.
	DoneChecks []string
	// AllowWrite are the folders that may be written to; empty is no limit.
	AllowWrite []string
}

// Voice is how far a trigger goes.
type Voice uint8

const (
	// Silent triggers find nothing at all.
	Silent Voice = iota
	// Record notes a finding and tells the judge.
	Record
	// Tell tells the person too where the trigger is worth it, and asks about a call that repeats without end.
	Tell
	// Asks puts every trigger that speaks before the person.
	Asks
)

// Presets, from the quietest to the strictest. The numbers are Edward's; what they do when they are reached is ours.
const (
	Off          = "off"
	Aggressive   = "aggressive"
	Balanced     = "balanced"
	Conservative = "conservative"
)

// Preset gives the thresholds of a preset; an unknown name is Balanced.
func Preset(name string) Options {
	o := Options{
		Voice: Tell, StallAfter: 600 * time.Second, StallTurns: 5, ErrorRate: .40, ErrorCalls: 8, Unverified: 10, Looks: 12, Repeats: 3,
		TokenBudget: 200_000, TokenShare: .80, Cooldown: 10 * time.Second,
	}
	switch name {
	case Off:
		return Options{}
	case Conservative:
		o.Voice, o.StallAfter, o.StallTurns = Asks, 420*time.Second, 4
		o.ErrorRate, o.Unverified, o.Looks, o.Repeats, o.TokenShare = .35, 8, 10, 2, .70
	case Aggressive:
		o.Voice, o.StallAfter, o.StallTurns = Record, 900*time.Second, 8
		o.ErrorRate, o.ErrorCalls, o.Unverified, o.Looks, o.Repeats, o.TokenShare = .45, 10, 14, 16, 4, .90
	}
	return o
}
