package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// packages reads package managers: what they publish, install from elsewhere, or run.
func (r *reader) packages(c *shell.Command) {
	valued := " "
	if strings.HasPrefix(c.Name, "pip") || c.Name == "uv" {
		valued = " -r -f --find-links --python --platform --python-version --cache-dir --trusted-host --proxy --timeout --retries --root --src --extra --implementation --abi --log "
	}
	a := split(c.Args, valued+"-C --prefix --cwd --filter -w --workspace --registry --tag --otp --access --requirement -c --constraint -e --editable -i --index-url --extra-index-url -t --target --features -p --package --manifest-path --bin --profile --skip --group -G --source --omit --include --loglevel --cache --script-shell ")
	ws := words(a.ops)
	sub := at(ws, 0)
	all := " " + strings.Join(words(c.Args), " ") + " "
	for _, v := range a.values("--script-shell") {
		r.otherShell("script-shell", v.Text)
	}
	dry := a.has("--dry-run", "-n", "--snapshot") || strings.Contains(all, "publish,") || strings.Contains(all, " --skip=publish ")
	if c.Name == "cargo" {
		r.cargo(c, sub)
		r.taskLines(c)
	}
	if script := a.op(1); c.Name == "uv" && sub == "run" && strings.HasSuffix(script, ".py") {
		r.scriptFile(c, a.ops[1], &pythonCalls, words(a.ops[2:]))
		return
	}
	switch {
	case (publishes(c.Name, sub) || c.Name == "yarn" && sub == "npm" && at(ws, 1) == "publish") && !dry:
		r.tellRemote(Publish, Release, c.Name+" "+sub, "")
	case in(sub, "unpublish yank deprecate") || c.Name == "gem" && sub == "yank":
		r.tellRemote(Publish, VerbDestroy, c.Name+" "+sub, at(ws, 1))
	case in(sub, "test t vitest jest clippy check build fmt lint typecheck bench"):
		r.tell(Test, "", c.Name+" "+sub, "")
		r.packageScript(c, a)
	case in(sub, "run run-script start exec"):
		r.packageScript(c, a)
	case in(sub, "install i add ci require"):
		r.install(c, a)
	case in(sub, "list ls outdated view info show why audit search config root bin prefix version help tree metadata"):
		if sub == "config" && at(ws, 1) == "set" {
			r.changes = true
			if name, val, ok := strings.Cut(at(ws, 2), "="); name == "script-shell" {
				if !ok {
					val = at(ws, 3)
				}
				r.otherShell(name, val)
			}
		}
	default:
		r.packageScript(c, a)
	}
}

func publishes(name, sub string) bool {
	switch name {
	case "npm", "pnpm", "yarn", "cargo", "poetry", "uv", "bun":
		return sub == "publish"
	case "twine":
		return sub == "upload"
	case "gem":
		return sub == "push"
	case "goreleaser":
		return sub == "release"
	}
	return false
}

// install: a package from a registry is ordinary; code straight from an address is asked about.
func (r *reader) install(c *shell.Command, a argv) {
	i := r.tellRemote(Install, "", c.Name, "")
	r.lifecycle(c, a)
	names := append(a.ops[min(1, len(a.ops)):], a.values("-e", "--editable", "-i", "--index-url", "--extra-index-url")...)
	for _, w := range names {
		t := w.Text
		switch {
		case strings.HasPrefix(t, "https://files.pythonhosted.org/"), strings.HasPrefix(t, "https://registry.npmjs.org/"): // the registries' own store
		case strings.HasPrefix(t, "git+"), strings.HasPrefix(t, "http://"), strings.HasPrefix(t, "https://") && !isIndex(a, t), strings.HasPrefix(t, "git://"), strings.HasPrefix(t, "git@"):
			r.acts[i].Tag, r.acts[i].Target = RemotePkg, clip(t, 80)
		case strings.HasPrefix(t, "https://") && isIndex(a, t) && !strings.Contains(t, "pypi.org") && !strings.Contains(t, "pytorch.org"):
			r.acts[i].Target = clip(t, 80)
		case r.acts[i].Tag == "" && r.unknownPackage(c, w):
			r.acts[i].Tag, r.acts[i].Target = UnknownPkg, clip(t, 60)
		}
	}
}

func isIndex(a argv, t string) bool {
	for _, v := range a.values("-i", "--index-url", "--extra-index-url") {
		if v.Text == t {
			return true
		}
	}
	return false
}

// npx runs a package's program: the rest is that program's own line.
func (r *reader) npx(c *shell.Command) {
	a := split(c.Args, " -p --package -c --call ")
	for _, v := range a.values("-c", "--call") {
		r.nested(v.Text, c.Dir)
	}
	r.changes = true
}

// runPackage gives a command that npx and its like fetch first under the name of its program: vercel@latest is vercel.
func (r *reader) runPackage(c *shell.Command) *shell.Command {
	if strings.Contains(c.Path, "://") {
		r.tellRemote(Install, RemotePkg, "npx", host(c.Path))
	}
	name, _, versioned := strings.Cut(c.Name, "@")
	if !versioned || name == "" || c.Path != "" {
		return c
	}
	as := *c
	as.Name = name
	return &as
}

func (r *reader) golang(c *shell.Command) {
	ws := words(c.Args)
	switch at(ws, 0) {
	case "test", "vet", "build":
		r.tell(Test, "", "go "+ws[0], "")
		r.changes = true
		r.compile(c)
	case "version", "env", "list", "doc", "help":
		r.changes = r.changes || contains(ws, "-w")
	case "generate":
		r.generate(c)
	case "install", "get":
		r.tell(Install, "", "go", "")
	case "run":
		r.changes = true
		r.compile(c)
	default:
		r.changes = true
	}
}
