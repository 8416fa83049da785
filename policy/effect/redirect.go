package effect

import (
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// redirects reads what a command's redirections write and read.
func (r *reader) redirects(c *shell.Command) {
	for _, d := range c.Redirects {
		if d.Body || d.To.Text == "" || strings.HasPrefix(d.To.Text, ">(") {
			continue
		}
		t := r.written(c, d.To)
		switch {
		case strings.HasPrefix(t.path, "/dev/tcp/"), strings.HasPrefix(t.path, "/dev/udp/"):
			r.socket(c, t)
		case d.Op == "<":
			r.reading(c, t, true)
		case strings.HasPrefix(d.Op, "<<"), strings.HasSuffix(d.Op, "&") && isDigits(d.To.Text):
		case strings.Contains(d.Op, ">>"):
			r.writes(c, t, Write, r.textOf(c))
		case strings.Contains(d.Op, ">"):
			f := r.textOf(c)
			f.decoded = !f.known && r.decodesGroup(c)
			r.writes(c, t, Overwrite, f)
		}
	}
}

// socket is a redirection to the shell's own network device.
func (r *reader) socket(c *shell.Command, t target) {
	host := strings.Split(t.path, "/")
	a := Act{Kind: Send, Target: at(host, 3), Place: Remote, How: "/dev/tcp"}
	if isShell(c.Name) || isInterpreter(c.Name) {
		a.Tag = ReverseSh
	} else if c.Name == "exec" && !isLocal(a.Target) {
		a.Tag = RawSocket
	}
	r.add(a)
}

// decodesGroup: the command, or one before it in its pipeline, turns encoded text into what it stands for.
func (r *reader) decodesGroup(c *shell.Command) bool {
	for i := r.at; i >= 0 && r.cmds[i].Group == c.Group; i-- {
		p := &r.cmds[i]
		if in(p.Name, "base64 base32 openssl b64decode uudecode") && hasArg(p.Args, "-d", "-D", "--decode", "-r") || p.Name == "xxd" && hasArg(p.Args, "-r", "-rp") || p.Name == "b64decode" {
			return true
		}
	}
	return false
}

func at(s []string, i int) string {
	if i >= 0 && i < len(s) {
		return s[i]
	}
	return ""
}

func isDigits(s string) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return c == '-' && len(s) == 1
		}
	}
	return s != ""
}

// textOf is the text a command writes to its output, as far as it can be known: that of echo, printf and of a heredoc
// given to cat or tee.
func (r *reader) textOf(c *shell.Command) file {
	switch c.Name {
	case "echo", "printf":
		var b strings.Builder
		known := true
		for i, a := range c.Args {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(a.Text)
			known = known && a.Known
		}
		return file{text: unescape(b.String()), known: known}
	case "cat", "tee", "":
		for _, d := range c.Redirects {
			if d.Body {
				return file{text: d.To.Text, known: true}
			}
		}
		if c.Stage > 0 && r.at > 0 && r.at < len(r.cmds) && r.cmds[r.at-1].Group == c.Group {
			if p := &r.cmds[r.at-1]; p.Name == "echo" || p.Name == "printf" || p.Name == "cat" {
				at := r.at
				r.at--
				f := r.textOf(p)
				r.at = at
				return f
			}
		}
	}
	return file{from: r.fetchedFrom(c)}
}

// fetchers print what another machine answers.
const fetchers = "curl wget fetch aria2c http https xh lynx invoke-webrequest invoke-restmethod nc ncat"

// fetchedFrom is the host whose answer a command prints or is piped: curl URL > f, curl URL | tar x.
func (r *reader) fetchedFrom(c *shell.Command) string {
	for i := r.at; i >= 0 && i < len(r.cmds) && r.cmds[i].Group == c.Group; i-- {
		if p := &r.cmds[i]; in(p.Name, fetchers) {
			return firstURL(p)
		}
	}
	return ""
}

