package config

import (
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/knadh/koanf/providers/env/v2"

	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/rulebook"
)

const envPrefix = "STEPGATE_"

// Names of the files.
const (
	UserFile    = "config.toml"
	ProjectFile = ".stepgate.toml"
	ManagedFile = "/etc/stepgate/config.toml"
)

// Sources is where settings are looked for. Empty fields are left out.
type Sources struct {
	// Getenv answers for the names of others: HOME, TYPESAFE_*. Give it ProjectEnv.Getenv where there is a project.
	Getenv func(string) string
	// Environ is the whole environment, as os.Environ gives it.
	Environ []string
	// ConfigHome is the folder of the user's config.toml; see Homes.
	ConfigHome string
	// Managed is the administrator's file, ManagedFile by default.
	Managed string
	// ProjectRoot is the folder of the project's .stepgate.toml.
	ProjectRoot string
	// ProjectEnv are the variables that the project's agent settings name.
	ProjectEnv ProjectEnv
	// Over is a settings file of the person's that beats the others, for trying it.
	Over string
	// PluginPrefix begins the environment variables of plugin options; CLAUDE_PLUGIN_OPTION_ by default.
	PluginPrefix string
}

// PluginPrefix is how Claude Code hands over the options of a plugin.
const PluginPrefix = "CLAUDE_PLUGIN_OPTION_"

// layer is one source's raw values, by key.
type layer struct {
	name   Layer
	where  string // a file's path; empty for the environment
	values map[string]any
}

// label names a value for a warning as its author wrote it.
func (l layer) label(s *Setting) string {
	switch {
	case l.where != "":
		return l.where + ": " + s.Key
	case l.name == Plugin:
		return "plugin option " + s.Option()
	default:
		return s.Env()
	}
}

type loader struct {
	Config
	at places
}

func (l *loader) warn(parts ...string) { l.Warnings = append(l.Warnings, strings.Join(parts, "")) }

// Load reads all sources and never fails: what cannot be used is warned about.
func Load(s Sources) Config {
	if s.Getenv == nil {
		s.Getenv = func(string) string { return "" }
	}
	if s.Managed == "" {
		s.Managed = ManagedFile
	}
	if s.PluginPrefix == "" {
		s.PluginPrefix = PluginPrefix
	}
	l := loader{at: places{home: s.Getenv("HOME"), root: s.ProjectRoot}}
	named := s.ProjectEnv
	if name := named.moved(s.Environ); name != "" {
		l.Unreadable = true
		l.warn(name, " is named by the project's agent settings, or may be, and is not followed; settings that stand where your own value points are not read")
	}
	managed := l.file(Managed, s.Managed)
	l.lock(managed)
	var user, project layer
	if s.ConfigHome != "" {
		l.policyFile(s.ConfigHome)
		user = l.file(User, filepath.Join(s.ConfigHome, UserFile))
	}
	if s.ProjectRoot != "" {
		project = l.file(Project, filepath.Join(s.ProjectRoot, ProjectFile))
	}
	options, theirOptions := l.environment(Plugin, s.PluginPrefix, s.Environ, named)
	environ, theirEnviron := l.environment(Environment, envPrefix, s.Environ, named)

	var over layer
	if s.Over != "" {
		over = l.file(Candidate, s.Over)
		if over.where == "" {
			l.warn(s.Over, " is not there, or is no settings file")
		}
	}

	l.settle([]layer{managed, user, options, environ, over}, []layer{project, theirOptions, theirEnviron})
	l.judge(s, named)
	if n := len(l.own); n > rulebook.MaxPolicies {
		l.warn(strconv.Itoa(n), " policies are set; the first ", strconv.Itoa(rulebook.MaxPolicies), " hold")
	}
	l.Book = rulebook.New(l.own...)
	l.Hash = l.hash()
	return l.Config
}

// settle decides every key: by the person's layers, lowest first, and then by what the project may tighten of that.
func (l *loader) settle(person, project []layer) {
	l.person(person)
	i := index("mode")
	l.base, l.baseFrom = policy.Mode(l.values[i].text), l.origins[i]
	l.repair()
	for _, p := range project {
		l.tighten(p)
	}
	l.repair()
	l.apply()
	l.pending()
	l.extremes()
}

