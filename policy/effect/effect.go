// Package effect tells what a call would do: its acts, and what those would lose on this disk and in this repository.
//
// Acts are read from the call alone; effects are looked up, bounded in entries and time. What cannot be looked up is
// Unknown, never clean. It changes nothing and runs nothing of the project's.
package effect

// ActKind is what a call does to something.
type ActKind string

const (
	Read      ActKind = "read"
	Write     ActKind = "write"     // creates or appends
	Overwrite ActKind = "overwrite" // replaces the whole content
	Edit      ActKind = "edit"      // changes a part in place
	Delete    ActKind = "delete"
	Move      ActKind = "move"
	Execute   ActKind = "execute"
	Spawn     ActKind = "spawn" // an interactive shell or an interpreter fed from elsewhere
	Send      ActKind = "send"
	Receive   ActKind = "receive"
	Privilege ActKind = "privilege"
	Persist   ActKind = "persist" // shell profile, cron, service, git hook, authorized_keys, launch agent
	Kill      ActKind = "kill"
	Install   ActKind = "install"
	Rewrite   ActKind = "rewrite" // version control: history, refs or the work tree discarded
	Publish   ActKind = "publish" // push, release, registry
	Database  ActKind = "database"
	Infra     ActKind = "infra" // infrastructure, cloud, containers
	Secret    ActKind = "secret"
	Guard     ActKind = "guard" // touches the gate itself
	Commit    ActKind = "commit"
	Test      ActKind = "test" // runs tests, a build, a linter or a type check
	Opaque    ActKind = "opaque"
)

// Kinds are all kinds of an act.
var Kinds = [...]ActKind{
	Read, Write, Overwrite, Edit, Delete, Move, Execute, Spawn, Send, Receive, Privilege, Persist, Kill, Install, Rewrite, Publish,
	Database, Infra, Secret, Guard, Commit, Test, Opaque,
}

// Place is where a target lies.
type Place string

const (
	InProject Place = "project"
	Outside   Place = "outside"
	InHome    Place = "home" // in the home folder, outside the project
	InTemp    Place = "temp" // in a temporary folder, outside the project and any repository
	Root      Place = "root" // the file system's root or a system folder itself
	Home      Place = "home-itself"
	Device    Place = "device"
	Remote    Place = "remote"
	Nowhere   Place = "" // no path
)

// Act is one thing a call does.
type Act struct {
	Kind ActKind `json:"kind"`
	// Target is an absolute path, a host, a ref or a name; empty when it cannot be known or there is none.
	Target string `json:"target,omitempty"`
	Place  Place  `json:"place,omitempty"`
	// Program is the command or tool that does it.
	Program string `json:"program,omitempty"`
	// How is the verb or flag that makes it so: "push --force", "-rf", "DROP TABLE".
	How string `json:"how,omitempty"`
	// Tag is the act's meaning in the closed vocabulary of tags.go, which the rules are written in; often empty.
	Tag       Tag  `json:"tag,omitempty"`
	Recursive bool `json:"recursive,omitempty"`
	Force     bool `json:"force,omitempty"`
	// Prod says that a word of the command, or of its environment, means that people depend on what it acts on.
	Prod bool `json:"prod,omitempty"`
	// NoLoss says that the act was looked up and has nothing to lose: what it would delete is not there, git has it, or a
	// build brings it back.
	NoLoss bool `json:"no_loss,omitempty"`
	// Unsure says what about the act could not be known.
	Unsure string `json:"unsure,omitempty"`
	// Command is the index of the shell command it comes from, -1 for file tools.
	Command int `json:"-"`
	// Picks says that an act on a whole tree takes a path below its target too, as find -name does; nil: it takes all.
	Picks func(path string) bool `json:"-"`
}

// Effect is what acts would lose, as looked up.
type Effect struct {
	Kind   string `json:"kind"` // "files", "commits", "changes", "content", "stash", "objects", "pushed", "unknown"
	Target string `json:"target"`
	// Files and Bytes count what the act covers; Lost counts the files of them that exist nowhere else.
	Files int   `json:"files"`
	Bytes int64 `json:"bytes"`
	Lost  int   `json:"lost"`
	// Names are up to three of the lost ones.
	Names []string `json:"names,omitempty"`
	// AtLeast says that a bound was reached: the counts are lower limits.
	AtLeast bool `json:"at_least,omitempty"`
	// Unknown says why nothing could be looked up.
	Unknown string `json:"unknown,omitempty"`
	// Stale says how old the sight of a remote is, when that is long.
	Stale string `json:"stale,omitempty"`
	// Act is the index of the act that loses it.
	Act int `json:"-"`
	// Keep says what a copy must hold to give it back.
	Keep Keep `json:"-"`
	// Remade counts the files that tools bring back.
	Remade int `json:"-"`
}

// Loses says that something is lost, or may be: the look-up failed.
func (e Effect) Loses() bool { return e.Lost > 0 || e.Unknown != "" }
