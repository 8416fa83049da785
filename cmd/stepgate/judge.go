package main

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/stepgate/stepgate/internal/keystore"
	"github.com/stepgate/stepgate/internal/version"
	"github.com/stepgate/stepgate/verifier/judge"
)

type judgeCmd struct {
	Judge      string `help:"Which judge: jev, openai or scorer." default:"jev"`
	Model      string `help:"The judge's model; empty is its own default."`
	BaseURL    string `name:"base-url" help:"Address of the judge's server; empty is its own default."`
	DeadlineMS int    `name:"deadline-ms" help:"Milliseconds for everything." default:"5000"`
	Probe      bool   `help:"Only try the key against the server."`
	ListModels bool   `name:"list-models" help:"Only list the models the server offers."`
}

func (c judgeCmd) Run(a *app) error {
	o := judge.Options{
		Judge: c.Judge, Model: c.Model, BaseURL: c.BaseURL, Version: version.String(),
		Deadline: time.Duration(c.DeadlineMS) * time.Millisecond,
		Key: func() (string, error) {
			key, _, err := keystore.Store{Keyring: keystore.System{Getenv: a.env.Getenv}, Getenv: a.env.Getenv}.Key(a.ctx)
			return key, err
		},
	}
	if c.Probe || c.ListModels {
		return c.models(a, o)
	}
	if code := judge.Serve(a.ctx, a.stdin, a.out, o); code != judge.OK {
		return &exitError{code: code}
	}
	return nil
}

// models asks the server for its models, which also proves the key.
func (c judgeCmd) models(a *app, o judge.Options) error {
	client, err := judge.NewJev(o)
	if err != nil {
		return err
	}
	models, err := client.ListModels(a.ctx)
	if err != nil {
		return err
	}
	if c.Probe {
		_, err = fmt.Fprintln(a.out, "accepted")
		return err
	}
	enc := json.NewEncoder(a.out)
	for _, m := range models {
		if err := enc.Encode(m); err != nil {
			return err
		}
	}
	return nil
}
