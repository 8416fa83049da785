package config

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/internal/safefile"
	"github.com/stepgate/stepgate/policy"
)

// ModeFile holds, in the config folder, the mode a person switched to.
const ModeFile = "mode.json"

type switched struct {
	Mode policy.Mode `json:"mode"`
	// BasedOn is the configured mode at that time, without what a project made of it: once the configuration says
	// something else, it is newer.
	BasedOn policy.Mode `json:"based_on"`
	Time    time.Time   `json:"time"`
}

// Remembered gives the mode a person switched to, while the configured mode is still the one it replaced; otherwise the
// switch is stale and deleted. What a project, or the environment of one command, says of the mode makes nothing stale:
// a repository that asks for enforce would else end the enforce of all others.
func (c Config) Remembered(home string) (policy.Mode, bool) {
	if home == "" {
		return "", false
	}
	path := filepath.Join(home, ModeFile)
	b, err := safefile.Read(path, 4<<10)
	if err != nil || !gjson.ValidBytes(b) {
		return "", false
	}
	mode, ok := ParseMode(gjson.GetBytes(b, "mode").Str)
	if ok && policy.Mode(gjson.GetBytes(b, "based_on").Str) == c.base {
		return mode, true
	}
	if !c.PassingMode() {
		// A switch that cannot be deleted is stale all the same.
		_ = os.Remove(path)
	}
	return "", false
}

// PassingMode says that the configured mode comes from the environment, so it may hold for this process alone.
func (c Config) PassingMode() bool { return c.baseFrom == Environment || c.baseFrom == Plugin }

// Remember keeps a switch for the sessions to come. Back to the configured mode means to forget it.
func (c Config) Remember(home string, mode policy.Mode, now time.Time) error {
	if home == "" {
		return ErrNoHome
	}
	if _, err := safefile.Dir(home); err != nil {
		return err
	}
	path := filepath.Join(home, ModeFile)
	if mode == c.base && mode == c.Mode { // in a project that tightens, the word must be kept to have an effect
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			return err
		}
		return nil
	}
	b, err := json.Marshal(switched{mode, c.base, now.UTC().Truncate(time.Second)})
	if err != nil {
		return err
	}
	return safefile.Write(path, append(b, '\n'))
}

// ParseMode reads a mode's word, in any case.
func ParseMode(word string) (policy.Mode, bool) {
	v, ok := settings[index("mode")].parse(word, places{})
	return policy.Mode(v.text), ok
}

// Now is the mode in force and who set it: a locked one, else this session's switch, else the remembered one, else the
// configured one. The session's mode is empty where it has none.
func (c Config) Now(home string, session policy.Mode) (mode policy.Mode, by string) {
	if c.Locked("mode") {
		return c.Mode, string(Managed) + " (locked)"
	}
	if mode, ok := ParseMode(string(session)); ok && session != "" {
		return mode, "this session"
	}
	if mode, ok := c.Remembered(home); ok {
		return mode, "remembered switch"
	}
	return c.Mode, string(c.Origin("mode"))
}
