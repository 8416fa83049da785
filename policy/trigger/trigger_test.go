package trigger

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/effect"
	"github.com/stepgate/stepgate/redact"
)

// past is a session in memory, with a clock that is moved by hand.
type past struct {
	t     testing.TB
	st    session.State
	o     Options
	world *effect.World
	now   time.Time
	agent string
	last  agent.Call
	acts  string

	confined []string
	tests    bool // the prompts want them first
}

func newPast(t testing.TB, preset string) *past {
	t.Helper()
	root := t.TempDir()
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	p := &past{t: t, o: Preset(preset), now: now}
	p.world = &effect.World{Root: root, CWD: root, Home: filepath.Join(root, "..", "home"), Now: func() time.Time { return p.now }}
	return p
}

func (p *past) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.world.Root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

var key = []byte("a key of thirty-two bytes, as it is")

// mask is what the line does with a target.
func mask(s string) redact.Text {
	return redact.New(redact.Options{}).String(s).Line().Cut(TargetLimits)
}

// try judges a call, and remembers it with the decision that its findings come to.
func (p *past) try(tool string, input map[string]any) *Seen {
	p.t.Helper()
	p.now = p.now.Add(time.Second)
	raw, err := json.Marshal(input)
	if err != nil {
		p.t.Fatal(err)
	}
	c := agent.NewCall("", tool, string(raw), p.world.Root)
	s := p.o.Judge(&Call{
		Call: c, Prediction: p.world.Predict(c), AgentID: p.agent, Root: p.world.Root, Keys: KeysOf(key, c), Now: p.now, State: p.st, Mask: mask,
		Confined: func() []string { return p.confined }, TestsFirst: func() bool { return p.tests },
	})
	p.last, p.acts = c, effect.ActsJSON(s.call.Acts)
	return &s
}

// bash makes a call that runs and has no result yet.
func (p *past) bash(command string) *Seen {
	p.t.Helper()
	s := p.try("Bash", map[string]any{"command": command})
	s.Remember(&p.st, &policy.Decision{})
	return s
}

func (p *past) edit(name string) *Seen {
	p.t.Helper()
	s := p.try("Edit", map[string]any{"file_path": filepath.Join(p.world.Root, name), "old_string": "a", "new_string": p.now.String()})
	s.Remember(&p.st, &policy.Decision{})
	return s
}

func (p *past) ended(failed bool, output string) {
	p.t.Helper()
	r := Result{AgentID: p.agent, Call: p.last, Keys: KeysOf(key, p.last), Now: p.now, Acts: p.acts, CWD: mask(p.world.Root),
		Hash: func(s string) string { return session.Fingerprint(key, "out", s) }}
	r.Known, r.Failed = true, failed
	if failed {
		r.Error = output
	} else {
		b, _ := json.Marshal(map[string]any{"stdout": output})
		r.Output = string(b)
	}
	r.Remember(&p.st)
}

// run makes a call that succeeds with an output that no other call has.
func (p *past) run(command string) *Seen {
	p.t.Helper()
	s := p.bash(command)
	p.ended(false, fmt.Sprintf("%s of %s, a text of its own", p.now, command))
	return s
}

func (p *past) fail(command string) *Seen {
	p.t.Helper()
	s := p.bash(command)
	p.ended(true, "Exit code 2\nno way at "+p.now.Format("15:04:05"))
	return s
}

// found gives the action of a rule's finding; false if there is none.
func found(s *Seen, rule string) (agent.Action, bool) {
	for _, f := range s.Findings {
		if f.Rule == rule {
			return f.Action, true
		}
	}
	return agent.Allow, false
}

func rules(s *Seen) string {
	var out []string
	for _, f := range s.Findings {
		out = append(out, f.Rule+" "+f.Action.String())
	}
	return strings.Join(out, ", ")
}

