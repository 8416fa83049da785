package trigger

import (
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy"
)

// TestUntested: what the person made to depend on the tests waits for them.
func TestUntested(t *testing.T) {
	for _, tt := range []struct {
		name  string
		tests bool
		play  func(p *past)
		line  string
		want  bool
	}{
		{"changes, then a commit", true, func(p *past) { p.edit("a.go"); p.edit("b.go") }, "git commit -qam done", true},
		{"changes, then a push", true, func(p *past) { p.edit("a.go") }, "git push origin main", true},
		{"a test in between", true, func(p *past) { p.edit("a.go"); p.run("go test ./...") }, "git commit -qam done", false},
		{"a test on the way", true, func(p *past) { p.edit("a.go") }, "go test ./... && git commit -qam done", false},
		{"a test that failed", true, func(p *past) { p.edit("a.go"); p.fail("go test ./...") }, "git commit -qam done", true},
		{"a test that failed, some looks ago", true, func(p *past) {
			p.edit("a.go")
			p.fail("go test ./...")
			for i := range 8 {
				p.run("cat file" + string(rune('a'+i)))
			}
		}, "git commit -qam done", true},
		{"a test that failed and then passed", true, func(p *past) { p.edit("a.go"); p.fail("go test ./..."); p.edit("a.go"); p.run("go test ./...") }, "git commit -qam done", false},
		{"a test that failed, and nobody wants them", false, func(p *past) { p.edit("a.go"); p.fail("go test ./...") }, "git commit -qam done", false},
		{"a run, which is no test", true, func(p *past) { p.edit("a.go"); p.run("go run ./cmd/a") }, "git commit -qam done", true},
		{"prose", true, func(p *past) { p.edit("README.md") }, "git commit -qam done", false},
		{"no change", true, func(p *past) { p.run("ls") }, "git push origin main", false},
		{"nobody wants them", false, func(p *past) { p.edit("a.go") }, "git commit -qam done", false},
		{"another call", true, func(p *past) { p.edit("a.go") }, "git status", false},
	} {
		p := newPast(t, Balanced)
		p.tests = tt.tests
		p.write("a.go", "package a\n")
		p.write("b.go", "package a\n")
		p.write("README.md", "# a\n")
		tt.play(p)
		s := p.try("Bash", map[string]any{"command": tt.line})
		s.Remember(&p.st, &policy.Decision{})
		action, found := found(s, Untested)
		if found != tt.want || found && action != agent.Ask {
			t.Errorf("%s: found %v %v, rules %q", tt.name, found, action, rules(s))
		}
	}
}
