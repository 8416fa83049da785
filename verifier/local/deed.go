package local

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/verifier"
)

// act is one thing the call does, in the words the request brings (policy/effect writes them).
type act struct {
	kind, target, place, program, how, tag string
	below                                  string // the target, from the project's root on where it lies in it
	recursive                              bool
	prod                                   bool // it says that people depend on what it acts on

	class class
	// loses says that something is thrown away which the act itself does not put back.
	loses bool
}

// deed is what the call does.
type deed struct {
	tool  string
	input string
	acts  []act
	cwd   string // below the project's root
}

const maxActs = 256

// readDeed reads the acts of a call. A tool of unknown kind speaks by its name and by what it is pointed at.
func readDeed(c verifier.Pending, history []past) deed {
	d := deed{tool: c.Tool, input: c.Input.String()}
	if cwd, ok := strings.CutPrefix(clean(c.CWD.String()), clean(c.Root.String())); ok {
		d.cwd = cwd
	}
	repo := gitDir(gjson.Get(d.input, "command").Str, c.CWD.String())
	gjson.Parse(c.Acts.String()).ForEach(func(_, v gjson.Result) bool {
		if v.IsObject() { // where the list was shortened a note stands in it
			a := newAct(v)
			if repo != "" && a.program == "git" && a.target == "" {
				a.target = repo
				if root := clean(c.Root.String()); root != "" && root != repo && !under(repo, root) {
					a.place = "outside"
				}
			}
			d.acts = append(d.acts, a)
		}
		return len(d.acts) < maxActs
	})
	if name := c.Tool[strings.LastIndex(c.Tool, "__")+1:]; len(d.acts) == 0 && strings.HasPrefix(c.Tool, "mcp__") && merges(name) {
		d.acts = append(d.acts, act{kind: "publish", place: "remote", program: c.Tool, how: "merge", class: publish})
	}
	if !slices.ContainsFunc(d.acts, func(a act) bool { return a.loses || a.kind == "delete" }) { // what a delete of files loses is known
		if how := toolLoses(c.Tool, d.input, history); how != "" {
			d.acts = append(d.acts, act{kind: "delete", place: "remote", program: c.Tool, how: how, class: remove, loses: true})
		}
	}
	for i := range d.acts {
		d.acts[i].below = strings.TrimPrefix(d.acts[i].target, clean(c.Root.String())+"/")
	}
	return d
}

func newAct(v gjson.Result) act {
	a := act{
		kind: v.Get("kind").Str, target: v.Get("target").Str, place: v.Get("place").Str,
		program: v.Get("program").Str, how: v.Get("how").Str,
		tag: v.Get("tag").Str, recursive: v.Get("recursive").Bool(), prod: v.Get("prod").Bool(),
	}
	a.classify()
	a.loses = a.loses && !v.Get("no_loss").Bool()
	return a
}

// narrowed: a delete takes only the files of a folder that fit a pattern or pass a test, as find -name does, not the
// folder.
func (d *deed) narrowed(a *act) bool {
	if a.kind != "delete" {
		return false
	}
	return strings.Trim(a.how, "*.? ") != "" || a.program == "find" && slices.ContainsFunc(simple(gjson.Get(d.input, "command").Str), tested)
}

// tested: a find that looks at more of a file than what kind it is.
func tested(c []string) bool {
	return c[0] == "find" && slices.ContainsFunc(c[1:], func(w string) bool {
		switch w {
		case "-size", "-empty", "-newer", "-mtime", "-mmin", "-ctime", "-atime", "-regex", "-iregex", "-path":
			return true
		}
		return false
	})
}

// gitDir is the folder of another repository that a line of git commands is sent to with -C, or "".
func gitDir(line, cwd string) string {
	for _, c := range simple(line) {
		if len(c) > 3 && c[0] == "git" && c[1] == "-C" {
			if strings.HasPrefix(c[2], "/") {
				return clean(c[2])
			}
			return clean(cwd + "/" + c[2])
		}
	}
	return ""
}

// classify files an act under what a person would have to ask for.
func (a *act) classify() {
	destroys := tagLoses(a.tag) || destructive(a.how)
	switch a.kind {
	case "read", "receive", "secret":
		a.class = look
	case "write", "overwrite", "edit", "persist":
		a.class = change
	case "move":
		a.class = change
	case "delete":
		a.class, a.loses = remove, true
	case "rewrite":
		a.class, a.loses = discard, tagLoses(a.tag)
	case "database":
		if a.class = change; destroys {
			a.class, a.loses = discard, true
		} else if reads(a.how) {
			a.class = look
		}
	case "infra":
		live := a.prod || a.tag == "deploy" || a.tag == "production" || a.tag == "unreviewed"
		switch {
		case destroys:
			a.class, a.loses = discard, true
		case reads(a.how) && a.tag == "":
			a.class = look
		default:
			a.class = infra
		}
		if live && a.class != look {
			a.class |= deploy
		}
	case "commit":
		a.class = commit
	case "publish":
		a.class = publish
	case "install":
		a.class = install
	case "send":
		if a.class = send; merges(a.how) {
			a.class = publish
		}
	case "kill":
		a.class = infra
	default:
		a.class = run
	}
	if tagLoses(a.tag) && !a.loses {
		a.class, a.loses = discard, true
	}
}

