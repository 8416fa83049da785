package shell

// Opens says how a program runs another command that stands in its arguments.
type Opens uint8

const (
	OpensNothing  Opens = iota
	OpensArgv           // the operands after Skip are a command and its arguments
	OpensJoined         // the operands after Skip, joined by blanks, are a line for a shell
	OpensEach           // each operand after Skip is a line for a shell
	OpensShell          // a shell: -c and a line, a script file, or lines on standard input
	OpensStdin          // reads lines for a shell on standard input
	OpensEnv            // env: -S, assignments, a command
	OpensFind           // find: -exec and its like
	OpensFd             // fd: -x and -X
	OpensXargs          // adds what it reads to the arguments
	OpensParallel       // fills its arguments in from behind :::
	OpensPower          // PowerShell
	OpensCmd            // the command processor of Windows
)

func (o Opens) takesRest() bool {
	switch o {
	case OpensArgv, OpensJoined, OpensEnv, OpensXargs:
		return true
	}
	return false
}

// Form is how arguments are read. Lists of options hold them with their dashes and one blank between.
type Form struct {
	Values string // options that take the next word
	Opens  Opens
	Skip   int  // operands before the inner command
	Dash   bool // the inner command stands behind --
	Single bool // long options have one dash
	// Assigns says that NAME=value may stand before the inner command.
	Assigns bool
	// Keep says that the program does something of its own besides running the inner command.
	Keep   bool
	Remote bool // the inner command runs on another machine or in a container
	More   *More
}

// more gives what few programs have, empty for the others.
func (f *Form) more() More {
	if f.More == nil {
		return More{}
	}
	return *f.More
}

// More is what few programs have.
type More struct {
	Pairs string // options that take the next two words
	Long  string // long options, so that shortened ones are known
	Lines string // options of Values whose value is a line for a shell
	Chdir string // options of Values that name the folder the inner command runs in
	Tells string // options of Values whose value stands in Via behind the name
}

// Program is what the reader knows of one program.
type Program struct {
	Name string
	Form
	Subs []Sub
}

// Sub is a subcommand whose arguments are read differently.
type Sub struct {
	Name string // compose subcommands with a blank: "compose exec"
	Form
}

const (
	dockerRun = "-a --attach --add-host --annotation --cap-add --cap-drop --cgroup-parent --cpus --cpuset-cpus -c --cpu-shares" +
		" --device --dns -e --env --env-file --entrypoint --expose --gpus --group-add --health-cmd -h --hostname --ip --ipc -l --label" +
		" --link --log-driver --log-opt -m --memory --mount --name --network --net --pid --platform -p --publish --pull --restart" +
		" --runtime --security-opt --shm-size --stop-signal --sysctl --tmpfs -u --user --ulimit --userns -v --volume --volumes-from" +
		" -w --workdir"
	dockerExec   = "-e --env --env-file -u --user -w --workdir --detach-keys"
	dockerGlobal = "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey"
	composeArgs  = "-f --file -p --project-name --profile --env-file --project-directory --ansi --parallel"
	kubeArgs     = "-n --namespace -c --container --context --cluster --kubeconfig -s --server --token --user --as -l --selector" +
		" -f --filename -o --output --request-timeout -v --image --overrides --env --restart --labels --timeout --grace-period --field-selector" +
		" --target --profile -p --patch --type --replicas"
	sshArgs = "-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w"
	suArgs  = "-c --command --session-command -s --shell -g --group -G --supp-group -w --whitelist-environment -T"
	gitArgs = "-C -c --git-dir --work-tree --namespace --super-prefix --config-env --exec-path --attr-source"
)

