package rulebook

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/policy"
)

const good = `# mine
[[policy]]
id = "no-prod"
description = "The production database is not changed."
severity = "critical"
reversible = false
scope = "all databases"
alternative = "use the staging database"

[[policy]]
id = "locks"
description = "Lock files are not edited by hand."
severity = "low"
reversible = true
hit = ["echo x > yarn.lock"]
miss = ["yarn install"]

[policy.when]
acts = ["write", "overwrite"]
paths = "*.lock"
`

const goodJSON = `{"policy":[
 {"id":"no-prod","description":"The production database is not changed.","severity":"critical","scope":"all databases","alternative":"use the staging database"},
 {"id":"locks","description":"Lock files are not edited by hand.","severity":"low","reversible":true,"hit":["echo x > yarn.lock"],"miss":["yarn install"],
  "when":{"acts":["write","overwrite"],"paths":"*.lock"}}
]}`

func TestRead(t *testing.T) {
	for name, text := range map[string]string{"toml": good, "json": goodJSON, "bom": "\ufeff" + good} {
		t.Run(name, func(t *testing.T) {
			own, warnings, err := Read("policies.toml", []byte(text))
			if err != nil || len(warnings) > 0 || len(own) != 2 {
				t.Fatalf("%d policies, warnings %v, error %v", len(own), warnings, err)
			}
			a, b := own[0], own[1]
			if a.ID != "no-prod" || a.Severity != policy.Critical || a.Reversible || a.Scope != "all databases" || a.Alternative == "" || a.When != nil || a.From != "policies.toml" {
				t.Errorf("%+v", a)
			}
			if b.When == nil || len(b.When.Acts) != 2 || b.When.Paths[0] != "*.lock" || !b.Reversible || len(b.Hit) != 1 || len(b.Miss) != 1 {
				t.Errorf("%+v", b)
			}
		})
	}
}

