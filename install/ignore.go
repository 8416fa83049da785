package install

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Ignore works out the change that keeps a folder inside a project out of its repository: one line in the project's
// .gitignore. The change is Empty when the line is there already.
func Ignore(root, dir string) (Change, error) {
	rel, err := filepath.Rel(root, dir)
	if root == "" || err != nil || rel == "." || !filepath.IsLocal(rel) {
		return Change{}, fmt.Errorf("folder %q is not inside the project %q", dir, root)
	}
	if strings.ContainsFunc(rel, func(r rune) bool { return r < ' ' || strings.ContainsRune(`*?[]\!#`, r) && filepath.Separator != r }) {
		return Change{}, fmt.Errorf("folder %q has characters that mean something else in .gitignore", rel)
	}
	path := filepath.Join(root, ".gitignore")
	c := Change{Scope: Project, Path: path, mode: 0o644}
	if c.Real, err = resolve(path); err != nil {
		return c, err
	}
	if c.Before, c.mode, c.Existed, err = read(c.Real, c.mode); err != nil {
		return c, err
	}
	line := "/" + filepath.ToSlash(rel) + "/"
	c.After = slices.Clone(c.Before)
	for l := range strings.Lines(string(c.Before)) {
		if l = strings.TrimSpace(l); l == line || l == line[:len(line)-1] || l == line[1:] {
			return c, nil
		}
	}
	if len(c.After) > 0 && !bytes.HasSuffix(c.After, []byte("\n")) {
		c.After = append(c.After, '\n')
	}
	c.After = append(c.After, line+"\n"...)
	return c, nil
}
