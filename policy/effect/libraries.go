package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// Calls of libraries that stand for a command line: a repository's, another machine's, a table's.

// codeGit reads the libraries that speak to git: repo.git.reset("--hard") of Python, git.reset(["--hard"]) of Node.
func (r *reader) codeGit(c *shell.Command, k *call, last string) {
	id := k.p.word(k.i)
	switch {
	case k.p.lang == &pythonCalls && strings.HasSuffix(id, ".git."+last):
	case k.p.lang == &pythonCalls && last == "push" && strings.Contains(id, ".remote") && strings.Contains(k.p.text, "Repo("):
	case k.p.lang == &nodeCalls && strings.Contains(k.p.text, "simple-git") && in(last, "reset clean push checkout branch deleteLocalBranch stash raw rebase"):
	default:
		return
	}
	words := []shell.Word{{Text: strings.ReplaceAll(last, "_", "-"), Known: true}}
	if last == "raw" {
		words = nil
	}
	for n, a := range k.args {
		switch v := k.p.eval(a.span); {
		case a.key == "force" && v.text() == "$True":
			words = append(words, shell.Word{Text: "--force", Known: true})
		case a.key == "" || a.key == "refspec":
			words = append(words, k.value(n).words...)
		}
	}
	if len(words) > 0 && last == "push" && len(k.args) > 0 && k.args[0].key != "" { // the remote is the object
		words = append(words[:1], append([]shell.Word{{Text: "origin", Known: true}}, words[1:]...)...)
	}
	r.nested("git"+shellWords(words), c.Dir)
}

// codeFar reads a line that a library runs on another machine, or, where the text keeps tasks, on this one.
func (r *reader) codeFar(c *shell.Command, k *call) {
	line, known := k.value(0).known()
	if !known || k.base == (span{}) {
		return
	}
	switch text := k.p.text; {
	case strings.Contains(text, "paramiko"), strings.Contains(text, "fabric") && !strings.Contains(text, "@task"), strings.Contains(text, "asyncssh"):
		r.nested("ssh host "+quoteWords([]string{line}), c.Dir)
	case strings.Contains(text, "@task") && k.id == ".run":
		r.nested(line, c.Dir)
	case strings.Contains(text, "@nox") && k.id == ".run":
		v := &value{}
		for n := range k.args {
			if k.args[n].key == "" {
				v = v.or(k.value(n))
			}
		}
		r.nested(shellWords(v.words), c.Dir)
	}
}

// codeSave is a table that is written to the file it was read from; any other file is what the program makes.
func (r *reader) codeSave(c *shell.Command, k *call) {
	path, known := k.value(0).known()
	for n := 0; known && n < len(k.p.toks); n++ {
		if strings.Contains(k.p.word(n), "read_") && k.p.at(n+1) == '(' && !k.p.idle(n) {
			from := call{p: k.p, i: n, args: k.p.arguments(n)}
			if s, ok := from.value(0).known(); ok && s == path {
				r.codeWrite(c, k.value(0), Overwrite)
				return
			}
		}
	}
}
