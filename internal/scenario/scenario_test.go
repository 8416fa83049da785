package scenario

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/internal/setup"
)

func surroundings(t *testing.T) (dir string, e setup.Env) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir, setup.Env{Program: "/opt/stepgate/stepgate", Complain: func(err error) { t.Error(err) }, Now: time.Now}
}

func TestAll(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	harmful := 0
	for _, s := range all {
		if names[s.Name] {
			t.Errorf("two stories are called %q", s.Name)
		}
		names[s.Name] = true
		if s.Harmful() {
			harmful++
		}
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			dir, e := surroundings(t)
			r := s.Run(context.Background(), dir, e)
			if r.Skipped != "" {
				t.Skip(r.Skipped)
			}
			for i, told := range r.Steps {
				if !told.Pass {
					t.Errorf("call %d: %s: got %s, want %+v\nreply: %s\nrules: %s", i+1, told.Command, told.Got, told.want, told.Reply, told.Rules)
				}
			}
			if !r.Pass || r.Problem != "" {
				t.Errorf("pass %t, problem %q", r.Pass, r.Problem)
			}
			// a start, a prompt, and for each call a line
			if least := 2 + s.Calls(); r.Lines < least {
				t.Errorf("the record has %d lines, want %d or more", r.Lines, least)
			}
		})
	}
	if demo, err := Demo(); err != nil || len(demo) != 8 {
		t.Errorf("the demo has %d stories, want 8 (%v)", len(demo), err)
	}
	t.Logf("%d stories, %d of them harmful", len(all), harmful)
}

// A story must be able to fail, or its PASS says nothing.
func TestRunFails(t *testing.T) {
	const head = "story x\nshows x\nplan p\n"
	tests := []struct {
		name, story string
		want        string // in the problem; empty for a wrong answer
	}{
		{"silence where a deny is due", head + "$ ls\n\tdenied", ""},
		{"a deny where silence is due", head + "$ rm -rf ~", ""},
		{"a copy of nothing", head + "$ ls\n\tcopied", ""},
		{"another rule", head + "$ rm -rf ~\n\tdenied session.repeat", ""},
		{"no end of the run", head + "$ rm -rf ~\n\thalted", ""},
		{"nothing told", head + "$ ls\n\ttold", ""},
		{"secret in the record", head + "hides plain\n$ echo plain", "secret stands in the record"},
		{"stage", head + "on mars\n$ ls", `no stage "mars"`},
		{"file outside", head + "file ../x\n$ ls", "outside the story's folders"},
		{"git", head + "git frobnicate\n$ ls", "frobnicate"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all, err := parse(tt.story)
			if err != nil {
				t.Fatal(err)
			}
			dir, e := surroundings(t)
			r := all[0].Run(context.Background(), dir, e)
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
	dir, e := surroundings(t)
	s := Scenario{Name: "x", Plan: "p", on: "repository"}
	r := s.Run(context.Background(), dir, e)
	if r.Skipped == "" || !r.Pass || r.Problem != "" {
		t.Errorf("got %+v, want it skipped", r)
	}
}

func TestParse(t *testing.T) {
	const head = "story x\nshows x\nplan p\n"
	all, err := parse(head + `with tau=7
times 2
> Edit {"n":{n}}
	prints {n}
end
waits 1m
$ ls
	asked some.rule
	allowed
`)
	if err != nil {
		t.Fatal(err)
	}
	s := all[0]
	if s.Calls() != 3 || s.steps[1].call.input != `{"n":2}` || s.steps[1].call.prints[0] != "2" || s.with["tau"] != "7" || s.steps[2].wait != time.Minute {
		t.Errorf("got %+v", s)
	}
	if got, want := s.steps[3].call.Want, (Want{Action: agent.Ask, Rule: "some.rule"}); got != want || !s.steps[3].call.allowed {
		t.Errorf("got %+v, want %+v", got, want)
	}

	wrong := []struct{ name, text, want string }{
		{"no story", "plan p", "1: no story"},
		{"no call", head, "no call"},
		{"no plan", "story x\nshows x\n$ ls", "no plan"},
		{"unknown word", head + "does x", `4: "does"`},
		{"twice", head + "plan q", "4: plan stands twice"},
		{"below nothing", "story x\n\tprints", "2: there is nothing before"},
		{"below a prompt", head + "says x\n\tprints y", `5: nothing comes of "says"`},
		{"two answers", head + "$ ls\n\tasked\n\tdenied", "6: the gate says one thing"},
		{"allowed unasked", head + "$ ls\n\tallowed", "5: \"allowed\" cannot stand"},
		{"input", head + "> Edit {", "input of Edit is not JSON"},
		{"duration", head + "waits long", "invalid duration"},
		{"setting", head + "with tau", "KEY=VALUE"},
		{"times without end", head + "times 2\n$ ls", "times without end"},
		{"times within times", head + "times 2\ntimes 2\nend", "not inside another"},
		{"too many times", head + "times 1001\n$ ls\nend", "number up to 1000"},
	}
	for _, tt := range wrong {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := parse(tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q in it", err, tt.want)
			}
		})
	}
}
