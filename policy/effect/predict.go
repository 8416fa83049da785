package effect

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy/shell"
)

// Prediction is what a call would do.
type Prediction struct {
	Acts    []Act
	Effects []Effect
	// Script is the command line as read, for shell calls.
	Script shell.Script
	// Unsure says what of the call could not be read.
	Unsure []string
	// Blind are the places among Acts from which on anything may have been changed that no act tells of.
	Blind []int
	// ReadOnly says that the call plainly changes nothing and tells nobody anything: a remote judge need not be asked.
	ReadOnly bool
}

// Bounds of a prediction. What lies past them is Unsure.
const (
	maxActs   = 4000
	maxScript = 64 << 10 // bytes read of a script on disk
	maxNested = 4        // scripts inside scripts
	maxFiles  = 12       // files that scripts of the disk name
	maxLines  = 8 * maxScript
)

// reader collects the acts of one call.
type reader struct {
	w     *World
	call  agent.Call
	acts  []Act
	looks []look
	// read remembers where links on the disk lead; "" is no link.
	read map[string]string
	// opened remembers what patterns stand for, by folder and pattern.
	opened map[string][]string
	// taints are the files that the line makes of secrets.
	taints []taint
	// inside are the mounts of the container whose program text is being read; outside: it stands in none of them.
	inside  []mount
	outside bool
	// links and files are what earlier commands of the same line make.
	links []link
	moved []moved
	files []file
	// cmds are the commands of the line that is being read, at the index of the one whose turn it is.
	cmds []shell.Command
	at   int
	deep int
	// sourced are the functions that a sourced file has defined.
	sourced string
	// scripts counts the files that the lines of a line, or of a script, have read from the disk.
	scripts int
	// lines are the bytes of lines inside the line that were read.
	lines int
	// unsure collects what could not be read; changes says that a command is not known to be read-only.
	unsure  []string
	changes bool
	blind   []int
	script  shell.Script
	// dotglob: to a pattern a name that begins with a dot is one like others.
	dotglob bool
}

// look is a look-up to be done once all acts are known.
type look struct {
	act int
	run func(*looker) []Effect
	// names: the act takes single files or what find names, so that where none is nothing can be lost. rm -rf of a folder
	// that is not there yet may find one when it runs.
	names bool
}

type link struct{ from, to string }

// moved is what an earlier command of the line has put under another name.
type moved struct {
	at  string
	was target
}

// file is a file that the line itself writes, with its text where that is known.
type file struct {
	path, text string
	known      bool
	from       string    // the host it was downloaded from
	tree       bool      // it is a folder that an archive was unpacked to
	decoded    bool      // its text was encoded before
	source     string    // the file it is a copy of
	program    string    // the program of the system that it is a copy of
	code       *language // it was compiled from its text
}

// Predict reads a call and looks up what it would lose.
func (w *World) Predict(c agent.Call) Prediction {
	r := &reader{w: w, call: c, dotglob: strings.Contains(c.Command, "-O dotglob")}
	switch {
	case c.Capability == agent.Shell:
		r.shellCall(c)
	case c.Capability == agent.Read, c.Capability == agent.Search, c.Capability == agent.Plan:
		r.reads(c)
	default:
		r.tool(c)
	}
	r.gatePrompt(c)
	p := Prediction{Script: r.script, Unsure: r.unsure, Blind: r.blind}
	if w.Early != nil && len(r.looks) > 0 {
		p.Acts = r.acts
		w.Early(p)
	}
	p.Effects = r.lookUp()
	p.Acts = r.acts // what was looked up adds some
	p.ReadOnly = !r.changes && len(r.unsure) == 0 && !changing(r.acts)
	return p
}

