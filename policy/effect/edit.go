package effect

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/stepgate/stepgate/hook/agent"
	"github.com/stepgate/stepgate/policy/shell"
)

// maxLeaves bounds what is read of an unknown tool's input.
const maxLeaves = 500

// reads are tools that look: files and folders, never more than that.
func (r *reader) reads(c agent.Call) {
	for _, p := range c.Paths {
		t := r.written(nil, shell.Word{Text: p, Known: true})
		a := Act{Kind: Read, Target: t.real, Place: t.place, Program: c.Tool}
		if tag := secretTag(t.real); tag != "" && (c.Capability == agent.Read || showsLines(c)) {
			a.Kind, a.Tag = Secret, tag
		}
		r.add(a)
		if a.Kind == Secret {
			r.changes = true
		}
	}
	if glob := gjson.Get(c.Input, "glob").Str; showsLines(c) && glob != "" {
		name := strings.TrimRight(glob[strings.LastIndexByte(glob, '/')+1:], "*?{}")
		if tag := secretTag("/" + name); tag != "" && !strings.HasPrefix(name, "*") {
			r.add(Act{Kind: Secret, Tag: tag, Target: glob, Program: c.Tool})
			r.changes = true
		}
	}
}

// showsLines: a search that gives the lines it found, and not only the names of their files.
func showsLines(c agent.Call) bool {
	return c.Capability == agent.Search && gjson.Get(c.Input, "output_mode").Str == "content"
}

// tool reads every tool that is neither a shell nor plainly a reader.
func (r *reader) tool(c agent.Call) {
	r.changes = c.Capability != agent.Fetch
	for _, e := range c.Edits {
		r.edit(c, e)
	}
	switch {
	case c.Capability == agent.Fetch:
		url := gjson.Get(c.Input, "url").String()
		r.add(Act{Kind: Receive, Target: host(url), Place: Remote, Program: c.Tool})
		if LiveSecret(url) {
			r.add(Act{Kind: Send, Tag: SecretSent, Target: host(url), Place: Remote, Program: c.Tool})
		}
		r.changes = false
	case c.Capability == agent.Other || c.Capability == "":
		r.unknownTool(c)
	}
}

// edit reads one change to one file.
func (r *reader) edit(c agent.Call, e agent.Edit) {
	t := r.written(nil, shell.Word{Text: e.Path, Known: true})
	switch e.Op {
	case agent.Delete:
		r.removeTool(c, e.Path)
	case agent.Move:
		r.removeMoved(c, e.Path)
		r.writes(nil, r.written(nil, shell.Word{Text: e.To, Known: true}), Overwrite, file{text: e.New, known: e.New != ""})
	case agent.Update:
		r.update(c, t, e)
	default:
		r.writes(nil, t, Overwrite, file{text: e.New, known: true})
	}
}

func (r *reader) removeTool(_ agent.Call, path string) {
	t := r.target(nil, shell.Word{Text: path, Known: true})
	r.remove(nil, t, true, filter{}) // a tool that deletes a folder needs no flag for it
}

func (r *reader) removeMoved(_ agent.Call, path string) {
	t := r.target(nil, shell.Word{Text: path, Known: true})
	if !r.guardTouch(t, false) {
		r.add(Act{Kind: Move, Target: t.real, Place: t.place})
	}
}

// update is an edit in place: what it replaces is in the call, so nothing is lost. Settings are compared as they would
// be after the edit.
func (r *reader) update(_ agent.Call, t target, e agent.Edit) {
	a := Act{Kind: Edit, Target: t.real, Place: t.place, Tag: fileTag(r.w, t)}
	i := r.add(a)
	settings := r.w.isSettings(t.real) || r.w.isSettings(t.path)
	if !settings {
		r.contents(i, t, file{text: e.New, known: true})
		return
	}
	old := readBounded(t.real)
	if e.Old != "" && strings.Contains(old, e.Old) {
		r.acts[i].settings(old, strings.Replace(old, e.Old, e.New, 1))
		return
	}
	if touchesHooks(e.Old) && !keepsHooks(e.Old, e.New) {
		r.acts[i].mark(GuardHook)
		return
	}
	r.acts[i].mark(tampers("", e.New))
}

