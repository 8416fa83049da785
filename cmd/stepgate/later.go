package main

import "fmt"

// laterCmd holds the place of a command that is not built yet, so that it is an answer and not a typo.
type laterCmd struct {
	Args []string `arg:"" optional:"" passthrough:"" hidden:""`
}

func (laterCmd) Run(a *app) error {
	return fmt.Errorf("this command is not built yet\nhint: stepgate --help lists those that are")
}