func (r *reader) shellCall(c agent.Call) {
	if c.CWD == "" {
		c.CWD = r.w.CWD
	}
	if p := toolProgram(c.Tool); !strings.HasPrefix(c.Command, p) {
		c.Command = p + c.Command
	}
	opt := r.options(c.CWD)
	switch {
	case strings.EqualFold(c.Tool, "powershell") || strings.EqualFold(c.Tool, "pwsh"):
		r.script = shell.ReadPowerShell(c.Command, opt)
	default:
		r.script = shell.Read(c.Command, opt)
	}
	r.unsure = append(r.unsure, r.script.Unsure...)
	long := len(c.Command) > shell.MaxLine // what nobody reads whole is asked about, whatever its words
	if !long {
		r.guardText(c.Command)
	}
	if len(r.script.Unsure) > 0 && (long || dangerousText(c.Command)) {
		r.add(Act{Kind: Opaque, Tag: Unreadable, Unsure: r.script.Unsure[0]})
	}
	r.commands(r.script.Commands)
	r.line(c.Command)
}

func (r *reader) options(dir string) shell.Options {
	return shell.Options{Dir: dir, Home: r.w.tilde(), Env: r.w.Env, Wrappers: r.w.Wrappers, IsDir: isDir, Top: r.w.top}
}

// top is the root that git rev-parse --show-toplevel prints in a folder; empty where git may be set to say another.
func (w *World) top(dir string) string {
	root := repoRoot(w.base(dir))
	config := filepath.Join(commonDir(root), "config")
	if fi, err := os.Stat(config); root == "" || err != nil || fi.Size() > maxScript || strings.Contains(strings.ToLower(smallFile(config)), "worktree") {
		return ""
	}
	return root
}

// nested reads a shell line found inside a command: a git alias, a system() call.
func (r *reader) nested(line, dir string) { r.within(line, dir, r.options(dir)) }

// scriptLines reads the lines of a script that a command runs, which knows its own file, the words it is given (nil: not
// known) and what the command sets.
func (r *reader) scriptLines(c *shell.Command, line, file string, args []shell.Word) {
	o := r.options(r.dir(c))
	o.Script, o.Args = file, args
	if len(c.Env) > 0 {
		o.Env = func(name string) (string, bool) {
			for i := len(c.Env) - 1; i >= 0; i-- {
				if v, ok := strings.CutPrefix(c.Env[i].Text, name+"="); ok {
					return v, c.Env[i].Known
				}
			}
			if r.w.Env == nil {
				return "", false
			}
			return r.w.Env(name)
		}
	}
	r.within(line, c.Dir, o)
}

// within reads lines found inside a command. Those that go nowhere run in dir.
func (r *reader) within(line, dir string, o shell.Options) {
	if r.deep >= maxNested || len(line) > maxScript {
		r.unsure = append(r.unsure, "code nested too deep to read")
		return
	}
	before := r.lines
	if r.lines += len(line); r.lines > maxLines {
		if before <= maxLines {
			r.tell(Opaque, DynamicRun, "more lines inside lines than the gate reads", "")
		}
		return
	}
	file := o.Script
	var s shell.Script
	switch {
	case hasSuffix(file, ".ps1", ".psm1"):
		s = shell.ReadPowerShell(line, o)
	case hasSuffix(file, ".bat", ".cmd"):
		s = shell.ReadCmd(line, o)
	default:
		s = shell.Read(line, o)
	}
	if len(s.Unsure) > 0 && dangerousText(line) {
		r.add(Act{Kind: Opaque, Tag: Unreadable, Unsure: s.Unsure[0]})
	}
	for i := range s.Commands { // one that goes nowhere is where the line begins
		if c := &s.Commands[i]; c.Dir == "" {
			c.Dir = dir
		}
	}
	cmds, at := r.cmds, r.at
	r.deep++
	r.commands(s.Commands)
	r.line(line)
	r.deep--
	r.cmds, r.at = cmds, at
}

func (r *reader) commands(cmds []shell.Command) {
	r.cmds = cmds
	for i := range cmds {
		r.at = i
		r.command(&cmds[i])
	}
}

