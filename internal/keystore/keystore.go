// Package keystore keeps the key of the remote judge in the system's keyring and finds it again.
//
// It promises that a keyring which hangs costs at most its deadline, that nothing is started to look for one, and that
// no error or status holds the key. The hook does not link it; only stepgate does.
package keystore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/zalando/go-keyring"
)

// Timeout is how long a keyring may take to answer. One that asks for a password on a screen nobody looks at never does.
const Timeout = 1500 * time.Millisecond

var (
	// ErrNone says that no key is set anywhere.
	ErrNone = errors.New("no key is set\nhint: run stepgate key set, or set TYPESAFE_API_KEY")
	// ErrNotFound says that the keyring works and holds no key.
	ErrNotFound = errors.New("the keyring holds no key")
	// ErrNoKeyring says that there is no keyring to ask, as on a machine without a desktop.
	ErrNoKeyring = errors.New("no keyring on this machine\nhint: set the key in the environment instead: TYPESAFE_API_KEY=…")
	// ErrTimeout says that the keyring did not answer.
	ErrTimeout = errors.New("the keyring does not answer\nhint: unlock it, or set the key in the environment instead: TYPESAFE_API_KEY=…")
)

// Source says where a key came from.
type Source string

const (
	FromKeyring     Source = "keyring"
	FromPlugin      Source = "plugin option"
	FromEnvironment Source = "TYPESAFE_API_KEY"
)

// Keyring is a store of secrets. Get and Delete give ErrNotFound for a key that is not there.
type Keyring interface {
	Get() (string, error)
	Set(key string) error
	Delete() error
}

// System is the keyring of this user's desktop: Keychain, Credential Manager or a Secret Service.
type System struct {
	// Getenv answers for the variables that tell whether a Secret Service can be there; os.Getenv by default.
	Getenv func(string) string
}

const (
	service = "stepgate"
	account = "typesafe"
)

func (s System) Get() (string, error) {
	if err := s.available(); err != nil {
		return "", err
	}
	key, err := keyring.Get(service, account)
	return key, known(err)
}

func (s System) Set(key string) error {
	if err := s.available(); err != nil {
		return err
	}
	return known(keyring.Set(service, account, key))
}

func (s System) Delete() error {
	if err := s.available(); err != nil {
		return err
	}
	return known(keyring.Delete(service, account))
}

func known(err error) error {
	switch {
	case errors.Is(err, keyring.ErrNotFound):
		return ErrNotFound
	case errors.Is(err, keyring.ErrUnsupportedPlatform), absent(err):
		return ErrNoKeyring
	case err != nil:
		return fmt.Errorf("keyring: %w", err)
	}
	return nil
}

func (s System) available() error {
	getenv := s.Getenv
	if getenv == nil {
		getenv = os.Getenv
	}
	if !reachable(getenv) {
		return ErrNoKeyring
	}
	return nil
}

// Store finds and changes the key.
type Store struct {
	Keyring Keyring
	Getenv  func(string) string
	// Timeout of each keyring operation; the constant by default.
	Timeout time.Duration
}

// Key gives the key and where it came from: the keyring, else the plugin's option, else the environment. A keyring that
// fails is passed over and told of only when nothing else has a key. Blank is no key.
func (s Store) Key(ctx context.Context) (key string, from Source, err error) {
	key, err = s.get(ctx)
	if key = strings.TrimSpace(key); err == nil && key != "" {
		return key, FromKeyring, nil
	}
	if key, from := s.elsewhere(); key != "" {
		return key, from, nil
	}
	if err == nil || errors.Is(err, ErrNotFound) || errors.Is(err, ErrNoKeyring) {
		return "", "", ErrNone
	}
	return "", "", err
}

// elsewhere looks in the environment alone. Claude Code upper-cases the name of a plugin's option; both spellings of
// apiKey are taken.
func (s Store) elsewhere() (string, Source) {
	for _, e := range [...]struct {
		name string
		from Source
	}{
		{"CLAUDE_PLUGIN_OPTION_APIKEY", FromPlugin},
		{"CLAUDE_PLUGIN_OPTION_API_KEY", FromPlugin},
		{"TYPESAFE_API_KEY", FromEnvironment},
	} {
		if key := strings.TrimSpace(s.Getenv(e.name)); key != "" {
			return key, e.from
		}
	}
	return "", ""
}

// Set puts a key into the keyring.
func (s Store) Set(ctx context.Context, key string) error {
	key = strings.TrimSpace(key)
	switch {
	case key == "":
		return errors.New("the key is blank")
	case len(key) > 2048 || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return errors.New("this is not a key: only up to 2048 printable characters without spaces can be one")
	}
	_, err := s.bounded(ctx, func() (string, error) { return "", s.Keyring.Set(key) })
	return err
}

// Delete takes the key out of the keyring; ErrNotFound when it was not there.
func (s Store) Delete(ctx context.Context) error {
	_, err := s.bounded(ctx, func() (string, error) { return "", s.Keyring.Delete() })
	return err
}

func (s Store) get(ctx context.Context) (string, error) { return s.bounded(ctx, s.Keyring.Get) }

// bounded waits no longer than the deadline. The library offers no way to stop it, so what hangs is left behind; the
// programs that use it are short.
func (s Store) bounded(ctx context.Context, do func() (string, error)) (string, error) {
	timeout := s.Timeout
	if timeout == 0 {
		timeout = Timeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	type result struct {
		key string
		err error
	}
	done := make(chan result, 1)
	go func() {
		key, err := do()
		done <- result{key, err}
	}()
	select {
	case r := <-done:
		return r.key, r.err
	case <-ctx.Done():
		if err := context.Cause(ctx); !errors.Is(err, context.DeadlineExceeded) {
			return "", err
		}
		return "", ErrTimeout
	}
}

// Status is what may be shown about the key.
type Status struct {
	// Masked is the key in a form fit to be shown; empty when there is none.
	Masked string `json:"key,omitempty"`
	Source Source `json:"source,omitempty"`
	// Keyring says how the keyring answered: ok, empty, none, no answer or error.
	Keyring string `json:"keyring"`
	// Shadowed names a second place that holds another key, which the first one beats.
	Shadowed Source `json:"shadowed,omitempty"`
}

// Status says where the key comes from without giving it away.
func (s Store) Status(ctx context.Context) Status {
	key, err := s.get(ctx)
	st := Status{Keyring: answer(err)}
	key = strings.TrimSpace(key)
	other, from := s.elsewhere()
	switch {
	case err == nil && key != "":
		st.Masked, st.Source = Mask(key), FromKeyring
		if other != "" && other != key {
			st.Shadowed = from
		}
	case other != "":
		st.Masked, st.Source = Mask(other), from
	}
	if err == nil && key == "" {
		st.Keyring = answer(ErrNotFound)
	}
	return st
}

func answer(err error) string {
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, ErrNotFound):
		return "empty"
	case errors.Is(err, ErrNoKeyring):
		return "none"
	case errors.Is(err, ErrTimeout):
		return "no answer"
	}
	return "error"
}

// Mask shows enough of a key to tell it from another: its first seven and last four characters. Of a short one nothing
// is shown, not even how short it is.
func Mask(key string) string {
	if len(key) <= 12 {
		return "…"
	}
	return key[:7] + "…" + key[len(key)-4:]
}
