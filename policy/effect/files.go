package effect

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/policy/shell"
)

// quiet programs do nothing worth an act.
func (r *reader) quiet(*shell.Command) {}

// rm reads rm, unlink, Remove-Item and their kind.
func (r *reader) rm(c *shell.Command) {
	a := split(c.Args, " -include -exclude -filter -Include -Exclude -Filter ")
	rec := a.has("-r", "-R", "--recursive", "-Recurse", "-recurse", "-s")
	if in(c.Name, "del remove-item") {
		rec = rec || hasFold(c.Args, "-recurse", "-r", "/s")
	}
	if a.has("--help", "--version") || in(c.Name, "remove-item") && hasFold(c.Args, "-whatif") {
		return
	}
	ops := a.ops
	if in(c.Name, "del remove-item") {
		ops = windowsOps(c.Args)
	}
	for _, o := range r.own(c, ops, rec) {
		r.remove(c, r.target(c, o), rec, filter{})
		if c.DirUnsure && o.Known && !filepath.IsAbs(o.Text) && !isDir(r.dir(c)) && !r.willExist(r.dir(c)) {
			here := *c // the cd before it fails, so the command hits the folder the line started in
			here.Dir, here.DirUnsure = "", false
			r.remove(&here, r.target(&here, o), rec, filter{})
		}
	}
}

// wiper reads programs that take whole folders without being told to; some expand patterns themselves.
func (r *reader) wiper(c *shell.Command) {
	for _, o := range split(c.Args, "").ops {
		o.Glob = o.Glob || strings.ContainsAny(o.Text, "*?")
		if base, _, ok := strings.Cut(o.Text, "/**"); ok {
			o.Text, o.Glob = base, false
		}
		if o.Text != "" && o.Text[0] != '!' {
			r.remove(c, r.target(c, o), true, filter{})
		}
	}
}

func hasFold(args []shell.Word, ws ...string) bool {
	for _, a := range args {
		for _, w := range ws {
			if strings.EqualFold(a.Text, w) {
				return true
			}
		}
	}
	return false
}

// windowsOps are the operands of a PowerShell or cmd command, whose switches begin with - or /x.
func windowsOps(args []shell.Word) []shell.Word {
	var out []shell.Word
	for _, a := range args {
		t := a.Text
		if strings.HasPrefix(t, "-") || len(t) == 2 && t[0] == '/' {
			continue
		}
		if len(t) < 2 || t[1] != ':' { // no drive: the folder is this machine's
			a.Text = strings.ReplaceAll(t, "\\", "/")
		}
		out = append(out, a)
	}
	return out
}

//go:noinline
func isDir(p string) bool {
	fi, err := os.Stat(p)
	return err == nil && fi.IsDir()
}

// willExist: an earlier command of the line makes the folder.
func (r *reader) willExist(dir string) bool {
	for i := 0; i < r.at && i < len(r.cmds); i++ {
		c := &r.cmds[i]
		if c.Name != "mkdir" && c.Name != "clone" && !(c.Name == "git" && hasArg(c.Args, "clone", "worktree")) {
			continue
		}
		for _, a := range c.Args {
			if a.Known && r.w.abs(a.Text, r.dir(c)) == dir {
				return true
			}
		}
	}
	return false
}

