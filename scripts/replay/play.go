package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// player plays one session.
type player struct {
	hook, dir, home, root string
	verbose               bool
	from                  string // the recorded root
	n                     int
	edits                 int
}

// recorded matches the home folder of a recording, and what lies two or three folders below it.
var (
	recordedHome = regexp.MustCompile(`/(?:Users|home)/dev\b`)
	recordedRoot = regexp.MustCompile(`/(?:Users|home)/dev/[\w-][\w.-]*(?:/[\w.-]+){1,2}`)
)

// rootOf guesses the recorded project: the folder named most often.
func rootOf(calls []call) string {
	counts := map[string]int{}
	for _, c := range calls {
		texts := []string{c.CWD}
		for _, v := range c.Input {
			if s, ok := v.(string); ok {
				texts = append(texts, s)
			}
		}
		for _, s := range texts {
			for _, m := range recordedRoot.FindAllString(s, -1) {
				if strings.Count(m, "/") >= 5 && filepath.Ext(m) == "" {
					counts[m]++
				}
			}
		}
	}
	best := ""
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		if counts[k] > counts[best] {
			best = k
		}
	}
	return best
}

func newPlayer(hook, dir string, calls []call) (*player, error) {
	p := &player{hook: hook, dir: dir, home: filepath.Join(dir, "home"), root: filepath.Join(dir, "home", "project"), from: rootOf(calls)}
	if err := os.MkdirAll(p.root, 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(p.root, ".gitignore"), []byte("node_modules/\ndist/\nbuild/\nbin/\n*.log\n"), 0o600); err != nil {
		return nil, err
	}
	for _, c := range calls {
		if c.Tool == "Read" || c.Tool == "Edit" {
			path, _ := p.here(c.Input["file_path"]).(string)
			if rel, err := filepath.Rel(p.root, path); err == nil && filepath.IsLocal(rel) {
				os.MkdirAll(filepath.Dir(path), 0o700) // a path that cannot be made is one file less
				os.WriteFile(path, []byte("text\n"), 0o600)
			}
		}
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-qm", "start"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = p.root
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.home, "GIT_CONFIG_NOSYSTEM=1",
			"GIT_AUTHOR_NAME=r", "GIT_AUTHOR_EMAIL=r@example.com", "GIT_COMMITTER_NAME=r", "GIT_COMMITTER_EMAIL=r@example.com"}
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("git %s: %w: %s", args[0], err, out)
		}
	}
	return p, nil
}

// here moves recorded paths below the player's own folders.
func (p *player) here(v any) any {
	switch v := v.(type) {
	case string:
		if p.from != "" {
			v = strings.ReplaceAll(v, p.from, p.root)
		}
		return recordedHome.ReplaceAllString(v, p.home)
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			out[k] = p.here(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = p.here(e)
		}
		return out
	}
	return v
}

// play sends the events of a session.
func (p *player) play(calls []call, sum *tally) error {
	for _, m := range []*map[string]int{&sum.rules, &sum.found, &sum.told} {
		if *m == nil {
			*m = map[string]int{}
		}
	}
	if _, err := p.send(event{"hook_event_name": "SessionStart", "source": "startup"}); err != nil {
		return err
	}
	if _, err := p.send(event{"hook_event_name": "UserPromptSubmit", "prompt": calls[0].Plan}); err != nil {
		return err
	}
	before := *sum
	for _, c := range calls {
		p.n++
		ev := event{"hook_event_name": "PreToolUse", "tool_name": c.Tool, "tool_input": p.here(c.Input), "tool_use_id": fmt.Sprint("t", p.n)}
		said, err := p.send(ev)
		if err != nil {
			return err
		}
		sum.calls++
		p.count(said, c, sum)
		ev["hook_event_name"], ev["tool_response"] = "PostToolUse", p.response(c)
		if said.Specific.Decision == "deny" {
			continue
		}
		if _, err := p.send(ev); err != nil {
			return err
		}
	}
	if sum.asks+sum.denies+sum.notices > before.asks+before.denies+before.notices {
		sum.bothered++
	}
	return p.findings(sum)
}

// response is what a tool may have given back: of a command the same until a file is edited; of other tools nothing, as
// the recordings have lost which part of a file was read.
func (p *player) response(c call) any {
	if c.Tool == "Edit" || c.Tool == "Write" {
		p.edits++
	}
	out := event{"stdout": "", "stderr": "", "interrupted": false}
	if command, ok := c.Input["command"].(string); ok {
		out["stdout"] = fmt.Sprintf("what %q printed after %d edits", command, p.edits)
	}
	return out
}

func (p *player) count(said reply, c call, sum *tally) {
	what := said.Message
	switch said.Specific.Decision {
	case "ask":
		sum.asks++
		what = said.Specific.Reason
	case "deny":
		sum.denies++
		what = said.Specific.Reason
	}
	if said.Message != "" {
		sum.notices++
		sum.told[numbers.ReplaceAllString(said.Message, "N")]++
	}
	if i := strings.Index(said.Specific.Reason, "Decided by "); i >= 0 {
		rule, _, _ := strings.Cut(said.Specific.Reason[i+len("Decided by "):], ";")
		sum.rules[rule]++
	}
	if what != "" && p.verbose {
		in, _ := json.Marshal(c.Input)
		fmt.Printf("%s call %d: %s %.160s\n    %.300s\n", filepath.Base(p.dir), p.n, c.Tool, in, what)
	}
}

var numbers = regexp.MustCompile(`\d+`)

// findings counts what the record has of rules over the session, said or not.
func (p *player) findings(sum *tally) error {
	files, err := filepath.Glob(filepath.Join(p.dir, "state", "sessions", "*", "*.jsonl"))
	if err != nil {
		return err
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		for line := range bytes.Lines(b) {
			var l struct {
				Findings []struct{ Rule, Action string } `json:"findings"`
			}
			if json.Unmarshal(line, &l) != nil {
				continue
			}
			for _, found := range l.Findings {
				if strings.HasPrefix(found.Rule, "session.") || strings.HasPrefix(found.Rule, "flow.") {
					sum.found[found.Rule+" "+found.Action]++
				}
			}
		}
	}
	return nil
}

type event map[string]any

// reply is what the hook wrote.
type reply struct {
	Message  string `json:"systemMessage"`
	Specific struct {
		Decision string `json:"permissionDecision"`
		Reason   string `json:"permissionDecisionReason"`
	} `json:"hookSpecificOutput"`
}

func (p *player) send(ev event) (reply, error) {
	ev["session_id"], ev["cwd"], ev["permission_mode"] = "replay", p.root, "default"
	in, err := json.Marshal(ev)
	if err != nil {
		return reply{}, err
	}
	cmd := exec.Command(p.hook, "claude")
	cmd.Dir = p.root
	cmd.Stdin = bytes.NewReader(in)
	cmd.Env = []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "CLAUDE_PROJECT_DIR=" + p.root,
		"STEPGATE_MODE=enforce", "STEPGATE_JUDGE=local", "STEPGATE_SNAPSHOT=off",
		"STEPGATE_CONFIG_HOME=" + filepath.Join(p.dir, "config"), "STEPGATE_STATE_HOME=" + filepath.Join(p.dir, "state")}
	for _, kv := range os.Environ() { // STEPGATE_TRIGGERS and others can be tried out
		if strings.HasPrefix(kv, "STEPGATE_TRIGGER") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	out, err := cmd.Output()
	if err != nil {
		return reply{}, fmt.Errorf("%s: %w", ev["hook_event_name"], err)
	}
	var r reply
	if len(out) > 0 {
		err = json.Unmarshal(out, &r)
	}
	return r, err
}