// programs is sorted by name.
var programs = [...]Program{
	{Name: "adb", Form: Form{Values: "-s -t -H -P -L"}, Subs: []Sub{{"shell", Form{Values: "-e -n", Opens: OpensJoined, Keep: true, Remote: true}}}},
	{Name: "ansible", Form: Form{Values: "-i -m -a -u -b -e --inventory --module-name --args --user --extra-vars -f -l --limit", Keep: true}},
	{Name: "arch", Form: Form{Values: "-arch", Opens: OpensArgv}},
	{Name: "asdf", Subs: []Sub{{"exec", Form{Opens: OpensArgv}}}},
	{Name: "at", Form: Form{Values: "-q -f -t", Opens: OpensStdin, Keep: true}},
	{Name: "aws", Form: Form{Values: "--profile --region --output --query --endpoint-url --cli-input-json"}},
	{Name: "aws-vault", Subs: []Sub{{"exec", Form{Values: "-d --duration", Opens: OpensArgv, Skip: 1, Dash: true}}}},
	{Name: "bind", Form: Form{Values: "-f -m -q -r -u -x", Keep: true, More: &More{Lines: "-x"}}},
	{Name: "bun", Subs: []Sub{{"x", Form{Opens: OpensArgv}}}},
	{Name: "bundle", Subs: []Sub{{"exec", Form{Opens: OpensArgv}}}},
	{Name: "bunx", Form: Form{Values: "-p --package", Opens: OpensArgv}},
	{Name: "busybox", Form: Form{Opens: OpensArgv}},
	{Name: "bwrap", Form: Form{Values: "--tmpfs --dev --proc --chdir --uid --gid --hostname --unsetenv --cap-add --cap-drop --dir --args --seccomp --lock-file --exec-label",
		Opens: OpensArgv, More: &More{Pairs: "--bind --ro-bind --dev-bind --bind-try --ro-bind-try --dev-bind-try --symlink --setenv --file --bind-data --ro-bind-data --chmod --remount-ro"}}},
	{Name: "caffeinate", Form: Form{Values: "-t -w", Opens: OpensArgv}},
	{Name: "cargo", Form: Form{Values: "-C --manifest-path --target --target-dir --features -F -p --package --bin --example --test -j --jobs --color --config -Z"}},
	{Name: "cgexec", Form: Form{Values: "-g", Opens: OpensArgv}},
	{Name: "chmod", Form: Form{Values: "--reference", More: &More{Long: "--changes --silent --quiet --verbose --no-preserve-root --preserve-root --reference --recursive"}}},
	{Name: "chown", Form: Form{Values: "--from --reference", More: &More{Long: "--changes --silent --quiet --verbose --dereference --no-dereference --from --no-preserve-root --preserve-root --reference --recursive"}}},
	{Name: "chpst", Form: Form{Values: "-u -U -b -e -n -l -L -m -d -o -p -f -c -/", Opens: OpensArgv}},
	{Name: "chronic", Form: Form{Opens: OpensArgv}},
	{Name: "chroot", Form: Form{Values: "--userspec --groups", Opens: OpensArgv, Skip: 1, Remote: true}},
	{Name: "chrt", Form: Form{Values: "-T -P -D", Opens: OpensArgv, Skip: 1}},
	{Name: "cmd", Form: Form{Opens: OpensCmd}},
	{Name: "command", Form: Form{Opens: OpensArgv}},
	{Name: "complete", Form: Form{Values: "-A -C -F -G -P -S -W -X -o", Keep: true, More: &More{Lines: "-C"}}},
	{Name: "concurrently", Form: Form{Values: "-n --names -c --prefix-colors -p --prefix -m --max-processes -l --prefix-length -t --timestamp-format", Opens: OpensEach}},
	{Name: "conda", Subs: []Sub{{"run", Form{Values: "-n --name -p --prefix --cwd", Opens: OpensArgv, More: &More{Chdir: "--cwd"}}}}},
	{Name: "cp", Form: Form{Values: "-t --target-directory -S --suffix", More: &More{Long: "--archive --attributes-only --backup --force --interactive --link --no-clobber --no-dereference --parents --recursive --remove-destination --symbolic-link --suffix --target-directory --no-target-directory --update --verbose"}}},
	{Name: "cpulimit", Form: Form{Values: "-l --limit -p -e", Opens: OpensArgv}},
	{Name: "cross-env", Form: Form{Assigns: true, Opens: OpensArgv}},
	{Name: "cross-env-shell", Form: Form{Assigns: true, Opens: OpensJoined}},
	{Name: "curl", Form: Form{Values: "-A -b -c -C -d -D -e -E -F -H -K -m -o -P -Q -r -t -T -u -U -w -x -X -y -Y -z --data --data-raw --data-binary --data-urlencode --json --form --form-string --header --output --output-dir --request --upload-file --url --user --user-agent --write-out --proxy --cacert --cert --key --config --cookie --cookie-jar --connect-timeout --max-time --max-redirs --referer --retry --retry-delay --retry-max-time --range --resolve --unix-socket --limit-rate --interface --dump-header --proxy-user --oauth2-bearer --aws-sigv4 --url-query --variable --netrc-file --ciphers --tls-max --form-escape --stderr --trace --trace-ascii --noproxy --doh-url --dns-servers"}},
	{Name: "dash", Form: Form{Opens: OpensShell}},
	{Name: "dbus-run-session", Form: Form{Values: "--config-file --dbus-daemon", Opens: OpensArgv}},
	{Name: "devbox", Subs: []Sub{{"run", Form{Opens: OpensArgv}}}},
	{Name: "direnv", Subs: []Sub{{"exec", Form{Opens: OpensArgv, Skip: 1}}}},
	{Name: "doas", Form: Form{Values: "-u -C -a -L", Opens: OpensArgv}},
	{Name: "docker", Form: Form{Values: dockerGlobal}, Subs: []Sub{
		{"build", Form{Values: "-f --file -t --tag --build-arg --target --platform --label --cache-from --cache-to --network --secret --ssh -o --output --progress"}},
		{"compose", Form{Values: composeArgs}},
		{"compose exec", Form{Values: dockerExec + " --index", Opens: OpensArgv, Skip: 1, Keep: true, Remote: true}},
		{"compose run", Form{Values: dockerRun, Opens: OpensArgv, Skip: 1, Keep: true, Remote: true}},
		{"container exec", Form{Values: dockerExec, Opens: OpensArgv, Skip: 1, Keep: true, Remote: true}},
		{"container run", Form{Values: dockerRun, Opens: OpensArgv, Skip: 1, Keep: true, Remote: true}},
		{"exec", Form{Values: dockerExec, Opens: OpensArgv, Skip: 1, Keep: true, Remote: true}},
		{"run", Form{Values: dockerRun, Opens: OpensArgv, Skip: 1, Keep: true, Remote: true}},
	}},
	{Name: "docker-compose", Form: Form{Values: composeArgs}, Subs: []Sub{
		{"exec", Form{Values: dockerExec + " --index", Opens: OpensArgv, Skip: 1, Keep: true, Remote: true}},
		{"run", Form{Values: dockerRun, Opens: OpensArgv, Skip: 1, Keep: true, Remote: true}},
	}},
	{Name: "doppler", Subs: []Sub{{"run", Form{Values: "-p --project -c --config -t --token --command", Opens: OpensArgv, Dash: true, More: &More{Lines: "--command"}}}}},
	{Name: "dotenv", Form: Form{Values: "-e -f -v -p -c", Opens: OpensArgv, More: &More{Tells: "-e -f"}}, Subs: []Sub{{"run", Form{Opens: OpensArgv}}}},
	{Name: "entr", Form: Form{Opens: OpensArgv}},
	{Name: "env", Form: Form{Values: "-u --unset -C --chdir -S --split-string -P -a --argv0", Assigns: true, Opens: OpensEnv, More: &More{Long: "--ignore-environment --null --unset --chdir --split-string --block-signal --default-signal --ignore-signal --debug", Chdir: "-C --chdir"}}},
	{Name: "exec", Form: Form{Values: "-a", Opens: OpensArgv}},
	{Name: "expect", Form: Form{Values: "-c -f", Keep: true, More: &More{Lines: "-c"}}},
	{Name: "faketime", Form: Form{Values: "-f", Opens: OpensArgv, Skip: 1}},
	{Name: "fd", Form: Form{Values: "-e --extension -t --type -d --max-depth -E --exclude -x --exec -X --exec-batch", Opens: OpensFd, Keep: true}},
	{Name: "find", Form: Form{Single: true, Opens: OpensFind, Keep: true}},
	{Name: "firejail", Form: Form{Opens: OpensArgv}},
	{Name: "fish", Form: Form{Values: "-C --init-command -c --command", Opens: OpensShell}},
	{Name: "flock", Form: Form{Values: "-w --wait --timeout -E --conflict-exit-code -c --command", Opens: OpensArgv, Skip: 1, More: &More{Lines: "-c --command"}}},
	{Name: "fly", Subs: []Sub{{"ssh console", Form{Values: "-C --command -a --app -u --user -r --region", Keep: true, Remote: true, More: &More{Lines: "-C --command"}}}}},
	{Name: "gcloud", Subs: []Sub{{"compute ssh", Form{Values: "--command --zone --project", Keep: true, Remote: true, More: &More{Lines: "--command"}}}}},
	{Name: "gdb", Form: Form{Values: "-ex -x -p --pid -c", Keep: true}},
	{Name: "git", Form: Form{Values: gitArgs}, Subs: []Sub{
		{"add", Form{Values: "--chmod --pathspec-from-file"}},
		{"bisect run", Form{Opens: OpensArgv, Keep: true}},
		{"branch", Form{Values: "-u --set-upstream-to --contains --no-contains --merged --no-merged --points-at --sort --format", More: &More{Long: "--delete --force --move --copy --list --all --remotes --verbose --track --no-track --set-upstream-to --unset-upstream --edit-description --contains --merged --no-merged --sort --format --show-current"}}},
		{"checkout", Form{Values: "-b -B --orphan --conflict --pathspec-from-file", More: &More{Long: "--force --ours --theirs --detach --track --no-track --orphan --merge --patch --quiet --progress --recurse-submodules --overlay --no-overlay --pathspec-from-file --conflict --guess --no-guess"}}},
		{"clean", Form{Values: "-e --exclude", More: &More{Long: "--force --dry-run --quiet --exclude --interactive"}}},
		{"clone", Form{Values: "-b --branch -o --origin --depth --reference -u --upload-pack -c --config --template -j --jobs --filter --separate-git-dir --shallow-since"}},
		{"commit", Form{Values: "-m --message -F --file -C --reuse-message -c --reedit-message --author --date -t --template --fixup --squash --cleanup --trailer --pathspec-from-file", More: &More{Long: "--all --amend --message --file --no-verify --no-edit --allow-empty --allow-empty-message --author --date --signoff --verbose --fixup --squash --trailer --reuse-message --reedit-message --template --cleanup"}}},
		{"difftool", Form{Values: "-x --extcmd -t --tool", Keep: true, More: &More{Lines: "-x --extcmd"}}},
		{"filter-branch", Form{Values: "--setup --subdirectory-filter --env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter --original -d --state-branch", Keep: true, More: &More{Lines: "--setup --env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter"}}},
		{"log", Form{Values: "-n --max-count --since --until --after --before --author --grep --format -S -G -L --skip -O"}},
		{"merge", Form{Values: "-m --message -s --strategy -X --strategy-option -F --file"}},
		{"push", Form{Values: "-o --push-option --repo --receive-pack --exec", More: &More{Long: "--all --branches --mirror --tags --follow-tags --atomic --no-atomic --dry-run --receive-pack --force --force-with-lease --force-if-includes --delete --prune --verbose --set-upstream --thin --no-thin --quiet --progress --recurse-submodules --verify --no-verify --porcelain --push-option --repo --signed --no-signed --ipv4 --ipv6"}}},
		{"rebase", Form{Values: "-x --exec --onto -s --strategy -X --strategy-option -C", Keep: true, More: &More{Lines: "-x --exec"}}},
		{"reset", Form{Values: "--pathspec-from-file", More: &More{Long: "--hard --soft --mixed --merge --keep --quiet --patch --pathspec-from-file --refresh --no-refresh"}}},
		{"restore", Form{Values: "-s --source --pathspec-from-file --conflict", More: &More{Long: "--source --patch --worktree --staged --quiet --progress --ours --theirs --merge --conflict --ignore-unmerged --overlay --no-overlay --recurse-submodules --pathspec-from-file"}}},
		{"stash push", Form{Values: "-m --message --pathspec-from-file"}},
		{"submodule foreach", Form{Opens: OpensJoined, Keep: true}},
		{"switch", Form{Values: "-c --create -C --force-create --orphan --conflict", More: &More{Long: "--create --force-create --detach --guess --no-guess --force --discard-changes --merge --conflict --quiet --progress --track --no-track --orphan --ignore-other-worktrees --recurse-submodules"}}},
		{"tag", Form{Values: "-m --message -F --file -u --local-user --sort --format --contains --points-at --cleanup"}},
	}},
	{Name: "go", Form: Form{Values: "-C -o -p -tags -ldflags -gcflags -run -bench -count -timeout -mod -modfile -coverprofile -exec -benchtime -cpu -fuzz -fuzztime -parallel -skip", Single: true, Keep: true, More: &More{Lines: "-exec"}}},
	{Name: "gosu", Form: Form{Opens: OpensArgv, Skip: 1}},
	{Name: "grep", Form: Form{Values: "-e -f -m -A -B -C -d -D --regexp --file --max-count --after-context --before-context --context --include --exclude --exclude-dir --exclude-from --color --label --binary-files --devices --directories"}},
	{Name: "gtimeout", Form: Form{Values: "-s -k --signal --kill-after", Opens: OpensArgv, Skip: 1}},
	{Name: "heroku", Subs: []Sub{{"run", Form{Values: "-a --app -s --size -e --env", Opens: OpensJoined, Keep: true, Remote: true}}}},
	{Name: "hyperfine", Form: Form{Values: "-w --warmup -m --min-runs -M --max-runs -r --runs -s --setup -p --prepare -c --cleanup -S --shell -i -n --command-name --export-json --export-markdown --export-csv -L --parameter-list -u --time-unit --style", Opens: OpensEach, More: &More{Lines: "-s --setup -p --prepare -c --cleanup"}}},
	{Name: "ionice", Form: Form{Values: "-c --class -n --classdata -p --pid -P -u", Opens: OpensArgv}},
	{Name: "ip", Subs: []Sub{{"netns exec", Form{Opens: OpensArgv, Skip: 1}}}},
	{Name: "kubectl", Form: Form{Values: kubeArgs}, Subs: []Sub{
		{"debug", Form{Values: kubeArgs, Opens: OpensArgv, Skip: 1, Dash: true, Keep: true, Remote: true}},
		{"exec", Form{Values: kubeArgs, Opens: OpensArgv, Skip: 1, Dash: true, Keep: true, Remote: true}},
		{"run", Form{Values: kubeArgs, Opens: OpensArgv, Skip: 1, Dash: true, Keep: true, Remote: true}},
	}},
	{Name: "ln", Form: Form{Values: "-S --suffix -t --target-directory"}},
	{Name: "ltrace", Form: Form{Values: "-a -A -D -e -l -n -o -p -s -u -w -x -F", Opens: OpensArgv}},
	{Name: "lxc", Subs: []Sub{{"exec", Form{Values: "--env --cwd --user --group --mode", Opens: OpensArgv, Skip: 1, Keep: true, Remote: true}}}},
	{Name: "make", Form: Form{Values: "-C --directory -f --file --makefile -j -l --load-average -I --include-dir -o --old-file -W --what-if --new-file -E --eval"}},
	{Name: "man", Form: Form{Values: "-P --pager -M -S -L", Keep: true, More: &More{Lines: "-P --pager"}}},
	{Name: "mise", Subs: []Sub{{"exec", Form{Opens: OpensArgv, Dash: true}}, {"x", Form{Opens: OpensArgv, Dash: true}}}},
	{Name: "multipass", Subs: []Sub{{"exec", Form{Opens: OpensArgv, Skip: 1, Dash: true, Keep: true, Remote: true}}}},
	{Name: "mv", Form: Form{Values: "-t --target-directory -S --suffix", More: &More{Long: "--backup --force --interactive --no-clobber --strip-trailing-slashes --suffix --target-directory --no-target-directory --update --verbose"}}},
	{Name: "nice", Form: Form{Values: "-n --adjustment", Opens: OpensArgv}},
	{Name: "nix", Subs: []Sub{{"develop", Form{Values: "--command -c", Keep: true}}, {"run", Form{Keep: true}}, {"shell", Form{Keep: true}}}},
	{Name: "nix-shell", Form: Form{Values: "--run --command -p --packages -I --argstr", Keep: true, More: &More{Lines: "--run --command"}}},
	{Name: "nodemon", Form: Form{Values: "-x --exec -w --watch -e --ext -i --ignore -d --delay", Keep: true, More: &More{Lines: "-x --exec"}}},
	{Name: "nohup", Form: Form{Opens: OpensArgv}},
	{Name: "npm", Form: Form{Values: "--prefix -C -w --workspace --registry --loglevel --cache --userconfig --tag --otp"}, Subs: []Sub{
		{"exec", Form{Values: "-p --package -c --call -w --workspace", Opens: OpensArgv, More: &More{Lines: "-c --call"}}},
		{"x", Form{Values: "-p --package -c --call -w --workspace", Opens: OpensArgv, More: &More{Lines: "-c --call"}}},
	}},
	{Name: "npx", Form: Form{Values: "-p --package -c --call", Opens: OpensArgv, More: &More{Lines: "-c --call"}}},
	{Name: "nsenter", Form: Form{Values: "-t --target -S --setuid -G --setgid", Opens: OpensArgv, Remote: true}},
	{Name: "numactl", Form: Form{Values: "-N -m -C -i -p", Opens: OpensArgv}},
	{Name: "op", Form: Form{Values: "--account --vault --format"}, Subs: []Sub{{"run", Form{Values: "--env-file", Opens: OpensArgv, Dash: true}}}},
	{Name: "parallel", Form: Form{Opens: OpensParallel, Values: "-j --jobs -a --arg-file -I --joblog --results --timeout -n --max-args -N -S --sshlogin -d --delimiter --colsep -C --rpl --block --env --basefile --sshloginfile --slf -L -l --max-lines -s --max-chars --nice --tagstring --profile --recstart --recend --workdir --wd --tmpdir --retries --delay --halt --memfree --load"}},
	{Name: "perf", Subs: []Sub{{"record", Form{Values: "-e -o -F -p -g --call-graph", Opens: OpensArgv}}, {"stat", Form{Values: "-e -o -r -x -p", Opens: OpensArgv}}}},
	{Name: "pip", Form: Form{Values: "-r --requirement -c --constraint -e --editable -i --index-url --extra-index-url -t --target --prefix --root -f --find-links --python --proxy --cache-dir --log"}},
	{Name: "pipenv", Subs: []Sub{{"run", Form{Opens: OpensArgv}}}},
	{Name: "pipx", Subs: []Sub{{"run", Form{Values: "--spec --python --pip-args", Opens: OpensArgv}}}},
	{Name: "pixi", Subs: []Sub{{"run", Form{Values: "-e --environment --manifest-path", Opens: OpensArgv}}}},
	{Name: "pkexec", Form: Form{Values: "-u --user", Opens: OpensArgv}},
	{Name: "pnpm", Form: Form{Values: "-C --dir -F --filter --registry --loglevel"}, Subs: []Sub{
		{"dlx", Form{Values: "-p --package", Opens: OpensArgv}}, {"exec", Form{Opens: OpensArgv}},
	}},
	{Name: "poetry", Form: Form{Values: "-C --directory -P --project"}, Subs: []Sub{{"run", Form{Opens: OpensArgv}}}},
	{Name: "prlimit", Form: Form{Values: "-p --pid", Opens: OpensArgv}},
	{Name: "proot", Form: Form{Values: "-r -b -q -w -k -R -S", Opens: OpensArgv, Remote: true}},
	{Name: "proxychains", Form: Form{Values: "-f", Opens: OpensArgv}},
	{Name: "pwsh", Form: Form{Opens: OpensPower}},
	{Name: "pyenv", Subs: []Sub{{"exec", Form{Opens: OpensArgv}}}},
	{Name: "rbenv", Subs: []Sub{{"exec", Form{Opens: OpensArgv}}}},
	{Name: "repeat", Form: Form{Opens: OpensArgv, Skip: 1}},
	{Name: "rg", Form: Form{Values: "-e --regexp -f --file -g --glob --iglob -t --type -T --type-not -A -B -C -m --max-count -M --max-columns -d --max-depth -j --threads -r --replace -E --encoding --pre --pre-glob --sort --sortr --color --colors --context-separator --type-add", Keep: true, More: &More{Lines: "--pre"}}},
	{Name: "rlwrap", Form: Form{Values: "-f -H -p -b -c -C -D -l -P -q -s -t", Opens: OpensArgv}},
	{Name: "rm", Form: Form{More: &More{Long: "--dir --force --interactive --no-preserve-root --one-file-system --preserve-root --recursive --verbose"}}},
	{Name: "rsync", Form: Form{Values: "-e --rsh --rsync-path -f --filter --exclude --include --exclude-from --include-from --files-from -T --temp-dir --log-file --password-file --port --bwlimit --partial-dir --backup-dir --suffix -B --block-size --chmod --chown --compare-dest --copy-dest --link-dest --max-size --min-size --max-delete --timeout --out-format", Keep: true, More: &More{Lines: "-e --rsh"}}},
	{Name: "runuser", Form: Form{Values: suArgs + " -u --user", Opens: OpensArgv, Keep: true, More: &More{Lines: "-c --command --session-command"}}},
	{Name: "screen", Form: Form{Values: "-S -c -h -t -T -e -p -s -L", Opens: OpensArgv}},
	{Name: "script", Form: Form{Values: "-c --command -E --echo -I -O -B -T -t -m -o", Opens: OpensArgv, Skip: 1, More: &More{Lines: "-c --command"}}},
	{Name: "sed", Form: Form{Values: "-e --expression -f --file -l --line-length", More: &More{Long: "--expression --file --in-place --quiet --silent --regexp-extended --line-length --separate --null-data --posix --sandbox --follow-symlinks --debug --unbuffered"}}},
	{Name: "setarch", Form: Form{Opens: OpensArgv, Skip: 1}},
	{Name: "setpriv", Form: Form{Values: "--reuid --regid --groups --inh-caps --ambient-caps --bounding-set --securebits --pdeathsig", Opens: OpensArgv}},
	{Name: "setsid", Form: Form{Opens: OpensArgv}},
	{Name: "sg", Form: Form{Values: "-c", Opens: OpensJoined, Skip: 1, More: &More{Lines: "-c"}}},
	{Name: "sh", Form: Form{Opens: OpensShell}},
	{Name: "shred", Form: Form{Values: "-n --iterations -s --size --random-source", More: &More{Long: "--force --iterations --random-source --size --remove --verbose --exact --zero"}}},
	{Name: "sops", Subs: []Sub{{"exec-env", Form{Opens: OpensJoined, Skip: 1}}, {"exec-file", Form{Opens: OpensJoined, Skip: 1}}}},
	{Name: "sort", Form: Form{Values: "-k -t -o -S -T --key --field-separator --output --buffer-size --temporary-directory --compress-program --files0-from --parallel --random-source --batch-size", Keep: true, More: &More{Lines: "--compress-program"}}},
	{Name: "spawn", Form: Form{Values: "-ignore -open -leaveopen", Single: true, Opens: OpensArgv}},
	{Name: "split", Form: Form{Values: "-a -b -C -l -n -t --filter --additional-suffix --suffix-length --bytes --lines --number", Keep: true, More: &More{Lines: "--filter"}}},
	{Name: "ssh", Form: Form{Values: sshArgs, Opens: OpensJoined, Skip: 1, Keep: true, Remote: true}},
	{Name: "sshpass", Form: Form{Values: "-p -f -d -P", Opens: OpensArgv}},
	{Name: "stdbuf", Form: Form{Values: "-i -o -e --input --output --error", Opens: OpensArgv}},
	{Name: "strace", Form: Form{Values: "-a -b -e -E -I -o -O -p -P -s -S -u -U -X", Opens: OpensArgv}},
	{Name: "su", Form: Form{Values: suArgs, Keep: true, More: &More{Lines: "-c --command --session-command"}}},
	{Name: "su-exec", Form: Form{Opens: OpensArgv, Skip: 1}},
	{Name: "sudo", Form: Form{Values: "-A -a -C -c -D -g -h -p -R -r -T -t -U -u --auth-type --close-from --login-class --chdir --group --host --prompt --chroot --role --command-timeout --type --other-user --user", Assigns: true, Opens: OpensArgv, More: &More{Long: "--askpass --background --bell --close-from --chdir --preserve-env --edit --group --set-home --host --login --reset-timestamp --list --non-interactive --prompt --chroot --role --stdin --shell --user --validate --command-timeout --type --other-user --version --remove-timestamp", Chdir: "-D --chdir"}}},
	{Name: "systemd-run", Form: Form{Values: "-p --property -u --unit --description --slice --uid --gid --nice -E --setenv -M --machine -H --host --working-directory --on-calendar --on-active --on-boot --service-type", Opens: OpensArgv, Keep: true, More: &More{Chdir: "--working-directory"}}},
	{Name: "tar", Form: Form{Values: "-f --file -C --directory -T --files-from -X --exclude-from --exclude --transform --xform -I --use-compress-program --to-command -F --info-script --new-volume-script --checkpoint-action --rsh-command --owner --group --mode --mtime --strip-components --listed-incremental -g -b -L -V --format", Keep: true, More: &More{Lines: "-I --use-compress-program --to-command -F --info-script --new-volume-script --rsh-command"}}},
	{Name: "taskset", Form: Form{Opens: OpensArgv, Skip: 1}},
	{Name: "tee", Form: Form{More: &More{Long: "--append --ignore-interrupts --output-error"}}},
	{Name: "time", Form: Form{Values: "-f -o --format --output", Opens: OpensArgv}},
	{Name: "timeout", Form: Form{Values: "-s -k --signal --kill-after", Opens: OpensArgv, Skip: 1}},
	{Name: "tmux", Form: Form{Values: "-L -S -f -c", Keep: true, More: &More{Lines: "-c"}}, Subs: []Sub{
		{"new", Form{Values: "-s -n -c -t -F -x -y -e", Opens: OpensJoined, Keep: true}},
		{"new-session", Form{Values: "-s -n -c -t -F -x -y -e", Opens: OpensJoined, Keep: true}},
		{"new-window", Form{Values: "-n -c -t -F -e", Opens: OpensJoined, Keep: true}},
		{"neww", Form{Values: "-n -c -t -F -e", Opens: OpensJoined, Keep: true}},
		{"respawn-pane", Form{Values: "-t -c -e", Opens: OpensJoined, Keep: true}},
		{"run-shell", Form{Values: "-t -d -c", Opens: OpensJoined, Keep: true}},
		{"send-keys", Form{Values: "-t -N", Opens: OpensJoined, Keep: true}},
		{"split-window", Form{Values: "-t -c -l -F -e -p", Opens: OpensJoined, Keep: true}},
	}},
	{Name: "torsocks", Form: Form{Values: "-a -P -u -p", Opens: OpensArgv}},
	{Name: "toybox", Form: Form{Opens: OpensArgv}},
	{Name: "truncate", Form: Form{Values: "-s --size -r --reference", More: &More{Long: "--no-create --io-blocks --reference --size"}}},
	{Name: "unbuffer", Form: Form{Opens: OpensArgv}},
	{Name: "unshare", Form: Form{Values: "-S --setuid -G --setgid -R --root -w --wd --map-user --map-group --propagation", Opens: OpensArgv}},
	{Name: "uv", Form: Form{Values: "--directory --project --cache-dir"}, Subs: []Sub{
		{"run", Form{Values: "-p --python --with --with-requirements --extra --group --env-file --index --package --directory --project -m --module", Opens: OpensArgv}},
		{"tool run", Form{Values: "--from --with -p --python --index", Opens: OpensArgv}},
	}},
	{Name: "uvx", Form: Form{Values: "--from --with -p --python --index", Opens: OpensArgv}},
	{Name: "vagrant", Subs: []Sub{{"ssh", Form{Values: "-c --command", Keep: true, Remote: true, More: &More{Lines: "-c --command"}}}}},
	{Name: "valgrind", Form: Form{Opens: OpensArgv}},
	{Name: "watch", Form: Form{Values: "-n --interval -q --equexit", Opens: OpensJoined}},
	{Name: "watchexec", Form: Form{Values: "-w --watch -e --exts -f --filter -i --ignore -s --signal -d --debounce --shell", Opens: OpensJoined}},
	{Name: "wget", Form: Form{Values: "-a -B -D -e -i -I -l -o -O -P -Q -R -A -t -T -U -w -X --output-document --directory-prefix --header --post-data --post-file --body-data --body-file --method --user --password --user-agent --tries --timeout --input-file --output-file --append-output --referer --load-cookies --save-cookies --limit-rate --level"}},
	{Name: "wsl", Form: Form{Values: "-d --distribution -u --user --cd", Opens: OpensArgv}},
	{Name: "xargs", Form: Form{Values: "-a --arg-file -d --delimiter -E -I -L --max-lines -n --max-args -P --max-procs -s --max-chars -R -S -J --process-slot-var", Opens: OpensXargs}},
	{Name: "xvfb-run", Form: Form{Values: "-n --server-num -s --server-args -e --error-file -f --auth-file -p --xauth-protocol -w --wait", Opens: OpensArgv}},
	{Name: "yarn", Form: Form{Values: "--cwd"}, Subs: []Sub{{"dlx", Form{Values: "-p --package", Opens: OpensArgv}}, {"exec", Form{Opens: OpensArgv}}}},
	{Name: "zip", Form: Form{Values: "-b -n -t -tt -TT --unzip-command --temp-path --suffixes", Keep: true, More: &More{Lines: "-TT --unzip-command"}}},
}