// command reads one simple command.
func (r *reader) command(c *shell.Command) {
	r.redirects(c)
	r.environment(c)
	r.guardCommand(c)
	r.pipeIn(c)
	r.pipeOut(c)
	if c.Self && (c.Background || c.Stage > 0) {
		r.tell(Execute, ForkBomb, "", "")
	}
	if c.Unsure != "" && c.Name != "" && !isShell(c.Name) && !in(c.Name, "eval source .") {
		r.changes = true
		r.unsure = append(r.unsure, c.Unsure)
		if r.dangerousArgs(c) {
			r.add(Act{Kind: Opaque, Tag: DynamicRun, How: clip(strings.Join(words(c.Args), " "), 60), Unsure: c.Unsure})
		}
	}
	if c.Name == "" {
		r.nameless(c)
		return
	}
	before := len(r.acts)
	if isInfo(c) {
		return
	}
	c = r.renamed(c)
	lookup(c.Name)(r, c)
	if in(c.Name, "perl ruby") {
		r.inPlace(c)
	}
	if isInterpreter(c.Name) {
		r.mistaken(c)
	}
	r.deeds(c)
	r.tools(c)
	r.frameworkCode(c)
	r.unpacksGit(c)
	r.derived(c)
	if r.waits(c) {
		r.changes = true
		r.tell(Spawn, Typed, "", "")
		if !c.Remote && (in(c.Name, "sudo doas su") || viaAny(c, "sudo", "doas")) && (in(c.Name, "sudo doas su") || isShell(c.Name)) {
			r.tell(Privilege, RootShell, "", "")
		}
	}
	if c.Remote {
		r.elsewhere(c, before)
		r.throughMounts(c)
	}
	r.live(c, before)
	r.spares(c, before)
	r.privileged(c)
	if !r.readOnly(c) || changing(r.acts[before:]) {
		r.changes = true
	}
	if r.unread(c, before) {
		r.blind = append(r.blind, before)
	}
}

// renamed gives the command under the name of the program that it really is, where the line, or the disk, has that
// program under another name: cp /bin/rm x; ./x -rf ~.
func (r *reader) renamed(c *shell.Command) *shell.Command {
	if viaAny(c, "npx", "bunx", "pnpx", "pnpm dlx", "yarn dlx", "uvx") {
		return r.runPackage(c)
	}
	if c.Path == "" || c.Remote || len(r.files)+len(r.links) == 0 && c.Path[0] == '/' {
		return c
	}
	t := r.written(c, shell.Word{Text: c.Path, Known: true})
	name := programAt(t.real)
	for i := range r.files {
		if r.files[i].path == t.real && r.files[i].program != "" {
			name = r.files[i].program
		}
	}
	if name == "" || name == c.Name || programAt(t.path) != "" {
		return c
	}
	as := *c
	as.Name = name
	if isShell(name) {
		r.shellLine(&as)
	}
	return &as
}

// mistaken: a shell's line is given to another interpreter, node -e "rm -rf /". It would not run, but who sent it meant
// the shell.
func (r *reader) mistaken(c *shell.Command) {
	for i := 1; i < len(c.Args); i++ {
		if t := c.Args[i].Text; in(c.Args[i-1].Text, "-e -c -r -E") && (strings.HasPrefix(t, "rm -") || strings.HasPrefix(t, "sudo rm -")) {
			r.nested(t, c.Dir)
		}
	}
}

// programAt is the name of a program of the system, by its path; empty for all other paths.
func programAt(p string) string {
	for _, dir := range [...]string{"/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/"} {
		if name, ok := strings.CutPrefix(p, dir); ok && name != "" && !strings.Contains(name, "/") && name != "busybox" {
			return strings.ToLower(name)
		}
	}
	return ""
}

// shellLine reads what a shell that goes by another name is given to run.
func (r *reader) shellLine(c *shell.Command) {
	for i, a := range c.Args {
		if strings.HasPrefix(a.Text, "-") && strings.HasSuffix(a.Text, "c") && i+1 < len(c.Args) && c.Args[i+1].Known {
			r.nested(c.Args[i+1].Text, c.Dir)
			return
		}
	}
	if c.Stage > 0 && r.at > 0 && len(c.Args) == 0 {
		if f := r.textOf(&r.cmds[r.at-1]); f.known {
			r.nested(f.text, c.Dir)
			return
		}
		r.tell(Opaque, PipeCode, c.Path, "")
	}
}

