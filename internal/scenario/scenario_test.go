package scenario

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stepgate/stepgate/hook"
	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/agent/claude"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/effect"
	"github.com/stepgate/stepgate/policy/snapshot"
	"github.com/stepgate/stepgate/verifier/local"
)

// open makes gates as the demo does, of the packages below the configuration.
func open(t *testing.T, home string, o policy.Options) Open {
	env := func(name string) string {
		if name == "HOME" {
			return home
		}
		return ""
	}
	return func(project string) *hook.Gate {
		return &hook.Gate{
			Options: hook.Options{Policy: o, Mode: policy.Enforce, EnforceShare: 1, Timeout: 5 * time.Second, PlanFollow: true, MaskPlan: true},
			Agent:   "claude", Protocol: claude.Protocol{},
			Store: &session.Store{Dir: filepath.Join(home, "state"), Now: time.Now}, Env: env, Root: project,
			World: func(root, cwd string) *effect.World {
				return &effect.World{
					Root: root, CWD: cwd, Home: home, Now: time.Now,
					Guard: effect.GuardPaths{Homes: []string{filepath.Join(home, ".config", "stepgate")}},
				}
			},
			Snapshots: &snapshot.Store{Dir: filepath.Join(home, "state"), Home: home, Limits: snapshot.DefaultLimits, Now: time.Now},
			Local:     local.Judge{}, Now: time.Now, Complain: func(err error) { t.Error(err) },
		}
	}
}

var defaults = policy.Options{DenyAbove: .9, FlagAbove: .6, LowIntent: 1, AskLimit: 50, Tau: 10}

func folders(t *testing.T) (dir, home string) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home = filepath.Join(dir, "home")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir, home
}

func TestAll(t *testing.T) {
	if len(All) != 8 {
		t.Errorf("%d stories, want 8", len(All))
	}
	for _, s := range All {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			dir, home := folders(t)
			r := s.Run(context.Background(), dir, home, open(t, home, defaults))
			if r.Skipped != "" {
				t.Skip(r.Skipped)
			}
			for _, told := range r.Steps {
				if told.Got != told.Want {
					t.Errorf("%s: got %s, want %s\nreply: %s", told.Command, told.Got, told.Want, told.Reply)
				}
				if silent := told.Reply == "" || told.Notice != "" && told.Reason == ""; silent != (told.Want == agent.Allow) {
					t.Errorf("%s: wants %s, and the agent reads %q", told.Command, told.Want, told.Reply)
				}
			}
			if !r.Pass || r.Problem != "" {
				t.Errorf("pass %t, problem %q", r.Pass, r.Problem)
			}
			// a start, a prompt, and for each step a call and for each that ran a result
			if least := 2 + len(s.Steps); r.Lines < least {
				t.Errorf("the record has %d lines, want %d or more", r.Lines, least)
			}
		})
	}
}

// A story must be able to fail, or its PASS says nothing.
func TestRunFails(t *testing.T) {
	tests := []struct {
		name  string
		story Scenario
		want  string // in the problem; empty for a wrong answer
	}{
		{"wrong answer", Scenario{Name: "x", Plan: "p", Steps: []Step{{Command: "ls", Want: agent.Deny}}}, ""},
		{"secret in the record", Scenario{Name: "x", Plan: "p", Steps: []Step{{Command: "echo plain"}}, secret: "plain"}, "secret stands in the record"},
		{"disk", Scenario{Name: "x", Plan: "p", prepare: func(s *stage) error { return s.write("a/../../../\x00", "") }}, "invalid argument"},
		{"disk between steps", Scenario{Name: "x", Plan: "p", Steps: []Step{{Command: "ls", before: func(s *stage) error { return os.Mkdir(s.home, 0o700) }}}}, "exists"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir, home := folders(t)
			r := tt.story.Run(context.Background(), dir, home, open(t, home, defaults))
			if r.Pass {
				t.Error("the story passed")
			}
			if !strings.Contains(r.Problem, tt.want) || tt.want == "" && r.Problem != "" {
				t.Errorf("problem %q, want %q", r.Problem, tt.want)
			}
		})
	}
}

func TestNoGit(t *testing.T) {
	t.Setenv("PATH", "")
	dir, home := folders(t)
	s := Scenario{Name: "x", Plan: "p", prepare: repository}
	r := s.Run(context.Background(), dir, home, open(t, home, defaults))
	if r.Skipped == "" || !r.Pass || r.Problem != "" {
		t.Errorf("got %+v, want it skipped", r)
	}
}
