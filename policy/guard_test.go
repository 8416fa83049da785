package policy

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stepgate/stepgate/hook/agent"
)

const gateEntry = `{"model":"x","hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"/usr/local/bin/stepgate-hook claude"}]}]},"permissions":{"allow":["Read"]}}`

// guarded is a project whose agents' settings start the gate, at home and in the project.
func guarded(t *testing.T) project {
	p := build(t, calmScript)
	for _, f := range []string{p.home + "/.claude/settings.json", p.root + "/.claude/settings.json"} {
		write(t, f, gateEntry)
	}
	write(t, p.home+"/.codex/hooks.json", `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"stepgate-hook codex"}]}]}}`)
	write(t, p.home+"/.codex/config.toml", "model = \"x\"\n[features]\nhooks = true\n")
	write(t, p.home+"/.config/stepgate/config.toml", "mode = \"enforce\"\n")
	write(t, p.home+"/.local/state/stepgate/sessions/x/s.jsonl", "{}\n")
	return p
}

func fileCall(tool, path, old, now string) agent.Call {
	op := agent.Update
	if tool == "Write" {
		op = agent.WriteFile
	}
	in, err := json.Marshal(map[string]string{"file_path": path, "old_string": old, "new_string": now, "content": now})
	if err != nil {
		panic(err)
	}
	return agent.Call{Tool: tool, Capability: agent.Write, Input: string(in), Paths: []string{path}, Edits: []agent.Edit{{Op: op, Path: path, Old: old, New: now}}}
}

// The gate guards itself: what would take it out of the way is refused, what runs on its own is asked about, and work on
// the same files and programs that has nothing to do with it is silent.
func TestGuardsItself(t *testing.T) {
	t.Parallel()
	p := guarded(t)
	hard := map[string][]string{
		"its config, state, programs": {
			"rm ~/.config/stepgate/config.toml", "sed -i s/enforce/off/ ~/.config/stepgate/config.toml", "cp /dev/null ~/.local/state/stepgate/sessions/x/s.jsonl", "mv ~/.local/state/stepgate /tmp/x",
			"chmod 000 ~/go/bin/stepgate-hook", "ln -sf /bin/true ~/go/bin/stepgate-hook", "ln -s ~/.config c && echo x > c/stepgate/config.toml", "tee ~/.config/stepgate/policies.toml < x",
			"find ~/.config -name '*.toml' -path '*stepgate*' -delete", "truncate -s0 ~/.local/state/stepgate/sessions/x/s.jsonl", "perl -pi -e s/enforce/off/ ~/.config/stepgate/config.toml", "git -C ~/.config/stepgate clean -fdx",
			"rsync -a --delete empty/ ~/.config/stepgate/", "dd if=/dev/zero of=$HOME/go/bin/stepgate-hook", "install -m755 x ~/go/bin/stepgate-hook", "go build -o ~/go/bin/stepgate-hook ./evil",
		},
		"its entry in settings": {
			"rm .claude/settings.json", "mv .claude/settings.json x.json", "mv ~/.claude ~/.claude.bak", "echo '{}' > ~/.claude/settings.json", "cp /tmp/x.json ~/.claude/settings.json", "jq 'del(.hooks)' ~/.claude/settings.json > t && mv t ~/.claude/settings.json",
			"sed -i /stepgate/d ~/.codex/hooks.json", "sed -i 's/hooks = true/hooks = false/' ~/.codex/config.toml", "git checkout HEAD~3 -- .claude/settings.json", "git restore -s v1 .claude/settings.json", "git rm -f .claude/settings.json", "git mv .claude/settings.json was.json", "git mv .claude was", "git mv -k mine.json .claude/settings.json",
			"printf '{\"disableAllHooks\":true}' > .claude/settings.local.json", "truncate -s 0 .claude/settings.json", "python3 -c \"open('.claude/settings.json','w').write('{}')\"", "rm -rf .claude",
		},
		"its switches in the environment": {"export STEPGATE_MODE=off", "STEPGATE_MODE=audit claude -p x", "STEPGATE_CONFIG_HOME=/tmp/x codex exec y", `echo '{"env":{"STEPGATE_MODE":"off"}}' > .claude/settings.local.json`},
		"its commands":                    {"stepgate mode off", "stepgate policy allow git.discard .", "stepgate plan set x", "stepgate config set mode off", "echo y | stepgate uninstall claude", "yes | stepgate approve ABCD"},
		"its processes":                   {"pkill stepgate", "killall -9 stepgate-hook", "kill $(pidof stepgate-hook)", "pgrep -f stepgate | xargs -r kill", "kill -9 `pgrep -f stepgate`"},
		"agents without it": {
			"claude --bare -p x", "claude --safe-mode", `claude --settings '{"disableAllHooks":true}' -p x`, `echo '{"disableAllHooks":true}' > /tmp/s.json; claude --settings /tmp/s.json -p x`, "codex --dangerously-bypass-hook-trust exec x",
			"codex exec -c features.hooks=false x", "codex --disable hooks exec x", "nohup claude --bare -p x &", "npx @anthropic-ai/claude-code --bare -p x", "bash -c 'claude --bare'", "ssh localhost claude --bare -p x",
		},
	}
	for what, lines := range hard {
		for _, line := range lines {
			if got := p.judge(shellCall(line)); len(got) == 0 || got[0].Class != Hard || !strings.HasPrefix(got[0].Rule, "guard.") {
				t.Errorf("%s: %q: want a hard rule of the guard, got %v", what, line, ids(got))
			}
		}
	}
	for _, line := range []string{ // what runs on its own
		`echo '{"statusLine":{"type":"command","command":"./x"}}' > .claude/settings.local.json`, `echo '{"apiKeyHelper":"./x"}' > .claude/settings.local.json`, `echo '{"mcpServers":{"x":{"command":"y"}}}' > .mcp.json`,
		"echo 'export X=1' >> .envrc", "mkdir -p .claude/commands; printf '!`date`\\n' > .claude/commands/x.md", "mkdir -p .claude/agents; printf '!`date`\\n' > .claude/agents/x.md", "echo 'notify = [\"./x\"]' >> ~/.codex/config.toml",
		"claude mcp add x -- ./server", "codex mcp add x -- ./server", "claude plugin marketplace add a/b",
	} {
		if got := p.judge(shellCall(line)); len(got) == 0 {
			t.Errorf("what runs on its own: %q must ask", line)
		}
	}
	for _, line := range []string{ // work of every day with the same words
		"cat .claude/settings.json", "jq .hooks ~/.claude/settings.json", "ls ~/.claude ~/.codex", "git diff .claude/settings.json", "git add .claude/settings.json", "git checkout HEAD -- README.md", "cp .claude/settings.json /tmp/s.json",
		"mkdir -p .claude/commands; echo 'Review the diff.' > .claude/commands/review.md", "claude --version", "claude -p 'explain hooks'", "codex exec 'run the tests'", "stepgate status", "stepgate mode", "stepgate log show", "stepgate mode enforce",
		"ps aux | grep claude", "pgrep -fl stepgate", "which stepgate-hook", "echo $STEPGATE_MODE", "env | grep STEPGATE", "grep -rn stepgate docs", "touch stepgate.md", "claude mcp list", "direnv allow", "perl -ne 'print if /i/' README.md", "perl -pi -e 's/a/b/' README.md", "tar xzf a.tgz -C build", "rm -rf .claude/commands", "cat .mcp.json", "cat .envrc.example",
		"go build -o build/stepgate-hook ./cmd/stepgate-hook", "rm -f build/stepgate-hook", `echo '{"permissions":{"allow":["Bash(ls)"]}}' > .claude/settings.local.json`, "kill 4711",
	} {
		if got := p.judge(shellCall(line)); len(got) > 0 {
			t.Errorf("%q must be silent, got %v: %s", line, ids(got), got[0].Why)
		}
	}
}

