package keystore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zalando/go-keyring"
)

const (
	key   = "ts-live-0123456789abcdef"
	other = "ts-test-fedcba9876543210"
)

// ring is a keyring for tests: it fails with err, and answers only after hang.
type ring struct {
	mu   sync.Mutex
	key  string
	err  error
	hang time.Duration
}

func (r *ring) do(what func() error) error {
	time.Sleep(r.hang) // inside synctest: no real time passes
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return r.err
	}
	return what()
}

func (r *ring) Get() (key string, err error) {
	err = r.do(func() error {
		if key = r.key; key == "" {
			return ErrNotFound
		}
		return nil
	})
	return key, err
}

func (r *ring) Set(k string) error { return r.do(func() error { r.key = k; return nil }) }

func (r *ring) Delete() error {
	return r.do(func() error {
		if r.key == "" {
			return ErrNotFound
		}
		r.key = ""
		return nil
	})
}

func env(kv ...string) func(string) string {
	return func(name string) string {
		for _, e := range kv {
			if k, v, _ := strings.Cut(e, "="); k == name {
				return v
			}
		}
		return ""
	}
}

func TestKey(t *testing.T) {
	broken := errors.New("keyring: on fire")
	tests := []struct {
		name string
		ring *ring
		env  []string
		key  string
		from Source
		err  error
	}{
		{name: "nothing", ring: &ring{}, err: ErrNone},
		{name: "keyring", ring: &ring{key: key}, key: key, from: FromKeyring},
		{name: "keyring beats the rest", ring: &ring{key: key}, env: []string{"TYPESAFE_API_KEY=" + other, "CLAUDE_PLUGIN_OPTION_APIKEY=" + other}, key: key, from: FromKeyring},
		{name: "plugin beats the environment", ring: &ring{}, env: []string{"TYPESAFE_API_KEY=" + other, "CLAUDE_PLUGIN_OPTION_APIKEY=" + key}, key: key, from: FromPlugin},
		{name: "plugin, other spelling", ring: &ring{}, env: []string{"CLAUDE_PLUGIN_OPTION_API_KEY=" + key}, key: key, from: FromPlugin},
		{name: "environment", ring: &ring{}, env: []string{"TYPESAFE_API_KEY= " + key + "\n"}, key: key, from: FromEnvironment},
		{name: "blank keyring", ring: &ring{key: " "}, env: []string{"TYPESAFE_API_KEY=" + key}, key: key, from: FromEnvironment},
		{name: "blank all over", ring: &ring{key: " "}, env: []string{"TYPESAFE_API_KEY= ", "CLAUDE_PLUGIN_OPTION_APIKEY=\t"}, err: ErrNone},
		{name: "no keyring", ring: &ring{err: ErrNoKeyring}, env: []string{"TYPESAFE_API_KEY=" + key}, key: key, from: FromEnvironment},
		{name: "no keyring and nothing else", ring: &ring{err: ErrNoKeyring}, err: ErrNone},
		{name: "broken keyring", ring: &ring{err: broken}, env: []string{"TYPESAFE_API_KEY=" + key}, key: key, from: FromEnvironment},
		{name: "broken keyring and nothing else", ring: &ring{err: broken}, err: broken},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, from, err := Store{Keyring: tt.ring, Getenv: env(tt.env...)}.Key(context.Background())
			if got != tt.key || from != tt.from || !errors.Is(err, tt.err) {
				t.Errorf("key %s from %q, %v; want %s from %q, %v", Mask(got), from, err, Mask(tt.key), tt.from, tt.err)
			}
		})
	}
}

func TestHangingKeyring(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &ring{key: key, hang: time.Hour}
		s := Store{Keyring: r, Getenv: env()}
		for name, do := range map[string]func() error{
			"get":    func() error { _, _, err := s.Key(t.Context()); return err },
			"set":    func() error { return s.Set(t.Context(), key) },
			"delete": func() error { return s.Delete(t.Context()) },
		} {
			start := time.Now()
			if err := do(); !errors.Is(err, ErrTimeout) {
				t.Errorf("%s: %v", name, err)
			}
			if took := time.Since(start); took != Timeout {
				t.Errorf("%s: took %v", name, took)
			}
		}
		s.Getenv = env("TYPESAFE_API_KEY=" + other)
		if got, from, err := s.Key(t.Context()); got != other || from != FromEnvironment || err != nil {
			t.Errorf("environment beside a hanging keyring: from %q, %v", from, err)
		}
		if st := s.Status(t.Context()); st.Keyring != "no answer" || st.Source != FromEnvironment {
			t.Errorf("status %+v", st)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.Delete(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
		time.Sleep(2 * r.hang) // what was left behind ends inside the bubble
	})
}