// touchesHooks: the words of a hook entry, for edits whose file is not at hand.
func touchesHooks(s string) bool {
	return strings.Contains(s, "stepgate") || strings.Contains(s, "PreToolUse") || strings.Contains(s, `"hooks"`)
}

func keepsHooks(old, now string) bool {
	for _, w := range [...]string{"stepgate", `PreToolUse"`, `"hooks"`} {
		if strings.Count(now, w) < strings.Count(old, w) {
			return false
		}
	}
	return true
}

// unknownTool reads a tool the gate has no reader for by the fields of its input: a command or code inside it, a query,
// a path that is written, and the verbs of its name.
func (r *reader) unknownTool(c agent.Call) {
	verb := toolVerb(c.Tool)
	r.toolCode(c)
	n := 0
	sends := sendingTool(c.Tool, verb)
	live := ""
	eachLeaf(gjson.Parse(c.Input), "", 0, &n, func(key, val string) {
		low := strings.ToLower(key)
		switch {
		case in(low, "query querystring") && in(verb, "search find list lookup browse"): // words to look for
		case in(low, "query sql statement sql_query querystring"):
			r.statements(c.Tool, val)
		case in(low, "environment env stage project service app target cluster namespace deployment instance database branch_name") && prod(val):
			live = val
		case sends && LiveSecret(val):
			r.add(Act{Kind: Send, Tag: SecretSent, Target: c.Tool, Place: Remote, Program: c.Tool})
		}
	})
	switch {
	case in(verb, destroying), in(verb, "remove uninstall revoke") && strings.HasPrefix(c.Tool, "mcp__"):
		r.toolDelete(c, verb)
	case r.toolShips(c, verb):
	case strings.HasPrefix(c.Tool, "mcp__") && namesWord(c.Tool, "refund refunds payout") && in(verb, "create issue send make"),
		verb == "cancel" && namesWord(c.Tool, "subscription subscriptions order orders invoice booking"),
		verb == "clean" && namesWord(c.Tool, "git") && !gjson.Get(c.Input, "dryRun").Bool() && !gjson.Get(c.Input, "dry_run").Bool():
		r.add(Act{Kind: Infra, Tag: VerbDestroy, Program: c.Tool, How: verb})
	case verb == "publish" && namesWord(c.Tool, "npm pypi crates package gem nuget"):
		r.add(Act{Kind: Publish, Tag: Release, Place: Remote, Program: c.Tool, How: verb})
	case live != "" && in(verb, changingVerbs):
		r.add(Act{Kind: Infra, Tag: Prod, Program: c.Tool, How: verb, Target: clip(live, 40)})
	case verb == "reset" || verb == "truncate":
		r.add(Act{Kind: Infra, Tag: VerbDestroy, Program: c.Tool, How: verb})
	case in(verb, "list get read search find describe fetch show view query status count explain inspect check lookup browse resolve"):
		if !sends && len(r.acts) == 0 {
			r.changes = false
		}
	case sends:
		r.add(Act{Kind: Send, Target: c.Tool, Place: Remote, Program: c.Tool, How: verb})
	}
}

// namesWord: one of the words stands in a tool's name.
func namesWord(tool, words string) bool {
	for part := range strings.FieldsFuncSeq(strings.ToLower(tool), func(c rune) bool { return c == '_' || c == '-' || c == '.' }) {
		if in(part, words) {
			return true
		}
	}
	return false
}

