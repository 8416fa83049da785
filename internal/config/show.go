package config

// Row is one setting with all that config show, status, help and the documentation say of it.
type Row struct {
	Key     string `json:"key"`
	Value   string `json:"value"`
	Origin  Layer  `json:"origin"`
	Default string `json:"default"`
	Range   string `json:"range"`
	Project string `json:"project"`
	Env     string `json:"env"`
	Option  string `json:"option"`
	Help    string `json:"help"`
	Locked  bool   `json:"locked,omitempty"`
}

// Rows is the whole table with what stands. The zero Config shows the defaults.
func (c Config) Rows() []Row {
	rows := make([]Row, len(settings))
	for i := range settings {
		s := &settings[i]
		rows[i] = Row{Key: s.Key, Value: s.Default, Origin: Default, Default: s.Default, Range: s.Range(),
			Project: s.Project.String(), Env: s.Env(), Option: s.Option(), Help: s.help()}
		if i < len(c.values) {
			rows[i].Value, rows[i].Origin, rows[i].Locked = c.values[i].text, c.origins[i], c.Locked(s.Key)
		}
	}
	return rows
}

// help is the help line, with what is left to say of a setting that nothing reads yet.
func (s *Setting) help() string {
	if s.Pending {
		return s.Help + " (no effect yet)"
	}
	return s.Help
}
