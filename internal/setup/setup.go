// Package setup makes a gate out of the configuration and the environment, the same way for the hook, for the commands
// that try it and for doctor.
package setup

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/stepgate/stepgate/hook"
	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/agent/claude"
	"github.com/stepgate/stepgate/hook/agent/codex"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/internal/config"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/effect"
	"github.com/stepgate/stepgate/policy/rulebook"
	"github.com/stepgate/stepgate/policy/snapshot"
	"github.com/stepgate/stepgate/policy/trigger"
	"github.com/stepgate/stepgate/verifier"
	"github.com/stepgate/stepgate/verifier/child"
	"github.com/stepgate/stepgate/verifier/local"
)

// Agents are the names a hook can be started with.
var Agents = [...]string{"claude", "codex"}

// Protocol gives the agent of a name; false for a name that is not one of Agents.
func Protocol(name string) (agent.Protocol, bool) {
	switch name {
	case "claude":
		return claude.Protocol{}, true
	case "codex":
		return codex.Protocol{}, true
	}
	return nil, false
}

// Env is what a process knows of its surroundings.
type Env struct {
	Getenv  func(string) string
	Environ []string
	// Program is this process's own program, absolute; stepgate is looked for beside it and nowhere else.
	Program string
	// Complain is told what goes wrong with the gate's own files.
	Complain func(error)
	Now      func() time.Time
	// Managed is the administrator's file; empty for its usual place.
	Managed string
	// Patience is how long the look-ups of a call may take; 0 is what an agent's call has.
	Patience time.Duration
}

// OS is this process's environment.
func OS(complain func(error)) Env {
	exe, err := os.Executable()
	if err != nil {
		complain(err)
	}
	if runtime.GOOS != "linux" { // which gives the file itself, whatever links led to it
		if real, err := filepath.EvalSymlinks(exe); err == nil {
			exe = real
		}
	}
	return Env{Getenv: os.Getenv, Environ: os.Environ(), Program: exe, Complain: complain, Now: time.Now}
}

// Gate is a gate with the configuration it was made from.
type Gate struct {
	*hook.Gate
	Config                config.Config
	ConfigHome, StateHome string
	// ProjectEnv are the variables that the project's agent settings name.
	ProjectEnv config.ProjectEnv

	sources config.Sources
}

// New makes the gate for an agent working in cwd. It never fails: what is missing is complained of, and the gate does
// without it.
func New(e Env, name string, p agent.Protocol, cwd string) *Gate {
	root, named := project(e, p, cwd)
	trusted := named.Getenv(e.Getenv)
	configHome, stateHome, err := config.Homes(trusted)
	if err != nil {
		e.Complain(err)
	}
	sources := config.Sources{
		Getenv: trusted, Environ: e.Environ, ConfigHome: configHome, Managed: e.Managed, ProjectRoot: root, ProjectEnv: named,
	}
	c := config.Load(sources)
	g := &Gate{Config: c, ConfigHome: configHome, StateHome: stateHome, ProjectEnv: named, sources: sources}
	g.Gate = &hook.Gate{
		Options: options(c, configHome), Agent: name, Protocol: p, Env: trusted, Root: root,
		Store: store(c, stateHome, e.Now),
		World: worlds(e, trusted, configHome, stateHome),
		Now:   e.Now, Complain: e.Complain,
	}
	g.Allowed = func() ([]rulebook.Allowed, error) { return rulebook.ReadAllowed(configHome) }
	if c.Shadow != "" {
		var warnings []string
		g.Shadow, warnings = g.Try(c.Shadow)
		for _, w := range warnings {
			g.Warnings = append(g.Warnings, "shadow: "+w)
		}
	}
	if c.Snapshot {
		g.Snapshots = &snapshot.Store{Dir: stateHome, Home: trusted("HOME"), Limits: snapshot.DefaultLimits, Now: e.Now}
	}
	if c.Judge != "off" {
		g.Local = local.Judge{}
	}
	if remote(c.Judge) {
		g.Breaker = verifier.Breaker{Path: filepath.Join(stateHome, "health.json"), Judge: c.Judge, BaseURL: c.BaseURL, Now: e.Now}
		g.Remote = func(context.Context) verifier.Verifier {
			return child.Start(child.Options{
				Path: Beside(e.Program), Judge: c.Judge, Model: c.Model, BaseURL: c.BaseURL,
				Deadline: g.Timeout, Environ: withoutProject(e.Environ, named),
			})
		}
	}
	return g
}

