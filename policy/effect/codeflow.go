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
		if t.kind != name || i+1 >= len(p.toks) || p.toks[i+1].kind != '(' {
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
		case last == "fork" && p.endless(i):
			r.add(Act{Kind: Execute, Tag: ForkBomb})
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
		case a.Kind == Read && systemFile(a.Target):
			r.acts[i].sends(EnvFile)
		}
	}
	for _, s := range p.toks {
		if s.kind == str && LiveSecret(s.text) && !isLocal(r.acts[i].Target) {
			r.acts[i].Tag = SecretSent
		}
	}
}

// systemFile: what lies in the system's own folders tells about the machine.
func systemFile(p string) bool {
	for _, d := range [...]string{"/etc/", "/var/", "/proc/", "/sys/", "/root/", "/usr/"} {
		if strings.HasPrefix(p, d) && !strings.HasPrefix(p, "/var/folders/") && !strings.HasPrefix(p, "/var/tmp/") {
			return true
		}
	}
	return false
}

// endless: the call stands first in a loop without end.
func (p *program) endless(i int) bool {
	for i--; i >= 0; i-- {
		if w := p.word(i); in(w, "while loop") {
			return true
		} else if w != "" && !in(w, "True true 1") || p.at(i) == str {
			return false
		}
	}
	return false
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
