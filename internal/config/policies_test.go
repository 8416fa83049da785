package config

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/policy/rulebook"
)

const aPolicy = "[[policy]]\nid = \"ID\"\ndescription = \"Nothing is pushed to the main branch.\"\nseverity = \"high\"\n"

func named(id string) string { return strings.Replace(aPolicy, "ID", id, 1) }

func (c Config) ids() string {
	var ids []string
	for _, p := range c.Book.Policies[len(rulebook.New().Policies):] {
		ids = append(ids, p.ID)
	}
	return strings.Join(ids, " ")
}

// Policies come from their own file, from the settings files, and from the project, which can only add.
func TestPolicies(t *testing.T) {
	w := newWorld(t)
	none := w.load()
	if none.Book.Own || none.PolicyFault != "" || none.ids() != "" {
		t.Errorf("without a file: %+v", none.Book)
	}
	w.write(filepath.Join(w.home, PolicyFile), named("mine"))
	w.write(filepath.Join(w.home, PolicyFileJSON), "not read beside the other")
	w.user("tau = 9\n" + named("user"))
	w.project("tau = 8\n" + named("mine"))
	c := w.load()
	w.warned(c, "")
	if got := c.ids(); got != "mine user mine-2" || c.PolicyFault != "" || c.Tau != 8 {
		t.Errorf("policies %q, fault %q, tau %g", got, c.PolicyFault, c.Tau)
	}
	last := c.Book.Policies[len(c.Book.Policies)-1]
	if !last.Project || c.Hash == none.Hash {
		t.Errorf("project %v, hash %s as without", last.Project, c.Hash)
	}
}

// A set that cannot be read is never an empty one: it is said, and the others hold.
func TestPolicyFault(t *testing.T) {
	for _, c := range []struct{ name, mine, project, want, ids string }{
		{"empty", "", "", "policies.toml: holds no policy", ""},
		{"a wrong type", strings.Replace(named("a"), `"high"`, "7", 1), "", "policies.toml:4: severity is not text", ""},
		{"the project's", named("a"), "[[policy]]\nid = 3\n", ".stepgate.toml:2: id is not text", "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.write(filepath.Join(w.home, PolicyFile), c.mine)
			w.project(c.project)
			got := w.load()
			if !strings.Contains(got.PolicyFault, c.want) || got.ids() != c.ids {
				t.Errorf("fault %q, policies %q; want %q, %q", got.PolicyFault, got.ids(), c.want, c.ids)
			}
			w.warned(got, "on_error decides about every call")
		})
	}
}

func TestProfiles(t *testing.T) {
	for profile, want := range map[string]struct {
		tau, weight float64
		budget      int
	}{
		"none": {10, .7, 0}, "dev": {10, .7, 0}, "prod": {7, .7, 0}, "office": {10, .6, 3}, "finance": {10, .8, 1}, "medical": {10, .8, 1},
	} {
		w := newWorld(t)
		w.user("profile = \"" + profile + "\"\n")
		c := w.load()
		w.warned(c, "")
		if c.Tau != want.tau || c.SafetyWeight != want.weight || c.RiskBudget != want.budget {
			t.Errorf("%s: tau %g, weight %g, budget %d; want %+v", profile, c.Tau, c.SafetyWeight, c.RiskBudget, want)
		}
		w.user("profile = \"" + profile + "\"\ntau = 3\n")
		w.want(w.load(), "tau", "3", User)
	}
}
