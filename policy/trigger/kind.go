package trigger

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy/effect"
	"github.com/stepgate/stepgate/policy/shell"
)

// Letters of session.Run.Is: what kind of call it is.
const (
	isLook    = "l" // it only looks
	isWrite   = "w" // it changes files of the project that a test could tell about
	isChange  = "x" // it changes something, files or not
	isFile    = "f" // a file tool writes: where that succeeds it has changed something
	isTest    = "t" // it verifies: a test, a build, a linter, a type check
	isCommit  = "c"
	isPush    = "p"
	isOutlook = "o" // it shows what an infrastructure tool would do
	isWatch   = "v" // it looks at, or waits for, what changes on its own
	isNew     = "n" // nothing near-equal was done lately
	isMove    = "m" // it puts other files of the history into the project
	isOther   = "d" // it differs from the near-equal call before it
	isRun     = "r" // it runs a program of the project, which shows whether that works
	isFickle  = "k" // it came to something else before, with nothing changed in between
)

func changes(is string) bool { return strings.Contains(is, isWrite) }

// kind gives the letters of a call.
func kind(o *Options, c *Call) string {
	var write, test, commit, push bool
	for _, a := range c.Acts {
		switch a.Kind {
		case effect.Test:
			test = true
		case effect.Commit:
			commit = true
		case effect.Publish:
			push = push || a.Program == "git"
		}
		written := class(a.Kind) == "change" || a.Kind == effect.Delete
		write = write || written && a.Place == effect.InProject && !prose(a.Target)
	}
	test = test || verifies(c) || o.checks(c) || o.Proves(&c.Call)
	watch, idle := watches(c), c.Capability == agent.Plan || c.Capability == agent.Task
	is := ""
	for _, k := range [...]struct {
		letter string
		yes    bool
	}{
		{isLook, c.ReadOnly && !test && !idle}, {isWrite, write}, {isChange, !c.ReadOnly && !test && !watch}, {isFile, c.Capability == agent.Write},
		{isTest, test}, {isCommit, commit}, {isPush, push}, {isOutlook, infra(c, shows[:])}, {isWatch, watch}, {isRun, runsOwn(c)}, {isMove, !c.ReadOnly && moves(c)},
	} {
		if k.yes {
			is += k.letter
		}
	}
	return is
}

// Proves says that a call is one of the commands that prove the work, and ends as it does: as it stands in the settings,
// or at the end of an && list, with a time limit, a variable or its output in a file; not before a pipe.
func (o *Options) Proves(c *agent.Call) bool {
	if len(o.DoneChecks) == 0 || c.Command == "" {
		return false
	}
	if o.check(c.Command) {
		return true
	}
	if strings.ContainsAny(c.Command, ";|!`(\n") {
		return false // it may end otherwise than its last command
	}
	line := shell.Read(c.Command, shell.Options{Dir: "/", Home: "/"})
	if len(line.Commands) == 0 || len(line.Unsure) > 0 || line.Broken {
		return false
	}
	for i := range line.Commands {
		cmd := &line.Commands[i]
		if cmd.Background || cmd.Chain != line.Commands[0].Chain || cmd.Chain == 0 && i > 0 {
			return false
		}
	}
	last := &line.Commands[len(line.Commands)-1]
	return o.check(words(last)) && !slices.ContainsFunc(last.Via, func(w string) bool { return !slices.Contains(faithful[:], w) })
}

// faithful wrappers end as what they run does.
var faithful = [...]string{"env", "nice", "time", "timeout"}

// checks says that one of the commands is one that proves the work, whatever stands around it.
func (o *Options) checks(c *Call) bool {
	return len(o.DoneChecks) > 0 && slices.ContainsFunc(c.Script.Commands, func(cmd shell.Command) bool { return o.check(words(&cmd)) })
}

// check says that a text is a command that proves the work.
func (o *Options) check(text string) bool {
	text = strings.Join(strings.Fields(text), " ")
	return slices.ContainsFunc(o.DoneChecks, func(check string) bool { return strings.Join(strings.Fields(check), " ") == text })
}

// words are a command's program and arguments.
func words(cmd *shell.Command) string {
	text := cmp.Or(cmd.Path, cmd.Name)
	for _, a := range cmd.Args {
		text += " " + a.Text
	}
	return text
}

// hollow: an edit that does not say what it writes, so that no two of them can be told apart.
func hollow(c *Call) bool {
	for i := range c.Edits {
		if e := &c.Edits[i]; e.Op == agent.Update && e.Old == "" && e.New == "" {
			return true
		}
	}
	return false
}

// prose: nothing that a test could tell about.
func prose(path string) bool {
	for _, end := range [...]string{".md", ".mdx", ".txt", ".rst", ".adoc"} {
		if strings.HasSuffix(path, end) {
			return true
		}
	}
	return false
}

// verifiers are programs whose whole purpose is to check work. Sorted.
var verifiers = [...]string{
	"ava", "biome", "black", "bundle-audit", "ctest", "cypress", "detekt", "eslint", "flake8", "gcc", "golangci-lint", "gradle", "gradlew", "hadolint", "jest",
	"ktlint", "luacheck", "mocha", "mvn", "mvnw", "mypy", "ninja", "nose2", "nox", "phpstan", "phpunit", "playwright", "pre-commit", "prettier", "pylint", "pyright",
	"pytest", "rspec", "rubocop", "ruff", "rustc", "shellcheck", "standard", "staticcheck", "stylelint", "swiftlint", "tap", "tox", "tsc", "vitest", "vue-tsc", "xcodebuild",
}

