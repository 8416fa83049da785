package trigger

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/hook/session"
)

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
		{"a script of the project", "python scripts/load.py data", false},
		{"a program of the project", "go run ./cmd/load", false},
		{"a script by its own name", "./serve.sh --once", false},
		{"code on the line", "python -c 'print(1.5)'", true},
		{"a script from elsewhere", "sh /opt/tool/x.sh", true},
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
