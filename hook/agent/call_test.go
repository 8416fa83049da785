package agent

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestToolsSorted(t *testing.T) {
	for i, tool := range tools {
		if tool.name != fold(tool.name) {
			t.Errorf("%q is not folded", tool.name)
		}
		if i > 0 && tools[i-1].name >= tool.name {
			t.Errorf("%q stands before %q", tools[i-1].name, tool.name)
		}
	}
	for _, name := range lineNames {
		if roleOf(name) != lineRole {
			t.Errorf("%q has a place among command lines and no role", name)
		}
	}
}

func TestCapabilityOf(t *testing.T) {
	for _, c := range []struct {
		want  Capability
		names string
	}{
		{Shell, "Bash bash BASH shell execute terminal exec_command run_terminal_cmd runTerminalCmd run_command PowerShell pwsh cmd write_stdin functions.shell container.exec Monitor run_shell_command mcp__desktop__execute_command"},
		{Write, "Write Edit MultiEdit NotebookEdit apply_patch applyPatch str_replace_editor str_replace_based_edit_tool write_file edit_file create_file replace delete_file move_file mcp__filesystem__write_file mcp__fs__edit_file MCP__fs__create-directory"},
		{Read, "Read NotebookRead view_image LS read_file open_file list_directory mcp__filesystem__read_text_file"},
		{Search, "Glob Grep search search_code codebase_search mcp__filesystem__search_files"},
		{Fetch, "WebFetch WebSearch web_fetch web_search fetch"},
		{Task, "Agent Task spawn_agent"},
		{Plan, "TodoWrite TodoRead update_plan ExitPlanMode EnterPlanMode AskUserQuestion ListAgents TaskOutput"},
		{Other, "mcp__demo__delete_rows mcp__github__search mcp__x__execute mcp__x__fetch mcp__x__task mcp__bash__query Skill Workflow SendMessage unknown bashh mcp__ mcp____"},
	} {
		for _, name := range strings.Fields(c.names) {
			if got := CapabilityOf(name); got != c.want {
				t.Errorf("%s is %s, want %s", name, got, c.want)
			}
		}
	}
	if got := CapabilityOf(""); got != Other {
		t.Errorf("a tool without a name is %s", got)
	}
	if got := CapabilityOf(strings.Repeat("bash", 1000)); got != Other {
		t.Errorf("a tool with a long name is %s", got)
	}
}