// remove records the delete of one target, and of what the line has moved there.
func (r *reader) remove(c *shell.Command, t target, rec bool, f filter) {
	if r.guardTouch(t, rec) {
		return
	}
	for i := 0; i < len(r.moved) && t.path != "" && !t.glob; i++ {
		if m := r.moved[i]; m.at != "" && (m.at == t.path || rec && r.w.within(m.at, t.path)) {
			r.moved[i].at = "" // once, and never round in a ring
			r.remove(c, m.was, true, f)
		}
	}
	if t.path == "" {
		if t.place == InTemp {
			return
		}
		if rec {
			r.add(Act{Kind: Delete, Tag: NoTarget, Target: t.text, Recursive: true, Unsure: "what is deleted is known only when the line runs"})
		} else {
			r.add(Act{Kind: Delete, Target: "", Unsure: "what is deleted is known only when the line runs"})
		}
		return
	}
	a := Act{Kind: Delete, Target: t.real, Place: t.place, Recursive: rec, How: f.String()}
	if rec && f.narrow() {
		a.Picks = func(path string) bool { return f.match(t.real, path) }
	}
	switch {
	case inGitDir(t):
		a.Tag = GitDir
	case isTrace(t.real, filepath.Base(t.real)):
		a.Tag = Trace
	}
	if t.all && !rec && f.zero() && (t.place == Root || t.place == Home) {
		a.Place = InHome // rm ~/* without -r takes the files alone
		if t.place == Root {
			a.Place = Outside
		}
	}
	if !f.zero() && (t.place == Home || t.place == Root) && f.narrow() {
		a.Place = InHome
		if t.place == Root {
			a.Place = Outside
		}
	}
	a.NoLoss = a.Place == InHome && (!t.glob || r.w.cache(filepath.Dir(t.real)) && !strings.Contains(t.text, "..")) && r.w.cache(t.real)
	i := r.add(a)
	if a.NoLoss {
		return
	}
	switch a.Place {
	case Root, Home, Device: // no need to count
		return
	case InTemp: // nothing to lose there but commits that were made in a clone and not pushed
		if rec {
			r.lookAt(i, func(l *looker) []Effect { return l.clones(t.real, 2) })
		}
		return
	}
	r.lookAt(i, func(l *looker) []Effect { return l.deleted(i, t, rec, f) })
	r.looks[len(r.looks)-1].names = !rec || !f.zero()
}

// inGitDir: the target is a repository's own folder or lies in it.
func inGitDir(t target) bool {
	return strings.HasSuffix(t.path, "/.git") || strings.Contains(t.path, "/.git/objects") || strings.Contains(t.path, "/.git/refs") ||
		strings.HasSuffix(t.path, "/.git/HEAD")
}

func (r *reader) rmdir(c *shell.Command) {
	if hasFold(c.Args, "/s") { // cmd's rd /s takes the whole tree
		for _, o := range windowsOps(c.Args) {
			r.remove(c, r.target(c, o), true, filter{})
		}
		return
	}
	r.changes = true // only empty folders go: nothing is lost
}

func (r *reader) shred(c *shell.Command) {
	a := split(c.Args, " -n --iterations -s --size --random-source ")
	for _, o := range r.own(c, a.ops, false) {
		t := r.written(c, o)
		if r.guardTouch(t, false) {
			continue
		}
		a := Act{Kind: Delete, Target: t.real, Place: t.place, How: "shred"}
		if isTrace(t.real, filepath.Base(t.real)) {
			a.Tag = Trace
		}
		i := r.add(a)
		r.lookAt(i, func(l *looker) []Effect { return l.deleted(i, t, false, filter{}) })
	}
}

func (r *reader) truncate(c *shell.Command) {
	a := split(c.Args, " -s --size -r --reference ")
	for _, o := range r.own(c, a.ops, false) {
		r.writes(c, r.written(c, o), Overwrite, file{})
	}
}

// mv: each source leaves its place, and an existing target is replaced.
func (r *reader) mv(c *shell.Command) {
	a := split(c.Args, " -t --target-directory -S --suffix ")
	srcs, dst, ok := sourcesAndTarget(a)
	if !ok {
		return
	}
	noClobber := a.has("-n", "--no-clobber") || a.has("-b", "--backup")
	for _, s := range srcs {
		t := r.target(c, s)
		if r.guardTouch(t, true) {
			continue
		}
		i := r.add(Act{Kind: Move, Target: t.real, Place: t.place, Recursive: true})
		if d := r.written(c, dst); d.path == "/dev/null" {
			r.acts[i].Kind = Delete
			r.lookAt(i, func(l *looker) []Effect { return l.deleted(i, t, true, filter{}) })
		}
		r.replaces(c, s, dst, noClobber)
		if d := r.target(c, dst); d.path != "" && t.path != "" && len(r.moved) < 100 {
			if isDir(d.real) {
				d.path = filepath.Join(d.path, filepath.Base(t.path))
			}
			r.moved = append(r.moved, moved{d.path, t})
		}
	}
}

