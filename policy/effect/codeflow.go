package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// What a program text does with what it reads: it sends it, or runs it. A text that reads a secret and has a sending call
// is taken to send it: which value goes where is not followed.

// senders are calls that hand something to another machine.
const senders = "requests.post requests.put requests.patch requests.request httpx.post httpx.put httpx.patch httpx.request session.post session.put urllib.request.urlopen urllib.request.Request urlopen Request " +
	"axios.post axios.put axios.patch got.post superagent.post https.request http.request fetch Net::HTTP.post Net::HTTP.post_form HTTParty.post RestClient.post curl_exec LWP::UserAgent smtplib.SMTP sendmail ftplib.FTP paramiko.SSHClient"

// spawners are calls that start a program with what they are given.
const spawners = "system popen Popen run call check_output check_call exec execSync spawn spawnSync execFile shell_exec passthru getoutput getstatusoutput execvp execv execl create_subprocess_shell create_subprocess_exec"

// codeFlow joins what a text reads, sends, receives and runs.
func (r *reader) codeFlow(c *shell.Command, p *program, from int) {
	sends, listens, copies := "", false, false
	for i, t := range p.toks {
		if t.kind != name || i+1 >= len(p.toks) || p.toks[i+1].text != "(" {
			continue
		}
		last := t.text[strings.LastIndexByte(t.text, '.')+1:]
		switch {
		case in(t.text, senders) || in(last, "sendall sendto storbinary putfo"):
			sends = t.text
		case in(last, "connect create_connection createConnection accept"):
			listens = true
		case last == "dup2":
			copies = true
		}
	}
	if listens && (copies && strings.Contains(p.text, "fileno") || p.runsReceived() || p.pipesShell()) {
		r.add(Act{Kind: Send, Tag: ReverseSh, Target: "another machine", Place: Remote, How: "a socket's input is run"})
	}
	if sends == "" {
		return
	}
	i := r.add(Act{Kind: Send, Place: Remote, Target: clip(p.address(), 60), How: clip(sends, 40)})
	for _, a := range r.acts[from:i] {
		switch {
		case a.Kind == Secret:
			r.acts[i].sends(a.Tag)
		case a.Kind == Read && !isLocal(r.acts[i].Target) && secretTag(a.Target) == EnvFile:
			r.acts[i].sends(EnvFile)
		case a.Kind == Read && strings.HasPrefix(a.Target, "/etc/"):
			r.acts[i].sends(EnvFile)
		}
	}
	for _, s := range p.toks {
		if s.kind == str && LiveSecret(s.text) && !isLocal(r.acts[i].Target) {
			r.acts[i].Tag = SecretSent
		}
	}
}

// address is the host of the first address that stands in a text.
func (p *program) address() string {
	for _, t := range p.toks {
		if t.kind == str && strings.Contains(t.text, "://") {
			return host(t.text)
		}
	}
	return ""
}

// pipesShell: a socket's stream is joined to a shell: net.connect(…), sh.stdin, pipe.
func (p *program) pipesShell() bool {
	return strings.Contains(p.text, ".pipe(") && (strings.Contains(p.text, "/bin/sh") || strings.Contains(p.text, "/bin/bash") || strings.Contains(p.text, "cmd.exe"))
}

// runsReceived: something that was read from a connection is given to a spawning call. Names are followed from line to
// line through plain assignments.
func (p *program) runsReceived() bool {
	var got []string
	holds := func(s string) bool {
		if strings.Contains(s, ".recv(") || strings.Contains(s, ".recvfrom(") || strings.Contains(s, "makefile(") {
			return true
		}
		for _, n := range got {
			if strings.Contains(s, n) {
				return true
			}
		}
		return false
	}
	for line := range strings.Lines(p.text) {
		if spawns(line) && holds(line) {
			return true
		}
		left, right, ok := strings.Cut(line, "=")
		if left = strings.TrimSpace(left); ok && len(got) < 50 && len(left) > 2 && isName(left) && holds(right) {
			got = append(got, left)
		}
	}
	return false
}

