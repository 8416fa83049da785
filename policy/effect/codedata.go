package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// What a program text does to databases and services by way of their libraries, as far as the text comes to it (reach.go).

// losers are calls that end all data at once, whatever library they are of; with a condition they end a part.
const (
	losers       = "drop_all dropDatabase drop_database dropdb flushall flushdb flushAll flushDb FlushAll FlushDB dropAllSchemas drop_collection dropCollection delete_collection drop_table dropTable dropTableIfExists dropSchema recursiveDelete clear! dropAllTables"
	losersOfRows = "delete_all destroy_all delete_many deleteMany truncate_table"
)

// cloudLibraries have clients whose methods that begin with one of cloudVerbs destroy what runs, and those of moneyCalls
// give money away.
const (
	cloudLibraries = "boto3 aws-sdk google.cloud @google-cloud azure.mgmt azure.storage @azure/ kubernetes digitalocean hcloud octokit PyGithub stripe firebase elasticsearch opensearch docker.from_env dockerode"
	cloudVerbs     = "delete_ terminate_ destroy_ begin_delete_ remove_ delete terminate destroy begin_delete Delete Terminate Destroy"
	moneyCalls     = "Refund.create refunds.create Payout.create payouts.create Transfer.create transfers.create customers.del subscriptions.cancel"
)

// ownServers begin libraries that stand in for a server, and clouds of this machine: what is lost there, tests made.
const ownServers = "fakeredis mongomock mongodb-memory-server ioredis-mock redis-mock pg-mem testcontainers mock_aws moto localstack localhost:4566 127.0.0.1:4566 sk_test_ STRIPE_TEST TEST_DATABASE DATABASE_URL_TEST"

// runsSQL are the last parts of calls that take a statement.
const runsSQL = "execute executemany executescript exec_driver_sql execute_sql exec Exec MustExec ExecContext query run raw unsafe prepare text do all get batch exec_query " +
	"$executeRawUnsafe executeRawUnsafe $queryRawUnsafe queryRawUnsafe mysqli_query pg_query sqlite_exec"

// codeData judges the calls of a text for the data that they end.
func (r *reader) codeData(c *shell.Command, p *program) {
	d := dataCode{program: p, env: c.Env}
	for i := range p.toks {
		id := p.word(i)
		if id == "" || p.idle(i) {
			continue
		}
		if len(r.acts) >= maxActs || p.spent() {
			return
		}
		last := id[strings.LastIndexByte(id, '.')+1:]
		calls := p.at(i+1) == '('
		switch {
		case in(last, runsSQL) && (calls || p.lang.bare && p.at(i+1) == str):
			r.codeSQL(c, &d, i)
		case calls && (in(last, losers) || p.endsAll(i, id) || last == "drop" && id != last && p.at(i+2) == ')' && strings.Contains(p.text, "ongo")),
			calls && (last == "sync" && p.forced(i) || last == "destroy" && p.told(i, "truncate")),
			in(last, losersOfRows) && (calls || p.lang == &rubyCalls) && p.takesAll(i):
			r.codeLoses(c, &d, DropData, id, "")
		case calls && (p.at(i-1) == '.' || id != last || p.word(i-1) == "new" && strings.HasSuffix(id, "Command")) && (destroysInCloud(last) || last == "remove" && p.forced(i)) && !p.ofMemory(id) && d.look().cloud,
			calls && endsIn(id, moneyCalls) && d.look().cloud:
			r.tell(Infra, VerbDestroy, last, "")
		}
	}
}

// forced: the call is told to, by a keyword or a key: sync({ force: true }).
func (p *program) forced(i int) bool { return p.told(i, "force") }

func (p *program) told(i int, key string) bool {
	k := call{p: p, i: i, args: p.arguments(i)}
	v := k.option(key)
	return v != nil && in(v.text(), "$true $True")
}

// ofMemory: the object of a method is one that the program itself keeps: a map, a set.
func (p *program) ofMemory(id string) bool {
	first, _, _ := strings.Cut(id, ".")
	n, ok := p.names[p.bare(first)]
	if !ok || len(p.binds[n].spans) == 0 {
		return false
	}
	from := p.binds[n].spans[0].from
	return p.word(from) == "new" && in(p.word(from+1), "Map Set WeakMap WeakSet URLSearchParams URL FormData Headers LRUCache")
}

