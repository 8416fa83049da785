package main

// Exit codes of stepgate.
const (
	exitOK     = 0
	exitFailed = 1 // it could not be done, or what was looked at is not in order
	exitUsage  = 2 // the command line is wrong
)

// exitError ends a subcommand with a code of its own; a nil err has been said already.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return "exit"
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }
