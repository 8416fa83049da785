package install

import (
	"os"
	"path/filepath"
	"testing"
)

func (p *place) command(scope Scope, remove bool) (Change, bool) {
	p.t.Helper()
	work := Command
	if remove {
		work = RemoveCommand
	}
	c, ok, err := work("claude", scope, p.opt)
	p.must(err)
	if ok {
		p.must(c.Apply())
	}
	return c, ok
}

// The command file comes and goes with the hook; a file of the person's own under its name is not touched.
func TestCommandFile(t *testing.T) {
	const own = "Tell me about gates.\n"
	for _, c := range []struct {
		name, before string
		after, left  string // text after install and after uninstall
		notes        int
	}{
		{"none", "", commandText, "", 0},
		{"the person's own", own, own, own, 1},
		{"an older one of ours", "---\ndescription: old\n---\n" + commandMark, commandText, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			for scope, dir := range map[Scope]func(*place) string{
				User: func(p *place) string { return p.home }, Project: func(p *place) string { return p.opt.Root },
			} {
				p := newPlace(t)
				path := filepath.Join(dir(p), ".claude", "commands", "stepgate.md")
				if c.before != "" {
					p.write(path, c.before)
				}
				change, ok := p.command(scope, false)
				if !ok || len(change.Notes) != c.notes {
					t.Errorf("%s: ok %v, notes %q", scope, ok, change.Notes)
				}
				p.want(path, c.after)
				if again, _ := p.command(scope, false); !again.Empty() {
					t.Errorf("%s: a second install changes something: %s", scope, again.Diff())
				}
				p.command(scope, true)
				p.want(path, c.left)
				if _, err := os.Stat(filepath.Dir(path)); (err == nil) != (c.left != "") {
					t.Errorf("%s: the folder is there: %v", scope, err == nil)
				}
			}
		})
	}
	p := newPlace(t)
	if _, ok := p.command(Local, false); ok {
		t.Error("one person's entry in a repository brings a file that others would get")
	}
	if _, ok, err := Command("codex", User, p.opt); ok || err != nil {
		t.Errorf("codex: %v, %v", ok, err)
	}
	p.must(os.MkdirAll(filepath.Join(p.home, ".claude", "commands", "stepgate.md"), 0o700))
	if _, _, err := Command("claude", User, p.opt); err == nil {
		t.Error("a folder in the file's place is no error")
	}
}