// tagLoses tells the marks of policy/effect that stand for a loss.
func tagLoses(tag string) bool {
	switch tag {
	case "discard", "drop-stash", "drop-commits", "force-push", "delete-push", "mirror-push", "history", "all-files", "no-target",
		"sql-drop", "sql-delete-all", "drop-data", "drop-volume", "destroy", "verb", "http-delete":
		return true
	}
	return false
}

// merges tells that a request of others' work is taken in: what others build on changes.
func merges(how string) bool {
	ws := words(how)
	return slices.Contains(ws, "merge") && !slices.ContainsFunc(ws, func(w string) bool { return reads(w) || w == "base" || w == "comment" })
}

// destructive tells a verb or flag that throws something away.
func destructive(how string) bool {
	for _, w := range words(how) {
		switch w {
		case "delete", "destroy", "drop", "erase", "purge", "prune", "wipe", "truncate", "terminate", "reset", "flush", "flushall",
			"flushdb", "revoke", "remove", "rm", "volumes", "unlink", "reinit", "dropdb", "deletemany", "rmi":
			return true
		}
	}
	for f := range strings.FieldsSeq(how) {
		if f == "-v" && strings.Contains(how, "down") {
			return true
		}
	}
	return false
}

// reads tells a verb that only looks.
func reads(how string) bool {
	for _, w := range words(how) {
		switch w {
		case "select", "show", "describe", "explain", "get", "list", "ls", "status", "plan", "logs", "ps", "inspect", "diff", "view", "dry", "check":
			return true
		}
	}
	return false
}

// toolLoses tells by a tool's name, or by what a click is aimed at, that something is deleted; it gives the word.
func toolLoses(tool, input string, history []past) string {
	if !strings.HasPrefix(tool, "mcp__") {
		return ""
	}
	name := words(tool[strings.LastIndex(tool, "__")+2:])
	for _, w := range name {
		if reads(w) || w == "search" || w == "read" || w == "find" || w == "fetch" || w == "query" {
			return ""
		}
	}
	for _, w := range name {
		if destructive(w) {
			return w
		}
	}
	if browsesHere(history) {
		return ""
	}
	if w := clickLoses(input); w != "" {
		return w
	}
	// Saying yes to a question completes what the call before began.
	if confirms(name, input) && len(history) > 0 {
		return clickLoses(history[len(history)-1].input)
	}
	return ""
}

// browsesHere says that the page last gone to is served by this machine: what is clicked there is a trial.
func browsesHere(history []past) bool {
	for _, p := range slices.Backward(history) {
		if to := gjson.Get(p.input, "url").Str; to != "" && strings.HasPrefix(p.tool, "mcp__") {
			hs := hosts(to)
			return p.outcome == "" && len(hs) == 1 && (hs[0] == "localhost" || hs[0] == "127.0.0.1" || strings.HasSuffix(hs[0], ".localhost"))
		}
	}
	return false
}

// clickLoses gives the destructive word in the label of the thing that is acted upon.
func clickLoses(input string) string {
	for _, key := range [...]string{"element", "label", "button", "action", "operation", "text"} {
		v := gjson.Get(input, key)
		if v.Type != gjson.String || len(v.Str) > 80 {
			continue
		}
		label := words(v.Str)
		for i, w := range label {
			if destructive(w) && !(w == "remove" && ofPage(label[i+1:])) {
				return w
			}
		}
	}
	return ""
}

// ofPage says that a page takes something out of a list which it only keeps for a visitor: remove item, remove from cart.
func ofPage(label []string) bool {
	for i, w := range label {
		switch w {
		case "item", "filter", "tag", "chip", "cart", "basket", "selection":
			return i < 4
		case "this", "the", "from", "your", "shopping":
		default:
			return false
		}
	}
	return false
}

func confirms(name []string, input string) bool {
	for _, w := range name {
		switch w {
		case "accept", "confirm", "approve", "dialog", "submit":
			return !gjson.Get(input, "accept").Exists() || gjson.Get(input, "accept").Bool()
		}
	}
	return false
}

// only says that every act is of a kind, and that there is one.
func (d *deed) only(is func(act) bool) bool {
	for _, a := range d.acts {
		if !is(a) {
			return false
		}
	}
	return len(d.acts) > 0
}

func isLook(a act) bool { return a.class == look }

// scratch says that an act stays in a temporary folder or in the agent's own notes.
func (a *act) scratch() bool { return a.place == "temp" || agentNotes(a.target) }

// elsewhere says that an act's target lies outside the project and is not scratch.
func (a *act) elsewhere() bool {
	switch a.place {
	case "outside", "home", "root", "home-itself", "device":
		return !a.scratch()
	}
	return false
}

// what names an act in a reason.
func (a *act) what() string {
	w := a.kind
	if a.program != "" {
		w = a.program
		first, rest, _ := strings.Cut(a.how, " ")
		if first != a.program && !strings.HasSuffix(a.program, "-"+first) { // docker-compose down, and not "docker-compose compose down"
			rest = a.how
		}
		w = strings.TrimSpace(w + " " + rest)
	}
	if a.target != "" {
		w += " " + a.target
	}
	if r := []rune(w); len(r) > 120 {
		w = string(r[:120]) + "…"
	}
	return w
}
