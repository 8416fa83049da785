package trigger

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy"
)

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
		{"an edit there and back, with a test that says one thing and then the other", func(p *past) (s *Seen) {
			for i := range 9 {
				from, to := "half up", "half even"
				if i%2 == 1 {
					from, to = to, from
				}
				s = p.try("Edit", map[string]any{"file_path": filepath.Join(p.world.Root, "a.go"), "old_string": from, "new_string": to})
				s.Remember(&p.st, &policy.Decision{})
				p.ended(false, "ok")
				p.bash("go test ./...")
				p.ended(true, "FAIL: got "+to)
			}
			return s
		}, "ask"},
		{"a line taken out and put back, twice", func(p *past) (s *Seen) {
			for i := range 4 {
				from, to := "check()", ""
				if i%2 == 1 {
					from, to = to, from
				}
				s = p.try("Edit", map[string]any{"file_path": filepath.Join(p.world.Root, "a.go"), "old_string": from + "\n}", "new_string": to + "\n}"})
				s.Remember(&p.st, &policy.Decision{})
				p.ended(false, "ok")
				p.bash("go test ./...")
				p.ended(i%2 == 0, report)
			}
			return s
		}, ""},
		{"a test that fails now and then", func(p *past) (s *Seen) {
			for i := range 16 {
				s = p.bash("go test -run TestPay ./...")
				p.ended(i%5 == 0, map[bool]string{true: report, false: "ok  example.com/pay"}[i%5 == 0])
			}
			return s
		}, ""},
		{"a test that passes, to be sure", func(p *past) (s *Seen) {
			for range 8 {
				s = p.bash("go test -run TestPay ./...")
				p.ended(false, "ok  example.com/pay")
			}
			return s
		}, "allow"},
		{"a test that passes, without end", func(p *past) (s *Seen) {
			for range 14 {
				s = p.bash("go test -run TestPay ./...")
				p.ended(false, "ok  example.com/pay")
			}
			return s
		}, "ask"},
		{"checks that are pending, told by a status of their own", func(p *past) (s *Seen) {
			for range 14 {
				s = p.bash("gh pr checks 88")
				p.ended(true, "Exit code 8\nbuild\tpending\t0\nlint\tpass")
			}
			return s
		}, ""},
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

// TestWaits: a wait says "not yet" and is no error, but one that sees the same again and again without a pause is worth a
// word.
func TestWaits(t *testing.T) {
	for _, tt := range []struct {
		name   string
		looks  int
		pause  time.Duration
		failed bool
		want   string // the notice of any of the looks
	}{
		{"a status that stays", 24, 0, false, "the same was looked at 20 times without a pause, and nothing has changed"},
		{"the same with a pause", 24, time.Minute, false, ""},
		{"not for long", 19, 0, false, ""},
		{"a server that comes up", 10, 0, true, ""},
	} {
		p := newPast(t, Balanced)
		notice := ""
		for range tt.looks {
			p.now = p.now.Add(tt.pause)
			s := p.bash("curl -s -o /dev/null -w '%{http_code}' https://shop.example.com/")
			notice += s.Notice
			p.ended(tt.failed, "502, which is what it has said so far")
		}
		if notice != tt.want {
			t.Errorf("%s: notice %q, want %q", tt.name, notice, tt.want)
		}
		if n := strings.Count(p.st.Thread("").Results, failed); n > 1 {
			t.Errorf("%s: results %q, want no more than one error", tt.name, p.st.Thread("").Results)
		}
	}
}

// TestFailingPrograms: a program that is mended and run again gives an answer each time; run again as it is, it fails.
func TestFailingPrograms(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit bool
		want bool
	}{{"an edit in between", true, false}, {"nothing in between", false, true}} {
		p := newPast(t, Balanced)
		p.write("load.py", "a")
		for i := range 10 {
			if tt.edit || i == 0 {
				p.edit("load.py")
				p.ended(false, "ok")
			}
			p.bash("python load.py")
			p.ended(true, fmt.Sprintf("Exit code 1\nKeyError: column %d", i))
		}
		if got := strings.Count(p.st.Thread("").Results, failed) > 1; got != tt.want {
			t.Errorf("%s: results %s, want errors: %t", tt.name, p.st.Thread("").Results, tt.want)
		}
	}
}
