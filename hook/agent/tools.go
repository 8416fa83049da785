package agent

// Capability is the kind of a tool, common to all agents.
type Capability string

const (
	Shell  Capability = "shell"  // runs a command line
	Write  Capability = "write"  // creates or changes files
	Read   Capability = "read"   // reads files or lists them
	Search Capability = "search" // searches names or contents
	Fetch  Capability = "fetch"  // reads from the network
	Task   Capability = "task"   // hands work to a subagent
	Plan   Capability = "plan"   // keeps the agent's own notes, to-dos and questions
	Other  Capability = "other"  // anything else, MCP tools among them
)