// cp reads cp, install and Copy-Item.
func (r *reader) cp(c *shell.Command) {
	a := split(c.Args, " -t --target-directory -S --suffix -m --mode -o --owner -g --group ")
	if a.has("-d") && c.Name == "install" {
		return
	}
	srcs, dst, ok := sourcesAndTarget(a)
	if !ok {
		return
	}
	noClobber := a.has("-n", "--no-clobber", "-b", "--backup", "-u", "--update")
	for _, s := range srcs {
		r.reading(c, r.written(c, s), in(dst.Text, "/dev/stdout /dev/stderr /dev/tty /dev/fd/1 -"))
		r.replaces(c, s, dst, noClobber)
	}
}

func sourcesAndTarget(a argv) (srcs []shell.Word, dst shell.Word, ok bool) {
	if v := a.values("-t", "--target-directory"); len(v) > 0 {
		return a.ops, v[0], len(a.ops) > 0
	}
	if len(a.ops) < 2 {
		return nil, dst, false
	}
	return a.ops[:len(a.ops)-1], a.ops[len(a.ops)-1], true
}

// replaces records what a copy or move writes at its target.
func (r *reader) replaces(c *shell.Command, src, dst shell.Word, noClobber bool) {
	t := r.written(c, dst)
	if t.path != "" && (t.slash || isDir(t.real)) && src.Known && !isWindows(t.path) {
		base := filepath.Base(src.Text)
		if base == "." || base == "/" || src.Glob {
			if t.place != Root && t.place != Home {
				if !noClobber {
					r.laid(c, src, dst, nil, nil)
				}
				return
			}
		} else {
			if !noClobber && isDir(r.written(c, src).real) {
				r.laid(c, src, dst, nil, nil)
			}
			dst.Text = strings.TrimSuffix(dst.Text, "/") + "/" + base
			dst.Glob = false
			t = r.written(c, dst)
		}
	}
	kind := Overwrite
	if noClobber {
		kind = Write
	}
	from := r.written(c, src)
	r.taint(t.real, r.secret(from.real))
	text := r.made(from.real)
	text.program, text.source = programAt(from.path), from.real
	if isShell(text.program) && t.path != "" && filepath.Base(t.path) != filepath.Base(from.path) {
		r.add(Act{Kind: Opaque, Tag: DynamicRun, How: text.program + " under the name " + clip(t.text, 40)})
	}
	r.writes(c, t, kind, text)
}

// made is what an earlier command of the line has put into a file: a text, a download, something decoded.
func (r *reader) made(path string) file {
	for i := len(r.files) - 1; i >= 0; i-- {
		if f := &r.files[i]; f.path == path {
			return file{text: f.text, known: f.known, from: f.from, decoded: f.decoded}
		}
	}
	return file{}
}

func (r *reader) ln(c *shell.Command) {
	a := split(c.Args, " -t --target-directory -S --suffix ")
	if len(a.ops) == 0 {
		return
	}
	src, dst := a.ops[0], a.ops[len(a.ops)-1]
	if len(a.ops) == 1 {
		dst = shell.Word{Text: filepath.Base(src.Text), Known: src.Known}
	}
	dst0 := dst
	t := r.target(c, dst)
	if t.path != "" && isDir(t.real) && !isLink(t.real) {
		dst.Text = filepath.Join(t.path, filepath.Base(src.Text))
		t = r.target(c, dst)
	}
	if t.path == "" {
		return
	}
	kind := Write
	if a.has("-f", "--force") {
		kind = Overwrite
	}
	if !r.guardTouch(t, false) {
		r.writes(c, t, kind, file{})
	}
	r.taint(t.path, r.secret(r.w.abs(src.Text, r.dir(c))))
	if a.has("-s", "--symbolic") && src.Known && len(r.links) < 100 {
		if whole := r.w.abs(dst0.Text, r.dir(c)); whole != t.path && dst0.Known {
			// Where a folder of that name stands now the link lands in it, but it may be gone when the line runs: a link to
			// the whole home or system is taken at its worst.
			if p := r.w.place(r.w.abs(src.Text, r.dir(c))); p == Home || p == Root {
				r.links = append(r.links, link{from: whole, to: r.linkText(c, src, t)})
			}
		}
		r.links = append(r.links, link{from: t.path, to: r.linkText(c, src, t)})
	}
}