// toolShips reads tools that push, apply or deploy, which their names tell; what their inputs say of force and stage
// decides how far that goes.
func (r *reader) toolShips(c agent.Call, verb string) bool {
	if !strings.HasPrefix(c.Tool, "mcp__") {
		return false
	}
	low := strings.ToLower(c.Tool)
	name := low[strings.LastIndex(low, "__")+2:]
	isSet := func(keys string) bool {
		for k := range strings.FieldsSeq(keys) {
			if v := gjson.Get(c.Input, k); v.Type == gjson.True || in(strings.ToLower(v.Str), "true yes force") {
				return true
			}
		}
		return false
	}
	branch := strings.TrimSpace(gjson.Get(c.Input, "remote").Str + " " + gjson.Get(c.Input, "branch").Str)
	switch {
	case verb == "push" || hasSuffix(name, "_push", "-push"):
		a := Act{Kind: Publish, Target: clip(branch, 60), Place: Remote, Program: c.Tool, How: "push"}
		if !isSet("force forcePush force_push --force") && !strings.Contains(c.Input, "--force\"") && !strings.Contains(c.Input, `"-f"`) {
			r.add(a)
			return true
		}
		a.Tag, a.Force, a.How = ForcePush, true, "push --force"
		i := r.add(a)
		r.lookAt(i, func(*looker) []Effect {
			return []Effect{{Kind: "commits", Target: branch, Unknown: "what is there cannot be seen from here"}}
		})
	case verb == "apply" && (strings.Contains(name, "terraform") || strings.Contains(name, "tofu") || strings.Contains(low, "terraform")), isSet("auto_approve autoApprove"):
		r.add(Act{Kind: Infra, Tag: Unreviewed, Program: c.Tool, How: verb})
	case in(verb, "deploy redeploy promote rollout"):
		where := stage(inputWords(c.Input))
		a := Act{Kind: Infra, Tag: Deploy, Program: c.Tool, How: verb, Target: where}
		if isSet("prod production deployToProduction") || where == "" && !isSet("preview draft dry_run dryRun") {
			a.Tag = Prod
		}
		r.add(a)
	case in(verb, "apply rollback release publish upgrade"):
		r.add(Act{Kind: Infra, Tag: Deploy, Program: c.Tool, How: verb, Target: stage(inputWords(c.Input))})
		return in(verb, "apply rollback upgrade")
	default:
		return false
	}
	return true
}

// inputWords are the short texts of a tool's input.
func inputWords(input string) []string {
	var ws []string
	n := 0
	eachLeaf(gjson.Parse(input), "", 0, &n, func(_, val string) {
		if len(val) < 80 {
			ws = append(ws, val)
		}
	})
	return ws
}

// toolDelete is a tool that deletes: a file where the input names a path, otherwise something elsewhere.
func (r *reader) toolDelete(c agent.Call, verb string) {
	for _, k := range [...]string{"path", "file_path", "filepath", "directory", "target"} {
		if p := gjson.Get(c.Input, k).String(); p != "" && strings.ContainsAny(p, `/\.`) {
			t := r.target(nil, shell.Word{Text: p, Known: true})
			r.remove(nil, t, true, filter{})
			return
		}
	}
	r.add(Act{Kind: Infra, Tag: VerbDestroy, Program: c.Tool, How: verb})
}

// toolCode reads shell lines and code inside the input of a tool that is no shell by name: a session's typed characters,
// an MCP server's command, alone or with its arguments beside it, at the top or in an object of parameters.
func (r *reader) toolCode(c agent.Call) {
	if r.toolLine(c.Input) {
		return
	}
	for _, k := range [...]string{"params", "parameters", "arguments", "args", "input", "options"} {
		if v := gjson.Get(c.Input, k); v.IsObject() && r.toolLine(v.Raw) {
			return
		}
	}
	if page := gjson.Get(c.Input, "script").Str + gjson.Get(c.Input, "function").Str; page != "" {
		r.pageCode(page)
	}
	for _, f := range gjson.Get(c.Input, "files").Array() { // files that are put elsewhere
		if path := f.Get("path").Str; path != "" && strings.HasPrefix(c.Tool, "mcp__") {
			r.projectFile(r.add(Act{Kind: Write, Target: path, Place: Remote, Program: c.Tool}), "/"+path, clipBytes(f.Get("content").Str, maxScript))
		}
	}
	if code := gjson.Get(c.Input, "code").String(); code != "" && namesWord(c.Tool+"_"+gjson.Get(c.Input, "language").Str, "js node javascript typescript deno bun") {
		r.code(&shell.Command{}, &nodeCalls, code)
	} else if code != "" && runsPython(c) {
		for line := range strings.Lines(code) {
			if sh, ok := strings.CutPrefix(strings.TrimSpace(line), "!"); ok { // a notebook's way to the shell
				r.nested(sh, "")
			}
		}
		r.code(&shell.Command{}, &pythonCalls, code)
	}
}

