package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// mount is a folder of this machine that a container sees under another name.
type mount struct{ here, there string }

// throughMounts reads again, as if it ran here, what deletes inside a container: docker run -v ~:/h alpine rm -rf /h.
// Words that name what is not mounted are left out.
func (r *reader) throughMounts(c *shell.Command) {
	code := interpreterOf(c.Name) != nil
	if !code && !in(c.Name, "rm rmdir unlink shred find truncate") || !viaAny(c, "docker", "podman", "nerdctl") {
		return
	}
	mounts, dir := r.mounts(c)
	if len(mounts) == 0 {
		return
	}
	if code {
		r.codeThrough(c, mounts, dir)
		return
	}
	host := *c
	host.Remote, host.Args, host.Dir = false, nil, onHost(mounts, dir)
	named := false
	for _, a := range c.Args {
		switch {
		case strings.HasPrefix(a.Text, "/"):
			if a.Text = onHost(mounts, a.Text); a.Text == "" {
				continue
			}
			named = true
		case !strings.HasPrefix(a.Text, "-"):
			if host.Dir == "" {
				continue
			}
			named = true
		}
		host.Args = append(host.Args, a)
	}
	if named {
		lookup(c.Name)(r, &host)
	}
}

// codeThrough reads what a program text in a container does to what is mounted there.
func (r *reader) codeThrough(c *shell.Command, mounts []mount, dir string) {
	host := *c
	host.Remote, host.Dir = false, onHost(mounts, dir)
	r.inside, r.outside = mounts, host.Dir == ""
	before := len(r.acts)
	lookup(c.Name)(r, &host)
	r.inside = nil
	for i := before; i < len(r.acts); i++ {
		if a := &r.acts[i]; a.Kind != Delete && a.Kind != Overwrite && a.Kind != Move {
			a.Kind, a.Tag, a.Place = Infra, "", Remote // read already, as what it is in a container
		}
	}
}

// mounts are those of the container that a command runs in, and the folder there that it runs in.
func (r *reader) mounts(c *shell.Command) (list []mount, dir string) {
	for i := r.at; i >= 0; i-- {
		run := &r.cmds[i]
		if run.Remote || !in(run.Name, "docker podman nerdctl") {
			continue
		}
		a := split(run.Args, dockerRunValued)
		for _, v := range a.values("-v", "--volume", "--mount") {
			m := mountOf(v.Text)
			if t := r.written(run, shell.Word{Text: m.here, Known: v.Known}); t.path != "" && strings.ContainsAny(m.here, "/.~") && strings.HasPrefix(m.there, "/") {
				list = append(list, mount{t.real, strings.TrimSuffix(m.there, "/")})
			}
		}
		for _, v := range a.values("-w", "--workdir") {
			dir = v.Text
		}
		if c.Dir != run.Dir {
			dir = c.Dir // there is a cd before it
		}
		return list, dir
	}
	return nil, ""
}

// mountOf reads HERE:THERE[:ro], and type=bind,source=HERE,target=THERE. What cannot be written to is none.
func mountOf(s string) (m mount) {
	if !strings.Contains(s, "=") {
		part := strings.Split(s, ":")
		if len(part) > 1 && !in("ro", strings.ReplaceAll(at(part, 2), ",", " ")) {
			m = mount{part[0], part[1]}
		}
		return m
	}
	for field := range strings.SplitSeq(s, ",") {
		name, val, _ := strings.Cut(field, "=")
		switch name {
		case "source", "src":
			m.here = val
		case "target", "dst", "destination":
			m.there = val
		case "readonly", "ro":
			return mount{}
		}
	}
	return m
}

// onHost is the path on this machine of a path in a container, empty where that is the container's own. A folder that
// holds a mount stands for it.
func onHost(mounts []mount, p string) string {
	for _, m := range mounts {
		switch rest, below := strings.CutPrefix(p, m.there); {
		case p == "":
		case below && (rest == "" || rest[0] == '/'):
			return strings.TrimSuffix(m.here, "/") + rest
		case strings.HasPrefix(m.there, strings.TrimSuffix(strings.TrimRight(p, "*"), "/")+"/"):
			return m.here
		}
	}
	return ""
}
