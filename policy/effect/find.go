package effect

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/stepgate/stepgate/policy/shell"
)

// filter is what find's tests, or a list of names to keep, leave of a walk. Tests the gate does not follow let
// everything through, so the answer is an upper bound.
type filter struct {
	names  []string // base name patterns, any of which matches
	paths  []string // whole path patterns
	files  bool     // only files
	empty  bool     // only what is empty: nothing is lost
	except []string // top names that stay
	other  bool     // tests that are followed in part, or not: -mtime, -size
	trees  bool     // a folder that is selected goes with all below it
	// newest and oldest bound the age of a file; 0: no bound.
	newest, oldest time.Duration
	// after and until bound a file's time; zero: no bound.
	after, until time.Time
}

func (f filter) zero() bool {
	return len(f.names) == 0 && len(f.paths) == 0 && !f.files && !f.empty && !f.other && len(f.except) == 0
}

// narrow: fewer than all files.
func (f filter) narrow() bool { return len(f.names) > 0 || len(f.paths) > 0 || f.empty || f.other }

func (f filter) String() string {
	if len(f.names) > 0 {
		return clip(strings.Join(f.names, " "), 40)
	}
	return ""
}

// key tells filters apart.
func (f filter) key() string {
	if f.zero() {
		return ""
	}
	k := strconv.FormatInt(int64(f.newest), 36) + "," + strconv.FormatInt(int64(f.oldest), 36) + f.after.String() + f.until.String() + strings.Join(f.names, "\x01") + "\x02" + strings.Join(f.paths, "\x01") + "\x02" + strings.Join(f.except, "\x01") + "\x02"
	for _, b := range [...]bool{f.files, f.empty, f.other, f.trees} {
		if b {
			k += "y"
		} else {
			k += "n"
		}
	}
	return k
}

// match says that a file goes, of a walk that began at top.
func (f filter) match(top, path string) bool {
	if !f.named(top, path) || !f.aged(path) {
		return false
	}
	if len(f.paths) == 0 {
		return true
	}
	for _, p := range f.paths {
		if strings.Contains(path, strings.Trim(p, "*./")) {
			return true
		}
	}
	return false
}

// aged: the file is as old as is asked for, give or take a minute.
func (f filter) aged(path string) bool {
	if f.newest == 0 && f.oldest == 0 && f.after.IsZero() && f.until.IsZero() || f.trees {
		return true
	}
	fi, err := os.Lstat(path)
	if err != nil {
		return true
	}
	at := fi.ModTime()
	if !f.after.IsZero() && !at.After(f.after) || !f.until.IsZero() && at.After(f.until) {
		return false
	}
	age := time.Since(at)
	return age >= f.newest-time.Minute && (f.oldest == 0 || age <= f.oldest+time.Minute)
}

// age reads the number of -mtime and -mmin, in units: +3 is older than that, -3 younger, 3 just that.
func (f *filter) age(text string, unit time.Duration) {
	n, err := strconv.Atoi(strings.TrimLeft(text, "+-"))
	if err != nil || n < 0 || n > 100_000 {
		return
	}
	d := time.Duration(n) * unit
	switch {
	case strings.HasPrefix(text, "+"):
		f.newest = max(f.newest, d)
	case f.oldest != 0: // the wider one is enough
	case strings.HasPrefix(text, "-"):
		f.oldest = d
	default:
		f.newest, f.oldest = max(f.newest, d-unit), d+unit
	}
}

// than reads the tests for files that changed later than another, or than a day.
func (f *filter) than(r *reader, c *shell.Command, test, arg string, negated bool) {
	var at time.Time
	p := r.w.abs(arg, r.dir(c))
	for i := range r.files {
		if r.files[i].path == p {
			return // the line gives it another time
		}
	}
	if fi, err := os.Stat(p); test == "-newer" && err == nil {
		at = fi.ModTime()
	} else if test != "-newer" {
		at, _ = time.ParseInLocation(time.DateOnly, arg, time.Local) // other ways to write a time are not read
	}
	switch {
	case negated && f.until.IsZero():
		f.until = at
	case !negated && f.after.IsZero():
		f.after = at
	}
}

