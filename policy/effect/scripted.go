package effect

import (
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// Readers of texts that are close to shell lines, or hold some: Tcl, rake's and task's files, Lisps, Erlang.

// tcl reads a Tcl or expect text line by line, each as the shell line that does the same.
func (r *reader) tcl(c *shell.Command) {
	r.changes = true
	texts := r.bodies(c)
	a := split(c.Args, " -c ")
	for _, v := range a.values("-c") {
		texts = append(texts, v.Text)
	}
	if len(a.ops) > 0 {
		text, _ := r.scriptText(c, a.ops[0])
		texts = append(texts, text)
	}
	for _, text := range texts {
		if text = clipBytes(text, maxCode); text != "" {
			r.nested(tclLines(text), c.Dir)
		}
	}
}

// tclLines writes the lines of a Tcl text that set names, run programs, or delete and move files as shell lines.
func tclLines(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(text, ";", "\n")) {
		line = tclVariables(strings.Trim(line, " \t\n{}"))
		w := strings.Fields(line)
		switch cmd := at(w, 0); {
		case cmd == "set" && len(w) > 2:
			v := strings.Trim(strings.Join(w[2:], " "), `[]"{}`)
			if parts, ok := strings.CutPrefix(v, "file join "); ok {
				v = strings.Join(strings.Fields(parts), "/")
			} else if run, ok := strings.CutPrefix(v, "exec "); ok {
				b.WriteString(run + "\n")
				continue
			}
			b.WriteString(w[1] + `="` + v + "\"\n")
		case in(cmd, "exec spawn system"):
			b.WriteString(strings.TrimPrefix(line, cmd+" ") + "\n")
		case cmd == "file" && in(at(w, 1), "delete rename") && len(w) > 2:
			as := "rm -r "
			if w[1] != "delete" {
				as = "mv "
			}
			rest := strings.Join(w[2:], " ")
			b.WriteString(as + strings.TrimPrefix(strings.TrimPrefix(rest, "-force "), "-- ") + "\n")
		case strings.Contains(line, "[exec "):
			_, run, _ := strings.Cut(line, "[exec ")
			run, _, _ = strings.Cut(run, "]")
			b.WriteString(run + "\n")
		}
	}
	return b.String()
}

// tclVariables writes $env(HOME) as $HOME.
func tclVariables(line string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(line, "$env(")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		key, after, _ := strings.Cut(rest, ")")
		b.WriteString("$" + key)
		line = after
	}
}

// rake reads the tasks that a rake line names, from the Rakefile on disk.
func (r *reader) rake(c *shell.Command) {
	r.grammar(c)
	r.changes = true
	a := split(c.Args, " -f --rakefile -C --directory -I -r ")
	text, _ := r.scriptText(c, shell.Word{Text: "Rakefile", Known: true})
	tasks, _ := filepath.Glob(filepath.Join(r.dir(c), "lib/tasks/*.rake")) // a folder that is not there has none
	for _, f := range tasks[:min(len(tasks), maxFiles)] {
		if r.opens() {
			text += "\n" + r.small(f)
		}
	}
	for _, o := range r.fewTasks(a.ops) {
		name := o.Text[strings.LastIndexByte(o.Text, ':')+1:]
		name, _, _ = strings.Cut(name, "[")
		r.deepCode(c, &rubyCalls, rakeTask(text, name), source{file: "Rakefile"})
	}
}

// rakeTask is the body of a task: what follows its name to the end that stands as far in.
func rakeTask(text, name string) string {
	var b strings.Builder
	inside, indent := false, 0
	for line := range strings.Lines(text) {
		t := strings.TrimLeft(line, " \t")
		switch deep := len(line) - len(t); {
		case inside && strings.TrimSpace(t) == "end" && deep == indent:
			return b.String()
		case inside:
			b.WriteString(line)
		case strings.HasPrefix(t, "task ") && in(strings.Trim(at(strings.Fields(t), 1), `:,'"(){`), name):
			inside, indent = true, deep
		}
	}
	return b.String()
}

// fewTasks are the first of the tasks that a line names.
func (r *reader) fewTasks(tasks []shell.Word) []shell.Word {
	if len(tasks) <= maxFiles {
		return tasks
	}
	r.unsure = append(r.unsure, "more tasks than the gate reads")
	return tasks[:maxFiles]
}

// taskfile reads the commands of the tasks that a task line names.
func (r *reader) taskfile(c *shell.Command) {
	r.grammar(c)
	r.changes = true
	a := split(c.Args, " -d --dir -t --taskfile -o --output -C --concurrency ")
	if !r.opens() {
		return
	}
	var text string
	for _, n := range [...]string{"Taskfile.yml", "Taskfile.yaml", "taskfile.yml"} {
		if text == "" {
			text = r.small(filepath.Join(r.dir(c), n))
		}
	}
	names := words(r.fewTasks(a.ops))
	if len(names) == 0 {
		names = []string{"default"}
	}
	for _, n := range names {
		for _, line := range yamlCommands(text, n) {
			r.nested(line, c.Dir)
		}
	}
}

// yamlCommands are the lines of the list or value of commands that stands below a key.
func yamlCommands(text, key string) []string {
	var out []string
	indent, block := -1, -1 // how far in the key stands, and the | of a command of several lines
	for line := range strings.Lines(text) {
		t := strings.TrimSpace(line)
		deep := len(line) - len(strings.TrimLeft(line, " "))
		switch {
		case t == "":
		case block >= 0 && deep > block:
			out[len(out)-1] += t + "\n"
		case t[0] == '#':
		case indent < 0:
			if t == key+":" {
				indent = deep
			}
		case deep <= indent:
			return out
		default:
			block = -1
			item, listed := strings.CutPrefix(t, "- ")
			cmd, named := strings.CutPrefix(item, "cmd: ")
			if cmd, bare := strings.CutPrefix(item, "cmds: "); bare {
				item, named = cmd, true
			}
			if (!listed || strings.Contains(item, ": ") && !in(item[:1], `" '`)) && !named || len(out) >= maxWords {
				continue
			}
			if cmd = strings.Trim(cmd, `"'`); in(cmd, "| |- > >-") {
				cmd, block = "", deep
			}
			out = append(out, cmd)
		}
	}
	return out
}

// lisp reads the expressions that a Lisp or Erlang is given on its line.
func (r *reader) lisp(c *shell.Command) {
	r.changes = true
	for i, a := range c.Args {
		switch {
		case i > 0 && in(c.Args[i-1].Text, "-e -c -eval --eval -M"):
			r.innerText(c, a.Text, "")
		case hasSuffix(a.Text, ".clj", ".bb", ".scm", ".lisp", ".rkt", ".erl", ".escript"):
			text, _ := r.scriptText(c, a)
			r.innerText(c, text, "")
		}
	}
}