// SettingsFiles are the files that settings are read from, those that are there, the administrator's first.
func (g *Gate) SettingsFiles() []string {
	var there []string
	for _, path := range [...]string{
		cmp.Or(g.sources.Managed, config.ManagedFile), filepath.Join(g.ConfigHome, config.UserFile), filepath.Join(g.Root, config.ProjectFile),
	} {
		if _, err := os.Stat(path); err == nil {
			there = append(there, path)
		}
	}
	return there
}

// project finds the project's root and what its agent settings put into the environment. They may name the very
// variable that says where the project is, so those around the current folder are read too, and the root is then found
// without that variable.
func project(e Env, p agent.Protocol, cwd string) (root string, named config.ProjectEnv) {
	home := e.Getenv("HOME")
	root = Root(p.Root(e.Getenv), cwd, home)
	files := p.EnvFiles(root)
	if around := Root("", cwd, home); around != root {
		files = append(files, p.EnvFiles(around)...)
	}
	named = config.ReadProjectEnv(files)
	if said := p.Root(named.Getenv(e.Getenv)); said != p.Root(e.Getenv) {
		root = Root(said, cwd, home)
	}
	return root, named
}

func remote(judge string) bool { return judge == "jev" || judge == "openai" || judge == "scorer" }

// Beside is the stepgate program that belongs to a program of ours.
func Beside(program string) string {
	name := "stepgate"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(filepath.Dir(program), name)
}

func options(c config.Config, configHome string) hook.Options {
	o := hook.Options{
		Policy: decisions(c),
		Book:   c.Book, PolicyFault: c.PolicyFault, HistoryWindow: c.HistoryWindow, Confirm: c.Confirm == "asymmetric",
		Triggers: triggers(c),
		Mode:     c.Mode, ModeLocked: c.Locked("mode"), ModeUnknown: c.Unreadable,
		Skips: c.Skips, Enforces: c.Enforces, EnforceShare: c.EnforceShare,
		Timeout: time.Duration(c.TimeoutMS) * time.Millisecond, UnhealthyAfter: c.UnhealthyAfter,
		PlanFollow: c.PlanFollow, MaskPlan: c.RedactPlan, Entropy: c.RedactEntropy, Redact: c.Redact,
		FailClosed: c.FailClosed, KeepDays: c.KeepDays, ConfigHash: c.Hash, Warnings: c.Warnings, Judge: c.Judge,
	}
	if mode, ok := c.Remembered(configHome); ok && !o.ModeLocked {
		o.Mode, o.ModeUnknown = mode, false
	}
	return o
}

// triggers are the preset's thresholds, each unless it is set by itself.
func triggers(c config.Config) trigger.Options {
	t, o := c.Triggers, trigger.Preset(c.Triggers.Preset)
	o.AllowWrite, o.DoneChecks = c.AllowWrite, t.DoneChecks
	for _, n := range [...]struct {
		set int
		to  *int
	}{{t.Repeats, &o.Repeats}, {t.Unverified, &o.Unverified}, {t.Looks, &o.Looks}, {t.StallTurns, &o.StallTurns}, {t.TokenBudget, &o.TokenBudget}} {
		if n.set > 0 {
			*n.to = n.set
		}
	}
	if t.ErrorRate > 0 {
		o.ErrorRate = t.ErrorRate
	}
	if t.StallSeconds > 0 {
		o.StallAfter = time.Duration(t.StallSeconds) * time.Second
	}
	return o
}