// named: the file's name is one of those that are looked for, or, where trees go, a folder's on the way to it.
func (f filter) named(top, path string) bool {
	for len(f.names) > 0 {
		base := filepath.Base(path)
		for _, n := range f.names {
			if m, err := filepath.Match(n, base); m || err != nil {
				return true
			}
		}
		if !f.trees || len(path) <= len(top) {
			return false
		}
		path = filepath.Dir(path)
	}
	return true
}

// findTests reads where find looks and what it selects.
func (r *reader) findTests(c *shell.Command) (roots []target, f filter) {
	i := 0
	for ; i < len(c.Args); i++ {
		t := c.Args[i].Text
		if in(t, "-H -L -P") {
			continue
		}
		if strings.HasPrefix(t, "-") || t == "(" || t == "!" {
			break
		}
		roots = append(roots, r.target(c, shell.Word{Text: strings.TrimSuffix(t, "/") + slashIfRoot(t), Known: c.Args[i].Known, Glob: c.Args[i].Glob}))
	}
	if len(roots) == 0 {
		roots = append(roots, r.target(c, shell.Word{Text: ".", Known: true}))
	}
	negated := false
	for ; i < len(c.Args); i++ {
		t := c.Args[i].Text
		next := ""
		if i+1 < len(c.Args) {
			next = c.Args[i+1].Text
		}
		switch t {
		case "!", "-not":
			negated = true
			continue
		case "-name", "-iname":
			if negated {
				f.other = true
			} else {
				f.names = append(f.names, next)
			}
			i++
		case "-path", "-ipath", "-wholename":
			if negated {
				f.other = true
			} else {
				f.paths = append(f.paths, next)
			}
			i++
		case "-type":
			f.files = next == "f"
			i++
		case "-empty":
			f.empty = !negated
		case "-mtime", "-mmin":
			unit := time.Minute
			if t == "-mtime" {
				unit = 24 * time.Hour
			}
			if f.other = true; !negated && !hasArg(c.Args, "-o", "-or", ",", "-daystart") {
				f.age(next, unit)
			}
			i++
		case "-newer", "-newermt":
			if f.other = true; !hasArg(c.Args, "-o", "-or", ",") {
				f.than(r, c, t, next, negated)
			}
			i++
		case "-size", "-user", "-perm", "-regex", "-iregex", "-atime", "-ctime", "-links":
			f.other = true
			i++
		case "-mindepth", "-maxdepth":
			i++
		}
		negated = false
	}
	return roots, f
}

func slashIfRoot(t string) string {
	if strings.Trim(t, "/") == "" && t != "" {
		return "/"
	}
	return ""
}

// find reads find itself; commands of -exec come as commands of their own.
func (r *reader) find(c *shell.Command) {
	r.hunt(c)
	inside := false
	for i, a := range c.Args {
		switch a.Text {
		case "-exec", "-execdir", "-ok", "-okdir":
			inside = true
		case ";", "+", `\;`:
			inside = false
		}
		if inside {
			continue // another program's words
		}
		switch a.Text {
		case "-delete":
			roots, f := r.findTests(c)
			r.removeAll(c, roots, f)
		case "-fprint", "-fprintf", "-fls", "-fprint0":
			if i+1 < len(c.Args) {
				r.writes(c, r.written(c, c.Args[i+1]), Overwrite, file{})
			}
		}
	}
}

// hunt: find looks through the home or the whole system for files that are known to be secrets.
func (r *reader) hunt(c *shell.Command) {
	roots, f := r.findTests(c)
	if len(f.names)+len(f.paths) == 0 {
		return
	}
	for _, t := range roots {
		wide := t.place == Root || t.place == Home
		for _, n := range append(f.names, f.paths...) {
			if n = strings.Trim(n, "*"); wide && hunted(n) || t.place == Outside && in(n, loginStores) {
				r.add(Act{Kind: Secret, Tag: KeyFile, Target: t.text + " (searched for " + clip(n, 30) + ")", Place: t.place})
				return
			}
		}
	}
}

