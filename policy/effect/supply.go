package effect

import (
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// What a project is given by others and gives to them by git: ignored secrets that are added by force, remotes on another
// host, registries without encryption.

// installers fetch packages from a registry.
const installers = "npm pnpm yarn bun npx pip pip3 uv poetry pdm pipx conda mamba gem bundle composer cargo go nuget dotnet helm brew choco"

// clearRegistry finds a registry that is named by a plain http address, or the check of its certificate switched off: its
// packages can be replaced by anyone on the way.
func (r *reader) clearRegistry(c *shell.Command) {
	if !in(c.Name, installers) {
		return
	}
	for i, a := range c.Args {
		before := ""
		for _, w := range c.Args[max(0, i-2):i] {
			before += " " + w.Text
		}
		low := strings.ToLower(before + " " + a.Text)
		at := strings.Index(a.Text, "http://")
		switch {
		case at >= 0 && !isNear(host(a.Text[at:])) && namesRegistry(low):
			r.add(Act{Kind: Install, Tag: Unchecked, Target: clip(host(a.Text[at:]), 60), Place: Remote, How: "plain http"})
			return
		case strings.HasSuffix(low, "strict-ssl false"), strings.HasSuffix(low, "strict-ssl=false"), strings.HasSuffix(low, "gosumdb=off"):
			r.add(Act{Kind: Install, Tag: Unchecked, Target: "the registry", How: strings.TrimSpace(clip(a.Text, 40))})
			return
		}
	}
}

func namesRegistry(s string) bool {
	for _, w := range [...]string{"registry", "index", "source", "repo", "goproxy", "channel", "find-links"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// addsSecret finds an ignored file with secrets that git is told to take all the same.
func (r *reader) addsSecret(c *shell.Command, g gitCall) {
	a := split(g.args, "")
	if g.sub == "add" {
		r.addsTaint(c, g, a)
	}
	if g.sub != "add" || !a.has("-f", "--force") || a.has("-n", "--dry-run") {
		return
	}
	here := *c
	here.Dir = g.dir
	for _, o := range a.ops {
		t := r.written(&here, o)
		all := t.place == InProject && (t.all || isDir(t.real))
		if tag := secretTag(t.real); tag != "" && !all {
			r.add(Act{Kind: Commit, Tag: tag, Target: t.real, Place: t.place, How: "add -f"})
		} else if env := filepath.Join(t.real, ".env"); all && !Absent(env) {
			r.add(Act{Kind: Commit, Tag: EnvFile, Target: env, Place: t.place, How: "add -f"})
		}
	}
	if len(a.ops) == 0 && a.has("-A", "--all") {
		if env := filepath.Join(repoRoot(g.dir), ".env"); !Absent(env) {
			r.add(Act{Kind: Commit, Tag: EnvFile, Target: env, Place: InProject, How: "add -A -f"})
		}
	}
}

// addsTaint finds a file that the line has made of a secret, given to git under another name.
func (r *reader) addsTaint(c *shell.Command, g gitCall, a argv) {
	here := *c
	here.Dir = g.dir
	for _, x := range r.taints {
		taken := a.has("-A", "--all")
		for _, o := range a.ops {
			t := r.written(&here, o)
			taken = taken || t.real != "" && (x.path == t.real || r.w.within(x.path, t.real))
		}
		if taken && secretTag(x.path) == "" && r.w.place(x.path) == InProject {
			r.add(Act{Kind: Commit, Tag: x.tag, Target: x.path, Place: InProject, How: "add"})
			return
		}
	}
}

// reroutes finds a push to a host that no remote of the repository is on: by its address, or by a remote that the line
// itself has set to one.
func (r *reader) reroutes(g gitCall) {
	a := split(g.args, " -m -t -o --push-option --repo --receive-pack --exec ")
	ops := words(a.ops)
	switch {
	case g.sub == "remote" && in(at(ops, 0), "set-url add"):
		if h := gitHost(at(ops, 2)); h != "" && foreign(g.dir, h) {
			r.add(Act{Kind: Persist, Tag: Rerouted, Target: at(ops, 1) + " " + clip(h, 60), How: "remote " + ops[0]})
		}
	case g.sub == "config" && (strings.HasSuffix(at(ops, 0), ".url") || strings.HasSuffix(at(ops, 0), ".pushurl")) && strings.HasPrefix(at(ops, 0), "remote."):
		if h := gitHost(at(ops, 1)); h != "" && foreign(g.dir, h) {
			_, name, _ := strings.Cut(at(ops, 0), ".")
			name, _, _ = strings.Cut(name, ".")
			r.add(Act{Kind: Persist, Tag: Rerouted, Target: name + " " + clip(h, 60), How: "config " + ops[0]})
		}
	case g.sub == "push":
		to := at(ops, 0)
		h := gitHost(to)
		if h != "" && !foreign(g.dir, h) {
			return
		}
		for _, s := range r.acts {
			if name, moved, _ := strings.Cut(s.Target, " "); s.Tag == Rerouted && s.Kind == Persist && (name == to || to == "" && name == "origin") {
				h = moved
			}
		}
		if h != "" {
			r.tellRemote(Publish, Rerouted, "push", h)
		}
	}
}

// gitHost is the host of a repository's address; empty for a path, a name or a host of one's own.
func gitHost(url string) string {
	h := ""
	if strings.Contains(url, "://") {
		h = host(url)
	} else if remoteSpec(url) {
		h, _, _ = strings.Cut(url, ":")
	}
	if i := strings.LastIndexByte(h, '@'); i >= 0 {
		h = h[i+1:]
	}
	h, _, _ = strings.Cut(h, ":")
	if h == "" || isNear(h) {
		return ""
	}
	return strings.ToLower(h)
}

// foreign says that a repository has remotes, and none on this host.
func foreign(dir, h string) bool {
	hosts := false
	for line := range strings.Lines(smallFile(filepath.Join(commonDir(repoRoot(dir)), "config"))) {
		key, val, _ := strings.Cut(strings.TrimSpace(line), "=")
		if !in(strings.TrimSpace(key), "url pushurl") {
			continue
		}
		if known := gitHost(strings.TrimSpace(val)); known == h {
			return false
		} else if known != "" {
			hosts = true
		}
	}
	return hosts
}
