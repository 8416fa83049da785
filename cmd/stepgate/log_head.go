package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/internal/config"
	"github.com/stepgate/stepgate/internal/safefile"
	"github.com/stepgate/stepgate/internal/setup"
)

type logHeadCmd struct {
	Session string `help:"Which session; this project's newest if not given." placeholder:"ID"`
}

// Help is printed below the flags.
func (logHeadCmd) Help() string {
	return `The head names the newest line of a record by its hash. Kept where whoever can write the record cannot
(another machine, a ticket, a commit), it proves later that nothing was changed or cut off.

Examples:
  stepgate log head > head.json
  stepgate log verify --head head.json`
}

type logKeygenCmd struct{}

// Help is printed below the flags.
func (logKeygenCmd) Help() string {
	return `With a key, stepgate log head signs what it prints (Ed25519). The private key stays in the configuration
folder with mode 0600; the public one is printed and belongs where you check.

Examples:
  stepgate log keygen
  stepgate log verify --head head.json --key PUBLIC`
}

// signedHead is what `log head` prints: a head and, with a key, who says so.
type signedHead struct {
	Session   string `json:"session"`
	Seq       int64  `json:"seq"`
	Hash      string `json:"hash"`
	Key       string `json:"key,omitempty"`
	Signature string `json:"signature,omitempty"`
}

// signed is the text that the signature is over.
func (h signedHead) signed() []byte {
	return fmt.Appendf(nil, "stepgate head 1\n%s\n%d\n%s\n", h.Session, h.Seq, h.Hash)
}

// logKey is the file of the private key: the 32 bytes of an Ed25519 seed in hex.
func logKey(g *setup.Gate) string { return filepath.Join(g.ConfigHome, "log.key") }

func (logKeygenCmd) Run(a *app) error {
	if err := a.needPerson("log keygen"); err != nil {
		return err
	}
	g, err := a.gateHere("claude")
	if err != nil {
		return err
	}
	if g.ConfigHome == "" {
		return config.ErrNoHome
	}
	path := logKey(g)
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is a key at %s already; heads that it signed could not be checked any more\nhint: move it away first", path)
	}
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return fmt.Errorf("make a key: %w", err)
	}
	if _, err := safefile.Dir(g.ConfigHome); err != nil {
		return err
	}
	if err := safefile.Write(path, []byte(hex.EncodeToString(private.Seed())+"\n")); err != nil {
		return err
	}
	fmt.Fprintf(a.err, "the private key is in %s; this is the public one:\n", path)
	_, err = fmt.Fprintln(a.out, hex.EncodeToString(public))
	return err
}

// signingKey reads the private key; nil when there is none.
func signingKey(g *setup.Gate) (ed25519.PrivateKey, error) {
	b, err := safefile.Read(logKey(g), 256)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	seed, err := hex.DecodeString(strings.TrimSpace(string(b)))
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, fmt.Errorf("%s holds no key\nhint: move it away and run stepgate log keygen", logKey(g))
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

func (c logHeadCmd) Run(a *app) error {
	r, err := a.recorded(c.Session)
	if err != nil {
		return err
	}
	h, err := r.file.Head()
	if err != nil {
		return fmt.Errorf("the session's head: %w", err)
	}
	out := signedHead{Session: r.id, Seq: h.Seq, Hash: h.Hash}
	key, err := signingKey(r.gate)
	if err != nil {
		return err
	}
	if key != nil {
		out.Key = hex.EncodeToString(key.Public().(ed25519.PublicKey))
		out.Signature = hex.EncodeToString(ed25519.Sign(key, out.signed()))
	}
	return json.NewEncoder(a.out).Encode(out)
}

// maxHead bounds a file that a head is read from.
const maxHead = 4 << 10

// readHead reads what `log head` printed, and checks its signature where a public key is given.
func readHead(path, public string) (signedHead, error) {
	var h signedHead
	b, err := readFile(path, maxHead)
	if err != nil {
		return h, err
	}
	if json.Unmarshal(b, &h) != nil || h.Seq < 1 || len(h.Hash) != 64 {
		return h, fmt.Errorf("%s is not what stepgate log head prints", path)
	}
	if public == "" {
		return h, nil
	}
	key, err := hex.DecodeString(strings.TrimSpace(public))
	if err != nil || len(key) != ed25519.PublicKeySize {
		return h, &exitError{exitUsage, errors.New("--key is not a public key of stepgate log keygen (64 hex digits)")}
	}
	signature, err := hex.DecodeString(h.Signature)
	if err != nil || !ed25519.Verify(key, h.signed(), signature) {
		return h, fmt.Errorf("%s is not signed by the key %.16s…", path, public)
	}
	return h, nil
}

// headOf is the head that a session must end in: the one in a file, or the one that is kept beside the record.
func (c logVerifyCmd) headOf(r record) (session.Head, error) {
	if c.Head == "" {
		return headBeside(r.file)
	}
	h, err := readHead(c.Head, c.Key)
	if err == nil && h.Session != r.id {
		err = fmt.Errorf("%s is the head of session %s, this is session %s\nhint: --session %s", c.Head, clip(h.Session, 40), clip(r.id, 40), clip(h.Session, 40))
	}
	return session.Head{Seq: h.Seq, Hash: h.Hash}, err
}

// headBeside is the head that is kept beside the record; zero where there is none.
func headBeside(f *session.File) (session.Head, error) {
	h, err := f.Head()
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return h, err
}