// loginStores are names of files that hold logins wherever they lie.
const loginStores = "credentials.db access_tokens.db .netrc .git-credentials .pgpass id_rsa id_ed25519 logins.json key4.db wallet.dat"

// hunted: a pattern for keys, logins, or what a browser keeps of its person.
func hunted(n string) bool {
	if secretTag("/home/x/"+n) == KeyFile || in(n, loginStores) || in(n, ".ssh .aws .gnupg credentials .pem .key .kdbx .ppk places.sqlite") {
		return true
	}
	low := strings.ToLower(n)
	for _, b := range [...]string{".mozilla/", "firefox/", "chromium/", "google-chrome", "google/chrome", "safari/"} {
		if strings.Contains(low, b) {
			return true
		}
	}
	return false
}

// fed finds the find, or the list of words, that feeds a command through xargs or -exec; nil: its own operands are all.
func (r *reader) fed(c *shell.Command) *shell.Command {
	if !viaAny(c, "xargs", "parallel", "find", "fd") {
		return nil
	}
	for i := r.at - 1; i >= 0; i-- {
		p := &r.cmds[i]
		if viaAny(c, "find", "fd") {
			if p.Name == "find" || p.Name == "fd" {
				return p
			}
			continue
		}
		if p.Group == c.Group && p.Stage < c.Stage && !filters(p) {
			return p
		}
	}
	for _, a := range c.Args {
		if !a.Known {
			return &shell.Command{}
		}
	}
	if len(split(c.Args, "").ops) > 0 {
		return nil // parallel has put the words in itself
	}
	return &shell.Command{}
}

func viaAny(c *shell.Command, names ...string) bool {
	for _, v := range c.Via {
		first, _, _ := strings.Cut(v, " ")
		for _, n := range names {
			if first == n {
				return true
			}
		}
	}
	return false
}

// own records the loss of what another command feeds to a command that loses its operands, and gives the operands that
// are its own.
func (r *reader) own(c *shell.Command, ops []shell.Word, rec bool) []shell.Word {
	fed := r.fed(c)
	if fed != nil {
		r.removeFed(c, fed, rec)
	}
	fills := viaAny(c, "xargs", "parallel", "find", "fd")
	var out []shell.Word
	for _, o := range ops {
		if r.filledIn(c, fed, o, rec) {
			continue
		}
		if o.Text == "" || fills && (o.Text == "{}" || !o.Known && !strings.Contains(o.Text, "$")) {
			continue // stands for what is fed
		}
		out = append(out, o)
	}
	return out
}

// filledIn records the loss of what a command lists, where an operand stands for it: the f of find … | while read f and of
// for f in $(ls), the {} of xargs -I.
func (r *reader) filledIn(c, fed *shell.Command, o shell.Word, rec bool) bool {
	if o.Known || tempWord(o.Text) {
		return false
	}
	from := fed
	for i := len(c.Inputs) - 1; i >= 0 && from == nil; i-- {
		if n := c.Inputs[i]; n < len(r.cmds) && !filters(&r.cmds[n]) {
			from = &r.cmds[n]
		}
	}
	if from == nil {
		return false
	}
	before, after, ok := gap(o.Text)
	switch {
	case !ok:
		return false
	case from.Name == "ls" && before+after != "":
		r.remove(c, r.target(c, shell.Word{Text: before + "*" + after, Known: true, Glob: true}), rec, filter{})
	case from == fed || before+after != "":
		return false // recorded already, or a name that nobody knows
	case lists(from):
		r.removeFed(c, from, rec)
	default:
		return false
	}
	return true
}

// gap is what stands before and behind the one part of a word that is filled in when the line runs.
func gap(s string) (before, after string, ok bool) {
	i := strings.IndexAny(s, "${")
	if i < 0 {
		return "", "", false
	}
	end := i + 1
	switch rest := s[i:]; {
	case strings.HasPrefix(rest, "{}"):
		end = i + 2
	case strings.HasPrefix(rest, "$("):
		end = strings.LastIndexByte(s, ')') + 1
	case strings.HasPrefix(rest, "${"):
		end = strings.IndexByte(s, '}') + 1
	default:
		for end < len(s) && isNameByte(s[end]) && s[end] != '$' {
			end++
		}
	}
	if end <= i+1 || strings.ContainsAny(s[end:], "${") {
		return "", "", false
	}
	return s[:i], s[end:], true
}

