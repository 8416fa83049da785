package main

import (
	"fmt"

	"github.com/stepgate/stepgate/internal/version"
)

type versionCmd struct{}

func (versionCmd) Run(a *app) error {
	_, err := fmt.Fprintln(a.out, "stepgate", version.String())
	return err
}
