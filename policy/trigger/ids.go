package trigger

// IDs are the rules of all findings over a session.
func IDs() []string {
	ids := []string{Repeat, Scope, PlanScope, Untested, "flow.secret-then-send", "flow.download-then-run", "flow.rejected-then-forced", "flow.destroys-then-apply", "flow.detour"}
	for _, t := range triggers {
		ids = append(ids, t.rule)
	}
	return ids
}