// linkText is where a link made by the line leads, absolute.
func (r *reader) linkText(_ *shell.Command, src shell.Word, at target) string {
	if filepath.IsAbs(src.Text) || strings.HasPrefix(src.Text, "~") {
		return r.w.abs(src.Text, "/")
	}
	return filepath.Join(filepath.Dir(at.path), src.Text)
}

func isLink(p string) bool {
	fi, err := os.Lstat(p)
	return err == nil && fi.Mode()&os.ModeSymlink != 0
}

func (r *reader) tee(c *shell.Command) {
	a := split(c.Args, " -Encoding -encoding -Path -FilePath -Value -value ")
	kind := Overwrite
	if a.has("-a", "--append") || hasFold(c.Args, "-append") {
		kind = Write
	}
	ops := append(a.ops, a.values("-Path", "-FilePath")...)
	for i, o := range ops {
		if c.Name != "tee" && i > 0 {
			break
		}
		r.writes(c, r.written(c, o), kind, r.textOf(c))
	}
}

func (r *reader) touch(c *shell.Command) {
	a := split(c.Args, " -d --date -r --reference -t ")
	for _, o := range a.ops {
		r.writes(c, r.written(c, o), Write, file{})
	}
}

// dd writes of= whole; a device is a disk.
func (r *reader) dd(c *shell.Command) {
	for _, a := range c.Args {
		name, val, _ := strings.Cut(a.Text, "=")
		w := shell.Word{Text: val, Known: a.Known}
		switch name {
		case "of":
			r.writes(c, r.written(c, w), Overwrite, file{})
		case "if":
			r.reading(c, r.written(c, w), true)
		}
	}
}

func (r *reader) chmod(c *shell.Command) {
	a := split(c.Args, " --reference -m -x ")
	rec := a.has("-R", "--recursive") || viaAny(c, "find") && len(c.Over) > 0 && (r.target(c, c.Over[0]).place == Home || r.target(c, c.Over[0]).place == Root)
	ops := a.ops
	mode := ""
	for _, f := range a.flags { // chmod -x file: the mode looks like a flag
		if len(f.name) == 2 && in(f.name, "-x -w -r") && c.Name == "chmod" {
			mode = f.name
			if f.has {
				ops = append([]shell.Word{f.val}, ops...)
			}
		}
	}
	if v := a.values("-m"); c.Name == "setfacl" && len(v) > 0 {
		mode = v[0].Text
	}
	switch {
	case a.has("--reference"):
		mode = "--reference"
	case mode == "" && len(ops) > 0:
		mode, ops = ops[0].Text, ops[1:]
	}
	wide := strings.Contains(mode, "777") || mode == "a+rwx" || mode == "ugo+rwx" || mode == "a+w" || mode == "o+w"
	if len(mode) == 5 {
		mode = strings.TrimPrefix(mode, "0") // as C writes it: 04755
	}
	if c.Name == "setfacl" { // u:name:rwx lets another one write
		wide = strings.Contains(mode[strings.LastIndexByte(mode, ':')+1:], "w")
	}
	locks := in(mode, "000 0 0000 a-rwx -rwx")
	for _, o := range ops {
		t := r.written(c, o)
		if (strings.Contains(mode, "-") || locks || !strings.Contains(mode, "x") && !strings.ContainsAny(mode, "157")) && r.guardTouch(t, rec) {
			continue
		}
		act := Act{Kind: Edit, Target: t.real, Place: t.place, Recursive: rec, How: "chmod " + clip(mode, 12)}
		switch {
		case rec && (wide || locks), locks && t.place != InTemp, wide && t.place != InProject && t.place != InTemp,
			rec && (t.place == Root || t.place == Home):
			act.Tag = Permission
		case setsID(mode) || len(mode) == 4 && (mode[0] == '4' || mode[0] == '2' || mode[0] == '6'):
			act.Tag = SetUID
		}
		r.add(act)
	}
}

// setsID: a symbolic mode that adds s: u+s, g+xs.
func setsID(mode string) bool {
	_, added, ok := strings.Cut(mode, "+")
	return ok && strings.Contains(added, "s")
}