// spawns: a spawning call stands in the line.
func spawns(line string) bool {
	for rest := line; ; {
		i := strings.IndexByte(rest, '(')
		if i < 0 {
			return false
		}
		start := i
		for start > 0 && isNameByte(rest[start-1]) {
			start--
		}
		if in(rest[start:i], spawners) {
			return true
		}
		rest = rest[i+1:]
	}
}

func isName(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isNameByte(s[i]) {
			return false
		}
	}
	return s != ""
}

// codeRead reads a call that reads a file. A program may read the project's own secrets: that is what they are for.
func (r *reader) codeRead(c *shell.Command, path string) {
	t := r.written(c, shell.Word{Text: path, Known: true})
	r.reading(c, t, secretTag(t.real) == KeyFile)
}

// codeCopy reads calls that copy or move one file to another.
func (r *reader) codeCopy(c *shell.Command, last string, args callArgs) {
	if args.known && args.lit != "" {
		src := shell.Word{Text: args.lit, Known: true}
		if in(last, "move rename renameSync replace mv") {
			t := r.target(c, src)
			if r.guardTouch(t, true) {
				return
			}
			r.add(Act{Kind: Move, Target: t.real, Place: t.place, Recursive: true})
		} else {
			r.reading(c, r.written(c, src), false)
		}
	}
	if args.second != "" {
		r.writes(c, r.written(c, shell.Word{Text: args.second, Known: true}), Overwrite, file{})
	}
}

// params binds the parameters of the text's own functions to the literals they are called with: def f(path): … f("x").
// The first call with a literal counts.
func (p *program) params() {
	t := p.toks
	lists := map[string][]string{}
	for i := 0; i+2 < len(t) && len(lists) < 200; i++ {
		if t[i].kind != name || !in(t[i].text, "def function func sub") || t[i+1].kind != name || t[i+2].text != "(" {
			continue
		}
		var names []string
		for j := i + 3; j < len(t) && t[j].text != ")" && len(names) < 20; j++ {
			if t[j].kind == name && (t[j-1].text == "(" || t[j-1].text == ",") {
				names = append(names, t[j].text)
			}
		}
		lists[t[i+1].text] = names
	}
	if len(lists) == 0 {
		return
	}
	for i := 1; i+1 < len(t); i++ {
		names, ok := lists[t[i].text]
		if !ok || t[i].kind != name || t[i+1].text != "(" || in(t[i-1].text, "def function func sub") {
			continue
		}
		for arg, j := 0, i+2; j < len(t) && arg < len(names) && t[j].text != ")"; j++ {
			if t[j].text == "," {
				arg++
				continue
			}
			v, lit := p.value(t[j])
			if _, bound := p.vars[names[arg]]; lit && !bound && (t[j-1].text == "(" || t[j-1].text == ",") {
				p.vars[names[arg]] = v
			}
		}
	}
}

// paths binds names that are made by joining literals: p = os.path.join(a, "b"), and names of names.
func (p *program) paths() {
	t := p.toks
	for i := 0; i+2 < len(t); i++ {
		if t[i].kind != name || t[i+1].text != "=" || t[i+1].kind != mark || t[i+2].kind != name {
			continue
		}
		if v, ok := p.vars[t[i+2].text]; ok && (i+3 >= len(t) || t[i+3].text != "." && t[i+3].text != "[" && t[i+3].text != "+" && t[i+3].text != "(") {
			p.vars[t[i].text] = v
			continue
		}
		if !in(t[i+2].text, joins) || i+3 >= len(t) || t[i+3].text != "(" {
			continue
		}
		if a, ok := p.args(i + 2); ok && a.known && a.lit != "" {
			p.vars[t[i].text] = a.lit
		}
	}
}

// joins are calls that put their arguments together as a path.
const joins = "os.path.join path.join posixpath.join path.resolve File.join filepath.Join"
