package policy

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy/effect"
)

// pair is one call in two states of the disk: it loses something in one and nothing in the other.
type pair struct {
	ID            string          `json:"id"`
	Tool          string          `json:"tool"`
	Command       string          `json:"command"`
	Input         json.RawMessage `json:"input"`
	SetupHarmful  []string        `json:"setup_harmful"`
	SetupHarmless []string        `json:"setup_harmless"`
	CWD           string          `json:"cwd"`
	// Runs says that the call can be run for real to see what it loses; only false is written.
	Runs *bool `json:"runs"`
	// Deep says where else a lost content is looked for than in files, refs and index: also in the "reflog", in all
	// "objects", or only in the branches of the "remote".
	Deep string `json:"deep"`
	// Needs is a program that may not be installed.
	Needs string `json:"needs"`
}

// pairs reads testdata/grounding.jsonl, and the examples kept beside the repository where they are.
func pairs(t *testing.T) []pair {
	t.Helper()
	var out []pair
	no := false
	for i, file := range [...]string{"testdata/grounding.jsonl", "../../shared/cases/grounding-examples.jsonl"} {
		b, err := os.ReadFile(file)
		if os.IsNotExist(err) {
			t.Logf("%s is not here", file)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			var p pair
			if err := json.Unmarshal([]byte(line), &p); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if beside := i > 0; beside { // those were run by who wrote them
				p.Runs = &no
			}
			out = append(out, p)
		}
	}
	return out
}

// scene is a folder with a repository, a home and a temporary folder in it.
type scene struct {
	t   *testing.T
	dir string
}

func stage(t *testing.T, setup []string) scene {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := scene{t, dir}
	write(t, filepath.Join(dir, "home/.gitconfig"), "[user]\n name = Dev\n email = dev@example.com\n[init]\n defaultBranch = main\n")
	if err := os.Mkdir(filepath.Join(dir, "repo"), 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := s.sh("repo", "set -e\n"+strings.Join(setup, "\n")); err != nil {
		t.Fatalf("setup: %v\n%s", err, out)
	}
	return s
}

func (s scene) sh(dir, line string) (string, error) {
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = filepath.Join(s.dir, dir)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(s.dir, "home"), "T=" + s.dir, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C.UTF-8",
		"GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// call is the pair's call in this scene.
func (s scene) call(p pair) agent.Call {
	s.t.Helper()
	in := string(p.Input)
	if p.Command != "" {
		b, err := json.Marshal(map[string]string{"command": p.Command})
		if err != nil {
			s.t.Fatal(err)
		}
		in = string(b)
	}
	return agent.NewCall("", p.Tool, strings.ReplaceAll(in, "$T", s.dir), filepath.Join(s.dir, p.CWD))
}

func (s scene) judge(c agent.Call) ([]Finding, effect.Prediction) {
	w := &effect.World{Root: filepath.Join(s.dir, "repo"), CWD: c.CWD, Home: filepath.Join(s.dir, "home"), Temps: []string{filepath.Join(s.dir, "tmp")}, Patience: time.Minute}
	p := w.Predict(c)
	return Rules(c, p, w, agent.Abilities{}), p
}

// run does the call for real.
func (s scene) run(p pair, c agent.Call) {
	s.t.Helper()
	for _, e := range c.Edits {
		write(s.t, e.Path, e.New)
	}
	if c.Command == "" {
		return
	}
	if out, err := s.sh(p.CWD, c.Command); err != nil {
		s.t.Logf("%s: %v: %s", c.Command, err, out) // one that fails loses what it loses
	}
}

// contents are all texts that can be had: of files, and of what refs, index and, as deep says, reflogs or nothing at all
// hold in every repository of the scene.
func (s scene) contents(deep string) map[string]bool {
	s.t.Helper()
	all := map[string]bool{}
	var repos []string
	err := filepath.WalkDir(s.dir, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || strings.HasSuffix(d.Name(), ".git")):
			repos = append(repos, p)
			return fs.SkipDir
		case d.Name() == ".git" && d.Type().IsRegular():
			repos = append(repos, filepath.Dir(p))
		case d.Type().IsRegular():
			b, err := os.ReadFile(p)
			all[string(b)] = true
			return err
		}
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	const batch = ` | cut -d' ' -f1 | sort -u | git cat-file --batch`
	list := `{ git rev-list --objects --all; git rev-list --objects HEAD; git ls-files -s | cut -d' ' -f2; }`
	switch deep {
	case "reflog":
		list = `git rev-list --objects --all --reflog`
	case "objects":
		list = `git cat-file --batch-all-objects --batch-check`
	}
	if deep == "remote" {
		list, repos = `git rev-list --objects --branches`, []string{filepath.Join(s.dir, "remote.git")}
		clear(all)
	}
	for _, r := range repos {
		rel, err := filepath.Rel(s.dir, r)
		if err != nil {
			s.t.Fatal(err)
		}
		out, err := s.sh(rel, list+" 2>/dev/null"+batch)
		if err != nil {
			s.t.Fatal(err)
		}
		maps.Copy(all, objects(out))
	}
	return all
}

// objects reads git cat-file --batch: "name kind size\n", the text and another newline, for each.
func objects(out string) map[string]bool {
	all := map[string]bool{}
	for out != "" {
		head, rest, _ := strings.Cut(out, "\n")
		f := strings.Fields(head)
		n := 0
		if len(f) == 3 {
			n, _ = strconv.Atoi(f[2]) // git's own number
		}
		if len(f) == 3 && f[1] != "tree" {
			all[rest[:n]] = true
		}
		out = rest[min(n+1, len(rest)):]
	}
	return all
}

// Each pair is judged, and then really run, in both states: it is stopped where it loses something, and silent where it
// does not, and what is told to be lost is what was lost. docs/grounding.md shows the table.
func TestPairsAreToldApart(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	for _, p := range pairs(t) {
		t.Run(p.ID, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(p.Needs); p.Needs != "" && err != nil {
				t.Skip(p.Needs + " is not installed")
			}
			for state, setup := range map[string][]string{"harmful": p.SetupHarmful, "harmless": p.SetupHarmless} {
				s := stage(t, setup)
				c := s.call(p)
				found, pred := s.judge(c)
				if got, want := len(found) > 0, state == "harmful"; got != want {
					t.Errorf("%s state of %q: found %v; acts %+v; effects %+v", state, p.Command, found, pred.Acts, pred.Effects)
				}
				if p.Runs != nil {
					continue
				}
				before := s.contents(p.Deep)
				s.run(p, c)
				after := s.contents(p.Deep)
				lost := false
				for text := range before {
					lost = lost || text != "" && !strings.HasPrefix(text, "built") && !after[text]
				}
				if lost != (state == "harmful") {
					t.Errorf("%s state of %q: really lost %v", state, p.Command, lost)
				}
			}
		})
	}
}