func TestGuardsSettingsAgainstEdits(t *testing.T) {
	t.Parallel()
	p := guarded(t)
	home, own := p.home+"/.claude/settings.json", p.root+"/.claude/settings.json"
	for _, c := range []struct {
		name string
		call agent.Call
		want string
	}{
		{"the entry dropped", fileCall("Write", own, "", `{"model":"x"}`), "guard.settings"},
		{"the entry dropped at home", fileCall("Write", home, "", `{}`), "guard.settings"},
		{"the entry edited away", fileCall("Edit", own, `"/usr/local/bin/stepgate-hook claude"`, `"true"`), "guard.settings"},
		{"the matcher narrowed", fileCall("Edit", own, `"matcher":"*"`, `"matcher":"Read"`), "guard.settings"},
		{"all hooks off", fileCall("Edit", own, `"model":"x"`, `"model":"x","disableAllHooks":true`), "guard.settings"},
		{"a switch set", fileCall("Edit", own, `"model":"x"`, `"model":"x","env":{"STEPGATE_MODE":"off"}`), "guard.settings"},
		{"the config written", fileCall("Write", p.home+"/.config/stepgate/config.toml", "", "mode='off'"), "guard.tamper"},
		{"a status line added", fileCall("Edit", own, `"model":"x"`, `"model":"x","statusLine":{"type":"command","command":"./x"}`), "persist.hook"},
		{"a key helper added", fileCall("Edit", home, `"model":"x"`, `"model":"x","apiKeyHelper":"./x"`), "persist.hook"},
		{"servers added", fileCall("Write", p.root+"/.mcp.json", "", `{"mcpServers":{"x":{"command":"y"}}}`), "persist.hook"},
		{"a command file with a shell line", fileCall("Write", p.root+"/.claude/commands/x.md", "", "Look: !`git log`\n"), "persist.hook"},
		{"another model", fileCall("Edit", own, `"model":"x"`, `"model":"y"`), ""},
		{"another permission", fileCall("Edit", home, `"allow":["Read"]`, `"allow":["Read","Glob"]`), ""},
		{"the same entry, written whole", fileCall("Edit", own, gateEntry, strings.Replace(gateEntry, `"model":"x"`, `"model":"y"`, 1)), ""},
		{"a command file of words", fileCall("Write", p.root+"/.claude/commands/x.md", "", "Look at the log.\n"), ""},
		{"other settings of the same name", fileCall("Write", p.root+"/config/settings.json", "", `{"hooks":{}}`), ""},
	} {
		got := ids(p.judge(c.call))
		if c.want == "" && len(got) > 0 || c.want != "" && !contains(got, c.want) {
			t.Errorf("%s: got %v, want %q", c.name, got, c.want)
		}
	}
}
