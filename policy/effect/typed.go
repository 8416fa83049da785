package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// prompt tells when a program waits for what somebody types, because nothing gives it anything to do.
type prompt struct {
	// given are flags that give it something to do, valued those of the others that take the next word.
	given, valued string
	// ops is how many operands leave it waiting: a database client's database, ssh's host.
	ops int
	// forced: -i makes it wait whatever else stands there.
	forced bool
}

// promptOf knows shells, interpreters, database clients and ways to another machine. Its flags are those of the
// programs' own manuals.
func promptOf(name string) (prompt, bool) {
	switch name {
	case "ash", "bash", "csh", "dash", "fish", "ksh", "mksh", "rbash", "sh", "tcsh", "zsh", "nu", "elvish", "xonsh":
		return prompt{given: " -c ", valued: " -c -o -O --rcfile --init-file ", forced: true}, true
	case "powershell", "pwsh", "cmd":
		return prompt{given: " -c -command -e -ec -enc -encodedcommand -f -file /c ", valued: " -c "}, true
	case "python", "python2", "python3", "pypy", "pypy3", "ipython", "bpython":
		return prompt{given: " -c -m ", valued: " -c -m -W -X ", forced: true}, true
	case "node", "nodejs", "bun", "ts-node", "tsx":
		return prompt{given: " -e --eval -p --print -v -c --check --test --run --prof-process --build-snapshot ", valued: " -e -p -r --require --import --loader ", forced: true}, true
	case "ruby", "perl", "lua", "luajit", "julia", "ghci", "R", "r", "elixir", "swipl", "octave", "tclsh":
		return prompt{given: " -e -E -f -F --eval --file -n -p -c ", valued: " -e -E -f -r -I -l -L "}, true
	case "php":
		return prompt{given: " -r -f -S -i -m -l ", valued: " -r -f -d -c -S -l "}, true
	case "irb", "pry", "iex", "jshell", "scala", "clj", "sbcl", "utop", "ocaml", "erl", "expect":
		return prompt{given: " -e -c --eval --non-interactive --script -noshell -eval ", valued: " -e -c -S --eval --script -eval "}, true
	case "gdb", "lldb", "ftp", "telnet", "script":
		return prompt{given: " --batch -batch -ex -c --command --args ", valued: " --batch -batch -ex -c --command ", ops: 1}, true
	case "psql":
		return prompt{given: " -c --command -f --file -l --list ", valued: " -c --command -f --file -h --host -p --port -U --username -d --dbname -v --set -P -F -R -T -L -o --output ", ops: 2}, true
	case "mysql", "mariadb", "mycli", "pgcli":
		return prompt{given: " -e --execute ", valued: " -e --execute -h --host -P --port -u --user -D --database -S --socket ", ops: 1}, true
	case "sqlite3", "duckdb", "litecli":
		return prompt{given: " -cmd -c -s -f ", valued: " -cmd -c -separator -init ", ops: 1}, true
	case "redis-cli", "valkey-cli":
		return prompt{given: " --eval --pipe --scan --bigkeys --memkeys --hotkeys --latency --stat --rdb --cluster -x ", valued: " -h -p -a -n -u --user --pass -s -i --eval "}, true
	case "mongo", "mongosh":
		return prompt{given: " --eval --file -f ", valued: " --eval --host --port -u -p --username --password --authenticationDatabase ", ops: 1}, true
	case "clickhouse-client", "cqlsh", "sqlcmd", "usql", "influx", "sqlplus":
		return prompt{given: " -q --query -Q -e --execute -i -f --file -c --command --queries-file ", valued: " -q --query -Q -h --host -S -U -P -d --database -u --user --password ", ops: 2}, true
	case "ssh", "mosh":
		return prompt{given: " -N -f -W -O -Q -V -G ", valued: " -i -p -l -o -F -J -L -R -D -b -c -E -e -I -m -O -Q -S -W -w -B -P ", ops: 1}, true
	case "sftp":
		return prompt{given: " -b ", valued: " -b -P -i -o -F -J ", ops: 1}, true
	case "su":
		return prompt{given: " -c --command --session-command ", valued: " -c --command --session-command -s --shell -g -G ", ops: 2}, true
	case "nix-shell":
		return prompt{given: " --run --command ", valued: " --run --command -p -I ", ops: 100}, true
	}
	return prompt{}, false
}

// waits says that a command would wait for somebody to type: what is typed then is no call of its own in every agent.
func (r *reader) waits(c *shell.Command) bool {
	if c.Stage > 0 || c.Background || fedByFile(c) {
		return false
	}
	if c.Name == "sudo" || c.Name == "doas" {
		return hasArg(c.Args, "-i", "-s", "--login", "--shell")
	}
	p, ok := promptOf(c.Name)
	if !ok || hasArg(c.Args, "--version", "-V", "--help", "-h") && c.Name != "psql" && c.Name != "mysql" && c.Name != "redis-cli" {
		return false
	}
	a := split(c.Args, p.valued)
	for _, f := range a.flags {
		if listed(p.given, strings.ToLower(f.name)) || listed(p.given, f.name) {
			return false
		}
	}
	if p.forced && a.has("-i") {
		return true
	}
	n := len(a.ops)
	if n > 0 && a.op(0) == "-" {
		n-- // standard input by its other name
	}
	if c.Name == "ssh" && (n == 0 || strings.HasPrefix(a.op(0), "git@")) {
		return false // a forge's greeting
	}
	return n <= p.ops
}

// fedByFile: the command's standard input is a file or a text of the line.
func fedByFile(c *shell.Command) bool {
	for _, d := range c.Redirects {
		if strings.HasPrefix(d.Op, "<") && d.Fd <= 0 {
			return true
		}
	}
	return false
}