// changing says that one of the acts is more than a look.
func changing(acts []Act) bool {
	for _, a := range acts {
		if a.Kind != Read && a.Kind != Test {
			return true
		}
	}
	return false
}

// helpers print their help wherever the flag for it stands, and run nothing then. Tools that hand their words on to a
// script of the project (yarn, pnpm) are not among them.
const helpers = "gh glab kubectl helm oc terraform tofu pulumi docker podman az gcloud aws npm cargo flyctl fly heroku vercel netlify railway supabase firebase wrangler doctl eksctl argocd flux vault stripe prisma"

// switches take no value, so that a flag behind them is a flag.
const switches = "--draft --prerelease --force --yes -y --all --fill --web --squash --merge --delete-branch --admin --auto --dry-run --wait --recursive --auto-approve -auto-approve --prod --build"

// isInfo: the command asks for help or for a version, and so runs nothing.
func isInfo(c *shell.Command) bool {
	n := len(c.Args)
	if n == 0 || len(c.Via) > 0 {
		return false
	}
	last := c.Args[n-1].Text
	switch {
	case n == 1:
		return last == "--help" || last == "--version"
	case c.Name == "git": // behind further words an alias may stand, which is run
		return n == 2 && last == "--help" && !strings.HasPrefix(c.Args[0].Text, "-")
	case c.Path != "" || c.Unsure != "" || !in(c.Name, helpers) || !in(last, "--help -h -help"):
		return false
	}
	if before := c.Args[n-2].Text; strings.HasPrefix(before, "-") && !strings.Contains(before, "=") && !in(before, switches) {
		return false // it may be that flag's value
	}
	return !hasArg(c.Args, "--", "run", "exec", "x", "debug", "test", "start") && (last != "-h" || !in(c.Name, "docker podman aws cargo"))
}

// nameless is a command whose program is known only when the line runs.
func (r *reader) nameless(c *shell.Command) {
	if len(c.Args) == 0 && c.Unsure == "" {
		return // assignments alone
	}
	r.changes = true
	why := c.Unsure
	if why == "" {
		why = "the program is known only when the line runs"
	}
	r.unsure = append(r.unsure, why)
	if len(c.Args) == 0 && strings.HasSuffix(why, "$SHELL") && c.Stage == 0 && !fedByFile(c) {
		r.add(Act{Kind: Spawn, Tag: Typed, Program: "$SHELL"})
	}
	if r.dangerousArgs(c) {
		r.add(Act{Kind: Opaque, Tag: DynamicRun, How: strings.Join(words(c.Args), " "), Unsure: why})
	}
}

// dangerousArgs: arguments that would be dangerous for the worst program a variable could hold.
func (r *reader) dangerousArgs(c *shell.Command) bool {
	for _, a := range c.Args {
		if t := a.Text; t == "-rf" || t == "-fr" || t == "--force" || t == "/" {
			return true
		}
		if p := r.target(c, a); p.place == Home || p.place == Root || p.place == Device {
			return true
		}
	}
	return strings.Contains(c.Unsure, "eval") || strings.Contains(c.Unsure, "invisible") || strings.Contains(c.Unsure, "look-alike")
}

// add keeps an act and gives its index.
func (r *reader) add(a Act) int {
	a.Command = r.at
	if r.script.Commands == nil {
		a.Command = -1
	}
	if a.Program == "" && r.at < len(r.cmds) {
		a.Program = r.cmds[r.at].Name
	}
	if len(r.acts) < maxActs {
		r.acts = append(r.acts, a)
		return len(r.acts) - 1
	}
	// Past the bound the call is not clean, whatever it does: one act says so, and a last one takes the place of all others.
	if len(r.acts) == maxActs {
		r.unsure = append(r.unsure, "more acts than the gate reads")
		r.acts = append(r.acts, Act{Kind: Opaque, Tag: Unreadable, Unsure: "more acts than the gate reads", Command: -1}, a)
	}
	r.acts[maxActs+1] = a
	return maxActs + 1
}