// pageCode reads a script that a browser runs in a page, where a person may be signed in.
func (r *reader) pageCode(script string) {
	for _, w := range [...]string{"document.cookie", "localStorage", "sessionStorage"} {
		if !strings.Contains(script, w) {
			continue
		}
		for _, send := range [...]string{"fetch(", "sendBeacon(", "XMLHttpRequest", "WebSocket(", ".src="} {
			if _, url, ok := strings.Cut(script, "://"); ok && strings.Contains(script, send) && !isLocal(host("x://"+url)) {
				r.tellRemote(Send, SecretSent, "a page's "+w, host("x://"+url))
				return
			}
		}
	}
}

// runsPython tells a tool whose code is Python unless its input names another language.
func runsPython(c agent.Call) bool {
	name := strings.ToLower(c.Tool)
	for _, k := range [...]string{"python", "jupyter", "notebook", "ide__executecode"} {
		if strings.Contains(name, k) {
			return true
		}
	}
	return strings.Contains(strings.ToLower(gjson.Get(c.Input, "language").String()), "python")
}

// toolLine reads the shell line of an input.
func (r *reader) toolLine(input string) bool {
	for _, k := range [...]string{"command", "cmd", "chars", "shell_command", "script", "bash", "commandLine", "cli_command", "argv"} {
		v := gjson.Get(input, k)
		switch {
		case v.Type == gjson.String && v.Str != "":
			line := v.Str
			if args := gjson.Get(input, "args"); args.IsArray() {
				line += " " + quoteWords(stringsOf(args))
			}
			if p := toolProgram(r.call.Tool); !strings.HasPrefix(line, p) {
				line = p + line
			}
			s := shell.Read(line, r.options(r.dir(nil)))
			r.script = s
			r.guardText(line)
			r.commands(s.Commands)
			r.flows()
			if len(s.Unsure) > 0 && dangerousText(line) {
				r.add(Act{Kind: Opaque, Tag: Unreadable, Unsure: s.Unsure[0]})
			}
			return true
		case v.IsArray():
			r.nested(quoteWords(stringsOf(v)), "")
			return true
		}
	}
	return false
}

// toolProgram is the program whose words a tool takes without its name.
func toolProgram(tool string) string {
	switch {
	case !strings.HasPrefix(tool, "mcp__"):
	case namesWord(tool, "redis valkey"):
		return "redis-cli "
	case strings.Contains(strings.ToLower(tool), "terraformcommand"), strings.HasSuffix(strings.ToLower(tool), "terraform_command"):
		return "terraform "
	}
	return ""
}

// stringsOf are the elements of a list as texts.
func stringsOf(list gjson.Result) []string {
	var ws []string
	list.ForEach(func(_, x gjson.Result) bool {
		ws = append(ws, x.String())
		return true
	})
	return ws
}

// toolVerb is the verb in a tool's name: the first word of its last part, or the last.
func toolVerb(tool string) string {
	if i := strings.LastIndex(tool, "__"); i >= 0 {
		tool = tool[i+2:]
	}
	var b strings.Builder
	for i, c := range tool {
		if c >= 'A' && c <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	parts := strings.FieldsFunc(b.String(), func(c rune) bool { return c == '_' || c == '-' || c == '.' })
	for _, p := range parts {
		if in(p, destroying) || in(p, removing) || in(p, looking) || in(p, changingVerbs) {
			return p
		}
	}
	if len(parts) > 0 {
		return parts[0]
	}
	return ""
}

// sendingTool: a tool whose text others can read.
func sendingTool(tool, verb string) bool {
	return strings.HasPrefix(tool, "mcp__") && (in(verb, "send post create save add reply comment publish update write upload share push submit message email notify insert append set put") || verb == "")
}

// eachLeaf walks the strings of a JSON document, bounded in number and depth.
func eachLeaf(v gjson.Result, key string, depth int, n *int, f func(key, val string)) {
	if *n >= maxLeaves || depth > 20 {
		return
	}
	if !v.IsObject() && !v.IsArray() {
		*n++
		if v.Type == gjson.String {
			f(key, v.Str)
		}
		return
	}
	v.ForEach(func(k, x gjson.Result) bool {
		name := key
		if v.IsObject() {
			name = k.Str
		}
		eachLeaf(x, name, depth+1, n, f)
		return *n < maxLeaves
	})
}
