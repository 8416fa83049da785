// Package openai will ask any server with the chat completions interface. It is not built yet and says so.
package openai

import "github.com/stepgate/stepgate/verifier"

// New fails: this judge is not built yet.
func New() (verifier.Verifier, error) {
	return nil, verifier.Errorf(verifier.Config, "judge openai is not built yet; use jev or local")
}
