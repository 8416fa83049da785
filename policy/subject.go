package policy

import (
	"path/filepath"
	"strings"

	"github.com/stepgate/stepgate/policy/effect"
)

// subject is an act that consent is looked for.
type subject struct {
	p   effect.Prediction
	w   *effect.World
	act int
}

// consents walks what was said, in order: the last word counts.
func consents(said []statement, sub subject) bool {
	yes := false
	for i := range said {
		switch s := &said[i]; {
		case s.no:
			if s.general || sub.mentioned(s.group) || s.part && sub.holds(s.group) {
				yes = false
			}
		case sub.namedBy(s):
			yes = true
		}
	}
	return yes
}

// mentioned: a word is a target of the act, lies in one or holds one.
func (sub subject) mentioned(ws []word) bool {
	a := sub.p.Acts[sub.act]
	for _, w := range ws {
		for _, p := range sub.places(w.text) {
			if inside(a.Target, p) || inside(p, a.Target) {
				return true
			}
		}
		if a.Target != "" && oneOf(strings.ReplaceAll(a.Target, "/", " "), w.text) {
			return true
		}
		for _, n := range sub.losses() {
			if n == w.text {
				return true
			}
		}
	}
	return false
}

// holds: what is to be left out may lie in the folder that the act is about: it is there by that name, or nowhere that
// the words tell.
func (sub subject) holds(ws []word) bool {
	a := sub.p.Acts[sub.act]
	if !a.Recursive || !filepath.IsAbs(a.Target) {
		return false
	}
	elsewhere := false
	for _, w := range ws {
		if w.text == "" || oneOf(fillers, w.low) || oneOf(denying, w.low) {
			continue
		}
		if !effect.Absent(filepath.Join(a.Target, w.text)) {
			return true
		}
		for _, p := range sub.places(w.text) {
			elsewhere = elsewhere || !effect.Absent(p)
		}
	}
	return !elsewhere
}

// here says that the act's command runs in the project, which is what a person means who names no folder: by where the
// shell stands, and for git by where it is sent.
func (sub subject) here() bool {
	i := sub.p.Acts[sub.act].Command
	if i < 0 || i >= len(sub.p.Script.Commands) || sub.w.Root == "" {
		return true
	}
	cmd := &sub.p.Script.Commands[i]
	dir := cmd.Dir
	if dir == "" {
		dir = sub.w.CWD
	}
	ok := !cmd.DirUnsure && !cmd.Remote
	for _, e := range cmd.Env {
		ok = ok && !strings.HasPrefix(e.Text, "GIT_DIR") && !strings.HasPrefix(e.Text, "GIT_WORK_TREE")
	}
	for j := 0; ok && cmd.Name == "git" && j < len(cmd.Args); j++ {
		switch arg := cmd.Args[j].Text; {
		case strings.HasPrefix(arg, "--git-dir"), strings.HasPrefix(arg, "--work-tree"):
			ok = false
		case arg == "-C" && j+1 < len(cmd.Args):
			if j++; filepath.IsAbs(cmd.Args[j].Text) {
				dir = cmd.Args[j].Text
			} else {
				dir = filepath.Join(dir, cmd.Args[j].Text)
			}
		}
	}
	return ok && inside(filepath.Clean(dir), sub.w.Root)
}

// namedBy says that a statement gives leave for the act and names all its targets.
func (sub subject) namedBy(s *statement) bool {
	a := sub.p.Acts[sub.act]
	if s.verb == "run" {
		return sub.here() && sub.spelled(s.after)
	}
	if s.verb == "put" {
		return a.Tag == effect.Profile && sub.putsInto(s) || a.Kind == effect.Overwrite && sub.savesTo(s)
	}
	if s.narrowed {
		return a.Kind == effect.Delete && s.verb != "run" && sub.theFileIn(s)
	}
	switch a.Tag {
	case effect.Discard, effect.DropStash, effect.DropCommits, effect.DeletePush, effect.ForcePush:
		if !sub.here() {
			return false
		}
	}
	switch a.Tag {
	case effect.Discard:
		return oneOf("discard revert undo reset restore drop delete remove wipe erase", s.verb) && sub.discards(s)
	case effect.DropStash:
		all := contains(words(s.group), "stashes") || contains(words(s.group), "all")
		return oneOf("drop delete remove clear discard wipe", s.verb) && (all || contains(words(s.group), "stash") && !strings.Contains(a.How, "clear"))
	case effect.DropCommits:
		return oneOf("delete remove drop", s.verb) && !strings.Contains(a.How, "reset") && s.names(strings.TrimPrefix(a.Target, "refs/heads/")) && !afar(s.group)
	case effect.DeletePush, effect.ForcePush:
		remote, branch, _ := strings.Cut(a.Target, " ")
		if a.Tag == effect.DeletePush {
			return oneOf("delete remove drop", s.verb) && s.names(branch) && (afar(s.group) || contains(words(s.group), remote))
		}
		return s.verb == "force-push" && sub.pushes(s, remote, branch)
	case effect.SQLDrop:
		return oneOf("drop delete remove truncate wipe reset recreate empty clear", s.verb) && sub.tables(s)
	case effect.DropVolume:
		return oneOf("drop delete remove reset recreate wipe clear destroy", s.verb) && sub.volumes(s)
	case effect.Destroy:
		return oneOf("delete remove destroy uninstall terminate", s.verb) && sub.resources(s)
	case effect.DropData:
		return oneOf("drop delete remove reset recreate wipe clear empty truncate", s.verb) && sub.database(s)
	case effect.SQLDelete:
		return oneOf("delete empty truncate clear wipe", s.verb) && sub.tables(s)
	case effect.HTTPDelete:
		return oneOf("delete drop remove reset recreate wipe clear", s.verb) && sub.storedHere(s)
	}
	if away(s.group) {
		return false
	}
	switch a.Kind {
	case effect.Delete:
		return oneOf("delete remove rm erase wipe trash unlink nuke purge drop discard empty clear", s.verb) && sub.pathNamed(s)
	case effect.Overwrite:
		return oneOf("overwrite replace rewrite regenerate recreate truncate empty clear reset", s.verb) && sub.pathNamed(s)
	}
	return false
}

