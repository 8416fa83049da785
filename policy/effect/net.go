package effect

import (
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

const curlValued = " -d --data --data-raw --data-binary --data-urlencode --data-ascii --json -F --form -T --upload-file -H --header -o --output -X --request -u --user -A --user-agent -e --referer -b --cookie -c --cookie-jar -m --max-time --connect-timeout -x --proxy -w --write-out -K --config --url --cacert --cert --key -E --retry --retry-delay --resolve -r --range -D --dump-header --output-dir -Q --quote --interface -Y -y -z -C --limit-rate -Method -Uri -Body -Headers -OutFile -InFile "

// curl reads curl and PowerShell's web cmdlets.
func (r *reader) curl(c *shell.Command) {
	a := split(c.Args, curlValued)
	url := ""
	for _, o := range a.ops {
		if f, ok := strings.CutPrefix(o.Text, "file://"); ok {
			r.reading(c, r.written(c, shell.Word{Text: f, Known: o.Known}), true)
			return
		}
	}
	for _, o := range append(a.values("--url", "-Uri"), a.ops...) {
		if url == "" {
			url = o.Text
		}
	}
	bodies := a.values("-d", "--data", "--data-raw", "--data-binary", "--data-urlencode", "--data-ascii", "--json", "-F", "--form", "-Body")
	uploads := a.values("-T", "--upload-file", "-InFile")
	method := ""
	for _, m := range a.values("-X", "--request", "-Method") {
		method = strings.ToUpper(m.Text)
	}
	for _, o := range a.values("-o", "--output", "-OutFile") {
		r.downloads(c, o, url)
	}
	if a.has("-O", "--remote-name") {
		r.downloads(c, shell.Word{Text: filepath.Base(url), Known: true}, url)
	}
	r.lookAlike(url)
	r.unchecked(url, a.has("-k", "--insecure"))
	r.clearLogin(url, a.has("-u", "--user", "--basic"))
	if key := strangeKey(host(url), c.Args); key != "" {
		r.tellRemote(Send, EnvSent, "", host(url)+" ("+key+")")
	}
	if in(host(url), "169.254.169.254 100.100.100.200 metadata.google.internal") {
		r.tellRemote(Secret, KeyFile, "", "the cloud's metadata service")
	}
	if len(bodies)+len(uploads) == 0 && in(method, "GET HEAD OPTIONS") || len(bodies)+len(uploads) == 0 && method == "" {
		act := Act{Kind: Receive, Target: host(url), Place: Remote}
		if LiveSecret(url) {
			act.Kind, act.Tag = Send, SecretSent
		}
		r.add(act)
		return
	}
	i := r.add(Act{Kind: Send, Target: host(url), Place: Remote, How: strings.ToLower(method)})
	r.sent(c, i, bodies, uploads)
	r.remoteChange(i, method, url, bodies)
}

// sent looks for secrets in what is sent: live tokens in the text, secret files behind @.
func (r *reader) sent(c *shell.Command, i int, bodies, uploads []shell.Word) {
	local := isLocal(r.acts[i].Target)
	for _, b := range bodies {
		if LiveSecret(b.Text) && !local {
			r.acts[i].Tag = SecretSent
		}
		if _, f, ok := strings.Cut(b.Text, "@"); ok && f != "" && f != "-" {
			f, _, _ = strings.Cut(f, ";")
			uploads = append(uploads, shell.Word{Text: strings.TrimPrefix(f, "<"), Known: b.Known})
		}
		r.sentWord(i, b)
	}
	if len(uploads) == 0 {
		return
	}
	trees := r.packedTrees()
	for _, u := range r.globbed(c, uploads) {
		if u.Text == "-" || strings.Contains(u.Text, " ") {
			continue
		}
		t := r.written(c, u)
		p := t.real
		if p == "" {
			p = t.text
		}
		tag := r.secret(p)
		if tag == "" && !local && r.acts[i].Tag == "" && (in(r.acts[i].Target, dropHosts) || contains(trees, p)) {
			r.acts[i].Tag = TreeSent
		}
		system := tag == "" && systemFile(p)
		if system {
			tag = EnvFile
		}
		if !local || tag == KeyFile || system {
			r.acts[i].sends(tag)
		}
	}
}

// dropHosts keep what anyone sends them, for anyone to fetch.
const dropHosts = "0x0.st bashupload.com catbox.moe dpaste.com dpaste.org envs.sh file.io filebin.net gofile.io ix.io litterbox.catbox.moe oshi.at paste.ee paste.rs pastebin.com requestbin.com store1.gofile.io temp.sh termbin.com tmpfiles.org transfer.sh uguu.se webhook.site x0.at"

// globbed are the files that words name, patterns opened on the disk as the shell does.
func (r *reader) globbed(c *shell.Command, ws []shell.Word) []shell.Word {
	var out []shell.Word
	for _, w := range ws {
		names := []string(nil)
		if w.Glob && w.Known {
			names = r.names(r.dir(c), w.Text)
		}
		if len(names) == 0 {
			out = append(out, w)
		}
		for _, n := range names {
			out = append(out, shell.Word{Text: n, Known: true})
		}
	}
	return out
}

const maxUploads = 50

// names are the files that a pattern stands for in a folder, past a bound as many as were found. A line that says the same
// pattern again and again opens it once.
func (r *reader) names(dir, pattern string) []string {
	key := dir + "\x00" + pattern
	names, known := r.opened[key]
	if !known {
		names, _ = shell.Glob(dir, pattern, maxUploads)
		if r.opened == nil {
			r.opened = map[string][]string{}
		}
		r.opened[key] = names
	}
	return names
}

// sends notes that a secret file leaves the machine.
func (a *Act) sends(t Tag) {
	switch t {
	case KeyFile:
		a.Tag = SecretSent
	case EnvFile, Environ, Stored:
		if a.Tag != SecretSent {
			a.Tag = EnvSent
		}
	}
}

// sentWord finds secret files read by a substitution inside an argument: -d "$(cat ~/.ssh/id_rsa)".
func (r *reader) sentWord(i int, w shell.Word) {
	if w.Known || isLocal(r.acts[i].Target) {
		return
	}
	for _, f := range strings.FieldsFunc(w.Text, func(c rune) bool { return strings.ContainsRune(" ()<>\"'`;|", c) }) {
		if strings.ContainsAny(f, "/.") {
			r.acts[i].sends(secretTag(r.w.abs(f, r.dir(nil))))
		}
	}
}

func isLocal(h string) bool {
	h, _, _ = strings.Cut(h, ":")
	return h == "localhost" || strings.HasPrefix(h, "127.") || h == "0.0.0.0" || strings.HasSuffix(h, ".localhost") || h == "[" || h == "host.docker.internal"
}

// remoteChange marks requests that delete something on a server.
func (r *reader) remoteChange(i int, method, url string, bodies []shell.Word) {
	if isLocal(r.acts[i].Target) && (!dataPort(r.acts[i].Target) || trialPath(url)) {
		return // one's own server under development, or what its tests made
	}
	if method == "DELETE" || deletesByPath(url) {
		r.acts[i].Tag = HTTPDelete
		return
	}
	for _, b := range bodies {
		low := strings.ToLower(b.Text)
		if strings.Contains(low, "mutation") && (strings.Contains(low, "delete") || strings.Contains(low, "destroy") || strings.Contains(low, "remove")) {
			r.acts[i].Tag = HTTPDelete
		}
	}
}

// trialPath: the path of an address names something that tests make.
func trialPath(url string) bool {
	if _, rest, ok := strings.Cut(url, "://"); ok {
		url = rest
	}
	_, path, _ := strings.Cut(url, "/")
	return !strings.ContainsAny(path, "*,") && trialThing(path)
}

// dataPort: the port of a store or a gateway that keeps what others need: Elasticsearch, Meilisearch, Qdrant, CouchDB,
// Kong, Consul, etcd, Prometheus, InfluxDB, Weaviate.
func dataPort(h string) bool {
	_, port, _ := strings.Cut(h, ":")
	return in(port, "9200 7700 6333 5984 8001 8500 2379 9090 8086 8108")
}

// deletesByPath: the last words of a request's path are a deleting verb: /index/_delete_by_query, /job/x/doDelete.
func deletesByPath(url string) bool {
	url, _, _ = strings.Cut(url, "?")
	i := strings.LastIndexByte(url, '/')
	last := strings.TrimPrefix(strings.ToLower(url[i+1:]), "do")
	for part := range strings.FieldsFuncSeq(last, func(c rune) bool { return c == '_' || c == '-' }) {
		return in(part, "delete destroy purge drop wipe truncate flush") // the first part alone
	}
	return false
}

// downloads writes a file whose text comes from a server.
func (r *reader) downloads(c *shell.Command, o shell.Word, url string) {
	if o.Text == "-" || o.Text == "" {
		return
	}
	t := r.written(c, o)
	r.writes(c, t, Overwrite, file{from: host(url)})
}

// unchecked: a program is fetched in a way that lets anyone on the line replace it.
func (r *reader) unchecked(url string, blind bool) {
	plain := strings.HasPrefix(url, "http://")
	if !blind && !plain || isNear(host(url)) || !isProgram(url) {
		return
	}
	how := "plain http"
	if blind {
		how = "certificates are not checked"
	}
	r.tellRemote(Receive, Unchecked, how, host(url))
}

// clearLogin: a name and a password go to another machine as plain text.
func (r *reader) clearLogin(url string, user bool) {
	rest, plain := strings.CutPrefix(url, "http://")
	rest, _, _ = strings.Cut(rest, "/")
	login, _, at := strings.Cut(rest, "@")
	if plain && (user || at && strings.Contains(login, ":")) && !isNear(host(url)) {
		r.tellRemote(Send, ClearLogin, "", host(url))
	}
}

func isNear(h string) bool {
	h, _, _ = strings.Cut(h, ":")
	return isLocal(h) || strings.HasPrefix(h, "10.") || strings.HasPrefix(h, "192.168.") || strings.HasSuffix(h, ".local") || strings.HasSuffix(h, ".internal") || !strings.Contains(h, ".")
}

// isProgram: what an address names is made to be run.
func isProgram(url string) bool {
	url, _, _ = strings.Cut(url, "?")
	base := strings.ToLower(filepath.Base(url))
	return hasSuffix(base, ".sh", ".bash", ".py", ".ps1", ".pl", ".rb", ".exe", ".msi", ".pkg", ".dmg", ".deb", ".rpm", ".run", ".appimage", ".bat", ".cmd") || in(base, "install setup bootstrap installer")
}

// lookAlike finds addresses that are written to be taken for another: letters of other alphabets in the host or among
// Latin ones in the path, dots that are none, hosts that are shown in other letters than they are written in.
func (r *reader) lookAlike(url string) {
	h := host(url)
	odd := strings.Contains("."+strings.ToLower(h), ".xn--")
	for _, c := range h {
		odd = odd || c > 126 || c == '%' || c == '\\'
	}
	if odd {
		r.tellRemote(Opaque, Disguised, "", h)
		return
	}
	_, path, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(url, "https://"), "http://"), "/")
	for part := range strings.SplitSeq(path, "/") {
		if mixed(part) {
			r.tellRemote(Opaque, Disguised, "", h+"/…/"+part)
			return
		}
	}
}

