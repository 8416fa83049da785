// Package doctor proves that the gate works: it looks at the settings, folders and programs, and runs the installed hook
// over a harmless and a dangerous call in a session of its own.
//
// It changes nothing of this user's: the canary has homes of its own. What a project's own settings name is looked at
// and not run.
package doctor
