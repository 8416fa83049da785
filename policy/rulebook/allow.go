package rulebook

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/internal/safefile"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/effect"
)

// AllowFile holds, in the config folder, what a person allowed for good.
const AllowFile = "allowed.json"

// Bounds of the file.
const (
	maxAllowed     = 500
	maxAllowedFile = 256 << 10
)

// Allowed is one rule that a person silenced: for all a call does below Path, or, without it, in the project at Root.
type Allowed struct {
	Rule string    `json:"rule"`
	Root string    `json:"root,omitempty"`
	Path string    `json:"path,omitempty"`
	Time time.Time `json:"time"`
}

// ReadAllowed reads what was allowed; a missing file is an empty list.
func ReadAllowed(home string) ([]Allowed, error) {
	if home == "" {
		return nil, nil
	}
	path := filepath.Join(home, AllowFile)
	b, err := safefile.Read(path, maxAllowedFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !gjson.ValidBytes(b) {
		return nil, errors.New("file " + path + " is not JSON; nothing is allowed by it")
	}
	var out []Allowed
	gjson.GetBytes(b, "allowed").ForEach(func(_, v gjson.Result) bool {
		t, _ := time.Parse(time.RFC3339, v.Get("time").Str) // shown to a person, no more
		a := Allowed{Rule: v.Get("rule").Str, Root: v.Get("root").Str, Path: v.Get("path").Str, Time: t}
		if a.Rule != "" && (filepath.IsAbs(a.Path) || a.Path == "" && filepath.IsAbs(a.Root)) {
			out = append(out, a)
		}
		return len(out) < maxAllowed
	})
	return out, nil
}

// WriteAllowed puts a list in place of the file.
func WriteAllowed(home string, list []Allowed) error {
	if len(list) > maxAllowed {
		return errors.New("more than " + itoa(maxAllowed) + " rules are allowed already; remove some first")
	}
	if _, err := safefile.Dir(home); err != nil {
		return err
	}
	b, err := json.MarshalIndent(map[string][]Allowed{"allowed": list}, "", "  ")
	if err != nil {
		return err
	}
	return safefile.Write(filepath.Join(home, AllowFile), append(b, '\n'))
}

// Liftable says that a finding is one a person may silence: a rule's about losses and the session, or a policy's.
func Liftable(f policy.Finding) bool { return f.Class == policy.State || f.Class == policy.Policy }

// Lift takes the force from findings that a person allowed here. Where a place was named, everything that the finding is
// about must lie in it, also once links are followed. read is asked only where there is something to lift.
func Lift(findings []policy.Finding, read func() []Allowed, p effect.Prediction, w *effect.World) {
	var list []Allowed
	asked := false
	for i := range findings {
		f := &findings[i]
		if f.Lifted != "" || !Liftable(*f) || f.Class == policy.State && f.Action == agent.Allow {
			continue
		}
		if !asked {
			list, asked = read(), true
		}
		for _, a := range list {
			if a.Rule == f.Rule && a.covers(f, p, w) {
				f.Action, f.Lifted = agent.Allow, "a person allowed it (stepgate policy allow --list)"
				break
			}
		}
	}
}

func (a Allowed) covers(f *policy.Finding, p effect.Prediction, w *effect.World) bool {
	if a.Path == "" {
		return w.Root != "" && follow(filepath.Clean(a.Root)) == follow(filepath.Clean(w.Root))
	}
	if len(f.Acts) == 0 {
		return false
	}
	place := follow(filepath.Clean(a.Path))
	for _, i := range f.Acts {
		if i >= len(p.Acts) || !filepath.IsAbs(p.Acts[i].Target) || p.Acts[i].Place == effect.Remote {
			return false
		}
		target := follow(p.Acts[i].Target)
		if w.FoldCase {
			target, place = strings.ToLower(target), strings.ToLower(place)
		}
		if !within(place, target) {
			return false
		}
	}
	return true
}