func words(ws []word) []string {
	out := make([]string, len(ws))
	for i, w := range ws {
		out[i] = w.low
	}
	return out
}

// afar: the clause is about a remote.
func afar(ws []word) bool {
	for _, w := range ws {
		if oneOf("remote remotely origin upstream server github gitlab", w.low) {
			return true
		}
	}
	return false
}

// away: the clause is about files of another machine: "on the server", but not "the server folder".
func away(ws []word) bool {
	at := false
	for _, w := range ws {
		switch {
		case oneOf("on in inside from", w.low):
			at = true
		case at && !w.quoted && oneOf("server servers container containers vm host pod cluster bucket staging production", w.low):
			return true
		case !oneOf("the a my our this that", w.low):
			at = false
		}
	}
	return false
}

// names says that one of the objects is this name.
func (s *statement) names(name string) bool {
	for _, o := range s.objects {
		if name != "" && o.text == name {
			return true
		}
	}
	return false
}

// spelled: the person spelled out the very command, as all there is in the clause or in quotes.
func (sub subject) spelled(c []word) bool {
	i := sub.p.Acts[sub.act].Command
	if i < 0 || i >= len(sub.p.Script.Commands) {
		return false
	}
	cmd := &sub.p.Script.Commands[i]
	text := cmd.Name
	for _, a := range cmd.Args {
		text += " " + a.Text
	}
	if len(c) > 0 && !c[0].quoted && oneOf("run execute do use", c[0].low) {
		c = c[1:]
	}
	if len(c) == 0 || len(cmd.Args) == 0 {
		return false
	}
	if c[0].quoted {
		return strings.Join(strings.Fields(c[0].text), " ") == text && (len(c) == 1 || oneOf(onward, c[1].low))
	}
	n := 0
	for p := range strings.FieldsSeq(text) {
		if n >= len(c) || c[n].text != p {
			return false
		}
		n++
	}
	return n == len(c) || oneOf(onward, c[n].low)
}

// onward are words behind a command that do not say where it is meant.
const onward = "to and so now then please again here first"

