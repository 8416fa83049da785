package effect

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// maxCode bounds what is read of a program text handed to an interpreter.
const maxCode = 64 << 10

// language is how one interpreter's calls are spelt.
type language struct {
	deletes  string // calls that delete a file or an empty folder
	wipes    string // calls that delete a whole tree
	copies   string // calls that copy or move a file
	reads    string // calls that read a file
	writes   string // calls that open a file for writing, with a mode
	runs     string // calls that run a shell line
	argv     string // calls that run a list of words
	evals    string // calls that run text as code
	home     string // how the home folder is spelt, besides a literal
	comments string
}

var (
	pythonCalls = language{
		deletes: "os.remove os.unlink os.rmdir unlink remove pathlib.Path.unlink", wipes: "shutil.rmtree rmtree", writes: "open io.open codecs.open",
		copies: "shutil.copy shutil.copy2 shutil.copyfile shutil.copytree shutil.move os.rename os.replace os.link os.symlink copyfile copytree",
		runs:   "os.system os.popen system popen subprocess.getoutput subprocess.getstatusoutput subprocess.call subprocess.run subprocess.Popen subprocess.check_output subprocess.check_call run call check_output check_call Popen",
		argv:   "subprocess.call subprocess.run subprocess.Popen subprocess.check_output subprocess.check_call run call check_output check_call Popen os.execvp os.execv os.execl os.execlp",
		evals:  "exec eval", home: "Path.home os.path.expanduser expanduser", comments: "#",
	}
	nodeCalls = language{
		deletes: "unlinkSync unlink rmdirSync rmdir fs.unlinkSync fs.unlink fs.rmdirSync fs.rmdir Deno.remove", wipes: "rmSync rm fs.rmSync fs.rm rimraf rimrafSync removeSync fs.removeSync del",
		copies: "copyFileSync renameSync cpSync fs.copyFileSync fs.copyFile fs.renameSync fs.rename fs.cpSync", reads: "readFileSync fs.readFileSync fs.readFile Deno.readTextFile",
		writes: "writeFileSync fs.writeFileSync fs.writeFile writeFile truncateSync fs.truncateSync", runs: "execSync exec child_process.execSync child_process.exec cp.execSync cp.exec",
		argv: "spawnSync spawn execFileSync execFile child_process.spawnSync child_process.spawn child_process.execFileSync", evals: "eval Function", home: "process.env.HOME os.homedir homedir", comments: "//",
	}
	perlCalls = language{
		deletes: "unlink rmdir", wipes: "rmtree remove_tree", runs: "system exec qx", evals: "eval", home: "$ENV{HOME} $ENV{'HOME'}", comments: "#",
	}
	rubyCalls = language{
		deletes: "File.delete File.unlink Dir.rmdir Dir.delete", wipes: "FileUtils.rm_rf FileUtils.rm_r FileUtils.remove_dir FileUtils.remove_entry_secure FileUtils.rm rm_rf rm_r",
		copies: "FileUtils.cp FileUtils.mv FileUtils.cp_r File.rename", reads: "File.read IO.read",
		writes: "File.write", runs: "system exec spawn `", evals: "eval instance_eval", home: "Dir.home ENV['HOME'] ENV[\"HOME\"]", comments: "#",
	}
	phpCalls = language{
		deletes: "unlink rmdir", copies: "copy rename", reads: "file_get_contents readfile", writes: "file_put_contents", runs: "system exec shell_exec passthru popen", evals: "eval assert", home: "getenv('HOME') $_SERVER['HOME']", comments: "//",
	}
)

func (r *reader) python(c *shell.Command) { r.interpret(c, &pythonCalls, "-c", " -W -X -m -Q ") }
func (r *reader) node(c *shell.Command) {
	r.interpret(c, &nodeCalls, "-e --eval -p --print -pe eval", " -r --require --import --loader ")
}
func (r *reader) perl(c *shell.Command) {
	r.interpret(c, &perlCalls, "-e -E -ne -pe -ane -lne -nle", " -I ")
}
func (r *reader) ruby(c *shell.Command) { r.interpret(c, &rubyCalls, "-e", " -r -I -C ") }
func (r *reader) php(c *shell.Command)  { r.interpret(c, &phpCalls, "-r", " -d -c ") }

