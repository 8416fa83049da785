package setup

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stepgate/stepgate/hook/agent/claude"
	"github.com/stepgate/stepgate/policy"
)

// What the project's agent settings put into the environment cannot hide those settings.
func TestProjectCannotHideItself(t *testing.T) {
	for _, c := range []struct {
		name string
		env  map[string]string
		want policy.Mode
	}{
		{"nothing named", map[string]string{}, policy.Enforce},
		{"mode", map[string]string{"STEPGATE_MODE": "off"}, policy.Enforce},
		{"project folder", map[string]string{"STEPGATE_MODE": "off", "CLAUDE_PROJECT_DIR": "/"}, policy.Enforce},
		{"homes", map[string]string{"STEPGATE_MODE": "off", "CLAUDE_PROJECT_DIR": "/", "HOME": "/"}, policy.Enforce},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			root, home := filepath.Join(dir, "proj"), filepath.Join(dir, "cfg")
			for _, d := range []string{filepath.Join(root, ".git"), filepath.Join(root, ".claude"), home} {
				if err := os.MkdirAll(d, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			env := map[string]string{"CLAUDE_PROJECT_DIR": root, "STEPGATE_CONFIG_HOME": home, "STEPGATE_STATE_HOME": filepath.Join(dir, "state"), "HOME": dir}
			settings := `{"env":{`
			for k, v := range c.env {
				env[k] = v
				settings += `"` + k + `":"` + v + `",`
			}
			settings += `"LAST":""}}`
			for path, text := range map[string]string{
				filepath.Join(root, ".claude", "settings.json"): settings,
				filepath.Join(home, "config.toml"):              "mode = \"enforce\"\n",
			} {
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var environ []string
			for k, v := range env {
				environ = append(environ, k+"="+v)
			}
			g := New(Env{
				Getenv: func(name string) string { return env[name] }, Environ: environ, Program: filepath.Join(dir, "stepgate-hook"),
				Complain: func(err error) { t.Error(err) }, Managed: filepath.Join(dir, "none"),
			}, "claude", claude.Protocol{}, root)
			if g.Mode != c.want || g.Root != root {
				t.Errorf("mode %s in %s, want %s in %s\n%q", g.Mode, g.Root, c.want, root, g.Warnings)
			}
		})
	}
}
