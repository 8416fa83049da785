package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// lookup gives what reads a program's arguments. It is a switch and not a table of functions because the readers open
// nested lines and so come back here. What it does not know is read by the grammar of verbs (grammar.go).
func lookup(name string) func(*reader, *shell.Command) {
	switch name {
	case "chpasswd", "chsh", "gpasswd", "insmod", "passwd", "useradd", "userdel", "usermod", "visudo":
		return (*reader).accounts
	case "claude", "codex":
		return (*reader).agentProgram
	case "apk", "apt", "apt-get", "aptitude", "brew", "dnf", "dpkg", "pacman", "rpm", "snap", "yum", "zypper":
		return (*reader).systemPackages
	case "awk", "gawk", "mawk", "nawk":
		return (*reader).awk
	case "c++", "cc", "clang", "clang++", "g++", "gcc", "java", "rustc", "tcc":
		return (*reader).compiler
	case "chmod", "setfacl":
		return (*reader).chmod
	case "chgrp", "chown":
		return (*reader).chown
	case "docker-compose":
		return (*reader).compose
	case "bzip2", "gzip", "xz":
		return (*reader).compress
	case "copy-item", "cp", "install":
		return (*reader).cp
	case "crontab":
		return (*reader).crontab
	case "curl", "invoke-restmethod", "invoke-webrequest":
		return (*reader).curl
	case "dc3dd", "dcfldd", "dd":
		return (*reader).dd
	case "add-mppreference":
		return (*reader).defence
	case "badblocks", "blkdiscard", "cfdisk", "cryptsetup", "diskpart", "fdisk", "format", "hdparm", "mdadm", "mkfs", "mkswap", "nvme", "parted", "sfdisk", "sgdisk", "wipefs", "pvremove", "lvremove", "vgremove", "clear-disk", "format-volume", "initialize-disk", "remove-partition", "reset-physicaldisk":
		return (*reader).disk
	case "diskutil":
		return (*reader).diskutil
	case "dig", "host", "nslookup":
		return (*reader).dns
	case "docker", "podman":
		return (*reader).docker
	case "dropdb", "dropuser", "mysqladmin":
		return (*reader).dropData
	case "env":
		return (*reader).env
	case "eval":
		return (*reader).eval
	case "export", "setx":
		return (*reader).export
	case "find":
		return (*reader).find
	case "iptables", "nft", "ufw":
		return (*reader).firewall
	case "gh", "glab":
		return (*reader).gh
	case "git":
		return (*reader).git
	case "go":
		return (*reader).golang
	case "egrep", "fgrep", "grep":
		return (*reader).grep
	case "kill":
		return (*reader).kill
	case "killall", "pkill", "stop-process":
		return (*reader).killall
	case "kubectl":
		return (*reader).kubectl
	case "link", "ln":
		return (*reader).ln
	case "just", "make":
		return (*reader).makeTarget
	case "mongo", "mongosh":
		return (*reader).mongo
	case "move-item", "mv":
		return (*reader).mv
	case "nc", "ncat", "netcat", "socat", "telnet":
		return (*reader).netcat
	case "npx":
		return (*reader).npx
	case "openssl":
		return (*reader).openssl
	case "osascript":
		return (*reader).appleScript
	case "bunx", "cargo", "composer", "gem", "goreleaser", "npm", "pip", "pip3", "pnpm", "poetry", "twine", "uv", "yarn":
		return (*reader).packages
	case "init", "telinit":
		return (*reader).runLevel
	case "halt", "poweroff", "reboot", "shutdown":
		return (*reader).power
	case "pulumi":
		return (*reader).pulumi
	case "crystal", "csi", "dart", "dotnet", "dotnet-script", "kotlinc", "nim", "ocaml", "runghc", "runhaskell", "rust-script", "scala-cli", "zig":
		return (*reader).fromSource
	case "setopt", "shopt":
		return (*reader).shopt
	case "expect", "tclsh", "wish":
		return (*reader).tcl
	case "rake":
		return (*reader).rake
	case "fab", "gradle", "gradlew", "gulp", "hatch", "inv", "invoke", "mise", "nox", "pdm", "pixi", "poe", "tox":
		return (*reader).tasks
	case "ansible-playbook":
		return (*reader).ansible
	case "pre-commit":
		return (*reader).precommit
	case "task":
		return (*reader).taskfile
	case "bb", "clj", "clojure", "erl", "guile", "racket", "sbcl":
		return (*reader).lisp
	case "bun", "deno", "elixir", "groovy", "ipython", "julia", "kotlin", "scala", "swift", "lua", "luajit", "node", "nodejs", "perl", "php", "pypy", "pypy3", "python", "python2", "python3", "r", "rscript", "ruby", "ts-node", "tsx", "zx":
		return (*reader).interpret
	case "jupyter", "papermill":
		return (*reader).notebook
	case "alias", "mapfile", "pgrep", "rustup", "trash", "trash-put":
		return (*reader).quiet
	case "redis-cli":
		return (*reader).redis
	case "del", "remove-item", "rm", "srm", "unlink":
		return (*reader).rm
	case "del-cli", "premove", "rimraf", "scrub", "wipe":
		return (*reader).wiper
	case "rmdir":
		return (*reader).rmdir
	case "rsync":
		return (*reader).rsync
	case "ash", "bash", "cmd", "csh", "dash", "fish", "iex", "invoke-expression", "ksh", "powershell", "pwsh", "sh", "tcsh", "zsh":
		return (*reader).runShell
	case "at", "batch":
		return (*reader).schedule
	case "sed":
		return (*reader).sed
	case "curlie", "http", "https", "httpie", "xh":
		return (*reader).httpie
	case "ftp", "scp", "sftp":
		return (*reader).send
	case "launchctl", "systemctl":
		return (*reader).service
	case "base32", "base64", "bat", "batcat", "cat", "column", "comm", "cut", "diff", "fmt", "fold", "head", "hexdump", "nl", "od", "paste", "rev", "sort", "strings", "tac", "tail", "xxd":
		return (*reader).show
	case "shred":
		return (*reader).shred
	case "ssh-keygen":
		return (*reader).keygen
	case ".", "source":
		return (*reader).source
	case "clickhouse-client", "duckdb", "mariadb", "mysql", "psql", "sqlcmd", "sqlite3":
		return (*reader).sql
	case "ssh":
		return (*reader).ssh
	case "stepgate":
		return (*reader).stepgate
	case "supabase":
		return (*reader).supabase
	case "tar":
		return (*reader).tar
	case "out-file", "set-content", "tee":
		return (*reader).tee
	case "opentofu", "terraform", "terragrunt", "tofu":
		return (*reader).terraform
	case "unzip":
		return (*reader).unzip
	case "touch":
		return (*reader).touch
	case "clear-content", "truncate":
		return (*reader).truncate
	case "ed", "emacs", "emacsclient", "ex", "gdb", "less", "lldb", "more", "nvim", "red", "vi", "vim":
		return (*reader).inner
	case "wget":
		return (*reader).wget
	}
	if plain := strings.TrimRight(name, "0123456789."); plain != name && in(plain, "lua perl php python ruby") { // lua5.4
		return (*reader).interpret
	}
	return (*reader).grammar
}