func TestSetAndDelete(t *testing.T) {
	r := &ring{}
	s := Store{Keyring: r, Getenv: env()}
	for _, bad := range []string{"", " \n", "two words", "ключ", "a\x00b", strings.Repeat("k", 2049)} {
		if err := s.Set(t.Context(), bad); err == nil || r.key != "" {
			t.Errorf("a key of %d bytes is taken", len(bad))
		} else if len(bad) > 2 && strings.Contains(err.Error(), bad) {
			t.Error("the error repeats the key")
		}
	}
	if err := s.Set(t.Context(), key+"\n"); err != nil || r.key != key {
		t.Errorf("set: %v", err)
	}
	if err := s.Delete(t.Context()); err != nil || r.key != "" {
		t.Errorf("delete: %v", err)
	}
	if err := s.Delete(t.Context()); !errors.Is(err, ErrNotFound) {
		t.Errorf("second delete: %v", err)
	}
}

func TestStatus(t *testing.T) {
	tests := []struct {
		name string
		ring *ring
		env  []string
		want Status
	}{
		{"nothing", &ring{}, nil, Status{Keyring: "empty"}},
		{"keyring", &ring{key: key}, []string{"TYPESAFE_API_KEY=" + key}, Status{Masked: "ts-live…cdef", Source: FromKeyring, Keyring: "ok"}},
		{"another in the environment", &ring{key: key}, []string{"TYPESAFE_API_KEY=" + other}, Status{Masked: "ts-live…cdef", Source: FromKeyring, Keyring: "ok", Shadowed: FromEnvironment}},
		{"environment", &ring{err: ErrNoKeyring}, []string{"TYPESAFE_API_KEY=" + other}, Status{Masked: "ts-test…3210", Source: FromEnvironment, Keyring: "none"}},
		{"short", &ring{key: "abcdefghijkl"}, nil, Status{Masked: "…", Source: FromKeyring, Keyring: "ok"}},
		{"blank", &ring{key: " "}, nil, Status{Keyring: "empty"}},
		{"broken", &ring{err: errors.New("on fire")}, nil, Status{Keyring: "error"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Store{Keyring: tt.ring, Getenv: env(tt.env...)}.Status(t.Context())
			if got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
			b, err := json.Marshal(got)
			if out := string(b) + fmt.Sprintf("%+v", got); err != nil || strings.Contains(out, key) || strings.Contains(out, other) {
				t.Errorf("status gives a key away, or %v", err)
			}
		})
	}
}

func TestSystem(t *testing.T) {
	keyring.MockInit()
	s := System{Getenv: env("DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere")}
	if _, err := s.Get(); !errors.Is(err, ErrNotFound) {
		t.Errorf("empty: %v", err)
	}
	if err := s.Set(key); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Get(); got != key || err != nil {
		t.Errorf("get: %v", err)
	}
	if err := s.Delete(); err != nil {
		t.Errorf("delete: %v", err)
	}
	keyring.MockInitWithError(keyring.ErrUnsupportedPlatform)
	if _, err := s.Get(); !errors.Is(err, ErrNoKeyring) || !strings.Contains(err.Error(), "TYPESAFE_API_KEY") {
		t.Errorf("unsupported: %v", err)
	}
	keyring.MockInitWithError(errors.New("on fire"))
	if err := s.Set(key); err == nil || errors.Is(err, ErrNoKeyring) || strings.Contains(err.Error(), key) {
		t.Errorf("broken: %v", err)
	}
}

// Without a bus the library is not asked at all.
func TestNoBus(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the keyring is part of the system here")
	}
	keyring.MockInitWithError(errors.New("the library was asked"))
	for _, addr := range []string{"autolaunch:", "unixexec:path=/bin/sh", "unix:path=/x;unixexec:path=/bin/sh", "disabled:"} {
		if _, err := (System{Getenv: env("DBUS_SESSION_BUS_ADDRESS=" + addr)}).Get(); !errors.Is(err, ErrNoKeyring) {
			t.Errorf("%q: %v", addr, err)
		}
	}
}