// mixed: Latin letters and such of the Greek or Cyrillic alphabet in one word.
func mixed(s string) bool {
	latin, other := false, false
	for _, c := range s {
		latin = latin || c < 128 && isLetter(byte(c))
		other = other || c >= 0x370 && c <= 0x52F
	}
	return latin && other
}

func (r *reader) wget(c *shell.Command) {
	a := split(c.Args, " -O --output-document -o --output-file -P --directory-prefix --post-data --post-file --body-data --body-file --header --method --user --password -t --tries -T --timeout -U -i --input-file -e ")
	i := r.add(Act{Kind: Receive, Target: host(a.op(0)), Place: Remote})
	bodies, files := a.values("--post-data", "--body-data"), a.values("--post-file", "--body-file")
	if len(bodies)+len(files) > 0 {
		r.acts[i].Kind = Send
		r.sent(c, i, bodies, files)
	}
	for _, o := range a.values("-O", "--output-document") {
		r.downloads(c, o, a.op(0))
	}
	if !a.has("-O", "--output-document") {
		r.downloads(c, shell.Word{Text: filepath.Base(strings.TrimRight(a.op(0), "/")), Known: true}, a.op(0))
	}
	r.lookAlike(a.op(0))
	r.unchecked(a.op(0), a.has("--no-check-certificate"))
	if in(host(a.op(0)), "169.254.169.254 100.100.100.200 metadata.google.internal") {
		r.tellRemote(Secret, KeyFile, "", "the cloud's metadata service")
	}
}

