package local

import "github.com/stepgate/stepgate/redact"

// Confined gives the only places that a person's prompts, oldest first, leave to be changed, as the person names them;
// none: anywhere. It reads them as the judge does: a later prompt that asks for work lifts what an earlier one confines.
func Confined(prompts []redact.Text) []string {
	s := scene{}
	for _, t := range prompts {
		s.wishes = append(s.wishes, readWish(t.String()))
	}
	var where []string
	for i, w := range s.wishes {
		if s.after(i, doing) {
			continue
		}
		for _, l := range w.limits {
			if l.kind&change != 0 {
				where = append(where, l.where...)
			}
		}
	}
	return where
}
