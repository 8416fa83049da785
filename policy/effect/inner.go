package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// Editors, pagers and debuggers have commands of their own, and among them one that runs a shell line.

// innerForms gives the options whose value is a command of the program, and how such a command runs a shell line:
// words that begin it, parted by |. In plus programs an operand that begins with + is a command too; in typed ones
// what they read is.
var innerForms = [...]struct {
	programs, options, begins string
	plus, typed               bool
}{
	{programs: "vim nvim vi ex", options: " -c --cmd -S ", begins: "!|silent !|silent! !|r !|r!|read !|%!|w !|terminal |term ", plus: true, typed: true},
	{programs: "less more", options: " -P --prompt ", begins: "!|#", plus: true},
	{programs: "ed red", options: " -p --prompt ", begins: "!|r !|w !|0r !|$r !|,w !|e !", typed: true},
	{programs: "gdb lldb", options: " -ex --ex -iex --iex -eval-command --eval-command -init-eval-command -o -O --one-line ", begins: "!|shell |platform shell |make ", typed: true},
	{programs: "emacs emacsclient", options: " -e --eval -eval --execute -execute -l -f --load --funcall -L "},
}

// innerCalls are functions of such programs' languages whose first argument, 1, is run or deleted.
const innerCalls = `
system( 1
systemlist( 1
delete( rm -r 1
(shell-command 1
(shell-command-to-string 1
(async-shell-command 1
(call-process-shell-command 1
(delete-directory rm -r 1
(delete-file rm 1
(system 1
(shell 1
process/shell 1
fs/delete-tree rm -r 1
fs/delete rm 1
(run-program 1
os:cmd( 1
file:del_dir_r( rm -r 1
file:delete( rm 1
`

// inner reads the commands that an editor, a pager or a debugger is given.
func (r *reader) inner(c *shell.Command) {
	for i := range innerForms {
		f := &innerForms[i]
		if !in(c.Name, f.programs) {
			continue
		}
		a := split(c.Args, f.options)
		for _, v := range a.flags {
			if v.has && !in(v.name, "-S -l -L -p -P") {
				r.innerText(c, v.val.Text, f.begins)
				r.emptied(c, a.ops, v.val.Text)
			}
		}
		for _, o := range a.ops {
			if line, plus := strings.CutPrefix(o.Text, "+"); plus && f.plus {
				r.innerText(c, line, f.begins)
				r.emptied(c, a.ops, line)
			}
		}
		if text, _ := r.piped(c); f.typed {
			typed := strings.Join(append(r.bodies(c), text), "\n")
			r.innerText(c, typed, f.begins)
			r.emptied(c, a.ops, typed)
		}
	}
	if in(c.Name, "less more") {
		r.show(c)
		return
	}
	r.changes = true
}

// emptied: an editor is told to delete every line of its files.
func (r *reader) emptied(c *shell.Command, files []shell.Word, text string) {
	if !in(c.Name, "ed red ex nvim vi vim") {
		return
	}
	for part := range strings.FieldsFuncSeq(clipBytes(text, maxCode), func(c rune) bool { return c == '\n' || c == '|' }) {
		if !in(strings.Trim(part, ": !"), "%d ,d 1,$d %d_ %delete 1,$delete") {
			continue
		}
		for _, o := range files {
			if !strings.HasPrefix(o.Text, "+") {
				r.writes(c, r.written(c, o), Overwrite, file{})
			}
		}
		return
	}
}

// innerText reads commands, one a line.
func (r *reader) innerText(c *shell.Command, text, begins string) {
	for line := range strings.Lines(clipBytes(text, maxCode)) {
		line = strings.TrimLeft(strings.TrimRight(line, "\n"), ": \t")
		for rest := begins; rest != ""; {
			var word string
			word, rest, _ = strings.Cut(rest, "|")
			if cmd, ok := strings.CutPrefix(line, word); ok && word != "" {
				r.nested(cmd, c.Dir)
				break
			}
		}
		if code, ok := strings.CutPrefix(line, "python "); ok {
			r.code(c, &pythonCalls, code)
		} else if code, ok := strings.CutPrefix(line, "lua "); ok && in(c.Name, "nvim vim") {
			r.code(c, &luaCalls, code)
		}
	}
	for row := range strings.Lines(innerCalls[1:]) {
		call, as, _ := strings.Cut(strings.TrimSuffix(row, "\n"), " ")
		if _, rest, ok := strings.Cut(text, call); ok {
			if arg, n := quoted(strings.TrimLeft(rest, " ")); n > 0 {
				if as != "1" {
					arg = strings.Replace(as, "1", quoteWords([]string{arg}), 1)
				}
				r.nested(arg, c.Dir)
			}
		}
	}
}

// sedRuns reads GNU sed's e, as a command (1e rm -rf x) and as a flag (s/…/…/e), which runs what the line has become.
func (r *reader) sedRuns(c *shell.Command, script string) {
	input, known := r.piped(c)
	if !known {
		input = "$LINE"
	}
	for _, s := range append(strings.FieldsFunc(script, func(c rune) bool { return c == ';' || c == '\n' }), script) {
		s = strings.TrimLeft(s, "0123456789,$!{ ")
		if address, rest, ok := strings.Cut(strings.TrimPrefix(s, "/"), "/"); ok && strings.HasPrefix(s, "/") && address != "" {
			s = strings.TrimLeft(rest, "!{ ")
		}
		if line, ok := strings.CutPrefix(s, "e "); ok {
			r.nested(line, c.Dir)
			return
		}
		if len(s) < 4 || s[0] != 's' || isLetter(s[1]) {
			continue
		}
		if parts := strings.Split(s[2:], s[1:2]); len(parts) == 3 && strings.Contains(parts[2], "e") && onlyFlags(parts[2]) {
			r.nested(strings.ReplaceAll(parts[1], "&", input), c.Dir)
			return
		}
	}
}

// onlyFlags: what stands behind a sed s command are its flags.
func onlyFlags(s string) bool { return strings.Trim(s, "gpeiImM0123456789}") == "" }

// otherShell: a build or package tool is told to run its lines by a program that is no shell.
func (r *reader) otherShell(name, program string) {
	word, _, _ := strings.Cut(program, " ")
	base := word[strings.LastIndexByte(word, '/')+1:]
	if program != "" && !(isShell(strings.TrimSuffix(strings.ToLower(base), ".exe")) && (base == word || programAt(word) != "" || isWindows(word))) {
		r.tell(Execute, Preload, name, program)
	}
}
