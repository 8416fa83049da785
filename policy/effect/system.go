package effect

import (
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// privileged marks commands that run with more rights than the agent has.
func (r *reader) privileged(c *shell.Command) {
	if viaAny(c, "sudo", "doas", "su", "pkexec", "runas") {
		r.changes = true
		if !r.privilegedAlready(c) {
			r.add(Act{Kind: Privilege, Program: c.Name, How: "sudo"})
		}
		if strings.HasPrefix(c.Path, "/") && !c.Remote {
			if t := r.written(c, shell.Word{Text: c.Path, Known: true}); t.place == InTemp && !strings.HasPrefix(smallFile(t.real), "#!") {
				r.tell(Opaque, DynamicRun, "sudo "+clip(c.Path, 50), "") // a program that anyone may have put there
			}
		}
	}
}

func (r *reader) privilegedAlready(*shell.Command) bool {
	return len(r.acts) > 0 && r.acts[len(r.acts)-1].Kind == Privilege
}

// preloads are variables whose value is code that other programs load or run.
const preloads = "LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES BASH_ENV PROMPT_COMMAND PYTHONSTARTUP PERL5OPT RUBYOPT GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_ASKPASS SSH_ASKPASS GIT_EDITOR GIT_SEQUENCE_EDITOR EDITOR PAGER GIT_PAGER LESSOPEN NODE_OPTIONS"

// environment reads the assignments in front of a command.
func (r *reader) environment(c *shell.Command) {
	for _, e := range c.Env {
		r.assign(c, e)
	}
}

func (r *reader) assign(c *shell.Command, e shell.Word) {
	name, val, ok := strings.Cut(e.Text, "=")
	if !ok {
		return
	}
	switch {
	case strings.HasPrefix(name, "STEPGATE_") && (name == "STEPGATE_MODE" || c.Name == "claude" || c.Name == "codex"):
		if !strings.EqualFold(val, "enforce") && (c.Name == "claude" || c.Name == "codex" || c.Name == "export" || c.Name == "setx") {
			r.tell(Guard, GuardEnv, "", name)
		}
	case in(name, "LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES BASH_ENV"):
		if val != "" && !r.readable(c, shell.Word{Text: val, Known: e.Known}) && !installed(val) {
			r.tell(Execute, Preload, name, val)
		}
	case name == "PATH":
		first, _, more := strings.Cut(val, ":")
		if more && r.anybodys(c, first) {
			r.tell(Execute, Preload, name, first)
		}
	case name == "NODE_OPTIONS":
		if strings.Contains(val, "--require") || strings.Contains(val, "-r ") || strings.Contains(val, "--import") {
			r.tell(Execute, Preload, name, val)
		}
	case name == "HISTFILE" && (val == "/dev/null" || val == "") || in(name, "HISTSIZE HISTFILESIZE SAVEHIST") && val == "0" || name == "HISTIGNORE" && val == "*" || name == "HISTCONTROL" && strings.HasPrefix(val, "ignore") && c.Name == "export":
		r.tell(Execute, Trace, name, name)
	case in(name, preloads):
		if val != "" && e.Known && !in(val, "cat less more vim vi nano true : ed emacs") {
			r.nested(val, c.Dir)
		}
	}
}

// anybodys: whoever likes may put a program into the folder: a temporary one, or one just below it, or wherever the line
// stands. A tool that was unpacked there has its programs deeper.
func (r *reader) anybodys(c *shell.Command, dir string) bool {
	t := r.written(c, shell.Word{Text: dir, Known: true})
	return dir == "." || contains(r.w.Temps, t.path) || t.place == InTemp && r.w.place(filepath.Dir(t.path)) != InTemp
}

// readable: what is loaded is a script of the project, whose commands are read where a shell would run them.
func (r *reader) readable(c *shell.Command, w shell.Word) bool {
	t := r.written(c, w)
	text, ok := r.scriptText(c, w)
	return ok && t.place == InProject && !strings.ContainsRune(text, 0)
}

// installed: every library is one that the system's packages bring, or that the compiler names as its own.
func installed(libs string) bool {
	if hasPrefix(strings.Trim(libs, `"`), "$(gcc -print-file-name=", "$(clang -print-file-name=", "$(cc -print-file-name=") {
		return true
	}
	for _, l := range strings.FieldsFunc(libs, func(c rune) bool { return c == ':' || c == ' ' }) {
		if strings.Contains(l, "..") || !hasPrefix(l, "/usr/lib", "/lib/", "/lib64/", "/usr/local/lib/", "/opt/homebrew/lib/") && (strings.Contains(l, "/") || !strings.HasPrefix(l, "lib")) {
			return false
		}
	}
	return true
}

func hasPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// export reads export, declare -x and setx.
func (r *reader) export(c *shell.Command) {
	for i, a := range c.Args {
		if c.Name == "setx" && i == 0 && len(c.Args) > 1 {
			a = shell.Word{Text: a.Text + "=" + c.Args[1].Text, Known: a.Known}
		}
		r.assign(c, a)
	}
}

func (r *reader) kill(c *shell.Command) {
	a := split(c.Args, " -s --signal -n ")
	if hasArg(c.Args, "-l", "-L", "-0") || len(a.ops) == 0 && len(c.Args) == 0 {
		return
	}
	r.changes = true
	if from := r.fed(c); from != nil && r.killNamed(from) {
		return
	}
	for _, i := range c.Inputs {
		if i < len(r.cmds) && r.killNamed(&r.cmds[i]) {
			return
		}
	}
	for _, o := range c.Args {
		if o.Text == "-1" && len(c.Args) > 1 && c.Args[len(c.Args)-1].Text == "-1" {
			r.tell(Kill, KillMany, "", "-1, all of this user")
			return
		}
		if strings.Contains(o.Text, "ppid") || strings.Contains(o.Text, "PPID") {
			r.tell(Kill, KillMany, "", "the parent of another process")
			return
		}
		if strings.Contains(o.Text, "stepgate") {
			r.tell(Guard, GuardKill, "", "stepgate")
			return
		}
	}
	r.add(Act{Kind: Kill})
}

// killNamed: what is ended is found by name by another command of the line, as pkill would. It says whether that is
// more than one's own process.
func (r *reader) killNamed(from *shell.Command) bool {
	if strings.Contains(strings.Join(words(from.Args), " "), "stepgate") {
		r.tell(Guard, GuardKill, "", "stepgate")
		return true
	}
	if from.Name == "ps" && !hasArg(from.Args, "-p", "--pid", "--ppid", "-C") && !r.picked(from) {
		r.tell(Kill, KillMany, "", "every process that ps shows")
		return true
	}
	if !in(from.Name, "pgrep pidof") {
		return false
	}
	if a := split(from.Args, " -u -U -g -P -t -s "); from.Name == "pgrep" && len(a.ops) == 0 && a.has("-u", "-U") {
		r.tell(Kill, KillMany, "", "all processes of a user")
		return true
	}
	for _, n := range split(from.Args, " -u -U -g -P -t -s ").ops {
		if in(strings.ToLower(n.Text), broad) {
			r.tell(Kill, KillMany, "", n.Text)
			return true
		}
	}
	return false
}

// picked: a later command of the same pipeline chooses among the lines of the one before.
func (r *reader) picked(from *shell.Command) bool {
	for i := range r.cmds[:min(r.at, len(r.cmds))] {
		if p := &r.cmds[i]; p.Group == from.Group && in(p.Name, "grep egrep rg awk gawk sed head tail fzf sk") {
			return true
		}
	}
	return false
}

// broad names belong to more than the one process that is meant.
const broad = "node python python3 java ruby bash sh zsh docker chrome code firefox sshd systemd dockerd postgres mysqld nginx redis-server php go npm electron claude codex ssh tmux screen cron crond launchd dbus-daemon systemd-logind networkmanager rsyslogd syslogd auditd"

func (r *reader) killall(c *shell.Command) {
	a := split(c.Args, " -s --signal -u --user -g --pgroup -P --parent -t -Name -Id ")
	names := a.ops
	names = append(names, a.values("-Name")...)
	if len(a.values("-u", "--user")) > 0 && len(names) == 0 {
		r.tell(Kill, KillMany, "", "all processes of a user")
		return
	}
	for _, n := range names {
		t := strings.ToLower(n.Text)
		switch {
		case strings.Contains(t, "stepgate"):
			r.tell(Guard, GuardKill, "", "stepgate")
		case in(strings.Trim(t, "^$"), broad) || t == "." || t == ".*" || t == "*" || !n.Known:
			r.tell(Kill, KillMany, "", n.Text)
		default:
			r.tell(Kill, "", "", n.Text)
		}
	}
}

func (r *reader) crontab(c *shell.Command) {
	if hasArg(c.Args, "-l") {
		return
	}
	a := Act{Kind: Persist, Tag: Schedule, Target: "crontab"}
	if hasArg(c.Args, "-r") {
		a = Act{Kind: Delete, Tag: DropData, Target: "the crontab of this user"}
	}
	r.add(a)
}

func (r *reader) schedule(c *shell.Command) {
	if hasArg(c.Args, "-l") {
		return
	}
	r.tell(Persist, Schedule, "", c.Name)
}

func (r *reader) service(c *shell.Command) {
	a := split(c.Args, " -p --property -t --type -n --lines -o --output -H --host ")
	verb := a.op(0)
	switch {
	case in(verb, "enable load bootstrap submit link"):
		r.tell(Persist, Schedule, c.Name+" "+verb, a.op(1))
	case in(verb, "poweroff reboot halt kexec"):
		r.tell(Execute, PowerOff, c.Name+" "+verb, "")
	case in(verb, "stop disable mask kill") && in(strings.TrimSuffix(a.op(1), ".service"), "auditd firewalld ufw apparmor fail2ban rsyslog iptables crowdstrike falcon-sensor sshd ssh systemd-networkd NetworkManager"):
		r.tell(Execute, Defence, c.Name+" "+verb, a.op(1))
	case in(verb, "status show list-units list-unit-files is-active is-enabled cat list print list-timers"):
	default:
		r.changes = true
	}
}

func (r *reader) power(c *shell.Command) {
	if hasArg(c.Args, "-c", "--help", "-k") {
		return
	}
	r.tell(Execute, PowerOff, c.Name, "")
}

// runLevel is init 0 and its like; 2 to 5 are levels to work at.
func (r *reader) runLevel(c *shell.Command) {
	r.changes = true
	if hasArg(c.Args, "0", "1", "6", "s", "S", "q") {
		r.tell(Execute, PowerOff, c.Name+" "+c.Args[0].Text, "")
	}
}

func (r *reader) accounts(c *shell.Command) {
	tag := Account
	if c.Name == "insmod" {
		tag = Kernel
	}
	r.tell(Privilege, tag, c.Name, at(words(c.Args), len(c.Args)-1))
}

func (r *reader) firewall(c *shell.Command) {
	if hasArg(c.Args, "-F", "--flush", "-X", "disable", "reset") || c.Name == "nft" && strings.Contains(r.stdinText(c), "flush") {
		r.tell(Execute, Defence, c.Name, "")
	}
	if !hasArg(c.Args, "-L", "--list", "-S", "status") {
		r.changes = true
	}
}

func (r *reader) defence(c *shell.Command) {
	r.tell(Execute, Defence, c.Name, "")
}

// appleScript reads the statements of osascript -e that leave the scripts' own world.
func (r *reader) appleScript(c *shell.Command) {
	r.changes = true
	a := split(c.Args, " -e -l ")
	text := ""
	for _, v := range append(a.values("-e"), r.bodyWords(c)...) {
		text += v.Text + "\n"
	}
	low := strings.ToLower(text)
	for rest := text; ; {
		i := strings.Index(rest, "do shell script ")
		if i < 0 {
			break
		}
		rest = rest[i+len("do shell script "):]
		if s, n := quoted(rest); n > 0 {
			r.nested(s, c.Dir)
		}
	}
	switch {
	case strings.Contains(low, "display dialog") && (strings.Contains(low, "password") || strings.Contains(low, "hidden answer")):
		r.tell(Execute, Capture, "asks the person for a password", "")
	case strings.Contains(low, "cookies") && (strings.Contains(low, "duplicate") || strings.Contains(low, "read")):
		r.tell(Secret, KeyFile, "", "a browser's cookies")
	case strings.Contains(low, "login item"):
		r.tell(Persist, Schedule, "", "a login item")
	case strings.Contains(low, "delete posix file"):
		_, rest, _ := strings.Cut(text, "POSIX file ")
		if s, n := quoted(rest); n > 0 {
			r.remove(c, r.target(c, shell.Word{Text: s, Known: true}), true, filter{})
		}
	}
}

func (r *reader) bodyWords(c *shell.Command) []shell.Word {
	var out []shell.Word
	for _, b := range r.bodies(c) {
		out = append(out, shell.Word{Text: b, Known: true})
	}
	return out
}

// agentProgram starts another agent; guardCommand judges whether it would run without the gate.
func (r *reader) agentProgram(*shell.Command) { r.changes = true }

func (r *reader) stepgate(c *shell.Command) {
	for _, a := range c.Args {
		if in(a.Text, "status check doctor version help log analyze eval demo") {
			return
		}
	}
	r.changes = true
}