func (r *reader) chown(c *shell.Command) {
	a := split(c.Args, " --reference --from ")
	rec := a.has("-R", "--recursive") || viaAny(c, "find")
	for i, o := range a.ops {
		if i == 0 && !a.has("--reference") {
			continue
		}
		t := r.written(c, o)
		act := Act{Kind: Edit, Target: t.real, Place: t.place, Recursive: rec, How: c.Name}
		if rec && (t.place == Root || t.place == Home || underSystem(t.real) || strings.HasPrefix(t.real, "/var/")) {
			act.Tag = Permission
		}
		r.add(act)
	}
}

// sed -i edits in place, which is an edit; the w command and the e flag are left to the shell's own reading.
func (r *reader) sed(c *shell.Command) {
	a := split(c.Args, " -e --expression -f --file -l --line-length ")
	inPlace := a.has("-i", "--in-place", "-I")
	ops, scripts := a.ops, a.values("-e", "--expression")
	if !a.has("-e", "--expression", "-f", "--file") && len(ops) > 0 {
		scripts, ops = ops[:1], ops[1:]
	}
	for _, s := range scripts {
		r.sedRuns(c, s.Text)
	}
	if len(scripts) == 1 && scripts[0].Text == "" && len(ops) > 1 { // sed -i '' s/a/b/ file
		scripts, ops = ops[:1], ops[1:]
	}
	kind := Edit
	if !keepsCopy(c.Args) && emptying(scripts, a.has("-n", "--quiet", "--silent")) {
		kind = Overwrite
	}
	for _, o := range ops {
		t := r.written(c, o)
		if inPlace {
			r.writes(c, t, kind, file{})
		} else {
			r.reading(c, t, true)
		}
	}
}

// keepsCopy: sed -i.bak leaves the file as it was under another name.
func keepsCopy(args []shell.Word) bool {
	for _, a := range args {
		if strings.HasPrefix(a.Text, "--in-place=") || len(a.Text) > 2 && strings.HasPrefix(a.Text, "-i") {
			return true
		}
	}
	return false
}

// emptying: scripts of sed that leave no line, or no letter, of a file.
func emptying(scripts []shell.Word, quiet bool) bool {
	for _, w := range scripts {
		s := strings.Map(func(c rune) rune {
			if strings.ContainsRune(" \t\n;{}", c) {
				return -1
			}
			return c
		}, w.Text)
		if in(s, "d 1,$d /^/d /$/d /.*/d /./d //d s/.*// s/.*//g s/^.*$// s/^.*$//g") || quiet && s != "" && !strings.ContainsAny(s, "pPliw=") {
			return true
		}
	}
	return false
}

// keygen reads ssh-keygen, which writes a new key over the one of its name.
func (r *reader) keygen(c *shell.Command) {
	a := split(c.Args, " -f -t -b -C -N -P -m -O -I -n -V -z -s -D -w -Y -M -W -a -r -R -F ")
	r.changes = true
	if a.has("-R", "-F", "-H", "-l", "-B", "-y", "-e", "-i", "-p", "-c", "-L", "-s", "-D", "-Y", "-Q", "-k", "-r", "-M") {
		return
	}
	for _, o := range a.values("-f") {
		if t := r.written(c, o); t.path != "" && !Absent(t.real) {
			r.writes(c, t, Overwrite, file{})
		}
	}
}

// inPlace reads perl -i and ruby -i, which edit the files they are given.
func (r *reader) inPlace(c *shell.Command) {
	edits, quiet, kind := false, false, Edit
	for i := 0; i < len(c.Args); i++ {
		t := c.Args[i].Text
		switch {
		case !strings.HasPrefix(t, "-") || t == "-":
			if edits {
				r.writes(c, r.written(c, c.Args[i]), kind, file{})
			}
		case !strings.HasPrefix(t, "--"):
			flags, _, ext := strings.Cut(t[1:], "i") // what follows the i is an ending for copies
			edits = edits || ext && !strings.ContainsAny(flags, "eEIMmF")
			quiet = quiet || strings.Contains(flags, "n") && !strings.ContainsAny(flags, "IMmF")
			if !ext && strings.HasSuffix(t, "e") || in(t, "-E -I -F") {
				i++
				if code := at(words(c.Args), i); quiet && !strings.Contains(code, "print") && !strings.Contains(code, "say") && !strings.Contains(code, "put") || emptying([]shell.Word{{Text: strings.TrimRight(code, "gms"), Known: true}}, false) {
					kind = Overwrite // no line is written back
				}
			}
		}
	}
}
