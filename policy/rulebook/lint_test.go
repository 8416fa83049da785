package rulebook

import (
	"slices"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/policy"
)

func TestVague(t *testing.T) {
	for text, want := range map[string]bool{
		"Be safe.": true, "Do not do anything dangerous": true, "be careful with all actions": true, "Follow best practices.": true, "": true, "Avoid harm": true,
		"Ensure the agent behaves responsibly.": true,
		"Never push to main.":                   false, "No production database is changed.": false, "Nur der Ordner docs wird geändert.": false,
	} {
		if got := vague(text); got != want {
			t.Errorf("vague(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestLint(t *testing.T) {
	when := &When{Acts: []string{"delete"}}
	own := []Policy{
		{ID: "fine", Description: "Never push to main.", Severity: policy.High, Alternative: "open a pull request"},
		{ID: "twice", Description: "No lock file is edited.", Alternative: "x", When: when, Hit: []string{"a"}},
		{ID: "twice", Description: "Be safe.", Alternative: "x", When: when},
		{ID: "odd", Description: "No release is published.", Severity: policy.Critical, Reversible: true, Hit: []string{"npm publish"}},
	}
	got := strings.Join(Lint(own), "\n")
	for _, want := range []string{
		`"twice": the id is there twice`, `"twice": the description is vague`, `no hit in "twice"; `, `no alternative in "odd"; `, `"odd": critical and reversible`, `"odd": hit and miss`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("lint lacks %q:\n%s", want, got)
		}
	}
	for line := range strings.SplitSeq(got, "\n") {
		if len(line) > 80-len("warning: ") {
			t.Errorf("a line of %d columns: %s", len(line), line)
		}
	}
	if strings.Contains(got, "fine") {
		t.Errorf("lint finds fault with a good policy:\n%s", got)
	}
	if lines := Lint(make([]Policy, 100)); !strings.Contains(lines[len(lines)-1], "one request has room for") {
		t.Errorf("last line %q", lines[len(lines)-1])
	}
}

// What many policies lack is said once.
func TestLintSaysOnce(t *testing.T) {
	var own []Policy
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		own = append(own, Policy{ID: id, Description: "No lock file is edited.", When: &When{Acts: []string{"edit"}}})
	}
	want := []string{
		`no hit in "a", "b", "c" and 2 more; add a command that breaks it`,
		`no alternative in "a", "b", "c" and 2 more; say what the agent is to do instead`,
	}
	if got := Lint(own); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Each template is a file without fault whose examples hold, and stricter presets weigh no less.
func TestTemplate(t *testing.T) {
	for _, preset := range Presets {
		text, _ := Template(preset)
		for line := range strings.Lines(text) {
			if len(line) > len("\n")+80 {
				t.Errorf("%s: a line of %d columns: %s", preset, len(line), line)
			}
		}
	}
	if _, ok := Template("nosuch"); ok {
		t.Error("there is a template for an unknown preset")
	}
	last := 0.0
	for _, preset := range Presets {
		text, _ := Template(preset)
		own, warnings, err := Read("policies.toml", []byte(text))
		if err != nil || len(warnings) > 0 {
			t.Fatalf("%s: %v %v", preset, warnings, err)
		}
		if lines := Lint(own); len(lines) > 0 {
			t.Errorf("%s: %q", preset, lines)
		}
		sum := 0.0
		for _, p := range own {
			sum += policy.Risk([]policy.Finding{p.finding(false, "")})
			b := Book{Policies: []Policy{p}, Own: true}
			for _, s := range p.Hit {
				if len(b.ids(example(s))) == 0 {
					t.Errorf("%s: %s does not hit %s", preset, p.ID, s)
				}
			}
			for _, s := range append(p.Miss, p.Alternative) {
				if p.When != nil && len(b.ids(example(s))) > 0 {
					t.Errorf("%s: %s hits %s", preset, p.ID, s)
				}
			}
		}
		if sum <= last {
			t.Errorf("%s weighs %g, the one before %g", preset, sum, last)
		}
		last = sum
	}
}