// interpret reads the code of -c and its kind, of a heredoc, or of a script on disk.
func (r *reader) interpret(c *shell.Command, lang *language, codeFlags, valued string) {
	r.changes = true
	for i := 0; i < len(c.Args); i++ {
		t := c.Args[i].Text
		switch {
		case in(t, codeFlags) && i+1 < len(c.Args):
			r.code(c, lang, c.Args[i+1].Text)
			i++
			if c.Name != "perl" && c.Name != "ruby" {
				return
			}
		case strings.HasPrefix(t, "-c") && len(t) > 2 && lang == &pythonCalls:
			r.code(c, lang, t[2:])
			return
		case in(t, "-m"):
			r.module(c, i+1)
			return
		case listed(valued, t):
			i++
		case strings.HasPrefix(t, "-") && t != "-":
		case t == "-":
			i = len(c.Args)
		default:
			r.scriptFile(c, c.Args[i], lang)
			return
		}
	}
	for _, b := range r.bodies(c) {
		r.code(c, lang, b)
	}
}

// module is python -m NAME: a package manager or a server under another name.
func (r *reader) module(c *shell.Command, i int) {
	if i >= len(c.Args) {
		return
	}
	sub := *c
	sub.Name, sub.Args = c.Args[i].Text, c.Args[i+1:]
	if in(sub.Name, "pip pip3 twine uv poetry") {
		r.packages(&sub)
	}
	if in(sub.Name, "pytest unittest mypy ruff tox nox black flake8") {
		r.add(Act{Kind: Test, How: sub.Name})
	}
}

// scriptFile reads a script that the line or the disk holds.
func (r *reader) scriptFile(c *shell.Command, w shell.Word, lang *language) {
	if r.fetched(c, w) {
		return
	}
	text, ok := r.scriptText(c, w)
	if !ok {
		return
	}
	r.deep++
	defer func() { r.deep-- }()
	if r.deep > maxNested {
		return
	}
	r.code(c, lang, text)
}

// scriptText is the text of a script: from the line, when the line writes it, or from the disk.
func (r *reader) scriptText(c *shell.Command, w shell.Word) (string, bool) {
	if !w.Known {
		return "", false
	}
	t := r.written(c, w)
	if s, known := r.madeText(t.real); known {
		return s, true
	}
	fi, err := os.Stat(t.real)
	if err != nil || !fi.Mode().IsRegular() || fi.Size() > maxScript || r.deep >= 1 {
		return "", false
	}
	b, err := os.ReadFile(t.real)
	return string(b), err == nil
}

// code finds the calls of a program text that delete, write, run or hide something. It is a tokenizer, not a parser:
// it knows strings and comments, joins literal strings, follows names that are assigned literals, and nothing else.
func (r *reader) code(c *shell.Command, lang *language, text string) {
	if len(text) > maxCode {
		r.unsure = append(r.unsure, "a program text too long to read")
		text = text[:maxCode]
	}
	p := tokens(text, lang)
	from := len(r.acts)
	for i := 0; i < len(p.toks) && len(r.acts) < maxActs; i++ {
		if p.toks[i].kind == name {
			r.codeCall(c, lang, p, i)
		}
	}
	for _, t := range p.backticks {
		r.nested(t, c.Dir)
	}
	r.codeFlow(c, p, from)
}

