package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// elsewhere turns the acts of a command on another machine into what they are: nothing that this disk can tell. In a
// container they touch only what is mounted there.
func (r *reader) elsewhere(c *shell.Command, from int) {
	r.changes = true
	container := viaAny(c, "docker", "podman", "nerdctl")
	mounted := container && r.mountsHost()
	kept := r.looks[:0]
	for _, k := range r.looks {
		if k.act < from {
			kept = append(kept, k)
			continue
		}
		a := &r.acts[k.act]
		a.Unsure = "on another machine"
		if a.Kind == Rewrite && !container { // what is there cannot be asked, and is nobody's copy
			k.run = func(*looker) []Effect {
				return []Effect{{Kind: "changes", Target: "the other machine", Unknown: "it lies on another machine"}}
			}
			kept = append(kept, k)
		}
	}
	r.looks = kept
	for i := from; i < len(r.acts); i++ {
		a := &r.acts[i]
		switch {
		case a.Tag == GuardFile || a.Tag == GuardHook:
			a.Kind, a.Tag = Edit, ""
		case a.Tag == Typed:
		case container && !mounted:
			if a.Kind == Delete && a.Recursive && runningContainer(c) && keepsData(a.Target) {
				a.Kind, a.Tag, a.Place, a.Program, a.How = Infra, DropVolume, Remote, "rm", a.Target
			} else if a.Kind != Database && a.Kind != Send && a.Tag != KeyFile {
				a.Kind, a.Tag, a.Place = Infra, "", Remote
			}
		case a.Place != Nowhere:
			a.Place = Remote
			a.NoLoss = a.NoLoss || a.Kind == Delete && r.fromDevice(c, a.Target)
			a.Recursive = a.Recursive || a.Kind == Delete && mounted
			if a.Tag == SystemFile {
				a.Tag = ""
			}
		}
	}
}

// runningContainer: the command goes into a container that is there already, and has what others put into it.
func runningContainer(c *shell.Command) bool {
	for _, v := range c.Via {
		if strings.HasSuffix(v, " exec") {
			return true
		}
	}
	return false
}

// keepsData: a folder where images have the data that outlives them.
func keepsData(p string) bool {
	for _, d := range [...]string{"/data", "/var/lib/postgresql", "/var/lib/mysql", "/var/lib/mongodb", "/var/lib/redis", "/bitnami", "/backup", "/backups"} {
		if p == d || strings.HasPrefix(p, d+"/") {
			return true
		}
	}
	return false
}

// fromDevice: the line has copied a file from the phone, or has had it drawn there, before it deletes it.
func (r *reader) fromDevice(c *shell.Command, path string) bool {
	if !viaAny(c, "adb") || path == "" {
		return false
	}
	for i := range r.cmds[:min(r.at, len(r.cmds))] {
		p := &r.cmds[i]
		if hasArg(p.Args, path) && (p.Name == "adb" && hasArg(p.Args, "pull") || in(p.Name, "screencap screenrecord uiautomator")) {
			return true
		}
	}
	return false
}

// mountsHost: the line runs a container that has the host's root or home in it.
func (r *reader) mountsHost() bool {
	for i := range r.acts {
		if r.acts[i].Tag == SetUID && strings.HasPrefix(r.acts[i].How, "docker run") {
			return true
		}
	}
	return false
}
