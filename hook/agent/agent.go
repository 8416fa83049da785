// Package agent is the language the gate speaks about any coding agent: the event an agent sends, the call inside it,
// the reply it gets and what that agent is able to do with a reply.
//
// It promises that an Event holds exactly one meaning (duplicate keys resolved, text valid UTF-8) whichever agent sent
// it. It knows no agent by name; those are the packages below it.
package agent

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/stepgate/stepgate/redact"
)

// Kind says what an event is about, in the gate's words.
type Kind uint8

const (
	// Unknown is an event the gate has no use for; it is answered with silence.
	Unknown Kind = iota
	// PreTool is a pending call: the only kind that gets a decision.
	PreTool
	// PostTool is the result of a call that ran.
	PostTool
	// Prompt is text given to the agent, by a person or not (Event.Person).
	Prompt
	// Start opens a session, or resumes one.
	Start
	// Stop ends the agent's turn.
	Stop
	// SubagentStart and SubagentStop frame a subagent's work.
	SubagentStart
	SubagentStop
	// End closes a session.
	End
)

var kindNames = [...]string{"unknown", "pre tool", "post tool", "prompt", "start", "stop", "subagent start", "subagent stop", "end"}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Event is one hook event, whatever agent sent it.
type Event struct {
	Kind Kind
	// Name is the agent's own name for the event; a reply repeats it.
	Name string
	// Session is the agent's session id; subagents share their parent's.
	Session string
	// AgentID and AgentType name the subagent the event comes from; both are empty in the main thread.
	AgentID, AgentType string
	// Turn changes with each prompt (Claude Code: prompt_id, Codex: turn_id).
	Turn string
	// Transcript is the path of the agent's own log of the session.
	Transcript string
	// CWD is where the agent's shell stands now, absolute; empty where the payload names no such folder.
	CWD string
	// PermissionMode is the agent's own mode: default, acceptEdits, plan, dontAsk, auto, bypassPermissions or empty.
	PermissionMode string
	// Model is the model's name where the agent sends it.
	Model string
	// Call is set for PreTool and PostTool.
	Call Call
	// Result is set for PostTool.
	Result Result
	// Prompt is the text of a Prompt event; Person says a person typed it (not a subagent's task, not a notification).
	Prompt string
	Person bool
	// Source is why a session started or ended (startup, resume, clear, compact, …).
	Source string
}

// Call is one tool use.
type Call struct {
	// ID is the agent's id of this call; empty where it sends none.
	ID string
	// Tool is the tool's name as the agent wrote it: Bash, Edit, apply_patch, mcp__server__tool.
	Tool string
	// Capability is what kind of tool that is, from the table in tools.go.
	Capability Capability
	// Input is the tool's input: one JSON object, duplicate keys resolved to the last, valid UTF-8.
	Input string
	// Command is the command line, for Shell, and Dialect the shell that reads it: POSIX, PowerShell or Cmd.
	Command string
	Dialect string
	// Edits are the changes to files that Input spells out, for Write.
	Edits []Edit
	// Paths are the files or folders that Input names and that are not in Edits (a Read, a Glob's root).
	Paths []string
	// CWD is where the call would run.
	CWD string
	// Unsure says why the call could not be read whole; empty otherwise.
	Unsure string
}

// Edit is one change to one file, as a Write, Edit, MultiEdit, NotebookEdit or apply_patch call spells it out.
type Edit struct {
	Op   EditOp
	Path string // as written in the call
	To   string // new path, for Move
	Old  string // replaced text, for Update; may be empty
	New  string // text that is written
}

// EditOp says what an Edit does to its file.
type EditOp string

const (
	WriteFile EditOp = "write" // the whole content is given; the file may exist
	Update    EditOp = "update"
	Delete    EditOp = "delete"
	Move      EditOp = "move"
)

// Result is what an agent tells about a call that ran.
type Result struct {
	// Known is false where the agent does not say whether the call failed (Codex sends no exit code).
	Known       bool
	Failed      bool
	Interrupted bool
	// Error is the agent's own error text, short. Output is what the tool gave back: raw JSON of any type, not masked.
	Error    string
	Output   string
	Duration time.Duration
}

// Action is what is done about a call. The zero value lets it run in silence; a larger value is stronger.
type Action uint8

const (
	Allow Action = iota
	Ask
	Deny
)

var actionNames = [...]string{"allow", "ask", "deny"}

func (a Action) String() string {
	if int(a) < len(actionNames) {
		return actionNames[a]
	}
	return fmt.Sprintf("Action(%d)", uint8(a))
}

// MarshalJSON writes the action as its word.
func (a Action) MarshalJSON() ([]byte, error) { return json.Marshal(a.String()) }

// UnmarshalJSON reads one of allow, ask and deny.
func (a *Action) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	for i, n := range actionNames {
		if s == n {
			*a = Action(i)
			return nil
		}
	}
	return fmt.Errorf("action %q is not one of allow, ask, deny", s)
}

// Reply is what the agent is told. Its texts leave the process, so they are masked.
type Reply struct {
	Action Action
	// Reason goes to the model, or to the person asked; never empty beside Ask and Deny.
	Reason redact.Text
	// Notice goes to the person at the terminal and may stand beside any action.
	Notice redact.Text
	// Halt beside a Deny ends the agent's run, where the agent knows such an answer.
	Halt bool
}

// Output is a reply in the form the agent reads: at most one JSON document on standard output.
type Output struct {
	Stdout []byte
	Stderr []byte
	Exit   int
}

// AskAbility says what becomes of an ask.
type AskAbility uint8

const (
	// AskPerson: a person is asked.
	AskPerson AskAbility = iota
	// AskWaved: the agent may let the call run without asking (bypassPermissions, auto, dontAsk).
	AskWaved
	// AskNobody: nobody is there to be asked.
	AskNobody
	// AskUnsupported: the agent has no ask for this event.
	AskUnsupported
)

// Abilities is what an agent can do with a reply to one event.
type Abilities struct {
	Ask AskAbility
	// Why says in words why a person will not be asked; empty with AskPerson.
	Why string
	// TypingUnseen says that what is typed into a program which an earlier call started fires no hook.
	TypingUnseen bool `json:",omitempty"`
}

// Protocol is one agent's side of the hook.
type Protocol interface {
	// Parse reads one payload; an error means that it could not be read. Beside ErrTooLarge the Event still tells its
	// kind, name, session and tool.
	Parse(payload []byte) (Event, error)
	// Render writes a reply in the agent's form. The zero Reply is silence. An Ask that the agent does not know leaves as
	// a Deny, and both always have a reason: a Reply that is to stop a call never lets it run. The zero Event stands for
	// a payload that could not be read; it is answered as a pending call.
	Render(Event, Reply) Output
	// Abilities tells what an ask would come to; env is the trusted part of the environment.
	Abilities(ev Event, env func(string) string) Abilities
	// Root is the project's root as the agent's environment tells it, or empty.
	Root(env func(string) string) string
	// EnvFiles lists the project's own settings files whose "env" object reaches a hook's environment.
	EnvFiles(root string) []string
}
