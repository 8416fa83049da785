package effect

import (
	"sort"
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// deed is one form of a program whose words alone tell what it does to the machine, an account or a service.
type deed struct {
	program string
	// words must stand among the arguments, in this order. Alternatives are parted by |; one that ends in * is the
	// beginning of a word, one that begins with * stands anywhere in it. No words: any use.
	words string
	// unless: with one of these it is silent.
	unless string
	kind   ActKind
	tag    Tag
}

// deeds are sorted by program, for the search. They come on top of what the program's own reader says. The
// words are those of the programs' manuals.
var deeds = [...]deed{
	{"aa-disable", "", "", Execute, Defence},
	{"aa-teardown", "", "", Execute, Defence},
	{"addgroup", "", "", Privilege, Account},
	{"adduser", "", "", Privilege, Account},
	{"auditctl", "-D|-a|-A|-d", "", Execute, Defence},
	{"auditctl", "-e 0", "", Execute, Defence},
	{"aws", "iam create-access-key|create-login-profile|create-user|attach-*|put-*|add-user-to-group|update-assume-role-policy", "", Infra, Account},
	{"aws", "cloudtrail stop-logging|update-trail|put-event-selectors", "", Infra, Defence},
	{"aws", "configure export-credentials", "", Secret, KeyFile},
	{"aws", "s3api put-bucket-policy|put-bucket-acl|put-object-acl|delete-public-access-block", "", Infra, Account},
	{"aws", "ec2 authorize-security-group-* *0.0.0.0/0", "", Infra, Account},
	{"aws", "secretsmanager get-secret-value", "", Secret, KeyFile},
	{"aws", "ssm get-parameter|get-parameters|get-parameters-by-path --with-decryption", "", Secret, KeyFile},
	{"aws", "ssm start-session", "", Spawn, Typed},
	{"az", "role assignment create", "", Infra, Account},
	{"az", "ad user|sp|app create|reset", "", Infra, Account},
	{"bcdedit", "/set|/delete", "", Execute, Defence},
	{"bettercap", "", "--help", Execute, Capture},
	{"bore", "local", "", Send, Tunnel},
	{"certutil", "-urlcache", "", Receive, Unchecked},
	{"chage", "", "-l --list", Privilege, Account},
	{"chattr", "-i|-a|-ia|-R", "+C", Execute, Defence},
	{"chflags", "nouchg|noschg|nosimmutable|nouimmutable|nosappnd", "", Execute, Defence},
	{"chisel", "client|server", "", Send, Tunnel},
	{"cipher", "/w*", "", Delete, DropData},
	{"clear-eventlog", "", "", Execute, Trace},
	{"cloudflared", "tunnel", "list info --help", Send, Tunnel},
	{"code", "tunnel", "status --help", Send, Tunnel},
	{"csrutil", "disable", "", Execute, Defence},
	{"defaults", "write *loginwindow", "", Persist, Schedule},
	{"delgroup", "", "", Privilege, Account},
	{"deluser", "", "", Privilege, Account},
	{"devtunnel", "host|create|port", "", Send, Tunnel},
	{"disable-windowsoptionalfeature", "", "", Execute, Defence},
	{"django-admin", "shell|dbshell|shell_plus", "-c --command", Spawn, Typed},
	{"dscl", "-create|-append|-passwd|-delete|-merge|-change|create|append|passwd|delete", "", Privilege, Account},
	{"dseditgroup", "-o edit|create|delete", "", Privilege, Account},
	{"dsenableroot", "", "", Privilege, Account},
	{"dumpcap", "", "-r -D --help", Execute, Capture},
	{"ettercap", "", "--help", Execute, Capture},
	{"fail2ban-client", "stop|unban|set", "", Execute, Defence},
	{"fdesetup", "disable", "", Execute, Defence},
	{"ffmpeg", "x11grab|avfoundation|gdigrab|kmsgrab", "", Execute, Capture},
	{"firewall-cmd", "--remove-*|--add-*|--panic-*|--set-*", "", Execute, Defence},
	{"frpc", "", "--help", Send, Tunnel},
	{"gcloud", "add-iam-policy-binding|set-iam-policy", "", Infra, Account},
	{"gcloud", "iam service-accounts keys create", "", Infra, Account},
	{"gcloud", "firewall-rules create|update *0.0.0.0/0", "", Infra, Account},
	{"gcloud", "secrets versions access", "", Secret, KeyFile},
	{"gcloud", "compute ssh", "--command", Spawn, Typed},
	{"gh", "ssh-key|gpg-key|deploy-key add", "", Infra, Account},
	{"gio", "trash --empty", "", Delete, DropData},
	{"gnome-screenshot", "", "", Execute, Capture},
	{"gopass", "rm|remove|delete", "", Delete, DropData},
	{"gpg", "--delete-secret-*", "", Delete, DropData},
	{"gpg", "--export-secret-*", "", Secret, KeyFile},
	{"gpg2", "--delete-secret-*", "", Delete, DropData},
	{"gpg2", "--export-secret-*", "", Secret, KeyFile},
	{"grim", "", "", Execute, Capture},
	{"groupadd", "", "", Privilege, Account},
	{"groupdel", "", "", Privilege, Account},
	{"groupmod", "", "", Privilege, Account},
	{"hg", "update|up|checkout|co|merge -C|--clean", "", Rewrite, VerbDestroy},
	{"hg", "revert --no-backup|-C", "-n --dry-run", Rewrite, VerbDestroy},
	{"hg", "strip|debugstrip|purge|clean|histedit", "-p --print -n --dry-run --abort --continue --edit-plan", Rewrite, VerbDestroy},
	{"history", "-c|-d|-w|-cw", "", Execute, Trace},
	{"ip6tables", "-F|--flush|-X|-D|-A|-I|-P", "", Execute, Defence},
	{"iptables", "-D|-A|-I|-P|-R|--delete|--append|--insert|--policy", "-F", Execute, Defence},
	{"jj", "git push --deleted", "--dry-run", Publish, VerbDestroy},
	{"jj", "op|operation abandon", "", Rewrite, VerbDestroy},
	{"jj", "util gc", "", Rewrite, VerbDestroy},
	{"journalctl", "--vacuum-*|--rotate|--flush", "", Execute, Trace},
	{"kextload", "", "", Privilege, Kernel},
	{"kextunload", "", "", Privilege, Kernel},
	{"killall5", "", "-V", Kill, KillMany},
	{"kldload", "", "", Privilege, Kernel},
	{"kldunload", "", "", Privilege, Kernel},
	{"kmutil", "load|unload|install", "", Privilege, Kernel},
	{"kubectl", "create|edit|patch clusterrolebinding|rolebinding *cluster-admin", "", Infra, Account},
	{"kubectl", "config view --raw", "", Secret, KeyFile},
	{"launchctl", "unload|bootout|disable|remove|stop *LaunchDaemons", "", Execute, Defence},
	{"launchctl", "disable|bootout system*", "", Execute, Defence},
	{"lazagne", "", "", Secret, KeyFile},
	{"ldapadd", "", "", Privilege, Account},
	{"ldapdelete", "", "", Privilege, Account},
	{"ldapmodify", "", "", Privilege, Account},
	{"ldappasswd", "", "", Privilege, Account},
	{"log", "erase", "", Execute, Trace},
	{"lvm", "lvremove|vgremove|pvremove", "", Delete, DropData},
	{"lvremove", "", "", Delete, DropData},
	{"manage.py", "shell|dbshell|shell_plus", "-c --command", Spawn, Typed},
	{"mdatp", "config|exclusion|threat", "list", Execute, Defence},
	{"mimikatz", "", "", Secret, KeyFile},
	{"modprobe", "", "-n --dry-run --show-depends -D -c", Privilege, Kernel},
	{"net", "user|localgroup|group /add|/delete", "", Privilege, Account},
	{"net", "stop", "", Execute, Defence},
	{"netsh", "advfirewall|firewall set|add|delete|reset", "", Execute, Defence},
	{"networksetup", "-set*", "", Execute, Defence},
	{"new-localuser", "", "", Privilege, Account},
	{"new-service", "", "", Persist, Schedule},
	{"newusers", "", "", Privilege, Account},
	{"nft", "flush|delete|add|insert|replace", "", Execute, Defence},
	{"ngrok", "http|tcp|tls|start", "", Send, Tunnel},
	{"nix", "develop|shell|repl", "-c --command", Spawn, Typed},
	{"nsenter", "", "--help", Privilege, SetUID},
	{"pass", "rm|remove|delete", "", Delete, DropData},
	{"pfctl", "-d|-F|-f", "-n", Execute, Defence},
	{"pipenv", "shell", "", Spawn, Typed},
	{"podman", "system reset", "", Infra, DropVolume},
	{"poetry", "shell", "", Spawn, Typed},
	{"pvremove", "", "", Delete, DropData},
	{"pw", "useradd|usermod|userdel|groupadd|groupmod|groupdel|mod|add|del|lock|unlock", "", Privilege, Account},
	{"pwpolicy", "-set*|-clear*|-delete*", "", Privilege, Account},
	{"rails", "c|console|db|dbconsole", "", Spawn, Typed},
	{"reg", "add|delete|import|restore|load", "", Execute, Defence},
	{"register-scheduledtask", "", "", Persist, Schedule},
	{"rmmod", "", "", Privilege, Kernel},
	{"samba-tool", "user|group create|add|delete|setpassword|addmembers", "", Privilege, Account},
	{"sc", "create", "", Persist, Schedule},
	{"sc", "stop|delete|config|failure", "", Execute, Defence},
	{"schtasks", "/create|/change", "", Persist, Schedule},
	{"schtasks", "/delete|/end", "", Execute, Defence},
	{"screencapture", "", "", Execute, Capture},
	{"scrot", "", "", Execute, Capture},
	{"secret-tool", "clear", "", Delete, DropData},
	{"secret-tool", "lookup|search", "", Secret, KeyFile},
	{"security", "delete-keychain|delete-generic-password|delete-internet-password|delete-identity", "", Delete, DropData},
	{"security", "dump-keychain -d", "", Secret, KeyFile},
	{"security", "find-generic-password|find-internet-password -w|-g|-gw|-wg", "", Secret, KeyFile},
	{"security", "export|unlock-keychain", "", Secret, KeyFile},
	{"security", "add-trusted-cert|authorizationdb|delete-certificate|remove-trusted-cert", "", Execute, Defence},
	{"service", watchers + " stop|disable|onestop", "", Execute, Defence},
	{"set", "+o history", "", Execute, Trace},
	{"set-executionpolicy", "unrestricted|bypass", "Process process", Execute, Defence},
	{"set-itemproperty", "*CurrentVersion\\Run", "", Persist, Schedule},
	{"set-mppreference", "", "", Execute, Defence},
	{"setcap", "", "-v -r", Privilege, SetUID},
	{"setenforce", "0|permissive", "", Execute, Defence},
	{"smbpasswd", "", "", Privilege, Account},
	{"spctl", "--master-disable|--global-disable|--disable|--add|--remove", "", Execute, Defence},
	{"ssh-copy-id", "", "-n -h", Privilege, Account},
	{"svn", "revert", "", Rewrite, VerbDestroy},
	{"svn", "cleanup --remove-unversioned|--remove-ignored", "", Delete, VerbDestroy},
	{"sysadminctl", "-addUser|-deleteUser|-resetPasswordFor|-newPassword|-adminUser", "", Privilege, Account},
	{"sysctl", "*randomize_va_space=|*ptrace_scope=|*kptr_restrict=|*kernel.sysrq=", "", Execute, Defence},
	{"systemd-run", "--on-*|--timer-property*", "", Persist, Schedule},
	{"takeown", "/r", "", Execute, Defence},
	{"tcpdump", "", "-r -D --help --version", Execute, Capture},
	{"tmutil", "disable|delete|deletelocalsnapshots|removedestination", "", Execute, Defence},
	{"tmux", "attach|attach-session|a", "", Spawn, Typed},
	{"trash-empty", "", "", Delete, DropData},
	{"trust", "anchor", "", Execute, Defence},
	{"tshark", "", "-r -D --help --version", Execute, Capture},
	{"ufw", "allow|deny|reject|delete|insert|prepend|route|limit|default", "", Execute, Defence},
	{"unset", "HISTFILE", "", Execute, Trace},
	{"update-ca-certificates", "", "", Execute, Defence},
	{"vault", "secrets|auth|audit disable", "", Infra, Destroy},
	{"vault", "operator seal|step-down|rekey", "", Infra, Destroy},
	{"vgremove", "", "", Delete, DropData},
	{"vipw", "", "", Privilege, Account},
	{"vssadmin", "delete", "", Delete, DropData},
	{"wbadmin", "delete", "", Delete, DropData},
	{"wevtutil", "cl|clear-log", "", Execute, Trace},
	{"wmic", "shadowcopy delete", "", Delete, DropData},
	{"xattr", "-d|-dr|-rd com.apple.quarantine", "", Execute, Defence},
	{"xattr", "-c|-cr|-rc", "", Execute, Defence},
	{"xinput", "test|test-xi2", "", Execute, Capture},
	{"xwd", "-root", "", Execute, Capture},
}

// watchers are services whose job is to notice what goes wrong.
const watchers = "auditd|syslogd|syslog|rsyslog|syslog-ng|firewalld|ufw|apparmor|fail2ban|iptables|nftables|cbdaemon|falcon-sensor|crowdstrike|clamav-daemon|ossec|wazuh-agent|osqueryd|sysmon|cron"

// deeds adds what the table says about a command.
func (r *reader) deeds(c *shell.Command) {
	i := sort.Search(len(deeds), func(i int) bool { return deeds[i].program >= c.Name })
	for ; i < len(deeds) && deeds[i].program == c.Name; i++ {
		d := &deeds[i]
		if !d.stands(c.Args) {
			continue
		}
		r.changes = true
		r.add(Act{Kind: d.kind, Tag: d.tag, Target: d.object(c), How: clip(strings.TrimSpace(c.Name+" "+firstWord(c.Args)), 40)})
		return
	}
}

// object is what a reason calls the thing: a secret's store, or the last word.
func (d *deed) object(c *shell.Command) string {
	if d.tag == KeyFile {
		return "what " + c.Name + " keeps"
	}
	return clip(at(words(c.Args), len(c.Args)-1), 60)
}

func firstWord(args []shell.Word) string {
	if len(args) == 0 {
		return ""
	}
	return args[0].Text
}

// stands says that the deed's words stand among the arguments.
func (d *deed) stands(args []shell.Word) bool {
	for _, a := range args {
		if in(a.Text, d.unless) {
			return false
		}
	}
	rest := d.words
	if rest == "" {
		return d.unless == "" || len(args) > 0
	}
	want, rest, _ := strings.Cut(rest, " ")
	for _, a := range args {
		if !oneOf(a.Text, want) {
			continue
		}
		if rest == "" {
			return true
		}
		want, rest, _ = strings.Cut(rest, " ")
	}
	return false
}

// oneOf compares a word with alternatives parted by |.
func oneOf(w, alternatives string) bool {
	for alternatives != "" {
		var alt string
		alt, alternatives, _ = strings.Cut(alternatives, "|")
		switch {
		case strings.EqualFold(w, alt):
			return true
		case strings.HasSuffix(alt, "*") && strings.HasPrefix(w, alt[:len(alt)-1]):
			return true
		case strings.HasPrefix(alt, "*") && strings.Contains(w, alt[1:]):
			return true
		}
	}
	return false
}
