package effect

import "github.com/stepgate/stepgate/internal/jsonw"

// ActsJSON writes acts as json.Marshal does; every call pays for it, so it is done without reflection.
func ActsJSON(acts []Act) string { return string(jsonw.List(nil, acts, appendAct)) }

// FirstActs writes the first of many acts, and how many there are more.
func FirstActs(acts []Act, most int) string { return string(jsonw.Some(nil, acts, most, appendAct)) }

func appendAct(b []byte, a *Act) []byte {
	o := jsonw.Begin(b)
	o.Str("kind", string(a.Kind))
	o.OptStr("target", a.Target)
	o.OptStr("place", string(a.Place))
	o.OptStr("program", a.Program)
	o.OptStr("how", a.How)
	o.OptStr("tag", string(a.Tag))
	o.OptTrue("recursive", a.Recursive)
	o.OptTrue("force", a.Force)
	o.OptTrue("prod", a.Prod)
	o.OptTrue("no_loss", a.NoLoss)
	o.OptStr("unsure", a.Unsure)
	return o.End()
}

// EffectsJSON writes effects as json.Marshal does.
func EffectsJSON(effects []Effect) string { return string(jsonw.List(nil, effects, appendEffect)) }

// FirstEffects writes the first of many effects, and how many there are more.
func FirstEffects(effects []Effect, most int) string {
	return string(jsonw.Some(nil, effects, most, appendEffect))
}

func appendEffect(b []byte, e *Effect) []byte {
	o := jsonw.Begin(b)
	o.Str("kind", e.Kind)
	o.Str("target", e.Target)
	o.Int("files", int64(e.Files))
	o.Int("bytes", e.Bytes)
	o.Int("lost", int64(e.Lost))
	if len(e.Names) > 0 {
		o.Append("names", func(b []byte) []byte {
			return jsonw.List(b, e.Names, func(b []byte, s *string) []byte { return jsonw.String(b, *s) })
		})
	}
	o.OptTrue("at_least", e.AtLeast)
	o.OptStr("unknown", e.Unknown)
	o.OptStr("stale", e.Stale)
	return o.End()
}
