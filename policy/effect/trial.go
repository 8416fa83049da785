package effect

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// maxTrials is after how many commands of a line none is looked at as a trial: each asks what those before it set.
const maxTrials = 200

// spares takes the mark of a loss off the acts of a command that is aimed at what stands on this machine to be thrown
// away: the database of tests, a cluster or server made for trying. What another machine holds, and what a word says that
// people depend on, keeps it.
func (r *reader) spares(c *shell.Command, from int) {
	marked, drops := false, false
	for i := from; i < len(r.acts); i++ {
		marked = marked || in(string(r.acts[i].Tag), "sql-drop sql-delete-all drop-data destroy verb attack capture kernel") || r.acts[i].Kind == Database
		drops = drops || r.acts[i].Tag == DropData && r.acts[i].Kind == Database
	}
	if drops {
		r.unmark(from, VerbDestroy) // the same deed, told once
	}
	if !marked || r.at > maxTrials || anyProd(words(c.Args)) || anyProd(words(c.Env)) || anyProd(c.Via) || r.sourcesFar() {
		return
	}
	name, args := started(c)
	switch {
	case in(name, "rmmod modprobe insmod"):
		if r.inOwnVM(c) {
			r.unmark(from, Kernel)
		}
	case in(name, "kubectl helm"):
		if ownCluster(args) && (trialCluster(args) || r.stateless(c, name, args)) {
			r.unmark(from, Destroy)
		}
	case in(name, "ffuf gobuster nikto sqlmap wfuzz wpscan"):
		if aimsHere(args) {
			r.unmark(from, Attack)
		}
	case in(name, "hashcat john"):
		if r.ownHashes(c, args) {
			r.unmark(from, Attack)
		}
	case in(name, "tcpdump tshark dumpcap"):
		if on := words(split(args, " -i ").values("-i")); len(on) == 1 && in(on[0], "lo lo0") {
			r.unmark(from, Capture)
		}
	case in(name, "psql dropdb pg_restore mysql mariadb mysqladmin mongosh mongo sqlcmd clickhouse-client"):
		if r.trials(c, name, args, from); r.boxed(c) {
			r.unmark(from, SQLDrop, SQLDelete, DropData)
		}
	case name == "redis-cli":
		if r.boxed(c) || r.trialKeys(c) {
			r.unmark(from, DropData)
		}
	case in(name, brokers):
		if r.trialQueues(c, name, args) {
			r.unmark(from, DropData, VerbDestroy)
		}
	case in(name, migrators+" migrate sqlx diesel atlas doctrine console"):
		switch host, db, ok := r.migrated(c, name, args); {
		case !ok || !isLocal(host):
		case trialName(db):
			r.unmark(from, DropData)
		default: // it is made anew from what the project says; whether that was asked for is the judge's to say
			for i := from; i < len(r.acts); i++ {
				if a := &r.acts[i]; a.Tag == DropData && a.Program == name {
					a.Tag, a.Target = "", ""
				}
			}
		}
	}
}

func (r *reader) unmark(from int, tags ...Tag) {
	for i := from; i < len(r.acts); i++ {
		if a := &r.acts[i]; slices.Contains(tags, a.Tag) && !a.Prod {
			a.Tag, a.NoLoss = "", true
		}
	}
}

// trialName: the name of a database that tests make and throw away, by the custom of every framework: app_test, test_app,
// app_test_2. "test" alone may be anybody's.
func trialName(name string) bool {
	parts := nameParts(name)
	for len(parts) > 1 && isDigits(parts[len(parts)-1]) {
		parts = parts[:len(parts)-1]
	}
	return len(parts) > 1 && !prod(name) && (in(parts[0], "test") || in(parts[len(parts)-1], "test tests testing e2e"))
}

