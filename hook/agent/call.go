package agent

import (
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"
)

// MaxEdits bounds the edits and the paths that are read from one call; a call with more is Unsure.
const MaxEdits = 1000

const (
	unsureInput = "the input is not a JSON object"
	unsureDeep  = "the input nests too deep to be read whole"
	unsureMany  = "the call names more files or edits than are read"
)

// NewCall makes a Call from a tool's input. Whatever is wrong with the input makes the Call Unsure, never an error.
func NewCall(id, tool, input, cwd string) Call {
	if len(input) > MaxPayload {
		c := newCall(id, tool, "", cwd)
		c.Unsure = "the input is too large to be read"
		return c
	}
	clean, cut, err := canon(input)
	c := newCall(id, tool, clean, cwd)
	switch {
	case cut:
		c.Unsure = unsureDeep
	case err != nil:
		c.Unsure = unsureInput
	}
	return c
}

// Field gives one member of the input by its gjson path: a string's value, or the raw JSON of anything else.
func (c Call) Field(path string) string { return gjson.Get(c.Input, path).String() }

// unsure notes why the call could not be read whole; the first reason stays.
func (c *Call) unsure(why string) {
	if c.Unsure == "" {
		c.Unsure = why
	}
}

// newCall makes a Call from an input that is already canonical, of any type or empty.
func newCall(id, name, input, cwd string) Call {
	t := lookup(name)
	c := Call{ID: id, Tool: name, Capability: t.capability, Input: input, CWD: cwd}
	if !strings.HasPrefix(input, "{") {
		c.Input = "{}"
		c.unsure(unsureInput)
		if input != "" && input != "null" {
			c.Input = `{"input":` + input + "}"
		}
	}
	if t.capability == Plan || t.capability == Task || t.capability == Fetch {
		return c
	}
	var in inputs
	gjson.Parse(c.Input).ForEach(in.take)
	switch t.capability {
	case Shell:
		c.readShell(t, &in)
	case Write:
		c.readWrite(t, &in)
	case Read, Search:
		c.Paths = in.paths
	}
	if in.full {
		c.unsure(unsureMany)
	}
	return c
}

func (c *Call) readShell(t tool, in *inputs) {
	switch t.shape {
	case ps:
		c.Dialect = PowerShell
	case bat:
		c.Dialect = Cmd
	case workdir:
		if in.dir != "" && !filepath.IsAbs(in.dir) {
			in.dir = filepath.Join(c.CWD, in.dir)
		}
		if in.dir != "" {
			c.CWD = in.dir
		}
	}
	lines := in.commands()
	if len(lines) == 0 {
		if _, mcp := mcpTool(c.Tool); mcp {
			c.Capability = Other
			return
		}
		c.unsure("no command line in the input")
		return
	}
	if len(lines) > 1 {
		c.unsure("the input holds more than one command line")
	}
	c.Command = strings.Join(lines, "\n")
	if args := gjson.Get(c.Input, "args"); args.IsArray() { // a program in one member, its arguments in another
		var words []string
		each(args, func(v gjson.Result) { words = append(words, v.String()) })
		c.Command += " " + quoteWords(words)
	}
}

func (c *Call) readWrite(t tool, in *inputs) {
	switch t.shape {
	case patch:
		c.readPatch()
		return
	case editor:
		switch lines := in.commands(); {
		case len(lines) > 0 && lines[0] == "view":
			c.Capability, c.Paths = Read, in.paths
			return
		case len(lines) == 0 || lines[0] != "create":
			t.shape = updates
		}
	case folder:
		c.Paths = in.paths
	case copies:
		c.Paths = in.paths
		c.edit(Edit{Op: WriteFile, Path: in.to})
	case moves:
		for _, p := range in.paths {
			c.edit(Edit{Op: Move, Path: p, To: in.to})
		}
	case deletes:
		for _, p := range in.paths {
			c.edit(Edit{Op: Delete, Path: p})
		}
	}
	if t.shape == plain || t.shape == updates || t.shape == editor {
		c.readEdits(t, in)
	}
	if len(c.Edits) > 0 || len(c.Paths) > 0 {
		return
	}
	if _, mcp := mcpTool(c.Tool); mcp {
		c.Capability = Other // it writes somewhere else than to files
		return
	}
	c.unsure("no file is named in the input")
}

// readEdits reads a text for a file, or a list of texts for one or several.
func (c *Call) readEdits(t tool, in *inputs) {
	if in.hasNew || in.hasOld || len(in.edits) == 0 {
		for _, p := range in.paths {
			op := WriteFile
			if t.shape == updates || in.hasOld {
				op = Update
			}
			c.edit(Edit{Op: op, Path: p, Old: in.old, New: in.new})
		}
	}
	for _, e := range in.edits {
		var sub inputs
		e.ForEach(sub.take)
		if len(sub.paths) == 0 {
			sub.paths = in.paths
		}
		for _, p := range sub.paths {
			op := Update
			if t.shape != updates && !sub.hasOld {
				op = WriteFile
			}
			c.edit(Edit{Op: op, Path: p, Old: sub.old, New: sub.new})
		}
	}
}