// places are the absolute paths that a word can mean.
func (sub subject) places(text string) []string {
	switch {
	case text == "" || strings.Trim(text, "./~") == "":
		return nil // . and .. and ~ name no target
	case strings.HasPrefix(text, "~/") && sub.w.Home != "":
		return []string{filepath.Join(sub.w.Home, text[2:])}
	case filepath.IsAbs(text):
		return []string{filepath.Clean(text)}
	case len(text) > 3 && text[1] == ':' && text[2] == '\\':
		return []string{strings.TrimRight(text, `\`)}
	}
	var out []string
	for _, d := range [...]string{sub.w.Root, sub.w.CWD} {
		if d != "" {
			out = append(out, filepath.Join(d, strings.TrimSuffix(text, "/*")))
		}
	}
	return out
}

// inside says that p is dir or lies in it.
func inside(p, dir string) bool {
	return p != "" && dir != "" && (p == dir || strings.HasPrefix(p, strings.TrimSuffix(dir, "/")+"/"))
}

// pathNamed: one of the objects is the target, or a folder that it lies in.
func (sub subject) pathNamed(s *statement) bool { return sub.pathIn(s, sub.p.Acts[sub.act].Target) }

func (sub subject) pathIn(s *statement, target string) bool {
	for _, o := range s.objects {
		for _, p := range sub.places(o.text) {
			if !inside(sub.w.Root, p) && !inside(sub.w.Home, p) && inside(target, p) {
				return true
			}
		}
	}
	return false
}

// losses are the names of what the act loses, if all are known.
func (sub subject) losses() []string {
	var out []string
	for _, e := range sub.p.Effects {
		if e.Act == sub.act {
			out = append(out, e.Names...)
			if e.Lost != len(e.Names) || e.AtLeast || e.Unknown != "" {
				return nil
			}
		}
	}
	return out
}

// discards: all uncommitted changes are named as such, or each file that loses some.
func (sub subject) discards(s *statement) bool {
	clean := strings.HasPrefix(sub.p.Acts[sub.act].How, "clean")
	sweeps, plain := false, true
	for _, w := range s.group {
		sweeps = sweeps || !clean && oneOf("changes edits modifications", w.low) || w.low == "everything" || clean && w.low == "untracked"
		plain = plain && oneOf("all any every everything my our the these those local uncommitted unstaged staged tracked untracked pending working work tree copy directory changes edits modifications files folders and", w.low)
	}
	if sweeps && plain {
		return true
	}
	names := sub.losses()
	for _, n := range names {
		if !sub.pathIn(s, filepath.Join(sub.w.Root, n)) {
			return false
		}
	}
	return len(names) > 0
}

// pushes: the branch that is forced is named, and no other remote than the one that is meant.
func (sub subject) pushes(s *statement, remote, branch string) bool {
	for i, w := range s.group {
		if w.low == "to" && i+1 < len(s.group) && !oneOf("the "+remote+" "+branch+" "+remote+"/"+branch, s.group[i+1].text) {
			return false
		}
	}
	g := words(s.group)
	if branch == "" || branch == "HEAD" {
		return contains(g, "branch") && (contains(g, "this") || contains(g, "current") || contains(g, "my"))
	}
	return contains(g, strings.ToLower(branch)) || contains(g, strings.ToLower(remote+"/"+branch))
}

// trials are the stages whose data is made to be thrown away.
const trials = "test testing dev development local ci"

// trialOf: a database is that of a stage, "the test database": app_test, but not test_prod.
func trialOf(name, said string) bool {
	if !oneOf(trials, said) {
		return false
	}
	is := false
	for part := range strings.FieldsFuncSeq(strings.ToLower(name), func(c rune) bool { return c == '_' || c == '-' || c == '.' }) {
		if oneOf("prod production prd live staging stage", part) {
			return false
		}
		is = is || part == said
	}
	return is
}

// database: the database that goes is named, or, where the command names none, it is said to be one of those that are
// made to be thrown away.
func (sub subject) database(s *statement) bool {
	a := &sub.p.Acts[sub.act]
	if a.Prod || away(s.group) {
		return false
	}
	if a.Target != "" {
		return sub.tables(s)
	}
	return s.trialData()
}

// trialData: the clause is about a database of those that are made to be thrown away.
func (s *statement) trialData() bool {
	db, trial := false, false
	for _, w := range s.group {
		db = db || oneOf("database databases db", w.low)
		trial = trial || oneOf(trials, w.low)
	}
	return db && trial
}

// volumes: those of the project's own containers are meant, by that word or by the database that they hold here.
func (sub subject) volumes(s *statement) bool {
	a := &sub.p.Acts[sub.act]
	if a.Prod || away(s.group) || a.Target != "" && !s.names(a.Target) {
		return false
	}
	g := words(s.group)
	return sub.here() && (contains(g, "volume") || contains(g, "volumes") || s.trialData())
}

// storedHere: what a store on this machine is asked to delete is named: the last part of the request's path.
func (sub subject) storedHere(s *statement) bool {
	a := &sub.p.Acts[sub.act]
	port, i := a.Target, a.Command
	if name, _, _ := strings.Cut(port, ":"); a.Prod || !oneOf("localhost 127.0.0.1", name) || i < 0 || i >= len(sub.p.Script.Commands) || away(s.group) {
		return false
	}
	named := false
	for _, w := range sub.p.Script.Commands[i].Args {
		_, path, ok := strings.Cut(w.Text, port+"/")
		if !ok {
			continue
		}
		if named = s.names(path[strings.LastIndexByte(path, '/')+1:]); !named {
			return false
		}
	}
	return named && !sub.p.Script.Commands[i].Remote
}

// resources: each thing of a cluster that is taken down is called by its name.
func (sub subject) resources(s *statement) bool {
	a := &sub.p.Acts[sub.act]
	if a.Prod || a.Program != "kubectl" {
		return false
	}
	g, n := words(s.group), 0
	for w := range strings.FieldsSeq(strings.ToLower(a.Target)) {
		kind, name, ok := strings.Cut(w, "/")
		if !ok {
			name = kind
		}
		switch {
		case oneOf("pod pods po deployment deployments deploy namespace namespaces ns job jobs service services svc configmap configmaps cm ingress ingresses cronjob cronjobs", name):
		case strings.HasPrefix(name, "-") || !contains(g, name):
			return false
		default:
			n++
		}
	}
	return n > 0
}

// tables: every table or database of the statement is named.
func (sub subject) tables(s *statement) bool {
	n := 0
	for w := range strings.FieldsSeq(sub.p.Acts[sub.act].Target) {
		w = strings.Trim(w, "`\"[],()")
		if oneOf("table database schema if exists cascade restrict from only update", w) {
			continue
		}
		n++
		found := false
		for _, o := range s.objects {
			found = found || strings.EqualFold(o.text, w) || trialOf(w, o.low)
		}
		if !found {
			return false
		}
	}
	return n > 0
}