// endsIn: a name is one of the names, or ends in one behind a dot.
func endsIn(id, names string) bool {
	for n := range strings.FieldsSeq(names) {
		if rest, ok := strings.CutSuffix(id, n); ok && (rest == "" || strings.HasSuffix(rest, ".")) {
			return true
		}
	}
	return false
}

// dataCode is a text whose calls are judged for the data that they end, with what one of them tells of the next.
type dataCode struct {
	*program
	env    []shell.Word
	prior  string // the statements so far
	lower  string // the text in lower case, for remakes
	looked bool   // what follows is known
	spared bool   // the data is in the program's own memory, or that of tests
	db     string // the file that it is in, where it is in one
	cloud  bool   // the text has a cloud's client, and asks for no rehearsal
}

// takesAll: the call has no condition, and stands behind none.
func (p *program) takesAll(i int) bool {
	if p.at(i-1) == '.' && !strings.Contains(p.word(i), ".") && !(p.at(i-2) == ')' && p.pair[i-2] > 0 && endsIn(p.word(p.pair[i-2]-1), "collection")) {
		return false
	}
	a := p.arguments(i)
	return len(a) == 0 || len(a) == 1 && p.at(a[0].from) == '{' && a[0].to == a[0].from+2
}

// endsAll: objects.all().delete(), bucket.objects.delete(), knex('orders').del(), and drizzle's db.delete(orders) with no
// condition behind it.
func (p *program) endsAll(i int, id string) bool {
	if in(id, "delete del") && p.at(i-1) == '.' && p.at(i-2) == ')' && p.pair[i-2] > 0 {
		before := p.word(p.pair[i-2] - 1)
		return before == "all" && strings.Contains(p.text, ".objects") || strings.HasSuffix(before, "objects.all") || p.at(i+2) == ')' && (in(before, "knex") || endsIn(before, "query"))
	}
	if end := p.pair[i+1] + 1; in(id, "db.delete") && strings.Contains(p.text, "drizzle") {
		return p.at(end) != '.'
	}
	return strings.HasSuffix(id, "objects.delete") || strings.HasSuffix(id, "object_versions.delete")
}

// destroysInCloud: a method by which a cloud's client destroys.
func destroysInCloud(method string) bool {
	for verb := range strings.FieldsSeq(cloudVerbs) {
		rest, ok := strings.CutPrefix(method, verb)
		if ok && (rest == "" || verb[len(verb)-1] == '_' || rest[0] >= 'A' && rest[0] <= 'Z') {
			return true
		}
	}
	return false
}

// codeSQL judges a statement that a call is given.
func (r *reader) codeSQL(c *shell.Command, d *dataCode, i int) {
	k := call{p: d.program, i: i, args: d.arguments(i)}
	text := ""
	if len(k.args) > 1 && endsIn(d.word(i), "mysqli_query pg_query ExecContext") {
		text = k.value(1).text()
	} else if text = k.value(0).text(); len(text) < 10 {
		return
	}
	d.scans += (len(d.prior) + len(text)) / 16
	before := spoken(d.prior)
	for st := range strings.SplitSeq(clipBytes(bareSQL(text), maxScript), ";") {
		f := strings.Fields(strings.ToLower(st))
		if len(f) < 2 || !in(f[0], "drop truncate delete update alter") || f[0] != "truncate" && !sqlShape(f) {
			continue
		}
		if tag, what := judgeSQL(f); tag != "" && !(tag == SQLDrop && (makes(before, f) || d.remakes(f))) {
			r.codeLoses(c, d, tag, strings.Join(strings.Fields(st), " "), what)
		}
	}
	d.prior += text + ";"
}

// remakes: a drop of what need not be there, which the same text makes anew: the usual beginning of a script that builds
// a database. Whether that loses anything the file tells, where there is one.
func (d *dataCode) remakes(drop []string) bool {
	if at(drop, 2) != "if" || len(drop) <= 4 {
		return false
	}
	if d.lower == "" {
		d.lower = strings.ToLower(d.text)
	}
	return strings.Contains(d.lower, "create "+at(drop, 1))
}

