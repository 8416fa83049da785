package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stepgate/stepgate/internal/config"
)

type configCmd struct {
	Show configShowCmd `cmd:"" default:"withargs" help:"Show settings: what stands, who set it, what it does."`
	Get  configGetCmd  `cmd:"" help:"Print one setting's value."`
	Set  configSetCmd  `cmd:"" help:"Change one setting in the user's file; an empty value takes it out."`
	Path configPathCmd `cmd:"" help:"Print the path of the user's file."`
}

// Help is printed below the flags.
func (configCmd) Help() string {
	return `Examples:
  stepgate config show deny_above flag_above
  stepgate config set skip_tools Read,Glob`
}

type configShowCmd struct {
	Keys []string `arg:"" optional:"" name:"key" help:"Settings to show; all if none is given."`
	JSON bool     `name:"json" help:"Print them as JSON."`
}

type configGetCmd struct {
	Key string `arg:"" help:"The setting."`
}

type configSetCmd struct {
	Key   string `arg:"" help:"The setting."`
	Value string `arg:"" help:"Its new value; lists with commas."`
}

type configPathCmd struct{}

func (c configShowCmd) Run(a *app) error {
	g, err := a.gateHere("claude")
	if err != nil {
		return err
	}
	rows := g.Config.Rows()
	if len(c.Keys) > 0 {
		for _, key := range c.Keys {
			if err := knownSetting(g.Config, key); err != nil {
				return err
			}
		}
		rows = slices.DeleteFunc(rows, func(r config.Row) bool { return !slices.Contains(c.Keys, r.Key) })
	}
	if c.JSON {
		return json.NewEncoder(a.out).Encode(rows)
	}
	for _, r := range rows {
		showRow(a.out, r)
	}
	if len(c.Keys) == 0 {
		bullets(a.out, g.Config.Warnings)
	}
	return nil
}

func showRow(w io.Writer, r config.Row) {
	from := r.Origin
	if r.Locked {
		from += ", locked"
	}
	head := fmt.Sprintf("%s = %s   [%s]", r.Key, cmp.Or(r.Value, "(empty)"), from)
	if utf8.RuneCountInString(head) > columns {
		head = wrap(head, "  ")[2:]
	}
	fmt.Fprintln(w, head)
	text := strings.TrimSuffix(r.Help, ".") + ". Takes " + r.Range
	if r.Origin != config.Default && r.Default != "" {
		text += "; default " + r.Default
	}
	fmt.Fprintln(w, wrap(text+".", "    "))
}

// knownSetting says that there is such a setting, or names the one that may be meant.
func knownSetting(c config.Config, key string) error {
	if _, ok := c.Value(key); ok {
		return nil
	}
	_, err := config.Check(key, "")
	return &exitError{exitUsage, err}
}

func (c configGetCmd) Run(a *app) error {
	g, err := a.gateHere("claude")
	if err != nil {
		return err
	}
	if err := knownSetting(g.Config, c.Key); err != nil {
		return err
	}
	value, _ := g.Config.Value(c.Key) // it is known
	_, err = fmt.Fprintln(a.out, value)
	return err
}

func (c configSetCmd) Run(a *app) error {
	if err := a.needPerson("config set"); err != nil {
		return err
	}
	g, err := a.gateHere("claude")
	if err != nil {
		return err
	}
	if err := knownSetting(g.Config, c.Key); err != nil {
		return err
	}
	if g.ConfigHome == "" {
		return config.ErrNoHome
	}
	if c.Value != "" {
		if _, err := config.Check(c.Key, c.Value); err != nil {
			return &exitError{exitUsage, err}
		}
	}
	if g.Config.Locked(c.Key) {
		return fmt.Errorf("%s is locked by the administrator's file; nothing was changed", c.Key)
	}
	if err := config.SetUser(g.ConfigHome, c.Key, c.Value); err != nil {
		return err
	}
	after, err := a.gateHere("claude")
	if err != nil {
		return err
	}
	value, _ := after.Config.Value(c.Key) // it is known
	_, err = fmt.Fprintf(a.out, "%s = %s   [%s]\n", c.Key, value, after.Config.Origin(c.Key))
	if by := after.Config.Origin(c.Key); c.Value != "" && by != config.User {
		fmt.Fprintf(a.err, "stepgate: the user's file is changed, but the %s decides here\n", by)
	}
	return err
}

func (configPathCmd) Run(a *app) error {
	g, err := a.gateHere("claude")
	if err != nil {
		return err
	}
	if g.ConfigHome == "" {
		return config.ErrNoHome
	}
	_, err = fmt.Fprintln(a.out, filepath.Join(g.ConfigHome, config.UserFile))
	return err
}
