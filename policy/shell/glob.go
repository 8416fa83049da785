package shell

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Bounds of Glob besides its caller's.
const (
	maxGlobParts   = 24   // folders in a pattern
	maxGlobEntries = 8000 // names looked at
)

// Glob gives the files that an unquoted pattern stands for, in the shell's order, at most max of them. A relative
// pattern is looked up in dir and its matches are relative. The second result is false when a bound cut the search
// short, so there may be more. Names that begin with a dot match only a pattern that does; ** is read as *.
func Glob(dir, pattern string, max int) ([]string, bool) {
	parts := strings.Split(pattern, "/")
	if len(parts) > maxGlobParts || len(pattern) > 4096 {
		return nil, false
	}
	heads := []string{""}
	if parts[0] == "" {
		heads, parts = []string{"/"}, parts[1:]
	}
	seen := 0
	for i, part := range parts {
		if part == "" {
			continue
		}
		last := i == len(parts)-1
		var next []string
		for _, h := range heads {
			if !strings.ContainsAny(part, "*?[") {
				if f := h + part; exists(dir, f) {
					next = append(next, f)
				}
			} else {
				names := entries(dir, h, maxGlobEntries-seen)
				seen += len(names)
				for _, n := range names {
					if matches(part, n) {
						next = append(next, h+n)
					}
				}
			}
			if seen >= maxGlobEntries || last && len(next) > max {
				return next[:min(max, len(next))], false
			}
		}
		if !last {
			for j := range next {
				next[j] += "/"
			}
		}
		heads = next
	}
	if len(heads) == 1 && heads[0] == "" {
		return nil, true
	}
	return heads, true
}

func absolute(dir, name string) string {
	if strings.HasPrefix(name, "/") {
		return name
	}
	if dir == "" {
		dir = "."
	}
	return filepath.Join(dir, name)
}

func exists(dir, name string) bool {
	_, err := os.Lstat(absolute(dir, name))
	return err == nil
}

// entries reads up to n names of a folder, sorted.
func entries(dir, name string, n int) []string {
	if n <= 0 {
		return nil
	}
	file := absolute(dir, name)
	if info, err := os.Stat(file); err != nil || !info.IsDir() { // opening a pipe waits, and a device may act
		return nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	names, _ := f.Readdirnames(n) // what could be read counts; a folder that cannot be read matches nothing
	slices.Sort(names)
	return names
}

// matches tells whether one name matches one part of a pattern.
func matches(pattern, name string) bool {
	if strings.HasPrefix(name, ".") && !strings.HasPrefix(pattern, ".") {
		return false
	}
	pattern = strings.ReplaceAll(pattern, "[!", "[^")
	ok, err := filepath.Match(pattern, name)
	return ok && err == nil
}
