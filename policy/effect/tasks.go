package effect

import (
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// Runners of tasks that a file of the project holds. What a runner's own words mean besides is read like any tool's.

// codeTasks are runners whose tasks are functions of a program text.
var codeTasks = [...]struct {
	programs, files string
	lang            *language
	flag            string // before the task's name, where it is not an operand
}{
	{"invoke inv", "tasks.py", &pythonCalls, ""},
	{"fab", "fabfile.py", &pythonCalls, ""},
	{"nox", "noxfile.py", &pythonCalls, " -s --session -e --sessions "},
	{"gulp", "gulpfile.js gulpfile.mjs gulpfile.ts", &nodeCalls, ""},
}

// lineTasks are runners whose tasks are lines below a heading of a file; sub stands before the task's name.
var lineTasks = [...]struct{ programs, sub, files, headings, flag string }{
	{"mise", "run r", "mise.toml .mise.toml", "tasks", ""},
	{"cargo", "make", "Makefile.toml", "tasks", ""},
	{"poe", "", "pyproject.toml", "tool.poe.tasks", ""},
	{"hatch", "run", "pyproject.toml hatch.toml", "tool.hatch.envs. envs.", ""},
	{"pdm", "run", "pyproject.toml", "tool.pdm.scripts", ""},
	{"pixi", "run", "pixi.toml pyproject.toml", "tasks tool.pixi.tasks", ""},
	{"tox", "", "tox.ini", "testenv", " -e "},
}

// tasks reads what the tasks do that a runner is told to run.
func (r *reader) tasks(c *shell.Command) {
	r.grammar(c)
	r.taskCode(c)
	r.taskLines(c)
	if in(c.Name, "gradle gradlew") {
		r.gradle(c)
	}
}

func (r *reader) taskCode(c *shell.Command) {
	for i := range codeTasks {
		t := &codeTasks[i]
		if !in(c.Name, t.programs) || hasArg(c.Args, "-l", "--list", "--help", "-h", "--tasks") {
			continue
		}
		r.changes = true
		a := split(c.Args, t.flag+" -f -c --collection -H --hosts ")
		names := words(a.ops)
		if t.flag != "" {
			names = words(a.values(strings.Fields(t.flag)...))
		}
		var roots []string
		for _, n := range names {
			n, _, _ = strings.Cut(n, ":")
			roots = append(roots, strings.ReplaceAll(n[strings.LastIndexByte(n, '.')+1:], "-", "_"))
		}
		text, file := r.firstFile(c, t.files)
		if text != "" && len(roots) > 0 {
			r.deepCode(c, t.lang, text, source{file: file, roots: strings.Join(roots, " ")})
		}
	}
}

// firstFile is the text of the first of some files that there is.
func (r *reader) firstFile(c *shell.Command, names string) (text, name string) {
	for name := range strings.FieldsSeq(names) {
		if text, ok := r.scriptText(c, shell.Word{Text: name, Known: true}); ok {
			return text, name
		}
	}
	return "", ""
}

func (r *reader) taskLines(c *shell.Command) {
	for i := range lineTasks {
		t := &lineTasks[i]
		if !in(c.Name, t.programs) {
			continue
		}
		a := split(c.Args, t.flag)
		names := words(a.ops)
		switch {
		case t.flag != "":
			names = words(a.values(strings.TrimSpace(t.flag)))
		case t.sub != "" && !in(a.op(0), t.sub):
			return
		case t.sub != "":
			names = names[1:]
		}
		text, _ := r.firstFile(c, t.files)
		if text == "" || len(names) == 0 {
			return
		}
		r.changes = true
		name := names[0][strings.LastIndexByte(names[0], ':')+1:]
		for _, line := range headedLines(text, t.headings, name) {
			r.nested(line, c.Dir)
		}
	}
}

// headedLines are the lines of a task in a file of headings: [tasks.clean] run = "…", [tasks] clean = "…",
// [testenv:clean] commands = … with further lines below.
func headedLines(text, headings, name string) []string {
	var out []string
	mine, all, open := false, false, false
	for line := range strings.Lines(text) {
		t := strings.TrimSpace(line)
		if head, ok := strings.CutPrefix(t, "["); ok && strings.HasSuffix(t, "]") && line[0] == '[' {
			head = strings.Trim(head, "[]")
			mine, all, open = false, false, false
			for h := range strings.FieldsSeq(headings) {
				rest, below := strings.CutPrefix(head, h)
				mine = mine || below && in(strings.Trim(rest, ".:\"'"), name)
				all = all || head == h || below && strings.HasSuffix(h, ".") && strings.HasSuffix(rest, ".scripts")
			}
			continue
		}
		key, value, set := strings.Cut(t, "=")
		if key = strings.Trim(strings.TrimSpace(key), `"'`); open && (!set || line[0] == ' ' || line[0] == '\t') {
			value, set = t, true
		} else {
			open = set && (mine && in(key, "run script commands commands_pre cmd shell cmds command") || all && key == name)
		}
		if !open || !set || t == "" || len(out) >= maxWords {
			continue
		}
		if _, v, ok := strings.Cut(value, "cmd ="); ok { // { cmd = "…" }
			value = v
		}
		if line := strings.Trim(strings.TrimSpace(value), "[]{},\"' "); line != "" {
			out = append(out, strings.ReplaceAll(line, `", "`, "\n"))
		}
	}
	return out
}

// gradle reads the tasks that delete.
func (r *reader) gradle(c *shell.Command) {
	text, _ := r.firstFile(c, "build.gradle build.gradle.kts")
	for _, o := range r.fewTasks(split(c.Args, " -p --project-dir -b -P -D -x ").ops) {
		name := o.Text[strings.LastIndexByte(o.Text, ':')+1:]
		for _, head := range [...]string{"task " + name, `("` + name + `"`, "('" + name + "'"} {
			_, rest, ok := strings.Cut(text, head)
			if !ok || name == "" {
				continue
			}
			_, block, _ := strings.Cut(rest, "{")
			for line := range strings.Lines(clipBytes(block, maxScript)) {
				t := strings.TrimSpace(line)
				if line[0] == '}' {
					break
				}
				if args, ok := strings.CutPrefix(t, "delete"); ok {
					r.nested("rm -rf"+quoteWords(quotedWords(args)), c.Dir)
				} else if args, ok := strings.CutPrefix(t, "commandLine"); ok {
					r.nested(quoteWords(quotedWords(args)), c.Dir)
				}
			}
		}
	}
}

// quotedWords are the strings of a line.
func quotedWords(line string) []string {
	var out []string
	for i := 0; i < len(line) && len(out) < maxWords; i++ {
		if line[i] != '"' && line[i] != '\'' {
			continue
		}
		s, n := quoted(line[i:])
		if n == 0 {
			break
		}
		out = append(out, s)
		i += n - 1
	}
	return out
}

// precommit reads the hooks of a project's own that pre-commit runs.
func (r *reader) precommit(c *shell.Command) {
	r.grammar(c)
	if len(c.Args) == 0 || c.Args[0].Text != "run" {
		return
	}
	text, _ := r.firstFile(c, ".pre-commit-config.yaml")
	_, local, _ := strings.Cut(text, "repo: local")
	for line := range strings.Lines(clipBytes(local, maxScript)) {
		if cmd, ok := strings.CutPrefix(strings.TrimSpace(line), "entry: "); ok {
			r.nested(strings.Trim(cmd, `"`), c.Dir)
		}
	}
}

// ansible reads what a playbook runs and takes away. Modules that keep a machine as it is told to be are what it is for.
func (r *reader) ansible(c *shell.Command) {
	r.grammar(c)
	if hasArg(c.Args, "--check", "-C", "--list-hosts", "--list-tasks", "--list-tags", "--syntax-check") {
		return
	}
	for _, o := range split(c.Args, " -i --inventory -e --extra-vars -l --limit -t --tags --skip-tags -u --user --vault-password-file -f --forks ").ops {
		text, ok := r.scriptText(c, o)
		if !ok || !hasSuffix(o.Text, ".yml", ".yaml") {
			continue
		}
		here, module, path := false, "", ""
		for line := range strings.Lines(clipBytes(text, maxCode)) {
			t := strings.TrimSpace(line)
			item, first := strings.CutPrefix(t, "- ")
			key, value, _ := strings.Cut(item, ":")
			value = strings.Trim(strings.TrimSpace(value), `"'`)
			if first {
				path = ""
			}
			switch short := key[strings.LastIndexByte(key, '.')+1:]; {
			case short == "hosts":
				here = in(value, "localhost 127.0.0.1")
			case in(short, "shell command raw") && value != "":
				if !here {
					value = "ssh host " + quoteWords([]string{value})
				}
				r.nested(value, c.Dir)
			case in(short, "path dest name bucket namespace db"):
				path = value
			case value == "" || value[0] == '{':
				module = short
			}
			if fields := strings.Trim(value, "{}"); strings.Contains(t, "state: absent") || strings.Contains(t, "state=absent") {
				for part := range strings.FieldsFuncSeq(fields, func(c rune) bool { return c == ',' }) {
					if k, v, ok := strings.Cut(part, ":"); ok && in(strings.TrimSpace(k), "path dest name") {
						path = strings.Trim(strings.TrimSpace(v), `"'`)
					}
				}
				r.absent(c, module, path, here)
			}
		}
	}
}

// absent is what a playbook wants gone.
func (r *reader) absent(c *shell.Command, module, path string, here bool) {
	switch {
	case here && module == "file":
		r.nested("rm -rf"+quoteWords([]string{path}), c.Dir)
	case strings.HasPrefix(path, "/tmp/"), in(filepath.Base(path), "cache tmp"):
	case in(module, "file k8s volume docker_volume s3_bucket ec2_instance rds_instance cloudformation lvol filesystem") || hasSuffix(module, "_db", "_table", "_schema", "_tablespace", "_bucket", "_instance", "_database", "_volume"):
		r.tell(Infra, Destroy, module+" state: absent", clip(path, 60))
	}
}