// send reads scp, sftp and ftp: a local file goes to another host.
func (r *reader) send(c *shell.Command) {
	a := split(c.Args, " -i -P -p -F -o -c -l -S -J ")
	if len(a.ops) == 0 {
		r.changes = true
		return
	}
	dst := a.ops[len(a.ops)-1].Text
	if c.Name != "scp" {
		r.putFiles(c, dst)
	}
	if !remoteSpec(dst) {
		r.tellRemote(Receive, "", "", a.op(0))
		if len(a.ops) > 1 {
			from, _, _ := strings.Cut(a.op(0), ":")
			r.writes(c, r.written(c, a.ops[len(a.ops)-1]), Write, file{from: from})
		}
		return
	}
	i := r.tellRemote(Send, "", "", dst)
	for _, s := range a.ops[:len(a.ops)-1] {
		if t := r.written(c, s); t.real != "" {
			r.acts[i].sends(r.secret(t.real))
			if r.holdsKeys(t.real) {
				r.acts[i].sends(KeyFile)
			}
		}
	}
}

// putFiles reads the commands that sftp and ftp take from their input.
func (r *reader) putFiles(c *shell.Command, to string) {
	for _, line := range strings.Split(r.stdinText(c), "\n") {
		f := strings.Fields(line)
		if len(f) < 2 || !in(f[0], "put mput send reput") {
			continue
		}
		i := r.tellRemote(Send, "", c.Name+" "+f[0], to)
		for _, name := range f[1:] {
			r.sendsFile(c, i, shell.Word{Text: name, Known: true})
		}
	}
}

