package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"

	"github.com/stepgate/stepgate/internal/config"
	"github.com/stepgate/stepgate/internal/keystore"
	"github.com/stepgate/stepgate/internal/setup"
)

type keyCmd struct {
	Status keyStatusCmd `cmd:"" default:"withargs" help:"Say which key is used, where it comes from and whether it works."`
	Set    keySetCmd    `cmd:"" help:"Store the key in this user's keyring; from then on judge = auto means jev."`
	Delete keyDeleteCmd `cmd:"" help:"Take the key out of the keyring; judge = auto means local again."`
}

// Help is printed below the flags.
func (keyCmd) Help() string {
	return `Examples:
  stepgate key set
  stepgate key set < key.txt`
}

type keySetCmd struct{}

type keyDeleteCmd struct{}

type keyStatusCmd struct {
	JSON bool `name:"json" help:"Print it as JSON."`
}

func (a *app) keys(g *setup.Gate) keystore.Store {
	return keystore.Store{Keyring: keystore.System{Getenv: a.env.Getenv}, Getenv: g.Env}
}

func (keySetCmd) Run(a *app) error {
	if err := a.needPerson("key set"); err != nil {
		return err
	}
	g, err := a.gateHere("claude")
	if err != nil {
		return err
	}
	keys := a.keys(g)
	if keys.Status(a.ctx).Keyring == "none" { // told before anybody types a key
		return fmt.Errorf("%w\nand choose the judge that uses it: stepgate config set judge jev", keystore.ErrNoKeyring)
	}
	key, err := a.readKey()
	if err != nil {
		return fmt.Errorf("key set: %w", err)
	}
	if err := keys.Set(a.ctx, key); err != nil {
		return fmt.Errorf("key set: %w", err)
	}
	if err := config.MarkKey(g.ConfigHome, true); err != nil {
		return fmt.Errorf("key set: the key is in the keyring, but judge = auto will not see it: %w", err)
	}
	forgetHealth(g)
	fmt.Fprintln(a.out, "stored in the keyring:", keystore.Mask(strings.TrimSpace(key)))
	after, err := a.gateHere("claude")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.out, "judge: %s (judge = %s, %s)\n", after.Config.Judge, after.Config.JudgeSetting, after.Config.Origin("judge"))
	return err
}

func (keyDeleteCmd) Run(a *app) error {
	if err := a.needPerson("key delete"); err != nil {
		return err
	}
	g, err := a.gateHere("claude")
	if err != nil {
		return err
	}
	gone := a.keys(g).Delete(a.ctx)
	// The mark goes even when the keyring fails: without it nothing is sent.
	if err := config.MarkKey(g.ConfigHome, false); err != nil {
		return fmt.Errorf("key delete: %w", err)
	}
	switch {
	case gone == nil:
		_, err = fmt.Fprintln(a.out, "deleted")
	case errors.Is(gone, keystore.ErrNotFound), errors.Is(gone, keystore.ErrNoKeyring):
		_, err = fmt.Fprintln(a.out, "there was no key in a keyring")
	default:
		err = fmt.Errorf("key delete: %w", gone)
	}
	return err
}

// readKey takes the key from the terminal without showing it, or one line of standard input.
func (a *app) readKey() (string, error) {
	if f, ok := a.stdin.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprint(a.err, "API key (not shown): ")
		b, err := term.ReadPassword(int(f.Fd()))
		fmt.Fprintln(a.err)
		return string(b), err
	}
	line, err := bufio.NewReader(io.LimitReader(a.stdin, 4096)).ReadString('\n')
	if err == io.EOF {
		err = nil // a last line needs no end; a blank one is refused with the rest
	}
	return line, err
}

// forgetHealth gives a new key a new start: what the judge did with the old one says nothing.
func forgetHealth(g *setup.Gate) {
	if g.StateHome == "" {
		return
	}
	if err := os.Remove(filepath.Join(g.StateHome, "health.json")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		g.Complain(err)
	}
}

// keyStatus is what key status --json prints.
type keyStatus struct {
	keystore.Status
	Judge string `json:"judge"`
	Probe string `json:"probe"`
}

func (c keyStatusCmd) Run(a *app) error {
	g, err := a.gateHere("claude")
	if err != nil {
		return err
	}
	keys := a.keys(g)
	st := keyStatus{keys.Status(a.ctx), g.Config.Judge, ""}
	st.Probe, _ = a.tryKey(g, keys)
	if c.JSON {
		return json.NewEncoder(a.out).Encode(st)
	}
	if st.Masked == "" {
		fmt.Fprintln(a.out, "key      none")
	} else {
		fmt.Fprintf(a.out, "key      %s (%s)\n", st.Masked, st.Source)
	}
	if st.Shadowed != "" {
		fmt.Fprintf(a.out, "         another one stands in %s and is not used\n", st.Shadowed)
	}
	fmt.Fprintf(a.out, "keyring  %s\n", st.Keyring)
	fmt.Fprintf(a.out, "judge    %s\n", st.Judge)
	_, err = fmt.Fprintf(a.out, "probe    %s\n", st.Probe)
	return err
}