func TestNewCall(t *testing.T) {
	const inputBad, inputDeep = unsureInput, unsureDeep
	for _, c := range []struct {
		name, tool, input string
		want              Call // ID, Tool and Input are not compared where Input is empty
	}{
		{"a command", "Bash", `{"command":"ls -l","description":"List"}`, Call{Capability: Shell, Command: "ls -l"}},
		{"the last of two", "Bash", `{"command":"ls","command":"rm x"}`, Call{Capability: Shell, Command: "rm x", Input: `{"command":"rm x"}`}},
		{"an empty command", "Bash", `{"command":""}`, Call{Capability: Shell}},
		{"no command", "Bash", `{}`, Call{Capability: Shell, Unsure: "no command line in the input"}},
		{"a command of another type", "Bash", `{"command":{"a":1}}`, Call{Capability: Shell, Unsure: "no command line in the input"}},
		{"words", "shell", `{"command":["bash","-lc","echo 'a' $HOME"]}`, Call{Capability: Shell, Command: `bash -lc 'echo '\''a'\'' $HOME'`}},
		{"no words", "shell", `{"command":[]}`, Call{Capability: Shell}},
		{"an empty word", "shell", `{"command":["printf",""]}`, Call{Capability: Shell, Command: `printf ''`}},
		{"several commands", "execute", `{"commands":["cd a","rm b"]}`, Call{Capability: Shell, Command: "cd a\nrm b"}},
		{"a command beside another", "Bash", `{"cmd":"cat <<E","command":"rm x"}`, Call{Capability: Shell, Command: "rm x\ncat <<E", Unsure: "the input holds more than one command line"}},
		{"own folder", "exec_command", `{"cmd":"ls","workdir":"sub"}`, Call{Capability: Shell, Command: "ls", CWD: "/w/sub"}},
		{"own folder, absolute", "exec_command", `{"cmd":"ls","workdir":"/x"}`, Call{Capability: Shell, Command: "ls", CWD: "/x"}},
		{"a folder Bash does not know", "Bash", `{"command":"rm -r .","workdir":"/x"}`, Call{Capability: Shell, Command: "rm -r ."}},
		{"PowerShell", "PowerShell", `{"command":"rm -r x"}`, Call{Capability: Shell, Dialect: PowerShell, Command: "rm -r x"}},
		{"cmd.exe", "cmd", `{"command":"del x"}`, Call{Capability: Shell, Dialect: Cmd, Command: "del x"}},
		{"typed into a shell", "write_stdin", `{"session_id":1,"chars":"rm x\n"}`, Call{Capability: Shell, Command: "rm x\n"}},
		{"a shell in an MCP server", "mcp__box__bash", `{"command":"ls"}`, Call{Capability: Shell, Command: "ls"}},
		{"an MCP tool with the name of a shell", "mcp__db__shell", `{"query":"x"}`, Call{Capability: Other}},
		{"a patch through the shell stays a command", "Bash", `{"command":"apply_patch <<'E'\n*** Begin Patch\n*** End Patch\nE"}`, Call{Capability: Shell, Command: "apply_patch <<'E'\n*** Begin Patch\n*** End Patch\nE"}},

		{"Write", "Write", `{"file_path":"/a","content":"x"}`, edits(Edit{WriteFile, "/a", "", "", "x"})},
		{"Edit", "Edit", `{"file_path":"/a","old_string":"o","new_string":"n"}`, edits(Edit{Update, "/a", "", "o", "n"})},
		{"Edit without a text", "Edit", `{"file_path":"/a"}`, edits(Edit{Op: Update, Path: "/a"})},
		{"Edit without a file", "Edit", `{"new_string":"n"}`, Call{Capability: Write, Unsure: "no file is named in the input"}},
		{"Write to two files at once", "Write", `{"file_path":"/a","path":"/b","content":"x"}`, edits(Edit{WriteFile, "/a", "", "", "x"}, Edit{WriteFile, "/b", "", "", "x"})},
		{"MultiEdit", "MultiEdit", `{"file_path":"/a","edits":[{"old_string":"1","new_string":"2"},{"old_string":"3","new_string":""}]}`,
			edits(Edit{Update, "/a", "", "1", "2"}, Edit{Update, "/a", "", "3", ""})},
		{"edits of several files", "edit_file", `{"edits":[{"path":"a","oldText":"1","newText":"2"},{"path":"b","content":"3"}]}`,
			edits(Edit{Update, "a", "", "1", "2"}, Edit{Update, "b", "", "", "3"})},
		{"an edit told in words", "edit_file", `{"file":"a","changes":"remove the check"}`, edits(Edit{Update, "a", "", "", "remove the check"})},
		{"a notebook", "NotebookEdit", `{"notebook_path":"/n.ipynb","new_source":["a\n","b"],"edit_mode":"replace"}`, edits(Edit{Update, "/n.ipynb", "", "", "a\nb"})},
		{"camel case", "createFile", `{"filePath":"a","fileText":"x"}`, edits(Edit{WriteFile, "a", "", "", "x"})},
		{"editor views", "str_replace_editor", `{"command":"view","path":"/a"}`, Call{Capability: Read, Paths: []string{"/a"}}},
		{"editor creates", "str_replace_editor", `{"command":"create","path":"/a","file_text":"x"}`, edits(Edit{WriteFile, "/a", "", "", "x"})},
		{"editor replaces", "str_replace_based_edit_tool", `{"command":"str_replace","path":"/a","old_str":"o","new_str":"n"}`, edits(Edit{Update, "/a", "", "o", "n"})},
		{"editor does what is not said", "str_replace_editor", `{"path":"/a"}`, edits(Edit{Op: Update, Path: "/a"})},
		{"delete", "delete_file", `{"path":"a"}`, edits(Edit{Op: Delete, Path: "a"})},
		{"delete several", "delete_file", `{"paths":["a","b"]}`, edits(Edit{Op: Delete, Path: "a"}, Edit{Op: Delete, Path: "b"})},
		{"move", "mcp__filesystem__move_file", `{"source":"a","destination":"b"}`, edits(Edit{Op: Move, Path: "a", To: "b"})},
		{"copy", "copy_file", `{"source":"a","destination":"b"}`, Call{Capability: Write, Paths: []string{"a"}, Edits: []Edit{{Op: WriteFile, Path: "b"}}}},
		{"new folder", "mcp__filesystem__create_directory", `{"path":"a"}`, Call{Capability: Write, Paths: []string{"a"}}},
		{"a file elsewhere", "mcp__drive__create_file", `{"title":"a"}`, Call{Capability: Other}},

		{"patch of Codex", "apply_patch", `{"command":"*** Begin Patch\n*** Delete File: a\n*** End Patch"}`, edits(Edit{Op: Delete, Path: "a"})},
		{"patch of others", "apply_patch", `{"input":"*** Begin Patch\n*** Delete File: a\n*** End Patch"}`, edits(Edit{Op: Delete, Path: "a"})},
		{"patch that is none", "apply_patch", `{"command":"diff --git a/x b/x"}`, Call{Capability: Write, Unsure: errNoPatch.Error()}},
		{"no patch", "apply_patch", `{}`, Call{Capability: Write, Unsure: "no patch in the input"}},
		{"patch without an object", "apply_patch", `"*** Begin Patch\n*** Delete File: a\n*** End Patch"`, Call{
			Capability: Write, Edits: []Edit{{Op: Delete, Path: "a"}}, Unsure: inputBad,
			Input: `{"input":"*** Begin Patch\n*** Delete File: a\n*** End Patch"}`}},

		{"Read", "Read", `{"file_path":"/a","offset":1}`, Call{Capability: Read, Paths: []string{"/a"}}},
		{"Read several", "read_many_files", `{"paths":["a","",3,"b"]}`, Call{Capability: Read, Paths: []string{"a", "b"}}},
		{"image", "view_image", `{"path":"/a.png"}`, Call{Capability: Read, Paths: []string{"/a.png"}}},
		{"Grep", "Grep", `{"pattern":"x","path":"src"}`, Call{Capability: Search, Paths: []string{"src"}}},
		{"Glob here", "Glob", `{"pattern":"*.go"}`, Call{Capability: Search}},
		{"WebFetch", "WebFetch", `{"url":"https://a/"}`, Call{Capability: Fetch}},
		{"MCP", "mcp__demo__delete_rows", `{"table":"users"}`, Call{Capability: Other}},

		{"no input", "Bash", "", Call{Capability: Shell, Unsure: inputBad, Input: "{}"}},
		{"null", "Read", "null", Call{Capability: Read, Unsure: inputBad, Input: "{}"}},
		{"broken input", "Bash", `{"command":"rm x`, Call{Capability: Shell, Unsure: inputBad, Input: "{}"}},
		{"an array", "mcp__a__b", `[1,{"a":1,"a":2}]`, Call{Capability: Other, Unsure: inputBad, Input: `{"input":[1,{"a":2}]}`}},
		{"too deep", "Bash", `{"command":"ls","x":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`, Call{
			Capability: Shell, Command: "ls", Unsure: inputDeep,
			Input: `{"command":"ls","x":` + strings.Repeat("[", 127) + "null" + strings.Repeat("]", 127) + `}`}},
		{"names of objects' prototypes", "Bash", `{"__proto__":{"command":"rm x"},"command":"ls"}`, Call{Capability: Shell, Command: "ls"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := NewCall("id", c.tool, c.input, "/w")
			want := c.want
			want.ID, want.Tool = "id", c.tool
			if want.Input == "" {
				want.Input = c.input
			}
			if want.CWD == "" {
				want.CWD = "/w"
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("input %.300s\ngot  %+v\nwant %+v", c.input, got, want)
			}
		})
	}
}