// codeCall judges one call: a name followed by its arguments.
func (r *reader) codeCall(c *shell.Command, lang *language, p *program, i int) {
	id := p.toks[i].text
	last := id[strings.LastIndexByte(id, '.')+1:]
	if !lang.knows(id, last) {
		return
	}
	args, ok := p.args(i)
	if !ok {
		return
	}
	switch {
	case in(id, lang.wipes) || in(last, lang.wipes):
		rec := last != "rm" && last != "rmSync" || strings.Contains(args.raw, "recursive")
		r.codeDelete(c, lang, args, rec)
	case in(id, lang.deletes):
		r.codeDelete(c, lang, args, false)
	case (last == "unlink" || last == "rmdir" || last == "write_text") && strings.Contains(id, "."):
		r.codePath(c, lang, p, i, last)
	case in(id, lang.copies):
		r.codeCopy(c, last, args)
	case in(id, lang.reads) && args.known && args.lit != "":
		r.codeRead(c, args.lit)
	case in(id, lang.writes):
		r.codeWrite(c, args, last)
	case in(id, lang.runs) || in(last, lang.runs) && strings.Contains(id, "("):
		r.codeRun(c, lang, id, args)
	case in(id, lang.argv):
		r.codeRun(c, lang, id, args)
	case in(id, lang.evals):
		r.codeEval(c, lang, args)
	}
}

// knows says that one of the language's tables may name a call.
func (l *language) knows(id, last string) bool {
	for _, list := range [...]string{l.wipes, l.deletes, l.copies, l.reads, l.writes, l.runs, l.argv, l.evals, "unlink rmdir write_text"} {
		if in(last, list) || in(id, list) {
			return true
		}
	}
	return false
}

// codeDelete records a delete by a library call.
func (r *reader) codeDelete(c *shell.Command, lang *language, args callArgs, rec bool) {
	if args.lit == "" && isHomeExpr(args.raw, lang) {
		args.lit, args.known = "~", true
	}
	if !args.known {
		return
	}
	r.remove(c, r.target(c, shell.Word{Text: args.lit, Known: true}), rec, filter{})
}

func isHomeExpr(raw string, lang *language) bool {
	raw = strings.TrimSpace(raw)
	for _, h := range strings.Fields(lang.home) {
		if strings.HasPrefix(raw, h) {
			return true
		}
	}
	return strings.HasPrefix(raw, "os.environ['HOME']") || strings.HasPrefix(raw, `os.environ["HOME"]`) || strings.HasPrefix(raw, `os.getenv("HOME")`) || strings.HasPrefix(raw, "os.getenv('HOME')")
}

// codePath is a method of a path object whose literal stands before it: Path("x").unlink().
func (r *reader) codePath(c *shell.Command, _ *language, p *program, i int, last string) {
	lit, ok := p.before(i)
	if !ok {
		return
	}
	t := r.target(c, shell.Word{Text: lit, Known: true})
	if last == "write_text" {
		r.writes(c, t, Overwrite, file{})
		return
	}
	r.remove(c, t, false, filter{})
}

func (r *reader) codeWrite(c *shell.Command, args callArgs, last string) {
	if !args.known || args.lit == "" {
		return
	}
	kind := Overwrite
	if last == "open" {
		switch {
		case strings.HasPrefix(args.second, "w"), strings.HasPrefix(args.second, "x"):
		case strings.HasPrefix(args.second, "r") && !strings.Contains(args.second, "+"):
			r.codeRead(c, args.lit)
			return
		case strings.HasPrefix(args.second, "a"), strings.Contains(args.second, "+"):
			kind = Write
		default:
			r.codeRead(c, args.lit)
			return
		}
	}
	r.writes(c, r.written(c, shell.Word{Text: args.lit, Known: true}), kind, file{})
}

// codeRun reads a line or a list of words that the code runs.
func (r *reader) codeRun(c *shell.Command, lang *language, id string, args callArgs) {
	switch {
	case len(args.list) > 0:
		r.nested(quoteWords(args.list), c.Dir)
	case decodes(args.raw):
		if b, err := base64.StdEncoding.DecodeString(longest(args.all)); err == nil && len(b) > 0 {
			r.nested(string(b), c.Dir)
			return
		}
		r.add(Act{Kind: Opaque, Tag: PipeCode, How: clip(id, 30) + " of decoded text"})
	case args.known && args.lit != "":
		line := args.lit
		if args.second != "" && in(id, lang.argv) {
			line += " " + args.second
		}
		r.nested(line, c.Dir)
	}
}

