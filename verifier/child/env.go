package child

import (
	"runtime"
	"slices"
	"strings"
)

// systemPath is the child's PATH: it needs no program of the user's.
const systemPath = "/usr/bin:/bin:/usr/sbin:/sbin"

// passed are the variables the judge may need: where its files and its key store are, and how it gets to the network.
var passed = [...]string{
	"DBUS_SESSION_BUS_ADDRESS",
	"HOME",
	"HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy",
	"LANG", "LC_ALL",
	"LOGNAME",
	"SSL_CERT_DIR", "SSL_CERT_FILE",
	"USER",
	// Windows
	"APPDATA", "LOCALAPPDATA", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERPROFILE",
}

// passedPrefixes are families of them.
var passedPrefixes = [...]string{"CLAUDE_PLUGIN_OPTION_", "STEPGATE_", "TYPESAFE_", "XDG_"}

// environ picks the child's environment.
func environ(env []string) []string {
	out := make([]string, 0, 16)
	if runtime.GOOS != "windows" {
		out = append(out, "PATH="+systemPath)
	}
	for _, kv := range env {
		name, _, ok := strings.Cut(kv, "=")
		if runtime.GOOS == "windows" {
			name = strings.ToUpper(name)
		}
		if ok && (slices.Contains(passed[:], name) || slices.ContainsFunc(passedPrefixes[:], func(p string) bool { return strings.HasPrefix(name, p) })) {
			out = append(out, kv)
		}
	}
	return out
}