func (r *reader) netcat(c *shell.Command) {
	a := split(c.Args, " -p -s -w -X -x -i -q -e -c --exec --sh-exec ")
	ws := words(c.Args)
	all := strings.Join(ws, " ")
	low := strings.ToLower(all)
	act := Act{Kind: Send, Target: clip(a.op(0), 60), Place: Remote, How: c.Name}
	if len(a.values("-e", "-c", "--exec", "--sh-exec")) > 0 || strings.Contains(low, "exec:") || strings.Contains(low, "system:") || strings.HasPrefix(low, "shell") || strings.Contains(low, " shell") {
		act.Tag = ReverseSh
	}
	if act.Tag == "" && strings.Contains(low, "tcp:") && (strings.Contains(low, "open:") || strings.Contains(low, "file:") || strings.Contains(low, "pipe:")) {
		act.Tag = EnvSent
	}
	if a.has("-z") || isLocal(a.op(0)) && act.Tag == "" {
		act.Kind = Receive
	}
	r.add(act)
	if text := strings.ToLower(r.stdinText(c)); strings.Contains(text, "flushall") || strings.Contains(text, "flushdb") {
		r.tell(Database, DropData, "what is sent to "+a.op(0), "")
	}
}

// httpie reads clients that take a request word by word: METHOD URL name=value file@path.
func (r *reader) httpie(c *shell.Command) {
	a := split(c.Args, " -a --auth -A --auth-type -o --output --session --proxy --verify --timeout -p --print --style ")
	ops, method := a.ops, ""
	if len(ops) > 1 && ops[0].Text == strings.ToUpper(ops[0].Text) && isName(ops[0].Text) {
		ops, method = ops[1:], ops[0].Text
	}
	if len(ops) == 0 {
		return
	}
	url := ops[0].Text
	r.lookAlike(url)
	if key := strangeKey(host(url), c.Args); key != "" {
		r.tellRemote(Send, EnvSent, "", host(url)+" ("+key+")")
	}
	for _, o := range a.values("-o", "--output") {
		r.downloads(c, o, url)
	}
	i := r.tellRemote(Receive, "", strings.ToLower(method), host(url))
	if len(ops) > 1 || len(c.Redirects) > 0 || c.Stage > 0 || !in(method, " GET HEAD OPTIONS") {
		r.acts[i].Kind = Send
		r.sent(c, i, ops[1:], nil)
		r.remoteChange(i, method, url, nil)
	}
}

