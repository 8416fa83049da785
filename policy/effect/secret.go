package effect

import (
	"path/filepath"
	"strings"
)

// keyFiles are the ends of paths that hold private keys, logins or cloud credentials: what opens other machines.
var keyFiles = [...]string{
	"/.aws/credentials", "/.azure/accesstokens.json", "/.azure/msal_token_cache.json", "/.cargo/credentials", "/.cargo/credentials.toml",
	"/.config/gh/hosts.yml", "/.docker/config.json", "/.git-credentials", "/.kube/config", "/.netrc", "/.pgpass", "/.pypirc",
	"/.vault-token", "/.claude/.credentials.json", "/.codex/auth.json", "/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/.terraform.d/credentials.tfrc.json",
	"/.config/gcloud/application_default_credentials.json", "/.config/gcloud/credentials.db", "/.my.cnf", "/.boto", "/.s3cfg", "/.rclone.conf",
	"/.config/rclone/rclone.conf", "/logins.json", "/key4.db", "/login data", "/wallet.dat", "/etc/ssl/private",
	"/cookies.sqlite", "/cookies.binarycookies", "/chrome/default/cookies", "/default/network/cookies", "/.bash_history", "/.zsh_history", "/.sh_history", "/.history",
	"/.config/glab-cli/config.yml", "/.config/pypoetry/auth.toml", "/.gem/credentials", "/.config/op/config", "/.config/hub", "/.oci/config", "/.snowflake/config.toml",
	"/.databrickscfg", "/.config/doctl/config.yaml", "/.fly/config.yml", "/.local/share/keyrings/login.keyring", "/.password-store", "/etc/kubernetes/admin.conf",
	"/secrets/kubernetes.io/serviceaccount/token", "/etc/security/opasswd", "/dev/mem", "/proc/kcore", "/proc/self/mem",
}

// secretTag tells whether a path is a secret, and whose: KeyFile or EnvFile.
func secretTag(p string) Tag {
	low := strings.ToLower(strings.TrimRight(p, "/"))
	base := filepath.Base(low)
	for _, k := range keyFiles {
		if strings.HasSuffix(low, k) {
			return KeyFile
		}
	}
	switch {
	case strings.HasPrefix(low, "/proc/") && in(base, "mem environ"):
		return KeyFile
	case strings.Contains(low, "/.ssh/"), strings.Contains(low, "/.gnupg/"):
		if strings.HasSuffix(base, ".pub") || in(base, "config known_hosts known_hosts.old authorized_keys environment") {
			return ""
		}
		return KeyFile
	case strings.HasSuffix(low, "/.ssh"), strings.HasSuffix(low, "/.gnupg"), strings.HasSuffix(low, "/.aws"):
		return KeyFile
	case in(base, "id_rsa id_dsa id_ecdsa id_ed25519"):
		return KeyFile
	case base == ".npmrc" && strings.Count(low, "/") <= 3 && !strings.HasPrefix(low, "."):
		return KeyFile
	case hasSuffix(base, ".key", ".p12", ".pfx", ".keystore", ".jks") && base != ".key", hasSuffix(base, "-key.pem", "_key.pem", "privkey.pem", ".keychain-db"):
		return KeyFile
	case isEnvFile(base):
		return EnvFile
	}
	return ""
}

// isEnvFile: a project's own secrets; a template of them is none.
func isEnvFile(base string) bool {
	if base == ".env" {
		return true
	}
	if !strings.HasPrefix(base, ".env.") {
		return false
	}
	return !in(strings.TrimPrefix(base, ".env."), "example sample template dist defaults default test schema tpl example.local tmpl d.ts")
}

// tokenShapes begin tokens that are worth something to whoever reads them, with the least number of letters, digits,
// dashes and underscores that follow. Prefixes are the issuers' own, as their documentation gives them.
var tokenShapes = [...]struct {
	prefix string
	rest   int
}{
	{"ghp_", 30}, {"gho_", 30}, {"ghs_", 30}, {"ghu_", 30}, {"github_pat_", 30}, {"glpat-", 18}, {"sk-ant-", 20}, {"sk-proj-", 20},
	{"sk_live_", 16}, {"rk_live_", 16}, {"xoxb-", 16}, {"xoxp-", 16}, {"xoxa-", 16}, {"AKIA", 16}, {"ASIA", 16}, {"AIza", 30}, {"npm_", 30},
	{"hf_", 30}, {"dop_v1_", 40}, {"SG.", 30}, {"shpat_", 24}, {"pypi-AgEI", 30}, {"sk-", 40},
}

// LiveSecret says that a text holds a private key or a token that looks alive: no placeholder, no run of one letter.
func LiveSecret(s string) bool {
	if i := strings.Index(s, "-----BEGIN "); i >= 0 && strings.Contains(s[i:min(len(s), i+60)], "PRIVATE KEY-----") {
		return len(s) > i+80
	}
	for _, t := range tokenShapes {
		for from := 0; ; {
			i := strings.Index(s[from:], t.prefix)
			if i < 0 {
				break
			}
			i += from
			from = i + len(t.prefix)
			if i > 0 && isTokenByte(s[i-1]) {
				continue
			}
			n := from
			for n < len(s) && isTokenByte(s[n]) {
				n++
			}
			if n-from >= t.rest && !placeholder(s[from:n]) {
				return true
			}
		}
	}
	return false
}

func isTokenByte(b byte) bool {
	return isLetter(b) || b >= '0' && b <= '9' || b == '_' || b == '-'
}

// placeholder: words of documentation, or one character all through.
func placeholder(s string) bool {
	low := strings.ToLower(s)
	for _, w := range [...]string{"example", "xxxx", "your", "placeholder", "redacted", "1234567890abcdef1234"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return strings.Count(s, s[:1]) == len(s)
}

// dangerousWords, in a line that cannot be read, make it worth a question.
var dangerousWords = [...]string{
	"rm -", "rmdir ", "mkfs", "dd if=", "dd of=", "shred ", "git reset --hard", "git clean -", "git push --force", "git push -f", "git stash drop", "git stash clear",
	"git checkout -- ", "branch -D", "| sh", "|sh", "| bash", "|bash", "drop table", "drop database", "drop schema", "truncate table", "shutdown", "reboot", "kill -9", "pkill ",
	"chmod -R", "chown -R", "terraform destroy", "kubectl delete", "docker system prune", "/dev/tcp/", "/dev/sd", "--force", "remove-item", "format c:", "del /", "rd /s",
	"authorized_keys", ".ssh/id_", "stepgate mode", "disableallhooks", "shutil.rmtree", "eval ",
}

func dangerousText(s string) bool {
	low := strings.Map(func(c rune) rune { // quotes hide no word from a shell
		if c == '"' || c == '\'' || c == '\\' {
			return -1
		}
		return c
	}, strings.ToLower(s))
	for _, w := range dangerousWords {
		if strings.Contains(low, strings.ToLower(w)) {
			return true
		}
	}
	return false
}
