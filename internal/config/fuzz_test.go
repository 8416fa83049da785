package config

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever the files and the environment say, what stands is valid, and the project made nothing looser.
func FuzzLoad(f *testing.F) {
	f.Add("deny_above = 0.5\nflag_above = 0.9\n", "mode = \"off\"\n", "0.3", `{"env":{"STEPGATE_TAU":"x"}}`)
	f.Add("skip_tools = [\"a*\"]\n", "skip_tools = \"a, b\"\nallow_write=['..','src']", "nan", `{"env":{}}`)
	f.Add("[x]\ny = {z = [1, 2, {}]}\n", "denyAbove = 1", "", ``)
	f.Fuzz(func(t *testing.T, user, project, tau, agent string) {
		w := newWorld(t)
		w.env = []string{"STEPGATE_TAU=" + tau}
		w.user(user)
		w.agent(agent)
		without := w.load()
		w.write(filepath.Join(w.root, ProjectFile), project)
		c := w.load()
		if why := looser(without, c); why != "" {
			t.Errorf("user %q, project %q: %s", user, project, why)
		}
		for i := range settings {
			s := &settings[i]
			v := c.values[i]
			bad := math.IsNaN(v.num)
			switch s.Kind {
			case Number, Int:
				bad = bad || v.num < s.Min || v.num > s.Max
			case Enum:
				bad = bad || s.Choices[int(v.num)] != v.text
			}
			if bad {
				t.Errorf("%s = %+v", s.Key, v)
			}
		}
		if c.FlagAbove >= c.DenyAbove && c.DenyAbove != 0 {
			t.Errorf("flag %v deny %v", c.FlagAbove, c.DenyAbove)
		}
		if len(c.Warnings) > 200 {
			t.Errorf("%d warnings", len(c.Warnings))
		}
		for _, warning := range c.Warnings {
			if len(warning) > 500 || strings.ContainsAny(warning, "\n\r\x1b") {
				t.Errorf("warning %q", warning)
			}
		}
	})
}