// dns look-ups carry a secret out as a name.
func (r *reader) dns(c *shell.Command) {
	i := r.tellRemote(Receive, "", "", at(words(c.Args), 0))
	for _, a := range c.Args {
		if !a.Known {
			r.acts[i].Kind = Send
			r.sentWord(i, a)
			if r.acts[i].Tag == "" {
				r.acts[i].Kind = Receive
			}
		}
	}
}

// ssh runs what follows on another machine; the reader gives that as commands of their own.
func (r *reader) ssh(c *shell.Command) {
	a := split(c.Args, " -i -p -l -o -F -J -L -R -D -b -c -E -e -I -m -O -Q -S -W -w ")
	for _, o := range a.values("-o") {
		if k, line, ok := strings.Cut(o.Text, "="); ok && in(strings.ToLower(k), "proxycommand localcommand") {
			r.nested(line, c.Dir)
		}
	}
	i := r.tellRemote(Send, "", "ssh", a.op(0))
	if a.has("-R") {
		r.acts[i].Tag, r.acts[i].How = Tunnel, "ssh -R"
	}
}

func (r *reader) openssl(c *shell.Command) {
	if len(c.Args) > 0 && c.Args[0].Text == "s_client" {
		if c.Stage > 0 { // what is piped in is sent
			i := r.tellRemote(Send, "", "s_client", "")
			a := split(c.Args, " -connect -host ")
			for _, v := range a.values("-connect", "-host") {
				r.acts[i].Target, _, _ = strings.Cut(clip(v.Text, 80), ":")
			}
			return
		}
		r.tellRemote(Receive, "", "", "s_client")
		return
	}
	a := split(c.Args, " -in -inkey -out -passin -passout -pass -k -K -iv ")
	if len(c.Args) > 0 && in(c.Args[0].Text, "rsa ec dsa pkey pkcs8 pkcs12") && !hasArg(c.Args, "-pubout", "-out", "-check") && (!hasArg(c.Args, "-noout") || hasArg(c.Args, "-text")) {
		for _, k := range a.values("-in") {
			r.reading(c, r.written(c, k), true)
		}
	}
	for _, o := range a.values("-out") {
		r.writes(c, r.written(c, o), Overwrite, file{})
	}
}

// flows joins the commands of each pipeline: a secret that is read and then sent leaves the machine.
func (r *reader) flows() {
	for i := range r.acts {
		a := &r.acts[i]
		if a.Kind == Receive && a.Command >= 0 && a.Command < len(r.cmds) && in(a.Program, fetchers) && !isLocal(a.Target) {
			r.handsOn(a)
		}
		if a.Kind != Send || a.Command < 0 || a.Command >= len(r.cmds) || isLocal(a.Target) {
			continue
		}
		g := r.cmds[a.Command].Group
		if a.Tag == "" && r.packs(g) && (a.How != "ssh" || r.packsHome(g)) {
			a.Tag = TreeSent
		}
		for _, s := range r.acts {
			if s.Kind == Secret && s.Command >= 0 && s.Command < len(r.cmds) && r.cmds[s.Command].Group == g {
				a.sends(s.Tag)
			}
		}
		r.handsOn(a)
	}
}

// packs: a pipeline packs files into its output.
func (r *reader) packs(group int) bool {
	for i := range r.cmds {
		if c := &r.cmds[i]; c.Group == group && in(c.Name, "tar zip 7z bsdtar cpio") && c.Stage == 0 {
			return true
		}
	}
	return false
}

// packsHome: what is packed is a whole home or the system.
func (r *reader) packsHome(group int) bool {
	for i := range r.cmds {
		c := &r.cmds[i]
		if c.Group != group || c.Stage != 0 {
			continue
		}
		for _, a := range c.Args {
			if t := r.target(c, a); !strings.HasPrefix(a.Text, "-") && (t.place == Root || t.place == Home) {
				return true
			}
		}
	}
	return false
}
