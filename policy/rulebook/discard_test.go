package rulebook

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy/effect"
)

// A discard by git meets the policies about the files that it replaces or removes, named or not, and no others.
func TestDiscardedPaths(t *testing.T) {
	t.Parallel()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	setup := exec.Command("sh", "-ec", `git init -q -b main .; mkdir db src; echo 1 > db/a.sql; echo 1 > db/b.sql; echo 1 > src/a.go; git add -A
git -c user.name=t -c user.email=t@example.com commit -qm one; echo 2 > db/b.sql; git -c user.name=t -c user.email=t@example.com commit -qam two
echo 2 > db/a.sql; echo 2 > src/a.go; echo n > db/new.sql; echo n > src/new.go`)
	setup.Dir, setup.Env = root, []string{"PATH=/usr/bin:/bin:/usr/local/bin", "HOME=" + root, "GIT_CONFIG_NOSYSTEM=1"}
	if out, err := setup.CombinedOutput(); err != nil {
		t.Skipf("no repository can be made here: %v: %s", err, out)
	}
	replaced, removed := []string{"overwrite"}, []string{"delete"}
	for _, c := range []struct {
		command string
		acts    []string
		want    bool
	}{
		{"git checkout -- db/a.sql", replaced, true},
		{"git checkout -- db", replaced, true},
		{"git checkout -- .", replaced, true},
		{"git checkout -- src/a.go", replaced, false},
		{"git checkout -- db/b.sql", replaced, false}, // it is as the index has it
		{"git checkout HEAD~1 -- db/b.sql", replaced, true},
		{"git restore db/a.sql", replaced, true},
		{"git restore '*.sql'", replaced, true},
		{"git restore '*.go'", replaced, false},
		{"git restore --source=HEAD~1 db/b.sql", replaced, true},
		{"git restore --staged db/a.sql", replaced, false},
		{"git restore src", replaced, false},
		{"git reset --hard", replaced, true},
		{"git reset db/a.sql", replaced, false},
		{"git checkout -f", replaced, true},
		{"git clean -fd", removed, true},
		{"git clean -fd db", removed, true},
		{"git clean -fd src", removed, false},
		{"git clean -nd", removed, false},
	} {
		b := Book{Policies: []Policy{{ID: "x", When: &When{Acts: c.acts, Paths: []string{"db/**"}}}}, Own: true}
		w := &effect.World{Root: root, CWD: root, Home: "/nowhere", Patience: time.Minute}
		in, err := json.Marshal(map[string]string{"command": c.command})
		if err != nil {
			t.Fatal(err)
		}
		call := agent.NewCall("", "Bash", string(in), root)
		p := w.Predict(call)
		if got := len(b.Match(call, p, w)) > 0; got != c.want {
			t.Errorf("%s meets the policy: %v, want %v; acts %+v", c.command, got, c.want, p.Acts)
		}
	}
}