// lock reads the managed file's list of keys that nothing else may set.
func (l *loader) lock(managed layer) {
	raw, ok := managed.values["locked"]
	if !ok {
		return
	}
	delete(managed.values, "locked")
	names, ok := entriesOf(raw, true)
	if !ok {
		// Better to lock too much than what the administrator did not mean to leave open.
		l.warn(managed.where, ": locked is not a list of settings; every setting is locked")
		names = []string{"all"}
	}
	for _, name := range names {
		switch i := loose(name); {
		case i >= 0:
			l.locked = append(l.locked, settings[i].Key)
		case strings.EqualFold(name, "all"):
			for i := range settings {
				l.locked = append(l.locked, settings[i].Key)
			}
		default:
			l.warn(managed.where, ": locked: there is no setting ", quote(name))
		}
	}
}

// environment gathers one prefix's variables: the person's own, and those that the project's agent settings name.
func (l *loader) environment(name Layer, prefix string, environ []string, named ProjectEnv) (own, projects layer) {
	own, projects = layer{name: name}, layer{name: name}
	read := func(theirs bool) map[string]any {
		// No error: the provider reports none from Read.
		m, _ := env.Provider("", env.Opt{Prefix: prefix, EnvironFunc: func() []string { return environ },
			TransformFunc: func(k, v string) (string, any) {
				i := loose(k[len(prefix):])
				if i < 0 || named.Has(k) != theirs {
					return "", nil
				}
				return settings[i].Key, v
			}}).Read()
		return m
	}
	own.values = read(false)
	if named.any() {
		projects.values = read(true)
	}
	return own, projects
}

// person settles every key by the layers that may set it freely. The last layer wins; a bad value leaves the one below.
func (l *loader) person(layers []layer) {
	l.values = make([]value, len(settings))
	l.origins = make([]Layer, len(settings))
	for i := range settings {
		s := &settings[i]
		l.values[i], _ = s.parse(s.Default, l.at)
		l.origins[i] = Default
		for _, from := range layers {
			l.take(i, from)
		}
	}
	l.profile(l.values[index("profile")].text)
}

// take lets one layer set one key.
func (l *loader) take(i int, from layer) {
	s := &settings[i]
	raw, ok := from.values[s.Key]
	if !ok || blank(raw) {
		return
	}
	v, ok := s.parse(raw, l.at)
	if !ok {
		l.warn(from.label(s), " = ", show(raw), " is not ", s.Range(), "; ", l.stands(i))
		return
	}
	if from.name != Managed && l.Locked(s.Key) {
		if v.text != l.values[i].text {
			l.warn(from.label(s), " is locked by the managed file; ", l.stands(i))
		}
		return
	}
	l.values[i], l.origins[i] = v, from.name
}

func (l *loader) stands(i int) string {
	text := l.values[i].text
	if text == "" {
		text = "nothing"
	}
	return text + " (" + string(l.origins[i]) + ") stands"
}

// profile gives other defaults to keys that nothing set.
func (l *loader) profile(name string) {
	for _, p := range profiles {
		if i := index(p.key); p.profile == name && l.origins[i] == Default {
			l.values[i], _ = settings[i].parse(p.value, l.at)
			l.origins[i] = Profile
		}
	}
}

// tighten lets a project set what makes the gate stricter and nothing else. What a person put into the environment or
// into a plugin option stands.
func (l *loader) tighten(from layer) {
	for i := range settings {
		s := &settings[i]
		raw, ok := from.values[s.Key]
		if !ok || blank(raw) {
			continue
		}
		label := from.label(s)
		if from.where == "" {
			label += " (named by the project's agent settings)"
		}
		v, ok := s.parse(raw, l.at)
		switch {
		case !ok:
			l.warn(label, " = ", show(raw), " is not ", s.Range(), "; ", l.stands(i))
		case s.Project == Never:
			l.warn(label, " is not a project's to set; ", l.stands(i))
		case l.Locked(s.Key):
			l.warn(label, " is locked by the managed file; ", l.stands(i))
		case l.origins[i] == Plugin || l.origins[i] == Environment:
		default:
			l.narrower(i, v, label)
		}
	}
}

