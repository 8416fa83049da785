package redact

// Verbatim passes text on unmasked. It is for the one text a person may choose to show whole: the prompts, with
// redact_plan = false.
func Verbatim(s string) Text { return Text{s} }