// tell keeps an act that has no place. It is one call where the literal of an act is many stores.
//
//go:noinline
func (r *reader) tell(kind ActKind, tag Tag, how, target string) int {
	return r.add(Act{Kind: kind, Tag: tag, How: clip(how, 60), Target: clip(target, 60)})
}

// tellRemote is tell of what happens on another machine.
//
//go:noinline
func (r *reader) tellRemote(kind ActKind, tag Tag, how, target string) int {
	return r.add(Act{Kind: kind, Tag: tag, How: clip(how, 60), Target: clip(target, 60), Place: Remote})
}

// lookAt has something looked up about an act when all acts are known.
//
//go:noinline
func (r *reader) lookAt(act int, run func(*looker) []Effect) {
	r.looks = append(r.looks, look{act: act, run: run})
}

// target is a path of a command, resolved.
type target struct {
	glob  bool   // a pattern stands in it
	text  string // as written
	path  string // absolute, links not followed; empty when it cannot be known
	real  string // absolute, links followed as the act would
	place Place
	all   bool // the content of the folder, not the folder: dir/*
	dots  dots // which names of that content
	slash bool // written with a slash at its end: a link is followed
}

// target resolves a word as a path from a command's folder. A final link is kept: rm removes the link.
//
//go:noinline
func (r *reader) target(c *shell.Command, word shell.Word) target { return r.path(c, word, false) }

// written resolves a word as a path that is written to or read: a final link is followed.
//
//go:noinline
func (r *reader) written(c *shell.Command, word shell.Word) target { return r.path(c, word, true) }

func (r *reader) path(c *shell.Command, word shell.Word, follow bool) target {
	if c != nil && !word.Known && len(c.Over) > 0 && !strings.ContainsAny(word.Text, "$`") {
		word = c.Over[0] // a {} that a wrapper fills in
	}
	text := word.Text
	t := target{text: text, slash: len(text) > 1 && strings.HasSuffix(text, "/")}
	if !word.Known {
		if !tempWord(text) {
			return t
		}
		t.place = InTemp
		return t
	}
	if r.inside != nil {
		if filepath.IsAbs(text) {
			text = onHost(r.inside, text)
		} else if r.outside {
			text = ""
		}
		if text == "" { // the container's own
			t.place = InTemp
			return t
		}
	}
	dir := r.dir(c)
	if word.Glob {
		base, pattern := filepath.Split(text)
		if t.dots = r.dots(pattern); in(pattern, "* .* ** {*,.*} .[!.]*") && !strings.ContainsAny(base, "*?[") {
			text, t.all = base, true
			if text == "" {
				text = "."
			}
		} else {
			t.glob = true
		}
	}
	t.path = r.w.abs(text, dir)
	raw := text
	if !filepath.IsAbs(raw) && !isWindows(raw) && !strings.HasPrefix(raw, "~") {
		raw = dir + "/" + raw
	} else if strings.HasPrefix(raw, "~") {
		raw = r.w.tilde() + raw[1:]
	}
	t.real = r.resolve(raw, follow || t.slash || t.all)
	t.place = r.w.place(t.path)
	if t.real != t.path {
		t.place = worse(t.place, r.w.place(t.real))
		if w := r.w.place(t.real); t.place == InTemp && w == InProject {
			t.place = InProject
		}
	}
	return t
}

// dir is the folder a command runs in.
func (r *reader) dir(c *shell.Command) string {
	if c == nil {
		if r.call.CWD != "" {
			return r.w.base(r.call.CWD)
		}
		return r.w.base("")
	}
	if c.Dir == "" && r.call.CWD != "" {
		return r.w.base(r.call.CWD)
	}
	return r.w.base(c.Dir)
}

// tempWord is a path that is in a temporary folder whatever the variable holds.
func tempWord(s string) bool {
	s = strings.TrimLeft(s, `"`)
	for _, p := range [...]string{"$TMPDIR/", "${TMPDIR}/", "${TMPDIR:-/tmp}/", "$(mktemp", "`mktemp", "$TEMP/", "$RUNNER_TEMP/", "/tmp/"} {
		if strings.HasPrefix(s, p) && !strings.Contains(s, "..") {
			return true
		}
	}
	return false
}