// piped is the text that the command before hands on, as far as it can be known.
func (r *reader) piped(c *shell.Command) (string, bool) {
	if c.Stage == 0 || r.at == 0 || r.at >= len(r.cmds) || r.cmds[r.at-1].Group != c.Group {
		return "", false
	}
	f := r.textOf(&r.cmds[r.at-1])
	return f.text, f.known
}

// unescape reads the \n and \t of echo -e and printf; a text without them stays as it is.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	s = strings.ReplaceAll(s, `\n`, "\n")
	return strings.ReplaceAll(s, `\t`, "\t")
}

// writes records that a command writes a file. kind is Write, Overwrite or Edit; text is what is written, if known.
func (r *reader) writes(c *shell.Command, t target, kind ActKind, text file) {
	if t.path == "" {
		if t.place == InTemp {
			return
		}
		r.add(Act{Kind: kind, Target: "", Unsure: "the file's name is known only when the line runs"})
		return
	}
	if t.place == Nowhere {
		return // /dev/null, /dev/stdout
	}
	if kind == Overwrite && c != nil && c.Missing == t.path {
		kind = Write // a test before it says that nothing is there
	}
	a := Act{Kind: kind, Target: t.real, Place: t.place, Tag: fileTag(r.w, t)}
	if t.place == Remote {
		a.Kind = Send
	}
	if a.Tag == "" && t.place == InHome && secretTag(t.real) == KeyFile {
		a.Tag = KeyFile
	}
	i := r.add(a)
	r.contents(i, t, text)
	if kind == Overwrite && t.place != Device {
		r.lookAt(i, func(l *looker) (es []Effect) {
			paths := []string{t.real}
			if t.glob { // a loop's variable: for f in *.csv; do : > "$f"; done
				paths = l.expand(t, &Effect{})
			}
			for _, p := range paths {
				es = append(es, keeping(l.overwritten(i, p, text.source), func(k *Keep) {
					if k.Paths = []string{p}; text.known {
						k.Text = []string{text.text, text.text + "\n"}
					}
				})...)
			}
			return es
		})
	}
	if len(r.files) < 100 {
		r.files = append(r.files, file{path: t.real, text: text.text, known: text.known, from: text.from, decoded: text.decoded, program: text.program})
	}
}

// contents judges what is written into files that mean something to the system or to the gate.
func (r *reader) contents(i int, t target, text file) {
	switch r.acts[i].Tag {
	case Profile:
		if text.known && fetchesAndRuns(text.text) {
			r.acts[i].Tag = ProfileCode
		}
		r.acts[i].Kind = Persist
	case Login, Schedule:
		r.acts[i].Kind = Persist
	case HookFile:
		r.acts[i].Kind = Persist
		if text.known && fetchesAndRuns(text.text) {
			r.acts[i].Tag = ProfileCode
		}
	case GuardFile:
		r.acts[i].Kind = Guard
	}
	if r.acts[i].Tag == "" && text.known && shellLines(text.text) && (commandFile(t.real) || commandFile(t.path)) {
		r.acts[i].Kind, r.acts[i].Tag = Persist, HookFile
	}
	if r.acts[i].Tag == "" && text.known && startsItself(t.real, text.text) && pipesToShell(text.text) {
		r.acts[i].Kind, r.acts[i].Tag = Persist, HookFile
	}
	if r.acts[i].Tag == "" && text.known {
		r.projectFile(i, t.real, text.text)
	}
	r.guardWrite(i, t, text)
}

// startsItself: the text has a place in a file from where a tool runs it without being told: a package's install
// script, a task for when a folder is opened.
func startsItself(p, text string) bool {
	switch filepath.Base(p) {
	case "package.json":
		return strings.Contains(text, "install\"") || strings.Contains(text, "prepare\"")
	case "tasks.json", "devcontainer.json":
		return true
	}
	return false
}

