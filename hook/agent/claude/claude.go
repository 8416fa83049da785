// Package claude speaks the hook protocol of Claude Code, as it was watched in version 2.1.332.
//
// It promises that a reply that is to stop a call does stop it, and that nothing it writes lets a call run that Claude
// Code itself would have asked about: it never answers "allow".
package claude

import (
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/hook/agent"
)

// Protocol is Claude Code's side of the hook.
type Protocol struct{}

var _ agent.Protocol = Protocol{}

// Events by the name Claude Code gives them.
const (
	preToolUse = "PreToolUse"
	// preSkillShellCommand is a slash command's or skill's own shell line, which runs without PreToolUse.
	preSkillShellCommand = "PreSkillShellCommand"
	postToolUse          = "PostToolUse"
	postToolUseFailure   = "PostToolUseFailure"
	sessionStart         = "SessionStart"
	sessionEnd           = "SessionEnd"
)

func kindOf(event string) agent.Kind {
	switch event {
	case preToolUse, preSkillShellCommand:
		return agent.PreTool
	case postToolUse, postToolUseFailure:
		return agent.PostTool
	case "UserPromptSubmit":
		return agent.Prompt
	case sessionStart:
		return agent.Start
	case sessionEnd:
		return agent.End
	case "Stop":
		return agent.Stop
	case "SubagentStart":
		return agent.SubagentStart
	case "SubagentStop":
		return agent.SubagentStop
	}
	return agent.Unknown
}

// Parse reads one payload.
func (Protocol) Parse(payload []byte) (agent.Event, error) {
	f, err := agent.ReadFields(payload)
	ev := f.AsEvent(kindOf(f.Event))
	ev.Turn = f.PromptID
	switch f.Event {
	case postToolUse:
		ev.Result = agent.Result{
			Known:       true,
			Interrupted: gjson.Get(f.Response, "interrupted").Type == gjson.True,
			Output:      f.Response,
			Duration:    f.Duration,
		}
	case postToolUseFailure:
		ev.Result = agent.Result{Known: true, Failed: true, Interrupted: f.Interrupted, Error: f.ErrorMsg, Duration: f.Duration}
	case sessionStart:
		ev.Source = f.Source
	case sessionEnd:
		ev.Source = f.Reason
	}
	ev.Person = ev.Kind == agent.Prompt && ev.AgentID == "" && personSent(f.Source) && !machineMade(ev.Prompt)
	return ev, err
}

// personSent reads who sent a prompt. The schema has the member, but 2.1.332 leaves it out; there a prompt that the model
// put off with ScheduleWakeup cannot be told from one that a person typed.
func personSent(source string) bool {
	switch source {
	case "", "user", "sdk":
		return true
	}
	return false // system, loop_wakeup, schedule_wakeup, poll_event
}

// machineMade tells a prompt that no person typed: word of a background task, another agent or a program, or the
// client's own notes. Each comes in a tag of its own.
func machineMade(prompt string) bool {
	prompt = strings.TrimSpace(prompt)
	if !strings.HasPrefix(prompt, "<") {
		return false
	}
	for _, tag := range machineTags {
		rest, ok := strings.CutPrefix(prompt[1:], tag)
		if ok && rest != "" && strings.ContainsRune("> \t\n/", rune(rest[0])) {
			return true
		}
	}
	return false
}

// machineTags stand in the program; a task-notification was seen as a prompt of its own.
var machineTags = [...]string{
	"task-notification", "teammate-message", "agent-message", "cross-session-message", "channel", "tick", "event",
	"system-reminder", "local-command-caveat", "local-command-stdout", "local-command-stderr",
	"bash-input", "bash-stdout", "bash-stderr", "command-name", "command-message", "user-prompt-submit-hook",
}

// Abilities tells what an ask would come to.
func (Protocol) Abilities(ev agent.Event, env func(string) string) agent.Abilities {
	if ev.Name == preSkillShellCommand {
		// A skill cannot wait for an answer: an ask keeps its command from running.
		return agent.Abilities{Ask: agent.AskUnsupported, Why: "not askable"}
	}
	if env("CLAUDE_CODE_SESSION_ATTENDED") == "0" {
		return agent.Abilities{Ask: agent.AskNobody, Why: "non-interactive"}
	}
	switch ev.PermissionMode {
	case "", "default", "acceptEdits", "plan":
		return agent.Abilities{Ask: agent.AskPerson}
	case "bypassPermissions", "auto", "dontAsk":
		return agent.Abilities{Ask: agent.AskWaved, Why: "permission mode " + ev.PermissionMode}
	}
	return agent.Abilities{Ask: agent.AskWaved, Why: "unknown permission mode"}
}

// Root is the project's root.
func (Protocol) Root(env func(string) string) string { return env("CLAUDE_PROJECT_DIR") }

// EnvFiles lists the settings files of a project; Claude Code puts their "env" into the environment of hooks.
func (Protocol) EnvFiles(root string) []string {
	if root == "" {
		return nil
	}
	return []string{filepath.Join(root, ".claude", "settings.json"), filepath.Join(root, ".claude", "settings.local.json")}
}