func (p *past) fires(s *Seen, rule string, want agent.Action) {
	p.t.Helper()
	if got, ok := found(s, rule); !ok || got != want {
		p.t.Errorf("%s: got %q, want %s", rule, rules(s), want)
	}
}

func (p *past) quiet(s *Seen, rule string) {
	p.t.Helper()
	if _, ok := found(s, rule); ok {
		p.t.Errorf("%s fires: %+v", rule, s.Findings)
	}
}

// TestPresets freezes the thresholds.
func TestPresets(t *testing.T) {
	for _, tt := range []struct {
		name string
		want Options
	}{
		{"conservative", Options{Asks, 420 * time.Second, 4, .35, 8, 8, 10, 2, 200_000, .70, 10 * time.Second, nil, nil}},
		{"balanced", Options{Tell, 600 * time.Second, 5, .40, 8, 10, 12, 3, 200_000, .80, 10 * time.Second, nil, nil}},
		{"aggressive", Options{Record, 900 * time.Second, 8, .45, 10, 14, 16, 4, 200_000, .90, 10 * time.Second, nil, nil}},
		{"off", Options{}},
		{"no such preset", Preset(Balanced)},
	} {
		if got := Preset(tt.name); fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestErrorRate(t *testing.T) {
	for _, tt := range []struct {
		name, results string // of calls that change something
		rule          string // "" for silence
	}{
		{"seven results say too little", "eeeeeee", ""},
		{"eight that all failed", "eeeeeeee", "session.errors"},
		{"four of ten", "ssssssesesese"[:10], ""},
		{"five of ten", "sssssesesesese", "session.errors"},
		{"three successes after four errors", "sseeeesss", ""},
		{"two successes after them", "seeeeeess", "session.errors"},
		{"more and more", "sssseseeeee", "session.diverging"},
		{"as bad as before", "eeeeeeeeee", "session.errors"},
		{"all good", "ssssssssssss", ""},
	} {
		p := newPast(t, Balanced)
		for i, r := range tt.results {
			if command := fmt.Sprintf("mkdir -p out/%c%d/x", 'a'+i, i); r == 'e' {
				p.fail(command)
			} else {
				p.run(command)
			}
		}
		p.now = p.now.Add(p.o.Cooldown)
		s := p.bash("mkdir other")
		if tt.rule == "" {
			p.quiet(s, "session.errors")
			p.quiet(s, "session.diverging")
		} else if _, ok := found(s, tt.rule); !ok && !slices.Contains(p.st.Thread("").On, tt.rule) {
			t.Errorf("%s: %s is silent: %+v", tt.name, tt.rule, p.st.Thread(""))
		}
	}
}

// A test that fails is an answer as long as it says something new, also where no edit stands between, as in a bisection.
func TestFailingTests(t *testing.T) {
	for _, tt := range []struct {
		name, output string // of the test, with its number in it where it has a place for one
		want         bool
	}{
		{"each says something else", "Exit code 1\n--- FAIL: TestTotal%d", false},
		{"all say the same", "Exit code 1\n--- FAIL: TestTotal", true},
	} {
		p := newPast(t, Aggressive)
		for i := range 12 {
			p.run("git bisect bad")
			p.bash("go test ./...")
			p.ended(true, strings.ReplaceAll(tt.output, "%d", fmt.Sprint(i)))
		}
		if got := strings.Contains(p.st.Thread("").Results, failed); got != tt.want {
			t.Errorf("%s: results %s, want a failure in them: %t", tt.name, p.st.Thread("").Results, tt.want)
		}
	}
}

func TestFailuresThatAreAnswers(t *testing.T) {
	p := newPast(t, Conservative)
	for i := range 12 {
		p.bash(fmt.Sprintf("grep -rn needle%d src", i))
		p.ended(true, "Exit code 1")
		p.edit("parser.go")
		p.ended(false, "ok")
		p.bash("go test ./...")
		p.ended(true, fmt.Sprintf("Exit code 1\nFAIL: %d failing tests", 20-i))
	}
	if got := p.st.Thread("").Results; strings.Contains(got, failed) {
		t.Errorf("results %q: an empty search and a test after an edit are no errors", got)
	}
}

func TestRepeat(t *testing.T) {
	const same = "npm error ETIMEDOUT while fetching the package"
	for _, tt := range []struct {
		preset string
		tells  int // the call that is told of first
		asks   int
	}{
		{Conservative, 2, 3}, {Balanced, 3, 4}, {Aggressive, 4, 5},
	} {
		p := newPast(t, tt.preset)
		for i := 1; i <= 8; i++ {
			s := p.bash("npm install -D left-pad")
			got, ok := found(s, Repeat)
			if ok != (i >= tt.tells) || (got == agent.Ask) != (i >= tt.asks) {
				t.Errorf("%s, call %d: %q", tt.preset, i, rules(s))
			}
			p.ended(true, same)
		}
	}
}

func TestOffIsSilent(t *testing.T) {
	p := newPast(t, Off)
	for range 20 {
		if s := p.fail("npm install left-pad"); len(s.Findings) > 0 {
			t.Fatalf("found %+v", s.Findings)
		}
	}
}

// TestProgress holds what looks like a loop and is none, and what is one.
func TestProgress(t *testing.T) {
	const report = "FAIL: 7 failing tests in package parser"
	for _, tt := range []struct {
		name string
		play func(p *past) *Seen
		want string // of the last call: "" silence
	}{
		{"a test between edits", func(p *past) (s *Seen) {
			for range 8 {
				p.edit("parser.go")
				p.ended(false, "ok")
				s = p.bash("go test ./parser/...")
				p.ended(true, report)
			}
			return s
		}, ""},
		{"a test without edits", func(p *past) (s *Seen) {
			for range 5 {
				s = p.bash("go test ./parser/...")
				p.ended(true, report)
			}
			return s
		}, "ask"},
		{"a test without edits, told to run in other ways", func(p *past) (s *Seen) {
			for _, line := range []string{"pytest tests/a.py", "python -m pytest -q tests/a.py", "cd sub && pytest tests/a.py -x", "pytest tests/a.py 2>&1 | tail -20",
				"python3 -m pytest tests/a.py --no-header", "poetry run pytest -q tests/a.py", "pytest tests/a.py -q | tail -5", "pytest -x tests/a.py"} {
				s = p.bash(line)
				p.ended(!strings.Contains(line, "|"), "FAILED tests/a.py::test_b - AssertionError\n=== 1 failed, 3 passed in "+p.now.Format("5.00")+"s ===")
			}
			return s
		}, "ask"},
		{"a test that is made to say more", func(p *past) (s *Seen) {
			for _, line := range []string{"pytest tests/a.py", "pytest -vv tests/a.py", "pytest -x -s tests/a.py", "pytest --tb=long tests/a.py"} {
				s = p.bash(line)
				p.ended(true, "FAILED tests/a.py::test_b - AssertionError\n1 failed, 3 passed")
			}
			return s
		}, ""},
		{"other tests each time", func(p *past) (s *Seen) {
			for i := range 9 {
				s = p.bash(fmt.Sprintf("pytest -q tests/%c.py", 'a'+i))
				p.ended(true, "1 failed")
			}
			return s
		}, ""},
		{"a measurement between steps through the history", func(p *past) (s *Seen) {
			for i := range 8 {
				p.bash(fmt.Sprintf("git checkout -q HEAD~%d", i+1))
				p.ended(false, "")
				s = p.bash("python bench/import.py")
				p.ended(false, fmt.Sprintf("took %d ms in all, as far as can be told", 900+i))
			}
			return s
		}, ""},
		{"a search by halves", func(p *past) (s *Seen) {
			for i := range 8 {
				s = p.bash("make check-import")
				p.ended(true, "the import is slow, as it was before")
				p.bash("git bisect bad")
				p.ended(false, fmt.Sprintf("Bisecting: %d revisions left to test after this", 80-i))
			}
			return s
		}, ""},
		{"a service that comes up", func(p *past) (s *Seen) {
			for range 12 {
				s = p.bash("aws ecs describe-services --cluster dev --query 'services[0].runningCount'")
				p.ended(false, "{\"desired\": 2, \"there\": 0, \"deployments\": 1}")
			}
			return s
		}, ""},
		{"a job that writes little", func(p *past) (s *Seen) {
			for range 16 {
				s = p.bash("sleep 10; tail -3 load.log")
				p.ended(false, "building the world, step 3, as it was a while ago")
			}
			return s
		}, ""},
		{"a job that has ended", func(p *past) (s *Seen) {
			for i := range 12 {
				s = p.bash(fmt.Sprintf("sleep %d; tail -3 load.log", 10+i))
				p.ended(false, "fatal: cannot open display; exiting")
			}
			return s
		}, "ask"},
		{"a test whose result changes", func(p *past) (s *Seen) {
			for i := range 8 {
				s = p.bash("go test ./parser/...")
				p.ended(true, fmt.Sprintf("FAIL: %d failing tests in package parser", 20-i))
			}
			return s
		}, ""},
		{"times alone are no change", func(p *past) (s *Seen) {
			for i := range 5 {
				s = p.bash("go test ./parser/...")
				p.ended(true, fmt.Sprintf("FAIL parser 0.%d31s at 2026-03-01T12:0%d:07Z", i+1, i))
			}
			return s
		}, "ask"},
		{"waiting for a job", func(p *past) (s *Seen) {
			for range 12 {
				p.now = p.now.Add(time.Minute)
				s = p.bash("sleep 60; gh run view 991 --json status")
				p.ended(false, `{"status":"queued","conclusion":"","name":"build"}`)
			}
			return s
		}, ""},
		{"asking a server without a break", func(p *past) (s *Seen) {
			for range 12 {
				s = p.bash("gh pr checks 12")
				p.ended(false, "build pending 0 https://ci.example/run/1 and so on")
			}
			return s
		}, ""},
		{"waiting for a server that starts", func(p *past) (s *Seen) {
			for range 6 {
				s = p.bash("sleep 2 && curl -sf http://localhost:3000/health")
				p.ended(true, "Exit code 7")
			}
			return s
		}, ""},
		{"a server that never starts", func(p *past) (s *Seen) {
			for range 13 {
				s = p.bash("sleep 2 && curl -sf http://localhost:3000/health")
				p.ended(true, "Exit code 7")
			}
			return s
		}, "ask"},
		{"two near-equal searches by turns", func(p *past) (s *Seen) {
			for range 5 {
				p.bash("grep -rn 'getShellPolicy' apps/")
				p.ended(false, "apps/base.ts:731: getShellPolicy and more")
				s = p.bash(`grep -rn "getShellPolicy" apps packages`)
				p.ended(false, "apps/base.ts:731: getShellPolicy and more")
			}
			return s
		}, "ask"},
		{"quotes, blanks, numbers and temporary names", func(p *past) (s *Seen) {
			for i, c := range []string{"ls  -la /tmp/build.x1A", "ls -la /tmp/build.Qz7", `ls -la "/tmp/build.k09"`, "ls -la '/tmp/build.uu'", "ls -la /tmp/build.zz"} {
				s = p.bash(c)
				p.ended(false, "a listing that is always the same, whatever the name")
				_ = i
			}
			return s
		}, "ask"},
		{"pages of a file", func(p *past) (s *Seen) {
			for i := range 8 {
				s = p.bash(fmt.Sprintf("sed -n '%d,%dp' main.go", i*100+1, i*100+100))
				p.ended(false, fmt.Sprintf("page %d of a long file, with text of its own", i))
			}
			return s
		}, ""},
		{"files with a number each", func(p *past) (s *Seen) {
			for i := range 8 {
				s = p.bash(fmt.Sprintf("rm out%d.log", i))
				p.ended(false, "")
			}
			return s
		}, ""},
		{"git status now and then", func(p *past) (s *Seen) {
			for range 6 {
				s = p.bash("git status")
				p.ended(false, "On branch main, nothing to commit, working tree clean")
				for j := range 7 {
					p.run(fmt.Sprintf("cat file%c.go", 'a'+j))
				}
			}
			return s
		}, ""},
		{"add, commit and look", func(p *past) (s *Seen) {
			for i := range 6 {
				p.run(fmt.Sprintf("git add file%c.go", 'a'+i))
				p.run(fmt.Sprintf("git commit -m 'part %c'", 'a'+i))
				s = p.bash("git status --short")
				p.ended(false, "?? notes.md and some more files that stay")
			}
			return s
		}, ""},
		{"the same edit there and back", func(p *past) (s *Seen) {
			edit := func(from, to string) {
				p.try("Edit", map[string]any{"file_path": filepath.Join(p.world.Root, "a.go"), "old_string": from, "new_string": to}).Remember(&p.st, &policy.Decision{})
				p.ended(false, "ok")
			}
			for range 5 {
				edit("a", "b")
				s = p.bash("go test ./...")
				p.ended(true, report)
				edit("b", "a")
			}
			return s
		}, "ask"},
		{"a slow build that goes through", func(p *past) (s *Seen) {
			for range 6 {
				p.now = p.now.Add(time.Minute)
				s = p.bash("make release")
				p.ended(false, "built everything, 213 targets are up to date")
			}
			return s
		}, ""},
		{"a file that is read again", func(p *past) (s *Seen) {
			for range 5 {
				s = p.try("Read", map[string]any{"file_path": filepath.Join(p.world.Root, "a.go")})
				s.Remember(&p.st, &policy.Decision{})
				p.ended(false, "the same content of the file, of some length")
			}
			return s
		}, "allow"},
		{"edits of which only the file is known", func(p *past) (s *Seen) {
			for range 6 {
				s = p.try("Edit", map[string]any{"file_path": filepath.Join(p.world.Root, "a.go")})
				s.Remember(&p.st, &policy.Decision{})
				p.ended(false, "The file has been updated successfully, all is well")
				if _, ok := found(s, Repeat); ok {
					return s
				}
				s = p.bash("go test ./...")
				p.ended(false, "ok  example.com/a and a line of some length")
			}
			return s
		}, ""},
		{"nothing is known of the results", func(p *past) (s *Seen) {
			for range 9 {
				s = p.bash("go build ./...")
			}
			return s
		}, ""},
		{"the agent's own list", func(p *past) (s *Seen) {
			for range 9 {
				s = p.try("TodoWrite", map[string]any{"todos": []string{"a"}})
				s.Remember(&p.st, &policy.Decision{})
				p.ended(false, "Todos have been modified successfully, keep using the list")
			}
			return s
		}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPast(t, Balanced)
			p.write("a.go", "a")
			p.write("parser.go", "a")
			s := tt.play(p)
			got := ""
			if a, ok := found(s, Repeat); ok {
				got = a.String()
			}
			if got != tt.want {
				t.Errorf("got %q, want %q; %+v", got, tt.want, p.st.Thread("").Runs)
			}
		})
	}
}

// TestProves: the check is recognised where agents dress it up, as long as the line ends as the check did.
func TestProves(t *testing.T) {
	o := Options{DoneChecks: []string{"./ci/check all", "make lint && make e2e"}}
	for line, want := range map[string]bool{
		"./ci/check  all": true, "cd app && ./ci/check all": true, "cd 'my app' && export CI=1 && ./ci/check all": true, "CI=1 ./ci/check all": true,
		"timeout 60 ./ci/check all": true, "time ./ci/check all": true, "./ci/check all 2>&1": true, "./ci/check all > /tmp/log.txt 2>&1": true,
		"make lint && make e2e": true, "env A=b ./ci/check all": true,

		"": false, "./ci/check": false, "./ci/check all --dry-run": false, "./ci/checks all": false, "make e2e": false, "echo ./ci/check all": false,
		"./ci/check all | tail -5": false, "./ci/check all; true": false, "./ci/check all && true": false, "./ci/check all || true": false,
		"true || cd app && ./ci/check all": false, "! ./ci/check all": false, "cd app; ./ci/check all": false, "./ci/check all &": false,
		"./ci/check all > $(rm x)": false, "false &\n./ci/check all": false, "x && if y; then ./ci/check all; fi": false, "xargs ./ci/check all": false, "echo 'x && ./ci/check all": false,
		"timeout ./ci/check all": false, "./ci/check all >": false,
	} {
		if got := o.Proves(&agent.Call{Command: line}); got != want {
			t.Errorf("%q proves the work: %v, want %v", line, got, want)
		}
	}
}

func TestConvergenceStall(t *testing.T) {
	work := func(p *past, turns int, seconds time.Duration) *Seen {
		p.run("git log -1")
		for range turns {
			Prompt(&p.st, p.now, true)
		}
		p.now = time.UnixMilli(p.st.Since).Add(seconds*time.Second - time.Second) // bash takes one more
		return p.bash("ls")
	}
	for _, tt := range []struct {
		name    string
		turns   int
		seconds time.Duration
		fires   bool
	}{
		{"601 seconds and six turns", 6, 601, true},
		{"600 seconds", 6, 600, false},
		{"five turns", 5, 601, false},
	} {
		p := newPast(t, Balanced)
		if s := work(p, tt.turns, tt.seconds); !tt.fires {
			p.quiet(s, "session.stalled")
		} else {
			p.fires(s, "session.stalled", agent.Allow)
			if s.Notice == "" {
				t.Errorf("%s: the person is not told", tt.name)
			}
			p.now = p.now.Add(time.Minute)
			p.quiet(p.bash("ls -l"), "session.stalled") // once, not every ten seconds
		}
	}
	p := newPast(t, Conservative)
	p.fires(work(p, 5, 421), "session.stalled", agent.Ask)

	t.Run("a test that passes begins anew", func(t *testing.T) {
		p := newPast(t, Balanced)
		work(p, 6, 590)
		p.run("go test ./...")
		p.now = p.now.Add(20 * time.Second)
		p.quiet(p.bash("ls"), "session.stalled")
	})
	t.Run("so does a command that proves the work", func(t *testing.T) {
		for _, tt := range []struct {
			command string
			failed  bool
			stalls  bool
		}{
			{"./ci/check  all", false, false}, {"./ci/check all", true, true}, {"cd app && ./ci/check all", false, false},
			{"./ci/check all 2>&1 | tail -5", false, false}, {"./ci/check all && true", false, false}, {"echo ./ci/check all", false, true},
		} {
			p := newPast(t, Balanced)
			p.o.DoneChecks = []string{"./ci/check all"}
			work(p, 6, 590)
			p.bash(tt.command)
			p.ended(tt.failed, "what it printed")
			p.now = p.now.Add(20 * time.Second)
			if s := p.bash("ls"); tt.stalls {
				p.fires(s, "session.stalled", agent.Allow)
			} else {
				p.quiet(s, "session.stalled")
			}
		}
	})
	t.Run("a person's pause is no work", func(t *testing.T) {
		p := newPast(t, Balanced)
		p.run("ls")
		for range 8 {
			p.now = p.now.Add(time.Hour)
			Prompt(&p.st, p.now, true)
			p.quiet(p.bash("ls"), "session.stalled")
		}
	})
	t.Run("a clock that goes backwards", func(t *testing.T) {
		p := newPast(t, Balanced)
		for range 8 {
			Prompt(&p.st, p.now, true)
			p.now = p.now.Add(-time.Hour)
			p.quiet(p.run("ls"), "session.stalled")
		}
		if p.st.Since > p.now.UnixMilli() {
			t.Errorf("work began at %d, which is after %d", p.st.Since, p.now.UnixMilli())
		}
	})
}

func TestPassiveStall(t *testing.T) {
	p := newPast(t, Balanced)
	looks := []string{"cat a.go", "grep -n x a.go", "ls", "git log", "find . -name '*.go'"}
	for i := range 11 {
		p.quiet(p.run(looks[i%len(looks)]+strings.Repeat(" ", i)), "session.looking")
	}
	s := p.run("tree")
	p.fires(s, "session.looking", agent.Allow)
	if s.Notice != "" {
		t.Errorf("the person is told %q; much reading is ordinary", s.Notice)
	}
	p.write("a.go", "a")
	p.edit("a.go")
	if got := p.st.Thread("").Looks; got != 0 {
		t.Errorf("%d looks after an edit", got)
	}
	for i := range 11 {
		p.quiet(p.run(fmt.Sprint("cat b", i)), "session.looking")
	}
	p.fires(p.run("cat c"), "session.looking", agent.Allow)
}

func TestUnverifiedWrites(t *testing.T) {
	for _, tt := range []struct {
		name, between string
		fires         bool
	}{
		{"nothing in between", "", true},
		{"echo verifies nothing", "echo done", true},
		{"ls verifies nothing", "ls", true},
		{"a test", "go test ./...", false},
		{"a build", "npm run build", false},
		{"a linter", "npx eslint src", false},
		{"a type check", "pnpm exec tsc --noEmit", false},
		{"pytest by python", "python -m pytest -q", false},
		{"a failing test verifies too", "cargo test", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPast(t, Balanced)
			p.write("a.go", "a")
			p.write("package.json", `{"scripts":{"build":"tsc"}}`)
			var s *Seen
			for i := range 10 {
				if i == 5 && tt.between != "" {
					p.run(tt.between)
				}
				s = p.edit("a.go")
				p.ended(false, "ok")
			}
			if tt.fires {
				p.fires(s, "session.unverified", agent.Allow)
			} else {
				p.quiet(s, "session.unverified")
			}
		})
	}
	t.Run("once, whatever is looked at in between", func(t *testing.T) {
		p := newPast(t, Balanced)
		p.write("a.go", "a")
		told := 0
		for i := range 30 {
			if s := p.edit("a.go"); s.Notice != "" {
				told++
			}
			p.now = p.now.Add(time.Minute)
			p.run(fmt.Sprint("cat a", i))
		}
		if told != 1 {
			t.Errorf("told %d times", told)
		}
	})
	t.Run("prose needs no test", func(t *testing.T) {
		p := newPast(t, Balanced)
		p.write("README.md", "a")
		for range 15 {
			p.quiet(p.edit("README.md"), "session.unverified")
		}
	})
	t.Run("writes by the shell count", func(t *testing.T) {
		p := newPast(t, Balanced)
		for i := range 9 {
			p.quiet(p.run(fmt.Sprintf("echo x > src/f%d.go", i)), "session.unverified")
		}
		p.fires(p.run("sed -i s/a/b/ src/f1.go"), "session.unverified", agent.Allow)
	})
}

