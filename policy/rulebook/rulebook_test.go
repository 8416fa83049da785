package rulebook

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy"
	"github.com/stepgate/stepgate/policy/effect"
	"github.com/stepgate/stepgate/verifier"
)

// try reads a call as the gate would, in a project that lies nowhere on this disk.
type try struct {
	call agent.Call
	p    effect.Prediction
	w    *effect.World
}

func tried(tool, input string) try {
	w := &effect.World{Root: "/nowhere/home/p", CWD: "/nowhere/home/p", Home: "/nowhere/home", Temps: []string{"/tmp"}}
	c := agent.NewCall("", tool, input, w.CWD)
	return try{c, w.Predict(c), w}
}

// example reads an example of a policy: a command line, or a call as JSON.
func example(s string) try {
	if strings.HasPrefix(s, "{") {
		var call struct {
			Tool  string
			Input json.RawMessage
		}
		if err := json.Unmarshal([]byte(s), &call); err != nil {
			panic(err)
		}
		return tried(call.Tool, string(call.Input))
	}
	b, _ := json.Marshal(map[string]string{"command": s})
	return tried("Bash", string(b))
}

func (b *Book) ids(t try) []string {
	var ids []string
	for _, p := range b.Match(t.call, t.p, t.w) {
		ids = append(ids, p.ID)
	}
	return ids
}

// Each built-in policy holds its own examples.
func TestBuiltinExamples(t *testing.T) {
	b := New()
	for _, p := range b.Policies {
		if len(p.Hit) == 0 || len(p.Miss) == 0 || p.When == nil || p.Alternative == "" {
			t.Errorf("%s lacks examples, a condition or a way out", p.ID)
		}
		for _, s := range p.Hit {
			if ids := b.ids(example(s)); !slices.Contains(ids, p.ID) {
				t.Errorf("%s does not hit %s", p.ID, s)
			}
		}
		for _, s := range p.Miss {
			if ids := b.ids(example(s)); slices.Contains(ids, p.ID) {
				t.Errorf("%s hits %s", p.ID, s)
			}
		}
		if ids := b.ids(example(p.Alternative)); len(ids) > 0 {
			t.Errorf("the way out of %s breaks %v", p.ID, ids)
		}
	}
}

// The example of the paper: three policies, 7 + 7 + 15.
func TestBuiltinWeighsAsThePaperDoes(t *testing.T) {
	b := New()
	hit := example("sudo pip install requests")
	fs := b.Findings(b.Match(hit.call, hit.p, hit.w), nil, .6)
	if r := policy.Risk(fs); r != 29 {
		t.Errorf("risk %g, want 29", r)
	}
	d := policy.Decide(policy.Options{Tau: 10, DenyAbove: .9, FlagAbove: .6}, policy.Case{Mode: policy.Enforce, Findings: fs})
	if d.Would != agent.Deny || !strings.Contains(d.Reason, "policy_system-packages") || !strings.Contains(d.Reason, "venv") {
		t.Errorf("would %v: %s", d.Would, d.Reason)
	}
}

