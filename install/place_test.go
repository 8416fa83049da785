package install

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// place is a home, a repository and an installed program of their own.
type place struct {
	t    *testing.T
	home string
	opt  Options
}

func newPlace(t *testing.T) *place {
	t.Helper()
	dir := t.TempDir()
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	p := &place{t: t, home: filepath.Join(dir, "home")}
	p.opt = Options{Root: filepath.Join(dir, "repo"), Program: filepath.Join(dir, "bin", program), State: filepath.Join(dir, "state"),
		Getenv: func(k string) string {
			switch k {
			case "HOME", "USERPROFILE":
				return p.home
			case "PATH":
				return filepath.Join(dir, "bin")
			}
			return ""
		},
		Sends: Sends{Judge: "local", Log: "/state/sessions"}}
	for _, d := range []string{p.home, p.opt.Root, filepath.Dir(p.opt.Program)} {
		p.must(os.MkdirAll(d, 0o700))
	}
	p.must(os.WriteFile(p.opt.Program, []byte("#!/bin/sh\n"), 0o755))
	return p
}

func (p *place) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) plan(agent string, scope Scope) Change {
	p.t.Helper()
	c, err := Plan(agent, scope, p.opt)
	p.must(err)
	return c
}

func (p *place) install(agent string, scope Scope) Change {
	p.t.Helper()
	c := p.plan(agent, scope)
	p.must(c.Apply())
	return c
}

func (p *place) remove(agent string, scope Scope) {
	p.t.Helper()
	c, err := Remove(agent, scope, p.opt)
	p.must(err)
	p.must(c.Apply())
}

func (p *place) write(path, text string) {
	p.t.Helper()
	p.must(os.MkdirAll(filepath.Dir(path), 0o700))
	p.must(os.WriteFile(path, []byte(text), 0o640))
}

func (p *place) want(path, text string) {
	p.t.Helper()
	b, err := os.ReadFile(path)
	if text == "" && errors.Is(err, os.ErrNotExist) {
		return
	}
	if err != nil || string(b) != text {
		p.t.Errorf("%s holds %q (%v), want %q", path, b, err, text)
	}
}
