// Package child asks a remote judge through a program that may open connections: `stepgate judge`, beside the hook.
//
// So the process that reads hostile input links no network code and never holds the key. The child gets a minimal
// environment, one request on its standard input, and no more time than the deadline; then it and everything it started
// are killed. What it says is checked like any other input.
package child

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/stepgate/stepgate/verifier"
)

// grace is what the child gets past its own deadline to say why it failed.
const grace = 50 * time.Millisecond

// Options say which program is started and what it is told.
type Options struct {
	// Path is the stepgate program, absolute: it is never looked for on PATH.
	Path string
	// Judge, Model and BaseURL are settings; empty ones are left to the program.
	Judge, Model, BaseURL string
	// Deadline is the total time from Start on.
	Deadline time.Duration
	// Environ is the environment to take what the judge needs from, with everything already dropped that the project
	// can set: a proxy or certificate file from there would be handed the key.
	Environ []string
}

// Child is one started judge: a verifier.Verifier for one request.
type Child struct {
	judge string
	end   time.Time
	cmd   *exec.Cmd
	stdin io.WriteCloser
	out   *capped
	done  chan error
	err   error // why it did not start
	once  sync.Once
}

// Start starts the judge, so that it can connect while the request is still being made. An error is kept for Verify.
// Each Child must come to Verify or Close.
func Start(o Options) *Child {
	c := &Child{judge: o.Judge, end: time.Now().Add(o.Deadline), out: &capped{limit: verifier.MaxAnswer}, done: make(chan error, 1)}
	if !filepath.IsAbs(o.Path) {
		c.err = verifier.Errorf(verifier.Config, "the stepgate program's path %q is not absolute", o.Path)
		return c
	}
	c.cmd = &exec.Cmd{Path: o.Path, Args: args(o), Env: environ(o.Environ), Dir: filepath.Dir(o.Path), Stdout: c.out, WaitDelay: grace}
	ownGroup(c.cmd)
	c.out.full = c.kill
	var err error
	if c.stdin, err = c.cmd.StdinPipe(); err == nil {
		err = c.cmd.Start()
	}
	if err != nil {
		c.err = verifier.Errorf(verifier.Config, "starting the judge: %v; reinstall stepgate beside stepgate-hook", err)
		return c
	}
	go func() { c.done <- c.cmd.Wait() }()
	return c
}

func args(o Options) []string {
	a := []string{o.Path, "judge", "--judge=" + o.Judge, "--deadline-ms=" + strconv.FormatInt(o.Deadline.Milliseconds(), 10)}
	if o.Model != "" {
		a = append(a, "--model="+o.Model)
	}
	if o.BaseURL != "" {
		a = append(a, "--base-url="+o.BaseURL)
	}
	return a
}

// Verify feeds the request and reads the answer. It is called once.
func (c *Child) Verify(ctx context.Context, r verifier.Request) (verifier.Verdict, error) {
	if c.err != nil {
		return verifier.Verdict{}, c.err
	}
	defer c.Close()
	ctx, cancel := context.WithDeadline(ctx, c.end.Add(grace))
	defer cancel()
	go c.feed(r)
	select {
	case <-ctx.Done():
		return verifier.Verdict{}, verifier.Errorf(verifier.Timeout, "judge %s gave no answer before the deadline (timeout_ms)", c.judge)
	case <-c.done:
		return c.answer(r)
	}
}

// feed writes the request. A child that does not read it has its own reasons, which it tells.
func (c *Child) feed(r verifier.Request) {
	if data, err := json.Marshal(r); err == nil {
		_, _ = c.stdin.Write(data) // a broken pipe: the child ended, and answer says why
	}
	_ = c.stdin.Close() // the same
}

// answer reads what the child wrote, whatever its exit code was: an error is told in words.
func (c *Child) answer(r verifier.Request) (verifier.Verdict, error) {
	if c.out.over {
		return verifier.Verdict{}, verifier.Errorf(verifier.BadAnswer, "judge %s wrote more than %d bytes", c.judge, verifier.MaxAnswer)
	}
	var reply struct {
		Verdict *verifier.Verdict `json:"verdict"`
		Error   *verifier.Error   `json:"error"`
	}
	if err := json.Unmarshal(c.out.buf.Bytes(), &reply); err != nil || (reply.Verdict == nil) == (reply.Error == nil) {
		return verifier.Verdict{}, verifier.Errorf(verifier.BadAnswer, "judge %s ended (%s) with %d bytes that are no answer", c.judge, c.cmd.ProcessState, c.out.buf.Len())
	}
	if reply.Error != nil {
		return verifier.Verdict{}, reply.Error
	}
	v := *reply.Verdict
	if err := v.Valid(r); err != nil {
		return verifier.Verdict{}, err
	}
	return v, nil
}

// Close ends the judge and all it started; it may be called at any time.
func (c *Child) Close() {
	if c.cmd == nil || c.err != nil {
		return
	}
	c.once.Do(func() {
		_ = c.stdin.Close() // closed already when the request was fed
		c.kill()
	})
}

func (c *Child) kill() { killGroup(c.cmd.Process) }

// capped keeps what is written up to a limit. Past it, full is called.
type capped struct {
	limit int
	full  func()
	buf   bytes.Buffer
	over  bool
}

func (w *capped) Write(p []byte) (int, error) {
	if w.buf.Len()+len(p) > w.limit {
		w.over = true
		w.full()
		return 0, io.ErrShortWrite
	}
	return w.buf.Write(p)
}
