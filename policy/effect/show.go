package effect

import (
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// show reads programs that print files.
func (r *reader) show(c *shell.Command) {
	a := split(c.Args, " -n --lines -c --bytes -d -f --fields -s -w -A -j -N -t -v -l ")
	if c.Name == "xxd" && hasArg(c.Args, "-r") {
		return
	}
	for _, o := range a.ops {
		r.readWord(c, o)
	}
	if c.Name == "sort" {
		for _, o := range split(c.Args, sortValued).values("-o", "--output") {
			r.writes(c, r.written(c, o), Overwrite, file{})
		}
	}
}

const sortValued = " -k --key -t --field-separator -S --buffer-size -T --temporary-directory -o --output --parallel --batch-size --compress-program --files0-from "

// readWord records that a file's content is shown; a pattern is opened on the disk as the shell would.
func (r *reader) readWord(c *shell.Command, o shell.Word) {
	if !o.Glob || !o.Known {
		r.reading(c, r.written(c, o), true)
		return
	}
	names, _ := shell.Glob(r.dir(c), o.Text, 200)
	for _, n := range names {
		if t := r.written(c, shell.Word{Text: n, Known: true}); secretTag(t.real) != "" {
			r.reading(c, t, true)
			return
		}
	}
	if tag := secretTag(strings.Trim(r.w.abs(o.Text, r.dir(c)), "?*")); tag != "" && len(names) == 0 {
		r.tell(Secret, tag, "", o.Text)
		return
	}
	// A pattern that could only mean a secret is one, whether or not the disk holds it now.
	if p := r.w.abs(o.Text, r.dir(c)); strings.Contains(p, "/.s") && (strings.Contains(p, "/id_") || strings.Contains(p, "/.ssh/")) {
		r.add(Act{Kind: Secret, Target: p, Place: r.w.place(p), Tag: KeyFile})
	}
}

// grep shows lines of files; with -q, -c or -l only whether and where they are.
func (r *reader) grep(c *shell.Command) {
	a := split(c.Args, " -e --regexp -f --file -m --max-count -A -B -C --include --exclude --exclude-dir --color -d ")
	shown := !a.has("-q", "--quiet", "--silent", "-c", "--count", "-l", "--files-with-matches", "-L")
	ops := a.ops
	if !a.has("-e", "--regexp", "-f", "--file") && len(ops) > 0 {
		ops = ops[1:]
	}
	wide := a.has("-r", "-R", "--recursive") && seeksSecrets(c.Args)
	for _, o := range ops {
		if wide && r.searchesAll(c, o) {
			continue
		}
		if shown {
			r.readWord(c, o)
		}
	}
}

// searchesAll records a search for secrets through the home or the whole system.
func (r *reader) searchesAll(c *shell.Command, o shell.Word) bool {
	t := r.written(c, o)
	if t.place != Root && t.place != Home {
		return false
	}
	r.add(Act{Kind: Secret, Tag: KeyFile, Target: t.path, Place: t.place})
	return true
}

// seeksSecrets: the pattern is a word for a secret.
func seeksSecrets(args []shell.Word) bool {
	for _, a := range args {
		low := strings.ToLower(a.Text)
		for _, w := range [...]string{"password", "passwd", "secret", "api_key", "apikey", "access_key", "private key", "akia"} {
			if strings.Contains(low, w) {
				return true
			}
		}
	}
	return false
}

// env without a program prints every variable, secrets among them.
func (r *reader) env(c *shell.Command) {
	if len(c.Args) == 0 {
		r.tell(Secret, Environ, "", "the environment")
	}
}