// codeLoses adds an act on a database, unless that is one of the program's own memory; of one in a file the disk tells
// what is lost.
func (r *reader) codeLoses(c *shell.Command, d *dataCode, tag Tag, how, what string) {
	if d.look().spared {
		return
	}
	i := r.tell(Database, tag, how, what)
	if d.db != "" {
		t := r.written(c, shell.Word{Text: d.db, Known: true})
		r.lookAt(i, func(l *looker) []Effect { return l.overwritten(i, t.real, "") })
	}
}

// look finds out where the data is, by what stands in the text and before it.
func (d *dataCode) look() *dataCode {
	if d.looked {
		return d
	}
	d.looked = true
	near, far := false, false
	for lib := range strings.FieldsSeq(cloudLibraries) {
		d.cloud = d.cloud || strings.Contains(d.text, lib)
	}
	for lib := range strings.FieldsSeq(ownServers) {
		near = near || strings.Contains(d.text, lib)
	}
	d.cloud = d.cloud && !near
	for _, e := range d.env {
		_, value, _ := strings.Cut(e.Text, "=")
		host, db, ok := address(value)
		near = near || isTestEnv(e.Text) || ok && isLocal(host) && trialName(db)
	}
	for i := range d.toks {
		switch s := d.toks[i].text; {
		case d.toks[i].kind != str:
			if in(s, "DryRun dry_run") && d.sign(i+1, "=:") && in(d.word(i+2), "True true") {
				d.cloud = false
			}
		case strings.Contains(s, ":memory:"), s == "sqlite://":
			near = true
		case d.db == "" && hasSuffix(s, ".db", ".sqlite", ".sqlite3", ".duckdb"):
			d.db = strings.TrimPrefix(strings.TrimPrefix(s[strings.LastIndex(s, ":")+1:], "///"), "//")
		case strings.Contains(s, "://") && !strings.HasPrefix(s, "http"):
			host, db, ok := address(s)
			trial := ok && isLocal(host) && trialName(db)
			near, far = near || trial, far || !trial
		case len(s) < 60 && trialName(s) && isName(s):
			near = true
		}
	}
	d.spared = near && !far
	return d
}

// frameworkCode reads the program text that a framework's own command is given to run.
func (r *reader) frameworkCode(c *shell.Command) {
	name, args := started(c)
	lang, flags := &pythonCalls, "-c --command"
	switch {
	case name == "rails" && len(args) > 1 && in(args[0].Text, "runner r"):
		last := args[len(args)-1]
		if strings.HasSuffix(last.Text, ".rb") {
			r.scriptFile(c, last, &rubyCalls, nil)
			return
		}
		r.code(c, &rubyCalls, last.Text)
		return
	case name == "mix" && len(args) > 1 && in(args[0].Text, "run eval"):
		lang, flags = &otherCalls, "-e --eval"
		if args[0].Text == "eval" {
			flags = "eval"
		}
		if last := args[len(args)-1]; strings.HasSuffix(last.Text, ".exs") {
			r.scriptFile(c, last, lang, nil)
		}
	case in(name, "manage.py django-admin flask") && len(args) > 0 && in(args[0].Text, "shell shell_plus"):
	case name == "artisan" && len(args) > 0 && args[0].Text == "tinker":
		lang, flags = &phpCalls, "--execute"
	default:
		return
	}
	for i, a := range args {
		if key, val, ok := strings.Cut(a.Text, "="); ok && in(key, flags) {
			r.code(c, lang, val)
		} else if i > 0 && in(args[i-1].Text, flags) {
			r.code(c, lang, a.Text)
		}
	}
	r.code(c, lang, r.stdinText(c))
}

// stdinText is what a command reads on its standard input, as far as the line tells.
func (r *reader) stdinText(c *shell.Command) string {
	text := strings.Join(r.bodies(c), "\n")
	if piped, known := r.piped(c); known {
		text += piped
	}
	return text
}
