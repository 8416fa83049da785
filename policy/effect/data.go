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
	}
	for _, t := range texts { // a client's own commands that run a shell line, at the start of a line or behind a statement
		r.innerText(c, t, clientShells)
		if _, rest, more := strings.Cut(t, ";"); more {
			r.innerText(c, strings.ReplaceAll(rest, ";", "\n"), clientShells)
		}
	}
	for _, t := range texts {
		r.statements(c.Name, t)
	}
	for i := before; db != "" && i < len(r.acts); i++ {
		if in(string(r.acts[i].Tag), string(SQLDrop+" "+SQLDelete)) { // the file may be in git as it is
			r.lookAt(i, func(l *looker) []Effect { return l.overwritten(i, db, "") })
		}
	}
	r.changes = r.changes || len(texts) == 0
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

// statements judges SQL text statement by statement. Quoted text and comments are data.
func (r *reader) statements(program, text string) {
	for _, st := range strings.Split(bareSQL(text), ";") {
		f := strings.Fields(strings.ToLower(st))
		tag, what := judgeSQL(f)
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
		r.add(Act{Kind: Database, Tag: DropData, How: "del of all keys that fit"})
	}
	for _, a := range c.Args {
		switch w := strings.ToLower(a.Text); {
		case in(w, "flushall flushdb"):
			r.add(Act{Kind: Database, Tag: DropData, How: w})
		case in(w, "shutdown debug") && a.Text != "DEBUG":
			r.add(Act{Kind: Database, Tag: DropData, How: w})
		}
	}
	ws := strings.ToLower(strings.Join(words(c.Args), " "))
	if !strings.Contains(ws, "get ") && !strings.Contains(ws, "keys ") && !strings.Contains(ws, "info") {
		r.changes = true
	}
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
			r.add(Act{Kind: Database, Tag: DropData, How: clip(t, 60)})
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
	a := split(c.Args, " -h --host -p --port -U --username -u --user ")
	r.add(Act{Kind: Database, Tag: DropData, Target: clip(a.op(len(a.ops)-1), 60), How: c.Name})
}

// supabase reads the cli of that name: local databases are reset on purpose, but what is in them goes all the same.
func (r *reader) supabase(c *shell.Command) {
	ws := words(c.Args)
	if at(ws, 0) == "db" && at(ws, 1) == "reset" {
		r.add(Act{Kind: Database, Tag: DropData, How: "db reset"})
		return
	}
	r.grammar(c)
}
