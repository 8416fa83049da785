package rulebook

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/effect"
)

func TestAllowedFile(t *testing.T) {
	home := filepath.Join(t.TempDir(), "c")
	if list, err := ReadAllowed(home); err != nil || len(list) > 0 {
		t.Fatalf("no file: %v, %v", list, err)
	}
	want := []Allowed{
		{Rule: "fs.delete-only-copy", Path: "/p/out", Time: time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)},
		{Rule: "git.push-force", Root: "/p", Time: time.Date(2026, 9, 2, 12, 0, 0, 0, time.UTC)},
	}
	if err := WriteAllowed(home, want); err != nil {
		t.Fatal(err)
	}
	got, err := ReadAllowed(home)
	if err != nil || len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %v, %v", got, err)
	}
	for name, text := range map[string]string{
		"not JSON": "{", "another form": `[1]`, "no place": `{"allowed":[{"rule":"a"}]}`, "a relative place": `{"allowed":[{"rule":"a","path":"out"}]}`,
		"no rule": `{"allowed":[{"path":"/p"}]}`, "numbers": `{"allowed":[{"rule":1,"path":2}]}`,
	} {
		if err := os.WriteFile(filepath.Join(home, AllowFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, _ := ReadAllowed(home); len(got) > 0 {
			t.Errorf("%s allows %v", name, got)
		}
	}
	if err := os.WriteFile(filepath.Join(home, AllowFile), []byte(strings.Repeat(" ", maxAllowedFile+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadAllowed(home); err == nil {
		t.Error("a file past its limit is read")
	}
}

func TestLift(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"out/sub", "src"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(root, "src"), filepath.Join(root, "out", "link")); err != nil {
		t.Skip(err)
	}
	at := func(names ...string) []effect.Act {
		var acts []effect.Act
		for _, n := range names {
			acts = append(acts, effect.Act{Kind: effect.Delete, Target: filepath.Join(root, n)})
		}
		return acts
	}
	ask := policy.Finding{Rule: "r", Class: policy.State, Severity: policy.High, Action: agent.Ask, Acts: []int{0}}
	both := ask
	both.Acts = []int{0, 1}
	hard, judge, named, weighs := ask, ask, ask, ask
	hard.Class, judge.Class, weighs.Class, weighs.Action, named.Acts = policy.Hard, policy.Signal, policy.Policy, agent.Allow, nil
	below := Allowed{Rule: "r", Path: filepath.Join(root, "out")}
	here := Allowed{Rule: "r", Root: root}
	for _, c := range []struct {
		name string
		f    policy.Finding
		by   Allowed
		acts []effect.Act
		want bool
	}{
		{"in the place", ask, below, at("out/x"), true},
		{"the place itself", ask, below, at("out"), true},
		{"beside it", ask, below, at("out2/x"), false},
		{"above it", ask, below, at(""), false},
		{"one of two", both, below, at("out/x", "src/x"), false},
		{"two of two", both, below, at("out/x", "out/sub/y"), true},
		{"through a link", ask, below, at("out/link/x"), false},
		{"on another machine", ask, below, []effect.Act{{Target: filepath.Join(root, "out/x"), Place: effect.Remote}}, false},
		{"a name that is no path", ask, below, []effect.Act{{Target: "main"}}, false},
		{"no acts", named, below, nil, false},
		{"the project", named, here, nil, true},
		{"another project", named, Allowed{Rule: "r", Root: filepath.Dir(root)}, nil, false},
		{"another rule", named, Allowed{Rule: "q", Root: root}, nil, false},
		{"a policy", weighs, here, at("x"), true},
		{"a hard rule", hard, here, at("x"), false},
		{"the judge", judge, here, at("x"), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			fs := []policy.Finding{c.f}
			Lift(fs, func() []Allowed { return []Allowed{c.by} }, effect.Prediction{Acts: c.acts}, &effect.World{Root: root})
			if got := fs[0].Lifted != ""; got != c.want || got && fs[0].Action != agent.Allow || !got && fs[0].Action != c.f.Action {
				t.Errorf("lifted %v, want %v: %+v", got, c.want, fs[0])
			}
		})
	}
	Lift([]policy.Finding{hard, judge}, func() []Allowed { t.Error("the file was read for nothing"); return nil }, effect.Prediction{}, &effect.World{Root: root})
}