// nameParts are the words of a name, in lower case: app_test, app-test, AppTest.
func nameParts(name string) []string {
	var b strings.Builder
	for i := range len(name) {
		if i > 0 && name[i] >= 'A' && name[i] <= 'Z' && name[i-1] >= 'a' && name[i-1] <= 'z' {
			b.WriteByte('_')
		}
		b.WriteByte(name[i])
	}
	return strings.FieldsFunc(strings.ToLower(b.String()), func(c rune) bool { return c == '_' || c == '-' || c == '.' })
}

// trials spares what a client of databases does to that of tests, on a server of this machine.
func (r *reader) trials(c *shell.Command, name string, args []shell.Word, from int) {
	host, db, ok := r.connected(c, name, args)
	if name == "sqlcmd" { // tcp:localhost,1433
		host, _, _ = strings.Cut(strings.TrimPrefix(host, "tcp:"), ",")
	}
	if !ok || host != "" && host[0] != '/' && !isLocal(host) {
		return
	}
	piped, _ := r.piped(c)
	text := strings.ToLower(strings.Join(append(words(args), r.bodies(c)...), "\n") + "\n" + piped)
	for _, w := range [...]string{`\c `, `\connect `, "use ", "getsiblingdb", "connect(", "getmongo"} {
		if strings.Contains(text, w) {
			return // another database may be meant by then
		}
	}
	for i := from; i < len(r.acts); i++ {
		a := &r.acts[i]
		kind, what, _ := strings.Cut(strings.TrimPrefix(a.Target, "if exists "), " ")
		what = strings.Trim(strings.TrimPrefix(what, "if exists "), "`\"")
		switch {
		case a.Prod, a.Tag == "" && a.Kind != Database, a.Tag != "" && !in(string(a.Tag), "sql-drop sql-delete-all drop-data"):
		case a.Tag == SQLDrop && in(kind, "user role tablespace owned"): // the whole server's
		case a.Tag == SQLDrop && kind == "database" && !trialName(asWritten(what, a.How)), kind != "database" && !trialName(db):
		default:
			a.Tag, a.NoLoss = "", true
		}
	}
}

// asWritten is a name of a statement in the letters that the statement has it in.
func asWritten(name, statement string) string {
	if i := strings.Index(strings.ToLower(statement), name); i >= 0 && i+len(name) <= len(statement) {
		return statement[i : i+len(name)]
	}
	return name
}

// connected is the server and the database that a client is told to speak to; ok is false where that is not plain.
func (r *reader) connected(c *shell.Command, name string, args []shell.Word) (host, db string, ok bool) {
	if c.Remote && !viaAny(c, "docker", "podman", "docker-compose") {
		return "", "", false
	}
	if r.w.Env != nil {
		host, _ = r.w.Env("PGHOST")
	}
	for _, e := range c.Env {
		if v, found := strings.CutPrefix(e.Text, "PGHOST="); found {
			host = v
		}
	}
	valued := " -h --host -p --port -U --username -d --dbname -f --file -c --command -v --set -e -j -F -n -t -o "
	if strings.HasPrefix(name, "my") || name == "mariadb" {
		valued = " -h --host -P --port -u --user -D --database -e --execute "
	} else if strings.HasPrefix(name, "mongo") {
		valued = " --host --port -u -p --username --password --eval --authenticationDatabase "
	} else if name == "sqlcmd" {
		valued = " -S --server -d --database-name -U -P -Q -q -i -o -v -l -t "
	}
	a := split(args, valued)
	for _, v := range a.values("-h", "--host", "-S", "--server") {
		host = v.Text
	}
	word := ""
	switch dbs := a.values("-d", "--dbname", "-D", "--database"); {
	case len(dbs) > 0:
		word = dbs[0].Text
	case in(name, "dropdb mysqladmin"):
		word = a.op(len(a.ops) - 1)
	case name != "pg_restore": // whose operand is the file
		word = a.op(0)
	}
	if word, ok = r.expanded(c, word); !ok || strings.Contains(word, "=") {
		return "", "", false
	}
	if h, d, found := address(word); found {
		return h, d, true
	}
	return host, word, true
}

