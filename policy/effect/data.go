package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// clientShells begin the commands of database clients that run a shell line: sqlite3, psql and mysql.
const clientShells = `.system |.shell |\!|system `

// sql reads the command-line clients of SQL databases: what stands in -c, -e, -q, in an operand or in a heredoc.
func (r *reader) sql(c *shell.Command) {
	texts := r.bodies(c)
	if hasArg(c.Args, "-readonly", "--readonly") {
		for _, t := range append(words(c.Args), texts...) {
			r.innerText(c, t, clientShells)
		}
		return // the program itself refuses to change anything else
	}
	before, db := len(r.acts), ""
	if in(c.Name, "sqlite3 duckdb") {
		db = r.opensFile(c)
		before = len(r.acts)
	}
	for _, t := range r.sqlFiles(c) {
		r.innerText(c, t, clientShells)
		if !strings.Contains(strings.ToUpper(t), "CREATE ") { // a dump, or a migration, makes what it drops
			r.statementsAfter(c.Name, t, t)
		}
	}
	for i, a := range c.Args {
		t := a.Text
		switch {
		case in(t, "-c --command -e --execute -q --query -Q -cmd --sql") && i+1 < len(c.Args):
			texts = append(texts, c.Args[i+1].Text)
		case strings.HasPrefix(t, "--command=") || strings.HasPrefix(t, "--execute=") || strings.HasPrefix(t, "--query="):
			_, v, _ := strings.Cut(t, "=")
			texts = append(texts, v)
		case strings.HasPrefix(t, "-e") && len(t) > 2 && c.Name != "psql", strings.HasPrefix(t, "-c") && len(t) > 2 && c.Name == "psql":
			texts = append(texts, t[2:])
		case strings.ContainsRune(t, ' '):
			texts = append(texts, t)
		}
	}
	if c.Stage > 0 && r.at > 0 {
		if f := r.textOf(&r.cmds[r.at-1]); f.text != "" && r.cmds[r.at-1].Group == c.Group {
			texts = append(texts, f.text)
		}
		r.madeByQuery(&r.cmds[r.at-1])
	}
	for _, t := range texts { // a client's own commands that run a shell line, at the start of a line or behind a statement
		r.innerText(c, t, clientShells)
		if _, rest, more := strings.Cut(t, ";"); more {
			r.innerText(c, strings.ReplaceAll(rest, ";", "\n"), clientShells)
		}
	}
	heredocs := len(r.bodies(c))
	for i, t := range texts {
		prior := r.madeBefore(c)
		if i >= heredocs || c.Name != "psql" && c.Name != "sqlite3" { // these two go on behind an error
			prior += t
		}
		r.statementsAfter(c.Name, t, prior)
	}
	for i := before; db != "" && i < len(r.acts); i++ {
		if in(string(r.acts[i].Tag), string(SQLDrop+" "+SQLDelete)) { // the file may be in git as it is
			r.lookAt(i, func(l *looker) []Effect { return l.overwritten(i, db, "") })
		}
	}
	r.changes = r.changes || len(texts) == 0
}

// sqlFiles are the texts of the files that a client is given to run, by a name or by cat.
func (r *reader) sqlFiles(c *shell.Command) []string {
	var out []string
	files := split(c.Args, " -f --file -i -h -p -U -d ").values("-f", "--file", "-i")
	for _, d := range c.Redirects {
		if d.Op == "<" && !d.Body {
			files = append(files, d.To)
		}
	}
	for i := r.at - 1; i >= 0 && i < len(r.cmds) && r.cmds[i].Group == c.Group; i-- {
		if p := &r.cmds[i]; p.Stage == c.Stage-1 && p.Name == "cat" {
			files = append(files, split(p.Args, "").ops...)
		}
	}
	for _, f := range files {
		if text, ok := r.scriptText(c, f); ok && text != "" {
			out = append(out, clipBytes(text, maxCode))
		}
	}
	return out
}