func TestTokenBudget(t *testing.T) {
	p := newPast(t, Balanced)
	p.quiet(p.bash("ls"), "session.tokens") // nothing is known
	p.st.Tokens = 160_000
	p.quiet(p.bash("ls"), "session.tokens")
	p.st.Tokens = 160_001
	p.fires(p.bash("ls"), "session.tokens", agent.Allow)
}

// TestCooldown: two triggers within ten seconds are one word to the person; the second waits.
func TestCooldown(t *testing.T) {
	p := newPast(t, Balanced)
	p.st.Tokens = 190_000
	p.fires(p.bash("ls"), "session.tokens", agent.Allow)
	th := p.st.Thread("")
	th.Results, th.Ended = "eeeeeeeeee", 20
	p.st.SetThread(th)
	p.quiet(p.bash("ls -a"), "session.errors")
	p.now = p.now.Add(10 * time.Second)
	p.fires(p.bash("ls -l"), "session.errors", agent.Allow)
	p.now = p.now.Add(10 * time.Minute)
	p.quiet(p.bash("ls -la"), "session.errors") // its cause has not gone away in between
}

func TestAllThatHoldAreListed(t *testing.T) {
	p := newPast(t, Conservative)
	p.st.Tokens = 190_000
	th := p.st.Thread("")
	th.Results, th.Ended, th.Looks = "ssssseeeee", 20, 30
	p.st.SetThread(th)
	s := p.bash("ls")
	for _, rule := range []string{"session.errors", "session.looking", "session.tokens"} {
		p.fires(s, rule, agent.Ask)
	}
}

