package scenario

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/stepgate/stepgate/hook"
	"github.com/stepgate/stepgate/internal/setup"
)

// patience stands for all limits of time: nobody waits for these calls, and on a busy machine they come to the same.
const patience = time.Minute

// Gate is one in enforce with the built-in judge, for a home folder of its own. It sees nothing of this machine's settings:
// of the surroundings it takes the clock, the program and who is complained to. set are the settings that differ from the
// defaults.
func Gate(e setup.Env, project, home string, set map[string]string) *hook.Gate {
	vars := map[string]string{
		"HOME": home, "STEPGATE_MODE": "enforce", "STEPGATE_JUDGE": "local",
		"STEPGATE_CONFIG_HOME": filepath.Join(home, ".config", "stepgate"),
		"STEPGATE_STATE_HOME":  filepath.Join(home, ".local", "state", "stepgate"),
	}
	for key, value := range set {
		vars["STEPGATE_"+strings.ToUpper(key)] = value
	}
	env := setup.Env{
		Getenv: func(name string) string { return vars[name] }, Program: e.Program, Complain: e.Complain, Now: e.Now,
		Managed: filepath.Join(home, "none.toml"), Patience: patience,
	}
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		env.Environ = append(env.Environ, name+"="+vars[name])
	}
	protocol, _ := setup.Protocol("claude") // it is one of setup.Agents
	g := setup.New(env, "claude", protocol, project).Gate
	if g.Timeout = patience; g.Snapshots != nil {
		g.Snapshots.Limits.Time = patience
	}
	return g
}