// pipesToShell: a line in the text gives what it downloads to a shell.
func pipesToShell(s string) bool {
	_, after, ok := strings.Cut(s, "curl ")
	if !ok {
		_, after, ok = strings.Cut(s, "wget ")
	}
	after = strings.ReplaceAll(after, "| ", "|")
	return ok && (strings.Contains(after, "|sh") || strings.Contains(after, "|bash") || strings.Contains(after, "|node") || strings.Contains(after, "|python"))
}

// written text by path, from earlier commands of the same line.
func (r *reader) madeText(path string) (string, bool) {
	f := r.made(path)
	return f.text, f.known
}

// downloaded is the host that an earlier command of the line got a file from, be it in an archive.
func (r *reader) downloaded(path string) string {
	for i := len(r.files) - 1; i >= 0; i-- {
		f := &r.files[i]
		if f.path == path || f.tree && strings.HasPrefix(path, strings.TrimSuffix(f.path, "/")+"/") && Absent(path) {
			return f.from
		}
	}
	return ""
}

// reading records that a command reads a file; shown says that its content goes to the output or into a pipe.
func (r *reader) reading(c *shell.Command, t target, shown bool) {
	if t.path == "" {
		if tag := secretTag(t.text); tag != "" && shown {
			r.tell(Secret, tag, "", t.text)
		}
		return
	}
	shown = shown && !r.countedOnly(c, t.real)
	a := Act{Kind: Read, Target: t.real, Place: t.place}
	if tag := r.secret(t.real); tag == "" {
		a.Tag = r.secret(t.path)
	} else {
		a.Tag = tag
	}
	if base := t.real; r.w.Home != "" && (base == r.w.Home+"/.npmrc" || strings.HasPrefix(base, r.w.Home+"/.aws/sso/") || strings.HasPrefix(base, r.w.Home+"/.config/containers/auth")) {
		a.Tag = KeyFile
	}
	switch {
	case a.Tag != "" && shown:
		a.Kind = Secret
	case detour(t):
		a.Tag = Detour
	default:
		a.Tag = ""
	}
	r.add(a)
}

// detour: a whole path that begins below one folder of the system and ends below another by way of "..".
func detour(t target) bool {
	i := strings.Index(t.text, "/../")
	if i <= 0 || t.text[0] != '/' || t.place != Outside {
		return false
	}
	first, _, _ := strings.Cut(t.text[1:], "/")
	return !strings.HasPrefix(t.path, "/"+first+"/") && (underSystem(t.path) || strings.HasPrefix(t.path, "/proc/") || strings.HasPrefix(t.path, "/var/") || strings.HasPrefix(t.path, "/root/"))
}

// pipeIn joins a command with what is piped into it: downloaded or decoded text that is run, secrets that are sent.
func (r *reader) pipeIn(c *shell.Command) {
	filled := viaAny(c, "xargs") && (c.Unsure != "" || takesCode(c))
	if n := len(c.Inputs); filled && n > 0 && c.Stage == 0 { // xargs sh -c <<< "$(curl …)"
		r.runsOutput(c, c.Inputs[n-1], -1, c.Inputs)
		return
	}
	if c.Stage == 0 || !runsStdin(c) && !filled && !viaShell(c) {
		return
	}
	r.runsOutput(c, r.at-1, c.Group, nil)
}

// pipeOut joins a command with a shell that it writes to by >(…).
func (r *reader) pipeOut(c *shell.Command) {
	for _, i := range c.Inputs {
		if i < len(r.cmds) && runsStdin(&r.cmds[i]) && writesTo(c) {
			r.runsOutput(&r.cmds[i], r.at, c.Group, c.Inputs)
		}
	}
}

// writesTo: >(…) stands among a command's words or redirections.
func writesTo(c *shell.Command) bool {
	for _, a := range c.Args {
		if strings.HasPrefix(a.Text, ">(") {
			return true
		}
	}
	for _, d := range c.Redirects {
		if strings.HasPrefix(d.To.Text, ">(") && !d.Body {
			return true
		}
	}
	return false
}

