package effect

import (
	"path/filepath"
	"strings"
)

// Files of a project that others run, or that say where code comes from: a pipeline with secrets in it, an image's recipe,
// the address of a registry. What is written to them is read for what it would send, run or fetch.

// projectFile judges what is written to such a file; i is the act of writing it.
func (r *reader) projectFile(i int, p, text string) {
	base := filepath.Base(p)
	switch {
	case isPipeline(p, base):
		if to := sentBy(text, text+smallFile(p)); to != "" {
			r.tellRemote(Send, EnvSent, base, to)
		}
		if runsClear(text) || strings.Contains(text, "pull_request_target") && strings.Contains(text, "actions/checkout") && strings.Contains(text, "github.event.pull_request.head") {
			r.acts[i].Kind, r.acts[i].Tag = Persist, HookFile
		}
	case strings.Contains(p, "/.husky/") || in(base, "devcontainer.json"): // what a commit, or opening the project, starts
		if (strings.Contains(text, "curl ") || strings.Contains(text, "wget ")) && (strings.Contains(text, "| sh") || strings.Contains(text, "|sh") || strings.Contains(text, "| bash") || strings.Contains(text, "|bash") || strings.Contains(text, "/.ssh") || strings.Contains(text, "/.aws")) {
			r.acts[i].Kind, r.acts[i].Tag = Persist, HookFile
		}
	case strings.HasPrefix(base, "Dockerfile") || strings.HasSuffix(base, ".Dockerfile") || base == "Containerfile":
		if runsClear(text) {
			r.acts[i].Kind, r.acts[i].Tag = Persist, HookFile
		}
	case strings.HasPrefix(base, "requirements") && strings.HasSuffix(base, ".txt") || in(base, ".npmrc .yarnrc .yarnrc.yml pip.conf pip.ini bunfig.toml .pypirc .condarc Gemfile"):
		if from := clearSource(text); from != "" {
			r.tellRemote(Install, Unchecked, base, from)
		}
	}
}

// isPipeline: a file by which a forge runs something with the project's secrets at hand.
func isPipeline(p, base string) bool {
	return strings.Contains(p, "/.github/workflows/") || strings.Contains(p, "/.github/actions/") || strings.Contains(p, "/.circleci/") ||
		in(base, ".gitlab-ci.yml bitbucket-pipelines.yml azure-pipelines.yml .travis.yml Jenkinsfile")
}

// pipelineSenders begin what sends something from a pipeline.
var pipelineSenders = [...]string{"curl ", "wget ", "nc ", "ncat ", "fetch(", "axios.post(", "requests.post(", "Invoke-WebRequest ", "Invoke-RestMethod "}

// sentBy finds a line of a pipeline that hands secrets to a host, and gives the host. A login in a header is what a secret
// is for, and so is one whose name tells of the host; whole is all of the file, for the names that stand for secrets.
func sentBy(text, whole string) string {
	names := secretNames(whole)
	all := strings.Contains(text, "toJSON(secrets)") || strings.Contains(text, "toJson(secrets)")
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		sends := false
		for _, s := range pipelineSenders {
			sends = sends || strings.Contains(line, s)
		}
		_, url, addressed := strings.Cut(line, "://")
		switch h := host("x://" + url); {
		case all && !sends && (strings.Contains(line, "base64") || strings.Contains(line, "| rev")) && strings.Contains(line, "echo"):
			return "the pipeline's log"
		case !sends || !addressed || h == "" || isNear(h) || strings.ContainsAny(h, "${}"):
		case strings.Contains(line, "(secrets)"), strings.Contains(line, "env |"), strings.Contains(line, "env|"), strings.Contains(line, "set |"):
			return h
		default:
			bare := withoutLogin(line)
			for _, n := range names {
				if holdsName(bare, n) && !kin(n, h) {
					return h
				}
			}
		}
	}
	return ""
}

// secretNames are the secrets that a pipeline names, and the variables that it gives them to.
func secretNames(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		before, rest, ok := strings.Cut(line, "secrets.")
		if !ok || len(out) >= 2*maxWords {
			continue
		}
		n := 0
		for n < len(rest) && isNameByte(rest[n]) {
			n++
		}
		out = append(out, "secrets."+rest[:n])
		if key, _, ok := strings.Cut(strings.TrimSpace(before), ":"); ok && isName(key) && strings.Contains(before, "${{") {
			out = append(out, key)
		}
	}
	return out
}

// holdsName: the whole name stands in a line.
func holdsName(line, name string) bool {
	for rest := line; ; {
		i := strings.Index(rest, name)
		if i < 0 {
			return false
		}
		end := i + len(name)
		if i > 0 && strings.IndexByte("${.[\"'( ", rest[i-1]) >= 0 && (end == len(rest) || !isNameByte(rest[end])) {
			return true
		}
		rest = rest[end:]
	}
}

// withoutLogin is a line without what stands in the headers and logins of its calls.
func withoutLogin(line string) string {
	for _, flag := range [...]string{"-H ", "--header ", "-u ", "--user ", "--oauth2-bearer "} {
		for range 8 {
			before, rest, ok := strings.Cut(line, flag)
			if !ok {
				break
			}
			if s, n := quoted(rest); n > 0 && s != "" {
				rest = rest[n:]
			} else if _, after, more := strings.Cut(rest, " "); more {
				rest = after
			} else {
				rest = ""
			}
			line = before + rest
		}
	}
	return line
}

// kin: a secret has the host's name in its own.
func kin(secret, host string) bool {
	low := strings.ToLower(secret)
	for _, label := range strings.FieldsFunc(strings.ToLower(host), func(c rune) bool { return c == '.' || c == '-' }) {
		if len(label) >= 4 && strings.Contains(low, label) {
			return true
		}
	}
	return strings.HasSuffix(host, "github.com") && (strings.Contains(low, "github") || strings.Contains(low, "gh_"))
}

// runsClear: a line gives a shell what it fetches without encryption.
func runsClear(text string) bool {
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		_, url, ok := strings.Cut(line, "http://")
		if h := host("http://" + url); ok && !isNear(h) && (pipesToShell(line) || pipesToShell(strings.ReplaceAll(line, "sudo ", ""))) {
			return true
		}
	}
	return false
}

// clearSource is the registry that a file names by a plain address, or whose checks it switches off.
func clearSource(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		key, url, ok := strings.Cut(line, "http://")
		switch {
		case ok && !isNear(host("http://"+url)) && (namesRegistry(strings.ToLower(key)) || strings.Contains(key, " @ ")):
			return host("http://" + url)
		case in(strings.ReplaceAll(strings.ToLower(line), " ", ""), "strict-ssl=false strict-sslfalse enablestrictssl:false ssl_verify:false"):
			return "the registry"
		}
	}
	return ""
}