// verifies says that one of the commands is a verifier that no act tells of, run by its own name or by a runner.
func verifies(c *Call) bool {
	for i := range c.Script.Commands {
		cmd := &c.Script.Commands[i]
		name := cmd.Name
		for _, a := range cmd.Args {
			if !slices.Contains(runners[:], name) {
				break
			}
			if !strings.HasPrefix(a.Text, "-") && !slices.Contains(runWords[:], a.Text) {
				name = a.Text
			}
		}
		if _, ok := slices.BinarySearch(verifiers[:], name); ok || slices.Contains(imagers[:], cmd.Name) && hasWord(cmd.Args, []string{"build"}) {
			return true
		}
	}
	return false
}

// runsOwn says that one of the commands is a program of the project: python scripts/load.py, go run ./cmd/x, ./serve.sh.
func runsOwn(c *Call) bool {
	for i := range c.Script.Commands {
		cmd := &c.Script.Commands[i]
		if strings.HasPrefix(cmd.Path, "./") || strings.HasPrefix(cmd.Name, "./") {
			return true
		}
		if !slices.Contains(interpreters[:], cmd.Name) {
			continue
		}
		for j, a := range cmd.Args {
			if a.Text == "-m" || a.Text == "run" && j == 0 {
				return j+1 < len(cmd.Args)
			}
			if !strings.HasPrefix(a.Text, "-") {
				return !strings.HasPrefix(a.Text, "/") && strings.Contains(a.Text, ".")
			}
			if a.Text == "-c" || a.Text == "-e" {
				break // what it runs is no part of the project
			}
		}
	}
	return false
}

var interpreters = [...]string{"bash", "bun", "cargo", "deno", "dotnet", "go", "node", "perl", "php", "python", "python3", "ruby", "Rscript", "sh", "ts-node", "tsx", "uv", "zsh"}

// imagers build an image from the project, which fails where the project does.
var imagers = [...]string{"buildah", "docker", "docker-compose", "nerdctl", "podman"}

// runners run the program that their first word names; runWords may stand before it.
var (
	runners  = [...]string{"bunx", "bundle", "npx", "pnpm", "pnpx", "poetry", "python", "python3", "uv", "uvx", "yarn", "hatch", "pdm"}
	runWords = [...]string{"exec", "run", "dlx", "m"}
)

// watchers look at what changes without the agent: jobs, servers, other machines. asked are those that do so with one
// of the words in looking.
var (
	watchers = [...]string{
		"curl", "fg", "http", "jobs", "journalctl", "lsof", "nc", "netstat", "nvidia-smi", "pgrep", "ping", "ps", "scontrol", "sleep", "squeue", "ss", "tail", "top", "wait", "watch", "wget",
	}
	asked   = [...]string{"argocd", "aws", "az", "buildkite", "circleci", "docker", "doctl", "eas", "fly", "flyctl", "gcloud", "gh", "glab", "heroku", "helm", "kubectl", "nomad", "oc", "podman", "pm2", "railway", "supervisorctl", "systemctl", "vercel"}
	looking = [...]string{"checks", "describe", "get", "inspect", "is-active", "list", "logs", "ls", "ps", "rollout", "show", "status", "top", "view", "wait", "watch"}
)

// watches: a look at such a thing, or a wait for it.
func watches(c *Call) bool {
	if c.Capability == agent.Plan || c.Capability == agent.Task {
		return true
	}
	for i := range c.Script.Commands {
		cmd := &c.Script.Commands[i]
		if slices.Contains(watchers[:], cmd.Name) || slices.Contains(asked[:], cmd.Name) && looks(cmd.Args) {
			return true
		}
	}
	return false
}

// looks: one of the words is a look, alone or at the head of a longer one: describe-services.
func looks(args []shell.Word) bool {
	for i := range args {
		if word, _, _ := strings.Cut(args[i].Text, "-"); slices.Contains(looking[:], word) || slices.Contains(looking[:], args[i].Text) {
			return true
		}
	}
	return false
}

// moves: git puts other files of the history in the place of those that are there.
func moves(c *Call) bool {
	for i := range c.Script.Commands {
		if cmd := &c.Script.Commands[i]; cmd.Name == "git" && hasWord(cmd.Args, moving[:]) {
			return true
		}
	}
	return false
}

var moving = [...]string{"am", "apply", "bisect", "checkout", "cherry-pick", "merge", "pull", "rebase", "reset", "restore", "revert", "stash", "switch"}

// infra says that an infrastructure tool is run with one of some words.
func infra(c *Call, words []string) bool {
	for i := range c.Script.Commands {
		if cmd := &c.Script.Commands[i]; slices.Contains(infraTools[:], cmd.Name) && hasWord(cmd.Args, words) {
			return true
		}
	}
	return false
}

var (
	infraTools = [...]string{"cdk", "cdktf", "pulumi", "terraform", "terragrunt", "tofu"}
	shows      = [...]string{"plan", "preview", "diff"}
	applies    = [...]string{"apply", "up", "deploy"}
)
