package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// What brings a running service up to date carries the tag Deploy. No rule asks about it, as it is many people's daily
// work; it is there for a person who has ruled it out, and for the judge. The forms of tools.go know the tools that say it
// in a way of their own; here is what the names of scripts, targets and tasks say.

// deploying words, alone or as a part of a name: deploy.sh, prod-deploy, release:all.
const deploying = "deploy deploys deployment redeploy rollout ship promote release publish gh-pages"

// rehearsing words in the same name make it about a deployment, and none: deploy-check, release_notes.
const rehearsing = "test tests check checks lint dry dryrun preview notes note plan diff status log logs local locally docs doc validate verify config build template help list ls show info history spec mock example sample debug"

// goals are programs whose words are targets or tasks of the project. Of a program that is not among them only the first
// word counts.
const goals = "make gmake just task rake mage invoke inv fab gulp grunt nx turbo ant gradle gradlew mvn mvnw npm pnpm yarn bun composer deno tox nox poe hatch pdm lein sbt mix bazel pants earthly dagger"

// named are programs to whom such a word is a name.
const named = "git hg svn docker podman nano tar zip rsync scp ssh open code cargo go pip pip3 uv conda man tldr apropos source export gh glab helm kubectl claude codex"

// deploys marks a command that deploys by the name of what it runs.
func (r *reader) deploys(c *shell.Command, name string, args []shell.Word) {
	ws := words(args)
	if dry(ws) {
		return
	}
	if what := runs(c, name, args); deployName(what) {
		r.changes = true
		r.add(Act{Kind: Infra, Tag: Deploy, Program: c.Name, How: clip(strings.TrimPrefix(what, c.Name), 40), Target: stage(append(ws, what))})
	}
}

// runs gives the name of the script, target or task that a command starts, or the word that may be a verb.
func runs(c *shell.Command, name string, args []shell.Word) string {
	first := firstWord(args)
	switch {
	case in(c.Name, "npx pnpx bunx pnpm yarn bun") && name != c.Name:
		if name == "run" {
			return first
		}
		return name
	case c.Path != "" && programAt(c.Path) == "" && name == c.Name, isScript(name):
		if !deployName(name) && !strings.ContainsAny(first, "/.") { // ./manage deploy
			return first
		}
		return name
	case in(name, goals):
		for _, a := range args {
			if !strings.HasPrefix(a.Text, "-") && !strings.Contains(a.Text, "=") && deployName(a.Text) {
				return a.Text
			}
		}
	case isShell(name) || isInterpreter(name):
		for _, a := range args {
			switch {
			case in(a.Text, "-c -e -m -n -p -r -E -s --eval --print --check"):
				return ""
			case !strings.HasPrefix(a.Text, "-"):
				return a.Text
			}
		}
	case in(strings.ToLower(first), deploying) && !isText(name) && !in(name, named) && !in(name, lookers) && lastLook(words(args[1:min(3, len(args))])) < 0:
		return first
	}
	return ""
}

// deployName: the last part of a path, or a task's name, says that it deploys.
func deployName(s string) bool {
	s = strings.ToLower(s[strings.LastIndexByte(s, '/')+1:])
	found := false
	for part := range strings.FieldsFuncSeq(s, func(c rune) bool { return strings.ContainsRune("-_.:@ ", c) }) {
		if in(part, rehearsing) {
			return false
		}
		found = found || in(part, deploying)
	}
	return found
}

// stage is the word that tells where to, if one does.
func stage(ws []string) string {
	for _, w := range ws {
		for part := range strings.FieldsFuncSeq(strings.ToLower(w), func(c rune) bool { return strings.ContainsRune("-_.:=/@", c) }) {
			if in(part, "production prod prd live staging stage stg dev development test testing qa uat preview sandbox canary local") {
				return part
			}
		}
	}
	return ""
}
