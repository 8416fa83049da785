// Package scorer will ask a server with the /v1/score interface of small local models. It is not built yet and says so.
package scorer

import "github.com/stepgate/stepgate/verifier"

// New fails: this judge is not built yet.
func New() (verifier.Verifier, error) {
	return nil, verifier.Errorf(verifier.Config, "judge scorer is not built yet; use jev or local")
}