// migrated is the database that a tool for migrations resets: by an address among its words, or by the one that the
// project's .env keeps for it.
func (r *reader) migrated(c *shell.Command, name string, args []shell.Word) (host, db string, ok bool) {
	if c.Remote {
		return "", "", false
	}
	given := ""
	for _, v := range c.Via { // another may bring an environment of its own
		first, rest, _ := strings.Cut(v, " ")
		if first == "dotenv" && rest != "" && given == "" {
			given = rest
			continue
		}
		if !in(first, "npx pnpx bunx pnpm yarn bun bundle php python python3 poetry uv pipenv sh bash zsh time timeout nice") {
			return "", "", false
		}
	}
	variable := "$DATABASE_URL"
	for i, a := range args {
		text := a.Text
		if name == "dbmate" && i > 0 && in(args[i-1].Text, "-e --env") {
			text = "$" + text
		}
		if strings.HasPrefix(text, "$") {
			variable = text
			continue
		}
		if h, d, found := address(text); found && !strings.HasPrefix(text, "http") {
			return h, d, true
		}
	}
	for _, e := range c.Env {
		if k, v, _ := strings.Cut(e.Text, "="); "$"+k == variable {
			host, db, ok = address(v)
			return host, db, ok
		}
	}
	if given != "" { // what it brings wins, or the environment does: both have to be known
		if _, set := r.environ(variable[1:]); set {
			return "", "", false
		}
		return address(variableOf(r.small(r.written(c, shell.Word{Text: given, Known: true}).real), variable[1:]))
	}
	if value, known := r.expanded(c, variable); known {
		host, db, ok = address(value)
	} else if in(name, "rails rake") && value == "" {
		return "localhost", "", r.railsAtHome(c)
	}
	return host, db, ok
}

// railsAtHome: the development database of a Rails project is one of this machine.
func (r *reader) railsAtHome(c *shell.Command) bool {
	for _, e := range c.Env {
		if k, v, _ := strings.Cut(e.Text, "="); k == "DATABASE_URL" || k == "RAILS_ENV" && v != "development" {
			return false
		}
	}
	if r.w.Env != nil {
		if stage, _ := r.w.Env("RAILS_ENV"); stage != "" && stage != "development" {
			return false
		}
	}
	return databaseAtHome("\n" + r.small(filepath.Join(r.dir(c), "config/database.yml")))
}

// databaseAtHome: the part of a database.yml for development, and what it takes over from another part, names no server
// but this machine.
func databaseAtHome(config string) bool {
	_, block, found := strings.Cut(config, "\ndevelopment:")
	for range maxNested {
		merged, near := serverBlock(block)
		if !found || !near || merged == "" {
			return found && near
		}
		_, block, found = strings.Cut(config, "&"+merged)
	}
	return false
}

// serverBlock reads the lines of such a part, behind its name: near says that no other machine is named there, merged is
// the anchor of the part that it takes over.
func serverBlock(block string) (merged string, near bool) {
	first, block, _ := strings.Cut(block, "\n")
	if first = strings.TrimSpace(first); first != "" && first[0] != '&' && first[0] != '#' {
		return "", false
	}
	for line := range strings.Lines(block) {
		if strings.TrimSpace(line) != "" && line[0] != ' ' && line[0] != '#' {
			break
		}
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		value = strings.Trim(value, ` "'`)
		switch strings.Trim(key, ` "'`) {
		case "url":
			return "", false
		case "host":
			if !isLocal(value) {
				return "", false
			}
		case "<<":
			anchor, is := strings.CutPrefix(value, "*")
			if !is || merged != "" {
				return "", false
			}
			merged = anchor
		}
	}
	return merged, true
}

// envFiles are where a project keeps the settings of this machine.
var envFiles = [...]string{".env", ".env.local", ".env.development", ".env.development.local"}

