package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// What a program text does with what it reads: it sends it, or runs it. A text that reads a secret and has a sending call
// is taken to send it: which value goes where is not followed.

// senders are calls that hand something to another machine.
const senders = "requests.post requests.put requests.patch requests.request httpx.post httpx.put httpx.patch httpx.request session.post session.put urllib.request.urlopen urllib.request.Request urlopen Request " +
	"axios.post axios.put axios.patch got.post superagent.post https.request http.request fetch Net::HTTP.post Net::HTTP.post_form HTTParty.post RestClient.post curl_exec http.Post http.PostForm http.NewRequest LWP::UserAgent smtplib.SMTP sendmail ftplib.FTP paramiko.SSHClient paramiko.Transport"

// askers are calls that only ask another machine, as long as nothing that was read stands in the question.
const askers = "requests.get httpx.get axios.get http.get https.get URI.open Net::HTTP.get HTTParty.get RestClient.get file_get_contents"

// spawners are calls that start a program with what they are given.
const spawners = "system popen Popen run call check_output check_call exec execSync spawn spawnSync execFile shell_exec passthru getoutput getstatusoutput execvp execv execl create_subprocess_shell create_subprocess_exec"

// sockets are calls that open a connection without a protocol of its own on it.
const sockets = "fsockopen pfsockopen stream_socket_client socket_create TCPSocket.new TCPSocket.open TCPServer.new socket.tcp socket.connect IO::Socket::INET net.Socket net.connect net.createConnection net.Dial net.DialTCP net.Listen " +
	"TcpStream::connect net::TcpStream::connect std::net::TcpStream::connect Bun.connect Deno.connect Socket java.net.Socket sockaddr_in"

// starters are further calls that start a program, and receivers those that take a line from a connection.
const (
	starters  = "IO.popen io.popen os.execute exec.Command Command::new proc_open ProcessBuilder Open3.capture2e Kernel.exec"
	receivers = "gets fgets fread receive recv socket_read read_line readline readLine ReadString sysread"
)

// codeFlow joins what a text reads, sends, receives and runs.
func (r *reader) codeFlow(c *shell.Command, p *program, from int) {
	sends, listens, copies, raw, environ := "", false, false, false, false
	for i, t := range p.toks {
		raw = raw || t.kind == name && in(t.text, sockets)
		if p.lang.bare && t.text == "fork" && t.kind == name && (p.endless(i) || in(p.word(i+1), "while until") && in(p.word(i+2), "1 true fork")) {
			r.tell(Execute, ForkBomb, "", "")
		}
		if t.kind != name || i+1 >= len(p.toks) || p.toks[i+1].kind != '(' || p.idle(i) {
			continue
		}
		last := t.text[strings.LastIndexByte(t.text, '.')+1:]
		switch {
		case in(t.text, senders) || in(last, "sendall sendto storbinary putfo"):
			sends = t.text
			environ = environ || p.givesEnvironment(i)
		case sends != "" && in(last, "write end send") && p.givesEnvironment(i):
			environ = true
		case in(last, "upload_file upload_fileobj put_object") && last != t.text:
			sends = t.text
			if k := (call{p: p, i: i, args: p.arguments(i)}); last == "upload_file" {
				r.codeRead(c, k.value(0), false)
			}
		case in(t.text, askers) && p.givesRead(i):
			sends = t.text
		case in(last, "connect create_connection createConnection accept"):
			listens = true
		case last == "dup2":
			copies = true
		case last == "fork" && p.endless(i):
			r.tell(Execute, ForkBomb, "", "")
		}
	}
	if (listens || raw) && (copies && strings.Contains(p.text, "fileno") || p.runsReceived() || p.pipesShell() || p.opensShell() || raw && p.obeys()) {
		r.tellRemote(Send, ReverseSh, "a socket's input is run", "another machine")
	}
	if sends == "" {
		return
	}
	i := r.tellRemote(Send, "", sends, p.address())
	if environ && !isLocal(r.acts[i].Target) {
		r.acts[i].sends(Environ)
	}
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

// givesEnvironment: all variables of the environment stand among the arguments of the call at i, itself or by a name.
func (p *program) givesEnvironment(i int) bool {
	if p.spent() {
		return false
	}
	for _, a := range p.arguments(i) {
		p.scans += a.to - a.from
		if p.eval(a.span).text() == "$"+environ {
			return true
		}
		for j := a.from; j < a.to && j < len(p.toks); j++ {
			if id := p.word(j); in(id, "os.environ process.env") && p.at(j+1) != '[' && !(p.sign(j-1, "=:") && p.word(j-2) == "env") {
				return true
			} else if id != "" && p.at(j+1) != '(' && p.names != nil {
				if _, bound := p.names[p.bare(id)]; bound && p.variable(id, j).text() == "$"+environ {
					return true
				}
			}
		}
	}
	return false
}

// givesRead: a file's text stands among the arguments of the call at i.
func (p *program) givesRead(i int) bool {
	if p.spent() {
		return false
	}
	for _, a := range p.arguments(i) {
		p.scans += 4 * (a.to - a.from)
		for j := a.from; j < a.to && j < len(p.toks); j++ {
			if o := p.lang.means(p.word(j)); p.word(j) != "" && p.at(j+1) == '(' && (o == opOpen || o == opRead) {
				return true
			}
		}
	}
	return false
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

// opensShell: a shell is started that waits for what it is told: by -i, with descriptors for its ends, or with no words.
func (p *program) opensShell() bool {
	for _, t := range p.ticks {
		if waiting, _ := shellWord(t); waiting {
			return true
		}
	}
	for i := range p.toks {
		if p.toks[i].kind != str {
			continue
		}
		waiting, bare := shellWord(p.toks[i].text)
		if waiting {
			return true
		}
		if !bare || !p.sign(i-1, "([") {
			continue
		}
		switch next := i + 2; {
		case p.at(i+1) != ',':
			return true
		case p.at(next) == '[': // spawn("sh", [])
			if p.at(next+1) == ']' || p.at(next+1) == str && p.toks[next+1].text == "-i" {
				return true
			}
		case p.at(next) == '{', p.at(next) == str && p.toks[next].text == "-i", p.word(next) == "array":
			return true
		}
	}
	return false
}

// shellWord tells a line that starts a shell to be told what to do, and a lone shell.
func shellWord(s string) (waiting, bare bool) {
	first, rest, _ := strings.Cut(strings.TrimSpace(s), " ")
	if !isShell(strings.TrimSuffix(strings.ToLower(first[strings.LastIndexByte(first, '/')+1:]), ".exe")) {
		return false, false
	}
	return strings.HasPrefix(rest, "-i") || strings.Contains(rest, "<&") || strings.Contains(rest, ">&"), rest == ""
}

// obeys: what is started is no text of the program's own, and the program takes lines from somewhere.
func (p *program) obeys() bool {
	runs, takes := false, false
	for _, t := range p.ticks { // Ruby's `#{line}`
		runs = runs || strings.HasPrefix(t, "#{") || strings.HasPrefix(t, "$")
	}
	for i, t := range p.toks {
		if t.kind != name {
			continue
		}
		last := t.text[strings.LastIndexByte(t.text, '.')+1:]
		takes = takes || in(last, receivers)
		runs = runs || (in(t.text, starters) || in(last, spawners)) && p.at(i+1) == '(' && p.at(i+2) == name && p.at(i+3) != '('
	}
	return runs && takes
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