// madeByQuery: the statements come from a command that writes such as destroy: a query that puts their words before the
// names of tables, or Django's sqlflush.
func (r *reader) madeByQuery(from *shell.Command) {
	for _, a := range from.Args {
		low := strings.ToLower(a.Text)
		if strings.Contains(low, "'drop ") || strings.Contains(low, "'truncate ") || strings.Contains(low, "'delete from ") || low == "sqlflush" {
			r.tell(Database, DropData, a.Text, "")
			return
		}
	}
}

// opensFile looks at the database file itself: a browser keeps its logins in one. It gives the file's path.
func (r *reader) opensFile(c *shell.Command) string {
	ops := split(c.Args, " -cmd -separator -init -c ").ops
	if len(ops) == 0 {
		return ""
	}
	f, _, _ := strings.Cut(strings.TrimPrefix(ops[0].Text, "file:"), "?")
	t := r.written(c, shell.Word{Text: f, Known: ops[0].Known})
	if t.path != "" && secretTag(t.real) != "" {
		r.reading(c, t, true)
	}
	return t.real
}

// bodies are the heredocs and here-strings of a command.
func (r *reader) bodies(c *shell.Command) []string {
	var out []string
	for _, d := range c.Redirects {
		if d.Body {
			out = append(out, d.To.Text)
		}
	}
	return out
}

// prod: words that mean that people depend on it.
func prod(s string) bool {
	low := strings.ToLower(s)
	for _, w := range strings.FieldsFunc(low, func(c rune) bool { return !(c >= 'a' && c <= 'z') }) {
		if in(w, "prod production prd live") {
			return true
		}
	}
	return false
}

// madeBefore are the texts that the same program, told the same besides, was given by commands without whose success this
// one does not run.
func (r *reader) madeBefore(c *shell.Command) string {
	var b strings.Builder
	for i := 0; i < r.at && i < len(r.cmds) && c.Chain != 0; i++ {
		p := &r.cmds[i]
		if p.Chain != c.Chain || p.Stage > 0 || p.Name != c.Name || len(p.Args) != len(c.Args) {
			continue
		}
		for n, a := range p.Args {
			if a.Text == c.Args[n].Text {
				continue
			}
			if !strings.Contains(a.Text, " ") {
				return "" // another database or server
			}
			b.WriteString(a.Text + ";")
		}
	}
	return b.String()
}

// madeHere is how an act is told of that ends what the same line has made.
const madeHere = "ends what the same line made"

// maxPrior bounds the statements among which one is looked for that made what another drops.
const maxPrior = 200

// spoken are the words of a text's statements.
func spoken(text string) [][]string {
	list := strings.SplitN(strings.ToLower(bareSQL(text)), ";", maxPrior+1)
	var out [][]string
	for _, st := range list[:min(len(list), maxPrior)] {
		f := strings.Fields(strings.ReplaceAll(st, "(", " ("))
		if len(f) > 3 && in(f[1], "temp temporary unlogged") {
			f = append(f[:1], f[2:]...)
		}
		out = append(out, f)
	}
	return out
}

// makes: one of the statements made what a drop names, and would have failed had that been there before.
func makes(prior [][]string, drop []string) bool {
	kind, what := at(drop, 1), at(drop, 2)
	if what == "if" { // exists
		what = at(drop, 4)
	}
	for _, f := range prior {
		switch {
		case len(f) < 3 || f[1] != kind || what == "":
		case f[0] == "drop" && in(what, strings.Join(f[2:], " ")):
			return false // what was there before goes first
		case f[0] == "create" && f[2] == what:
			return in(kind, "table database schema")
		}
	}
	return false
}

// statements judges SQL text statement by statement. Quoted text and comments are data.
func (r *reader) statements(program, text string) { r.statementsAfter(program, text, "") }

