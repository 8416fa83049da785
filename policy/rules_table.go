package policy

import (
	"github.com/stepgate/stepgate/hook/agent"
	e "github.com/stepgate/stepgate/policy/effect"
)

// rules is the one table of rules. Hard rules come first; they are few, and nothing but a person's own terminal gets
// round them. All others ask at most, but for those that hold only where typing fires no hook; those that name a
// need are silent where nothing is lost.
var rules = [...]rule{
	// Hard: the machine, the home folder, the disks.
	{
		id: "fs.wipe-root", class: Hard, severity: Critical, action: agent.Deny,
		kinds: []e.ActKind{e.Delete, e.Move}, places: []e.Place{e.Root}, tree: true,
		why: "deletes or moves {target}, a folder of the system itself", instead: "name the one folder below it that is meant",
	},
	{
		id: "fs.wipe-home", class: Hard, severity: Critical, action: agent.Deny,
		kinds: []e.ActKind{e.Delete, e.Move}, places: []e.Place{e.Home}, tree: true,
		why: "deletes or moves a whole home folder, {target}", instead: "name the folder inside the project that is meant, without ~ or $HOME",
	},
	{
		id: "fs.lock-home", class: Hard, severity: Critical, action: agent.Deny,
		kinds: []e.ActKind{e.Edit}, tags: []e.Tag{e.Permission}, places: []e.Place{e.Root, e.Home}, tree: true,
		why: "changes owner or permissions ({how}) of everything below {target}", instead: "change the one file or folder that needs it",
	},
	{
		id: "fs.wipe-disk", class: Hard, severity: Critical, action: agent.Deny,
		kinds: []e.ActKind{e.Overwrite, e.Write, e.Delete}, places: []e.Place{e.Device},
		why: "writes over the disk {target}", instead: "write to a file in the project",
	},
	{
		id: "sys.fork-bomb", class: Hard, severity: Critical, action: agent.Deny, tags: []e.Tag{e.ForkBomb},
		why: "starts copies of itself until the machine stops", instead: "start a fixed number of processes",
	},
	// Hard: the gate itself.
	{
		id: "guard.tamper", class: Hard, severity: Critical, action: agent.Deny, tags: []e.Tag{e.GuardFile},
		why: "changes the gate's own files: {target}", instead: "leave them; a person can use `stepgate mode` or `stepgate uninstall` at a terminal",
	},
	{
		id: "guard.settings", class: Hard, severity: Critical, action: agent.Deny, tags: []e.Tag{e.GuardHook, e.GuardEnv},
		why: "takes the gate out of the agent's settings, or changes how it is started: {target}", instead: "change only the other entries of the file, and leave hooks and STEPGATE_ variables as they are",
	},
	{
		id: "guard.command", class: Hard, severity: Critical, action: agent.Deny, tags: []e.Tag{e.GuardCommand},
		why: "loosens the gate from inside a session: stepgate {how}", instead: "ask the person to run it at a terminal; `stepgate status` and `stepgate mode enforce` are free",
	},
	{
		id: "guard.forged-event", class: Hard, severity: Critical, action: agent.Deny, tags: []e.Tag{e.GuardEvent},
		why: "feeds the gate an event of its own making, as if the agent had sent it: stepgate-hook {how}", instead: "stepgate check tells what the gate would do, and touches no session",
	},
	{
		id: "guard.kill", class: Hard, severity: Critical, action: agent.Deny, tags: []e.Tag{e.GuardKill},
		why: "ends the gate's processes", instead: "let them end by themselves",
	},
	{
		id: "guard.unguarded", class: Hard, severity: Critical, action: agent.Deny, tags: []e.Tag{e.Unguarded},
		why: "starts {program} without its hooks: {how}", instead: "start it without these flags, so that its calls are judged too",
	},
	// Hard: secrets leave, strangers come in.
	{
		id: "secret.sent", class: Hard, severity: Critical, action: agent.Deny, tags: []e.Tag{e.SecretSent},
		why: "sends a key or a live token to {target}", instead: "send the name of the secret, not its value",
	},
	{
		id: "persist.authorized-keys", class: Hard, severity: Critical, action: agent.Deny, tags: []e.Tag{e.Login},
		kinds: []e.ActKind{e.Persist, e.Write, e.Overwrite, e.Edit, e.Move},
		why:   "lets another key log in: {target}", instead: "ask the person to add the key with ssh-copy-id",
	},
	{
		id: "net.reverse-shell", class: Hard, severity: Critical, action: agent.Deny, tags: []e.Tag{e.ReverseSh},
		why: "hands a shell on this machine to {target}", instead: "run the commands here",
	},
	{
		id: "persist.profile-code", class: Hard, severity: Critical, action: agent.Deny, tags: []e.Tag{e.ProfileCode},
		why: "writes a start-up file that downloads and runs code: {target}", instead: "install the tool once, in the open, and add only its folder to PATH",
	},

	// Files.
	{
		id: "fs.delete-git", class: State, severity: High, action: agent.Ask,
		kinds: []e.ActKind{e.Delete}, tags: []e.Tag{e.GitDir}, needs: loss,
		why: "deletes a repository's history: {target}", instead: "git status, to see what is wrong with it first",
	},
	{
		id: "fs.delete-outside", class: State, severity: High, action: agent.Ask,
		kinds: []e.ActKind{e.Delete}, places: []e.Place{e.Outside, e.InHome, e.InTemp}, needs: loss,
		why: "deletes {target}, outside the project: {loss}", instead: "ls -la on it first, and delete only what this project made",
	},
	{
		id: "fs.delete-only-copy", class: State, severity: High, action: agent.Ask,
		kinds: []e.ActKind{e.Delete}, places: []e.Place{e.InProject}, needs: loss,
		why: "deletes {target}: {loss}", instead: "commit it first, or move it aside with mv",
	},
	{
		id: "fs.delete-remote", class: State, severity: High, action: agent.Ask,
		kinds: []e.ActKind{e.Delete}, places: []e.Place{e.Remote}, tree: true,
		why: "deletes {target} on another machine", instead: "list it there first with ls",
	},
	{
		id: "fs.delete-unknown", class: State, severity: Medium, action: agent.Ask, tags: []e.Tag{e.NoTarget, e.AllFiles},
		why: "deletes what is known only when it runs ({target}); an empty variable would make it another folder", instead: "print the list first with echo or ls, then delete by name",
	},
	{
		id: "fs.overwrite-only-copy", class: State, severity: Medium, action: agent.Ask,
		kinds: []e.ActKind{e.Overwrite}, needs: loss,
		why: "replaces {target}; {loss}", instead: "write to a new name, or commit the file first",
	},
	{
		id: "fs.system-file", class: State, severity: Medium, action: agent.Ask,
		kinds: []e.ActKind{e.Write, e.Overwrite, e.Edit, e.Delete, e.Move}, tags: []e.Tag{e.SystemFile},
		why: "changes a file of the system: {target}", instead: "keep the change in the project, and let the person install it",
	},
	{
		id: "fs.permission", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.Permission, e.SetUID},
		why: "opens or takes over files: {how} on {target}", instead: "change the one file that needs it, as in chmod 755 FILE",
	},

	// Version control.
	{
		id: "git.discard", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.Discard}, needs: loss,
		why: "git {how} discards {loss}", instead: "git stash push -u, which keeps them",
	},
	{
		id: "git.drop-stash", class: State, severity: Medium, action: agent.Ask, tags: []e.Tag{e.DropStash}, needs: loss,
		why: "git {how}: {loss}", instead: "git stash show -p, and keep it until it is applied",
	},
	{
		id: "git.drop-commits", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.DropCommits}, needs: loss,
		why: "git {how} {target}: {loss}", instead: "git tag a name on it first, or use git branch -d, which refuses to lose work",
	},
	{
		id: "git.push-force", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.ForcePush}, needs: loss,
		why: "a forced push to {target} replaces what is there: {loss}", instead: "git push --force-with-lease after git fetch, or a new branch",
	},
	{
		id: "git.push-delete", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.DeletePush}, needs: loss,
		why: "deletes {target} on the remote: {loss}", instead: "git fetch first, and keep a local branch of it",
	},
	{
		id: "git.push-mirror", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.MirrorPush}, needs: loss,
		why: "makes {target} a mirror of this repository: branches that are not here are deleted there", instead: "git push origin --all",
	},
	{
		id: "git.rewrite-pushed", class: State, severity: Medium, action: agent.Ask, tags: []e.Tag{e.Rewritten}, needs: loss,
		why: "git {how} makes other commits of what others have: {loss}", instead: "a new commit on top, or a branch of its own",
	},
	{
		id: "git.history", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.History}, needs: loss,
		why: "rewrites or forgets history for good: git {how}", instead: "git gc without --prune=now keeps what can still be needed",
	},
	{
		id: "git.by-hand", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.GitDir},
		kinds: []e.ActKind{e.Write, e.Overwrite, e.Edit},
		why:   "writes into a repository's own store: {target}", instead: "git update-ref or git commit, which keep it whole",
	},
	{
		id: "git.add-secret", class: State, severity: Medium, action: agent.Ask,
		kinds: []e.ActKind{e.Commit}, tags: []e.Tag{e.EnvFile, e.KeyFile},
		why: "puts a secret into the repository against its ignore list: {target}", instead: "commit a template of it without the values, as in .env.example",
	},
	{
		id: "git.push-elsewhere", class: State, severity: Medium, action: agent.Ask, tags: []e.Tag{e.Rerouted},
		kinds: []e.ActKind{e.Publish},
		why:   "pushes to {target}, where none of the project's remotes lies", instead: "git push origin, or let the person add the new remote",
	},
	{
		id: "git.skip-hooks", class: State, severity: Medium, action: agent.Ask, tags: []e.Tag{e.SkipHooks},
		why: "skips the project's own checks ({how})", instead: "run the checks, and fix what they find",
	},
	{
		id: "git.runs-code", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.GitCode},
		why: "makes git run a program: {how} {target}", instead: "run the program by itself, so that it can be judged",
	},

	// Code that nobody has read.
	{
		id: "net.pipe-to-shell", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.PipeRemote},
		why: "runs what {target} answers, unread: {how}", instead: "download it to a file with curl -o, read it, then run it",
	},
	{
		id: "code.opaque", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.PipeCode, e.DynamicRun},
		why: "runs code that cannot be read beforehand: {how}", instead: "write the decoded text to a file and read it first",
	},
	{
		id: "code.unreadable", class: State, severity: Medium, action: agent.Ask, tags: []e.Tag{e.Unreadable},
		why: "the line cannot be read whole and holds dangerous words", instead: "send it as several plain commands",
	},
	{
		id: "code.typed-unseen", class: State, severity: High, action: agent.Deny, tags: []e.Tag{e.Typed}, unseen: true,
		why: "starts {program} to type into it: what is typed there is judged by nobody", instead: "give it the command in the same call, as in bash -c, python3 -c, ssh HOST COMMAND or psql -c",
	},
	{
		id: "code.agent-unasked", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.Unasked},
		why: "starts {program} so that it asks nobody before it acts: {how}", instead: "start it without that flag, or give it the few tools it needs",
	},
	{
		id: "net.disguised-host", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.Disguised},
		why: "the host name {target} is written to look like another", instead: "write the host name in plain letters",
	},
	{
		id: "code.hidden-text", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.Hidden},
		why: "the line holds {how}, which a person cannot see", instead: "write the line in plain letters",
	},
	{
		id: "net.unchecked", class: State, severity: Medium, action: agent.Ask, tags: []e.Tag{e.Unchecked},
		why: "fetches a program that anyone on the way could replace: {how} {target}", instead: "fetch it over https with certificates and signatures checked",
	},
	{
		id: "net.clear-login", class: State, severity: Medium, action: agent.Ask, tags: []e.Tag{e.ClearLogin},
		why: "sends a name and a password to {target} as plain text", instead: "use https",
	},
	{
		id: "net.attack-tool", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.Attack},
		why: "scans or tries other machines or their logins: {program} {how} {target}", instead: "nmap localhost, or curl to the one port that is meant",
	},
	{
		id: "net.raw-socket", class: State, severity: Medium, action: agent.Ask, tags: []e.Tag{e.RawSocket},
		why: "keeps a connection to {target} open for whatever the line sends", instead: "curl with the one request that is meant",
	},
	{
		id: "net.send-tree", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.TreeSent},
		why: "sends packed files, or a file for anyone to fetch, to {target}", instead: "name the one file that is meant, and say where it goes",
	},
	{
		id: "code.preload", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.Preload},
		why: "loads code into other programs: {how}={target}", instead: "start the program without it",
	},
	{
		id: "pkg.from-address", class: State, severity: Medium, action: agent.Ask, tags: []e.Tag{e.RemotePkg},
		why: "installs code straight from {target}, whose setup runs at once", instead: "install a released version by name from the registry",
	},
	{
		id: "pkg.unknown-name", class: State, severity: Low, action: agent.Allow, tags: []e.Tag{e.UnknownPkg},
		why: "installs {target}, a name that neither the project's files nor many others use; it may be made up, or written like another", instead: "look it up first, as in npm view NAME, and let the person choose it",
	},

	// Data and infrastructure.
	{
		id: "db.drop", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.SQLDrop, e.DropData}, needs: unlessSeen,
		why: "destroys data: {how} {target}", instead: "take a dump or a copy first, and name what it is meant for",
	},
	{
		id: "db.delete-all", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.SQLDelete}, needs: unlessSeen,
		why: "changes or deletes every row: {how}", instead: "add a WHERE, and SELECT count(*) with it first",
	},
	{
		id: "infra.drop-volume", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.DropVolume},
		why: "deletes volumes and the data in them: {program} {how}", instead: "docker volume ls shows what there is; docker compose down without -v keeps it",
	},
	{
		id: "infra.destroy", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.Destroy}, needs: unlessSeen,
		why: "destroys running infrastructure: {program} {how} {target}", instead: "look at what it would destroy first, with plan, get or describe",
	},
	{
		id: "infra.unreviewed", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.Unreviewed},
		why: "changes infrastructure without a look at the plan: {program} {how}", instead: "terraform plan -out FILE, and let the person read it",
	},
	{
		id: "infra.production", class: State, severity: Medium, action: agent.Ask, tags: []e.Tag{e.Prod},
		why: "changes what people depend on: {program} {how} {target}", instead: "do it on staging first, or show the person the plan",
	},
	{
		id: "tool.destructive-verb", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.VerbDestroy},
		why: "{program} {how} {target}: destroys something that cannot be seen from here", instead: "list or describe it first, or use the tool's --dry-run",
	},
	{
		id: "net.delete", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.HTTPDelete},
		why: "asks {target} to delete something", instead: "GET it first, and tell the person what would go",
	},
	{
		id: "publish.release", class: State, severity: Medium, action: agent.Ask, tags: []e.Tag{e.Release},
		why: "publishes for others to use: {how}", instead: "pack it with --dry-run and let the person publish",
	},

	// The machine.
	{
		id: "proc.kill-many", class: State, severity: Medium, action: agent.Ask, tags: []e.Tag{e.KillMany},
		why: "ends more than one process of your own: {target}", instead: "kill the one process by its number, found with pgrep -f or lsof -i",
	},
	{
		id: "sys.power", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.PowerOff},
		why: "switches the machine off: {how}", instead: "restart the one service that needs it",
	},
	{
		id: "sys.defence", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.Defence},
		why: "changes or switches off a protection of the machine: {how} {target}", instead: "tell the person what is in the way",
	},
	{
		id: "sys.account", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.Account},
		why: "changes who may log in or what they may do: {how} {target}", instead: "tell the person which account or right is needed",
	},
	{
		id: "sys.kernel", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.Kernel},
		why: "loads or unloads code in the kernel: {how} {target}", instead: "lsmod shows what is loaded; let the person load the rest",
	},
	{
		id: "sys.traces", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.Trace},
		kinds: []e.ActKind{e.Execute, e.Delete, e.Overwrite, e.Edit},
		why:   "erases or stops what tells others what was done: {target}", instead: "leave logs and histories; tail shows the end of a long one",
	},
	{
		id: "sys.capture", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.Capture},
		why: "listens to the screen, the keys or the network: {how}", instead: "ask the person for the one picture or trace that is needed",
	},
	{
		id: "sys.root-shell", class: State, severity: Medium, action: agent.Ask, tags: []e.Tag{e.RootShell},
		why: "opens a shell with all rights", instead: "sudo with the one command that needs it",
	},
	{
		id: "net.tunnel", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.Tunnel},
		why: "makes something on this machine reachable from outside: {how}", instead: "use localhost, and let the person open it",
	},
	{
		id: "persist.profile", class: State, severity: Medium, action: agent.Ask, tags: []e.Tag{e.Profile},
		kinds: []e.ActKind{e.Persist, e.Edit, e.Write, e.Overwrite, e.Delete},
		why:   "changes a start-up file of the shell: {target}", instead: "set it for this command alone, as in NAME=value command",
	},
	{
		id: "persist.schedule", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.Schedule},
		why: "sets something to run by itself later: {target}", instead: "run it now, once",
	},
	{
		id: "persist.hook", class: State, severity: Medium, action: agent.Ask, tags: []e.Tag{e.HookFile},
		kinds: []e.ActKind{e.Persist},
		why:   "changes what runs on its own: {target}", instead: "keep it in the project as a script that is run by name",
	},

	// Secrets.
	{
		id: "secret.env-sent", class: State, severity: High, action: agent.Ask, tags: []e.Tag{e.EnvSent},
		why: "sends the project's secrets or the environment to {target}", instead: "send the names of the variables only",
	},
	{
		id: "secret.read-key", class: State, severity: High, action: agent.Ask,
		kinds: []e.ActKind{e.Secret}, tags: []e.Tag{e.KeyFile},
		why: "shows a private key or login: {target}", instead: "test -f on it, or let the program that needs it read it",
	},
	{
		id: "secret.change-login", class: State, severity: Medium, action: agent.Ask, tags: []e.Tag{e.KeyFile}, places: []e.Place{e.InHome},
		kinds: []e.ActKind{e.Write, e.Overwrite, e.Edit},
		why:   "changes the logins kept in {target}", instead: "give the one command its login by a variable, as in NAME=value command",
	},
	{
		id: "fs.detour", class: State, severity: Medium, action: agent.Ask, tags: []e.Tag{e.Detour},
		why: "reads {target} by a path that begins elsewhere", instead: "write the path as it is",
	},
	{
		id: "secret.read-env", class: State, severity: Low, action: agent.Ask,
		kinds: []e.ActKind{e.Secret}, tags: []e.Tag{e.EnvFile},
		why: "shows the project's secrets: {target}", instead: "grep -q '^NAME=' FILE, which tells whether it is set",
	},
}