// A set that is not whole is refused, and the message leads to the place.
func TestReadRefuses(t *testing.T) {
	many := strings.Repeat("[[policy]]\nid=\"a\"\ndescription=\"x y z\"\nseverity=\"low\"\n", MaxPolicies+1)
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "f: holds no policy"},
		{"only comments", "# [[policy]]\n", "f: holds no policy"},
		{"an empty list", "policy = []", "f: holds no policy"},
		{"another key", "[[policies]]\nid = \"a\"", "f: holds no policy"},
		{"not TOML", "[[policy]]\nid = = 3\n", "f:2: is not TOML"},
		{"the same key twice", "[[policy]]\nid = \"a\"\nid = \"b\"\n", "f:3: is not TOML"},
		{"a table", "[policy]\nid = \"a\"\n", "policy is not a list of tables"},
		{"severity", strings.Replace(good, `"low"`, `"hi"`, 1), `f:13: severity "hi" is not one of low, medium, high, critical`},
		{"severity of another type", strings.Replace(good, `"low"`, `3`, 1), `f:13: severity is not text`},
		{"reversible", strings.Replace(good, `reversible = true`, `reversible = "yes"`, 1), `f:14: reversible is not true or false`},
		{"no id", strings.Replace(good, `id = "locks"`, ``, 1), `f:10: policy 2 has no id`},
		{"an id of words", strings.Replace(good, `"locks"`, `"the locks"`, 1), `f:11: id "the locks" holds`},
		{"no description", strings.Replace(good, "description = \"Lock", "scope = \"Lock", 1), `f:11: policy "locks" has no description`},
		{"an unknown act", strings.Replace(good, `"overwrite"`, `"overwrte"`, 1), `f:19: acts "overwrte" is not one of read, write`},
		{"an unknown condition", strings.Replace(good, `paths =`, `path =`, 1), `f:20: when has no condition "path"`},
		{"no condition", "[[policy]]\nid=\"a\"\ndescription=\"x y z\"\nwhen = {}\n", `f:4: when names no condition`},
		{"an empty condition", "[[policy]]\nid=\"a\"\ndescription=\"x y z\"\nwhen = {acts = []}\n", `f:4: acts is empty`},
		{"only an exception", "[[policy]]\nid=\"a\"\ndescription=\"x y z\"\nwhen = {except = [\"a\"]}\n", `f:4: when names no condition`},
		{"when of another type", "[[policy]]\nid=\"a\"\ndescription=\"x y z\"\nwhen = \"delete\"\n", `f:4: when is not a table`},
		{"inline tables", "policy = [\n {id = \"a\", description = 3},\n]", `f:1: description is not text`},
		{"a hidden character", "[[policy]]\nid=\"a\"\ndescription=\"x \\u202e y\"\n", `f:3: description holds a character`},
		{"too long", "[[policy]]\nid=\"a\"\ndescription=\"" + strings.Repeat("word ", 300) + "\"\n", `f:3: description has more than`},
		{"too many", many, `f:801: more than 200 policies`},
		{"too large", strings.Repeat("# comment\n", MaxFile/10+1), "f: larger than 256 KiB"},
		{"not JSON", "{\"policy\":[\n{\"id\":}]}", "f:2: is not JSON"},
		{"JSON, severity", strings.Replace(goodJSON, `"low"`, `"hi"`, 1), `f:3: severity "hi" is not`},
		{"JSON, not a list", `{"policy":{"id":"a"}}`, "policy is not a list of tables"},
		{"JSON, no table", `{"policy":["a"]}`, "f:1: policy 1 is not a table"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := Read("f", []byte(c.text))
			if err == nil || !strings.Contains(err.Error(), "policy file f") || !strings.Contains(strings.TrimPrefix(err.Error(), "policy file "), c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
}

func TestReadWarns(t *testing.T) {
	text := "version = 1\n[[policy]]\nid = \"a\"\ndescription = \"No pushes to main.\"\nowner = \"me\"\n"
	own, warnings, err := Read("f", []byte(text))
	if err != nil || len(own) != 1 || own[0].Severity != policy.Medium {
		t.Fatalf("%+v, %v", own, err)
	}
	for _, want := range []string{`unknown key "version"`, `f:3: policy "a" names no severity`, `f:5: policy "a": unknown key "owner"`} {
		if !strings.Contains(strings.Join(warnings, "\n"), want) {
			t.Errorf("warnings %q lack %q", warnings, want)
		}
	}
}

// FuzzRead: whatever a file holds, what is read is whole, and an error tells its file.
func FuzzRead(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte(goodJSON))
	f.Add([]byte("policy = [{id = 'a', description = 'x', when = {tools = ['*']}}]"))
	f.Fuzz(func(t *testing.T, b []byte) {
		own, warnings, err := Read("f", b)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "policy file f") || len(err.Error()) > 1000 {
				t.Errorf("error of %d bytes: %.200s", len(err.Error()), err)
			}
			return
		}
		if len(own) == 0 || len(own) > MaxPolicies || len(warnings) > maxWarnings {
			t.Fatalf("%d policies, %d warnings", len(own), len(warnings))
		}
		book := New(own...)
		e := example("rm -rf a")
		book.Match(e.call, e.p, e.w)
		for _, p := range own {
			if p.ID == "" || p.Description == "" || policy.Risk([]policy.Finding{p.finding(false, "")}) == 0 {
				t.Errorf("not whole: %+v", p)
			}
		}
	})
}

// BenchmarkRead is what a hook pays once more where there are policies.
func BenchmarkRead(b *testing.B) {
	for _, n := range []int{5, 200} {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "[[policy]]\nid = \"p%d\"\ndescription = \"Nothing is written below folder number %d.\"\nseverity = \"high\"\nalternative = \"write to the project\"\nwhen = {acts = [\"write\", \"overwrite\"], paths = [\"area%d/**\"]}\n\n", i, i, i)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				if _, _, err := Read("f", []byte(text.String())); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