func edits(e ...Edit) Call { return Call{Capability: Write, Edits: e} }

func TestNewCallBounds(t *testing.T) {
	list := func(n int, item string) string { return "[" + strings.Repeat(item+",", n) + item + "]" }
	for _, c := range []struct{ name, tool, input string }{
		{"edits", "MultiEdit", `{"file_path":"a","edits":` + list(MaxEdits, `{"old_string":"a","new_string":"b"}`) + `}`},
		{"paths", "read_many_files", `{"paths":` + list(MaxEdits, `"a"`) + `}`},
		{"edits of many paths", "edit_file", `{"paths":` + list(50, `"a"`) + `,"edits":` + list(50, `{"new_string":"b"}`) + `}`},
		{"files of a patch", "apply_patch", `{"command":"*** Begin Patch\n` + strings.Repeat(`*** Delete File: a\n`, MaxEdits+1) + `*** End Patch"}`},
		{"bytes", "Write", `{"file_path":"a","content":"` + strings.Repeat("a", MaxPayload) + `"}`},
	} {
		got := NewCall("", c.tool, c.input, "/w")
		if got.Unsure == "" || len(got.Edits) > MaxEdits || len(got.Paths) > MaxEdits {
			t.Errorf("too many %s: %d edits, %d paths, unsure %q", c.name, len(got.Edits), len(got.Paths), got.Unsure)
		}
	}
}