// statementsAfter judges statements that run only where those of an earlier text succeeded.
func (r *reader) statementsAfter(program, text, prior string) {
	before := spoken(prior)
	for _, st := range strings.Split(bareSQL(text), ";") {
		st = withoutMeta(st)
		f := strings.Fields(strings.ToLower(st))
		tag, what := judgeSQL(f)
		if tag == SQLDrop && makes(before, f) {
			r.add(Act{Kind: Database, How: madeHere, Program: program})
			continue
		}
		if at(f, 0) == ".restore" {
			tag, what = DropData, "by a backup"
		}
		if tag != "" {
			r.add(Act{Kind: Database, Tag: tag, Target: clip(what, 60), How: clip(strings.Join(strings.Fields(st), " "), 60), Program: program})
			continue
		}
		if len(f) > 0 && !in(f[0], "select show describe desc explain with pragma use set \\d \\dt \\l begin commit rollback values table .tables .schema .dump .headers .mode .quit") && !strings.HasPrefix(f[0], ".") && !strings.HasPrefix(f[0], `\`) {
			how := clip(f[0], 20)
			if f[0] == "delete" {
				how = "changes the rows it names" // as any program does all day
			}
			r.add(Act{Kind: Database, How: how, Program: program})
		}
	}
}

// withoutMeta takes the lines before a statement off that are a client's own commands: they end with the line.
func withoutMeta(st string) string {
	for {
		line, rest, more := strings.Cut(strings.TrimLeft(st, " \t\r\n"), "\n")
		if !more || !strings.HasPrefix(line, `\`) {
			return st
		}
		st = rest
	}
}

// judgeSQL tells statements that lose data or tables as a whole.
func judgeSQL(f []string) (Tag, string) {
	if len(f) == 0 {
		return "", ""
	}
	switch f[0] {
	case "drop":
		if i := 1; i < len(f) && in(f[i], "table database schema user role tablespace keyspace collection owned") {
			return SQLDrop, strings.Join(f[1:min(len(f), 5)], " ")
		}
	case "truncate":
		return SQLDrop, strings.Join(f[1:min(len(f), 4)], " ")
	case "delete":
		if !contains(f, "where") || alwaysTrue(f) {
			return SQLDelete, strings.Join(f[min(1, len(f)-1):min(len(f), 4)], " ")
		}
	case "update":
		if contains(f, "set") && (!contains(f, "where") || alwaysTrue(f)) {
			return SQLDelete, "update " + at(f, 1)
		}
	case "alter":
		for i, w := range f {
			if w == "drop" && i > 1 && at(f, i+1) != "constraint" && at(f, i+1) != "default" && at(f, i+1) != "not" {
				return SQLDrop, strings.Join(f[1:min(len(f), 6)], " ")
			}
		}
	case "with", "explain":
		if f[0] == "with" && contains(f, "delete") && !contains(f, "where") {
			return SQLDelete, "delete in a with statement"
		}
	case "copy":
		if contains(f, "program") {
			return DropData, "copy … program"
		}
	}
	return "", ""
}

// alwaysTrue: a where that selects everything.
func alwaysTrue(f []string) bool {
	for i, w := range f {
		if w == "where" {
			rest := strings.Join(f[i+1:], "")
			return rest == "1=1" || rest == "true" || rest == "1"
		}
	}
	return false
}

// bareSQL blanks quoted text and comments, which are data.
func bareSQL(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		switch {
		case s[i] == '\'':
			i++
			for i < len(s) && s[i] != '\'' {
				i++
			}
			i++
			b.WriteString("''")
		case strings.HasPrefix(s[i:], "--"):
			for i < len(s) && s[i] != '\n' {
				i++
			}
		case strings.HasPrefix(s[i:], "/*"):
			end := strings.Index(s[i:], "*/")
			if end < 0 {
				return b.String()
			}
			i += end + 2
			b.WriteByte(' ')
		default:
			b.WriteByte(s[i])
			i++
		}
	}
	return b.String()
}

func (r *reader) redis(c *shell.Command) {
	if viaAny(c, "xargs", "parallel") && hasFold(c.Args, "del", "unlink") {
		r.tell(Database, DropData, "del of all keys that fit", "")
	}
	scratch := r.scratchServer(c)
	said := words(c.Args)
	if hasFold(c.Args, "eval") {
		said = strings.FieldsFunc(strings.Join(said, " "), func(c rune) bool { return !isLetter(byte(c)) || c > 127 })
	}
	for _, t := range append(said, strings.Fields(r.stdinText(c))...) {
		switch w := strings.ToLower(t); {
		case in(w, "flushall flushdb"):
			r.add(Act{Kind: Database, Tag: DropData, How: w, NoLoss: scratch})
		case in(w, "shutdown debug") && t != "DEBUG":
			r.tell(Database, DropData, w, "")
		}
	}
	ws := strings.ToLower(strings.Join(words(c.Args), " "))
	if !strings.Contains(ws, "get ") && !strings.Contains(ws, "keys ") && !strings.Contains(ws, "info") {
		r.changes = true
	}
}

// scratchServer: the server is one of this machine, not at its usual port, and the line runs tests besides.
func (r *reader) scratchServer(c *shell.Command) bool {
	a := split(c.Args, " -h -p -a -n -u --user --pass -s -i ")
	port, host := a.values("-p"), a.values("-h")
	if len(port) != 1 || port[0].Text == "6379" || a.has("-u", "-s", "--uri") || anyProd(words(c.Args)) {
		return false
	}
	if len(host) > 0 && !isLocal(host[0].Text) {
		return false
	}
	for i := range r.cmds {
		p := &r.cmds[i]
		if in(p.Name, "pytest jest vitest mocha rspec phpunit tox nox ctest ava") || in(p.Name, "go cargo npm pnpm yarn bun deno make just mix dotnet gradle gradlew mvn rails") && len(p.Args) > 0 && strings.HasPrefix(p.Args[0].Text, "test") {
			return true
		}
	}
	return false
}

func (r *reader) mongo(c *shell.Command) {
	texts := r.bodies(c)
	for _, a := range c.Args {
		texts = append(texts, a.Text)
	}
	for _, t := range texts {
		s := strings.Join(strings.Fields(t), "")
		switch {
		case strings.Contains(s, "dropDatabase("), strings.Contains(s, ".drop("), strings.Contains(s, "deleteMany({})"), strings.Contains(s, "remove({})"), strings.Contains(s, "deleteMany("):
			r.tell(Database, DropData, t, "")
		}
	}
	r.changes = true
}

// dropData reads programs whose job is to drop a database.
func (r *reader) dropData(c *shell.Command) {
	if c.Name == "mysqladmin" && !hasArg(c.Args, "drop", "flush-tables", "shutdown") {
		r.changes = true
		return
	}
	const valued = " -h --host -p --port -U --username -u --user "
	a := split(c.Args, valued)
	for i := 0; i < r.at && i < len(r.cmds) && c.Chain != 0; i++ {
		p := &r.cmds[i]
		if made := split(p.Args, valued+"-O --owner -T --template -E --encoding "); p.Name == "createdb" && p.Chain == c.Chain && len(made.ops) > 0 && made.op(0) == a.op(len(a.ops)-1) && sameServer(a, made) {
			r.tell(Database, "", madeHere, "")
			return
		}
	}
	r.tell(Database, DropData, c.Name, a.op(len(a.ops)-1))
}

// sameServer: two commands speak to one server as one person.
func sameServer(a, b argv) bool {
	for _, names := range [...][2]string{{"-h", "--host"}, {"-p", "--port"}, {"-U", "--username"}} {
		x, y := a.values(names[:]...), b.values(names[:]...)
		if len(x) != len(y) || len(x) > 0 && x[0].Text != y[0].Text {
			return false
		}
	}
	return true
}

// supabase reads the cli of that name. The database of a developer's own machine is made anew from what the project says:
// whether that was asked for is the judge's to say. Another one's is not.
func (r *reader) supabase(c *shell.Command) {
	ws := words(c.Args)
	if at(ws, 0) == "db" && at(ws, 1) == "reset" {
		a := Act{Kind: Database, How: "db reset", NoLoss: hasArg(c.Args, "--local")}
		if hasArg(c.Args, "--linked") || strings.Contains(strings.Join(ws, " "), "--db-url") || anyProd(ws) {
			a.Tag, a.NoLoss = DropData, false
		}
		r.add(a)
		return
	}
	r.grammar(c)
}