// edit adds an edit that names a file.
func (c *Call) edit(e Edit) {
	switch {
	case e.Path == "":
	case len(c.Edits) == MaxEdits:
		c.unsure(unsureMany)
	default:
		c.Edits = append(c.Edits, e)
	}
}

// readPatch reads the patch of an apply_patch call, whose text stands in "command" (Codex), "input" or "patch".
func (c *Call) readPatch() {
	found := false
	for _, name := range [...]string{"command", "input", "patch"} {
		v := gjson.Get(c.Input, name)
		if v.Type != gjson.String {
			continue
		}
		if found {
			c.unsure("the input holds more than one patch")
		}
		found = true
		edits, err := ParsePatch(v.Str)
		if err != nil {
			c.unsure(err.Error())
			continue
		}
		for _, e := range edits {
			c.edit(e)
		}
	}
	if !found {
		c.unsure("no patch in the input")
	}
}

// inputs are the members of an input by what they are for.
type inputs struct {
	paths          []string
	to, dir        string
	old, new       string
	hasOld, hasNew bool
	edits          []gjson.Result
	lines          [len(lineNames)]line
	full           bool
}

type line struct {
	text string
	set  bool
}

// lineNames are the members that hold a command line; where there are several, the first here is the likeliest to run.
var lineNames = [...]string{"command", "cmd", "commandline", "shellcommand", "script", "commands", "chars"}

// take keeps one member of an input. Values of a type that does not fit are left out.
func (in *inputs) take(key, value gjson.Result) bool {
	name := fold(key.Str)
	switch roleOf(name) {
	case pathRole:
		in.takePaths(value)
	case toRole:
		in.to = text(value)
	case oldRole:
		in.old, in.hasOld = text(value), true
	case newRole:
		in.new, in.hasNew = text(value), true
	case dirRole:
		in.dir = text(value)
	case editRole:
		in.takeEdits(value)
	case lineRole:
		in.takeLine(name, value)
	}
	return true
}

func (in *inputs) takePaths(value gjson.Result) {
	each(value, func(v gjson.Result) {
		switch {
		case v.IsObject():
			in.takeEdits(v)
		case v.Type != gjson.String || v.Str == "":
		case len(in.paths) == MaxEdits:
			in.full = true
		default:
			in.paths = append(in.paths, v.Str)
		}
	})
}

func (in *inputs) takeEdits(value gjson.Result) {
	each(value, func(v gjson.Result) {
		switch {
		case v.Type == gjson.String: // an edit told in words
			in.new, in.hasNew = v.Str, true
		case !v.IsObject():
		case len(in.edits) == MaxEdits:
			in.full = true
		default:
			in.edits = append(in.edits, v)
		}
	})
}

func (in *inputs) takeLine(name string, value gjson.Result) {
	l := line{set: true}
	switch {
	case value.Type == gjson.String:
		l.text = value.Str
	case value.IsArray():
		var words []string
		value.ForEach(func(_, v gjson.Result) bool {
			words = append(words, v.String())
			return true
		})
		if name == "commands" {
			l.text = strings.Join(words, "\n")
		} else {
			l.text = quoteWords(words)
		}
	default:
		return
	}
	for i, n := range lineNames {
		if n == name {
			in.lines[i] = l
		}
	}
}

// commands are the command lines, the likeliest first.
func (in *inputs) commands() []string {
	var all []string
	for _, l := range in.lines {
		if l.set {
			all = append(all, l.text)
		}
	}
	return all
}

// each calls f for each element of an array, or for the value itself.
func each(value gjson.Result, f func(gjson.Result)) {
	if !value.IsArray() {
		f(value)
		return
	}
	value.ForEach(func(_, v gjson.Result) bool {
		f(v)
		return true
	})
}

// text is the value of a string, or of a list of strings as lines (a notebook's cell).
func text(value gjson.Result) string {
	if value.Type == gjson.String {
		return value.Str
	}
	var b strings.Builder
	if value.IsArray() {
		value.ForEach(func(_, v gjson.Result) bool {
			b.WriteString(v.String())
			return true
		})
	}
	return b.String()
}

// quoteWords writes the words of a command as a line that a POSIX shell reads as those words.
func quoteWords(words []string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if w != "" && strings.IndexFunc(w, needsQuotes) < 0 {
			b.WriteString(w)
			continue
		}
		b.WriteByte('\'')
		b.WriteString(strings.ReplaceAll(w, "'", `'\''`))
		b.WriteByte('\'')
	}
	return b.String()
}

func needsQuotes(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		return false
	}
	return !strings.ContainsRune("%+,-./:@_", r)
}