// runsOutput: c runs what a pipeline prints that ends with the command at i, where that was downloaded or encoded before.
// Between its commands may stand those of which it reads or to which it writes.
func (r *reader) runsOutput(c *shell.Command, i, group int, between []int) {
	for ; i >= 0 && (r.cmds[i].Group == group || containsInt(between, i)); i-- {
		p := &r.cmds[i]
		switch {
		case in(p.Name, fetchers):
			r.add(Act{Kind: Opaque, Tag: PipeRemote, Target: firstURL(p), Program: c.Name, How: p.Name + " | " + c.Name})
			return
		case in(p.Name, "base64 base32 xxd openssl gunzip gzip zcat bzip2 xz uudecode gpg od b64decode") || in(p.Name, "tr rev") && runsStdin(c):
			r.add(Act{Kind: Opaque, Tag: PipeCode, Program: c.Name, How: p.Name + " | " + c.Name})
			return
		}
	}
}

// takesCode: an interpreter's flag for code is the last word written, so that what xargs adds is the code.
func takesCode(c *shell.Command) bool {
	for i, a := range c.Args {
		if in(a.Text, "-c -e -E -r") {
			return isInterpreter(c.Name) && (i+1 == len(c.Args) || !c.Args[i+1].Known)
		}
	}
	return false
}

// viaShell: the reader has opened a shell that reads its standard input, and this is a command of what it read.
func viaShell(c *shell.Command) bool {
	if len(c.Via) == 0 || c.Name != "" && strings.Contains(c.Name, "-") { // a cmdlet takes what it is given as data
		return false
	}
	return isShell(c.Via[len(c.Via)-1])
}

// runsStdin: a shell or interpreter that is given no script of its own runs what it reads.
func runsStdin(c *shell.Command) bool {
	if !isShell(c.Name) && !isInterpreter(c.Name) {
		return false
	}
	for _, a := range c.Args {
		switch {
		case a.Text == "-" || a.Text == "-s" || a.Text == "/dev/stdin":
			return true
		case a.Text == "-c" || a.Text == "-e" || a.Text == "-m" || a.Text == "-p" || a.Text == "-E" || a.Text == "-r" || a.Text == "-ne" || a.Text == "-pe" || a.Text == "-lc":
			return false
		case !strings.HasPrefix(a.Text, "-") && !strings.HasPrefix(a.Text, "+"):
			return false
		}
	}
	return true
}

func isShell(name string) bool {
	return in(name, "sh bash zsh dash ksh mksh ash fish csh tcsh pwsh powershell cmd iex invoke-expression rbash")
}

func isInterpreter(name string) bool {
	return in(strings.TrimRight(name, "0123456789."), "python pypy node nodejs deno bun perl ruby php lua luajit osascript elixir tclsh rscript r julia swift groovy scala")
}

func firstURL(c *shell.Command) string {
	for _, a := range c.Args {
		if strings.Contains(a.Text, "://") {
			return host(a.Text)
		}
	}
	for _, a := range c.Args {
		if !strings.HasPrefix(a.Text, "-") {
			return host(a.Text)
		}
	}
	return ""
}

// host is the host of a URL, without user and password.
func host(u string) string {
	if _, rest, ok := strings.Cut(u, "://"); ok {
		u = rest
	}
	u, _, _ = strings.Cut(u, "/")
	u, _, _ = strings.Cut(u, "?")
	if i := strings.LastIndexByte(u, '@'); i >= 0 {
		u = u[i+1:]
	}
	return u
}

// fetchesAndRuns: a text that downloads something and gives it to a shell.
func fetchesAndRuns(s string) bool {
	get := strings.Contains(s, "curl ") || strings.Contains(s, "wget ") || strings.Contains(s, "nc ") || strings.Contains(s, "/dev/tcp/") || strings.Contains(s, "base64 ")
	return get && (strings.Contains(s, "sh") || strings.Contains(s, "python") || strings.Contains(s, "eval"))
}
