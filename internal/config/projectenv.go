package config

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// ProjectEnv knows the environment variables that a project's agent settings name. Their values reach a hook like any
// other, so what they say counts as the project's word.
type ProjectEnv struct {
	names []string
	// all is set when a settings file is there that cannot be read whole.
	all bool
}

const maxAgentSettings = 1 << 20

// ReadProjectEnv reads the names in the "env" objects of agent settings files; missing files name nothing.
func ReadProjectEnv(files []string) ProjectEnv {
	var p ProjectEnv
	for _, path := range files {
		p.read(path)
	}
	return p
}

func (p *ProjectEnv) read(path string) {
	f, err := openFile(path, true)
	if err != nil {
		// An agent that cannot open it either takes nothing from it.
		return
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return
	}
	b, err := io.ReadAll(io.LimitReader(f, maxAgentSettings+1))
	if err != nil || len(b) > maxAgentSettings {
		p.all = true
		return
	}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	if len(bytes.TrimSpace(b)) > 0 && !json.Valid(b) {
		p.all = true // an agent may be less strict, as with comments
	}
	// A name too many only makes the gate stricter. Every env object counts, whichever of several the agent takes.
	gjson.ParseBytes(b).ForEach(func(k, v gjson.Result) bool {
		if k.Str == "env" {
			v.ForEach(func(name, _ gjson.Result) bool {
				p.names = append(p.names, name.Str)
				return true
			})
		}
		return true
	})
}

func (p ProjectEnv) any() bool { return p.all || len(p.names) > 0 }

// Has says that a variable's value may be the project's.
func (p ProjectEnv) Has(name string) bool {
	return p.all && suspect(name) || slices.Contains(p.names, name)
}

// suspect are the variables that matter to the gate, for when the project's names are not known.
func suspect(name string) bool {
	for _, prefix := range [...]string{envPrefix, PluginPrefix, "TYPESAFE_", "XDG_", "CLAUDE_CODE_SESSION_", "SSL_CERT_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	switch name {
	case "PATH", "HOME", "TMPDIR", "CLAUDE_PROJECT_DIR", "DBUS_SESSION_BUS_ADDRESS":
		return true
	}
	return strings.HasSuffix(strings.ToUpper(name), "_PROXY")
}

// moved names the variable that decides where the person's settings are and whose value is or may be the project's, or
// none. What the person had in its place cannot be seen.
func (p ProjectEnv) moved(environ []string) string {
	for _, name := range [...]string{"STEPGATE_CONFIG_HOME", "XDG_CONFIG_HOME", "HOME"} {
		set := p.all && slices.ContainsFunc(environ, func(kv string) bool { return strings.HasPrefix(kv, name+"=") })
		if set || slices.Contains(p.names, name) {
			return name
		}
	}
	return ""
}

// Getenv is the part of the environment that is not the project's: homes, URLs, keys, PATH and the mark of an attended
// session are to be asked for here.
func (p ProjectEnv) Getenv(getenv func(string) string) func(string) string {
	if !p.any() {
		return getenv
	}
	return func(name string) string {
		switch {
		case !p.Has(name):
			return getenv(name)
		case name == "HOME":
			return AccountHome()
		}
		return ""
	}
}

// Names lists the settings of the gate that the project's agent settings name, for doctor.
func (p ProjectEnv) Names() []string { return slices.Clone(p.names) }
