package effect

import (
	"os"
	"path/filepath"
	"strings"
)

// Bounds of path resolution.
const (
	maxLinks = 40
	maxParts = 256
	// maxRemembered bounds what is remembered of one call's paths: most lie in a few folders.
	maxRemembered = 2000
)

// within says that p is dir or lies under it, by component.
func (w *World) within(p, dir string) bool {
	if dir == "" {
		return false
	}
	if w.FoldCase {
		p, dir = strings.ToLower(p), strings.ToLower(dir)
	}
	return p == dir || dir == "/" || strings.HasPrefix(p, dir) && p[len(dir)] == '/'
}

func (w *World) same(a, b string) bool {
	return b != "" && (a == b || w.FoldCase && strings.EqualFold(a, b))
}

// place tells where an absolute clean path lies. The strongest place wins: a folder that holds the home folder is as bad
// to lose as the home itself.
func (w *World) place(p string) Place {
	switch {
	case p == "":
		return Nowhere
	case isWindows(p):
		return w.windowsPlace(p)
	case strings.HasPrefix(p, "/dev/"):
		return devicePlace(p)
	case w.isHome(p):
		return Home
	case isSystem(p):
		return Root
	case w.Home != "" && w.within(w.Home, p), w.EnvHome != "" && w.within(w.EnvHome, p):
		return Root
	case w.within(p, w.Root) && w.Root != "/":
		return InProject
	case w.within(p, w.Home), w.within(p, w.EnvHome):
		return InHome
	case w.Root != "" && w.within(w.Root, p):
		return Outside // it holds the project, whatever else it is
	}
	for _, t := range w.Temps {
		if w.within(p, t) && !w.same(p, t) {
			return InTemp
		}
	}
	if strings.HasPrefix(p, "/var/tmp/") {
		return InTemp
	}
	return Outside
}

// isHome says that p is the home folder, or another person's.
func (w *World) isHome(p string) bool {
	if w.same(p, w.Home) || w.same(p, w.EnvHome) {
		return true
	}
	if w.same(p, w.Root) {
		return false
	}
	parent := strings.ToLower(filepath.Dir(p))
	return (parent == "/home" || parent == "/users") && !strings.EqualFold(filepath.Base(p), "shared")
}

// systemDirs are folders whose loss ends the machine, sorted. Folders below them that are not listed are only Outside.
var systemDirs = [...]string{
	"/", "/applications", "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib64", "/library", "/opt", "/private",
	"/private/etc", "/private/var", "/proc", "/root", "/sbin", "/srv", "/sys", "/system", "/users", "/usr", "/usr/bin",
	"/usr/lib", "/usr/lib64", "/usr/local", "/usr/sbin", "/usr/share", "/var", "/var/lib", "/volumes",
}

func isSystem(p string) bool {
	if p == "/system" { // the folder of macOS is written with a capital; /system elsewhere is somebody's own
		return false
	}
	p = strings.ToLower(p)
	for _, d := range systemDirs {
		if p == d {
			return true
		}
	}
	return false
}

// underSystem says that a path is a file of the system rather than of a person.
func underSystem(p string) bool {
	for _, d := range [...]string{"/etc/", "/proc/sys/", "/boot/", "/bin/", "/sbin/", "/lib/", "/usr/", "/sys/", "/System/", "/private/etc/", "/Library/"} {
		if strings.HasPrefix(p, d) {
			return true
		}
	}
	return false
}

// disks begin the names of whole disks and their partitions under /dev.
var disks = [...]string{"sd", "hd", "vd", "xvd", "nvme", "disk", "rdisk", "mmcblk", "md", "dm-", "mapper/", "loop", "mem", "kmem", "port"}

func devicePlace(p string) Place {
	name := strings.TrimPrefix(p, "/dev/")
	if strings.HasPrefix(name, "shm/") {
		return InTemp
	}
	if strings.HasPrefix(name, "tcp/") || strings.HasPrefix(name, "udp/") {
		return Remote
	}
	for _, d := range disks {
		if strings.HasPrefix(name, d) {
			return Device
		}
	}
	return Nowhere
}

func (w *World) windowsPlace(p string) Place {
	p = cleanWindows(p)
	rest := strings.Trim(strings.TrimPrefix(p, p[:min(2, len(p))]), "/")
	parts := strings.Split(rest, "/")
	switch {
	case strings.HasPrefix(p, "//./") || strings.HasPrefix(p, "/./"):
		return Device
	case rest == "" || len(parts) == 1 && (parts[0] == "windows" || parts[0] == "users" || strings.HasPrefix(parts[0], "program files")):
		return Root
	case len(parts) == 2 && parts[0] == "users", w.same(p, cleanWindows(w.Home)):
		return Home
	}
	for _, d := range [...]string{w.Root, w.CWD} {
		if isWindows(d) && w.within(p, cleanWindows(d)) {
			return InProject
		}
	}
	if strings.Contains(p, "/appdata/local/temp/") {
		return InTemp
	}
	return Outside
}

// resolve follows links component by component as the kernel would, .. after links. What does not exist is kept as
// written. With last the final component is followed too.
func (r *reader) resolve(p string, last bool) string {
	if isWindows(p) || !filepath.IsAbs(p) {
		return p
	}
	todo := strings.Split(p, "/")
	if len(todo) > maxParts {
		return filepath.Clean(p)
	}
	done := "/"
	for links := 0; len(todo) > 0; {
		part := todo[0]
		todo = todo[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			done = filepath.Dir(done)
			continue
		}
		next := filepath.Join(done, part)
		if !last && onlyEmpty(todo) {
			return next
		}
		to, ok := r.readlink(next)
		if !ok {
			done = next
			continue
		}
		if links++; links > maxLinks {
			return next
		}
		if filepath.IsAbs(to) {
			done = "/"
		}
		todo = append(strings.Split(to, "/"), todo...)
		if len(todo) > maxParts {
			return next
		}
	}
	return done
}

func onlyEmpty(parts []string) bool {
	for _, p := range parts {
		if p != "" {
			return false
		}
	}
	return true
}

// readlink reads a link on disk, or one that an earlier command of the line makes.
func (r *reader) readlink(p string) (string, bool) {
	for _, l := range r.links {
		if l.from == p {
			return l.to, true
		}
	}
	if to, known := r.read[p]; known {
		return to, to != ""
	}
	to, err := os.Readlink(p)
	if err != nil {
		to = ""
	}
	if r.read == nil {
		r.read = map[string]string{}
	}
	if len(r.read) < maxRemembered {
		r.read[p] = to
	}
	return to, to != ""
}

// worse gives the place with more to lose.
func worse(a, b Place) Place {
	if rank(b) > rank(a) {
		return b
	}
	return a
}

func rank(p Place) int {
	for i, q := range [...]Place{Nowhere, InTemp, InProject, Outside, InHome, Remote, Home, Root, Device} {
		if p == q {
			return i
		}
	}
	return 0
}
