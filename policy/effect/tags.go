package effect

// Tag is what is special about an act. Rules match tags, so that the reading of flags stays in this package and the
// judging of them in package policy.
type Tag string

const (
	// git
	Discard     Tag = "discard"      // uncommitted changes or untracked files
	DropStash   Tag = "drop-stash"   // a stash
	DropCommits Tag = "drop-commits" // commits that only one ref holds
	ForcePush   Tag = "force-push"
	Rerouted    Tag = "rerouted" // a remote on a host that the repository has none on
	DeletePush  Tag = "delete-push"
	MirrorPush  Tag = "mirror-push"
	History     Tag = "history"    // filter-branch, reflog expire, gc --prune=now
	Rewritten   Tag = "rewritten"  // commits that others have get new names
	GitDir      Tag = "git-dir"    // a repository's own folder
	SkipHooks   Tag = "skip-hooks" // --no-verify, core.hooksPath
	GitCode     Tag = "git-code"   // a -c setting that is a program

	// code
	PipeRemote Tag = "pipe-remote" // what was downloaded is run
	PipeCode   Tag = "pipe-code"   // decoded or otherwise unread text is run
	DynamicRun Tag = "dynamic"     // the program itself cannot be known
	Typed      Tag = "typed"       // a shell, interpreter or client that waits for what somebody types
	Unasked    Tag = "unasked"     // an agent is started so that it asks nobody
	Unreadable Tag = "unreadable"  // a line that does not parse and holds dangerous words
	ForkBomb   Tag = "fork-bomb"
	ReverseSh  Tag = "reverse-shell"
	Preload    Tag = "preload"    // LD_PRELOAD, BASH_ENV and their kind
	Unchecked  Tag = "unchecked"  // a program is fetched so that others may replace it on the way
	Disguised  Tag = "disguised"  // a host name that looks like another
	Hidden     Tag = "hidden"     // letters in the line that nobody sees, or that show it in another order
	RawSocket  Tag = "raw-socket" // the shell keeps a connection open
	TreeSent   Tag = "tree-sent"  // a packed folder leaves the machine
	RemotePkg  Tag = "remote-package"
	UnknownPkg Tag = "unknown-package" // a name that neither the project nor many others use

	// files
	AllFiles   Tag = "all-files"  // a delete whose targets come from elsewhere
	NoTarget   Tag = "no-target"  // a recursive delete whose target cannot be known
	Permission Tag = "permission" // chmod -R 777, 000, chown -R of what is not the project's
	SetUID     Tag = "setuid"
	Detour     Tag = "detour" // a path that begins in one place and leads to another: /usr/../etc/shadow
	SystemFile Tag = "system-file"

	// data and infrastructure
	SQLDrop     Tag = "sql-drop"
	SQLDelete   Tag = "sql-delete-all"
	DropData    Tag = "drop-data"
	DropVolume  Tag = "drop-volume"
	Destroy     Tag = "destroy"
	Unreviewed  Tag = "unreviewed" // an apply that asks nobody
	VerbDestroy Tag = "verb"       // an unknown tool's destructive verb
	Prod        Tag = "production" // something that people depend on is changed
	Deploy      Tag = "deploy"     // what others use is brought up to date
	Release     Tag = "release"    // a package, image or release is published
	HTTPDelete  Tag = "http-delete"

	// system
	KillMany    Tag = "kill-many"
	Schedule    Tag = "schedule"
	Profile     Tag = "profile"
	ProfileCode Tag = "profile-code" // a start-up file that fetches and runs code
	Login       Tag = "login"        // authorized_keys
	HookFile    Tag = "hook-file"    // a git hook, .envrc, an agent's own configuration that runs something
	Account     Tag = "account"      // a user, a group, a role or a right is made or changed
	Kernel      Tag = "kernel"       // code is loaded into the kernel
	Trace       Tag = "trace"        // logs or histories are erased or switched off
	Capture     Tag = "capture"      // the screen, the keys or the network are listened to
	Tunnel      Tag = "tunnel"       // something of this machine becomes reachable from outside
	Attack      Tag = "attack"       // other machines or their logins are scanned or tried
	RootShell   Tag = "root-shell"
	PowerOff    Tag = "power-off"
	Defence     Tag = "defence" // a firewall, log or protection is switched off

	// secrets
	KeyFile    Tag = "key-file"    // a private key or cloud credential
	EnvFile    Tag = "env-file"    // a project's own secrets
	Environ    Tag = "environ"     // all variables
	Stored     Tag = "stored"      // what a store of secrets prints
	SecretSent Tag = "secret-sent" // a live token, or a key file, leaves the machine
	EnvSent    Tag = "env-sent"    // the project's own secrets or the environment leave the machine
	ClearLogin Tag = "clear-login" // a password goes over the net unencrypted

	// guard
	GuardFile    Tag = "guard-file"    // the gate's config, state or programs are changed
	GuardHook    Tag = "guard-hook"    // an agent's settings lose or change the gate's entry
	GuardCommand Tag = "guard-command" // the gate is told to loosen
	GuardEvent   Tag = "guard-event"   // the hook is fed by somebody other than the agent
	GuardKill    Tag = "guard-kill"
	GuardEnv     Tag = "guard-env"
	Unguarded    Tag = "unguarded" // an agent is started without its hooks
)
