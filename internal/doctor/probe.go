package doctor

import (
	"context"
	"time"

	"github.com/stepgate/stepgate/internal/config"
	"github.com/stepgate/stepgate/internal/keystore"
	"github.com/stepgate/stepgate/internal/version"
	"github.com/stepgate/stepgate/verifier"
	"github.com/stepgate/stepgate/verifier/judge"
)

// probeTime bounds a probe, so that status stays quick.
const probeTime = 3 * time.Second

// What a probe of the judge comes to.
const (
	Accepted = "accepted"
	Rejected = "rejected"
	NoAnswer = "no answer"
	NoKey    = "no key"
	// Skipped is for a judge on this machine: nothing is sent to find out about it.
	Skipped = "skipped"
)

// Probe tries the key against the judge's server in at most three seconds; err has more to say where it is not accepted.
func Probe(ctx context.Context, c config.Config, keys keystore.Store) (string, error) {
	if c.Judge == "local" || c.Judge == "off" {
		return Skipped, nil
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	o := judge.Options{
		Judge: c.Judge, Model: c.Model, BaseURL: c.BaseURL, Version: version.String(), Deadline: probeTime,
		Key: func() (string, error) {
			key, _, err := keys.Key(ctx)
			return key, err
		},
	}
	if c.Judge != "jev" {
		if _, err := judge.New(ctx, o); err != nil {
			return NoAnswer, err
		}
		return Skipped, nil // it has nothing that can be asked for free
	}
	client, err := judge.NewJev(o)
	if err == nil {
		_, err = client.ListModels(ctx)
	}
	switch {
	case err == nil:
		return Accepted, nil
	case verifier.KindOf(err) == verifier.Auth:
		return Rejected, err
	case verifier.KindOf(err) == verifier.NoKey:
		return NoKey, err
	}
	return NoAnswer, err
}