func quoteWords(ws []string) string {
	var b strings.Builder
	for _, w := range ws {
		b.WriteString(" '")
		b.WriteString(strings.ReplaceAll(w, "'", `'\''`))
		b.WriteByte('\'')
	}
	return b.String()
}

// decodes: the text is made readable only when it runs.
func decodes(raw string) bool {
	for _, w := range [...]string{"b64decode", "atob(", "base64", "fromhex", "unhexlify", "decompress", "codecs.decode"} {
		if strings.Contains(raw, w) {
			return true
		}
	}
	return false
}

// codeEval reads text that is run as code: a literal, or a base64 literal inside it.
func (r *reader) codeEval(c *shell.Command, lang *language, args callArgs) {
	if r.deep++; r.deep <= maxNested {
		switch {
		case decodes(args.raw):
			if b, err := base64.StdEncoding.DecodeString(longest(args.all)); err == nil && len(b) > 0 {
				before := len(r.acts)
				r.code(c, lang, string(b))
				if len(r.acts) > before {
					break
				}
			}
			r.add(Act{Kind: Opaque, Tag: PipeCode, How: "decoded text is run"})
		case args.known:
			r.code(c, lang, args.lit)
		}
	}
	r.deep--
}

func longest(ss []string) string {
	out := ""
	for _, s := range ss {
		if len(s) > len(out) {
			out = s
		}
	}
	return out
}

// awk runs a shell through system() and through pipes.
func (r *reader) awk(c *shell.Command) {
	a := split(c.Args, " -F -v -f --field-separator --assign --file ")
	if len(a.ops) == 0 {
		return
	}
	prog := a.ops[0].Text
	for rest := prog; ; {
		i := strings.Index(rest, "system(")
		if i < 0 {
			break
		}
		rest = rest[i+7:]
		if s, n := quoted(strings.TrimLeft(rest, " ")); n > 0 {
			r.nested(s, c.Dir)
		}
	}
	if i := strings.Index(prog, "print > \""); i >= 0 {
		if s, n := quoted(prog[i+8:]); n > 0 {
			r.writes(c, r.written(c, shell.Word{Text: s, Known: true}), Overwrite, file{})
		}
	}
	for _, o := range a.ops[1:] {
		r.readWord(c, o)
	}
}

// quoted reads a string literal at the start of s and gives its length in s.
func quoted(s string) (string, int) {
	if s == "" || s[0] != '"' && s[0] != '\'' && s[0] != '`' {
		return "", 0
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			b.WriteByte(unescaped(s[i]))
		case s[i] == s[0]:
			return b.String(), i + 1
		default:
			b.WriteByte(s[i])
		}
	}
	return "", 0
}

func unescaped(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	}
	return c
}

// runShell is a shell that is started: with a script on disk, or as one to type into.
func (r *reader) runShell(c *shell.Command) {
	r.changes = true
	if in(c.Name, "pwsh powershell") && hasFold(c.Args, "-e", "-ec", "-enc", "-encodedcommand") {
		r.add(Act{Kind: Opaque, Tag: PipeCode, How: "-EncodedCommand"})
		return
	}
	for i := 0; i < len(c.Args); i++ {
		t := c.Args[i].Text
		if strings.HasPrefix(t, "-") && strings.Contains(t, "c") && !strings.HasPrefix(t, "--") || t == "/c" || t == "/C" {
			if i+1 < len(c.Args) && !c.Args[i+1].Known && c.Unsure != "" {
				r.opaque(c)
			}
			return
		}
		if in(t, "-o -O --rcfile --init-file") {
			i++
			continue
		}
		if !strings.HasPrefix(t, "-") {
			r.shellFile(c, c.Args[i])
			return
		}
	}
	if c.Unsure != "" {
		r.opaque(c)
	}
}

// opaque is code that cannot be read before it runs.
func (r *reader) opaque(c *shell.Command) {
	r.unsure = append(r.unsure, c.Unsure)
	for i := len(r.acts) - 1; i >= 0; i-- {
		if r.acts[i].Command == r.at && (r.acts[i].Tag == PipeRemote || r.acts[i].Tag == PipeCode) {
			return
		}
	}
	tag := PipeCode
	for _, i := range c.Inputs {
		if i < len(r.cmds) && in(r.cmds[i].Name, "curl wget") {
			tag = PipeRemote
		}
	}
	r.add(Act{Kind: Opaque, Tag: tag, How: c.Name, Unsure: c.Unsure})
}

