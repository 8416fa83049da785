package policy

import "github.com/stepgate/stepgate/internal/jsonw"

// FindingsJSON writes findings as json.Marshal does; every call pays for it, so it is done without reflection.
func FindingsJSON(findings []Finding) string { return string(jsonw.List(nil, findings, appendFinding)) }

func appendFinding(b []byte, f *Finding) []byte {
	o := jsonw.Begin(b)
	o.Str("rule", f.Rule)
	o.Str("class", string(f.Class))
	o.Str("severity", string(f.Severity))
	o.Str("action", f.Action.String())
	o.Str("why", f.Why)
	o.OptStr("instead", f.Instead)
	o.OptStr("lifted", f.Lifted)
	return o.End()
}
