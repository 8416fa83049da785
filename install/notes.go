package install

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Sends is where the gate sends calls and keeps records, as the configuration has it.
type Sends struct {
	// Judge is local, off, jev, openai or scorer; Host is the address of a remote one.
	Judge, Host string
	// Log is the folder of the session records.
	Log string
}

// notes say what the change means.
func notes(a agentOf, scope Scope, c Change, o Options) []string {
	list := sent(o.Sends)
	if a.name == "codex" {
		list = append(list,
			"Codex runs a new or changed hook only once you trust it: start codex, and answer its question or open /hooks.",
			"Until then codex skips the hook without a word, codex exec too. stepgate doctor tells.")
		if scope == Project {
			list = append(list, "Codex reads a repository's hooks only where you trust the repository.")
		}
	}
	if scope == Project {
		list = append(list, fmt.Sprintf("The entry names %s without a path: everyone who works here needs it on PATH. Without it the agent goes on unguarded.", program))
	}
	if o.FailClosed {
		list = append(list, "The agent refuses calls when the hook cannot answer. stepgate uninstall takes that back.")
	}
	if root, err := parse(string(c.Before)); err == nil && a.name == "claude" {
		if off, err := root.get("disableAllHooks"); err == nil && off != nil && string(c.Before[off.from:off.to]) == "true" {
			list = append(list, "disableAllHooks is true in this file: Claude Code runs no hook at all until that is gone.")
		}
	}
	return list
}

// sent says what leaves this machine and what is kept.
func sent(s Sends) []string {
	var list []string
	switch s.Judge {
	case "", "off", "local":
		list = append(list, "Nothing is sent anywhere: calls are judged on this machine. That stays so until you choose a judge with stepgate key set or the setting judge.")
	default:
		host := s.Host
		if host == "" {
			host = "the judge's server"
		}
		list = append(list, fmt.Sprintf("Sent to %s (judge %s) for calls that are not plainly read-only: the first prompt and up to three later ones, the last eight calls, "+
			"the pending call, its folder, what was found about it on disk and in git, and your policies. Secrets are masked first.", host, s.Judge))
	}
	if s.Log != "" {
		list = append(list, "Kept in "+s.Log+": one masked line for each call. Only you can read it.")
	}
	return list
}

// Find gives the path of the hook to write into settings, for the stepgate program at exe. Where PATH has a link to the
// same hook, that link is taken: a package manager keeps it over upgrades, while the path it leads to holds a version.
// Codex would ask for trust again for each new path.
func Find(exe, path string) (string, error) {
	beside := filepath.Join(filepath.Dir(exe), program+filepath.Ext(exe))
	real, err := filepath.EvalSymlinks(beside)
	if err != nil {
		return "", fmt.Errorf("program %s is not there\nhint: stepgate and %s must stay in one folder", beside, program)
	}
	for _, dir := range strings.Split(path, string(os.PathListSeparator)) {
		candidate := filepath.Join(dir, filepath.Base(beside))
		if !filepath.IsAbs(dir) || candidate == real {
			continue
		}
		if info, err := os.Lstat(candidate); err != nil || info.Mode()&os.ModeSymlink == 0 {
			continue
		}
		if to, err := filepath.EvalSymlinks(candidate); err == nil && to == real {
			return candidate, nil
		}
	}
	return real, nil
}