// shellFile reads a shell script from the line or from disk and judges its commands.
func (r *reader) shellFile(c *shell.Command, w shell.Word) {
	for _, i := range c.Inputs { // bash <(curl …)
		if i < len(r.cmds) && in(r.cmds[i].Name, "curl wget") {
			r.add(Act{Kind: Opaque, Tag: PipeRemote, Target: firstURL(&r.cmds[i]), How: c.Name + " <(" + r.cmds[i].Name + ")"})
			return
		}
	}
	if r.fetched(c, w) {
		return
	}
	if text, ok := r.scriptText(c, w); ok {
		r.nested(text, c.Dir)
	}
}

// fetched: the script was downloaded by an earlier command of the same line.
func (r *reader) fetched(c *shell.Command, w shell.Word) bool {
	if !w.Known {
		return false
	}
	p := r.written(c, w).real
	for i := len(r.files) - 1; i >= 0; i-- {
		if f := &r.files[i]; f.path == p {
			if f.decoded {
				r.add(Act{Kind: Opaque, Tag: PipeCode, How: c.Name + " " + clip(w.Text, 40)})
				return true
			}
			break
		}
	}
	h := r.downloaded(p)
	if h != "" {
		r.add(Act{Kind: Opaque, Tag: PipeRemote, Target: h, How: c.Name + " " + clip(w.Text, 40)})
	}
	return h != ""
}

func (r *reader) source(c *shell.Command) {
	if len(c.Args) > 0 {
		r.shellFile(c, c.Args[0])
	}
	if viaAny(c, "BASH_ENV", "ENV") {
		r.add(Act{Kind: Execute, Tag: Preload, Target: clip(at(words(c.Args), 0), 80), How: "BASH_ENV"})
	}
	r.changes = true
}

// eval whose text cannot be known.
func (r *reader) eval(c *shell.Command) {
	r.changes = true
	if c.Unsure == "" {
		return
	}
	for _, i := range c.Inputs {
		if i < len(r.cmds) && in(r.cmds[i].Name, "ssh-agent direnv pyenv rbenv nodenv brew fnm nvm starship zoxide dircolors conda mise asdf opam luarocks thefuck resize minikube docker-machine keychain gpg-agent") {
			return
		}
	}
	r.opaque(c)
}

// isScript: a program that is named by a file of the project.
func isScript(n string) bool { return hasSuffix(n, ".sh", ".bash", ".py", ".rb", ".js", ".pl") }

// runFile reads a script that is run by its path.
func (r *reader) runFile(c *shell.Command) {
	r.changes = true
	p := c.Path
	if p == "" {
		p = c.Name
	}
	if r.fetched(c, shell.Word{Text: p, Known: true}) {
		return
	}
	text, ok := r.scriptText(c, shell.Word{Text: p, Known: true})
	if !ok || !strings.HasPrefix(text, "#!") {
		if isShellName(p) && ok {
			r.nested(text, c.Dir)
		}
		return
	}
	line, _, _ := strings.Cut(text, "\n")
	switch {
	case strings.Contains(line, "python"):
		r.deepCode(c, &pythonCalls, text)
	case strings.Contains(line, "node"):
		r.deepCode(c, &nodeCalls, text)
	case strings.Contains(line, "perl"):
		r.deepCode(c, &perlCalls, text)
	case strings.Contains(line, "ruby"):
		r.deepCode(c, &rubyCalls, text)
	case strings.Contains(line, "sh"):
		r.nested(text, c.Dir)
	}
}

func isShellName(p string) bool { return hasSuffix(filepath.Base(p), ".sh", ".bash") }

func (r *reader) deepCode(c *shell.Command, lang *language, text string) {
	if r.deep++; r.deep <= maxNested {
		r.code(c, lang, text)
	}
	r.deep--
}