func TestField(t *testing.T) {
	c := NewCall("", "WebFetch", `{"url":"https://a/\u00e9","n":7,"list":[{"x":"y"}]}`, "")
	for path, want := range map[string]string{"url": "https://a/é", "n": "7", "list": `[{"x":"y"}]`, "list.0.x": "y", "none": ""} {
		if got := c.Field(path); got != want {
			t.Errorf("Field(%q) = %q, want %q", path, got, want)
		}
	}
}

// TestParsePatch: the cases about space, ends and here-documents are as Codex 0.171.0 was seen to take them; what it
// refuses may be read or refused here, but what it applies is read.
func TestParsePatch(t *testing.T) {
	wrap := func(lines ...string) string {
		return "*** Begin Patch\n" + strings.Join(lines, "\n") + "\n*** End Patch\n"
	}
	for _, c := range []struct {
		name, patch string
		want        []Edit
		err         error
	}{
		{"add", wrap("*** Add File: a b.txt", "+one", "+", "+two"), []Edit{{WriteFile, "a b.txt", "", "", "one\n\ntwo\n"}}, nil},
		{"add an empty file", wrap("*** Add File: a"), []Edit{{Op: WriteFile, Path: "a"}}, nil},
		{"delete", wrap("*** Delete File: /x/y"), []Edit{{Op: Delete, Path: "/x/y"}}, nil},
		{"update", wrap("*** Update File: a", "@@ func f()", " ctx", "-old", "+new", "", "@@", "-old2", "+new2", "*** End of File"), []Edit{{Update, "a", "", "old\nold2\n", "new\nnew2\n"}}, nil},
		{"move", wrap("*** Update File: a", "*** Move to: b/c", "@@", "-o", "+n"), []Edit{{Move, "a", "b/c", "o\n", "n\n"}}, nil},
		{"several files", wrap("*** Add File: a", "+1", "*** Delete File: b", "*** Update File: c", "@@", "-x"), []Edit{{WriteFile, "a", "", "", "1\n"}, {Op: Delete, Path: "b"}, {Update, "c", "", "x\n", ""}}, nil},
		{"markers in added text", wrap("*** Add File: a", "+*** Delete File: b", "+*** End Patch", "+end"), []Edit{{WriteFile, "a", "", "", "*** Delete File: b\n*** End Patch\nend\n"}}, nil},
		{"markers in context", wrap("*** Update File: a", "@@", " *** Delete File: b", " *** End Patch", "-x"), []Edit{{Update, "a", "", "x\n", ""}}, nil},
		{"marker with space before it", wrap("*** Add File: a", "+1", "  *** Delete File: b  "), []Edit{{WriteFile, "a", "", "", "1\n"}, {Op: Delete, Path: "b"}}, nil},
		{"a file twice", wrap("*** Update File: a", "@@", "-1", "*** Delete File: a"), []Edit{{Update, "a", "", "1\n", ""}, {Op: Delete, Path: "a"}}, nil},
		{"Windows lines", strings.ReplaceAll(wrap("*** Add File: a", "+1"), "\n", "\r\n"), []Edit{{WriteFile, "a", "", "", "1\n"}}, nil},
		{"here-document", "<<'EOF'\n" + wrap("*** Delete File: a") + "EOF\n", []Edit{{Op: Delete, Path: "a"}}, nil},
		{"space around", "\n  " + wrap("*** Delete File: a") + "\n\n", []Edit{{Op: Delete, Path: "a"}}, nil},
		{"no end", "*** Begin Patch\n*** Delete File: a", []Edit{{Op: Delete, Path: "a"}}, nil},
		{"environment", wrap("*** Environment ID: x", "*** Delete File: a"), []Edit{{Op: Delete, Path: "a"}}, nil},
		{"no end but in context", wrap("*** Update File: a", "@@", "-x", " *** End Patch"), []Edit{{Update, "a", "", "x\n", ""}}, nil},
		{"update without a place", wrap("*** Update File: a", "-x", "*** Delete File: b"), []Edit{{Update, "a", "", "x\n", ""}, {Op: Delete, Path: "b"}}, nil},
		{"space that is none of ASCII's", wrap("\u00a0*** Delete File: a\v"), []Edit{{Op: Delete, Path: "a"}}, nil},
		{"carriage return alone", wrap("*** Add File: a", "+x\r*** Delete File: b"), []Edit{{WriteFile, "a", "", "", "x\r*** Delete File: b\n"}}, nil},
		{"space inside a path", wrap("*** Delete File:  a"), []Edit{{Op: Delete, Path: " a"}}, nil},
		{"here-document in double quotes", "<<\"EOF\"\n" + wrap("*** Delete File: a") + "EOF", []Edit{{Op: Delete, Path: "a"}}, nil},
		{"nothing in it", wrap(), nil, nil},
		{"empty", "", nil, errNoPatch},
		{"unified diff", "--- a/x\n+++ b/x\n", nil, errNoPatch},
		{"text before", "hello\n" + wrap("*** Delete File: a"), nil, errNoPatch},
		{"text after", wrap("*** Delete File: a") + "*** Delete File: b", nil, errPatchLine},
		{"text of no file", wrap("+x"), nil, errPatchLine},
		{"text of a deleted file", wrap("*** Delete File: a", "+x"), nil, errPatchLine},
		{"an unknown marker", wrap("*** Copy File: a"), nil, errPatchLine},
		{"move of an added file", wrap("*** Add File: a", "*** Move to: b"), nil, errPatchLine},
		{"too many files", wrap(slices.Repeat([]string{"*** Delete File: a"}, MaxEdits+1)...), nil, errPatchMany},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ParsePatch(c.patch)
			if !reflect.DeepEqual(got, c.want) || err != c.err {
				t.Errorf("ParsePatch(%.300q)\ngot  %.500s, %v\nwant %.500s, %v", c.patch, fmt.Sprintf("%+v", got), err, fmt.Sprintf("%+v", c.want), c.err)
			}
		})
	}
}