func (l *loader) narrower(i int, v value, label string) {
	got, ok := settings[i].tighten(l.values[i], v, l.at)
	if got.text != l.values[i].text {
		l.values[i], l.origins[i] = got, Project
	}
	if !ok {
		l.warn(label, " would loosen the gate, which a project cannot; ", l.stands(i))
	}
}

// repair keeps a band in which calls are asked about: flag_above must lie below deny_above.
func (l *loader) repair() {
	d, f := index("deny_above"), index("flag_above")
	deny, flag := l.values[d].num, l.values[f].num
	if flag < deny || deny == 0 && flag == 0 {
		return
	}
	to := math.Max(0, math.Round((deny-0.1)*100)/100)
	l.warn("flag_above ", number(flag), " is not below deny_above ", number(deny), "; ", number(to), " is used")
	l.values[f] = value{text: number(to), num: to}
}

// pending says which settings were given that nothing reads yet, so that none seems to work that does not.
func (l *loader) pending() {
	for i := range settings {
		if settings[i].Pending && l.origins[i] != Default && l.origins[i] != Profile && (settings[i].Kind != Bool || l.values[i].on()) {
			l.warn(settings[i].Key, " is set and has no effect yet")
		}
	}
}

// extremes says what values at the end of their range come to.
func (l *loader) extremes() {
	if l.DenyAbove == 0 {
		l.warn("deny_above 0 blocks everything that is judged")
	} else if l.FlagAbove == 0 {
		l.warn("flag_above 0 asks about everything that is judged")
	}
	if l.DenyAbove == 1 {
		l.warn("deny_above 1 denies only what a judge is fully certain of, which is next to never")
	}
	if l.LowIntent == 4 {
		l.warn("low_intent_at_or_below 4 asks about everything that is judged")
	}
	if l.EnforceShare == 0 && l.Mode == policy.Enforce {
		l.warn("enforce_share 0 enforces in no session")
	}
}

// judge resolves auto and fills in what the environment says of TypeSafe.
func (l *loader) judge(s Sources, named ProjectEnv) {
	if l.Judge == "auto" {
		l.Judge = "local"
		// A key that merely stands in the environment sends nothing away.
		if KeyMarked(s.ConfigHome) || pluginKey(s, named) {
			l.Judge = "jev"
		}
	}
	if l.Judge != "jev" {
		return
	}
	if text := strings.TrimSpace(s.Getenv("TYPESAFE_BASE_URL")); l.BaseURL == "" && text != "" && !named.Has("TYPESAFE_BASE_URL") {
		if v, ok := (&Setting{Kind: URL}).parse(text, l.at); ok {
			l.BaseURL = v.text
		} else {
			l.warn("TYPESAFE_BASE_URL is not an http or https address without a user name; it is ignored")
		}
	}
	if text := strings.TrimSpace(s.Getenv("TYPESAFE_DEFAULT_MODEL")); l.Model == "" && text != "" && !named.Has("TYPESAFE_DEFAULT_MODEL") {
		if v, ok := (&Setting{Kind: Word}).parse(text, l.at); ok {
			l.Model = v.text
		} else {
			l.warn("TYPESAFE_DEFAULT_MODEL is not one word; it is ignored")
		}
	}
}

// pluginKey says that the person gave the plugin a key.
func pluginKey(s Sources, named ProjectEnv) bool {
	return slices.ContainsFunc(s.Environ, func(kv string) bool {
		name, v, _ := strings.Cut(kv, "=")
		option, ok := strings.CutPrefix(name, s.PluginPrefix)
		return ok && squash(option) == "apikey" && strings.TrimSpace(v) != "" && !named.Has(name)
	})
}

// show repeats a bad value where that helps; long text could be a key that went astray.
func show(raw any) string {
	text, ok := scalar(raw)
	switch {
	case !ok:
		return "a value of another type"
	case len(text) > 16:
		return "a value of " + strconv.Itoa(len(text)) + " bytes"
	}
	return strconv.Quote(text)
}

// quote makes a name from outside fit to be shown: short, and nothing in it acts on a terminal.
func quote(name string) string {
	if len(name) > 40 {
		name = strings.ToValidUTF8(name[:40], "") + "…"
	}
	return strconv.Quote(name)
}