// lists: a program whose output are the names of files.
func lists(c *shell.Command) bool {
	switch c.Name {
	case "git":
		return hasArg(c.Args, "ls-files", "diff", "status", "ls-tree")
	case "grep", "rg", "egrep":
		return hasArg(c.Args, "-l", "-rl", "-lr", "--files-with-matches", "-L", "-rL")
	}
	return in(c.Name, "find fd gfind ls cat locate mdfind tree")
}

// filters: in a pipe, a program that passes on some of its lines.
func filters(c *shell.Command) bool {
	return c.Stage > 0 && (in(c.Name, "sort uniq head tail shuf tac tr") || in(c.Name, "grep egrep fgrep rg") && !lists(c))
}

// removeFed records a delete whose targets come from another command.
func (r *reader) removeFed(c, from *shell.Command, rec bool) {
	if from.Name != "find" && from.Name != "fd" && len(c.Over) > 0 {
		for _, w := range c.Over {
			r.remove(c, r.target(c, w), rec, filter{})
		}
		return
	}
	if from.Name == "git" && r.removeListed(c, from) {
		return
	}
	switch from.Name {
	case "find", "fd", "gfind":
		roots, f := r.findTests(from)
		if from.Name == "fd" {
			roots, f = r.fdTests(c, from)
		}
		f.trees = rec && !f.files
		r.removeAll(c, roots, f)
	case "echo", "printf", "ls":
		var any bool
		for _, a := range from.Args {
			if strings.HasPrefix(a.Text, "-") || strings.Contains(a.Text, "%s") {
				continue
			}
			for _, w := range strings.Fields(strings.ReplaceAll(a.Text, `\n`, " ")) {
				any = true
				r.remove(c, r.target(from, shell.Word{Text: w, Known: a.Known, Glob: a.Glob}), rec, filter{})
			}
		}
		if !any && from.Name == "ls" {
			t := r.target(from, shell.Word{Text: "*", Known: true, Glob: true})
			if split(from.Args, "").has("-a", "-A", "--all", "--almost-all") {
				t.dots = allNames
			}
			r.removeAll(c, []target{t}, filter{})
		}
	default:
		r.add(Act{Kind: Delete, Tag: AllFiles, Recursive: rec, Unsure: "its targets come from another command"})
	}
}

// fdTests reads where fd looks. What it selects is not followed, but for a lone dot, which is all.
func (r *reader) fdTests(c, from *shell.Command) (roots []target, f filter) {
	for _, w := range c.Over {
		roots = append(roots, r.target(from, w))
	}
	if len(roots) == 0 {
		roots = []target{r.target(from, shell.Word{Text: ".", Known: true})}
	}
	if len(from.Args) == 0 || from.Args[0].Text != "." {
		f.other = true
	}
	return roots, f
}

func (r *reader) removeAll(c *shell.Command, roots []target, f filter) {
	if f.empty {
		r.changes = true
		return
	}
	for _, t := range roots {
		if t.path != "" {
			t.all = true
		}
		before := len(r.looks)
		r.remove(c, t, true, f)
		if t.real == r.w.Root && !f.narrow() && len(r.looks) > before {
			r.whole(&r.looks[len(r.looks)-1])
		}
	}
}

// whole: every file of the project goes. Where none is there, and no repository that keeps them, others may be when the
// line runs.
func (r *reader) whole(k *look) {
	run := k.run
	k.run = func(l *looker) []Effect {
		found := run(l)
		if len(found) == 0 && !isDir(filepath.Join(r.w.Root, ".git")) {
			found = append(found, Effect{Kind: "unknown", Target: r.w.Root, Unknown: "there is no file now, and no repository that would keep them"})
		}
		return found
	}
}
