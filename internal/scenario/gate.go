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

// began is the time at which every story begins.
var began = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

// gate is one in enforce with the built-in judge, for a home folder of its own. It sees nothing of this machine's settings:
// of the surroundings only the program and who is complained to are left.
func gate(e setup.Env, st *stage, set map[string]string, now func() time.Time) *hook.Gate {
	vars := map[string]string{
		"HOME": st.home(), "STEPGATE_MODE": "enforce", "STEPGATE_JUDGE": "local",
		"STEPGATE_CONFIG_HOME": filepath.Join(st.home(), ".config", "stepgate"),
		"STEPGATE_STATE_HOME":  filepath.Join(st.home(), ".local", "state", "stepgate"),
	}
	for key, value := range set {
		vars["STEPGATE_"+strings.ToUpper(key)] = value
	}
	env := setup.Env{
		Getenv: func(name string) string { return vars[name] }, Program: e.Program, Complain: e.Complain, Now: now,
		Managed: filepath.Join(st.home(), "none.toml"),
	}
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		env.Environ = append(env.Environ, name+"="+vars[name])
	}
	protocol, _ := setup.Protocol("claude") // it is one of setup.Agents
	return setup.New(env, "claude", protocol, st.project()).Gate
}