// FuzzParsePatch: each file that a patch's text names under a marker at the start of a line is in the edits, or the
// patch is refused.
func FuzzParsePatch(f *testing.F) {
	for _, s := range []string{
		"*** Begin Patch\n*** Add File: a\n+x\n*** End Patch",
		"*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n z\n*** Delete File: c\n*** End Patch\n",
		"<<EOF\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF", "*** Begin Patch\n *** End Patch\n*** Delete File: x",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, patch string) {
		edits, err := ParsePatch(patch)
		if err != nil {
			if edits != nil {
				t.Errorf("edits beside %v", err)
			}
			return
		}
		for line := range strings.SplitSeq(patch, "\n") {
			for _, mark := range []string{"*** Add File: ", "*** Delete File: ", "*** Update File: "} {
				path, ok := strings.CutPrefix(line, mark)
				path = strings.TrimSpace(path)
				if ok && path != "" && !slices.ContainsFunc(edits, func(e Edit) bool { return strings.TrimSpace(e.Path) == path }) {
					t.Errorf("ParsePatch(%q) = %+v, without %q", patch, edits, path)
				}
			}
		}
	})
}

// FuzzNewCall: the input of a call is always one JSON object, and a call that could not be read says so.
func FuzzNewCall(f *testing.F) {
	for _, s := range []string{
		`{"command":"ls"}`, `{"command":["a","b"]}`, `{"file_path":"a","edits":[{"old_string":"x"}]}`, `null`, `[]`, `{`,
		`{"paths":["a"],"files":[{"path":"b"}]}`, `{"command":"*** Begin Patch\n*** Delete File: a"}`,
	} {
		for _, tool := range []string{"Bash", "MultiEdit", "apply_patch", "Read", "str_replace_editor", "mcp__a__b"} {
			f.Add(tool, s)
		}
	}
	f.Fuzz(func(t *testing.T, tool, input string) {
		c := NewCall("", tool, input, "/w")
		if !json.Valid([]byte(c.Input)) || c.Input[0] != '{' {
			t.Errorf("input %q is not a JSON object", c.Input)
		}
		if c.Unsure == "" && c.Input != strings.TrimSpace(input) && !strings.HasPrefix(strings.Trim(input, "\ufeff \t\r\n"), "{") {
			t.Errorf("NewCall(%q, %q) = %+v is sure", tool, input, c)
		}
		if c.Capability == Write && c.Unsure == "" && len(c.Edits)+len(c.Paths) == 0 && fold(tool) != "applypatch" {
			t.Errorf("NewCall(%q, %q) = %+v is sure of nothing", tool, input, c)
		}
	})
}

// A program and its arguments in members of their own are one command.
func TestArgumentsBesideTheProgram(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, input, want string }{
		{"shell", `{"command":"bash","args":["-c","rm -rf x"]}`, `bash -c 'rm -rf x'`},
		{"none", `{"command":"ls","args":[]}`, "ls "},
		{"not a list", `{"command":"ls","args":{"a":1}}`, "ls"},
	} {
		if got := NewCall("1", "mcp__x__run_command", c.input, "/w").Command; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
