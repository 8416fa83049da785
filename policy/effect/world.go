package effect

import (
	"path/filepath"
	"strings"
	"time"
)

// World is the disk and the surroundings that a call is judged against.
type World struct {
	// Root is the project's root, CWD where the call would run, Home the person's home; all absolute, or empty.
	Root, CWD, Home string
	// EnvHome is the home that the environment names, where that is another one: a shell takes ~ from there. Both homes
	// are protected.
	EnvHome string
	// Temps are the temporary folders, absolute.
	Temps []string
	// Made says that this session made the file; nil: it made none.
	Made func(path string) bool
	// Guard are the places that belong to the gate.
	Guard GuardPaths
	// Env gives variables the shell would have; nil: none but HOME and PWD.
	Env func(string) (string, bool)
	// Wrappers are further programs that run the rest of their arguments.
	Wrappers []string
	// FoldCase compares paths without regard to case, as the disks of macOS and Windows do.
	FoldCase bool
	// Repo asks git; nil: the git of the system's folders.
	Repo Repo
	// Now is the clock of the look-ups' safety; nil: time.Now.
	Now func() time.Time
	// Patience is how long the look-ups of a call may take together, and half of what one question to git may; 0: a
	// second. It is a safety, not a budget.
	Patience time.Duration
	// Early is told what is known before the look-ups, where there are any: the disk may keep those waiting for ever. nil:
	// nobody is.
	Early func(Prediction)
}

// GuardPaths are the gate's own places and the files through which agents start it.
type GuardPaths struct {
	// Homes are the gate's config and state folders.
	Homes []string
	// Programs are the gate's own programs.
	Programs []string
	// Settings are agent settings files that hold the gate's entry, or may: besides these, the files named in guard.go
	// count wherever they lie.
	Settings []string
}

// base is the folder that relative paths start from.
func (w *World) base(dir string) string {
	switch {
	case dir != "" && (filepath.IsAbs(dir) || isWindows(dir)):
		return dir
	case dir != "":
		return w.abs(dir, w.CWD)
	case w.CWD != "":
		return w.CWD
	default:
		return w.Root
	}
}

// tilde is what a shell puts for ~.
func (w *World) tilde() string {
	if w.EnvHome != "" {
		return w.EnvHome
	}
	return w.Home
}

// abs makes a written path absolute and clean, without asking the disk.
func (w *World) abs(p, dir string) string {
	if isWindows(p) {
		return cleanWindows(p)
	}
	if p == "~" || strings.HasPrefix(p, "~/") {
		p = w.tilde() + p[1:]
	}
	if isWindows(dir) {
		return cleanWindows(dir + `\` + p)
	}
	if !filepath.IsAbs(p) {
		p = filepath.Join(dir, p)
	}
	return filepath.Clean(p)
}

// isWindows tells C:\x, C:/x, C: and \\server\share from a POSIX path.
func isWindows(p string) bool {
	if strings.HasPrefix(p, `\\`) {
		return true
	}
	return len(p) >= 2 && p[1] == ':' && isLetter(p[0]) && (len(p) == 2 || p[2] == '\\' || p[2] == '/')
}

// cleanWindows writes a Windows path with slashes, in lower case, without . and .. parts.
func cleanWindows(p string) string {
	p = strings.ToLower(strings.ReplaceAll(p, `\`, "/"))
	p = strings.TrimPrefix(p, "//?/")
	if strings.HasPrefix(p, "//") {
		return "/" + filepath.ToSlash(filepath.Clean(p[1:]))
	}
	if len(p) < 2 || p[1] != ':' {
		return filepath.Clean(p)
	}
	return p[:2] + filepath.ToSlash(filepath.Clean("/"+p[2:]))
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
