package effect

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/policy/shell"
)

// makeTarget reads the recipes of the targets a make command names, from the makefile on disk.
func (r *reader) makeTarget(c *shell.Command) {
	r.changes = true
	a := split(c.Args, " -C --directory -f --file --makefile -j --jobs -o -W -I -E --eval ")
	if a.has("-n", "--dry-run", "--just-print", "-q", "--question") {
		r.changes = false
		return
	}
	for _, o := range a.ops {
		if prodTarget(o.Text) {
			r.add(Act{Kind: Infra, Tag: Prod, How: clip(o.Text, 40)})
		}
	}
	dir := r.dir(c)
	for _, v := range a.values("-C", "--directory") {
		dir = r.w.abs(v.Text, dir)
	}
	names := [...]string{"GNUmakefile", "makefile", "Makefile"}
	var text string
	for _, v := range a.values("-f", "--file", "--makefile") {
		if text = smallFile(r.w.abs(v.Text, dir)); v.Text == "-" || v.Text == "/dev/stdin" {
			piped, _ := r.piped(c)
			text = strings.Join(append(r.bodies(c), piped), "\n")
		}
	}
	for i := 0; c.Name == "make" && text == "" && i < len(names); i++ {
		text = smallFile(filepath.Join(dir, names[i]))
	}
	for _, n := range [...]string{"justfile", "Justfile", ".justfile"} {
		if c.Name == "just" {
			text += justfile(smallFile(filepath.Join(dir, n)))
		}
	}
	for _, v := range a.values("-E", "--eval") {
		r.makeEval(v.Text, dir)
		text = v.Text + "\n" + text
	}
	if text == "" || !r.opens() {
		return
	}
	rules, vars := makefile(text)
	targets := []string{}
	for _, o := range a.ops {
		if k, v, ok := strings.Cut(o.Text, "="); ok {
			if vars[k] = v; k == "SHELL" {
				r.otherShell("make SHELL", v)
			}
		} else {
			targets = append(targets, o.Text)
		}
	}
	if len(targets) == 0 && len(rules) > 0 {
		targets = append(targets, rules[0].name)
	}
	r.recipes(rules, vars, targets, dir)
}

// makeEval runs what $(shell …) holds in a text that make works out as it reads it.
func (r *reader) makeEval(text, dir string) {
	for range 20 {
		_, rest, ok := strings.Cut(text, "$(shell ")
		if !ok {
			return
		}
		n := strings.LastIndexByte(rest, ')')
		if n < 0 {
			n = len(rest)
		}
		r.nested(expandMake(rest[:n], nil, r.w.tilde()), dir)
		text = rest
	}
}

// rule is one rule of a makefile.
type rule struct {
	name   string
	needs  []string
	recipe []string
}

// recipes reads the recipes of targets and of what they need, each rule once.
func (r *reader) recipes(rules []rule, vars map[string]string, targets []string, dir string) {
	done := map[string]bool{}
	for len(targets) > 0 && len(done) < 100 {
		t := targets[0]
		targets = targets[1:]
		if in(t, "test check lint build fmt vet all") {
			r.add(Act{Kind: Test, How: "make " + t})
		}
		if done[t] {
			continue
		}
		done[t] = true
		for _, ru := range rules {
			if ru.name != t {
				continue
			}
			targets = append(targets, ru.needs...)
			for _, line := range ru.recipe {
				r.nested(expandMake(strings.TrimLeft(line, "@-+ \t"), vars, r.w.tilde()), dir)
			}
		}
	}
}

// makefile reads rules and simple assignments; conditionals and functions are not followed.
func makefile(text string) ([]rule, map[string]string) {
	var rules []rule
	vars := map[string]string{}
	var open []int
	text = strings.ReplaceAll(text, "\\\n", " ")
	for _, line := range strings.Split(text, "\n") {
		if len(rules) > 2000 {
			break
		}
		switch {
		case strings.HasPrefix(line, "\t"):
			for _, i := range open {
				if len(rules[i].recipe) < 200 {
					rules[i].recipe = append(rules[i].recipe, line[1:])
				}
			}
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		default:
			open = nil
			if k, v, ok := assignment(line); ok {
				vars[k] = v
				continue
			}
			head, rest, ok := strings.Cut(line, ":")
			if !ok || strings.HasPrefix(head, ".") {
				continue
			}
			needs, inline, _ := strings.Cut(strings.TrimPrefix(rest, ":"), ";")
			for _, n := range strings.Fields(head) {
				ru := rule{name: n, needs: strings.Fields(needs)}
				if strings.TrimSpace(inline) != "" {
					ru.recipe = append(ru.recipe, inline)
				}
				rules = append(rules, ru)
				open = append(open, len(rules)-1)
			}
		}
	}
	return rules, vars
}

func assignment(line string) (k, v string, ok bool) {
	i := strings.IndexByte(line, '=')
	if i <= 0 {
		return "", "", false
	}
	k = strings.TrimSpace(strings.TrimRight(line[:i], ":?+!"))
	k = strings.TrimPrefix(k, "export ")
	if k == "" || strings.ContainsAny(k, " \t:$") {
		return "", "", false
	}
	return k, strings.TrimSpace(line[i+1:]), true
}