// aliases are further names of programs in the table, sorted.
var aliases = [...][2]string{
	{"ash", "sh"},
	{"bash", "sh"},
	{"batch", "at"},
	{"builtin", "command"},
	{"compgen", "complete"},
	{"csh", "sh"},
	{"egrep", "grep"},
	{"elvish", "sh"},
	{"fdfind", "fd"},
	{"fgrep", "grep"},
	{"flyctl", "fly"},
	{"gcp", "cp"},
	{"gfind", "find"},
	{"gmake", "make"},
	{"gmv", "mv"},
	{"grm", "rm"},
	{"gsed", "sed"},
	{"gtar", "tar"},
	{"gxargs", "xargs"},
	{"incus", "lxc"},
	{"ksh", "sh"},
	{"linux32", "arch"},
	{"linux64", "arch"},
	{"mksh", "sh"},
	{"nerdctl", "docker"},
	{"nocorrect", "command"},
	{"noglob", "command"},
	{"nu", "sh"},
	{"oc", "kubectl"},
	{"pip3", "pip"},
	{"podman", "docker"},
	{"podman-compose", "docker-compose"},
	{"powershell", "pwsh"},
	{"proxychains4", "proxychains"},
	{"rbash", "sh"},
	{"slogin", "ssh"},
	{"tcsh", "sh"},
	{"torify", "torsocks"},
	{"tsocks", "torsocks"},
	{"xonsh", "sh"},
	{"yash", "sh"},
	{"zsh", "sh"},
}
