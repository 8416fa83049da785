package config

// Triggers are the settings of what is judged over a session; a number that is 0 is the preset's.
type Triggers struct {
	Preset                                                            string
	Repeats, Unverified, Looks, StallSeconds, StallTurns, TokenBudget int
	DoneChecks                                                        []string
	ErrorRate                                                         float64
}