// expandMake puts variables into a recipe line, and gives the shell its own $ back.
func expandMake(s string, vars map[string]string, home string) string {
	for n := 0; n < 8; n++ {
		before := s
		for _, pair := range [...][2]string{{"$(", ")"}, {"${", "}"}} {
			i := strings.Index(s, pair[0])
			if i < 0 {
				continue
			}
			j := strings.Index(s[i:], pair[1])
			if j < 0 {
				continue
			}
			key := s[i+2 : i+j]
			v, ok := vars[key]
			switch {
			case ok:
			case key == "HOME":
				v = home
			case key == "CURDIR" || key == "PWD":
				v = "."
			case key == "MAKE":
				v = "make"
			case key == "RM":
				v = "rm -f"
			default:
				v = "$" + key
				if strings.ContainsAny(key, " ,(") {
					v = "$FUNCTION"
				}
			}
			s = s[:i] + v + s[i+j+1:]
		}
		if s == before || len(s) > 8192 {
			break
		}
	}
	return strings.ReplaceAll(s, "$$", "$")
}

// openFile opens what is a plain file, or leads to one, and gives its size. It waits for no pipe.
func openFile(p string) (*os.File, int64, error) {
	fi, err := os.Stat(p)
	if err != nil {
		return nil, 0, err
	}
	if !fi.Mode().IsRegular() {
		return nil, 0, os.ErrInvalid
	}
	f, err := os.Open(p)
	return f, fi.Size(), err
}

func smallFile(p string) string {
	fi, err := os.Stat(p)
	if err != nil || !fi.Mode().IsRegular() || fi.Size() > maxScript {
		return ""
	}
	b, err := os.ReadFile(p)
	if err != nil {
		return ""
	}
	return string(b)
}

// packageScript reads the script that npm run, yarn run and their kind start, with what runs before and after it.
func (r *reader) packageScript(c *shell.Command, a argv) {
	r.changes = true
	name := a.op(0)
	if in(name, "run run-script exec") {
		name = a.op(1)
	}
	if in(name, "test build lint typecheck check") {
		r.add(Act{Kind: Test, How: c.Name + " run " + name})
	}
	if prodTarget(name) {
		r.add(Act{Kind: Infra, Tag: Prod, How: clip(name, 40)})
	}
	if name == "" || !r.opens() {
		return
	}
	dir := r.dir(c)
	for _, v := range a.values("-C", "--prefix", "--cwd") {
		dir = r.w.abs(v.Text, dir)
	}
	file := "package.json"
	switch {
	case c.Name == "composer":
		file = "composer.json"
	case !in(c.Name, "npm pnpm yarn bun"):
		return
	}
	r.scriptsOf(filepath.Join(dir, file), "scripts", name, dir)
}

// lifecycle reads what an install of the project itself runs: npm's scripts, Python's setup.py.
func (r *reader) lifecycle(c *shell.Command, a argv) {
	dir := r.dir(c)
	switch {
	case a.has("--dry-run", "--ignore-scripts") || !r.opens():
	case in(c.Name, "npm pnpm yarn bun") && len(a.ops) <= 1:
		for _, n := range [...]string{"install", "prepare"} {
			r.scriptsOf(filepath.Join(dir, "package.json"), "scripts", n, dir)
		}
	case in(c.Name, "pip pip3 uv"):
		for _, o := range append(a.values("-e", "--editable"), a.ops...) {
			if p, _, _ := strings.Cut(o.Text, "["); o.Known && (p == "." || strings.Contains(p, "/")) {
				r.scriptFile(c, shell.Word{Text: strings.TrimSuffix(p, "/") + "/setup.py", Known: true}, &pythonCalls, nil)
			}
		}
	}
}

// generate reads the //go:generate lines of the packages that go generate names.
func (r *reader) generate(c *shell.Command) {
	r.changes = true
	dir := r.dir(c)
	for _, o := range split(c.Args, " -run -skip ").ops[1:] {
		dir = r.w.abs(strings.TrimSuffix(strings.TrimSuffix(o.Text, "..."), "/"), r.dir(c))
	}
	if !r.opens() {
		return
	}
	names, _ := filepath.Glob(filepath.Join(dir, "*.go")) // a folder that cannot be read has none
	for _, n := range names[:min(len(names), 50)] {
		for line := range strings.Lines(smallFile(n)) {
			if cmd, ok := strings.CutPrefix(line, "//go:generate "); ok {
				r.nested(strings.TrimSpace(cmd), dir)
			}
		}
	}
}

// justfile writes the recipes of just as those of make: indented by any blanks, with parameters behind the name.
func justfile(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		head, rest, rule := strings.Cut(line, ":")
		switch {
		case strings.HasPrefix(line, " "):
			b.WriteString("\t" + strings.TrimLeft(line, " "))
		case rule && !strings.HasPrefix(rest, "=") && head != "" && !strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, "#"):
			name, _, _ := strings.Cut(strings.TrimPrefix(head, "@"), " ")
			b.WriteString(name + ":" + rest)
		default:
			b.WriteString(line)
		}
	}
	return b.String()
}

// scriptsOf reads a script of a JSON file, with what runs before and after it.
func (r *reader) scriptsOf(path, table, name, dir string) {
	scripts := gjson.Get(smallFile(path), table)
	for _, n := range [...]string{"pre" + name, name, "post" + name} {
		scripts.ForEach(func(k, v gjson.Result) bool {
			for _, line := range v.Array() { // one line, or a list of them
				if k.Str == n && line.Type == gjson.String {
					r.nested(line.Str, dir)
				}
			}
			return true
		})
	}
}

// denoTask reads the task that deno task starts.
func (r *reader) denoTask(c *shell.Command, i int) {
	if i >= len(c.Args) || !r.opens() {
		return
	}
	for _, f := range [...]string{"deno.json", "deno.jsonc"} {
		r.scriptsOf(filepath.Join(r.dir(c), f), "tasks", c.Args[i].Text, r.dir(c))
	}
}