func TestSubagentsAreApart(t *testing.T) {
	p := newPast(t, Balanced)
	for i := range 6 {
		p.agent = fmt.Sprint("a-", i%2)
		if i%2 == 0 {
			p.agent = ""
		}
		p.quiet(p.fail("npm install left-pad"), Repeat+" ")
	}
	p.agent = ""
	p.fires(p.bash("npm install left-pad"), Repeat, agent.Ask)
	p.agent = "a-7"
	p.quiet(p.bash("npm install left-pad"), Repeat)
}

// TestReplay: the same events give the same findings and the same state.
func TestReplay(t *testing.T) {
	play := func(p *past) string {
		var all []string
		for i := range 40 {
			if i%3 == 0 {
				all = append(all, rules(p.fail("npm install left-pad")))
			} else {
				all = append(all, rules(p.run(fmt.Sprint("cat a", i))))
			}
		}
		b, _ := json.Marshal(p.st)
		return strings.Join(all, "\n") + string(b)
	}
	p := newPast(t, Conservative)
	q := &past{t: t, o: p.o, world: p.world, now: p.now}
	if a, b := play(p), play(q); a != b {
		t.Errorf("the first time\n%s\nthe second\n%s", a, b)
	}
}

// TestStateIsBounded: whatever happens, a state stays small.
func TestStateIsBounded(t *testing.T) {
	p := newPast(t, Balanced)
	long := strings.Repeat("x", 3000)
	var at100 int
	for i := range 1000 {
		p.agent = fmt.Sprint("agent-", i%7)
		p.bash(fmt.Sprintf("cat %s%d/.env; curl -o %s%d.sh https://x.example/%d", long, i, long, i, i))
		p.ended(true, "blocked by hook: no "+long)
		b, _ := json.Marshal(p.st)
		if i == 100 {
			at100 = len(b)
		}
		if len(b) > 6<<10 {
			t.Fatalf("after %d calls the state has %d bytes", i, len(b))
		}
	}
	b, _ := json.Marshal(p.st)
	if len(b) > at100+200 {
		t.Errorf("%d bytes after 100 calls, %d after 1,000", at100, len(b))
	}
	if n := len(p.st.Threads); n != session.MaxThreads {
		t.Errorf("%d threads", n)
	}
}

// A response of many texts beside a large input is read in bounded time: without the bound this takes minutes.
func TestManyTextsAndALargeInput(t *testing.T) {
	t.Parallel()
	got := plain("["+strings.Repeat(`"zz",`, 300_000)+`"end"]`, strings.Repeat("a", 8<<20)+"zz")
	if len(got) > maxOutput+8 || !strings.HasPrefix(got, "zz\n") {
		t.Errorf("%d bytes, beginning with %.10q", len(got), got)
	}
}