// decisions are the settings that a decision depends on.
func decisions(c config.Config) policy.Options {
	return policy.Options{
		DenyAbove: c.DenyAbove, FlagAbove: c.FlagAbove, LowIntent: c.LowIntent,
		OnError: action(c.OnError), OnNoAnswer: action(c.OnNoAnswer),
		NoPromptDenies: c.AskWithoutPrompt == "approve", AskLimit: c.AskLimit, Tau: c.Tau, RiskBudget: c.RiskBudget,
	}.Weighted(c.SafetyWeight)
}

// Try reads the file of a configuration that is only tried, over the settings in force, with what is wrong in it.
func (g *Gate) Try(file string) (*hook.Shadow, []string) {
	over := g.sources
	over.Over = file
	c := config.Load(over)
	var warnings []string
	for _, w := range c.Warnings {
		if strings.Contains(w, file) {
			warnings = append(warnings, w)
		}
	}
	return &hook.Shadow{Policy: decisions(c), Book: c.Book, Config: c.Hash}, warnings
}

func action(s string) agent.Action {
	if s == "deny" {
		return agent.Deny
	}
	return agent.Allow
}

func store(c config.Config, stateHome string, now func() time.Time) *session.Store {
	return &session.Store{Dir: stateHome, Now: now, Light: !c.AuditLog, CopyTo: c.LogDir}
}

// worlds tells effect about this machine.
func worlds(e Env, env func(string) string, configHome, stateHome string) func(root, cwd string) *effect.World {
	home := env("HOME")
	if home == "" {
		home = config.AccountHome() // where a shell takes ~ from then
	}
	envHome := e.Getenv("HOME")
	if envHome == home {
		envHome = ""
	}
	return func(root, cwd string) *effect.World {
		return &effect.World{
			Root: root, CWD: cwd, Home: home, EnvHome: envHome, Temps: temps(env), Now: e.Now, Patience: e.Patience,
			FoldCase: runtime.GOOS == "darwin" || runtime.GOOS == "windows",
			Guard: effect.GuardPaths{
				Homes:    []string{configHome, stateHome},
				Programs: []string{e.Program, Beside(e.Program), filepath.Join(filepath.Dir(e.Program), "stepgate-otlp"+filepath.Ext(e.Program))},
			},
			Env: func(name string) (string, bool) {
				v := env(name)
				if name == "HOME" {
					v = e.Getenv(name) // a line means what its shell makes of it
				}
				return v, v != ""
			},
		}
	}
}

func temps(env func(string) string) []string {
	if runtime.GOOS == "windows" {
		return []string{os.TempDir()}
	}
	dirs := []string{"/tmp", "/var/tmp"}
	if t := env("TMPDIR"); filepath.IsAbs(t) {
		dirs = append(dirs, filepath.Clean(t))
	}
	return dirs
}

// withoutProject drops the variables that the project's agent settings name: a proxy or a certificate file from there
// would be handed the key.
func withoutProject(environ []string, named config.ProjectEnv) []string {
	var out []string
	for _, kv := range environ {
		for i := range kv {
			if kv[i] == '=' && i > 0 {
				if !named.Has(kv[:i]) {
					out = append(out, kv)
				}
				break
			}
		}
	}
	return out
}

// Root is the project's root: what the agent says, else the nearest folder above cwd that is a repository, else cwd. A
// home folder that is a repository of dotfiles is not a project of what lies below it.
func Root(said, cwd, home string) string {
	if filepath.IsAbs(said) {
		return filepath.Clean(said)
	}
	for dir := cwd; filepath.IsAbs(dir); dir = filepath.Dir(dir) {
		if dir == home && dir != cwd || dir == filepath.Dir(dir) {
			break
		}
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
	}
	return cwd
}
