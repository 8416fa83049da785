package policy

// Quote makes a text from outside safe to show in a reason: one line, no control or direction characters, short.
func Quote(s string) string { return quote(s) }