// expanded gives a word, or for a variable that the line leaves unknown what the environment says of it, which every tool
// believes first, or else the project's files, which come first where the line sources them. They are not believed where they contradict each other in what server they
// name, or where the line changes them or the variable.
func (r *reader) expanded(c *shell.Command, word string) (string, bool) {
	name, is := strings.CutPrefix(word, "$")
	if !is {
		return word, !strings.Contains(word, "$")
	}
	name = strings.Trim(name, "{}")
	dir := r.dir(c)
	for i := range r.acts {
		if a := &r.acts[i]; a.Kind != Read && a.Kind != Secret && filepath.Dir(a.Target) == dir && strings.HasPrefix(filepath.Base(a.Target), ".env") {
			return "?", false
		}
	}
	sourced := false
	for i := 0; i < r.at && i < len(r.cmds); i++ {
		p := &r.cmds[i]
		if in(p.Name, "source .") {
			if sourced = len(p.Args) == 1 && r.settings(p, dir); !sourced {
				return "?", false
			}
		}
		for _, w := range append(append([]shell.Word{}, p.Env...), p.Args...) {
			if strings.HasPrefix(w.Text, name+"=") {
				return "?", false
			}
		}
	}
	if r.w.Env != nil && !sourced {
		if v, set := r.w.Env(name); set {
			return v, true
		}
	}
	found := ""
	for _, f := range envFiles {
		value := variableOf(r.small(filepath.Join(dir, f)), name)
		if value != "" {
			found = value
			if h, _, ok := address(found); !ok || !isLocal(h) {
				return "?", false
			}
		}
	}
	return found, found != ""
}

// variableOf is the last value that a file of settings gives a variable.
func variableOf(text, name string) string {
	found := ""
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "=")
		if strings.TrimSpace(key) == name {
			found = strings.Trim(strings.TrimSpace(value), `"'`)
		}
	}
	return found
}

// environ is a variable of the agent's environment.
func (r *reader) environ(name string) (string, bool) {
	if r.w.Env == nil {
		return "", false
	}
	return r.w.Env(name)
}

// sourcesFar: the line sources a file that names a server elsewhere, so that a variable may be another by now.
func (r *reader) sourcesFar() bool {
	for i := range r.cmds[:min(r.at, len(r.cmds))] {
		c := &r.cmds[i]
		if !in(c.Name, "source .") || len(c.Args) == 0 {
			continue
		}
		for line := range strings.Lines(r.small(r.written(c, c.Args[0]).real)) {
			_, value, _ := strings.Cut(line, "=")
			if h, _, ok := address(strings.Trim(strings.TrimSpace(value), `"'`)); ok && !isLocal(h) {
				return true
			}
		}
	}
	return false
}

// settings: the command reads one of those files, of this folder.
func (r *reader) settings(c *shell.Command, dir string) bool {
	f := r.written(c, c.Args[0]).path
	return filepath.Dir(f) == dir && in(filepath.Base(f), strings.Join(envFiles[:], " "))
}

// address reads the address of a database: its server and its name. One in a file is this machine's.
func address(s string) (server, db string, ok bool) {
	if strings.Contains(s, "$") || prod(s) {
		return "", "", false
	}
	for _, p := range [...]string{"sqlite:", "sqlite3:", "file:"} {
		if f, ok := strings.CutPrefix(s, p); ok {
			f, _, _ = strings.Cut(f, "?")
			return "localhost", strings.TrimSuffix(filepath.Base(f), filepath.Ext(f)), true
		}
	}
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok || strings.Contains(scheme, " ") {
		return "", "", false
	}
	rest, query, _ := strings.Cut(rest, "?")
	if strings.Contains(query, "host") { // ?host=…, which wins
		return "", "", false
	}
	_, db, _ = strings.Cut(rest[strings.LastIndexByte(rest, '@')+1:], "/")
	return host(rest), db, true
}