func TestSecretInFile(t *testing.T) {
	b := New()
	for _, c := range []struct {
		name, example string
		want          bool
	}{
		{"token by echo", `echo "TOKEN = 'ghp_` + strings.Repeat("a1B2", 9) + `'" > app.py`, true},
		{"token in a heredoc", "cat > app.py <<'EOF'\nkey = 'AKIA" + "Q7ZKXWV4MNB3LPTR" + "'\nEOF\n", true},
		{"token through tee", `echo 'AKIA` + `Q7ZKXWV4MNB3LPTR' | tee deploy.sh`, true},
		{"password in JSON", `{"tool":"Write","input":{"file_path":"conf.json","content":"{\"dbPassword\": \"tR9#kLm2$vQx\"}"}}`, true},
		{"password by an edit", `{"tool":"Edit","input":{"file_path":"a.py","old_string":"x","new_string":"DB_PASSWORD = \"tR9#kLm2vQx\""}}`, true},
		{"private key", "cat > id.txt <<'EOF'\n-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat("MIIEowIBAAKCAQEA7bq0", 8) + "\nEOF\n", true},
		{"key without quotes", "printf 'aws_secret_access_key=wJq9ZrXUtnFE7K2MDhG4bPxRfiCYq8TnM3vKsLpa' >> settings.ini", true},
		{"in an edit of a test", `{"tool":"Edit","input":{"file_path":"auth_test.go","old_string":"x","new_string":"password := \"tR9#kLm2vQx\""}}`, false},
		{"in a template", `{"tool":"Write","input":{"file_path":"app.env.example","content":"API_KEY=qT4mW8zX1nB6vC3kL7pR"}}`, false},
		{"from the environment", `{"tool":"Write","input":{"file_path":"a.py","content":"password = os.environ['DB_PASSWORD_V2']"}}`, false},
		{"a call", `{"tool":"Write","input":{"file_path":"a.ts","content":"const apiKey = getApiKey('Prod1', 2)"}}`, false},
		{"a label", `{"tool":"Write","input":{"file_path":"de.json","content":"{\"password\": \"Passwort eingeben\"}"}}`, false},
		{"a selector", `{"tool":"Write","input":{"file_path":"a.css","content":"input.password: Focus12345678901234"}}`, false},
		{"a placeholder", `{"tool":"Write","input":{"file_path":"a.py","content":"password = 'YourPassw0rd!'"}}`, false},
		{"a public key", `{"tool":"Write","input":{"file_path":"a.ts","content":"const apiKey = 'pk_live_9aB8cD7eF6gH5iJ4kL3m'"}}`, false},
		{"a web application's key", `{"tool":"Write","input":{"file_path":"fb.ts","content":"{apiKey: 'AI` + `zaSyB3xQ9LmN7vKpR2tW8zC4dF6gH1jK5sQ0', authDomain: 'x.example'}"}}`, false},
		{"the database of a developer", `{"tool":"Write","input":{"file_path":"docker-compose.yml","content":"POSTGRES_PASSWORD: \"Postgres1\""}}`, false},
		{"only read", `grep -r "password = 'tR9#kLm2vQx'" .`, false},
		{"a schema", `{"tool":"Write","input":{"file_path":"a.yaml","content":"password: {type: string, minLength: 8}"}}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := slices.Contains(b.ids(example(c.example)), "secret-in-file"); got != c.want {
				t.Errorf("hit %v, want %v", got, c.want)
			}
		})
	}
}

// Each condition, alone and together.
func TestWhen(t *testing.T) {
	for _, c := range []struct {
		name    string
		when    When
		example string
		want    bool
	}{
		{"act", When{Acts: []string{"delete"}}, "rm a", true},
		{"other act", When{Acts: []string{"delete"}}, "touch a", false},
		{"a file below a folder", When{Acts: []string{"delete"}, Paths: []string{"migrations"}}, "rm migrations/001.sql", true},
		{"a folder above it", When{Acts: []string{"delete"}, Paths: []string{"db/migrations/**"}}, "rm -rf db", true},
		{"a file beside it", When{Acts: []string{"delete"}, Paths: []string{"migrations"}}, "rm migrations.txt", false},
		{"by suffix", When{Acts: []string{"write", "overwrite", "edit"}, Paths: []string{"*.lock"}}, "echo x > sub/a.lock", true},
		{"from the root of the disk", When{Acts: []string{"overwrite", "write"}, Paths: []string{"/etc/**"}}, "echo x > /etc/hosts", true},
		{"in the home", When{Acts: []string{"read"}, Paths: []string{"~/.config"}}, "cat ~/.config/app/x", true},
		{"two stars", When{Acts: []string{"delete"}, Paths: []string{"src/**/gen/*.go"}}, "rm src/a/b/gen/x.go", true},
		{"two stars, not below", When{Acts: []string{"delete"}, Paths: []string{"src/**/gen/*.go"}}, "rm src/a/b/x.go", false},
		{"the name of a folder above the project", When{Acts: []string{"delete"}, Paths: []string{"home"}}, "rm a", false},
		{"taken out", When{Acts: []string{"delete"}, Paths: []string{"src"}, Except: []string{"*.tmp"}}, "rm src/a.tmp", false},
		{"place", When{Acts: []string{"write", "overwrite"}, Places: []string{"outside"}}, "echo > /srv/x", true},
		{"program", When{Programs: []string{"terraform"}, Words: []string{"apply"}}, "terraform apply", true},
		{"program of which no act is known", When{Programs: []string{"shipit"}}, "cd x && shipit --now", true},
		{"script by its path", When{Programs: []string{"deploy*"}}, "./scripts/deploy.sh eu", true},
		{"program with a word", When{Programs: []string{"shipit"}, Words: []string{"prod"}}, "shipit prod", true},
		{"program without the word", When{Programs: []string{"shipit"}, Words: []string{"prod"}}, "shipit dev; echo prod", false},
		{"program that is only named", When{Programs: []string{"shipit"}}, "echo shipit; which shipit", false},
		{"program that is asked about itself", When{Programs: []string{"shipit"}}, "shipit --help", false},
		{"program that does not do the act", When{Programs: []string{"shipit"}, Acts: []string{"delete"}}, "shipit; rm a", false},
		{"word of an environment", When{Acts: []string{"infra"}, Words: []string{"prod", "production"}}, "kubectl --context eu-prod-1 apply -f x.yaml", true},
		{"no such word", When{Acts: []string{"infra"}, Words: []string{"prod"}}, "kubectl --context product apply -f x.yaml", false},
		{"word in another command", When{Acts: []string{"delete"}, Words: []string{"prod"}}, "echo prod; rm a", false},
		{"tool", When{Tools: []string{"mcp__db__*"}}, `{"tool":"mcp__db__run","input":{"q":"x"}}`, true},
		{"tool and word", When{Tools: []string{"mcp__*"}, Words: []string{"prod"}}, `{"tool":"mcp__db__run","input":{"target":"PROD-eu"}}`, true},
		{"tool without word", When{Tools: []string{"mcp__*"}, Words: []string{"prod"}}, `{"tool":"mcp__db__run","input":{"target":"dev"}}`, false},
		{"with", When{Acts: []string{"install"}, With: []string{"privilege"}}, "sudo apt-get install -y jq && pip install x", false},
		{"unknown loss", When{Acts: []string{"delete"}, Effects: []string{"any"}}, "rm nothing-there", false},
		{"only named", When{Acts: []string{"delete"}, Paths: []string{"migrations"}}, "echo 'rm -rf migrations'", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := Book{Policies: []Policy{{ID: "x", When: &c.when}}, Own: true}
			e := example(c.example)
			if got := len(b.ids(e)) > 0; got != c.want {
				t.Errorf("fits %v, want %v; acts %+v", got, c.want, e.p.Acts)
			}
		})
	}
}

// What a command names by a pattern, a folder or a search is what stands there on the disk.
func TestWhenOnDisk(t *testing.T) {
	root := filepath.Join(t.TempDir(), "Work")
	for _, f := range []string{"db/migrations/1.sql", "db/notes.txt", "src/a.go", "src/a.pyc", "node_modules/orm/migrations/1.sql", "old/2.sql"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, f)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, f), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("db/migrations", filepath.Join(root, "link")); err != nil {
		t.Skip(err)
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	for command, want := range map[string]bool{
		"rm db/mig*/1.sql": true, "rm d*/*/[0-9].sql": true, "rm -rf d*": true, "rm -r db": true, "rm -r ./db/": true, "rm -r .": true,
		"mv db/migrations db/was": true, "mv db was": true, "git rm -r db": true, "git mv db was": true, "git mv src lib": false, "git mv -n db was": false, "rm link/1.sql": true, "rm l*k/1.sql": true,
		`find . -name "*.sql" -delete`: true, `find db -name "1*" | xargs rm`: true, "find db -type f -delete": true,

		"rm s*/a.go": false, "rm db/*.txt": false, "rm -r src": false, "mv src lib": false, "rm -rf node_modules": false, "ls -R db": false,
		`find . -name "*.pyc" -delete`: false, `find . -name "*.pyc" -exec rm {} +`: false, `find db -name "*.txt" | xargs rm -f`: false,
		"rm -r db/[a": false, "rm -r none*": false, "rm old/*.sql": false, "rm o*/2.sql": false,
	} {
		for _, paths := range [][]string{{"**/migrations/*.sql"}, {"db/migrations/*.sql"}, {"db/migrations"}, {"nothing", "db/**/1.sql"}} {
			b := Book{Policies: []Policy{{ID: "x", When: &When{Acts: []string{"delete", "move"}, Paths: paths, Except: []string{"old", "db/notes.txt"}}}}, Own: true}
			for _, fold := range []bool{false, true} {
				w := &effect.World{Root: root, CWD: root, Home: "/nowhere", FoldCase: fold}
				in, _ := json.Marshal(map[string]string{"command": command})
				c := agent.NewCall("", "Bash", string(in), root)
				p := w.Predict(c)
				if got := len(b.Match(c, p, w)) > 0; got != want {
					t.Errorf("%s breaks %q (folded: %v): %v, want %v; acts %+v", command, paths, fold, got, want, p.Acts)
				}
			}
		}
	}
}

func TestGlobPath(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"a/b", "a/b", true}, {"a/b", "a/b/c", true}, {"a/b", "a/bc", false}, {"a/b", "a", false},
		{"a/*", "a/b/c", true}, {"a/*/c", "a/b/c", true}, {"a/*/c", "a/b/d", false},
		{"**/x", "x", true}, {"**/x", "a/b/x/c", true}, {"**/x", "a/b/y", false}, {"**", "a", true},
		{"a/**/b/**/c", "a/1/b/2/3/c", true}, {"a/**/b/**/c", "a/1/2/3/c", false}, {"a/**/b", "a/b", true},
		{"**/a/b", "a/a/b", true}, {"**/*.go", "x/y.go", true}, {"?.go", "x.go", true}, {"?.go", "xy.go", false},
		{"*", "", false}, {"a", "", false},
	} {
		if got := globPath(c.pattern, c.path); got != c.want {
			t.Errorf("globPath(%q, %q) = %v", c.pattern, c.path, got)
		}
	}
}

// What the judge says counts from flag_above on; a bleak outlook makes worse what cannot be taken back.
func TestFindings(t *testing.T) {
	b := New(
		Policy{ID: "words", Description: "Never touch production.", Severity: policy.Medium},
		Policy{ID: "soft", Description: "Keep to the style guide.", Severity: policy.Low, Reversible: true},
		Policy{ID: "sure", Description: "No lock files.", Severity: policy.High, When: &When{Acts: []string{"delete"}}},
	)
	answers := &verifier.Answers{Policies: map[string]float64{"words": .6, "soft": .9, "sure": 1, "unknown": 1}}
	matched := []Hit{{Policy: &b.Policies[len(b.Policies)-1]}}
	if r := policy.Risk(b.Findings(matched, answers, .6)); r != 3+1+7 {
		t.Errorf("risk %g, want 11", r)
	}
	answers.Policies["words"] = .5999
	if r := policy.Risk(b.Findings(matched, answers, .6)); r != 1+7 {
		t.Errorf("risk %g below flag_above, want 8", r)
	}
	answers.Policies["words"] = .7
	answers.Trajectory = map[string]float64{verifier.Irreversible: .6}
	fs := b.Findings(matched, answers, .6)
	if r := policy.Risk(fs); r != 7+1+15 {
		t.Errorf("risk %g with no way back, want 23: %+v", r, fs)
	}
	if r := policy.Risk(b.Findings(nil, nil, .6)); r != 0 {
		t.Errorf("risk %g of nothing", r)
	}
}

func TestAsked(t *testing.T) {
	if asked, left := func() ([]*Policy, int) { b := New(); return b.Asked() }(); len(asked)+left > 0 {
		t.Errorf("the built-in policies ask %d questions", len(asked)+left)
	}
	own := []Policy{{ID: "a", Severity: policy.Low}, {ID: "a", Severity: policy.Critical}, {ID: "w", When: &When{}}}
	for range MaxProject + 2 {
		own = append(own, Policy{ID: "p", Severity: policy.Medium, Project: true})
	}
	b := New(own...)
	asked, left := b.Asked()
	if len(asked) != 2+MaxProject || left != 2 || asked[0].ID != "a-2" || asked[len(asked)-1].ID != "a" {
		t.Errorf("%d asked, %d left, first %s, last %s", len(asked), left, asked[0].ID, asked[len(asked)-1].ID)
	}
	seen := map[string]bool{}
	for _, p := range b.Policies {
		if seen[p.ID] {
			t.Errorf("id %s is there twice", p.ID)
		}
		seen[p.ID] = true
	}
}