// ownContext: a name that tools which run a cluster on this machine give it.
func ownContext(name string) bool {
	return in(name, "minikube docker-desktop docker-for-desktop rancher-desktop orbstack colima") || strings.HasPrefix(name, "kind-") || strings.HasPrefix(name, "k3d-")
}

// ownCluster: the command names a cluster of this machine, and no other way to one.
func ownCluster(args []shell.Word) bool {
	a := split(args, kubeValued+"--kube-context --server -s ")
	named := words(a.values("--context", "--kube-context"))
	return len(named) == 1 && ownContext(named[0]) && !a.has("--kubeconfig", "--server", "-s", "--cluster")
}

// inOwnVM: the command goes through ssh to a port of this machine that is not its own ssh's: that of a virtual machine.
func (r *reader) inOwnVM(c *shell.Command) bool {
	for i := min(r.at, len(r.cmds)) - 1; i >= 0 && c.Remote && len(c.Via) > 0; i-- {
		p := &r.cmds[i]
		if p.Name != "ssh" {
			continue
		}
		a := split(p.Args, " -p -o -i -l -F -J -L -R -D -W -b -c -E -e -I -m -O -Q -S -w ")
		_, h, named := strings.Cut(a.op(0), "@")
		if !named {
			h = a.op(0)
		}
		port := words(a.values("-p"))
		return !p.Remote && len(port) == 1 && port[0] != "22" && in(h, "localhost 127.0.0.1") && !a.has("-J", "-W")
	}
	return false
}

// trialCluster: a cluster of this machine whose name says that tests made it: kind-ci-e2e.
func trialCluster(args []shell.Word) bool {
	for _, n := range split(args, kubeValued+"--kube-context ").values("--context", "--kube-context") {
		if testParts(n.Text) {
			return true
		}
	}
	return false
}

// stateless: what the command takes down holds no data.
func (r *reader) stateless(c *shell.Command, name string, args []shell.Word) bool {
	a := split(args, kubeValued+"--kube-context ")
	if name == "helm" || in(a.op(0), "drain scale") {
		return true
	}
	if a.has("-A", "--all-namespaces") || a.op(0) != "delete" {
		return false
	}
	if files := a.values("-f", "--filename"); len(files) > 0 {
		for _, f := range files {
			if !stateless(r.written(c, f).real) {
				return false
			}
		}
		return true
	}
	kinds, _, _ := strings.Cut(a.op(1), "/")
	for kind := range strings.SplitSeq(kinds, ",") {
		if !in(kind, "pod pods po deployment deployments deploy service services svc job jobs configmap configmaps cm ingress ingresses cronjob cronjobs replicaset rs daemonset ds hpa") {
			return false
		}
	}
	return true
}

// aimsHere: every address that a scanner is given is this machine's.
func aimsHere(args []shell.Word) bool {
	targets := split(args, " -u --url -h -host -target --target ").values("-u", "--url", "-h", "-host", "-target", "--target")
	for _, t := range targets {
		if !isLocal(host(t.Text)) {
			return false
		}
	}
	for _, w := range args {
		if strings.Contains(w.Text, "://") && !isLocal(host(w.Text)) || in(w.Text, "-m -r -l -g -request --os-shell --os-pwn --os-cmd") {
			return false
		}
	}
	return len(targets) > 0
}

// ownHashes: the passwords that are tried are those of a file of the project, not of a system's accounts.
func (r *reader) ownHashes(c *shell.Command, args []shell.Word) bool {
	ops := split(args, " -m -a -o -r -w --potfile-path --wordlist --format ").ops
	if len(ops) == 0 || c.Remote {
		return false
	}
	t := r.written(c, ops[0])
	return t.place == InProject && !Absent(t.real) && !strings.Contains(r.small(t.real), ":$") && secretTag(t.real) == ""
}
